"""Dagster as a user runs it, driven by scripts: the interface, the daemon, real runs."""
