"""Faults in what a sentence says: numbers, units, names, negations, claims that go too far."""

import re
from random import Random

from citeval_assets.qualification.mutants import CannotApply, Mutant, Pool
from citeval_assets.qualification.places import (
    Token,
    bare_text,
    everywhere,
    free,
    holds,
    name_tokens,
    names_of,
    number_tokens,
    number_values,
    overlap,
    shuffled,
)
from citeval_assets.qualification.subject import Edit, JudgedSentence, Subject
from citeval_assets.qualification.words import (
    AUXILIARIES,
    AUXILIARY_NOT,
    CONDITION,
    CONDITION_WORD,
    CURRENCIES,
    INVENTED_NAMES,
    NEGATIVE,
    OVERCLAIMS,
    ROUGHLY,
    UNITS,
)
from citeval_assets.text.quotes import quoted_spans
from citeval_assets.text.sentences import split_sentences
from citeval_assets.text.spans import Span

_ENGLISH_ONLY = CannotApply("the case is not in English")
_NEAR_ENOUGH = 0.4
_JOINED = re.compile(r"\b(?:and|or|but|open|whether|even|as)$|^.{0,14}$", re.IGNORECASE)
"""Before a condition: without it the sentence would not be one any more."""


def faulty(subject: Subject, sentence: JudgedSentence, edits: list[Edit], change: str) -> Mutant:
    """Return the mutant of one faulty sentence: the whole sentence counts as touched."""
    case, spans = subject.edited(edits)
    grown = sum(len(edit.text) - (edit.end - edit.start) for edit in edits)
    first = min(spans)
    start = min(sentence.start, first.start)
    return Mutant(case, True, change, (Span(start, max(sentence.end + grown, first.end)),))


def change_number(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Change one digit of a number that the evidence states."""
    tokens = [t for sentence in subject.sentences for t in number_tokens(subject, sentence)]
    for token in shuffled(tokens, draw):
        wrong = _another_number(subject, token, draw)
        rough = ROUGHLY.search(subject.text[max(0, token.span.start - 16) : token.span.start])
        if wrong is not None and not rough and _matters(subject, token):
            edit = Edit(token.span.start, token.span.end, wrong)
            return faulty(subject, token.sentence, [edit], f"{token.text} -> {wrong}")
    return CannotApply("no number of a judged sentence stands in its evidence")


def _another_number(subject: Subject, token: Token, draw: Random) -> str | None:
    """Return the number with one digit changed, such that nobody states the new one."""
    texts = (*(s.text for s in subject.sources), subject.text, subject.case.question)
    reference: str = getattr(subject.case, "reference_answer", None) or ""
    taken = frozenset[float]().union(*map(number_values, (*texts, reference)))
    places = [place for place, char in enumerate(token.text) if char.isdigit()]
    for place in shuffled(places, draw):
        for digit in shuffled("123456789", draw):
            wrong = f"{token.text[:place]}{digit}{token.text[place + 1 :]}"
            values = number_values(f" {wrong} ")
            if wrong != token.text and values and not values & taken:
                return wrong
    return None


def _matters(subject: Subject, token: Token) -> bool:
    """Whether a wrong token makes the case wrong: against a reference, only one it holds too."""
    reference: str | None = getattr(subject.case, "reference_answer", None)
    return reference is None or holds(token, reference)


def change_unit(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Put another unit behind a number that the evidence states with its own."""
    tokens = [t for sentence in subject.sentences for t in number_tokens(subject, sentence)]
    for token in shuffled(tokens, draw):
        found = _unit_edit(subject, token, draw)
        if found is not None and _matters(subject, token):
            edit, change = found
            return faulty(subject, token.sentence, [edit], change)
    return CannotApply("no number with a known unit stands in the evidence")


def _unit_edit(subject: Subject, token: Token, draw: Random) -> tuple[Edit, str] | None:
    text, evidence = subject.text, "\n".join(s.text for s in subject.evidence(token.sentence))
    before = text[token.span.start - 1 : token.span.start]
    if before in CURRENCIES and f"{before}{token.text}" in evidence:
        other = draw.choice(CURRENCIES[before])
        place = Edit(token.span.start - 1, token.span.start, other)
        return place, f"{before}{token.text} -> {other}{token.text}"
    for unit, others in UNITS:
        for blank in (" ", "\u00a0", ""):
            behind = f"{token.text}{blank}{unit}"
            end = token.span.start + len(behind)
            whole = text[token.span.start : end] == behind and not text[end : end + 1].isalnum()
            if not whole or f"{behind}" not in evidence:
                continue
            new = [other for other in others if f"{token.text}{blank}{other}" not in evidence]
            if not new:
                return None
            other = draw.choice(new)
            place = Edit(end - len(unit), end, other)
            return place, f"{behind} -> {token.text}{blank}{other}"
    return None


def swap_name(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Put another name in the place of one that the evidence holds."""
    if not _names_stand_out(subject):
        return CannotApply("in this language a capital letter does not make a name")
    tokens = [t for sentence in subject.sentences for t in name_tokens(subject, sentence)]
    for token in shuffled(tokens, draw):
        if _matters(subject, token):
            other = _another_name(subject, token, draw)
            edits = everywhere(token.sentence, token.text, other)
            return faulty(subject, token.sentence, edits, f"{token.text} -> {other}")
    return CannotApply("no proper name of a judged sentence stands in its evidence")


def _names_stand_out(subject: Subject) -> bool:
    return (subject.case.language or "en").lower()[:2] in ("en", "fr", "es", "it", "pl", "pt", "nl")


def _another_name(subject: Subject, token: Token, draw: Random) -> str:
    """Return a name of the evidence that has nothing to do with the claim, else an invented one."""
    sentence = bare_text(token.sentence)
    near = [
        name
        for source in subject.evidence(token.sentence)
        for name in names_of(source.text)
        if name not in sentence and not _told_of(name, token, source.text, sentence)
    ]
    texts = " ".join(source.text for source in subject.sources)
    invented = [name for name in INVENTED_NAMES if name not in texts]
    return draw.choice(near) if near and draw.random() < 0.5 else draw.choice(invented)


def _told_of(name: str, token: Token, text: str, claim: str) -> bool:
    """Whether something like the claim is told of ``name`` too."""
    told = [s.text for s in split_sentences(text) if name in s.text]
    return any(token.text in s or overlap(claim, s) > _NEAR_ENOUGH for s in told)


def negate(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Put a "not" in, or take one out."""
    if not subject.english:
        return _ENGLISH_ONLY
    for sentence in shuffled(subject.sentences, draw):
        edit = _negation(subject, sentence)
        if edit is not None:
            old = subject.text[edit.start : edit.end]
            return faulty(subject, sentence, [edit], f"{old!r} -> {edit.text!r}")
    return CannotApply("no judged sentence has a verb that can plainly be negated")


def _negation(subject: Subject, sentence: JudgedSentence) -> Edit | None:
    removed = AUXILIARY_NOT.search(sentence.text)
    if removed is not None:
        span = Span(removed.start(), removed.end()).shifted(sentence.start)
        verb = removed.group(1) or removed.group(2)
        return Edit(span.start, span.end, verb) if free(subject, span) else None
    if NEGATIVE.search(bare_text(sentence)):
        return None
    for verb in AUXILIARIES.finditer(sentence.text):
        span = Span(verb.start(), verb.end()).shifted(sentence.start)
        if free(subject, span) and not sentence.text.rstrip().endswith("?"):
            word = verb.group()
            return Edit(span.start, span.end, "cannot" if word == "can" else f"{word} not")
    return None


def over_claim(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Claim more than the evidence does: without its hedge, or without its condition."""
    if not subject.english:
        return _ENGLISH_ONLY
    for sentence in shuffled(subject.sentences, draw):
        evidence = "\n".join(source.text for source in subject.evidence(sentence)).lower()
        edit = _without_hedge(subject, sentence, evidence) or _without_condition(
            subject, sentence, evidence
        )
        if edit is not None:
            old = subject.text[edit.start : edit.end].strip()
            return faulty(subject, sentence, [edit], f"{old!r} -> {edit.text!r}")
    return CannotApply("no judged sentence has a hedge or condition that its evidence has too")


def _without_hedge(subject: Subject, sentence: JudgedSentence, evidence: str) -> Edit | None:
    for pattern, stronger in OVERCLAIMS:
        hedge = pattern.search(sentence.text)
        if hedge is None or not _hedged_alike(hedge, sentence, evidence):
            continue
        span = Span(hedge.start(), hedge.end()).shifted(sentence.start)
        negative = NEGATIVE.search(bare_text(sentence)) is not None
        if free(subject, span) and not (negative and stronger == "will always"):
            capital = hedge.group()[0].isupper()
            return Edit(span.start, span.end, stronger.capitalize() if capital else stronger)
    return None


def _hedged_alike(hedge: re.Match[str], sentence: JudgedSentence, evidence: str) -> bool:
    """Whether the evidence hedges the same thing: before the same word, or in a like sentence."""
    word = hedge.group().lower()
    behind = re.match(r"\s*([£€$]?[\w.,]*\w)", sentence.text[hedge.end() :].lower())
    if behind is not None and re.search(rf"\b{word}\s+{re.escape(behind.group(1))}", evidence):
        return True
    told = [s.text for s in split_sentences(evidence) if re.search(rf"\b{word}\b", s.text)]
    return any(overlap(bare_text(sentence), text) > _NEAR_ENOUGH for text in told)


def _without_condition(subject: Subject, sentence: JudgedSentence, evidence: str) -> Edit | None:
    for clause in CONDITION.finditer(sentence.text):
        span = Span(clause.start(), clause.end()).shifted(sentence.start)
        word = CONDITION_WORD.search(clause.group())
        rest = len(sentence.text) - len(clause.group())
        joined = _JOINED.search(sentence.text[: clause.start()]) is not None
        if word is None or word.group() not in evidence or joined or rest < 30:
            continue
        if free(subject, span) and not quoted_spans(clause.group()):
            return Edit(span.start, span.end, "")
    return None
