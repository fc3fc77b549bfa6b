"""A review queue over the large project, and some thousand decisions about it."""

import random

from citeval_assets.evaluation.project import Project
from citeval_assets.ledger.records import ReviewDecision
from citeval_assets.review.decisions import Given, ReportInView, make_decision
from citeval_assets.review.labels import label_of

DECISIONS = 2_000
_QUEUE = """
INSERT INTO review_queue
SELECT
    left(sha256(concat_ws('|', playbook, case_hash, model, prompt_version)), 24),
    evaluation_id, playbook, model, prompt_version, test_case_id, system, case_hash,
    CASE WHEN effective_score IS NULL THEN '["unscored"]' WHEN effective_score < 0.5
        THEN '["low_score","flag"]' ELSE '["flag"]' END,
    CASE WHEN effective_score < 0.3 THEN 'critical' WHEN effective_score < 0.7 THEN 'major'
        ELSE 'minor' END,
    coalesce(effective_score < 0.1, FALSE), FALSE, risk_level, validation_status, score, routing,
    'Question of ' || test_case_id || '?',
    '[{"name":"flag","severity":"major","detail":"for the benchmark"}]',
    now() - to_days(CAST(hash(test_case_id) % 30 AS INTEGER))
FROM current_reports
WHERE effective_score IS NULL OR effective_score < 0.9
"""


def fill_queue(project: Project) -> int:
    """Queue what did not come out clean; return how many items there are."""
    with project.warehouse.writing() as connection:
        connection.execute("DELETE FROM review_queue")
        connection.execute(_QUEUE)
        found = connection.execute("SELECT count(*) FROM review_queue").fetchone()
        rows = connection.execute(
            "SELECT playbook, test_case_id, system, case_hash, model, prompt_version, "
            "evaluation_id, score FROM review_queue WHERE score IS NOT NULL "
            f"USING SAMPLE {DECISIONS} ROWS (reservoir, 7)"
        ).fetchall()
    rng = random.Random(7)
    with project.open_ledger() as ledger:
        if not ledger.rows_in("review_decisions"):
            for row in rows:
                report = ReportInView(*row)
                kind = rng.choice(("confirm", "override", "dismiss"))
                decision: ReviewDecision = make_decision(
                    report, Given(kind, rng.choice(("ada", "bob")), score="0.5"), []
                )
                label = label_of(decision)
                ledger.decide(decision, seen="", labels=[label] if label else [])
    return found[0] if found else 0
