"""Deciding which full stops, question and exclamation marks end a sentence."""

import re
from collections.abc import Iterator

from citeval_assets.text.abbreviations import (
    AFTER_ORDINAL,
    BEFORE_NUMBER,
    NEVER_LAST,
    ORDINAL_CONTEXT,
    SOMETIMES_LAST,
    STARTERS,
    TITLES,
)
from citeval_assets.text.characters import EAST_ASIAN
from citeval_assets.text.citation_tail import tail_end
from citeval_assets.text.spans import SpanSet

_TERMINAL = re.compile(r"[.!?…。！？｡．۔؟।॥‼⁇⁈⁉]++")
_CLOSERS = re.compile(r"(?:[\"'”’“»›)\]}」』》）*_]|[ \u00a0\u202f][»›]|</\w{1,20}>){0,6}+")
_GOES_ON_AFTER_QUOTE = frozenset("とってなのがをはもに")
_LINE_BREAK = re.compile(r"[ \t]{0,8}(?:\r\n|[\r\n])[ \t]{0,8}(?![ \t\r\n])")
_GAP = re.compile(r"\s*+")
_OPENERS = "\"'“”‘„«»‹›([{¿¡*_「『（《#"
_BEFORE_TOKEN = "([{\"'“”‘„«*_/"
_CLOSED_BEFORE = frozenset(')]}】」』”’»"')
_DOTTED = re.compile(r"(?:[^\W\d_]\.){1,5}[^\W\d_]")
_NEXT_WORD = re.compile(r"[^\W_][\w'’-]*")
_ROMAN_OR_LABEL = re.compile(r"(?:[IVXLC]{1,6}|[A-Z])(?![^\W\d_])")
_GLUED = re.compile(r"[A-ZÀ-ÖØ-ÞА-ЯЁ][^\W\d_]+(?=[\s,;:])")
_NOT_GLUED = frozenset({"com", "org", "net", "js", "io", "py", "ai", "md", "txt", "gov", "edu"})
_REST_OF_NUMBER = re.compile(r"\d{1,3} ?(?:million|billion|trillion|thousand|percent|%)")
"""The rest of a number that a web page was scraped apart: "$2. 2 billion"."""

_FULL_WIDTH = frozenset("。！？｡．")
_LOOK_BACK = 40
_ALL_ABBREVIATIONS = TITLES | NEVER_LAST | BEFORE_NUMBER | SOMETIMES_LAST


def _last_token(lead: str) -> str:
    """Return the word that ends ``lead``, without opening brackets and quotation marks."""
    if not lead or lead[-1].isspace():
        return ""
    token = lead.rsplit(None, 1)[-1]
    for mark in _BEFORE_TOKEN:
        if mark in token:
            token = token.rpartition(mark)[2]
    return token


class Ends:
    """Finds sentence ends in one text.

    No cut falls into inline code, nor into a quotation that its sentence leads in.
    """

    def __init__(self, text: str, quotes: SpanSet, code: SpanSet) -> None:
        self.text = text
        self.quotes = quotes
        self.code = code

    def find(self, start: int, body: int, end: int) -> Iterator[int]:
        """Yield the cut positions between ``body`` and ``end``; ``start`` opens the block."""
        text = self.text
        position = body
        opened = start
        while match := _TERMINAL.search(text, position, end):
            position = match.end()
            closed = self._after_closers(match.end(), end)
            cut = self._after_marks(closed, end)
            position = max(position, cut)
            gap = _GAP.match(text, cut, end)
            following = gap.end() if gap else cut
            if following >= end:
                return
            if self._is_end(match, closed, cut, following, opened, end):
                yield cut
                opened = following

    def _after_closers(self, position: int, end: int) -> int:
        match = _CLOSERS.match(self.text, position, end)
        closed = match.end() if match else position
        # A quotation mark, asterisk or underscore before a letter opens what follows.
        while closed > position and closed < end and self.text[closed].isalnum():
            if self.text[closed - 1] in ")]}」』》）”’»":
                break
            closed -= 1
        return closed

    def _after_marks(self, position: int, end: int) -> int:
        """Return where the marks behind a full stop end; a line of marks alone is among them."""
        cut = tail_end(self.text, position, end)
        while line_break := _LINE_BREAK.match(self.text, cut, end):
            behind = tail_end(self.text, line_break.end(), end)
            alone = behind == end or self.text[behind] in "\r\n"
            if behind == line_break.end() or not alone:
                break
            cut = behind
        return cut

    def _is_end(
        self, match: re.Match[str], closed: int, cut: int, following: int, opened: int, end: int
    ) -> bool:
        marks = match.group()
        if match.start() in self.code:
            return False
        quote = self.quotes.covering(match.start())
        if quote is not None and quote.start > opened + 1 and quote.end > closed:
            return False
        if marks[-1] in _FULL_WIDTH:
            goes_on = cut > match.end() and self.text[cut] in _GOES_ON_AFTER_QUOTE
            return not (goes_on and self.text[cut - 1] in "」』")
        first = self._first_letter(following, end)
        if following == cut:
            return self._is_glued_end(match, closed, cut, end)
        if marks in (".", "．"):
            return not first.islower() and self._is_full_stop(match.start(), following, opened, end)
        if marks.startswith((".", "…")) and set(marks) <= {".", "…"}:
            return not first.islower()
        return not first.islower()

    def _first_letter(self, position: int, end: int) -> str:
        while position < end and self.text[position] in _OPENERS:
            position += 1
        return self.text[position] if position < end else ""

    def _is_glued_end(self, match: re.Match[str], closed: int, cut: int, end: int) -> bool:
        """Decide where no blank follows: behind a citation mark, or in "word.Another word"."""
        text = self.text
        if cut > closed:
            first = self._first_letter(cut, end)
            return first.isupper() or EAST_ASIAN.match(first) is not None
        if match.group() in "?!۔؟।॥" and closed == match.end():
            return _GLUED.match(text, cut, end) is not None and text[match.start() - 1].islower()
        if match.group() != "." or closed != match.end():
            return False
        word = _GLUED.match(text, cut, end)
        lead = text[max(0, match.start() - _LOOK_BACK) : match.start()]
        return (
            word is not None
            and re.search(r"(?:^|[\s(])[^\W\d_]{3,}$", lead) is not None
            and lead[-1].islower()
            and word.group().casefold() not in _NOT_GLUED
        )

    def _is_full_stop(self, stop: int, following: int, opened: int, end: int) -> bool:
        """Decide a single full stop before a capital letter, a digit or an unusual sign."""
        text = self.text
        if text[stop - 1] in _CLOSED_BEFORE:
            return True
        lead = text[max(opened, stop - _LOOK_BACK) : stop]
        token = _last_token(lead)
        word = token.casefold().rstrip(".")
        if word.isalpha() and len(word) > 1 and word not in _ALL_ABBREVIATIONS:
            return True
        if not token:
            return True
        lead = lead[: len(lead) - len(token)]
        next_word = _NEXT_WORD.match(text, self._skip_openers(following, end), end)
        follower = next_word.group() if next_word else ""
        if token[-1].isdigit() and _REST_OF_NUMBER.match(text, following, end):
            return False
        if word.isdigit():
            return self._ends_in_number(word, lead, follower, stop, opened)
        if word in TITLES or word in NEVER_LAST or token == "M":
            return False
        if word in BEFORE_NUMBER:
            label = follower[:1].isdigit() or _ROMAN_OR_LABEL.fullmatch(follower)
            return not label or follower.casefold() in STARTERS
        doubtful = (
            word in SOMETIMES_LAST
            or _DOTTED.fullmatch(token) is not None
            or (len(token) == 1 and token.isalpha() and not EAST_ASIAN.match(token))
        )
        if not doubtful:
            return True
        if len(token) == 1 and token.isupper() and self._is_initial(lead, follower):
            return False
        if word in ("г", "гг", "в", "вв") and lead.rstrip()[-1:].isdigit():
            return True
        return follower.casefold() in STARTERS or not follower

    def _ends_in_number(self, word: str, lead: str, follower: str, stop: int, opened: int) -> bool:
        """Tell the end of a sentence from an item number and from a German ordinal."""
        if stop - len(word) <= opened + 1:
            return False
        if len(word) > 2:
            return True
        before = re.search(r"([^\W\d_]+)\s*$", lead)
        context = before.group(1).casefold() if before else ""
        if follower.casefold() in AFTER_ORDINAL:
            return context in ("in", "of", "was", "is")
        return context not in ORDINAL_CONTEXT

    def _is_initial(self, lead: str, follower: str) -> bool:
        """Whether a lone capital letter is an initial: "J. R. Smith", not "vitamin C. The"."""
        if follower.casefold() in STARTERS:
            return False
        return bool(follower) and follower[0].isupper()

    def _skip_openers(self, position: int, end: int) -> int:
        while position < end and self.text[position] in _OPENERS:
            position += 1
        return position
