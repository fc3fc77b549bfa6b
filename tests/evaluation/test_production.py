"""Production traces: taken in once, drawn at most once, judged by the pinned judge alone."""

import json
from datetime import date

import pytest

from citeval_assets.evaluation.production import Production
from citeval_assets.evaluation.rebuilding import ensure_warehouse
from citeval_assets.evaluation.service import Service
from tests.small_project import SETTINGS, SmallProject, make_project

SAMPLED = """
sampling:
  playbooks: [cot_faithfulness]
  per_system_per_day: 3
  systems:
    - {system: quiet, rate: 0.5}
"""
TONIGHT = date(2026, 11, 30)


def trace(number: int, system: str = "prod", day: str = "2026-11-29", **more) -> dict:
    return {
        "test_case_id": f"{system}-{number}",
        "system": system,
        "produced_at": f"{day}T10:00:00+00:00",
        "question": "How heavy is the bell?",
        "sources": [{"id": "1", "text": "The bell weighs 912 kilograms. It hangs in the tower."}],
        "reasoning_trace": f"The bell weighs 912 kilograms. It hangs in the tower {number}.",
        "final_answer": "912 kilograms.",
        **more,
    }


def put(project: SmallProject, name: str, rows: list[dict] | str) -> None:
    text = rows if isinstance(rows, str) else "".join(json.dumps(row) + "\n" for row in rows)
    file = project.folder / "data" / "traces" / "inbox" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def production(project: SmallProject) -> Production:
    return Production(Service(project.load()))


@pytest.fixture
def project(tmp_path) -> SmallProject:
    return make_project(tmp_path, SETTINGS + SAMPLED)


def traces_folder(project: SmallProject, name: str) -> list[str]:
    folder = project.folder / "data" / "traces" / name
    return sorted(path.name for path in folder.rglob("*.jsonl"))


def test_a_file_is_taken_in_and_moved_aside(project):
    put(project, "monday.jsonl", [trace(1), trace(2)])
    done = production(project).take_in(TONIGHT)
    assert (done.new, done.known, done.refused) == (2, 0, [])
    assert traces_folder(project, "inbox") == []
    assert [name[:7] for name in traces_folder(project, "taken")] == ["monday-"]


def test_the_same_content_counts_once_whatever_the_file_is_called(project):
    put(project, "monday.jsonl", [trace(1), trace(2)])
    production(project).take_in(TONIGHT)
    put(project, "again.jsonl", [trace(2), trace(3), trace(3)])
    done = production(project).take_in(TONIGHT)
    assert (done.new, done.known, len(done.refused)) == (1, 1, 0)


def test_bad_rows_are_put_aside_with_line_and_reason(project):
    rows = [trace(1), {**trace(2), "question": ""}, {**trace(1), "final_answer": "Another."}]
    rows += [trace(4, day="2027-01-01"), {**trace(5), "playbook": "nonsense"}]
    put(project, "bad.jsonl", "".join(json.dumps(row) + "\n" for row in rows) + "{broken\n")
    done = production(project).take_in(TONIGHT)
    assert done.new == 1
    assert [row.line for row in done.refused] == [2, 4, 5, 6, 3]
    (name,) = traces_folder(project, "refused")
    refused = (project.folder / "data/traces/refused" / name).read_text(encoding="utf-8")
    for word in ("question", "future", "unknown playbook", "broken JSON", "another content"):
        assert word in refused


def test_a_file_that_is_still_being_written_waits(project):
    put(project, "big.jsonl", [trace(1)])
    assert production(project).take_in(TONIGHT, {"big.jsonl": "1:1"}).files == []
    assert traces_folder(project, "inbox") == ["big.jsonl"]


def test_a_folder_names_the_playbook(project):
    put(project, "cot_faithfulness/a.jsonl", [trace(1)])
    put(project, "citation_accuracy/b.jsonl", [{**trace(2), "reasoning_trace": ["It is [1]."]}])
    assert production(project).take_in(TONIGHT).new == 2
    with project.load().open_ledger() as ledger:
        assert len(list(ledger.waiting_traces("citation_accuracy", "2026-11-29"))) == 1


def drawn_ids(project: SmallProject, night: date) -> list[str]:
    (drawn,) = production(project).draw(night)
    with project.load().open_ledger() as ledger:
        records = ledger.cases(o.case_hash for o in drawn.offers if o.drawn)
        return sorted(record.test_case_id for record in records)


def test_each_system_and_day_is_a_stratum_of_its_own_size(project):
    rows = [trace(n) for n in range(10)] + [trace(n, "quiet") for n in range(4)]
    rows += [trace(n, "small") for n in range(2)] + [trace(20, day="2026-11-28")]
    put(project, "a.jsonl", rows)
    production(project).take_in(TONIGHT)
    (drawn,) = production(project).draw(TONIGHT)
    assert drawn.strata == [
        ("prod", "2026-11-28", 1, 1),
        ("prod", "2026-11-29", 10, 3),
        ("quiet", "2026-11-29", 4, 2),
        ("small", "2026-11-29", 2, 2),
    ]
    assert {o.probability for o in drawn.offers if o.system == "prod"} == {0.3, 1.0}
    assert drawn.drawn == 8


@pytest.mark.slow
def test_the_draw_is_the_same_in_any_order_and_on_any_machine(tmp_path):
    rows = [trace(n) for n in range(30)]
    found = []
    for name, order in (("one", rows), ("two", rows[::-1])):
        project = make_project(tmp_path / name, SETTINGS + SAMPLED)
        put(project, "a.jsonl", order)
        production(project).take_in(TONIGHT)
        found.append(drawn_ids(project, TONIGHT))
    assert found[0] == found[1]


def test_a_trace_is_offered_to_one_night_only(project):
    put(project, "a.jsonl", [trace(n) for n in range(10)])
    production(project).take_in(TONIGHT)
    first = drawn_ids(project, TONIGHT)
    assert drawn_ids(project, TONIGHT) == first
    assert drawn_ids(project, date(2026, 12, 1)) == []
    put(project, "late.jsonl", [trace(n) for n in range(8, 12)])
    production(project).take_in(date(2026, 12, 1))
    (late,) = production(project).draw(date(2026, 12, 1))
    assert late.strata == [("prod", "2026-11-29", 2, 2)]


def test_todays_traces_wait_until_the_day_is_over(project):
    put(project, "a.jsonl", [trace(1, day="2026-11-30")])
    production(project).take_in(TONIGHT)
    assert drawn_ids(project, TONIGHT) == []
    assert drawn_ids(project, date(2026, 12, 1)) == ["prod-1"]


@pytest.fixture(scope="module")
def judged(tmp_path_factory) -> SmallProject:
    """Twelve traces, of which five were drawn and judged beside the golden cases."""
    project = make_project(tmp_path_factory.mktemp("judged"), SETTINGS + SAMPLED)
    project.evaluate(playbooks=["cot_faithfulness"])
    put(project, "a.jsonl", [trace(n) for n in range(10)] + [trace(n, "quiet") for n in range(4)])
    steps = production(project)
    steps.take_in(TONIGHT)
    steps.draw(TONIGHT)
    (summary,) = steps.judge()
    assert (summary.model, summary.prompt_version, summary.cases) == ("naive", "v1", 5)
    return project


def test_the_pinned_judge_alone_judges_each_sample_once(judged):
    assert production(judged).judge() == []
    by = judged.table("production_reports", "DISTINCT model, prompt_version")
    assert by == [("naive", "v1")]


def test_sampling_probabilities_and_weights_stand_beside_the_reports(judged):
    rows = judged.table("production_reports", "system, probability, round(weight, 2), offered")
    assert rows == [("prod", 0.3, 3.33, 10)] * 3 + [("quiet", 0.5, 2.0, 4)] * 2


def test_the_matrix_and_the_scores_of_the_golden_cases_do_not_see_production(judged):
    cells = Service(judged.load()).matrix(["cot_faithfulness"])
    assert {cell.state for cell in cells} == {"done"}
    assert {row[0] for row in judged.table("current_reports", "test_case_id")} == {"bell"}


def test_production_is_in_the_trends_by_system(judged):
    trend = judged.table("score_trend", "scope, system, n_cases")
    assert [row for row in trend if row[0].startswith("production@")] == [
        ("production@2026-11-30", "prod", 3),
        ("production@2026-11-30", "quiet", 2),
    ]


def test_estimates_say_how_many_they_stand_for(judged):
    found = {e.system: (e.offered, e.judged, e.scored) for e in production(judged).estimates()}
    assert found == {"prod": (10, 3, 3), "quiet": (4, 2, 2)}


@pytest.mark.slow
def test_a_later_evaluation_of_all_golden_cases_leaves_the_samples_standing(judged):
    before = judged.table("production_reports", "test_case_id")
    judged.evaluate(playbooks=["cot_faithfulness"])
    assert judged.table("production_reports", "test_case_id") == before


@pytest.mark.slow
def test_a_rebuilt_warehouse_holds_the_same_samples(judged):
    tables = ("trace_samples", "production_reports", "score_trend", "current_evaluations")
    before = [judged.table(name) for name in tables]
    judged.warehouse.path.unlink()
    with judged.load().open_ledger() as ledger:
        ensure_warehouse(ledger, judged.warehouse)
    assert [judged.table(name) for name in tables] == before
