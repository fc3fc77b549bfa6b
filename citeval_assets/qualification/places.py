"""Where a change can be made: numbers, names and words of a sentence that its evidence holds."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from citeval_assets.playbooks.cases import Source
from citeval_assets.qualification.subject import Edit, JudgedSentence, Subject
from citeval_assets.text.markers import Marker, scan_citations, without_citations
from citeval_assets.text.numbers import numbers_in
from citeval_assets.text.quotes import quoted_spans
from citeval_assets.text.sentences import split_sentences
from citeval_assets.text.spans import Span

T = TypeVar("T")

_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]{3,}")
_NAME = re.compile(r"\b[A-ZÀ-ÖØ-Þ][^\W\d_]{2,}\b")
_INSIDE = re.compile(r"[^\W\d_,;:)\"”’]\s$")
LIST_MARK = re.compile(
    r"\W{0,4}(?:(?:step|schritt|étape|etape|paso|passo|krok)\s*)?\d{1,3}[.:)]\s", re.IGNORECASE
)
_CAPITAL_BEFORE = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w'’-]*\s$")
_CLOSED = re.compile(r"[.!?。！？][\"'”’»)\]]*\s*$")
_NO_NAMES = frozenset(
    """
    January February March April May June July August September October November December
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday Section Article Clause Annex Table
    Figure Chapter Page Part Note Step Source The This That These Those There Yes Agreement
    Amendment Board Company Committee Contract Council Critical Customer Floating Group Landlord
    Licensee Licensor Party Pharma Plus Schedule Seat Service Services Standard Supplier Tenant
    Town Year Years Basic Confidential Information Lower Methods Release Results Severity Upper
    """.split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Token:
    """A number or name of a sentence that stands in its evidence too."""

    sentence: JudgedSentence
    span: Span
    text: str
    value: float | None = None


def shuffled(items: Iterable[T], draw: Random) -> list[T]:
    """Return the items in a drawn order."""
    listed = list(items)
    draw.shuffle(listed)
    return listed


def number_values(text: str) -> frozenset[float]:
    """Return the values of all numbers of a text."""
    return frozenset(number.quantity.value for number in numbers_in(text))


def number_tokens(subject: Subject, sentence: JudgedSentence) -> Iterator[Token]:
    """Yield the numbers of a sentence that its evidence states, outside quotes and markers."""
    known = frozenset[float]().union(*(number_values(s.text) for s in subject.evidence(sentence)))
    head = LIST_MARK.match(sentence.text)
    skipped = head.end() if head else 0
    for number in numbers_in(sentence.text):
        digits = _DIGITS.search(sentence.text, number.span.start, number.span.end)
        if digits is None or digits.start() < skipped or number.quantity.value not in known:
            continue
        span = Span(digits.start(), digits.end()).shifted(sentence.start)
        if free(subject, span):
            yield Token(sentence, span, digits.group(), number.quantity.value)


def name_tokens(subject: Subject, sentence: JudgedSentence) -> Iterator[Token]:
    """Yield the proper names of a sentence that its evidence holds, each once."""
    evidence = "\n".join(source.text for source in subject.evidence(sentence))
    seen: set[str] = set()
    for match in _NAME.finditer(sentence.text):
        name = match.group()
        span = Span(match.start(), match.end()).shifted(sentence.start)
        inner = _CAPITAL_BEFORE.search(sentence.text[: match.start()]) is not None
        if name in seen or inner or not free(subject, span) or not is_name(name, evidence):
            continue
        seen.add(name)
        yield Token(sentence, span, name)


def is_name(word: str, text: str) -> bool:
    """Whether a word is a proper name of a text: capitalised inside a sentence, never small."""
    if (
        word in _NO_NAMES
        or set(word) <= set("IVXLC")
        or re.search(rf"\b{re.escape(word.lower())}\b", text)
    ):
        return False
    places = re.finditer(rf"\b{re.escape(word)}\b", text)
    return any(_INSIDE.search(text[max(0, place.start() - 2) : place.start()]) for place in places)


def names_of(text: str) -> tuple[str, ...]:
    """Return the proper names of a text, each once, in text order."""
    found = dict.fromkeys(match.group() for match in _NAME.finditer(text))
    return tuple(name for name in found if is_name(name, text))


def telling_tokens(subject: Subject, sentence: JudgedSentence) -> Iterator[Token]:
    """Yield what ties a sentence to its evidence: its numbers, then its names."""
    yield from number_tokens(subject, sentence)
    yield from name_tokens(subject, sentence)


def holds(token: Token, text: str) -> bool:
    """Whether a text holds the number or the name."""
    if token.value is not None:
        return token.value in number_values(text)
    return re.search(rf"\b{re.escape(token.text)}\b", text) is not None


def free(subject: Subject, span: Span) -> bool:
    """Whether a place lies in no citation marker and in no quotation."""
    blocked = (*subject.marks(), *quoted_spans(subject.text))
    return not any(span.overlaps(other) for other in blocked)


def everywhere(sentence: JudgedSentence, word: str, instead: str) -> list[Edit]:
    """Return the edits that replace a word wherever it stands in a sentence."""
    return [
        Edit(sentence.start + match.start(), sentence.start + match.end(), instead)
        for match in re.finditer(rf"\b{re.escape(word)}\b", sentence.text)
    ]


def bare_text(sentence: JudgedSentence) -> str:
    """Return a sentence without its citation markers."""
    return without_citations(sentence.text, scan_citations(sentence.text, ()))


def content_words(text: str) -> frozenset[str]:
    """Return the longer words and the numbers of a text, folded."""
    words = {match.group().casefold() for match in _WORD.finditer(text) if len(match.group()) > 3}
    return frozenset(words | {match.group() for match in _DIGITS.finditer(text)})


def overlap(claim: str, text: str) -> float:
    """Return the share of a claim's content words that stand in a text; 0 for no words."""
    words = content_words(claim)
    return len(words & content_words(text)) / len(words) if words else 0.0


def without_sentences(source: Source, token: Token) -> Source | None:
    """Return a source without the sentences that hold a token; ``None``: too little is left."""
    kept: list[str] = []
    position = 0
    for sentence in split_sentences(source.text):
        if holds(token, sentence.text):
            kept.append(source.text[position : sentence.start])
            position = sentence.end
    kept.append(source.text[position:])
    left = re.sub(r"[ \t]{2,}", " ", "".join(kept)).strip()
    if holds(token, left) or len(left) < max(40, len(source.text) // 5):
        return None
    return source.model_copy(update={"text": left})


def single_marks(sentence: JudgedSentence) -> list[Marker]:
    """Return the markers of a sentence that name one source, which is there."""
    return [
        citation.marker
        for citation in sentence.citations
        if citation.resolved
        and len(citation.marker.ids) == 1
        and citation.raw_id in citation.marker.text
    ]


def following(sentence: JudgedSentence, text: str) -> Edit:
    """Return the edit that sets a new sentence, cited like this one, behind it."""
    marks = single_marks(sentence)
    marker = f" {marks[0].text}" if marks else ""
    closed = _CLOSED.search(bare_text(sentence)) is not None
    lead = " " if closed else ". "
    return Edit(sentence.end, sentence.end, f"{lead}{text.rstrip('.')}{marker}.")


def added(edit: Edit, span: Span) -> Span:
    """Return where the sentence stands that ``following`` set, without what joins it."""
    return Span(span.start + len(edit.text) - len(edit.text.lstrip(". ")), span.end)


def next_id(sources: Sequence[Source], draw: Random) -> str:
    """Return an id of the same make as those of the sources that none of them bears."""
    ids = [source.id for source in sources]
    if ids and all(name.isdecimal() for name in ids):
        return str(max(map(int, ids)) + 1 + draw.randrange(3))
    tail = re.compile(r"(.*?)(\d+)(\D*)", re.DOTALL)
    fits = [found for name in ids if (found := tail.fullmatch(name))]
    if not fits:
        return "extra_1"
    stem, _, behind = fits[0].groups()
    highest = max(int(found.group(2)) for found in fits)
    return f"{stem}{highest + 1 + draw.randrange(3)}{behind}"
