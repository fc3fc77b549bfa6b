"""The citeval command, one module per verb."""

import sys


def main() -> None:
    """Run ``citeval`` and end the process with its exit code."""
    from citeval_assets.cli.program import run

    sys.exit(run(sys.argv[1:]))
