"""Verdicts are kept for good, once, with what they were drawn from."""

import json
from dataclasses import replace

import pytest

from citeval_assets.evaluation.gating import GateQuery, keep_verdicts, run_gates
from citeval_assets.evaluation.rebuilding import ensure_warehouse
from tests.gates.builders import World, both, changed, gate_text, make_world

COLUMNS = "gate, metric, verdict, difference, pairs, reasons, decision_id, decided_at"


def keep(project: World, asked: GateQuery | None = None) -> bool:
    wanted = asked or GateQuery()
    opened = project.project
    with opened.open_ledger() as ledger:
        return keep_verdicts(ledger, opened.warehouse, run_gates(opened, wanted), wanted)


def decisions(project: World) -> list:
    with project.project.open_ledger() as ledger:
        return list(ledger.gate_decisions())


def shown(project: World) -> list[tuple]:
    with project.project.warehouse.reading() as connection:
        return connection.execute(f"SELECT {COLUMNS} FROM gate_results ORDER BY ALL").fetchall()


def test_each_metric_is_one_decision_with_its_inputs(world):
    project = world()
    project.judged(changed(both(60), "candidate", "c001", "c002", score=0.0))

    assert keep(project) is True

    recorded = {decision.metric: decision for decision in decisions(project)}
    assert set(recorded) == {
        "score", "new_hallucinated_cases", "hallucinated_sources", "failed_validation_rate",
    }  # fmt: skip
    score = recorded["score"]
    assert (score.verdict, score.baseline, score.candidate) == ("fail", "prod", "candidate")
    inputs = json.loads(score.inputs_json)
    assert inputs["line"]["pairs"] == 60
    assert inputs["settings"]["min_pairs"] == 10
    assert inputs["sides"][0]["evaluation_ids"] == ["e-judge-a-v1-0"]
    assert len(inputs["pairs_digest"]) == 64


def test_the_same_inputs_are_the_same_decision(world):
    project = world()
    project.judged(both(60))
    keep(project)
    rows, recorded = shown(project), decisions(project)

    assert keep(project) is False

    assert shown(project) == rows
    assert decisions(project) == recorded


def test_a_verdict_that_comes_back_is_current_again(world):
    project = world()
    good, bad = both(60), changed(both(60), "candidate", "c001", "c002", score=0.0)
    project.judged(good)
    keep(project)
    before = shown(project)
    project.judged(bad)
    keep(project)
    project.judged(good)

    assert keep(project) is True

    assert shown(project) == before
    assert len(decisions(project)) == 8


def test_a_rebuilt_warehouse_shows_the_same_verdicts(world):
    project = world()
    project.judged(both(60))
    keep(project)
    before = shown(project)
    opened = project.project
    opened.warehouse.path.unlink()

    with opened.open_ledger() as ledger:
        assert ensure_warehouse(ledger, opened.warehouse)

    assert shown(project) == before


def test_one_gate_decided_alone_leaves_the_others_shown(tmp_path):
    one = gate_text()
    two = one + one.split("gates:\n")[1].replace("name: release", "name: second")
    project = make_world(tmp_path, two)
    project.judged(both(60))
    keep(project)
    project.judged(changed(both(60), "candidate", "c001", "c002", score=0.0))

    keep(project, GateQuery(names=("second",)))

    verdicts = {(row[0], row[1]): row[2] for row in shown(project)}
    assert verdicts["release", "score"] == "pass"
    assert verdicts["second", "score"] == "fail"


def test_a_gate_that_is_gone_is_shown_no_more(tmp_path):
    project = make_world(tmp_path, gate_text())
    project.judged(both(60))
    keep(project)
    (project.folder / "citeval.yaml").write_text(gate_text(name="renamed"), encoding="utf-8")

    keep(project)

    assert {row[0] for row in shown(project)} == {"renamed"}


@pytest.mark.parametrize("change", [{"score": 0.99}, {"provisional": True}])
def test_the_digest_covers_every_case(world, change):
    project = world(allow_provisional="true")
    project.judged(both(60))
    before = project.gate().pairs_digest
    cases = both(60)
    project.judged([replace(cases[0], **change), *cases[1:]])

    assert project.gate().pairs_digest != before
