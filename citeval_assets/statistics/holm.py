"""Holm's correction: several metrics asked at once give more chances to be wrong."""

from collections.abc import Sequence


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return the adjusted p-values, in the order given; ``None`` (no test) stays ``None``.

    The k-th smallest of m values is multiplied by m - k + 1, and none is smaller than the one
    before it (Holm, "A simple sequentially rejective multiple test procedure", Scandinavian
    Journal of Statistics 6 (1979) 65-70).

    Raises:
        ValueError: a value is not between 0 and 1.
    """
    tested = [(p, place) for place, p in enumerate(p_values) if p is not None]
    if any(not 0 <= p <= 1 for p, _ in tested):
        raise ValueError(f"p-values must lie between 0 and 1, found {list(p_values)}")
    adjusted: list[float | None] = [None] * len(p_values)
    floor = 0.0
    for rank, (p, place) in enumerate(sorted(tested)):
        floor = max(floor, min(1.0, p * (len(tested) - rank)))
        adjusted[place] = floor
    return adjusted
