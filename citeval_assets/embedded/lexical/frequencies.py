"""How telling a word is: its inverse document frequency in English passages.

The table (``data/word_weights.txt.gz``, see ``data/PROVENANCE.md``) has one line for each
weight: the weight, a tab, the stems that have it. A weight is a natural logarithm: 3 for a word
of every twentieth passage, 10 for one seen a few times in all.
"""

import gzip
from collections.abc import Mapping
from functools import cache
from importlib import resources

UNKNOWN_WEIGHT = 9.0
"""Weight of a word the table does not hold: rare, but it may be a misspelling."""


@cache
def word_weights() -> Mapping[str, float]:
    """Return the weight of each stem of the table; read once, when it is first needed."""
    table = (
        resources.files("citeval_assets.embedded.lexical")
        .joinpath("data/word_weights.txt.gz")
        .read_bytes()
    )
    weights: dict[str, float] = {}
    for line in gzip.decompress(table).decode("utf-8").splitlines():
        weight, _, stems = line.partition("\t")
        weights.update(dict.fromkeys(stems.split(" "), float(weight)))
    return weights


def weight_of(stem: str) -> float:
    """Return how telling a stem is."""
    return word_weights().get(stem, UNKNOWN_WEIGHT)
