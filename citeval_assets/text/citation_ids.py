"""From what stands in a marker to a source: exact ids, citation words with numbers, positions."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from citeval_assets.text.characters import trimmed_nfc
from citeval_assets.text.citation_model import CitationState, Numbering
from citeval_assets.text.citation_words import WORD_PATTERN, canonical_word

FIRST_YEAR, LAST_YEAR = 1500, 2100
"""A bare number in this range that no source bears is a year, not a citation."""

_WORD_NUMBER = re.compile(
    rf"(?P<word>{WORD_PATTERN})[\s_:#.=\-]*(?:(?:no|nr|number|id)\b[.:\s]*)?(?P<number>\d{{1,12}})",
    re.IGNORECASE,
)
_NUMERIC_ID = re.compile(r"\d+(?:[:.]\d+)*")
_DIGITS = re.compile(r"\d+")
_HEX = re.compile(
    r"(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{6,}|(?=[0-9A-F]*\d)(?=[0-9A-F]*[A-F])[0-9A-F]{6,}"
)
_FILE = re.compile(
    r"[^\s\[\](){}<>|\"][^\[\](){}<>|\"]{0,200}\.(?P<ext>[A-Za-z][A-Za-z0-9]{1,4})"
    r"(?P<page>#[\w=.&-]{1,40})?"
)


@dataclass(frozen=True, slots=True)
class ReadId:
    """One id of a marker, looked up among the sources."""

    raw_id: str
    state: CitationState
    source_id: str | None = None


def decimal_digits(text: str) -> str:
    """Return ``text`` with the decimal digits of every script as ASCII digits."""
    if text.isascii():
        return text
    return "".join(
        str(unicodedata.decimal(char)) if unicodedata.decimal(char, None) is not None else char
        for char in text
    )


@dataclass(frozen=True, slots=True)
class _Form:
    """What the spelling of one source id says, whichever sources stand beside it."""

    id: str
    numeric: bool
    word: tuple[str, str] | None
    """The citation word and the number an id is built of, such as ``doc_3``."""
    shape: str
    loose: str
    file_ending: str


@lru_cache(maxsize=2048)
def _form(source_id: str) -> _Form:
    """Return the form of an id. It is remembered: "1" and "2" come back in every case."""
    one = trimmed_nfc(source_id)
    word, file = _WORD_NUMBER.fullmatch(one), _FILE.fullmatch(one)
    return _Form(
        id=one,
        numeric=_NUMERIC_ID.fullmatch(decimal_digits(one)) is not None,
        word=(canonical_word(word["word"]), decimal_digits(word["number"])) if word else None,
        shape=_shape(one),
        loose=_loose(one),
        file_ending=file["ext"].casefold() if file else "",
    )


class SourceIds:
    """The ids a text may cite, and the one rule by which its numbers are read."""

    def __init__(self, source_ids: Sequence[str]) -> None:
        forms = [_form(source_id) for source_id in source_ids]
        self._by_id = {
            form.id: source_id for form, source_id in zip(forms, source_ids, strict=True)
        }
        self._ordered = list(source_ids)
        numeric = bool(forms) and all(form.numeric for form in forms)
        self.numbering = Numbering.OWN_IDS if numeric else Numbering.POSITION
        self._by_word: dict[tuple[str, str], str] = {}
        for form in forms:
            if form.word is not None:
                self._by_word.setdefault(form.word, self._by_id[form.id])
        self._shapes = {form.shape for form in forms if form.shape}
        self._loose = {form.loose for form in forms if form.loose}
        self._file_endings = {form.file_ending for form in forms if form.file_ending}
        self._word_kinds = {word for word, _ in self._by_word}
        self.conflicts: dict[str, str] = {}
        """Numbers that are one source's own id and the position of another."""

    def own(self, text: str) -> ReadId | None:
        """Read ``text`` where it is exactly one source's own id."""
        source_id = self._by_id.get(text)
        if source_id is None:
            return None
        placed = self._at_position(decimal_digits(text)) if text.isdecimal() else None
        if placed is not None and placed != source_id:
            self.conflicts[text] = placed
        return ReadId(text, CitationState.RESOLVED, source_id)

    def number(self, digits: str) -> ReadId:
        """Read a bare number: an own id, else a position where the rule says so."""
        plain = decimal_digits(digits)
        own = self.own(digits) or self.own(plain)
        if own is not None:
            return ReadId(digits, own.state, own.source_id)
        placed = self._at_position(plain)
        state = CitationState.UNRESOLVED if placed is None else CitationState.RESOLVED
        return ReadId(digits, state, placed)

    def word_number(self, word: str, digits: str, written: str) -> ReadId:
        """Read a citation word with a number, such as ``doc_3`` or ``Source 2``.

        Where source ids are built with that word, the number is part of the id; else it is
        read like a bare number.
        """
        own = self._by_id.get(written)
        if own is not None:
            return ReadId(written, CitationState.RESOLVED, own)
        kind = canonical_word(word)
        plain = decimal_digits(digits)
        own = self._by_word.get((kind, plain)) or self._by_word.get((kind, plain.lstrip("0")))
        if own is not None:
            return ReadId(trimmed_nfc(own), CitationState.RESOLVED, own)
        if kind in self._word_kinds:
            return ReadId(written, CitationState.UNRESOLVED)
        read = self.number(digits)
        if read.state is CitationState.UNRESOLVED and not written.startswith(digits):
            unspaced = "_" in written or "-" in written
            return ReadId(written if unspaced else digits, read.state)
        return read

    def looks_like_an_id(self, text: str) -> bool:
        """Whether ``text`` has the form of some source id.

        The same but for its numbers or hash ("kb-9" beside "kb-1"), for letter case and
        separators ("KB_1"), or a file name with the same ending.
        """
        if len(text) > 200:
            return False
        if _shape(text) in self._shapes or _loose(text) in self._loose:
            return True
        file = _FILE.fullmatch(text) if self._file_endings else None
        return file is not None and file["ext"].casefold() in self._file_endings

    def _at_position(self, digits: str) -> str | None:
        if self.numbering is Numbering.OWN_IDS or not digits.isdecimal() or len(digits) > 9:
            return None
        position = int(digits)
        return self._ordered[position - 1] if 1 <= position <= len(self._ordered) else None


def is_year(digits: str) -> bool:
    """Whether a bare number reads as a year."""
    return len(digits) == 4 and FIRST_YEAR <= int(digits) <= LAST_YEAR


def _loose(text: str) -> str:
    """Return an id without its letter case and separators; nothing for one letter or digits."""
    bare = re.sub(r"[\s_\-.]+", "", text).casefold()
    return bare if len(bare) > 1 and not bare.isdecimal() else ""


@lru_cache(maxsize=2048)
def _shape(text: str) -> str:
    """Return the form of an id: hashes and numbers replaced, the rest as it is.

    Ids without a digit have no form, but for a lone capital letter.
    """
    if len(text) == 1:
        return "<letter>" if text.isalpha() and text.isupper() else ""
    masked = _HEX.sub("<hash>", text)
    masked = _DIGITS.sub("<number>", masked).casefold()
    if masked == text.casefold() or masked == "<number>" or any(char.isspace() for char in text):
        return ""
    return masked
