"""The digest counts, lists what is ageing, and nothing foreign in it is live."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from citeval_assets.review.digest import digest_markdown, digest_text, make_digest
from citeval_assets.warehouse.tables import ReviewQueueRow
from tests.review.reviewing import decided

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
ITEM = ReviewQueueRow(
    item_id="i1",
    evaluation_id="e1",
    playbook="citation_accuracy",
    model="judge",
    prompt_version="v1",
    test_case_id="kiln",
    system="prod",
    case_hash="c" * 64,
    reasons='["flag"]',
    severity="critical",
    immediate=False,
    provisional=True,
    risk_level="high",
    validation_status="valid",
    score=0.5,
    routing="review",
    question="How hot?",
    details="[]",
    opened_at=NOW - timedelta(days=1),
)


def test_the_digest_counts_open_ageing_and_decided():
    old = replace(ITEM, item_id="i2", severity="minor", opened_at=NOW - timedelta(days=9))
    recent = replace(decided("confirm"), created_at="2026-11-29T00:00:00.000000+00:00")
    earlier = replace(decided("confirm"), created_at="2026-11-01T00:00:00.000000+00:00")
    digest = make_digest([ITEM, old], [earlier, recent], NOW, ageing_days=7)
    assert (digest.open, digest.provisional, digest.decided) == (2, 2, {"confirm": 1})
    assert digest.by_severity == {"critical": 1, "minor": 1}
    assert [item.item_id for item in digest.ageing] == ["i2"]
    assert "9 d" in digest_text(digest)


def test_foreign_text_stays_text_in_markdown():
    hostile = replace(
        ITEM, test_case_id="x | y `\n![p](http://evil.example/p.png)", question="<script>1</script>"
    )
    text = digest_markdown(make_digest([hostile], [], NOW, 7))
    (line,) = {line for line in text.splitlines() if "evil" in line}
    assert line.count("`") == 4
    assert "`\n" not in text.split("evil")[0][-20:]


def test_an_empty_queue_says_so():
    text = digest_text(make_digest([], [], NOW, 7))
    assert "open: 0" in text
    assert "no item was decided by two" in text
