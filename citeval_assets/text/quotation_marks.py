"""Finding what stands in quotation marks. An apostrophe opens none."""

import re
from collections.abc import Iterator, Sequence

from citeval_assets.text.characters import base_before
from citeval_assets.text.code_blocks import code_spans
from citeval_assets.text.lines import Line, lines_of
from citeval_assets.text.spans import Span, SpanSet

MAX_EMBEDDED = 600
"""Longest quotation, in characters, that keeps its sentence together."""

_MARKS = re.compile("[\"“”„‟«»‹›「」『』《》＂'‘’‚‛]")
_PAIRS = {
    "“": "”“",
    "„": "“”„",
    "‟": "”",
    "«": "»",
    "‹": "›",
    "「": "」",
    "『": "』",
    "《": "》",
}
_REVERSED = {"»": "«", "›": "‹", "”": "”"}
_ELIDED_WORDS = re.compile(
    r"(?:\d|(?:n|em|im|er|til|till|tis|twas|twere|cause|bout|round|cos|neath|gainst)\b)",
    re.IGNORECASE,
)
_OPENING_BEFORE = ' \t\n\r\u00a0\u2009\u202f([{-–—/:;,=>*_|“„«‘"‚'


def quoted_spans(text: str) -> tuple[Span, ...]:
    """Return the insides of all quotation marks, outermost only, in text order.

    Straight, curly, German, French and East Asian marks are known, single ones too; code holds
    no quotations. A mark that is never closed within its paragraph opens none, nor does an
    apostrophe or an inch mark.
    """
    if not _MARKS.search(text):
        return ()
    lines = lines_of(text)
    code = SpanSet(code_spans(text, lines))
    spans: list[Span] = []
    for paragraph in _paragraphs(lines):
        spans.extend(_paragraph_quotes(text, paragraph, code))
    return tuple(spans)


def embedded_quotes(text: str) -> tuple[Span, ...]:
    """Return the quotations short enough to be part of one sentence, marks excluded."""
    return tuple(
        span
        for span in quoted_spans(text)
        if span.end - span.start <= MAX_EMBEDDED and text[span.start - 1] not in "'‘"
    )


def _paragraphs(lines: Sequence[Line]) -> Iterator[Span]:
    start: int | None = None
    end = 0
    for line in lines:
        if line.blank:
            if start is not None:
                yield Span(start, end)
            start = None
            continue
        start = line.start if start is None else start
        end = line.end
    if start is not None:
        yield Span(start, end)


def _paragraph_quotes(text: str, paragraph: Span, code: SpanSet) -> Iterator[Span]:
    marks = [
        match.start()
        for match in _MARKS.finditer(text, paragraph.start, paragraph.end)
        if match.start() not in code
    ]
    index = 0
    closings = _Closings(text, marks, paragraph)
    while index < len(marks):
        closing = closings.of(index)
        if closing is None:
            index += 1
            continue
        yield Span(marks[index] + 1, marks[closing])
        index = closing + 1


class _Closings:
    """Finds the closing mark of an opening one; each kind is searched forward only once."""

    def __init__(self, text: str, marks: Sequence[int], paragraph: Span) -> None:
        self.text = text
        self.marks = marks
        self.paragraph = paragraph
        self._next: dict[str, tuple[int, int | None]] = {}

    def of(self, index: int) -> int | None:
        """Return the index of the mark that closes ``marks[index]``, or ``None``."""
        position = self.marks[index]
        mark = self.text[position]
        if mark in _PAIRS:
            return self._first(index, _PAIRS[mark], "any")
        if mark in _REVERSED:
            return self._first(index, _REVERSED[mark], "any") if self._opens(position) else None
        if mark in '"＂':
            return self._first(index, mark, "double") if self._opens(position) else None
        if mark in "'‘‚‛" and self._opens_single(position):
            closing = {"'": "'", "‘": "’", "‚": "‘’", "‛": "’"}[mark]
            return self._first(index, closing, "single")
        return None

    def _first(self, index: int, closing: str, rule: str) -> int | None:
        """Return the first mark after ``index`` that may close, remembering failed searches."""
        known = self._next.get(closing + rule)
        if known is not None and known[0] <= index and (known[1] is None or known[1] > index):
            return known[1]
        found: int | None = None
        for later in range(index + 1, len(self.marks)):
            position = self.marks[later]
            if self.text[position] in closing and self._closes(position, rule):
                found = later
                break
        self._next[closing + rule] = (index, found)
        return found

    def _before(self, position: int) -> str:
        return base_before(self.text, position) if position > self.paragraph.start else " "

    def _after(self, position: int) -> str:
        return self.text[position + 1] if position + 1 < self.paragraph.end else " "

    def _opens(self, position: int) -> bool:
        before, after = self._before(position), self._after(position)
        return not after.isspace() and (before in _OPENING_BEFORE or not before.isalnum())

    def _opens_single(self, position: int) -> bool:
        before, after = self._before(position), self._after(position)
        if before not in _OPENING_BEFORE or after.isspace():
            return False
        return self.text[position] != "'" or not _ELIDED_WORDS.match(self.text, position + 1)

    def _closes(self, position: int, rule: str) -> bool:
        before, after = self._before(position), self._after(position)
        if rule == "any":
            return True
        if rule == "double":
            return not before.isspace() or not after.isalnum()
        if before.isspace() or after.isalnum():
            return False
        # "the drivers' rights": a plural possessive inside single quotation marks goes on.
        follows = self.text[position + 1 : position + 3]
        possessive = (
            before == "s" and len(follows) == 2 and follows[0] == " " and follows[1].islower()
        )
        return not possessive or not self._closes_later(position)

    def _closes_later(self, position: int) -> bool:
        mark = self.text[position]
        window = self.text[position + 1 : min(self.paragraph.end, position + 200)]
        other = re.search(rf"(?<=[^\s]){re.escape(mark)}(?![\w])", window)
        opening = re.search(r"(?<![\w])['‘]\w", window)
        return other is not None and (opening is None or other.start() < opening.start())
