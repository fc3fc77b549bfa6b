"""McNemar's exact test: did passing cases start to fail more often than the reverse?"""


def exact_mcnemar(worse: int, better: int) -> float:
    """Return the two-sided exact p-value that changes go either way alike.

    Under no difference each changed case is a fair coin (McNemar, Psychometrika 12 (1947)
    153-157); twice the smaller binomial tail, computed in whole numbers.

    Args:
        worse: cases that passed before and fail now.
        better: cases that failed before and pass now.

    Raises:
        ValueError: a count is negative.
    """
    if worse < 0 or better < 0:
        raise ValueError(f"counts must not be negative, found {worse} and {better}")
    changed = worse + better
    ways, term = 0, 1
    for k in range(min(worse, better) + 1):
        ways += term
        term = term * (changed - k) // (k + 1)
    return min(1.0, 2 * ways / (1 << changed)) if changed else 1.0
