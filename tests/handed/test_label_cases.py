"""Handed cases about codes that stand for labels, one of which says that nothing was decided."""

from typing import Any

import pytest

from citeval_assets.importers.mapping import PathMismatch
from citeval_assets.importers.options import LabelMap
from citeval_assets.playbooks.vocabulary import Reason, Status
from citeval_assets.warehouse.trends import summarise
from handed.loader import load_cases
from tests.gates.builders import Judged

CASES = load_cases("bug_reports", "judge_output")
LABEL_MAPS = [case for case in CASES if case["kind"] == "label_map"]


class Outcome(Judged):
    """A judged case as a mean sees it."""

    @property
    def validation_status(self) -> Status:
        return self.found

    @property
    def counted_score(self) -> float | None:
        return self.score


@pytest.mark.parametrize("row", LABEL_MAPS, ids=lambda row: row["id"])
def test_what_was_not_decided_has_no_number_and_is_counted_beside_the_mean(
    row: dict[str, Any],
) -> None:
    given, expect = row["input"], row["expect"]
    codes = {code: "null" if to is None else to for code, to in given["code_map"].items()}
    codes = LabelMap.parse("verdict:" + ",".join(f"{code}={to}" for code, to in codes.items()))
    found = [codes.labels_of({"verdict": label}).get("score") for label in given["labels"]]
    undecided = {"status": Status.INDETERMINATE, "reason": Reason.REFUSAL}
    scores = summarise(
        [
            Outcome(claim, score, **({} if score is not None else undecided))
            for claim, score in zip(given["claim_ids"], found, strict=True)
        ]
    )
    assert (scores.mean_score, scores.n_scored, scores.n_unscored) == (
        expect["score"],
        expect["n_decided"],
        expect["n_undecided"],
    )


@pytest.mark.parametrize("row", LABEL_MAPS, ids=lambda row: row["id"])
def test_a_label_the_map_does_not_know_is_refused(row: dict[str, Any]) -> None:
    codes = LabelMap.parse("verdict:1=1,0=0")
    with pytest.raises(PathMismatch, match="-1"):
        codes.labels_of({"verdict": row["input"]["labels"][2]})
