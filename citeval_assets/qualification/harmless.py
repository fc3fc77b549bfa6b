"""Changes that must not alter the verdict: a judge that faults them would fault good answers."""

import re
from collections.abc import Callable
from random import Random

from citeval_assets.playbooks.cases import Source
from citeval_assets.qualification.mutants import CannotApply, Mutant, Pool
from citeval_assets.qualification.places import (
    added,
    bare_text,
    following,
    free,
    next_id,
    number_tokens,
    overlap,
    shuffled,
)
from citeval_assets.qualification.subject import Edit, Subject
from citeval_assets.qualification.words import SYNONYMS
from citeval_assets.text.markers import scan_citations
from citeval_assets.text.numbers import numbers_in
from citeval_assets.text.spans import Span

_COUNTED = (
    "mg", "g", "kg", "ml", "litres", "mm", "cm", "km", "metres", "kilometres", "miles", "hours",
    "minutes", "seconds", "days", "weeks", "months", "years", "euros", "dollars", "kW", "kWh",
)  # fmt: skip
_QUOTES = re.compile(r"\"([^\"\n]{1,400})\"")
_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")
_UNIT_BLANK = re.compile(r"(?<=\d) (?=(?:mg|kg|ml|km|mm|cm|g|m|l|h|kW|kWh|%|days|weeks|hours)\b)")
_HYPHEN = re.compile(r"(?<=\w) - (?=\w)")
_LIGATURE = re.compile(r"(?<=[a-z])(?:fi|fl)(?=[a-z])")
_BLANK = re.compile(r"(?<=\S) (?=\S)")
_STRANGE = 0.35
_LIMIT = re.compile(
    r"\b(?:up to|at most|less than|under|within|below|maximum|not|no (?:more|later)|or|to|and|by|"
    r"between|about|around|until|fewer than|before)\b|[-–]$",
    re.IGNORECASE,
)
"""Before a number: it is a bound or a rough figure, and what exceeds it does not follow."""


def unchanged(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Leave the case as it is: how often does the judge fault what is right?"""
    if not subject.sentences:
        return CannotApply("nothing in the case is judged")
    return Mutant(subject.case, False, "nothing")


def imply(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Add what follows from a stated number without being stated."""
    if not subject.english:
        return CannotApply("the case is not in English")
    lonely = [s for s in subject.sentences if len(numbers_in(bare_text(s))) == 1]
    tokens = [t for sentence in lonely for t in number_tokens(subject, sentence)]
    for token in shuffled(tokens, draw):
        value = token.value or 0
        unit = _unit_behind(subject, token.span)
        before = subject.text[max(0, token.span.start - 30) : token.span.start]
        if unit is None or value != int(value) or not 12 <= value <= 9_000 or _LIMIT.search(before):
            continue
        lower = int(value) - max(1, int(value) // 10)
        fact = f"That is more than {lower} {unit}"
        edit = following(token.sentence, fact)
        case, (span,) = subject.edited([edit])
        return Mutant(case, False, f"added: {fact!r}", (added(edit, span),))
    return CannotApply("no judged sentence states one whole number of a known unit, and no limit")


def _unit_behind(subject: Subject, span: Span) -> str | None:
    behind = subject.text[span.end : span.end + 14]
    found = re.match(r"[ \u00a0]?([^\W\d_]+)\b", behind)
    return found.group(1) if found and found.group(1) in _COUNTED else None


def retype(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Set curly quotes and apostrophes, dashes, ligatures and unbreakable blanks."""
    edits = [
        *_each(subject, _QUOTES, lambda m: f"“{m.group(1)}”"),
        *_each(subject, _APOSTROPHE, lambda m: "’"),
        *_each(subject, _HYPHEN, lambda m: " – "),
        *_each(subject, _UNIT_BLANK, lambda m: "\u00a0"),
        *_each(subject, _LIGATURE, lambda m: "ﬁ" if m.group() == "fi" else "ﬂ"),
    ]
    return _harmless(subject, edits, "typography")


def respace(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Double some of the blanks."""
    every = list(_each(subject, _BLANK, lambda m: "  "))
    chosen = [edit for edit in every if draw.random() < 0.3]
    return _harmless(subject, chosen or every[:1], "white space")


def _each(
    subject: Subject, pattern: re.Pattern[str], instead: Callable[[re.Match[str]], str]
) -> list[Edit]:
    marks = subject.marks()
    return [
        Edit(match.start(), match.end(), instead(match))
        for match in pattern.finditer(subject.text)
        if not any(Span(match.start(), match.end()).overlaps(mark) for mark in marks)
    ]


def _harmless(subject: Subject, edits: list[Edit], change: str) -> Mutant | CannotApply:
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    if not kept:
        return CannotApply("nothing of the kind stands in the text")
    case, _ = subject.edited(kept)
    return Mutant(case, False, f"{change}, {len(kept)} places")


def use_synonym(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Put a synonym from the short list in the place of a word."""
    if not subject.english:
        return CannotApply("the case is not in English")
    for sentence in shuffled(subject.sentences, draw):
        for word, other in shuffled(SYNONYMS, draw):
            found = re.search(rf"\b{word}\b", sentence.text)
            if found is None:
                continue
            span = Span(found.start(), found.end()).shifted(sentence.start)
            if not free(subject, span):
                continue
            case, _ = subject.edited([Edit(span.start, span.end, other)])
            grown = len(other) - len(word)
            touched = Span(sentence.start, sentence.end + grown)
            return Mutant(case, False, f"{word} -> {other}", (touched,))
    return CannotApply("no judged sentence holds a word of the list of synonyms")


def reorder_passages(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Give the passages in another order."""
    if len(subject.sources) < 2:
        return CannotApply("there is one passage")
    if any(c.resolved and c.raw_id != c.source_id for c in subject.scan.citations):
        return CannotApply("the citations count the passages, so their order matters")
    return Mutant(subject.with_sources(reversed(subject.sources)), False, "passages reversed")


def rename_ids(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Give the passages other ids, and the citations with them."""
    if not subject.sources:
        return CannotApply("there is no passage")
    names = _new_names(subject.sources)
    sources = [source.model_copy(update={"id": names[source.id]}) for source in subject.sources]
    edits: dict[int, Edit] = {}
    for citation in subject.scan.citations:
        mark = citation.marker
        if not citation.resolved or citation.source_id is None:
            return CannotApply("a citation names no source")
        if citation.raw_id != citation.source_id:
            continue
        if len(mark.ids) != 1 or mark.text.count(citation.raw_id) != 1:
            return CannotApply("a marker names several sources at once")
        text = mark.text.replace(citation.raw_id, names[citation.source_id])
        edits[mark.start] = Edit(mark.start, mark.end, text)
    case, _ = subject.edited(edits.values())
    case = case.model_copy(update={"sources": tuple(sources)})
    mutant = Mutant(case, False, f"ids {', '.join(names)} -> {', '.join(names.values())}")
    return (
        mutant
        if _resolves_alike(subject, mutant, names)
        else CannotApply("the citations do not resolve under other ids")
    )


def _new_names(sources: tuple[Source, ...]) -> dict[str, str]:
    if all(source.id.isdecimal() for source in sources):
        return {source.id: str(int(source.id) + 20) for source in sources}
    return {source.id: f"doc_{number + 41}" for number, source in enumerate(sources)}


def _resolves_alike(subject: Subject, mutant: Mutant, names: dict[str, str]) -> bool:
    renamed = Subject.of(subject.playbook, mutant.case, subject.rules)
    if renamed is None:
        return False
    before = [names.get(c.source_id or "") for c in subject.scan.citations]
    ids = [source.id for source in renamed.sources]
    after = [c.source_id for c in scan_citations(renamed.text, ids).citations]
    return before == after


def add_passage(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Add a passage of another document that has nothing to do with the question."""
    if not subject.sources:
        return CannotApply("the case is judged without sources")
    about = f"{subject.case.question} {subject.text}"
    strange = [s for s in pool.strangers(subject.case) if overlap(about, s.text) < _STRANGE]
    if not strange:
        return CannotApply("no passage of another document is far enough from the question")
    extra = draw.choice(strange).model_copy(update={"id": next_id(subject.sources, draw)})
    return Mutant(
        subject.with_sources((*subject.sources, extra)), False, f"passage {extra.id} added"
    )
