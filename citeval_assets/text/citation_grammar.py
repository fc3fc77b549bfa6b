"""Reading the inside of one citation mark: lists, ranges, citation words, labels."""

import re
from dataclasses import dataclass

from citeval_assets.text.characters import trimmed_nfc
from citeval_assets.text.citation_ids import ReadId, SourceIds, decimal_digits, is_year
from citeval_assets.text.citation_model import CitationState
from citeval_assets.text.citation_words import WORD_PATTERN, is_empty_citation, is_null_word

MAX_RANGE = 51
"""Most ids a range may expand to; a wider one is malformed."""

_DIGITS = r"\d{1,40}"
_DASH = r"[-‐‑‒–—−~～]"
_SEPARATOR = re.compile(r"[,;，；、]")
_AND = re.compile(r"(?:^|\s+)(?:and|und|et|y|e|и|和)\s+|\s*&\s*", re.IGNORECASE)
_NUMBER = re.compile(_DIGITS)
_RANGE = re.compile(rf"({_DIGITS})\s*{_DASH}\s*\^?({_DIGITS})")
_BROKEN_RANGE = re.compile(rf"\d{{1,3}}\s*{_DASH}|\d{{1,3}}(?:\s*{_DASH}\s*\d{{1,3}}){{2,5}}")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")
_WORD_LEAD = re.compile(rf"(?P<word>{WORD_PATTERN})(?![^\W\d_])", re.IGNORECASE)
_AFTER_WORD = re.compile(r"[\s_:#.=\-]*(?:(?:no|nr|number|id)\b[.:\s#]*)?", re.IGNORECASE)
_WORD_RANGE = re.compile(
    rf"({_DIGITS})\s*(?:{_DASH}|\bto\b|\bbis\b)\s*(?:(?:{WORD_PATTERN})[\s_:#.=\-]*)?({_DIGITS})",
    re.IGNORECASE,
)
_LOCATOR = re.compile(
    r"(?:pp?|pg|pages?|s|seiten?|sect?|sections?|abs|abschnitt|kap|ch|chap|chapters?|paras?|"
    r"paragraphs?|lines?|l|fig|figure|table|tab|vol|art|§§?|¶)[.:]?\s*\d[\d\s.,\-–a-z]{0,20}",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"(?P<head>[^:|(–—]{1,120}?)\s*(?:(?::|\||\s[-–—])\s+(?P<label>\S.*)|\((?P<aside>[^()]+)\))",
    re.DOTALL,
)
_PART_OF_SOURCE = re.compile(r"(?P<head>.{2,200}?)[#:/|@](?P<label>\S.{0,60})")
_FOOTNOTE_WORD = re.compile(r"\w[\w.:+/-]{0,79}")


@dataclass(frozen=True, slots=True)
class ReadMark:
    """What one mark names, in order; ``label`` is what else stands in it."""

    parts: tuple[ReadId, ...]
    label: str | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        """The usable ids, each once."""
        usable = (p.raw_id for p in self.parts if p.state is not CitationState.MALFORMED)
        return tuple(dict.fromkeys(usable))

    @property
    def parts_once(self) -> tuple[ReadId, ...]:
        """The parts without repeated ids: each is one citation."""
        return self.parts if len(self.parts) == 1 else tuple(dict.fromkeys(self.parts))

    @property
    def malformed(self) -> bool:
        """Whether some part names no usable id."""
        return any(part.state is CitationState.MALFORMED for part in self.parts)

    @property
    def resolved(self) -> bool:
        """Whether some part names a source."""
        return any(part.state is CitationState.RESOLVED for part in self.parts)


class MarkReader:
    """Reads the inside of marks against the ids of one case. Results are remembered."""

    def __init__(self, sources: SourceIds) -> None:
        self.sources = sources
        self._seen: dict[tuple[str, bool], ReadMark | None] = {}

    def read(self, inside: str, *, certain: bool = False) -> ReadMark | None:
        """Return what ``inside`` names, or ``None`` where it is plain text.

        ``certain`` says that the mark itself is a citation form (a footnote, a dagger, an
        operator's pattern): then an unknown word is an unresolved id and years count.
        """
        key = (inside, certain)
        if key not in self._seen:
            self._seen[key] = self._read(inside, certain)
        return self._seen[key]

    def _read(self, inside: str, certain: bool) -> ReadMark | None:
        content = trimmed_nfc(inside).strip("*").rstrip("\\").strip()
        if not content:
            return None
        own = self.sources.own(content)
        if own is not None:
            return ReadMark((own,))
        if "†" in content:
            return self._read_dagger(content)
        if is_null_word(content) or is_empty_citation(content):
            return ReadMark((_malformed(content),))
        read = self._read_part_of_source(content) or self._read_list(content, certain)
        if read is not None:
            return read
        if self.sources.looks_like_an_id(content):
            return ReadMark((ReadId(content, CitationState.UNRESOLVED),))
        read = self._read_labelled(content)
        if read is not None or not certain:
            return read
        word = content.lstrip("^@")
        if _FOOTNOTE_WORD.fullmatch(word):
            return ReadMark((ReadId(word, CitationState.UNRESOLVED),))
        return ReadMark((_malformed(content),))

    def _read_dagger(self, content: str) -> ReadMark:
        """Read a file-search mark: the id before the dagger, a file name behind it."""
        head, _, label = content.partition("†")
        read = self.read(head.strip(), certain=True) if head.strip() else None
        parts = read.parts if read else (_malformed(content),)
        return ReadMark(parts, label.strip() or None)

    def _read_list(self, content: str, certain: bool) -> ReadMark | None:
        parts: list[ReadId] = []
        labels: list[str] = []
        word: str | None = None
        worded = _WORD_LEAD.match(content) is not None
        items = [item.strip() for item in _SEPARATOR.split(content)]
        items = [part for item in items for part in self._split_and(item, worded)]
        for item in filter(None, items):
            if parts and _LOCATOR.fullmatch(item):
                labels.append(item)
                continue
            read, word = self._read_item(item, word)
            if read is None:
                return None
            parts.extend(read)
        if not parts or (not certain and _is_no_citation(content, parts)):
            return None
        return ReadMark(tuple(parts), ", ".join(labels) or None)

    def _split_and(self, item: str, worded: bool) -> list[str]:
        """Split "1 and 2" behind a citation word, or where it names known numbers alone."""
        pieces = [piece.strip() for piece in _AND.split(item) if piece.strip()]
        if len(pieces) == 1 or self.sources.own(item) is not None:
            return pieces if _AND.match(item) else [item]
        known = all(
            _NUMBER.fullmatch(piece) and self.sources.number(piece).state is CitationState.RESOLVED
            for piece in pieces
        )
        return pieces if worded or known else [item]

    def _read_item(self, item: str, word: str | None) -> tuple[list[ReadId] | None, str | None]:
        """Read one item of a list; a citation word holds for the bare numbers behind it."""
        own = self.sources.own(item)
        if own is not None:
            return [own], word
        bare = item.lstrip("^").strip()
        if _NUMBER.fullmatch(bare):
            read = self.sources.number(bare)
            if word and read.state is not CitationState.RESOLVED:
                read = self.sources.word_number(word, bare, bare)
            return [read], word
        if match := _RANGE.fullmatch(bare):
            return self._expand(match[1], match[2], bare, None), word
        if match := _WORD_LEAD.match(bare):
            return self._read_after_word(bare, match["word"], match.end()), match["word"]
        if item.startswith("@") and (named := self.sources.own(item[1:])):
            return [named], word
        if self.sources.looks_like_an_id(bare):
            return [ReadId(bare, CitationState.UNRESOLVED)], word
        broken = is_null_word(item) or _BROKEN_RANGE.fullmatch(bare)
        return ([_malformed(item)] if broken else None), word

    def _read_after_word(self, item: str, word: str, end: int) -> list[ReadId] | None:
        gap = _AFTER_WORD.match(item, end)
        rest = item[gap.end() if gap else end :].strip()
        if _NUMBER.fullmatch(rest):
            return [self.sources.word_number(word, rest, item)]
        if found := _WORD_RANGE.fullmatch(rest):
            return self._expand(found[1], found[2], item, word)
        own = self.sources.own(rest)
        if own is not None:
            return [own]
        for one in (item, rest):
            if self.sources.looks_like_an_id(one):
                return [ReadId(one, CitationState.UNRESOLVED)]
        return [_malformed(item)] if is_empty_citation(item) else None

    def _expand(self, first: str, last: str, written: str, word: str | None) -> list[ReadId]:
        low, high = int(first), int(last)
        if not low <= high < low + MAX_RANGE:
            return [_malformed(written)]
        numbers = (str(number) for number in range(low, high + 1))
        if word is None:
            return [self.sources.number(number) for number in numbers]
        lead = re.match(rf"(?:{WORD_PATTERN})[_\-]?", written, re.IGNORECASE)
        stem = lead[0] if lead and lead[0][-1] in "_-" else f"{word} "
        return [self.sources.word_number(word, number, stem + number) for number in numbers]

    def _read_part_of_source(self, content: str) -> ReadMark | None:
        """Read a source's own id with a place in it: "guide.pdf#page=2", "kb-1:3"."""
        match = _PART_OF_SOURCE.fullmatch(content)
        if match is None or match["head"].isdecimal():
            return None
        own = self.sources.own(match["head"])
        return ReadMark((own,), match["label"]) if own else None

    def _read_labelled(self, content: str) -> ReadMark | None:
        """Read an id followed by a title: "Source 2: Leave policy", "doc_3 (page one)"."""
        match = _LABELLED.fullmatch(content)
        if match is None:
            return None
        head, label = match["head"].strip(), (match["label"] or match["aside"]).strip()
        own = self.sources.own(head)
        if own is not None:
            return ReadMark((own,), label)
        lead = _WORD_LEAD.match(head)
        if lead is None:
            return None
        if lead.end() == len(head) and match["label"]:
            read = self._read_list(label, False)
            usable = read is not None and not read.malformed
            return read if usable else ReadMark((_malformed(content),))
        read = self._read_list(head, False)
        return ReadMark(read.parts, label) if read and not read.malformed else None


def _is_no_citation(content: str, parts: list[ReadId]) -> bool:
    """Whether these are years or one number with thousands commas that no source bears."""
    states = [part.state is CitationState.RESOLVED for part in parts]
    plain = decimal_digits(content)
    if _THOUSANDS.fullmatch(plain):
        return not all(states)
    numbers = re.findall(r"\d+", plain)
    bare = not re.search(r"[^\W\d_]", plain)
    return not any(states) and bare and all(is_year(number) for number in numbers)


def _malformed(text: str) -> ReadId:
    return ReadId(text, CitationState.MALFORMED)
