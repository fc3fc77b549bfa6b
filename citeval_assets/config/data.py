"""Systems, datasets and retrievers: what is judged, and where it comes from."""

from enum import StrEnum
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import AfterValidator, Field, JsonValue, WithJsonSchema, field_validator

from citeval_assets.config.errors import did_you_mean
from citeval_assets.config.fields import (
    SEVERITIES,
    KeyText,
    PlainName,
    Section,
    Split,
    Stage,
    Text,
    YesNo,
)
from citeval_assets.playbooks.rules import DomainRules, Tolerance
from citeval_assets.text.custom_pattern import check_pattern
from citeval_assets.text.markers import active_styles

DATA_FOLDER = "data"
"""The folder of a project that datasets may not leave."""


def _inside_data(text: str) -> str:
    if any(char in text for char in "\\\x00") or text != text.strip():
        raise ValueError(f"{text!r} is no path: write data/<folder>/<file> with '/'")
    path = PurePosixPath(text)
    leaves = path.is_absolute() or ".." in path.parts or text.startswith("~")
    if leaves or path.parts[:1] != (DATA_FOLDER,) or len(path.parts) < 2:
        raise ValueError(
            f"{text!r} lies outside the project's {DATA_FOLDER}/ folder: put the file there and "
            f"write its path from the project folder, such as {DATA_FOLDER}/golden/mine.jsonl"
        )
    return str(path)


DataPath = Annotated[str, AfterValidator(_inside_data)]


class SystemConfig(Section):
    """One version of the application under evaluation: model, retriever and prompt."""

    label: KeyText
    """The name that stands in the system field of the cases."""

    stage: Stage
    """production, candidate, baseline or retired."""

    model: Text | None = None
    """The answering model; the id of a target model where citeval asks it itself."""

    retriever: Text | None = None
    """The retriever; the name of a configured one where citeval asks it itself."""

    prompt: Text | None = None
    """The prompt version the system answers with."""


class DatasetConfig(DomainRules, frozen=True):
    """One file (or folder of files) of test cases, with the operator's rules for it."""

    name: PlainName
    playbook: Text
    path: DataPath
    split: Split = Split.GOLDEN
    retriever: PlainName | None = None
    allow_links: YesNo = False
    numeric_tolerance: Annotated[
        Tolerance,
        WithJsonSchema({"anyOf": [{"type": "number", "minimum": 0}, {"type": "string"}]}),
    ] = Field(default=Tolerance(), description="Absolute (0.05), or relative ('2%').")

    @field_validator("partial_weight", "score_threshold", "neighbour_chunks", mode="before")
    @classmethod
    def _numbers_only(cls, value: object) -> object:
        if isinstance(value, bool | str):
            raise ValueError(f"must be a number, found {value!r}")
        return value

    @field_validator("review_severity_threshold", mode="before")
    @classmethod
    def _severity_exists(cls, value: object) -> object:
        if value is not None and value not in SEVERITIES:
            hint = did_you_mean(str(value), SEVERITIES)
            raise ValueError(f"found {value!r}, expected one of {', '.join(SEVERITIES)}{hint}")
        return value

    @field_validator("citation_pattern")
    @classmethod
    def _compiles(cls, pattern: str | None) -> str | None:
        if pattern is not None:
            check_pattern(pattern)
        return pattern

    @field_validator("citation_styles")
    @classmethod
    def _styles_exist(cls, styles: tuple[str, ...]) -> tuple[str, ...]:
        active_styles(styles)
        return styles

    @property
    def rules(self) -> DomainRules:
        """The domain rules that stand in this entry."""
        return DomainRules(**{name: getattr(self, name) for name in DomainRules.model_fields})


class RetrieverKind(StrEnum):
    """How passages are found."""

    BM25 = "bm25"
    HTTP = "http"
    MODULE = "module"


class RetrieverConfig(Section):
    """One retriever: completes cases without sources, finds passages for golden questions."""

    name: PlainName
    """The name datasets and systems use."""

    kind: RetrieverKind
    """bm25 (over a folder of texts), http (a service), module (a Python function)."""

    options: dict[str, JsonValue] = Field(default_factory=dict)
    """What this kind needs, such as corpus, url or function."""
