"""Faults of quotations: a word that does not stand there, two places that read as one."""

import re
from collections.abc import Iterator
from random import Random

from citeval_assets.playbooks.cases import Source
from citeval_assets.qualification.mutants import CannotApply, Mutant, Pool
from citeval_assets.qualification.places import added, following, shuffled, single_marks
from citeval_assets.qualification.subject import Edit, JudgedSentence, Subject
from citeval_assets.text.quotes import find_quote, quoted_spans, word_count
from citeval_assets.text.sentences import split_sentences
from citeval_assets.text.spans import Span

_LOWER_WORD = re.compile(r"(?<=\s)[a-zà-öø-ÿ]{4,}(?=\s)")
_PLAIN = re.compile(r"[^\"“”„«»|*\n]{30,220}")
_LEAD = {
    "en": "The source puts it like this:",
    "de": "In der Quelle heißt es:",
    "fr": "La source dit :",
    "es": "La fuente dice:",
}
_FRAGMENT_WORDS = 6


def alter_quote(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Change one word of a quotation. A case without one gets one, set behind a sentence."""
    for sentence in shuffled(subject.sentences, draw):
        found = _quotes(subject, sentence)
        for span, source in found:
            wrong = _one_word_changed(span.of(subject.text), source.text, draw)
            if wrong is not None:
                return _misquoting(subject, Edit(span.start, span.end, wrong), wrong, sentence)
    for sentence, source in _citing(subject, draw):
        for text in shuffled(_quotable(source), draw):
            wrong = _one_word_changed(text, source.text, draw)
            if wrong is not None:
                return _misquoting(subject, _quoting(subject, sentence, wrong), wrong)
    return CannotApply("no citation to which a quotation could be attached")


def stitch_quote(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Quote two places of the sources as if they were one."""
    for sentence, source in _citing(subject, draw):
        others = [text for other in subject.sources for text in _quotable(other)]
        for first in shuffled(_quotable(source), draw):
            for second in shuffled(others, draw):
                joined = _joined(first, second)
                if first != second and not _stands(joined, subject):
                    return _misquoting(subject, _quoting(subject, sentence, joined), joined)
    return CannotApply("no two sentences of the sources that could be quoted as one")


def _quotes(subject: Subject, sentence: JudgedSentence) -> Iterator[tuple[Span, Source]]:
    """Yield the right quotations of a sentence, with the cited source each stands in."""
    for span in quoted_spans(sentence.text):
        quote = span.of(sentence.text)
        for source in subject.evidence(sentence) if sentence.cited else ():
            if word_count(quote) >= 4 and find_quote(quote, source.text).found:
                yield span.shifted(sentence.start), source
                break


def _citing(subject: Subject, draw: Random) -> Iterator[tuple[JudgedSentence, Source]]:
    for sentence in shuffled(subject.sentences, draw):
        if single_marks(sentence):
            first = single_marks(sentence)[0]
            cited = next(c.source_id for c in sentence.citations if c.marker == first)
            for source in subject.sources:
                if source.id == cited:
                    yield sentence, source


def _quotable(source: Source) -> list[str]:
    """Return the plain sentences of a source that are fit to be quoted, without full stop."""
    texts = (sentence.text.strip().rstrip(".") for sentence in split_sentences(source.text))
    return [t for t in texts if _PLAIN.fullmatch(t) and 5 <= word_count(t) <= 32 and "[" not in t]


def _one_word_changed(quote: str, text: str, draw: Random) -> str | None:
    """Return the quotation with one inner word replaced by another of the same text."""
    words = sorted({match.group() for match in _LOWER_WORD.finditer(text)})
    held = set(re.findall(r"\w+", quote.lower()))
    others = [word for word in words if word not in held]
    places = list(_LOWER_WORD.finditer(quote))
    for place in shuffled(places, draw):
        for other in shuffled(others, draw)[:20]:
            wrong = quote[: place.start()] + other + quote[place.end() :]
            if not find_quote(wrong, text).found:
                return wrong
    return None


def _joined(first: str, second: str) -> str:
    head = " ".join(first.split()[:_FRAGMENT_WORDS])
    tail = " ".join(second.split()[-_FRAGMENT_WORDS:])
    return f"{head.rstrip(',;:')} {tail}"


def _stands(quote: str, subject: Subject) -> bool:
    return any(find_quote(quote, source.text).found for source in subject.sources)


def _quoting(subject: Subject, sentence: JudgedSentence, quote: str) -> Edit:
    lead = _LEAD.get((subject.case.language or "en")[:2].lower(), _LEAD["en"])
    return following(sentence, f'{lead} "{quote}"')


def _misquoting(
    subject: Subject, edit: Edit, quote: str, sentence: JudgedSentence | None = None
) -> Mutant:
    """Touched is the sentence that quotes: the present one, else the one that was added."""
    case, (span,) = subject.edited([edit])
    if sentence is not None:
        grown = len(edit.text) - (edit.end - edit.start)
        span = Span(sentence.start, sentence.end + grown)
    else:
        span = added(edit, span)
    return Mutant(case, True, f'quotes "{quote}"', (span,))
