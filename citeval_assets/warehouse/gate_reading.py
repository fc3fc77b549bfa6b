"""What gates and comparisons ask the warehouse: the cases of two sides and how they were judged."""

from collections.abc import Sequence
from dataclasses import dataclass

from citeval_assets.warehouse.duck import Connection
from citeval_assets.warehouse.sql import query


@dataclass(frozen=True, slots=True)
class Cells:
    """Which current reports are meant; ``None`` does not restrict."""

    playbook: str
    models: tuple[str, ...] | None = None
    prompts: tuple[str, ...] | None = None
    systems: tuple[str, ...] | None = None
    datasets: tuple[str, ...] | None = None

    def parameters(self, *names: str) -> dict[str, object]:
        """Return the query parameters of these names."""
        return {name: _listed(getattr(self, name)) for name in names}


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One current report, as far as a gate needs it. ``details`` is the playbook's own JSON."""

    test_case_id: str
    system: str
    model: str
    prompt_version: str
    evaluation_id: str
    case_hash: str
    subject_hash: str
    question_key: str
    dataset: str
    validation_status: str
    reason: str | None
    counted_score: float | None
    effective_score: float | None
    overridden: bool
    provisional: bool
    verdict: str | None
    model_differs: bool
    epoch: str
    dataset_version: str
    details: str


@dataclass(frozen=True, slots=True)
class CellRow:
    """How many current reports one system has under one judge and prompt version."""

    playbook: str
    system: str
    model: str
    prompt_version: str
    reports: int


@dataclass(frozen=True, slots=True)
class SystemRow:
    """One system that occurs in the cases of a playbook, or (``reported``) in its reports."""

    playbook: str
    system: str
    reported: bool


@dataclass(frozen=True, slots=True)
class CaseTextRow:
    """The answer a report keeps (where the playbook keeps one)."""

    evaluation_id: str
    test_case_id: str
    system: str
    answer: str | None


@dataclass(frozen=True, slots=True)
class FindingRow:
    """One finding that cost score or was flagged. ``flags`` is JSON."""

    evaluation_id: str
    test_case_id: str
    system: str
    unit: str
    text: str
    source_id: str | None
    label: str
    category: str | None
    flags: str
    decided_by: str


@dataclass(frozen=True, slots=True)
class LabelRow:
    """How often one label was given to one system in one evaluation."""

    evaluation_id: str
    system: str
    label: str
    findings: int


@dataclass(frozen=True, slots=True)
class AnsweredRow:
    """On how many cases a model of this name and fingerprint answered."""

    evaluation_id: str
    model: str
    answered_model: str | None
    fingerprint: str | None
    cases: int


@dataclass(frozen=True, slots=True)
class RepeatRow:
    """One measurement of one case: the newest of its repetition number."""

    case_hash: str
    system: str
    model: str
    prompt_version: str
    epoch: str
    repeat: int
    score: float


@dataclass(frozen=True, slots=True)
class PresentRow:
    """One case as it is registered now."""

    test_case_id: str
    system: str
    case_hash: str
    dataset: str


def gate_cases(connection: Connection, cells: Cells) -> list[CaseRow]:
    """Return the current reports of these cells."""
    wanted = cells.parameters("playbook", "models", "prompts", "systems", "datasets")
    return [CaseRow(*row) for row in connection.execute(query("gate_cases"), wanted).fetchall()]


def gate_cells(connection: Connection) -> list[CellRow]:
    """Return which systems have current reports under which judge and prompt version."""
    return [CellRow(*row) for row in connection.execute(query("gate_cells")).fetchall()]


def gate_findings(
    connection: Connection, evaluations: Sequence[str], systems: Sequence[str] | None
) -> list[FindingRow]:
    """Return the findings of these evaluations that cost score or were flagged."""
    wanted = {"evaluations": list(evaluations), "systems": _listed(systems)}
    rows = connection.execute(query("gate_findings"), wanted).fetchall()
    return [FindingRow(*row) for row in rows]


def gate_labels(
    connection: Connection, evaluations: Sequence[str], systems: Sequence[str] | None
) -> list[LabelRow]:
    """Return how often each label was given, per evaluation and system."""
    wanted = {"evaluations": list(evaluations), "systems": _listed(systems)}
    rows = connection.execute(query("gate_labels"), wanted).fetchall()
    return [LabelRow(*row) for row in rows]


def gate_answered(
    connection: Connection, evaluations: Sequence[str], systems: Sequence[str] | None
) -> list[AnsweredRow]:
    """Return which models answered, with which fingerprints."""
    wanted = {"evaluations": list(evaluations), "systems": _listed(systems)}
    rows = connection.execute(query("gate_answered"), wanted).fetchall()
    return [AnsweredRow(*row) for row in rows]


def gate_repeats(connection: Connection, cells: Cells) -> list[RepeatRow]:
    """Return every measurement of these cells; nothing where nothing was repeated."""
    wanted = cells.parameters("playbook", "models", "prompts", "systems")
    rows = connection.execute(query("gate_repeats"), wanted).fetchall()
    return [RepeatRow(*row) for row in rows]


def gate_present(connection: Connection, cells: Cells) -> list[PresentRow]:
    """Return the cases of a playbook as they are registered now."""
    wanted = cells.parameters("playbook", "datasets")
    rows = connection.execute(query("gate_present"), wanted).fetchall()
    return [PresentRow(*row) for row in rows]


def gate_systems(connection: Connection) -> list[SystemRow]:
    """Return which systems occur in cases and in current reports."""
    return [SystemRow(*row) for row in connection.execute(query("gate_systems")).fetchall()]


def case_texts(
    connection: Connection, evaluations: Sequence[str], test_cases: Sequence[str]
) -> list[CaseTextRow]:
    """Return the answers that reports keep, for chosen cases."""
    wanted = {"evaluations": list(evaluations), "test_cases": list(test_cases)}
    return [CaseTextRow(*row) for row in connection.execute(query("case_texts"), wanted).fetchall()]


def recorded_decisions(connection: Connection) -> list[str]:
    """Return the ids of the decisions that ``gate_results`` shows, in order."""
    rows = connection.execute("SELECT decision_id FROM gate_results ORDER BY ALL").fetchall()
    return [row[0] for row in rows]


def _listed(value: object) -> object:
    return list(value) if isinstance(value, list | tuple) else value
