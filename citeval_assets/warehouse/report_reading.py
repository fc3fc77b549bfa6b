"""What the report file asks the snapshot, beside what the pages do."""

from dataclasses import dataclass

from citeval_assets.warehouse.duck import Connection
from citeval_assets.warehouse.sql import query


@dataclass(frozen=True, slots=True)
class WorstReport:
    """One case that came out badly. ``report`` is the whole report as JSON."""

    test_case_id: str
    system: str
    case_hash: str
    validation_status: str
    reason: str | None
    score: float | None
    effective_score: float | None
    overridden: bool
    verdict: str | None
    report: str


@dataclass(frozen=True, slots=True)
class ScoreShares:
    """How many cases of one system earned their whole score, a part, nothing, or none."""

    playbook: str
    model: str
    prompt_version: str
    system: str
    whole: int
    part: int
    nothing: int
    unscored: int

    @property
    def total(self) -> int:
        """All cases that could be scored."""
        return self.whole + self.part + self.nothing + self.unscored


def worst_reports(
    connection: Connection, playbook: str, model: str, prompt_version: str, limit: int
) -> list[WorstReport]:
    """Return the worst reports of one judge and prompt version, what is unscored last."""
    asked = {
        "playbook": playbook,
        "model": model,
        "prompt_version": prompt_version,
        "row_limit": limit,
    }
    return [
        WorstReport(*row) for row in connection.execute(query("report_worst"), asked).fetchall()
    ]


def score_shares(connection: Connection) -> list[ScoreShares]:
    """Return how the current scores spread, per playbook, judge, prompt version and system."""
    return [ScoreShares(*row) for row in connection.execute(query("report_shares")).fetchall()]
