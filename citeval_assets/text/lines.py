"""The lines of a text and what each one is: list item, heading, fence, table row and so on."""

import re
from dataclasses import dataclass
from functools import lru_cache

_LINE = re.compile(r"[^\n\r\u2028\u2029]*+(?:\r\n|[\n\r\u2028\u2029]|\Z)")
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_RULE = re.compile(r"[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|={3,})$")
_TABLE_RULE = re.compile(r"[ \t]*+\|?+(?:[ \t]*+:?-{2,}+:?[ \t]*+\|)++[ \t:|-]*+$")
_FENCE = re.compile(r"[ \t>]*(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)$")
_LIST_ITEM = re.compile(
    r"[ \t>]*(?:[-*+•◦▪▫‣⁃●○■–—][ \t\u00a0]+|\(?\d{1,3}[.)](?=[ \t\u00a0]|$)[ \t\u00a0]*"
    r"|\(?[a-zA-Z]\)[ \t\u00a0]+|\((?:[ivx]{1,5})\)[ \t\u00a0]+|[①-⑳][ \t\u00a0]*"
    r"|\d{1,3}[、．]|[一二三四五六七八九十]{1,3}、)"
)
_QUOTE = re.compile(r"[ \t]*>")


@dataclass(frozen=True, slots=True)
class Line:
    """One line: ``start`` to ``end`` without its line break, ``next`` where the next begins."""

    start: int
    end: int
    next: int
    text: str

    @property
    def blank(self) -> bool:
        """Whether nothing but white space stands on the line."""
        return not self.text or self.text.isspace()

    @property
    def indent(self) -> int:
        """Columns of leading white space; a tab counts to the next multiple of four."""
        columns = 0
        for char in self.text:
            if char == " ":
                columns += 1
            elif char == "\t":
                columns += 4 - columns % 4
            else:
                break
        return columns

    @property
    def heading(self) -> bool:
        """Whether the line is a Markdown heading."""
        return _HEADING.match(self.text) is not None

    @property
    def rule(self) -> bool:
        """Whether the line only separates: a horizontal rule or the rule of a table."""
        return _RULE.match(self.text) is not None or _TABLE_RULE.match(self.text) is not None

    @property
    def table_row(self) -> bool:
        """Whether the line is a row of a Markdown table."""
        return self.text.lstrip().startswith("|")

    @property
    def quoted(self) -> bool:
        """Whether the line belongs to a Markdown block quote."""
        return _QUOTE.match(self.text) is not None

    @property
    def item_mark(self) -> int:
        """Length of a leading bullet or number with its blanks; 0 where there is none."""
        match = _LIST_ITEM.match(self.text)
        return match.end() if match and not self.rule else 0

    def fence(self) -> tuple[str, bool] | None:
        """Return the fence mark and whether it may close one, or ``None``.

        A back-tick fence with a back-tick in its info string is inline code instead.
        """
        match = _FENCE.match(self.text)
        if match is None:
            return None
        mark, info = match["mark"], match["info"]
        if mark[0] == "`" and "`" in info:
            return None
        return mark, not info.strip()


_REMEMBERED_CHARS = 20_000
"""Texts up to this length are remembered for a while: several readers begin with their lines.
Of a longer one the lines may take a hundred times its room."""


def lines_of(text: str) -> tuple[Line, ...]:
    """Cut ``text`` into lines; every code point belongs to exactly one."""
    return _remembered(text) if len(text) <= _REMEMBERED_CHARS else _lines(text)


def _lines(text: str) -> tuple[Line, ...]:
    lines: list[Line] = []
    for match in _LINE.finditer(text):
        if match.start() == match.end() and match.start() == len(text) and lines:
            break
        body = match.group().rstrip("\r\n\u2028\u2029")
        lines.append(Line(match.start(), match.start() + len(body), match.end(), body))
    return tuple(lines)


_remembered = lru_cache(maxsize=8)(_lines)
