"""Writing results for other programs: tables, golden rows."""
