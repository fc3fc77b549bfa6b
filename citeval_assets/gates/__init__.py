"""Comparisons of two sides on the same cases, and the verdicts that let a release pass or not."""
