"""Whether a number may be calculated from others: then its absence from a text says nothing."""

from collections.abc import Iterable, Iterator, Sequence

from citeval_assets.embedded.lexical.numerals import same_number

MAX_VALUES = 40
"""Numbers of a text that are combined: among too many, some pair makes every number."""

_FACTORS = (2.0, 3.0, 4.0, 7.0, 10.0, 12.0, 24.0, 52.0, 60.0, 100.0, 365.0, 1000.0)
"""Halves, quarters, dozens, percentages and units of time."""


def may_be_calculated(value: float, given: Iterable[float]) -> bool:
    """Whether one step of arithmetic with one or two of the given numbers makes a number."""
    known = list(dict.fromkeys(given))[:MAX_VALUES]
    return any(_close(value, result) for result in _results(known))


def _results(known: Sequence[float]) -> Iterator[float]:
    for at, one in enumerate(known):
        for factor in _FACTORS:
            yield one * factor
            yield one / factor
        yield 100 - one
        for other in known[at + 1 :]:
            yield one + other
            yield abs(one - other)
            yield one * other
            yield one * other / 100
            yield one * (1 + other / 100)
            yield one * (1 - other / 100)
            yield other * (1 + one / 100)
            yield other * (1 - one / 100)
            if one and other:
                yield one / other
                yield other / one
                yield 100 * one / other
                yield 100 * other / one
                yield 100 * abs(one - other) / other
                yield 100 * abs(one - other) / one


def _close(value: float, result: float) -> bool:
    return same_number(value, result) or abs(value - result) <= 0.006 * abs(value)
