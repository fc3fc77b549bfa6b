"""What a retriever offers."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from citeval_assets.playbooks.cases import Source


class RetrieverError(Exception):
    """A retriever is not set up as it must be. The text says what is wrong and what to do."""


class RetrieverUnreachable(Exception):
    """The evidence could not be fetched just now: the cases that need it are retried later."""


@runtime_checkable
class Retriever(Protocol):
    """Finds passages for a question, or by their ids."""

    @property
    def version(self) -> str:
        """Names retriever and corpus: another version may find other passages."""
        ...

    def search(self, question: str, k: int) -> Sequence[Source]:
        """Return up to ``k`` passages for a question, the best first.

        Raises:
            RetrieverUnreachable: the passages cannot be had just now.
        """
        ...

    def fetch(self, ids: Sequence[str]) -> Sequence[Source]:
        """Return the passages of these ids, in their order; unknown ids are left out.

        Raises:
            RetrieverUnreachable: the passages cannot be had just now.
        """
        ...
