"""An answer that a target model wrote, on its way to the playbooks that judge answers."""

from dataclasses import dataclass
from typing import Any

from citeval_assets.playbooks.cases import TestCase


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """What was asked (under the label of the system that answers), and what came back.

    An empty ``answer`` is an abstention. ``reference_answer`` and ``answerable`` are golden.
    """

    asked: TestCase
    answer: str
    reference_answer: str | None = None
    answerable: bool | None = None

    def shared_fields(self) -> dict[str, Any]:
        """Return what every case made of the answer holds; labels belong to other outputs."""
        asked = self.asked
        return {
            "test_case_id": asked.test_case_id,
            "system": asked.system,
            "question": asked.question,
            "sources": asked.unique_sources,
            "risk_level": asked.risk_level,
            "language": asked.language,
            "tags": asked.tags,
            "history": asked.history,
            "answer": self.answer,
        }
