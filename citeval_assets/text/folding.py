"""Folding a text so that two spellings of the same words compare equal.

Folded away: runs of white space, letter case (simple mapping, letter by letter), curly and
other quotation marks, dashes, composed or decomposed accents, ligatures and other
compatibility forms, invisible characters, hyphenation, HTML entities. Kept apart because they
change the meaning: superscripts, fractions, circled numbers, mathematical letters, scripts,
Greek letter variants, letters such as the sharp s.

Each folded character remembers where it came from, so that a match can be pointed out in the
original; a letter and its accents fold together and are never split.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import unescape

import regex

from citeval_assets.text.characters import INVISIBLE, base_before, is_unspaced
from citeval_assets.text.invisible import invisible_kinds

HYPHENS = "-\u2010\u2011\ufe63\uff0d"
DASHES = "\u2012\u2013\u2014\u2015\u2212\u2043\ufe58\ufe31\ufe32"
_SINGLE_QUOTES = "'\u2018\u2019\u201a\u201b\u2039\u203a\u02bc\u02bb\u02b9\u2032\u0060\u00b4\uff07"
_DOUBLE_QUOTES = '"\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\uff02\u301d\u301e\u301f'
_QUOTE_MARKS = frozenset(_SINGLE_QUOTES + _DOUBLE_QUOTES)
_SUBSCRIPTS = frozenset("₀₁₂₃₄₅₆₇₈₉")
_KEPT_DECOMPOSITIONS = ("<super>", "<fraction>", "<circle>", "<font>")


def _stable_letters() -> str:
    """Return the letters of European scripts that fold alone and to one character, as ranges."""
    stable = [
        char
        for char in map(chr, range(0xC0, 0x530))
        if char.isalpha()
        and not "\u0370" <= char <= "\u03ff"
        and unicodedata.normalize("NFKC", char) == char
        and len(char.lower()) == 1
    ]
    return "".join(stable)


_PLAIN = (
    r"[A-Za-z0-9,;:.!?()\[\]/&%$#@=<>|{}~^+*_\\"
    + _stable_letters()
    + "\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]"
)
_MARK = "[\\p{M}\ufe00-\ufe0f\u200d\u1100-\u11ff\uff9e\uff9f]"
_REST = r"|(?P<blank>\s++)|(?P<other>\X)"
_PIECES = regex.compile(rf"(?P<plain>{_PLAIN}++(?:\x20{_PLAIN}++)*+)" + _REST)
_PIECES_BEFORE_MARKS = regex.compile(
    rf"(?P<plain>(?:{_PLAIN}(?!{_MARK}))++(?:\x20(?:{_PLAIN}(?!{_MARK}))++)*+)" + _REST
)
"""The same for a text with combining marks: a letter that bears one is no plain character."""

_ANY_MARK = regex.compile(_MARK)


@dataclass(frozen=True, slots=True)
class Fold:
    """The folded form of one text.

    ``chars`` holds no hyphens; ``hyphens`` tells before which folded position one stands, and
    of what kind: ``hard`` must be matched by a hyphen, ``soft`` (at a line end) may stand for
    a hyphen or for nothing. ``starts[i]`` and ``ends[i]`` are the code points of the original
    that folded character ``i`` came from.
    """

    chars: str
    starts: list[int]
    ends: list[int]
    hyphens: dict[int, str]
    hyphen_places: list[int]
    """The keys of ``hyphens`` in order."""


class FoldedText:
    """A text with its foldings, each computed once when first needed."""

    def __init__(self, text: str) -> None:
        self.text = text

    @classmethod
    def of(cls, text: str) -> "FoldedText":
        """Return the folded view of ``text``."""
        return cls(text)

    @cached_property
    def normalised(self) -> Fold:
        """The folding of ``quote_matching: normalised``."""
        return _fold(self.text)

    @cached_property
    def hidden(self) -> tuple[str, ...]:
        """The kinds of hidden characters in the text."""
        return invisible_kinds(self.text)

    @cached_property
    def spaced(self) -> Fold:
        """The folding of ``quote_matching: exact``: runs of white space become one blank."""
        return _fold_blanks(self.text)


class _Builder:
    def __init__(self) -> None:
        self.chars: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.hyphens: dict[int, str] = {}
        self.length = 0

    def add(self, folded: str, start: int, end: int) -> None:
        """Add the fold of one indivisible stretch of the original."""
        self.chars.append(folded)
        self.starts.extend([start] * len(folded))
        self.ends.extend([end] * len(folded))
        self.length += len(folded)

    def add_run(self, folded: str, start: int) -> None:
        """Add a stretch that folds character by character."""
        end = start + len(folded)
        self.chars.append(folded)
        self.starts.extend(range(start, end))
        self.ends.extend(range(start + 1, end + 1))
        self.length += len(folded)

    def hyphen(self, kind: str) -> None:
        """Note a hyphen before the next folded character."""
        if self.hyphens.get(self.length) != "hard":
            self.hyphens[self.length] = kind

    def fold(self) -> Fold:
        return Fold("".join(self.chars), self.starts, self.ends, self.hyphens, list(self.hyphens))


def _fold_blanks(text: str) -> Fold:
    builder = _Builder()
    for match in re.finditer(r"(\s+)|\S+", text):
        if match.group(1) is not None:
            builder.add(" ", match.start(), match.end())
        else:
            builder.add_run(match.group(), match.start())
    return builder.fold()


_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def _fold(text: str) -> Fold:
    """Fold a text; HTML entities that a scraper left in it (``&nbsp;``) are what they name."""
    if "&" not in text or not _ENTITY.search(text):
        return _folded(text)
    plain, starts, ends = _without_entities(text)
    fold = _folded(plain)
    fold.starts[:] = [starts[place] for place in fold.starts]
    fold.ends[:] = [ends[place - 1] if place else 0 for place in fold.ends]
    return fold


def _without_entities(text: str) -> tuple[str, list[int], list[int]]:
    """Return a text with its entities resolved once, and where each character came from."""
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    position = 0
    for found in _ENTITY.finditer(text):
        before = text[position : found.start()]
        named = unescape(found.group())
        pieces += (before, named)
        starts += (*range(position, found.start()), *[found.start()] * len(named))
        ends += (*range(position + 1, found.start() + 1), *[found.end()] * len(named))
        position = found.end()
    pieces.append(text[position:])
    starts += range(position, len(text))
    ends += range(position + 1, len(text) + 1)
    return "".join(pieces), starts, ends


def _folded(text: str) -> Fold:
    builder = _Builder()
    hyphenation = {match.start(): match for match in _hyphenations(text)}
    position = 0
    pieces = _PIECES_BEFORE_MARKS if _ANY_MARK.search(text) else _PIECES
    while match := pieces.match(text, position):
        start, end = match.span()
        position = end
        kind = match.lastgroup
        if kind == "plain":
            builder.add_run(match.group().lower(), start)
        elif kind == "blank":
            _add_blank(builder, text, start, end)
        elif start in hyphenation:
            broken = hyphenation[start]
            position = broken.end()
            builder.hyphen("soft" if broken["soft"] is not None else "hard")
        else:
            position = _add_cluster(builder, text, start, end)
    return builder.fold()


_HYPHENATION = regex.compile(
    rf"(?P<soft>(?<=\p{{L}}\p{{M}}*)[{HYPHENS}\u00ad](?:[ \t]*+(?:\r\n|[\n\r\u2028\u0085])\s*+|"
    rf"(?<=[{HYPHENS}])[ \t]++)(?=\p{{L}}))"
    rf"|(?<=[\p{{L}}\p{{N}}])[{HYPHENS}][ \t]*+(?:\r\n|[\n\r\u2028\u0085])\s*+(?=[\p{{L}}\p{{N}}])"
)


def _hyphenations(text: str) -> Iterator["regex.Match[str]"]:
    """Yield hyphens at line ends with the break behind them.

    Between letters the hyphen may be the typesetter's own (``soft``); next to a digit, as in
    ``COVID-19`` or ``10-15``, it belongs to the text.
    """
    return _HYPHENATION.finditer(text)


def _add_blank(builder: _Builder, text: str, start: int, end: int) -> None:
    """Add a run of white space as one blank; none between letters of unspaced scripts."""
    before = text[start - 1] if start else ""
    after = text[end] if end < len(text) else ""
    if before and after and is_unspaced(before) and is_unspaced(after):
        return
    if builder.chars and builder.chars[-1] == " " and builder.length not in builder.hyphens:
        builder.ends[-1] = end
        return
    builder.add(" ", start, end)


def _add_cluster(builder: _Builder, text: str, start: int, end: int) -> int:
    """Add one grapheme cluster; returns where to go on."""
    cluster = text[start:end]
    if cluster[0] in HYPHENS or cluster[0] in DASHES:
        return _add_dash(builder, text, start, end)
    if cluster in _QUOTE_MARKS:
        folded = _folded_quote_mark(text, start, cluster)
    elif cluster in _SUBSCRIPTS and start and text[start - 1].isdigit():
        folded = cluster
    else:
        folded = folded_cluster(cluster)
    if folded:
        builder.add(folded, start, end)
    return end


def _add_dash(builder: _Builder, text: str, start: int, end: int) -> int:
    """Add a dash; a run of them ("--") counts as one."""
    while end < len(text) and text[end] in HYPHENS + DASHES:
        end += 1
    builder.hyphen("hard")
    return end


def _folded_quote_mark(text: str, start: int, mark: str) -> str:
    """Fold a quotation mark, single and double alike, but an apostrophe and minutes apart."""
    before = base_before(text, start)
    after = text[start + 1] if start + 1 < len(text) else ""
    single = mark in _SINGLE_QUOTES
    if single and before.isalnum() and after.isalnum():
        return "'"
    return "'" if single and before.isdigit() else '"'


@lru_cache(maxsize=20_000)
def folded_cluster(cluster: str) -> str:
    """Return the fold of one grapheme cluster: nothing where it is invisible."""
    visible = INVISIBLE.sub("", cluster)
    composed = unicodedata.normalize("NFC", visible)
    return "".join(map(_folded_char, _compat(composed)))


def _compat(text: str) -> str:
    """Apply compatibility folding to what may lose its special form."""
    return unicodedata.normalize("NFC", "".join(map(_decomposed, text)))


def _decomposed(char: str) -> str:
    """Decompose a character as NFKC does, but for parts that keep their form (㎡ gives m²)."""
    if _keeps_its_form(char):
        return char
    kind, *codes = unicodedata.decomposition(char).split() or [""]
    if kind and not kind.startswith("<"):
        codes = [kind, *codes]
    if not codes:
        return unicodedata.normalize("NFKC", char)
    return "".join(_decomposed(chr(int(code, 16))) for code in codes)


def _keeps_its_form(char: str) -> bool:
    if "\u0370" <= char <= "\u03ff" or "\u1f00" <= char <= "\u1fff":
        return True
    return unicodedata.decomposition(char).startswith(_KEPT_DECOMPOSITIONS)


def _folded_char(char: str) -> str:
    lower = char.lower()
    return lower if len(lower) == 1 else char
