"""The weekly digest of the review queue: a file, and a notice."""

from datetime import UTC, datetime

import dagster as dg

from citeval_assets.defs.names import Citeval
from citeval_assets.defs.notifiers import notifiers_of
from citeval_assets.evaluation.notices import Notice, tell
from citeval_assets.evaluation.queue import review_rows
from citeval_assets.evaluation.rebuilding import ensure_warehouse
from citeval_assets.review.digest import digest_markdown, digest_text, make_digest

DIGEST_JOB = "review_digest"


@dg.op(name="sum_up_reviews")
def review_digest(context: dg.OpExecutionContext, citeval: Citeval) -> None:
    """Sum up what is open, write it to reports/, and tell it once a week."""
    project = citeval.project()
    now = datetime.now(UTC)
    with project.open_ledger() as ledger:
        ensure_warehouse(ledger, project.warehouse)
        rows = review_rows(ledger, project.warehouse)
        ageing = project.settings.review.ageing_days
        digest = make_digest(rows, ledger.review_decisions(), now, ageing)
        year, week, _ = now.isocalendar()
        name = f"{year}-W{week:02d}"
        file = project.settings.state_dir / "reports" / f"review-digest-{name}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(digest_markdown(digest), encoding="utf-8")
        title = f"Review digest {name}: {digest.open} open, {len(digest.ageing)} ageing"
        lines = tuple(digest_text(digest).splitlines())
        notice = Notice("digest", "digest", name, title, lines, {"file": str(file)})
        failed = tell(ledger, notifiers_of(project), notice)
    context.add_output_metadata(
        {
            "open": digest.open,
            "ageing": len(digest.ageing),
            "file": dg.MetadataValue.path(str(file)),
        },
    )
    if failed:
        raise RuntimeError("; ".join(failed))


@dg.job(
    name=DIGEST_JOB,
    executor_def=dg.in_process_executor,
    description="Tell what is open for review and what is ageing.",
)
def review_digest_job() -> None:
    """Tell what is open for review."""
    review_digest()
