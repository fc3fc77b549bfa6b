"""Where a text holds code: fenced, indented and inline, also when it is never closed."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence

from citeval_assets.text.lines import Line, lines_of
from citeval_assets.text.spans import Span, merged

_TICKS = re.compile(r"`+")
_TAGGED = re.compile(
    r"<(?P<tag>code|pre)\b[^<>\n]{0,200}+>[\s\S]{0,5000}?</(?P=tag)>|\\\([^\n]{0,500}?\\\)",
    re.IGNORECASE,
)
"""HTML code, and formulas in TeX: a subscript in them is no citation."""


def code_spans(text: str, lines: Sequence[Line] | None = None) -> tuple[Span, ...]:
    """Return every stretch of code, marks included, sorted and disjoint."""
    if not any(mark in text for mark in ("`", "~~~", "    ", "\t", "<code", "<pre", "\\(")):
        return ()
    lines = lines_of(text) if lines is None else lines
    blocks = block_code(lines)
    tagged = [Span(*match.span()) for match in _TAGGED.finditer(text)]
    return merged([*blocks, *_inline_code(text, lines, blocks), *tagged])


def block_code(lines: Sequence[Line]) -> tuple[Span, ...]:
    """Return fenced and indented code blocks.

    A fence that is never closed runs to the end. Indented code stands four columns deeper than
    the least indented line, after a blank line, outside lists (where such lines continue an
    item).
    """
    base = min((line.indent for line in lines if not line.blank), default=0)
    spans: list[Span] = []
    fence: str | None = None
    opened = 0
    in_list = False
    after_blank = True
    in_code = False
    for line in lines:
        mark = line.fence()
        if fence is not None:
            if mark and mark[1] and mark[0][0] == fence[0] and len(mark[0]) >= len(fence):
                spans.append(Span(opened, line.end))
                fence = None
                after_blank = True
            continue
        if mark:
            fence, opened, in_code = mark[0], line.start, False
            continue
        if line.blank:
            after_blank = True
            continue
        deep = line.indent >= base + 4
        in_code = deep and not in_list and (after_blank or in_code)
        if in_code:
            spans.append(Span(line.start, line.end))
        elif line.item_mark:
            in_list = True
        elif line.indent < base + 2 and after_blank:
            in_list = False
        after_blank = False
    if fence is not None and lines:
        spans.append(Span(opened, lines[-1].end))
    return merged(spans)


def _inline_code(text: str, lines: Sequence[Line], blocks: Sequence[Span]) -> list[Span]:
    """Return inline code, paragraph by paragraph (a span never crosses a blank line)."""
    if "`" not in text:
        return []
    spans: list[Span] = []
    starts = [block.start for block in blocks]

    def in_block(line: Line) -> bool:
        index = bisect_right(starts, line.start) - 1
        return index >= 0 and line.start < blocks[index].end

    paragraph: list[Line] = []
    for line in lines:
        if line.blank or in_block(line):
            spans.extend(_paragraph_code(text, paragraph))
            paragraph = []
        else:
            paragraph.append(line)
    spans.extend(_paragraph_code(text, paragraph))
    return spans


def _paragraph_code(text: str, paragraph: Sequence[Line]) -> list[Span]:
    if not paragraph:
        return []
    runs = [
        (match.start(), match.end() - match.start())
        for match in _TICKS.finditer(text, paragraph[0].start, paragraph[-1].end)
    ]
    by_length: defaultdict[int, list[int]] = defaultdict(list)
    for start, length in runs:
        by_length[length].append(start)
    spans: list[Span] = []
    done = -1
    for start, length in runs:
        if start < done:
            continue
        same = by_length[length]
        following = bisect_right(same, start)
        if following < len(same) and _closes_code(text, start, same[following] + length):
            done = same[following] + length
            spans.append(Span(start, done))
        elif _opens_unclosed_code(text, start, length):
            done = _line_end(text, start, paragraph)
            spans.append(Span(start, done))
    return spans


def _closes_code(text: str, start: int, end: int) -> bool:
    """Whether two back-ticks belong together: not where both are mistyped apostrophes."""
    glued_before = start > 0 and text[start - 1].isalnum()
    return not (glued_before and end < len(text) and text[end].isalnum())


def _opens_unclosed_code(text: str, start: int, length: int) -> bool:
    """Tell code that was never closed from a stray back-tick.

    After a letter it is a mistyped apostrophe; with a straight quote later on the line it is
    the opening mark of a `quote' in the manner of TeX.
    """
    if start and text[start - 1].isalnum():
        return False
    after = start + length
    if after >= len(text) or text[after].isspace():
        return False
    line_end = text.find("\n", after)
    closing = text.find("'" * min(length, 2), after, len(text) if line_end < 0 else line_end)
    return closing < 0 or text[closing - 1].isspace()


def _line_end(text: str, position: int, paragraph: Sequence[Line]) -> int:
    end = text.find("\n", position)
    return paragraph[-1].end if end < 0 else min(end, paragraph[-1].end)
