"""The passage of a source that is most like a quote that does not stand in it."""

from collections import Counter
from collections.abc import Iterable, Sequence

from rapidfuzz.distance import Levenshtein

from citeval_assets.text.characters import WORD
from citeval_assets.text.spans import Span

MAX_COMPARED_CHARS = 2_000
"""So much of a quote and of a passage is compared letter by letter."""

MOST_ALIKE = 0.99
"""A passage that differs only in what this comparison does not see is still not the quote."""

MAX_QUOTE_WORDS = 400
_CANDIDATES = 3


def nearest_passage(quote: str, source: str) -> tuple[Span | None, float | None]:
    """Return the passage of ``source`` most like ``quote`` and their similarity (0..1).

    A window of as many words as the quote slides over the source, counting shared words (one
    step per word); the best few are compared letter by letter (normalised Levenshtein
    similarity of the lower-cased words). Without a shared word there is no nearest passage.
    """
    wanted = [match.group().lower() for match in WORD.finditer(quote)][:MAX_QUOTE_WORDS]
    places = [match.span() for match in WORD.finditer(source)]
    if not wanted or not places:
        return None, None
    words = [source[start:end].lower() for start, end in places]
    best: tuple[float, int, int] | None = None
    for first in _best_windows(wanted, words):
        last = min(first + len(wanted), len(words))
        first, last = _trim(wanted, words, first, last)
        similarity = _similarity(wanted, words[first:last])
        if best is None or similarity > best[0]:
            best = (similarity, first, last)
    if best is None:
        return None, None
    similarity, first, last = best
    return Span(places[first][0], places[last - 1][1]), round(similarity, 4)


def _best_windows(wanted: Sequence[str], words: Sequence[str]) -> Iterable[int]:
    """Return the first words of the windows that share most words with the quote."""
    left = Counter(wanted)
    width = len(wanted)
    shared = 0
    scores: list[int] = []
    for index, word in enumerate(words):
        if word in left:
            shared += left[word] > 0
            left[word] -= 1
        out = index - width
        if out >= 0 and words[out] in left:
            left[words[out]] += 1
            shared -= left[words[out]] > 0
        if index >= width - 1 or index == len(words) - 1:
            scores.append(shared)
    top = max(scores)
    if top <= 0:
        return ()
    chosen: list[int] = []
    for score in range(top, 0, -1):
        for start, held in enumerate(scores):
            if held == score and all(abs(start - other) >= width // 2 for other in chosen):
                chosen.append(start)
                if len(chosen) == _CANDIDATES:
                    return chosen
        if chosen:
            return chosen
    return chosen


def _trim(wanted: Sequence[str], words: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """Drop words at both ends of a window that the quote does not hold."""
    held = set(wanted)
    while last - first > 1 and words[first] not in held:
        first += 1
    while last - first > 1 and words[last - 1] not in held:
        last -= 1
    return first, last


def _similarity(wanted: Sequence[str], found: Sequence[str]) -> float:
    quote = " ".join(wanted)[:MAX_COMPARED_CHARS]
    passage = " ".join(found)[:MAX_COMPARED_CHARS]
    return min(Levenshtein.normalized_similarity(quote, passage), MOST_ALIKE)
