"""Citation markers: found by a parser, resolved against the sources, never by a model.

The public door of the citation parser: ``scan_citations`` finds every mark,
``without_citations`` takes them out, ``attach_citations`` ties them to sentences.
"""

from bisect import bisect_right
from collections.abc import Sequence

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
    marks = [mark for mark in finder.find() if not protected.touches(mark.start, mark.end)]
    if pattern is not None:
        own = [
            mark
            for mark in find_custom(text, pattern, reader)
            if not protected.touches(mark.start, mark.end)
        ]
        taken = SpanSet([Span(mark.start, mark.end) for mark in own])
        marks = [mark for mark in marks if not taken.touches(mark.start, mark.end)] + own
        marks.sort(key=lambda mark: mark.start)
    seen = [one for one in finder.passed_over if one.start not in protected]
    warnings = warnings_of(text, seen, sources, protected, [(m.start, m.end) for m in marks])
    return _scan(text, marks, sources.numbering, warnings)


def active_styles(styles: Sequence[str]) -> frozenset[str]:
    """Return the styles in force: the built-in ones, plus and minus what ``styles`` says.

    Raises:
        UnknownStyle: for a name that does not exist.
    """
    active = set(BUILT_IN_STYLES)
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


def _scan(
    text: str, marks: Sequence[FoundMark], numbering: Numbering, warnings: Sequence[str]
) -> CitationScan:
    markers: list[Marker] = []
    malformed: list[Marker] = []
    citations: list[Citation] = []
    for mark in marks:
        marker = Marker(
            text[mark.start : mark.end],
            mark.start,
            mark.end,
            mark.style,
            mark.read.ids,
            mark.read.label,
        )
        if marker.ids:
            markers.append(marker)
        if mark.read.malformed:
            malformed.append(marker)
        for part in mark.read.parts_once:
            citations.append(
                Citation(len(citations), part.state, part.raw_id, part.source_id, marker)
            )
    return CitationScan(
        tuple(markers), tuple(citations), tuple(malformed), numbering, tuple(warnings)
    )


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
    attached: list[list[Citation]] = [[] for _ in sentences]
    if not sentences:
        return ()
    starts = [sentence.start for sentence in sentences]
    for citation in scan.citations:
        index = bisect_right(starts, citation.marker.start) - 1
        attached[max(index, 0)].append(citation)
    for index, sentence in enumerate(sentences):
        held = attached[index]
        if held and _nothing_but_marks(sentence, held):
            heir = index - 1 if index else min(1, len(sentences) - 1)
            if heir != index:
                attached[heir] = sorted([*attached[heir], *held], key=lambda one: one.number)
                attached[index] = []
    return tuple(tuple(held) for held in attached)


def _nothing_but_marks(sentence: Sentence, held: Sequence[Citation]) -> bool:
    rest = sentence.text
    if rest[0].isalpha():
        return False
    for marker in {citation.marker.start: citation.marker for citation in held}.values():
        rest = rest.replace(marker.text, "", 1)
    return not any(char.isalnum() for char in rest)
