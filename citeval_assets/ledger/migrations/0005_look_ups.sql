-- What happened to a case, and what was decided about a report, are looked up by people who wait.
CREATE INDEX evaluation_items_case ON evaluation_items (test_case_id);
CREATE INDEX review_decisions_case ON review_decisions (case_hash);
