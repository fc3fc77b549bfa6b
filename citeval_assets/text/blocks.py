"""Paragraphs, list items, headings, rows: the pieces no sentence may cross."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citeval_assets.text.abbreviations import STARTERS
from citeval_assets.text.citation_tail import tail_end
from citeval_assets.text.code_blocks import block_code
from citeval_assets.text.lines import Line, lines_of
from citeval_assets.text.spans import Span, SpanSet

MIN_WRAP_WIDTH = 55
"""A line shorter than this was broken on purpose when a capital letter follows."""

MAX_MATH_LINES = 40

_MATH_CLOSING = {"\\[": "\\]", "$$": "$$"}
_ESCAPED_MARK = re.compile(r"\\\[\s*\^?\d[\d,;\s–-]*\\\]")
_CLOSED = re.compile(r"[.!?…。！？｡۔؟।॥:：‼⁇⁈⁉][\"'”’»›)\]}」』）】*_`]{0,6}$")
_OPEN_END = re.compile(r"(?:[,;(\-–—/&+=，、；]|\b(?:and|or|of|the|a|und|oder|et|ou|y|o|и|или))$")
_FIRST_WORD = re.compile(r"\S+")
_STEP = re.compile(
    r"[ \t>*_#]*(?:step|schritt|étape|etape|paso|passo|шаг|stap|krok)\s{0,2}\d{1,3}\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of text; ``body`` is where it begins behind a bullet or number.

    ``splits`` is false for what is one sentence whatever stands in it: code, headings, rows.
    """

    start: int
    body: int
    end: int
    splits: bool = True


def blocks_of(text: str) -> Iterator[Block]:
    """Yield the blocks of ``text`` in order; blank lines and rules belong to none."""
    lines = lines_of(text)
    code = SpanSet([*block_code(lines), *_display_math(lines)])
    gathered: list[Line] = []
    code_end = -1
    for line in lines:
        if line.start < code_end:
            continue
        span = code.covering(line.start)
        if span is not None:
            yield from _paragraph(text, gathered)
            gathered = []
            yield Block(span.start, span.start, span.end, splits=False)
            code_end = span.end
        elif line.blank or line.rule:
            yield from _paragraph(text, gathered)
            gathered = []
        elif line.heading or line.table_row:
            yield from _paragraph(text, gathered)
            gathered = []
            yield Block(line.start, line.start, line.end, splits=False)
        else:
            gathered.append(line)
    yield from _paragraph(text, gathered)


def _display_math(lines: Sequence[Line]) -> Iterator[Span]:
    """Yield displayed formulas, ``\\[`` to ``\\]`` or ``$$`` to ``$$``, each one block."""
    closed_at = -1
    for number, line in enumerate(lines):
        if number <= closed_at:
            continue
        stripped = line.text.strip()
        closing = _MATH_CLOSING.get(stripped[:2])
        if closing is None or _ESCAPED_MARK.match(stripped):
            continue
        body = stripped[2:]
        for last in range(number, min(number + MAX_MATH_LINES, len(lines))):
            if closing in (body if last == number else lines[last].text):
                yield Span(line.start, lines[last].end)
                closed_at = last
                break


def _paragraph(text: str, lines: Sequence[Line]) -> Iterator[Block]:
    """Yield the blocks of lines without a blank line among them: breaks that count, count."""
    if not lines:
        return
    width = max(len(line.text) for line in lines)
    first = last = lines[0]
    for line in lines[1:]:
        if _only_marks(text, line) or not _breaks(last, line, width):
            last = line
            continue
        yield _block(first, last)
        first = last = line
    yield _block(first, last)


def _block(first: Line, last: Line) -> Block:
    return Block(first.start, first.start + first.item_mark, last.end)


def _only_marks(text: str, line: Line) -> bool:
    """Whether nothing but citation marks stands on the line: they close what is before it."""
    start = line.start + len(line.text) - len(line.text.lstrip())
    end = tail_end(text, start, line.end)
    return end > start and not text[end : line.end].strip(" \t.,;:!?。！？")


def _breaks(previous: Line, line: Line, width: int) -> bool:
    """Whether the line break between the two ends a sentence or is mere layout."""
    if _marks_then_stop(line.text):
        return False
    if line.item_mark or line.quoted != previous.quoted or _STEP.match(line.text):
        return True
    before, after = previous.text.rstrip(), line.text.lstrip(" \t>")
    if previous.text.endswith("  ") or before.endswith("\\"):
        return True
    if _ends_closed(before):
        return True
    word = _FIRST_WORD.match(after)
    if word is None or after[0].islower() or _OPEN_END.search(before[-12:]):
        return False
    if word.group().casefold().rstrip(",:") in STARTERS:
        return True
    would_fit = len(before) + 1 + len(word.group()) <= width
    return would_fit or len(before) < MIN_WRAP_WIDTH


def _marks_then_stop(text: str) -> bool:
    """Whether a line opens with marks and the punctuation of the sentence before them."""
    start = len(text) - len(text.lstrip())
    end = tail_end(text, start, len(text))
    return end > start and text[end : end + 1] in tuple(".,;!?。，；！？")


def _ends_closed(before: str) -> bool:
    """Whether a line ends like a sentence, citation marks behind the full stop included."""
    if _CLOSED.search(before[-60:]):
        return True
    start = max(0, len(before) - 200)
    for position in range(len(before) - 1, start - 1, -1):
        if before[position] in ".!?…。！？":
            return tail_end(before, position + 1, len(before)) == len(before)
    return False
