"""Two sides of a comparison, as the pages show them: the numbers, and one page of cases."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from citeval_assets.warehouse.duck import Connection
from citeval_assets.warehouse.sql import query

Kept = Literal["all", "worse", "better", "same", "unscored"]


@dataclass(frozen=True, slots=True)
class PageSide:
    """One side. Without a ``system`` it stands for every system."""

    model: str
    prompt_version: str
    system: str | None


@dataclass(frozen=True, slots=True)
class PairOfSides:
    """What is compared, in one playbook."""

    playbook: str
    base: PageSide
    candidate: PageSide

    def parameters(self) -> dict[str, object]:
        """Return the query parameters."""
        return {
            "playbook": self.playbook,
            "base_model": self.base.model,
            "base_prompt": self.base.prompt_version,
            "base_system": self.base.system,
            "candidate_model": self.candidate.model,
            "candidate_prompt": self.candidate.prompt_version,
            "candidate_system": self.candidate.system,
        }


@dataclass(frozen=True, slots=True)
class PairScores:
    """The scores of one pair, its question, and the epochs they were given under."""

    base: float | None
    candidate: float | None
    question_key: str
    base_epoch: str
    candidate_epoch: str


@dataclass(frozen=True, slots=True)
class SideOfPair:
    """How one case came out on one side. ``place`` is its row in the list of all reports."""

    place: int
    system: str
    model: str
    prompt_version: str
    evaluation_id: str
    case_hash: str
    validation_status: str
    reason: str | None
    verdict: str | None
    score: float | None


@dataclass(frozen=True, slots=True)
class ListedPair:
    """One case on both sides."""

    test_case_id: str
    base: SideOfPair
    candidate: SideOfPair
    question: str

    @property
    def difference(self) -> float | None:
        """Candidate minus base; ``None`` unless both are scored."""
        if self.base.score is None or self.candidate.score is None:
            return None
        return self.candidate.score - self.base.score


@dataclass(frozen=True, slots=True)
class PairFinding:
    """One finding that did not earn its whole weight."""

    place: int
    finding_index: int
    unit: str
    unit_number: int
    text: str
    source_id: str | None
    label: str
    weight: float
    explanation: str


def pair_scores(connection: Connection, sides: PairOfSides) -> list[PairScores]:
    """Return the scores of every pair, in the order of the cases."""
    rows = connection.execute(query("page_differences"), sides.parameters()).fetchall()
    return [PairScores(*row) for row in rows]


def list_pairs(
    connection: Connection, sides: PairOfSides, *, kept: Kept, limit: int, offset: int
) -> list[ListedPair]:
    """Return one page of pairs, the largest loss first (of ``better`` the largest gain)."""
    given = {**sides.parameters(), "kept": kept, "row_limit": limit, "row_offset": offset}
    rows = connection.execute(query("page_pairs"), given).fetchall()
    return [
        ListedPair(row[0], SideOfPair(*row[1:11]), SideOfPair(*row[11:21]), row[21]) for row in rows
    ]


def answers_of(
    connection: Connection, evaluations: Sequence[str], cases: Sequence[str]
) -> dict[tuple[str, str, str], str]:
    """Return what target models answered, by evaluation, case and system."""
    rows = connection.execute(
        "SELECT evaluation_id, test_case_id, system, answer FROM page_answers WHERE answer IS NOT "
        "NULL AND list_contains(?, evaluation_id) AND list_contains(?, test_case_id)",
        [list(evaluations), list(cases)],
    ).fetchall()
    return {(row[0], row[1], row[2]): row[3] for row in rows}


def failing_of(connection: Connection, places: Sequence[int]) -> list[PairFinding]:
    """Return what cost the reports in these places their score, the worst first."""
    rows = connection.execute(query("page_failing"), {"places": list(places)}).fetchall()
    return [PairFinding(*row) for row in rows]
