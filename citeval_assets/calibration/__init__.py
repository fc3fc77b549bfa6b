"""Judges against people: how far a judge errs, and what its scores are worth in the light of it."""
