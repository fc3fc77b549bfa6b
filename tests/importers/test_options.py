"""The text of the import options, read and refused."""

import pytest

from citeval_assets.importers.mapping import BadMapping, CaseShape, read_map
from citeval_assets.importers.options import LabelMap, read_defaults, with_value_maps
from citeval_assets.importers.paths import PathMismatch
from citeval_assets.playbooks.cases import TestCase

SHAPE = CaseShape(TestCase)


def test_words_become_scores() -> None:
    labels = LabelMap.parse("verdict:correct=1,partial=0.5,'not, sure'=null,true=1")
    assert labels.labels_of({"verdict": "correct"}) == {"score": 1.0, "label": "correct"}
    assert labels.labels_of({"verdict": " partial "}) == {"score": 0.5, "label": "partial"}
    assert labels.labels_of({"verdict": True}) == {"score": 1.0, "label": "true"}
    assert labels.labels_of({"verdict": "not, sure"}) == {}
    assert labels.labels_of({}) == {}
    assert labels.labels_of({"verdict": None}) == {}


def test_a_word_without_a_score_is_refused_unless_there_is_one_for_the_rest() -> None:
    with pytest.raises(PathMismatch, match="no score for the value 'odd'"):
        LabelMap.parse("verdict:correct=1").labels_of({"verdict": "odd"})
    rest = LabelMap.parse("verdict:correct=1,*=0")
    assert rest.labels_of({"verdict": "odd"})["score"] == 0.0


def test_verdicts_per_item_give_unit_labels_and_their_mean() -> None:
    labels = LabelMap.parse("claims[].v:full=1,none=0,skipped=null")
    row = {"claims": [{"v": "full"}, {"v": "none"}]}
    assert labels.labels_of(row) == {
        "score": 0.5,
        "units": [{"label": "full", "score": 1.0}, {"label": "none", "score": 0.0}],
    }
    assert labels.labels_of({"claims": []}) == {}


def test_one_item_without_a_verdict_leaves_the_whole_without_a_score() -> None:
    labels = LabelMap.parse("claims[].v:full=1,skipped=null")
    found = labels.labels_of({"claims": [{"v": "full"}, {"v": "skipped"}]})
    assert "score" not in found
    assert [unit["score"] for unit in found["units"]] == [1.0, None]


def test_ratings_become_scores_on_their_scale() -> None:
    labels = LabelMap.parse("rating.faith:1..5")
    assert labels.labels_of({"rating": {"faith": 4}})["score"] == 0.75
    assert labels.labels_of({"rating": {"faith": "1"}})["score"] == 0.0
    for bad in (6, "high", True):
        with pytest.raises(PathMismatch, match="no number from 1 to 5"):
            labels.labels_of({"rating": {"faith": bad}})


@pytest.mark.parametrize(
    "option",
    ["verdict", "verdict:", "verdict:good", "verdict:good=2", "verdict:good=nan", "a..b:x=1",
     "verdict:5..1", "verdict:x..y"],
)  # fmt: skip
def test_a_label_map_that_cannot_be_read_is_refused(option: str) -> None:
    with pytest.raises(BadMapping, match=r"--label-map|cannot read"):
        LabelMap.parse(option)


def test_a_field_that_does_not_exist_is_refused_with_the_nearest() -> None:
    with pytest.raises(BadMapping, match="did you mean 'question'"):
        read_map(SHAPE, ["qestion=q"])
    with pytest.raises(BadMapping, match=r"unknown field sources\.txt.*did you mean 'text'"):
        read_map(SHAPE, ["sources.txt=q"])
    with pytest.raises(BadMapping, match="holds no objects"):
        read_map(SHAPE, ["question.text=q"])
    with pytest.raises(BadMapping, match="write field=path"):
        read_map(SHAPE, ["question"])
    with pytest.raises(BadMapping, match="mapped twice"):
        read_map(SHAPE, ["question=q", "question=r"])
    with pytest.raises(BadMapping, match="ends where a name"):
        read_map(SHAPE, ["question=a."])


def test_value_maps_and_defaults_name_known_fields() -> None:
    assignments = read_map(SHAPE, ["language=lang"])
    (mapped,) = with_value_maps(SHAPE, assignments, ["language:english=en,'x,y'=xy"])
    assert mapped.values == {"english": "en", "x,y": "xy"}
    with pytest.raises(BadMapping, match="no --map fills"):
        with_value_maps(SHAPE, assignments, ["system:a=b"])
    assert read_defaults(SHAPE, ["system=prod=1"]) == {"system": "prod=1"}
    with pytest.raises(BadMapping, match="unknown field 'sytem'"):
        read_defaults(SHAPE, ["sytem=x"])
    with pytest.raises(BadMapping, match="only whole fields"):
        read_defaults(SHAPE, ["labels.score=x"])
