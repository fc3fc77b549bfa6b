"""The weekly digest of the review queue: a file, and a notice."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import dagster as dg

from citeval_assets.defs.names import Citeval
from citeval_assets.defs.notifiers import notifiers_of
from citeval_assets.evaluation.notices import Notice, tell
from citeval_assets.evaluation.queue import review_rows
from citeval_assets.evaluation.rebuilding import ensure_warehouse
from citeval_assets.warehouse.tables import ReviewQueueRow

DIGEST_JOB = "review_digest"
_LISTED = 10


@dg.op(name="sum_up_reviews")
def review_digest(context: dg.OpExecutionContext, citeval: Citeval) -> None:
    """Sum up what is open, write it to reports/, and tell it once a week."""
    project = citeval.project()
    now = datetime.now(UTC)
    with project.open_ledger() as ledger:
        ensure_warehouse(ledger, project.warehouse)
        rows = review_rows(ledger, project.warehouse)
        lines = digest_lines(rows, now, project.settings.review.ageing_days)
        year, week, _ = now.isocalendar()
        name = f"{year}-W{week:02d}"
        file = project.settings.state_dir / "reports" / f"review-digest-{name}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join((f"# Review digest {name}", "", *lines)) + "\n", "utf-8")
        title = f"Review digest {name}: {len(rows)} open"
        notice = Notice("digest", "digest", name, title, tuple(lines), {"file": str(file)})
        failed = tell(ledger, notifiers_of(project), notice)
    context.add_output_metadata(
        {"open": len(rows), "file": dg.MetadataValue.path(str(file))},
    )
    if failed:
        raise RuntimeError("; ".join(failed))


def digest_lines(rows: list[ReviewQueueRow], now: datetime, ageing_days: int) -> list[str]:
    """Return the digest of the open items, the worst first, in lines."""
    edge = now - timedelta(days=ageing_days)
    ageing = sorted((row for row in rows if row.opened_at < edge), key=lambda row: row.opened_at)
    severities = Counter(row.severity for row in rows)
    playbooks = Counter(row.playbook for row in rows)
    lines = [
        f"open: {len(rows)} ({_counts(severities)})",
        f"by playbook: {_counts(playbooks)}",
        f"for immediate review: {sum(row.immediate for row in rows)}",
        f"open for more than {ageing_days} days: {len(ageing)}",
    ]
    lines += [
        f"- {row.opened_at:%Y-%m-%d} {row.playbook} {row.test_case_id} ({row.system}), "
        f"{row.model}|{row.prompt_version}"
        for row in ageing[:_LISTED]
    ]
    return lines


def _counts(counted: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counted.most_common()) or "none"


@dg.job(
    name=DIGEST_JOB,
    executor_def=dg.in_process_executor,
    description="Tell what is open for review and what is ageing.",
)
def review_digest_job() -> None:
    """Tell what is open for review."""
    review_digest()
