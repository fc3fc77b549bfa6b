"""The forms in which a citation mark may stand in a text, and how each is recognised.

Every pattern is bounded and backtracks no further than its own length, so that hostile text
costs linear time.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from citeval_assets.text.characters import SUPERSCRIPT_DIGITS, SUPERSCRIPT_TO_DIGIT
from citeval_assets.text.citation_grammar import MarkReader, ReadMark
from citeval_assets.text.citation_model import CitationState
from citeval_assets.text.citation_words import WORD_PATTERN, canonical_word
from citeval_assets.text.superscripts import is_exponent

BUILT_IN_STYLES = (
    "bracket",
    "footnote",
    "link",
    "anchor",
    "parenthesis",
    "lenticular",
    "superscript",
)
OPTIONAL_STYLES = ("hash_dollar",)

_SUP = f"[{SUPERSCRIPT_DIGITS}]"
_CANDIDATE = re.compile(
    r"(?P<double>\[\[(?P<double_in>[^\[\]]{1,600}+)\]\])"
    r"|(?P<bracket>\\?[\[［〔](?P<bracket_in>[^\[\]［］〔〕]{1,600}+)[\]］〕])"
    r"|(?P<lenticular>[【〖](?P<lenticular_in>[^【】〖〗\n]{1,300}+)[】〗])"
    rf"|(?P<paren>[(（](?:(?:see|cf\.?|from|per|via|e\.g\.,?|siehe|vgl\.?|voir|véase)\s+)?"
    rf"(?P<paren_in>(?P<paren_word>{WORD_PATTERN})(?![^\W\d_])[^()（）\[\]\n]{{0,300}}+)[)）])"
    rf"|(?P<superscript>{_SUP}++(?:[,;⸴˒⁻]{_SUP}++)*+)"
    r"|(?P<suptag><sup>\s{0,3}\[?(?P<suptag_in>\d[\d,;\s–-]{0,60}+)\]?\s{0,3}</sup>)"
    r"|(?P<hash_dollar>##(?P<hash_in>\d{1,12})\$\$)",
    re.IGNORECASE,
)
_FIRST = re.compile(rf"[\\\[［〔【〖(（<#{SUPERSCRIPT_DIGITS}]")
"""What a candidate begins with: looking for it alone is several times faster."""

_LINK_TARGET = re.compile(
    r"\((?P<target><[^<>\n]{0,2000}+>|(?:[^\s()]|\([^\s()]{0,500}+\)){0,2000}+)"
    r"(?:[ \t]{1,4}(?:\"[^\"\n]{0,500}+\"|'[^'\n]{0,500}+'))?[ \t]{0,4}\)"
)
_BARE_NUMBERS = re.compile(r"\^?\d{1,12}(?:\s*[,;–-]\s*\d{1,12})*")
_CLAUSE_END = re.compile(r"\s*(?:[.,;:!?。，；：！？)]|\n|$)")
_SUBSCRIPT_AFTER = re.compile(r"\s?(?:=|[+\-*/]=)|\.[a-z_]|\[[a-z]\w?\]")
_IDENTIFIER_BEFORE = re.compile(
    r"[A-Za-z]\w*_\w*$|\w\[[a-z]\w?\]$|[^=]=\s?[a-z_]\w{0,20}$|\b[a-z_]\w{0,20}\(\w{1,20}$"
)
"""What stands around the subscript of an array that nobody marked as code."""

_INTERVAL_BEFORE = re.compile(
    r"(?:interval|range|domain|∈|intervall|bereich|intervalle|intervalo|rango|"
    r"\bCI:?|\bIQR:?|\bKI:?|区间|區間|範囲)\s*(?:of|from|is|was|von|de|=|:)?\s*$",
    re.IGNORECASE,
)
_CHARACTER_CLASS = re.compile(r"\d-\d")
_INTERVAL = re.compile(r"\s*0\s*[,;]\s*\d+\s*|\s*\d+\s*[,;]\s*\d+\s*")
_WORDS_ONLY_IF_KNOWN = frozenset({"id", "context", "evidence", "footnote", "citation", "excerpt"})


@dataclass(frozen=True, slots=True)
class FoundMark:
    """A recognised mark: where it stands, its style, and what it names."""

    start: int
    end: int
    style: str
    read: ReadMark


@dataclass(frozen=True, slots=True)
class PassedOver:
    """Something that looks like a citation and is not counted, for the warnings."""

    kind: str
    start: int
    text: str


class StyleFinder:
    """Finds the marks of the built-in styles and of those switched on."""

    def __init__(self, text: str, reader: MarkReader, styles: frozenset[str]) -> None:
        self.text = text
        self.reader = reader
        self.styles = styles
        self.passed_over: list[PassedOver] = []

    def find(self) -> Iterator[FoundMark]:
        """Yield the marks in text order."""
        position = 0
        while first := _FIRST.search(self.text, position):
            match = _CANDIDATE.match(self.text, first.start())
            if match is None:
                position = first.end()
                continue
            kind = match.lastgroup or ""
            mark, position = self._read(match, kind)
            if mark is not None:
                if mark.style in self.styles:
                    yield mark
                else:
                    self._pass(f"style {mark.style} is switched off", mark.start, mark.end)

    def _read(self, match: re.Match[str], kind: str) -> tuple[FoundMark | None, int]:
        if kind in ("double", "bracket"):
            return self._read_bracket(match, match[f"{kind}_in"])
        if kind == "lenticular":
            return self._plain(match, "lenticular", self.reader.read(match["lenticular_in"]))
        if kind == "paren":
            return self._plain(match, "parenthesis", self._read_parenthesis(match))
        if kind == "superscript":
            return self._read_superscript(match)
        if kind == "suptag":
            exponent = is_exponent(self.text, match.start(), match.end())
            read = None if exponent else self.reader.read(match["suptag_in"])
            return self._plain(match, "superscript", read)
        return self._plain(match, "hash_dollar", self.reader.read(match["hash_in"], certain=True))

    def _plain(
        self, match: re.Match[str], style: str, read: ReadMark | None
    ) -> tuple[FoundMark | None, int]:
        if read is None:
            return None, match.start() + 1
        return FoundMark(match.start(), match.end(), style, read), match.end()

    def _read_bracket(self, match: re.Match[str], inside: str) -> tuple[FoundMark | None, int]:
        start, end = match.span()
        target = _LINK_TARGET.match(self.text, end)
        if target is not None:
            return self._read_link(start, target, inside)
        footnote = inside.lstrip().startswith("^")
        read = self.reader.read(inside, certain=footnote and not inside.startswith("^ "))
        if read is None or (not footnote and self._is_plain_bracket(start, end, inside, read)):
            return None, end
        if footnote and read.malformed and not read.ids:
            return None, end
        return FoundMark(start, end, "footnote" if footnote else "bracket", read), end

    def _read_link(
        self, start: int, target: re.Match[str], inside: str
    ) -> tuple[FoundMark | None, int]:
        """Read a Markdown link: an in-page one by its anchor, a web one by a bare number."""
        end = target.end()
        if start and self.text[start - 1] == "!" and (start < 2 or self.text[start - 2].isspace()):
            return None, end
        address = target["target"].strip("<>")
        if address.startswith("#"):
            anchor = unquote(address[1:])
            read = self.reader.read(anchor)
            if read is not None and not read.malformed:
                return FoundMark(start, end, "anchor", ReadMark(read.parts, inside)), end
        if _BARE_NUMBERS.fullmatch(inside.strip()):
            read = self.reader.read(inside.strip().lstrip("^"))
            if read is not None:
                return FoundMark(start, end, "link", ReadMark(read.parts, address)), end
            return None, end
        title = self.reader.read(inside)
        if title is not None and title.ids:
            self._pass("a link whose title names a source", start, end)
        return None, end

    def _read_parenthesis(self, match: re.Match[str]) -> ReadMark | None:
        read = self.reader.read(match["paren_in"])
        if read is None:
            return None
        if read.malformed and not read.ids:
            inside = match["paren_in"].strip()
            several = len(inside.split()) > 1
            counts = several or _CLAUSE_END.match(self.text, match.end())
            return read if (counts and canonical_word(inside) in _ALONE) or several else None
        known = read.resolved
        if not known and canonical_word(match["paren_word"]) in _WORDS_ONLY_IF_KNOWN:
            return None
        return read

    def _read_superscript(self, match: re.Match[str]) -> tuple[FoundMark | None, int]:
        start, end = match.span()
        if is_exponent(self.text, start, end):
            return None, end
        digits = match.group().translate(SUPERSCRIPT_TO_DIGIT)
        read = self.reader.read(re.sub("[⸴˒]", ",", digits).replace("⁻", "-"))
        return (FoundMark(start, end, "superscript", read) if read else None), end

    def _is_plain_bracket(self, start: int, end: int, inside: str, read: ReadMark) -> bool:
        """Whether the surroundings show that a bracket is no citation."""
        text = self.text
        if inside.isdigit() and (start == 0 or text[start - 1].isspace()):
            return False
        before = text[max(0, start - 40) : start]
        following = text[end : end + 1]
        # "[T]he" is an edited quotation, "/users/[id]" a path.
        if len(inside) == 1 and inside.isalpha() and following.islower():
            return True
        if "/" in (before[-1:], following) and inside.isalpha():
            return True
        glued = before and (before[-1].isalnum() or before[-1] in "_)]")
        if glued and (_SUBSCRIPT_AFTER.match(text, end) or _IDENTIFIER_BEFORE.search(before)):
            return True
        if _CHARACTER_CLASS.fullmatch(inside) and (
            following in ("+", "{")
            or (inside[0] == "0" and read.parts[0].state is not CitationState.RESOLVED)
        ):
            return True
        if _INTERVAL.fullmatch(inside):
            resolved = all(part.state is CitationState.RESOLVED for part in read.parts)
            if not resolved and inside.strip().startswith("0"):
                return True
            if _INTERVAL_BEFORE.search(before):
                return True
        return False

    def _pass(self, kind: str, start: int, end: int) -> None:
        self.passed_over.append(PassedOver(kind, start, self.text[start:end]))


_ALONE = frozenset({"source", "citation"})
