"""Intervals and comparisons. Pure."""
