"""Whether an answer says what a reference says: names, numbers, containment; else words."""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from rapidfuzz import fuzz

from citeval_assets.embedded.lexical.language import reads_as_english
from citeval_assets.embedded.lexical.measuring import Claim, measure
from citeval_assets.embedded.lexical.numerals import numerals_in, stands_among
from citeval_assets.embedded.lexical.passages import evidence_of
from citeval_assets.embedded.lexical.vocabulary import NEGATIONS, listed
from citeval_assets.embedded.lexical.words import words_of

ALIAS_WORDS = 8
"""A reference of so many words is a name, a number or a date: it stands in the answer or not."""

SAME_SPELLING = 90.0
"""Likeness (0..100) of two spellings of one name."""

SAID = 0.75
PARTLY_SAID = 0.35
"""Share of what the reference adds to the question that a correct, a partly correct answer has."""

_ALTERNATIVES = re.compile(r"\s\|\s|(?<=[^\W\d])\s?/\s?(?=[^\W\d])|(?<=\d{3})/(?=\d)|\s/\s")
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_ARTICLES = listed("a an the of and in on at to for is was were are by it")
_LONG_ANSWER = 400


class Correctness(StrEnum):
    """The verdict of a comparison."""

    PASS = "PASS"
    PARTIAL = "PARTIAL"
    FAIL = "FAIL"


@dataclass(frozen=True, slots=True)
class Comparison:
    """How an answer compares with its reference. ``doubt`` is empty where code is sure."""

    correctness: Correctness
    likelihood: float
    text: str
    doubt: str = ""


def compare(answer: str, reference: str, question: str) -> Comparison:
    """Compare an answer with its reference, which may list alternatives."""
    alternatives = alternatives_of(reference)
    found = [_compare_one(answer, alternative, question) for alternative in alternatives]
    return max(found, key=lambda one: one.likelihood)


def alternatives_of(reference: str) -> tuple[str, ...]:
    """Return the alternatives of a reference, split at " | " and at "/" between words."""
    parts = [part.strip() for part in _ALTERNATIVES.split(reference) if part.strip()]
    short = all(len(part.split()) <= 2 * ALIAS_WORDS for part in parts)
    return tuple(dict.fromkeys(parts)) if parts and short else (reference,)


def _compare_one(answer: str, reference: str, question: str) -> Comparison:
    ours, theirs = _plain(answer), _plain(reference)
    if not theirs:
        return Comparison(Correctness.FAIL, 0.3, "The reference is empty.", "nothing to compare")
    if len(theirs) <= ALIAS_WORDS:
        return _compare_name(answer, reference, ours, theirs)
    return _compare_statement(answer, reference, question)


def _compare_name(
    answer: str, reference: str, ours: tuple[str, ...], theirs: tuple[str, ...]
) -> Comparison:
    if _holds(ours, theirs):
        doubt = (
            "" if len(ours) <= _LONG_ANSWER and not _denied(answer, theirs) else "it may be denied"
        )
        return Comparison(
            Correctness.PASS, 0.95 if not doubt else 0.7, f"The answer holds “{reference}”.", doubt
        )
    numbers = [n.value for n in numerals_in(reference.lower())]
    given = [n.value for n in numerals_in(answer.lower())]
    words = [w for w in theirs if not any(c.isdigit() for c in w) and w not in _ARTICLES]
    if numbers:
        return _compare_numbers(numbers, given, words, ours, reference)
    share = sum(w in ours for w in words) / len(words) if words else 0.0
    likeness = fuzz.partial_ratio(" ".join(theirs), " ".join(ours)) if len(ours) >= 1 else 0.0
    if words and share == 1.0:
        text = f"All words of “{reference}” stand in the answer."
        return Comparison(Correctness.PASS, 0.9, text)
    if ours and len(ours) <= len(theirs) and all(w in theirs for w in ours):
        text = f"The answer is a part of “{reference}”."
        return Comparison(Correctness.PASS, 0.75, text, "it names only a part of the reference")
    if likeness >= SAME_SPELLING and len(" ".join(theirs)) > 4:
        return Comparison(
            Correctness.PASS, 0.8, f"“{reference}” stands in the answer in another spelling."
        )
    text = f"{share:.0%} of the words of “{reference}” stand in the answer."
    if share >= 0.5 or likeness >= 75:
        return Comparison(Correctness.PASS, 0.55, text, "it may be the same in other words")
    sure = share == 0.0 and likeness < 50 and _is_name(reference)
    return Comparison(
        Correctness.FAIL, 0.15 if sure else 0.3, text, "" if sure else "it may be a paraphrase"
    )


def _compare_numbers(
    numbers: list[float],
    given: list[float],
    words: list[str],
    ours: tuple[str, ...],
    reference: str,
) -> Comparison:
    standing = [n for n in numbers if stands_among(n, given)]
    if len(standing) == len(numbers):
        share = sum(w in ours for w in words) / len(words) if words else 1.0
        text = f"The answer has the numbers of “{reference}”."
        if share >= 0.5:
            return Comparison(Correctness.PASS, 0.9, text)
        return Comparison(Correctness.PASS, 0.7, text, "the words around them differ")
    if standing:
        text = f"The answer has {len(standing)} of {len(numbers)} numbers of “{reference}”."
        return Comparison(Correctness.FAIL, 0.35, text, "some of the numbers agree")
    text = f"The answer has none of the numbers of “{reference}”."
    return Comparison(Correctness.FAIL, 0.1 if given else 0.2, text, "" if given else "no number")


def _compare_statement(answer: str, reference: str, question: str) -> Comparison:
    if not (reads_as_english(answer) and reads_as_english(reference)):
        doubt = "not in English, which is all this judge reads"
    else:
        doubt = ""
    asked = set(words_of(question).content)
    claim = Claim.of(reference)
    if not answer.strip():
        return Comparison(Correctness.FAIL, 0.0, "The answer is empty.")
    measured = measure(claim, evidence_of((("answer", answer),)))
    added = {s: w for s, w in claim.weights.items() if s not in asked} or claim.weights
    missing = set(measured.missing)
    share = sum(w for s, w in added.items() if s not in missing) / (sum(added.values()) or 1.0)
    text = f"{share:.0%} of what the reference adds to the question, by weight, is in the answer."
    if measured.missing_numbers:
        numbers = ", ".join(f"{n.value:g}" for n in measured.missing_numbers)
        text += f" It lacks {numbers}."
    conflicting = bool(measured.missing_numbers) and bool(numerals_in(answer.lower()))
    if share >= SAID and not conflicting:
        sure = share >= 0.9 and measured.clues.neg_xor == 0
        return Comparison(
            Correctness.PASS, 0.9 if sure else 0.7, text, doubt or ("" if sure else _PARAPHRASED)
        )
    if share >= PARTLY_SAID:
        partial = Correctness.PARTIAL
        return Comparison(partial, 0.45, text, doubt or _PARAPHRASED)
    sure = share < 0.1 and not doubt
    return Comparison(Correctness.FAIL, 0.1 if sure else 0.25, text, doubt or _PARAPHRASED)


_PARAPHRASED = "it may say the same in other words"


def _plain(text: str) -> tuple[str, ...]:
    """Return the words of a text without accents, articles and punctuation, in lower case."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    bare = "".join(c for c in decomposed if not unicodedata.combining(c))
    words = [word.replace(",", "") for word in _WORD.findall(bare)]
    return tuple(word for word in words if word not in _ARTICLES) or tuple(words)


def _holds(words: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    size = len(wanted)
    return any(words[i : i + size] == wanted for i in range(len(words) - size + 1))


def _denied(answer: str, wanted: tuple[str, ...]) -> bool:
    """Whether the only sentence that holds the wanted words is negated."""
    tokens = words_of(answer).tokens
    return len(tokens) <= 40 and bool(set(tokens) & NEGATIONS) and not set(wanted) & NEGATIONS


def _is_name(reference: str) -> bool:
    """Whether a reference is a name: its words are capitalised."""
    words = [w for w in _WORD.findall(reference) if w.lower() not in _ARTICLES]
    return bool(words) and all(w[0].isupper() for w in words)
