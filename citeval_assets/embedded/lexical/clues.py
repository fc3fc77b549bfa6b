"""The clues: what speaks for and against a claim being supported by its evidence.

Names and meaning follow the logistic regression they are weighed by (``data/weights.json``). All
are plain numbers; those of a share lie in 0..1.
"""

from typing import NamedTuple


class Clues(NamedTuple):
    """The clues of one claim."""

    rec: float
    """Share of the claim's content words that stand in the evidence."""
    wrec: float
    """The same by weight of the words."""
    wrec_fuzzy: float
    """The same, with what inflected and misspelt words have in common with the evidence."""
    best1: float
    """Share by weight in the best single sentence."""
    best3: float
    """Share by weight in the best up to three sentences."""
    win3: float
    """Share by weight in the best sentence and its two neighbours."""
    prec_best: float
    """Share of the best sentence's words that the claim uses."""
    bigram: float
    """Share of the claim's pairs of neighbouring content words that are neighbours there too."""
    trigram: float
    """Share of the claim's runs of three words that stand in the evidence."""
    copyrun: float
    """Length of the longest run copied, against the length of the claim."""
    lcs: float
    """Longest common subsequence with the best sentence, against the length of the claim."""
    partial: float
    """Best alignment of the claim's letters within the best sentence."""
    order: float
    """Share of the common words that stand in the same order in the best sentence."""
    nmiss: float
    """Content words that are missing, at most 12."""
    miss_any: float
    """1 where any is missing."""
    maxidf_miss: float
    """Weight of the most telling missing word."""
    num_miss: float
    """Share of the claim's numbers that are nowhere in the evidence."""
    num_miss_any: float
    """1 where any number is missing."""
    num_miss_near: float
    """Share of the numbers missing around the best sentence."""
    num_swap: float
    """1 where a number is missing and the best sentence's surroundings have others."""
    ent_miss: float
    """Share of the claim's names that are missing."""
    ent_miss_n: float
    """Names that are missing, at most 5."""
    ent_miss_near: float
    """Share of the names missing around the best sentence."""
    neg_xor: float
    """``best1`` where only one of claim and best sentence is negated."""
    ant: float
    """``best1`` where the best sentence holds the opposite of a word of the claim."""
    dir_clash: float
    """``best1`` where one rises and the other falls."""
    hedge_b_only: float
    """1 where only the best sentence hedges."""
    univ_c_only: float
    """1 where the claim says "all", "first", "never" and the best sentence does not."""
    mass: float
    """Logarithm of the weight of all content words the evidence holds: ten words found say more
    than one."""
    asked: float
    """For a bare answer of a few words: how far the sentence it stands in also holds the words of
    the question, centred at 0.6. 0 for a whole sentence."""
