DELETE FROM gate_results
WHERE $gates IS NULL OR list_contains($gates, gate);
