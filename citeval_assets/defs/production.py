"""Production traces as assets: what arrived, what was drawn of a night, how it was judged."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime

import dagster as dg
from pydantic import Field

from citeval_assets.defs.names import Citeval
from citeval_assets.defs.progress import DagsterLogProgress
from citeval_assets.evaluation.production import Production
from citeval_assets.evaluation.sampling import Drawn
from citeval_assets.evaluation.summaries import EvaluationSummary
from citeval_assets.warehouse.production import ProductionEstimate

GROUP = "production"
TRACES_KEY = dg.AssetKey([GROUP, "traces"])
SAMPLE_KEY = dg.AssetKey([GROUP, "sample"])
JUDGED_KEY = dg.AssetKey([GROUP, "judged_sample"])
TRACES_JOB = "take_in_traces"
SAMPLE_JOB = "sample_production"


class InboxConfig(dg.Config):
    """Which files of the inbox are taken in."""

    files: dict[str, str] = Field(default_factory=dict)
    """Names, with how the files looked when they were whole; empty: all that are there."""


class NightConfig(dg.Config):
    """Which night a sample is of."""

    night: str = ""
    """The day (UTC, ISO) of the draw; traces up to the day before take part. Empty: today."""

    def day(self) -> date:
        """Return it as a date."""
        return date.fromisoformat(self.night) if self.night else datetime.now(UTC).date()


def traces_config(files: Mapping[str, str]) -> dict[str, object]:
    """Return the run config that takes in these files."""
    return {"ops": {"production__traces": {"config": {"files": dict(files)}}}}


def night_config(night: date) -> dict[str, object]:
    """Return the run config that draws the sample of this night."""
    return {"ops": {"production__sample": {"config": {"night": night.isoformat()}}}}


@dg.asset(
    key=TRACES_KEY,
    group_name=GROUP,
    kinds={"json"},
    check_specs=[
        dg.AssetCheckSpec(
            "no_traces_refused",
            asset=TRACES_KEY,
            description="Every row of the inbox could be read; refused rows are listed beside it.",
        )
    ],
    description=(
        "Production traces from data/traces/inbox, each taken in once by its content. Files are "
        "moved to taken/, rows that are no traces are listed in refused/ with line and reason."
    ),
)
def traces(
    context: dg.AssetExecutionContext, config: InboxConfig, citeval: Citeval
) -> dg.MaterializeResult:
    """Take in what waits in the inbox."""
    steps = Production(citeval.service(context.run.run_id))
    done = steps.take_in(datetime.now(UTC).date(), config.files)
    for reason in done.reasons:
        context.log.warning(reason)
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": done.new,
            "known already": done.known,
            "refused": len(done.refused),
            "files": dg.MetadataValue.text(", ".join(done.files) or "-"),
            "reasons": dg.MetadataValue.text("\n".join(done.reasons) or "-"),
        },
        check_results=[
            dg.AssetCheckResult(
                check_name="no_traces_refused",
                passed=not done.refused,
                severity=dg.AssetCheckSeverity.WARN,
                metadata={"refused": len(done.refused)},
            )
        ],
    )


@dg.asset(
    key=SAMPLE_KEY,
    deps=[TRACES_KEY],
    group_name=GROUP,
    description=(
        "The sample of a night: seeded, so many of each system and day, every trace offered to "
        "one draw only. The probability of each draw is kept, so that estimates can be weighted."
    ),
)
def sample(
    context: dg.AssetExecutionContext, config: NightConfig, citeval: Citeval
) -> dg.MaterializeResult:
    """Draw the sample of a night; drawing it again changes nothing."""
    drawn = Production(citeval.service(context.run.run_id)).draw(config.day())
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": sum(one.drawn for one in drawn),
            "strata": dg.MetadataValue.md(strata_table(drawn)),
        }
    )


@dg.asset(
    key=JUDGED_KEY,
    deps=[SAMPLE_KEY],
    group_name=GROUP,
    kinds={"llm", "duckdb"},
    description=(
        "The drawn traces, judged by the pinned judge and prompt version alone, with what they "
        "say about all of production: means weighted by the probability of each draw."
    ),
)
def judged_sample(context: dg.AssetExecutionContext, citeval: Citeval) -> dg.MaterializeResult:
    """Judge what was drawn and is not judged yet, also of nights before."""
    steps = Production(citeval.service(context.run.run_id, DagsterLogProgress(context.log)))
    done = steps.judge()
    for summary in done:
        for warning in summary.warnings:
            context.log.warning(warning)
    if not all(summary.complete for summary in done):
        context.log.error("not everything was judged: the next night takes up the rest")
    estimates = steps.estimates()
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": sum(summary.cases for summary in done),
            "calls made": sum(summary.calls for summary in done),
            "samples": dg.MetadataValue.md(samples_table(done)),
            "production": dg.MetadataValue.md(estimates_table(estimates)),
        }
    )


def strata_table(drawn: Sequence[Drawn]) -> str:
    """Return how many of each system and day were drawn, as Markdown."""
    lines = ["| playbook | system | day | traces | drawn |", "| --- | --- | --- | --- | --- |"]
    lines += [
        f"| {one.playbook} | {system} | {day} | {offered} | {taken} |"
        for one in drawn
        for system, day, offered, taken in one.strata
    ]
    return "\n".join(lines)


def samples_table(done: Sequence[EvaluationSummary]) -> str:
    """Return what became of the samples, as Markdown."""
    lines = ["| playbook | judge | cases | scored | mean |", "| --- | --- | --- | --- | --- |"]
    for one in done:
        mean = "-" if one.mean_score is None else f"{one.mean_score:.3f}"
        lines.append(
            f"| {one.playbook} | {one.model}\\|{one.prompt_version} | {one.cases} | {one.valid} | "
            f"{mean} |"
        )
    return "\n".join(lines)


def estimates_table(estimates: Sequence[ProductionEstimate]) -> str:
    """Return what the samples say about the whole, as Markdown."""
    head = "| playbook | system | days | traces | judged | weighted mean (95 %) |"
    lines = [head, "| --- | --- | --- | --- | --- | --- |"]
    for one in estimates:
        mean = one.mean
        told = "-" if mean.mean is None else f"{mean.mean:.3f} ({mean.low:.3f} to {mean.high:.3f})"
        lines.append(
            f"| {one.playbook} | {one.system} | {one.first_day} to {one.last_day} | {one.offered} "
            f"| {one.judged} | {told} |"
        )
    return "\n".join(lines)


PRODUCTION_ASSETS = [traces, sample, judged_sample]

PRODUCTION_JOBS = [
    dg.define_asset_job(
        TRACES_JOB,
        selection=dg.AssetSelection.assets(TRACES_KEY),
        description="Take in the files of the trace inbox.",
    ),
    dg.define_asset_job(
        SAMPLE_JOB,
        selection=dg.AssetSelection.assets(SAMPLE_KEY, JUDGED_KEY),
        description="Draw the sample of a night and judge it.",
    ),
]
