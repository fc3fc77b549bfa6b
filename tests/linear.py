"""Proof that something takes time in proportion to the size of its input, on any machine."""

import time
from collections.abc import Callable

NOISE_S = 0.3
"""What a busy machine may add to a short measurement."""


def cpu_seconds(run: Callable[[], object]) -> float:
    """Return the processor time a call takes."""
    started = time.process_time()
    run()
    return time.process_time() - started


def assert_linear(run: Callable[[int], object], size: int) -> None:
    """Run over ``size`` and over a quarter of it.

    Four times the work may take nine times as long; quadratic work would take sixteen times.
    """
    small = min(cpu_seconds(lambda: run(size // 4)) for _ in range(3))
    large = min(cpu_seconds(lambda: run(size)) for _ in range(2))
    assert large < 9 * small + NOISE_S, f"{small:.3f} s for a quarter, {large:.3f} s for all"
