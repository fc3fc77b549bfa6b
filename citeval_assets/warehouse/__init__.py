"""DuckDB: reports, findings, trends; rebuilt from the ledger at will."""
