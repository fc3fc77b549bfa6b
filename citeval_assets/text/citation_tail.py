"""Marks behind a full stop, recognised without knowing the sources.

The sentence splitter keeps them with the sentence they close. This asks only for the form;
whether a mark is a citation is for the citation parser to say.
"""

import re

from citeval_assets.text.citation_words import WORD_PATTERN

_SUP = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_GAP = re.compile(r"[ \t\u00a0\u2009\u202f]{0,3}+")
_LINK = r"\((?:[^\s()]|\([^\s()]{0,300}+\)){0,1000}+\)"
_FIRST = re.compile(rf"[\\\[［〔【〖(（<#{_SUP}]")
"""What a mark begins with: looking for it alone is several times faster."""

_TAIL = re.compile(
    rf"(?=[\\\[［〔【〖(（<#{_SUP}])(?:"
    r"\\?[\[［〔]\[?(?P<inside>[^\[\]［］〔〕\n]{1,120}+)\]?[\]］〕](?P<link>" + _LINK + r")?"
    r"|[【〖](?P<lent>[^【】〖〗\n]{1,120}+)[】〗]"
    rf"|(?P<sup>[{_SUP}]++(?:[,⁻][{_SUP}]++)*+)"
    rf"|(?P<paren>[(（](?:{WORD_PATTERN})(?![^\W\d_])[^()（）\[\]\n]{{0,200}}+[)）])"
    r"|(?P<linked>\(\s?\[[^\[\]\n]{1,200}+\]"
    + _LINK
    + r"(?:[,;]?\s?\[[^\[\]\n]{1,200}+\]"
    + _LINK
    + r"){0,20}+\s?\))"
    r"|(?P<tag><sup>[^<>\n]{1,60}+</sup>)|(?P<hash>##\d{1,12}\$\$))",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"[,;，；、]")
_NUMBERS = re.compile(r"\^?[\d\s–—-]+")
_UNSPACED_ID = re.compile(r"\S{0,80}[\d_#†]\S{0,80}")
_WORDED = re.compile(rf"(?:{WORD_PATTERN})(?![^\W\d_]).{{0,100}}", re.IGNORECASE | re.DOTALL)
_LOWER_CASE_ID = re.compile(r"[a-zß-öø-ÿа-я][\w.:-]{0,40}")


def tail_end(text: str, position: int, limit: int) -> int:
    """Return where the citation-like marks behind ``position`` end, blanks between included.

    Returns ``position`` itself where none follows. Looks no further than ``limit``.
    """
    end = position
    while end < limit:
        gap = _GAP.match(text, end, limit)
        start = gap.end() if gap else end
        match = _TAIL.match(text, start, limit)
        if match is None or not _is_mark(text, match):
            return end
        end = match.end()
    return end


def without_marks(text: str) -> str:
    """Return ``text`` with everything that has the form of a citation mark replaced by a blank."""
    kept: list[str] = []
    done = position = 0
    while first := _FIRST.search(text, position):
        match = _TAIL.match(text, first.start())
        position = match.end() if match else first.end()
        if match and _is_mark(text, match):
            kept += (text[done : match.start()], " ")
            done = match.end()
    return "".join((*kept, text[done:])) if kept else text


def _is_mark(text: str, match: re.Match[str]) -> bool:
    if match["inside"] is not None:
        following = text[match.end() : match.end() + 1]
        if match["link"] and not match["inside"].strip(" ^[").isdigit():
            return match["link"].startswith("(#")
        inside = match["inside"].strip()
        if inside.isdecimal():
            return True
        if not _is_id_like(inside):
            return False
        if any(char.isdigit() for char in inside):
            return True
        return not following.isalpha() and following != "("
    if match["sup"] is not None:
        following = text[match.end() : match.end() + 1]
        return not following.isalnum()
    return True


def _is_id_like(inside: str) -> bool:
    """Whether the inside of a bracket has the form of one id or of a list of ids."""
    if _WORDED.fullmatch(inside) or _LOWER_CASE_ID.fullmatch(inside):
        return True
    items = [item.strip() for item in _SEPARATOR.split(inside)]
    return all(_NUMBERS.fullmatch(item) or _UNSPACED_ID.fullmatch(item) for item in items if item)
