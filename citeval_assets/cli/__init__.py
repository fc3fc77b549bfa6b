"""The citeval command, one module per verb."""

import gc
import sys

_GC_THRESHOLDS = (50_000, 50, 50)
"""A command lives for seconds and keeps most of what it makes: looking for cycles at every 700th
object took a fifth of a gate over 10,000 pairs."""


def main() -> None:
    """Run ``citeval`` and end the process with its exit code."""
    from citeval_assets.cli.program import run

    gc.set_threshold(*_GC_THRESHOLDS)
    sys.exit(run(sys.argv[1:]))
