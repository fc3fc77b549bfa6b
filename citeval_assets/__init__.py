"""citeval: citation and faithfulness evaluation for RAG systems, built as a Dagster project."""
