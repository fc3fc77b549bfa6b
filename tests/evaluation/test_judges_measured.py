"""Judges put to the test: what is found out is recorded, shown, and rebuilt from the ledger."""

import json

import pytest

from citeval_assets.calibration.bridging import NoBridge
from citeval_assets.evaluation.bridging import NothingToBridge
from citeval_assets.evaluation.project import UnknownName
from citeval_assets.evaluation.service import Service
from citeval_assets.playbooks.vocabulary import LabelSource
from tests.evaluation.judged_project import (
    CELL,
    NAIVE,
    NAME,
    SETTINGS,
    judged_project,
    label_in_ledger,
    labelled_rows,
)
from tests.paid_judge import stand_in
from tests.qualification.judges import BlindJudge

TABLES = ("judge_qualification", "bridges", "judge_noise")


@pytest.fixture
def client(monkeypatch) -> BlindJudge:
    judge = BlindJudge()
    stand_in(monkeypatch, judge)
    return judge


@pytest.fixture
def project(tmp_path, client):
    return judged_project(tmp_path, labelled_rows(60))


def judge(project, *models: str) -> None:
    project.evaluate(playbooks=[NAME], prompts=["v1"], models=models)


def shown(project) -> dict[str, list[tuple]]:
    return {table: project.table(table) for table in TABLES}


def test_a_qualification_is_recorded_and_rebuilt_without_a_call(project, client):
    found = Service(project.load()).qualify(CELL).qualification
    assert not found.qualified
    rows = shown(project)
    (whole,) = (row for row in rows["judge_qualification"] if "*" in row)
    assert "not_qualified" in whole
    standing = Service(project.load()).standing(CELL)
    assert standing is not None
    assert standing.qualified is False
    asked = len(client.requests)
    project.load().warehouse.path.unlink()
    judge(project, "naive")
    assert shown(project) == rows
    assert len(client.requests) == asked


def test_only_clean_cases_are_changed(tmp_path, client):
    wrong = [row for row in labelled_rows(30) if row["labels"]["score"] < 1]
    project = judged_project(tmp_path, wrong + labelled_rows(30, source=None))
    found = Service(project.load()).qualify(CELL).qualification
    assert found.clean_cases == 0
    assert client.requests == []


def test_a_floor_for_an_unknown_fault_is_a_mistake(tmp_path, client):
    settings = SETTINGS.replace("min_mutants: 3", "min_mutants: 3, floors: {negatoin: 0.5}")
    project = judged_project(tmp_path, labelled_rows(6), settings)
    with pytest.raises(UnknownName, match="negation"):
        Service(project.load()).qualify(CELL)


def calibrations(project, cell=CELL):
    found = Service(project.load()).calibrate([cell])
    return {one.agreement.label_source: one for one in found}


def test_a_judge_that_passes_everything_is_mild_and_corrected(tmp_path, client):
    rows = labelled_rows(60) + [
        {**row, "test_case_id": f"u-{row['test_case_id']}", "question": f"{row['question']}?"}
        for row in labelled_rows(120, source=None)
    ]
    project = judged_project(tmp_path, rows)
    judge(project, "blind")
    human = calibrations(project)[LabelSource.HUMAN]
    agreed = human.agreement
    assert (agreed.n, agreed.positives, agreed.negatives) == (60, 40, 20)
    assert agreed.calibrated
    assert agreed.bias == pytest.approx(1 / 3)
    assert agreed.balanced_accuracy == 0.5
    whole = human.corrected[0].score
    assert whole.raw == 1.0
    assert whole.mean == pytest.approx(2 / 3)
    ((corrected, kind),) = project.table(
        "calibration WHERE label_source = 'human' AND model = 'blind'",
        "corrected_score, correction",
    )
    assert (corrected, kind) == (pytest.approx(2 / 3), "ppi++")


def test_labels_by_construction_stay_apart_and_correct_nothing(tmp_path, client):
    project = judged_project(tmp_path, labelled_rows(60, source="constructed"))
    judge(project, "blind")
    found = calibrations(project)
    constructed, human = found[LabelSource.CONSTRUCTED], found[LabelSource.HUMAN]
    assert (constructed.agreement.n, human.agreement.n) == (60, 0)
    assert constructed.agreement.calibrated
    assert not human.agreement.calibrated
    assert constructed.corrected == ()
    assert human.corrected[0].score.method == "raw"


def test_what_a_person_says_later_counts_and_conflicts_are_queued(tmp_path, client):
    project = judged_project(tmp_path, labelled_rows(12, source="constructed"))
    judge(project, "blind")
    label_in_ledger(project, 0.2, of="weir-1")
    label_in_ledger(project, 0.9, of="weir-2")
    human = calibrations(project)[LabelSource.HUMAN].agreement
    assert (human.n, human.state) == (2, "uncalibrated: 2 labels, 50 are needed")
    assert [conflict.test_case_id for conflict in human.conflicts] == ["weir-1"]
    Service(project.load()).refresh_review_queue()
    queued = {case: json.loads(why) for case, why in project.table(
        "review_queue", "test_case_id, reasons"
    )}  # fmt: skip
    assert "judge_human_conflict" in queued["weir-1"]
    assert "judge_human_conflict" not in queued.get("weir-2", [])


def test_a_bridge_between_two_judges(project, client):
    judge(project, "naive")
    found = Service(project.load()).bridge(CELL, NAIVE, 40)
    assert (found.old.model, found.new.model, found.anchors) == ("naive", "blind", 40)
    assert found.offset == pytest.approx(found.new_mean - found.old_mean)
    assert found.offset > 0.2
    assert found.low is not None
    assert found.low > 0
    (row,) = Service(project.load()).bridges()
    assert row.score_offset == found.offset
    asked = len(client.requests)
    assert Service(project.load()).bridge(CELL, NAIVE, 40) == found
    assert len(client.requests) == asked, "the anchor set stays, and so do its replies"


def test_a_bridge_to_the_past_takes_the_scores_of_then(project, client, monkeypatch):
    judge(project, "naive")
    with pytest.raises(NothingToBridge, match="never judged under another epoch"):
        Service(project.load()).bridge(NAIVE)
    settings = project.folder / "citeval.yaml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace("overlap-0", "lexical-1"), encoding="utf-8")
    found = Service(project.load()).bridge(NAIVE, None, 30)
    assert found.anchors == 30
    assert found.old.epoch != found.new.epoch
    assert found.old.model == found.new.model == "naive"
    rows = shown(project)
    project.load().warehouse.path.unlink()
    judge(project, "naive")
    assert shown(project)["bridges"] == rows["bridges"]
    assert len(rows["bridges"]) == 1


def test_few_cases_make_no_bridge(tmp_path, client):
    project = judged_project(tmp_path, labelled_rows(6))
    judge(project, "naive")
    with pytest.raises(NoBridge):
        Service(project.load()).bridge(CELL, NAIVE)


def test_the_same_epoch_is_no_two_shores(project):
    judge(project, "naive")
    with pytest.raises(NothingToBridge, match="same epoch"):
        Service(project.load()).bridge(NAIVE, NAIVE)


def test_a_judge_that_never_strays_has_no_noise_and_one_that_does_has(tmp_path, client):
    project = judged_project(tmp_path, labelled_rows(12))
    judge(project, "naive", "blind")
    service = Service(project.load())
    still = service.measure_noise(NAIVE, 2, 12)
    assert still is not None
    assert (still.cases, still.deviation) == (12, 0.0)
    client.verdict = "partially_supported"
    stray = service.measure_noise(CELL, 2, 12)
    assert stray is not None
    assert stray.deviation > 0.1
    assert {row[1:4] for row in project.table("judge_noise")} == {
        (NAME, "blind", "v1"), (NAME, "naive", "v1")
    }  # fmt: skip
