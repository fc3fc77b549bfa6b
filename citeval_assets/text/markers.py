"""Citation markers: found by a parser, resolved against the sources, never by a model.

The public door of the citation parser: ``scan_citations`` finds every mark,
``without_citations`` takes them out, ``attach_citations`` ties them to sentences.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from citeval_assets.text.citation_grammar import MarkReader
from citeval_assets.text.citation_ids import SourceIds
from citeval_assets.text.citation_model import (
    Citation,
    CitationScan,
    CitationState,
    Marker,
    Numbering,
    PatternTooSlow,
    UnknownStyle,
)
from citeval_assets.text.citation_styles import (
    BUILT_IN_STYLES,
    OPTIONAL_STYLES,
    FoundMark,
    StyleFinder,
)
from citeval_assets.text.citation_warnings import warnings_of
from citeval_assets.text.custom_pattern import find_custom
from citeval_assets.text.references import reference_spans
from citeval_assets.text.sentences import Sentence
from citeval_assets.text.spans import Span, SpanSet

__all__ = [
    "BUILT_IN_STYLES",
    "OPTIONAL_STYLES",
    "Citation",
    "CitationScan",
    "CitationState",
    "Marker",
    "Numbering",
    "PatternTooSlow",
    "UnknownStyle",
    "attach_citations",
    "scan_citations",
    "without_citations",
]


def scan_citations(
    text: str,
    source_ids: Sequence[str],
    *,
    styles: Sequence[str] = (),
    pattern: str | None = None,
) -> CitationScan:
    """Find and resolve every citation of ``text``.

    Args:
        text: The answer or trace; offsets of the result point into it unchanged.
        source_ids: The ids that may be cited, in the order of the sources.
        styles: Optional styles to switch on (``hash_dollar``); a built-in one with a leading
            minus sign is switched off, its marks are then only warned about.
        pattern: An operator's regular expression for further markers. Its group ``id`` (else
            its first group, else the whole match) holds the ids.

    Raises:
        PatternTooSlow: ``pattern`` ran into its time limit.
        UnknownStyle: a name in ``styles`` does not exist.
        ValueError: ``pattern`` is no regular expression.
    """
    sources = SourceIds(source_ids)
    reader = MarkReader(sources)
    protected = SpanSet(reference_spans(text))
    finder = StyleFinder(text, reader, active_styles(styles))
    found: Iterable[FoundMark] = finder.find()
    if pattern is not None:
        found = _with_custom(found, find_custom(text, pattern, reader))
    markers, citations = _count(text, _outside(found, protected))
    seen = [one for one in finder.passed_over if one.start not in protected]
    warnings = warnings_of(text, seen, sources, protected, markers, citations)
    return CitationScan(
        tuple(marker for marker in markers if marker.ids),
        tuple(citations),
        _malformed_markers(citations),
        sources.numbering,
        tuple(warnings),
    )


def _with_custom(built_in: Iterable[FoundMark], custom: Iterable[FoundMark]) -> list[FoundMark]:
    """Merge the marks of an operator's pattern in; they win over built-in ones they touch."""
    own = list(custom)
    taken = SpanSet([Span(mark.start, mark.end) for mark in own])
    rest = [mark for mark in built_in if not taken.touches(mark.start, mark.end)]
    return sorted([*own, *rest], key=lambda mark: mark.start)


def _outside(marks: Iterable[FoundMark], protected: SpanSet) -> Iterator[FoundMark]:
    if not protected.spans:
        yield from marks
        return
    for mark in marks:
        if not protected.touches(mark.start, mark.end):
            yield mark


def _count(text: str, marks: Iterable[FoundMark]) -> tuple[list[Marker], list[Citation]]:
    """Make each mark a marker and each id of it a citation, numbered from 0."""
    markers: list[Marker] = []
    citations: list[Citation] = []
    for mark in marks:
        start, end, read = mark.start, mark.end, mark.read
        marker = Marker(text[start:end], start, end, mark.style, read.ids, read.label)
        markers.append(marker)
        citations.extend(
            Citation(number, part.state, part.raw_id, part.source_id, marker)
            for number, part in enumerate(read.parts_once, start=len(citations))
        )
    return markers, citations


def _malformed_markers(citations: Sequence[Citation]) -> tuple[Marker, ...]:
    broken = {c.marker.start: c.marker for c in citations if c.state is CitationState.MALFORMED}
    return tuple(broken.values())


def active_styles(styles: Sequence[str]) -> frozenset[str]:
    """Return the styles in force: the built-in ones, plus and minus what ``styles`` says.

    Raises:
        UnknownStyle: for a name that does not exist.
    """
    active: set[str] = set(BUILT_IN_STYLES)
    for style in styles:
        name = style.removeprefix("-")
        if name not in (*BUILT_IN_STYLES, *OPTIONAL_STYLES):
            known = ", ".join((*BUILT_IN_STYLES, *OPTIONAL_STYLES))
            raise UnknownStyle(f"no citation style {name!r}; known styles: {known}")
        if style.startswith("-"):
            active.discard(name)
        else:
            active.add(name)
    return frozenset(active)


def without_citations(text: str, scan: CitationScan) -> str:
    """Return ``text`` without its citation marks; all else, code included, is unchanged.

    The title of an in-page link is part of the sentence and stays. Blanks before a mark go
    with it where punctuation, another blank or the end follows.
    """
    pieces: list[str] = []
    position = 0
    for marker in scan.marks:
        piece = text[position : marker.start]
        position = marker.end
        if marker.style == "anchor" and marker.label is not None:
            pieces.extend((piece, marker.label))
            continue
        following = text[position : position + 1]
        if not following or following.isspace() or following in ".,;:!?)]。，；：！？）】":
            piece = piece.rstrip(" \t\u00a0")
        if not piece and pieces and (not following or following.isspace()):
            pieces[-1] = pieces[-1].rstrip(" \t\u00a0")
        pieces.append(piece)
    pieces.append(text[position:])
    return "".join(pieces)


def attach_citations(
    sentences: Sequence[Sentence], scan: CitationScan
) -> tuple[tuple[Citation, ...], ...]:
    """Tie each citation to the sentence it belongs to; the result runs parallel to ``sentences``.

    A marker belongs to the sentence that holds it. One between two sentences, or one that opens
    a sentence in the middle of a line, belongs to the sentence before it; one before all
    sentences to the first. A sentence of nothing but markers hands them to the one before it.
    """
    if not sentences:
        return ()
    starts = [sentence.start for sentence in sentences]
    counts = [0] * len(sentences)
    for citation in scan.citations:
        counts[max(bisect_right(starts, citation.marker.start) - 1, 0)] += 1
    _hand_over(sentences, scan.citations, counts)
    attached: list[tuple[Citation, ...]] = []
    position = 0
    for count in counts:
        attached.append(scan.citations[position : position + count])
        position += count
    return tuple(attached)


def _hand_over(
    sentences: Sequence[Sentence], citations: Sequence[Citation], counts: list[int]
) -> None:
    """Move the citations of sentences that are nothing but marks to the sentence before.

    ``counts`` says how many citations each sentence has; all stand in text order, so moving a
    count to a neighbour moves the citations. Marks before all sentences go to the first.
    """
    position = 0
    heir: int | None = None
    for index, sentence in enumerate(sentences):
        count = counts[index]
        held = citations[position : position + count]
        position += count
        if not (held and _nothing_but_marks(sentence, held)):
            if heir is None and index:
                counts[index] += counts[0]
                counts[0] = 0
            heir = index
        elif heir is not None:
            counts[heir] += count
            counts[index] = 0
        elif index:
            counts[0] += count
            counts[index] = 0


def _nothing_but_marks(sentence: Sentence, held: Sequence[Citation]) -> bool:
    rest = sentence.text
    if rest[0].isalpha():
        return False
    for marker in {citation.marker.start: citation.marker for citation in held}.values():
        rest = rest.replace(marker.text, "", 1)
    return not any(char.isalnum() for char in rest)
