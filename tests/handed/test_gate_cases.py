"""Handed cases that the gates answer, by kind."""

from typing import Any

import pytest

from citeval_assets.gates.model import GateReport
from citeval_assets.playbooks.vocabulary import Reason, Status
from tests.gates.builders import HEAD, Judged, World, both, gate_text, make_world, metric
from tests.handed.loader import load_cases

CASES = [
    case
    for file in ("adversarial", "bug_reports")
    for case in load_cases(file)
    if case["area"] == "gate"
    or case["kind"] in ("aggregate_reporting", "repeat_measurement", "non_finite")
]


def alone(**changes: Any) -> str:
    """Return a gate over one system, held to limits."""
    return gate_text(**{"baseline": None, "first_release": "true", "min_pairs": 1, **changes})


def empty_run(world: World, given: dict[str, Any]) -> GateReport:
    (world.folder / "citeval.yaml").write_text(
        gate_text(datasets="[other]").replace(
            "gates:",
            "datasets:\n  - {name: other, playbook: citation_faithfulness, path: data/g/b.jsonl}\n"
            "gates:",
        ),
        encoding="utf-8",
    )
    world.judged(both(60))
    return world.gates()


def baseline_missing(world: World, given: dict[str, Any]) -> GateReport:
    assert given["baseline"] is None
    (world.folder / "citeval.yaml").write_text(alone(), encoding="utf-8")
    world.judged(both(60))
    assert world.gates().verdict == "pass"
    (world.folder / "citeval.yaml").write_text(gate_text(baseline=None), encoding="utf-8")
    return world.gates()


def model_swap(world: World, given: dict[str, Any]) -> GateReport:
    assert given["requested"] == "prov/judge-1"
    dated = f"{given['requested']}-2026-04-14"
    world.judged(both(60, answered=dated))
    assert world.gates().verdict == "pass"
    world.judged(both(60, answered=given["returned"]))
    report = world.gates()
    equal = gate_text(same_models=f"[[{given['requested']}, {given['returned']}]]")
    (world.folder / "citeval.yaml").write_text(equal, encoding="utf-8")
    assert world.gates().verdict == "pass"
    return report


def aggregate_reporting(world: World, given: dict[str, Any]) -> GateReport:
    settings = alone(min_score=given["gate"]["min_mean"])
    (world.folder / "citeval.yaml").write_text(settings, encoding="utf-8")
    failed = {"status": Status.ERROR, "reason": Reason.TIMEOUT}
    world.judged(
        [
            Judged(f"c{n}", score, "candidate", **({} if score is not None else failed))
            for n, score in enumerate(given["row_scores"])
        ]
    )
    return world.gates()


def repeat_measurement(world: World, given: dict[str, Any]) -> GateReport:
    for policy in ("all", given["policy"]):
        settings = alone(min_score=given["threshold"], repeats=policy)
        (world.folder / "citeval.yaml").write_text(settings, encoding="utf-8")
        for number, score in enumerate(given["repeats"]):
            world.judged([Judged("c0", score, "candidate", repeat=number)], number=number)
        report = world.gates()
        if policy == "all":
            assert report.verdict == "fail"
    return report


def non_finite(world: World, given: dict[str, Any]) -> GateReport:
    settings = alone(min_score=0.1, coverage_floor=0)
    (world.folder / "citeval.yaml").write_text(settings, encoding="utf-8")
    world.judged([Judged(f"c{n}", 0.5, "candidate") for n in range(len(given["rows"]))])
    world.sql("CREATE TABLE bare AS SELECT * FROM reports")
    world.sql("DROP VIEW current_findings; DROP VIEW current_reports; DROP TABLE reports")
    world.sql("ALTER TABLE bare RENAME TO reports")
    world.sql("CREATE VIEW current_reports AS SELECT * FROM reports")
    for number, score in enumerate(given["rows"]):
        world.sql(
            f"UPDATE reports SET counted_score = '{score}', effective_score = '{score}' "
            f"WHERE test_case_id = 'c{number}'"
        )
    return world.gates()


BY_KIND = {
    "empty_run": empty_run,
    "baseline_missing": baseline_missing,
    "model_swap": model_swap,
    "aggregate_reporting": aggregate_reporting,
    "repeat_measurement": repeat_measurement,
    "non_finite": non_finite,
}
REASONS = {"bug-s052": "9 of 10 unscored", "bug-s079": "non-finite score"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_gate_says_what_the_case_expects(case, tmp_path):
    world = make_world(tmp_path, HEAD)
    (world.folder / "citeval.yaml").write_text(gate_text(), encoding="utf-8")

    report = BY_KIND[case["kind"]](world, case["input"])

    expect = case["expect"]
    (gate,) = report.gates
    if expect.get("gate", "fail") == "pass":
        assert report.verdict == "pass"
    else:
        # The cases call "fail" whatever does not pass; ours also says when it cannot tell.
        assert report.verdict != "pass"
        wanted = REASONS.get(case["id"], expect.get("reason", ""))
        assert wanted in "; ".join(gate.reasons)
    if "n_scored" in expect:
        scores = gate.candidate.scores
        assert (scores.n_scored, scores.n_unscored) == (expect["n_scored"], expect["n_unscored"])
        assert scores.mean_score == 1.0
    if "n_measurements" in expect:
        assert gate.judge_noise.measurements == expect["n_measurements"]
        assert metric(gate).candidate_value == pytest.approx(0.61)
        assert gate.judge_noise.largest_spread == pytest.approx(0.04)
        assert "policy median" in gate.notes[0]
    if "flags" in expect:
        with world.project.warehouse.reading() as connection:
            (flags,) = connection.execute("SELECT DISTINCT flags FROM current_reports").fetchone()
        assert expect["flags"][0] in flags
