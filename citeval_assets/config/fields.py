"""The kinds of values that stand in ``citeval.yaml``."""

import re
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    Strict,
)

from citeval_assets.keys import KeyRefused, check_id, encode_key, is_plain_name
from citeval_assets.playbooks.vocabulary import Severity, ViolationCategory

_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")


class Section(BaseModel):
    """Base of the sections: unknown keys are refused, nothing changes after loading."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Stage(StrEnum):
    """Where a model or system stands in its life."""

    PRODUCTION = "production"
    CANDIDATE = "candidate"
    BASELINE = "baseline"
    RETIRED = "retired"


class Role(StrEnum):
    """What a model is used for: to grade, or to answer under test."""

    JUDGE = "judge"
    TARGET = "target"


class Road(StrEnum):
    """Which way calls to a model take: our own connection, litellm's, or whichever is proven."""

    AUTO = "auto"
    LEAN = "lean"
    STOCK = "stock"


class Split(StrEnum):
    """Where the cases of a dataset come from."""

    GOLDEN = "golden"
    PRODUCTION = "production"
    GENERATED = "generated"


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text


def _as_key(text: str) -> str:
    try:
        encode_key(text)
    except KeyRefused as refusal:
        raise ValueError(str(refusal)) from None
    if text != text.strip():
        raise ValueError(f"{text!r} begins or ends with a blank; remove it")
    return check_id(text)


def _plain(text: str) -> str:
    if not is_plain_name(text):
        raise ValueError(
            f"{text!r} is no plain name: use letters, digits, '.', '_' and '-', beginning with a "
            "letter or digit, and no name a file system reserves"
        )
    return text


def _env_name(text: str) -> str:
    if not _ENV_NAME.fullmatch(text):
        raise ValueError("expected the name of an environment variable such as OPENAI_API_KEY")
    return text


def _http_url(text: str) -> str:
    if not re.match(r"https?://[^\s/]+", text):
        raise ValueError(f"{text!r} is no http(s) address")
    return text


def _money(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError(f"must be an amount in US dollars such as 2.50, found {value}")
    return Decimal(repr(value)) if isinstance(value, float) else value


def _not_empty(items: tuple[Any, ...]) -> tuple[Any, ...]:
    if not items:
        raise ValueError("the list must not be empty")
    return items


def _list_of_one(value: object) -> object:
    return [value] if isinstance(value, str) else value


Text = Annotated[str, AfterValidator(_not_blank)]
KeyText = Annotated[str, AfterValidator(_as_key)]
"""An id that becomes a partition key or a label, in NFC; any characters but control ones."""

PlainName = Annotated[str, AfterValidator(_plain)]
EnvName = Annotated[str, AfterValidator(_env_name)]
HttpUrl = Annotated[str, AfterValidator(_http_url)]
Whole = Annotated[int, Strict()]
Number = Annotated[float, Strict(), Field(allow_inf_nan=False)]
YesNo = Annotated[bool, Strict()]
Usd = Annotated[Decimal, BeforeValidator(_money), Field(ge=0, allow_inf_nan=False)]
OneOrMore = BeforeValidator(_list_of_one)
"""Lets a list of one text be written as the text."""

SeverityThreshold = (
    Literal[
        "critical",
        "major",
        "minor",
        "fabrication",
        "contradiction",
        "ignored_evidence",
        "rationalization",
        "unsupported",
        "oversimplification",
        "missing_nuance",
    ]
    | None
)
"""A severity, or a violation category of ``cot_faithfulness``."""

SEVERITIES = (*(str(item) for item in Severity), *(str(item) for item in ViolationCategory))
"""The values of ``SeverityThreshold``."""

NotEmpty = AfterValidator(_not_empty)
"""Refuses an empty list, after its items were checked."""
