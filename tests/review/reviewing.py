"""Decisions for tests, made as the pages make them."""

from typing import Any

from citeval_assets.ledger.records import ReviewDecision
from citeval_assets.review.decisions import Given, ReportInView, make_decision

REPORT = ReportInView(
    playbook="citation_accuracy",
    test_case_id="kiln",
    system="prod",
    case_hash="c" * 64,
    model="judge",
    prompt_version="v1",
    evaluation_id="e1",
    score=0.5,
    verdict=None,
    units=(0, 1),
)


def decided(
    kind: str = "override",
    reviewer: str = "ada",
    before: list[ReviewDecision] | None = None,
    report: ReportInView = REPORT,
    **given: Any,
) -> ReviewDecision:
    if kind == "override" and not {"score", "units"} & set(given):
        given["score"] = "1"
    return make_decision(report, Given(kind, reviewer, **given), before or [])
