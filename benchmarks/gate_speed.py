"""How long ``citeval gate`` takes over many paired cases, process start included.

    python benchmarks/gate_speed.py [--pairs 10000] [--runs 3]

Writes a warehouse with that many cases of two systems (report, three findings and one call
each), then times the command as a shell runs it: the first time it records its verdicts, from
then on it finds them recorded.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from decimal import Decimal
from pathlib import Path

from citeval_assets.ledger.records import (
    CallIntent,
    CallReply,
    EvaluationItem,
    EvaluationRecord,
    StoredCall,
)
from citeval_assets.playbooks.citation_faithfulness.scoring import CitationFaithfulnessDetails
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.report import Evidence, Finding, Report
from citeval_assets.playbooks.vocabulary import FindingUnit, RiskLevel, Routing, Status
from citeval_assets.warehouse.connection import Warehouse
from citeval_assets.warehouse.rows import EvaluatedCase, partition_rows
from citeval_assets.warehouse.writers import write_partition

PLAYBOOK = "citation_faithfulness"
SETTINGS = """\
models:
  - {id: judge, model: embedded/overlap-0, roles: [judge], stage: production}
systems:
  - {label: prod, stage: production}
  - {label: candidate, stage: candidate}
gates:
  - {name: release, playbook: citation_faithfulness, baseline: prod, candidate: candidate,
     judge: judge, prompt: v1, mode: both, max_new_patterns: 0, metrics: [score, pass_share]}
"""
MOMENT = "2026-11-30T08:00:00.000000+00:00"


def evaluated(number: int, system: str, rng: random.Random) -> EvaluatedCase:
    """Return one judged case: three claims, now and then one that fails."""
    case = f"case-{number:05d}"
    weights = [float(rng.random() > 0.04) for _ in range(3)]
    passage = "The ferry runs from April to October, four times a day, weather permitting. " * 3
    findings = tuple(
        Finding(
            unit=FindingUnit.CLAIM,
            unit_number=unit,
            text=f"The ferry runs {unit + 3} times a day from April to October [{unit}].",
            source_id=str(unit),
            label="supported" if weight else "partially_supported",
            weight=weight,
            category="correct_citation" if weight else "unsupported_attribution",
            explanation="The passage gives the months and the number of crossings a day.",
            evidence=(Evidence(source_id=str(unit), char_start=0, char_end=74, text=passage[:74]),),
        )
        for unit, weight in enumerate(weights)
    )
    report = Report(
        playbook=PLAYBOOK,
        test_case_id=case,
        system=system,
        risk_level=RiskLevel.STANDARD,
        status=Status.VALID,
        score=sum(weights) / 3,
        attempts=1,
        findings=findings,
        details=CitationFaithfulnessDetails(
            claim_count=3,
            supported_claim_count=int(sum(weights)),
            unsupported_claim_count=3 - int(sum(weights)),
            numbering="own_ids",
        ),
        summary=passage,
    )
    call_id = f"{case}-{system}"
    intent = CallIntent(
        call_id, call_id, "run", PLAYBOOK, case, system, call_id, "judge", "embedded/overlap-0",
        "embedded", "v1", "t" * 64, "d1", 1, 1, 0, ("1",), "[]", "{}", created_at=MOMENT,
    )  # fmt: skip
    reply = CallReply(
        call_id, "reply", text=json.dumps({"claims": passage * 2}), answered_model="overlap-0@1",
        prompt_tokens=900, completion_tokens=200, cost_usd=Decimal(0), created_at=MOMENT,
    )  # fmt: skip
    item = EvaluationItem(
        "e1", call_id, case, system, (call_id,), Status.VALID, None, report.score, Routing.DELIVER
    )
    question = f"question-{number // 2}"
    return EvaluatedCase(
        item, report, (StoredCall(intent, reply),), "set", "golden", f"subject-{number}", question
    )


def make_project(folder: Path, pairs: int) -> Path:
    """Write a project with a full warehouse; return its DAGSTER_HOME."""
    rng = random.Random(20261)
    (folder / "prompts").symlink_to(Path(__file__).resolve().parents[1] / "prompts")
    (folder / "citeval.yaml").write_text(SETTINGS, encoding="utf-8")
    home = folder / "home"
    record = EvaluationRecord(
        "e1", PLAYBOOK, "judge", "v1", "t" * 64, "d1", "*", "epoch", "run", MOMENT, MOMENT
    )
    cases = [evaluated(n, s, rng) for n in range(pairs) for s in ("prod", "candidate")]
    warehouse = Warehouse(home / "citeval" / "warehouse.duckdb")
    write_partition(warehouse, partition_rows(record, get_playbook(PLAYBOOK), cases))
    return home


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="citeval-gate-") as name:
        folder = Path(name)
        home = make_project(folder, given.pairs)
        command = [sys.executable, "-m", "citeval_assets.cli", "gate", "--json"]
        for run in range(given.runs):
            before = os.times()
            started = time.perf_counter()
            done = subprocess.run(
                [*command, "--project", str(folder)],
                env={**os.environ, "DAGSTER_HOME": str(home)},
                capture_output=True,
                text=True,
                check=False,
            )
            seconds = time.perf_counter() - started
            after = os.times()
            cpu = sum(after[2:4]) - sum(before[2:4])
            if done.returncode not in (0, 3, 4):
                sys.exit(done.stderr)
            found = json.loads(done.stdout)
            pairs = found["gates"][0]["pairs"]
            print(
                f"run {run + 1}: {seconds:.2f} s ({cpu:.2f} s of CPU) over {pairs} pairs: "
                f"{found['verdict']}"
            )


if __name__ == "__main__":
    main()
