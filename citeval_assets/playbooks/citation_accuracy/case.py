"""The case: a reasoning trace with citations, and the full text of its sources."""

from collections.abc import Sequence
from typing import Annotated, cast

from pydantic import BeforeValidator

from citeval_assets.playbooks.cases import TestCase


def _not_blank(value: object) -> object:
    parts = cast("Sequence[object]", value if isinstance(value, list | tuple) else [value])
    if all(part is None or (isinstance(part, str) and not part.strip()) for part in parts):
        raise ValueError("required field empty")
    return cast("object", value)


class CitationAccuracyCase(TestCase):
    """One trace to judge: a list of steps, or a text whose steps are found by code."""

    reasoning_trace: Annotated[str | tuple[str, ...], BeforeValidator(_not_blank)]

    @property
    def judged_text(self) -> str:
        """The trace as one text, one step a line where it came as a list."""
        if isinstance(self.reasoning_trace, str):
            return self.reasoning_trace
        return "\n".join(self.reasoning_trace)
