"""The case: an answer with citations, and the passages it was written from."""

from typing import Annotated

from pydantic import BeforeValidator

from citeval_assets.playbooks.cases import Frozen, Id, NonBlank, TestCase


def _empty_for_null(value: object) -> object:
    return "" if value is None else value


class GivenClaim(Frozen):
    """One claim of a row that brings its cited ids along instead of inline markers."""

    text: NonBlank
    cited_ids: tuple[Id, ...] = ()


class CitationFaithfulnessCase(TestCase):
    """One answer to judge. An empty one has no claims; ``claims`` replace inline markers."""

    answer: Annotated[str, BeforeValidator(_empty_for_null)]
    claims: tuple[GivenClaim, ...] = ()

    @property
    def judged_text(self) -> str:
        """The answer."""
        return self.answer

    @property
    def listed_ids(self) -> tuple[str, ...]:
        """The ids of the claims the row brings."""
        return tuple(dict.fromkeys(i for claim in self.claims for i in claim.cited_ids))
