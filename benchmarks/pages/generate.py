"""A large project: cases in the ledger, reports and findings in the warehouse, published.

Texts are drawn from an invented vocabulary with the frequencies of a natural one, so that a
search finds many cases for a common word and few for a rare one.
"""

import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from reviews import fill_queue

from citeval_assets.datasets.hashing import canonical_json, case_hash
from citeval_assets.evaluation.project import Project
from citeval_assets.ledger.records import (
    CallIntent,
    CallReply,
    CaseRecord,
    DatasetMember,
    DatasetRecord,
    EvaluationItem,
    EvaluationRecord,
    StoredCall,
)
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.cases import TestCase
from citeval_assets.playbooks.citation_faithfulness.scoring import CitationFaithfulnessDetails
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.report import Details, Evidence, Finding, Flag, Report
from citeval_assets.playbooks.vocabulary import (
    DecidedBy,
    FindingUnit,
    Reason,
    RiskLevel,
    Routing,
    Severity,
    Status,
)
from citeval_assets.warehouse.publishing import publish
from citeval_assets.warehouse.rows import EvaluatedCase, partition_rows
from citeval_assets.warehouse.tables import TestCaseRow
from citeval_assets.warehouse.writers import write_partition, write_test_cases

SYSTEMS = ("prod-2026-10", "candidate-2026-11")
JUDGES = ("judge-a", "judge-b", "judge-c")
CASES = 2_500
SENTENCES = 12
SETTINGS = (
    "models:\n"
    + "".join(
        f"  - {{id: {judge}, model: embedded/overlap-0, roles: [judge], stage: "
        f"{'production' if judge == 'judge-a' else 'candidate'}}}\n"
        for judge in JUDGES
    )
    + "systems:\n"
    + f"  - {{label: {SYSTEMS[0]}, stage: production}}\n"
    + f"  - {{label: {SYSTEMS[1]}, stage: candidate}}\n"
)
CELLS: tuple[tuple[str, tuple[str, ...], int], ...] = (
    ("citation_faithfulness", ("v1", "v2"), 2),
    ("citation_accuracy", ("v1", "v2"), 2),
    ("cot_faithfulness", ("v1",), 1),
    ("answer_comparison", ("v1",), 1),
)
"""Playbook, its prompt versions, and how many evaluations its first cell has had."""

LABELS: dict[str, tuple[FindingUnit, dict[str, float]]] = {
    "citation_faithfulness": (
        FindingUnit.CLAIM,
        {"supported": 1.0, "partially_supported": 0.0, "hallucinated_source": 0.0},
    ),
    "citation_accuracy": (
        FindingUnit.CITATION,
        {"fully_supported": 1.0, "partially_supported": 0.5, "unsupported": 0.0},
    ),
    "cot_faithfulness": (
        FindingUnit.STEP,
        {"FAITHFUL": 1.0, "UNFAITHFUL_UNSUPPORTED": 0.0, "UNFAITHFUL_FABRICATION": 0.0},
    ),
    "answer_comparison": (FindingUnit.CRITERION, {"PASS": 1.0, "FAIL": 0.0, "PARTIAL": 0.0}),
}


@dataclass(frozen=True, slots=True)
class Made:
    """What was written, and some ids to ask for."""

    folder: Path
    home: Path
    reports: int
    findings: int


class Writer:
    """Draws words, sentences and cases; the same ones every time."""

    def __init__(self) -> None:
        self.rng = random.Random(20267)
        vocabulary = random.Random(7)
        consonants, vowels = "bcdfglmnprstvz", "aeiou"
        self.words = [
            "".join(
                vocabulary.choice(consonants) + vocabulary.choice(vowels)
                for _ in range(vocabulary.randint(2, 4))
            )
            for _ in range(8_000)
        ]
        self.weights = [1 / (rank + 8) for rank in range(len(self.words))]
        self.pool = self.rng.choices(self.words, self.weights, k=400_000)
        self.at = 0

    def sentence(self, words: int = 15) -> str:
        """Return a sentence of about a hundred characters."""
        if self.at + words > len(self.pool):
            self.at = self.rng.randrange(1_000)
        taken = self.pool[self.at : self.at + words]
        self.at += words
        return " ".join(taken).capitalize() + "."


@dataclass(frozen=True, slots=True)
class MadeCase:
    """One case with the sentences its findings are about."""

    record: CaseRecord
    case: TestCase
    sentences: tuple[tuple[int, int, str], ...]


def make_project(home: Path, share: float) -> Made:
    """Write the project into ``home`` unless it is there already."""
    note = home / "made.json"
    if note.exists():
        known = json.loads(note.read_text(encoding="utf-8"))
        return Made(home / "project", home / "state", known["reports"], known["findings"])
    folder = home / "project"
    (folder / "data" / "golden").mkdir(parents=True)
    (folder / "prompts").symlink_to(Path(__file__).resolve().parents[2] / "prompts")
    (folder / "citeval.yaml").write_text(SETTINGS, encoding="utf-8")
    project = Project.load(folder, {"DAGSTER_HOME": str(home / "state")})
    started, reports, findings = time.monotonic(), 0, 0
    writer = Writer()
    with project.open_ledger() as ledger:
        for playbook, prompts, history in CELLS:
            cases = _register(project, ledger, writer, playbook, max(2, int(CASES * share)))
            for judge in JUDGES:
                for prompt in prompts:
                    times = history if (judge, prompt) == (JUDGES[0], prompts[0]) else 1
                    for day in range(times):
                        made = _evaluate(
                            project, ledger, writer, playbook, judge, prompt, day, cases
                        )
                        reports, findings = reports + made[0], findings + made[1]
                        print(f"{time.monotonic() - started:6.0f} s  {reports:>9,} reports")
    print(f"{fill_queue(project):,} items in the review queue")
    publish(project.warehouse, project.published_path)
    print(f"{time.monotonic() - started:6.0f} s  published")
    note.write_text(json.dumps({"reports": reports, "findings": findings}), encoding="utf-8")
    return Made(folder, home / "state", reports, findings)


def _register(
    project: Project, ledger: Ledger, writer: Writer, playbook: str, count: int
) -> list[MadeCase]:
    cases = [
        _case(writer, playbook, number, system) for number in range(count) for system in SYSTEMS
    ]
    members = tuple(
        DatasetMember(f"{playbook}-golden", "golden", made.record.case_hash, "{}", position)
        for position, made in enumerate(cases)
    )
    record = DatasetRecord(playbook, f"d-{playbook}", members)
    ledger.register_dataset(record, [made.record for made in cases])
    rows = [
        TestCaseRow(
            playbook, f"{playbook}-golden", record.dataset_version, made.case.test_case_id,
            made.case.system, made.record.case_hash, "golden", "standard", made.case.question,
            "en", "[]", None, None, "\n".join(text for _, _, text in made.sentences),
        )
        for made in cases
    ]  # fmt: skip
    write_test_cases(project.warehouse, playbook, rows, [])
    return cases


def _case(writer: Writer, playbook: str, number: int, system: str) -> MadeCase:
    sentences, at = [], 0
    for position in range(SENTENCES):
        text = f"{writer.sentence()[:-1]} [{position % 4 + 1}]."
        sentences.append((at, at + len(text), text))
        at += len(text) + 1
    judged = " ".join(text for _, _, text in sentences)
    fields: dict[str, object] = {
        "citation_faithfulness": {"answer": judged},
        "citation_accuracy": {"reasoning_trace": judged},
        "cot_faithfulness": {"reasoning_trace": judged, "final_answer": writer.sentence()},
        "answer_comparison": {"answer": judged, "reference_answer": writer.sentence()},
    }[playbook]
    case = get_playbook(playbook).case_type.model_validate(
        {
            "test_case_id": f"{playbook[:4]}-{number:05d}",
            "system": system,
            "question": writer.sentence(9)[:-1] + "?",
            "sources": [
                {"id": str(source + 1), "text": " ".join(writer.sentence() for _ in range(6))}
                for source in range(4)
            ],
            **fields,
        }
    )
    record = CaseRecord(
        case_hash(playbook, case), playbook, case.test_case_id, system,
        canonical_json(case.model_dump(mode="json", exclude_defaults=True)),
    )  # fmt: skip
    return MadeCase(record, case, tuple(sentences))


def _evaluate(
    project: Project, ledger: Ledger, writer: Writer, playbook: str, judge: str, prompt: str,
    day: int, cases: list[MadeCase],
) -> tuple[int, int]:  # fmt: skip
    name = f"{playbook}-{judge}-{prompt}-{day}"
    moment = f"2026-11-{day + 20:02d}T08:00:00.000000+00:00"
    record = EvaluationRecord(
        name, playbook, judge, prompt, "t" * 64, f"d-{playbook}", "*", f"epoch-{judge}-{prompt}",
        f"run-{day}", moment, moment,
    )  # fmt: skip
    evaluated = list(_evaluated(writer, record, cases))
    for start in range(0, len(evaluated), 1_000):
        part = evaluated[start : start + 1_000]
        calls = [call for case in part for call in case.calls]
        ledger.add_calls([c.intent for c in calls], [c.reply for c in calls])
    ledger.record_evaluation(record, [case.item for case in evaluated])
    rows = partition_rows(record, get_playbook(playbook), evaluated)
    written = write_partition(project.warehouse, rows)
    return written["reports"], written["findings"]


def _evaluated(
    writer: Writer, record: EvaluationRecord, cases: list[MadeCase]
) -> Iterator[EvaluatedCase]:
    rng = writer.rng
    for number, made in enumerate(cases):
        failed = rng.random() < 0.02
        findings = () if failed else tuple(_findings(writer, record.playbook, made))
        weights = [f.weight or 0.0 for f in findings]
        score = None if failed else sum(weights) / len(weights)
        status = Status.VALIDATION_FAILED if failed else Status.VALID
        review = failed or (score or 0) < 0.8
        report = Report(
            playbook=record.playbook, test_case_id=made.case.test_case_id, system=made.case.system,
            risk_level=RiskLevel.STANDARD, status=status,
            reason=Reason.VALIDATION_FAILED if failed else None, score=score, attempts=1,
            routing=Routing.REVIEW if review else Routing.DELIVER, findings=findings,
            details=_details(record.playbook, weights), summary=writer.sentence(),
        )  # fmt: skip
        call = _call(record, made, report, number)
        item = EvaluationItem(
            record.evaluation_id, made.record.case_hash, made.case.test_case_id, made.case.system,
            (call.intent.call_id,), status, report.reason, score, report.routing,
            ("unscored",) if failed else ("low_score",) if review else (),
        )  # fmt: skip
        yield EvaluatedCase(
            item, report, (call,), f"{record.playbook}-golden", "golden",
            f"s-{made.case.test_case_id}", made.case.question,
        )  # fmt: skip


def _details(playbook: str, weights: list[float]) -> Details:
    if playbook != "citation_faithfulness":
        return Details()
    supported = int(sum(weights))
    return CitationFaithfulnessDetails(
        claim_count=len(weights), supported_claim_count=supported,
        unsupported_claim_count=len(weights) - supported,
    )  # fmt: skip


def _findings(writer: Writer, playbook: str, made: MadeCase) -> Iterator[Finding]:
    unit, labels = LABELS[playbook]
    names = list(labels)
    criteria = playbook == "answer_comparison"
    for number, (start, end, text) in enumerate(made.sentences[: 4 if criteria else None]):
        label = writer.rng.choices(names, (0.86, 0.1, 0.04))[0]
        bad = labels[label] == 0
        source = made.case.sources[number % 4]
        yield Finding(
            unit=unit, unit_number=number, text=f"criterion_{number}" if criteria else text,
            source_id=None if criteria else source.id, label=label, weight=labels[label],
            flags=(Flag(type=label, severity=Severity.MAJOR),) if bad else (),
            decided_by=DecidedBy.CODE if label == "hallucinated_source" else DecidedBy.JUDGE,
            explanation=writer.sentence(18),
            evidence=()
            if criteria
            else (
                Evidence(source_id=source.id, char_start=0, char_end=80, text=source.text[:80]),
            ),
            char_start=None if criteria else start, char_end=None if criteria else end,
        )  # fmt: skip


def _call(record: EvaluationRecord, made: MadeCase, report: Report, number: int) -> StoredCall:
    call_id = f"{record.evaluation_id}-{number:05d}"
    intent = CallIntent(
        call_id, call_id, record.run_id, record.playbook, made.case.test_case_id, made.case.system,
        made.record.case_hash, record.model, "embedded/overlap-0", "embedded",
        record.prompt_version, "t" * 64, record.dataset_version, 1, 1, 0, ("1", "2", "3", "4"),
        json.dumps([{"role": "user", "content": made.case.question}]), "{}",
        created_at=record.started_at,
    )  # fmt: skip
    text = json.dumps({"claims_analysis": [f.explanation for f in report.findings]})
    reply = CallReply(
        call_id, "reply", text=text, finish_reason="stop", answered_model="overlap-0@1",
        prompt_tokens=900, completion_tokens=400, cost_usd=Decimal("0.0004"), latency_ms=812.0,
        created_at=record.finished_at,
    )  # fmt: skip
    return StoredCall(intent, reply)
