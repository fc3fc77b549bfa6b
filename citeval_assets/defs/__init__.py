"""What Dagster loads, and only that."""
