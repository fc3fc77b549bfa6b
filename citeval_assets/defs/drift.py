"""The weekly canary as an asset: do the pinned judges still judge as they did?"""

from collections.abc import Sequence
from datetime import UTC, date, datetime

import dagster as dg

from citeval_assets.defs.judge_assets import JUDGES_GROUP, judge_playbooks
from citeval_assets.defs.names import Citeval, cases_key
from citeval_assets.defs.progress import DagsterLogProgress
from citeval_assets.evaluation.cases import NothingRegistered
from citeval_assets.evaluation.drifting import DriftFound
from citeval_assets.evaluation.sampling import NothingPinned, pinned_cell

DRIFT_KEY = dg.AssetKey(["judge_drift"])
CANARY_JOB = "judge_canaries"
NO_DRIFT = "judges_judge_as_they_did"


class CanaryDay(dg.Config):
    """Which week a canary is of."""

    day: str = ""
    """A day (UTC, ISO) of the week; empty: today."""

    def date(self) -> date:
        """Return it as a date."""
        return date.fromisoformat(self.day) if self.day else datetime.now(UTC).date()


@dg.asset(
    key=DRIFT_KEY,
    deps=[cases_key(playbook.name) for playbook in judge_playbooks()],
    group_name=JUDGES_GROUP,
    kinds={"llm"},
    check_specs=[
        dg.AssetCheckSpec(
            NO_DRIFT,
            asset=DRIFT_KEY,
            description=(
                "A fixed set, judged anew each week by the pinned judge, scores as at first: sign "
                "test and flip test, each at half of automation.canary.alpha."
            ),
        )
    ],
    description=(
        "The canaries of the week: the pinned judge of each playbook judges a fixed set anew. A "
        "provider that changed what runs under a name shows here."
    ),
)
def judge_drift(
    context: dg.AssetExecutionContext, config: CanaryDay, citeval: Citeval
) -> dg.MaterializeResult:
    """Judge the fixed sets anew; each week costs its calls once."""
    service = citeval.service(context.run.run_id, DagsterLogProgress(context.log))
    found: list[DriftFound] = []
    for playbook in judge_playbooks():
        try:
            cell = pinned_cell(service.project, playbook.name)
            found.append(service.drift(cell, config.date()))
        except (NothingPinned, NothingRegistered) as error:
            context.log.warning(str(error))
    drifted = [f"{one.playbook} {one.model}|{one.prompt_version}" for one in found if one.drifted]
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": len(found),
            "canaries": dg.MetadataValue.md(drift_table(found)),
        },
        check_results=[
            dg.AssetCheckResult(
                check_name=NO_DRIFT,
                passed=not drifted,
                severity=dg.AssetCheckSeverity.WARN,
                description="; ".join(drifted) or None,
                metadata={"drifted": len(drifted), "judges": len(found)},
            )
        ],
    )


def drift_table(found: Sequence[DriftFound]) -> str:
    """Return the canaries of a week as Markdown."""
    head = "| judge | week | cases | shift | higher | lower | flips | p direction | p flips |"
    lines = [head, "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    for one in found:
        judge = f"{one.playbook} {one.model}\\|{one.prompt_version}"
        if one.test is None:
            lines.append(f"| {judge} | {one.week} | {one.cases} | first look | | | | | |")
            continue
        test = one.test
        lines.append(
            f"| {judge} | {one.week} | {test.cases} | {test.shift:+.3f} | {test.up} | {test.down} "
            f"| {test.flips} | {test.p_direction:.4f} | {test.p_flips:.4f} |"
        )
    return "\n".join(lines)


CANARY = dg.define_asset_job(
    CANARY_JOB,
    selection=dg.AssetSelection.assets(DRIFT_KEY),
    description="Judge the fixed sets anew with the pinned judges.",
)
