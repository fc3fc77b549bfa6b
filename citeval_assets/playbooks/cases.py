"""The test case: one thing to judge, as it is read from a row.

A playbook adds its own fields in a subclass. Ids are strings, NFC-normalised and trimmed;
an integer id becomes its exact decimal text once, here.
"""

import unicodedata
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from citeval_assets.playbooks.rules import read_risk_level
from citeval_assets.playbooks.vocabulary import LabelSource, RiskLevel

MAX_CASE_CHARS = 10_000_000
"""A case larger than this (all its text together) is quarantined, not judged."""

CONSTRAINT_FIELDS = frozenset({"additional_constraints", "constraints", "ADDITIONAL_CONSTRAINTS"})
"""Row fields that would let data set the operator's rules: such a row is refused."""


def read_id(value: object) -> object:
    """Return an id as trimmed NFC text; integers as exact decimal text; the rest unchanged.

    Raises:
        ValueError: for booleans and floats, which have no one decimal spelling.
    """
    if isinstance(value, bool | float):
        raise ValueError(f"an id must be text or an integer, found {value!r}")
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value).strip()
    return value


def _not_blank(value: object) -> object:
    if isinstance(value, str) and not value.strip():
        raise ValueError("required field empty")
    return value


Id = Annotated[str, BeforeValidator(read_id), Field(min_length=1, max_length=512)]
NonBlank = Annotated[str, BeforeValidator(_not_blank)]
Risk = Annotated[RiskLevel | None, BeforeValidator(read_risk_level)]


class Frozen(BaseModel):
    """Base of the immutable records of this room."""

    model_config = ConfigDict(frozen=True)


class Source(Frozen):
    """One passage a case may cite."""

    id: Id
    text: str
    document: str | None = None
    index: int | None = None
    page: int | str | None = None
    title: str | None = None


class Turn(Frozen):
    """One earlier message of a conversation."""

    role: str
    content: str


class Labels(Frozen):
    """Gold labels of a case. Never shown to a model.

    ``score`` is the gold score in 0..1; further keys are the playbook's own (per-unit labels,
    the one-line reason of a constructed label) and are kept as they are.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    score: float | None = Field(default=None, ge=0, le=1, allow_inf_nan=False)


class TestCase(Frozen):
    """What all playbooks share. Key of a case: (playbook, test_case_id, system)."""

    __test__: ClassVar[bool] = False
    gold_fields: ClassVar[frozenset[str]] = frozenset({"labels", "label_source"})
    """Fields no model may see. A playbook's case adds its own."""

    produced_fields: ClassVar[frozenset[str]] = frozenset(
        {"answer", "claims", "reasoning_trace", "final_answer", "recorded_output"}
    )
    """Fields that hold what the system under test produced; all others were given to it."""

    test_case_id: Id
    system: Id
    question: NonBlank
    sources: tuple[Source, ...] = ()
    risk_level: Risk = None
    language: str | None = None
    tags: tuple[str, ...] = ()
    history: tuple[Turn, ...] = ()
    labels: Labels | None = None
    label_source: LabelSource | None = None

    @model_validator(mode="before")
    @classmethod
    def _lift_label_source(cls, row: Any) -> Any:
        """Accept ``label_source`` inside ``labels`` as well as beside it."""
        if not isinstance(row, dict):
            return row
        fields = cast("dict[str, Any]", row)
        if not isinstance(fields.get("labels"), dict):
            return fields
        labels = cast("dict[str, Any]", fields["labels"])
        if "label_source" not in labels:
            return fields
        inner = {key: value for key, value in labels.items() if key != "label_source"}
        return {**fields, "labels": inner, "label_source": labels["label_source"]}

    @model_validator(mode="before")
    @classmethod
    def _give_positional_ids(cls, row: Any) -> Any:
        """Give each source without an id (missing, null or blank) its 1-based position as id."""
        if not isinstance(row, dict):
            return row
        fields = cast("dict[str, Any]", row)
        given = fields.get("sources")
        if not isinstance(given, list | tuple):
            return fields
        sources: list[Any] = []
        for position, source in enumerate(cast("Sequence[Any]", given), start=1):
            if isinstance(source, str):
                source = {"text": source}
            if isinstance(source, dict):
                source = cast("dict[str, Any]", source)
                raw = source.get("id")
                if raw is None or (isinstance(raw, str) and not raw.strip()):
                    source = {**source, "id": str(position)}
            sources.append(source)
        return {**fields, "sources": sources}

    @model_validator(mode="after")
    def _source_ids_are_unique(self) -> "TestCase":
        seen: dict[str, str] = {}
        for source in self.sources:
            if source.id in seen and seen[source.id] != source.text:
                raise ValueError(f"sources: id {source.id!r} stands twice with different texts")
            seen[source.id] = source.text
        return self

    @property
    def judged_text(self) -> str:
        """The text whose citations are judged, as offsets count in it; empty by default."""
        return ""

    @property
    def listed_ids(self) -> tuple[str, ...]:
        """Ids the row says are cited, beside those that stand in its text; none by default."""
        return ()

    @property
    def known_supporting(self) -> tuple[str, ...] | None:
        """The passages golden data says the answer rests on; ``None``: it does not say."""
        return None

    @property
    def unique_sources(self) -> tuple[Source, ...]:
        """The sources, each id once (the same passage may be listed twice)."""
        return tuple({source.id: source for source in self.sources}.values())

    @property
    def human_score(self) -> float | None:
        """The human gold score, or ``None`` where there is none or it is constructed."""
        if self.labels is None or self.label_source is not LabelSource.HUMAN:
            return None
        return self.labels.score
