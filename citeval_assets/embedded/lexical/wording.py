"""Verdicts in words: what was found where, what is missing, and why a person should look."""

from collections.abc import Iterator

from citeval_assets.embedded.lexical.conflicts import nearest_number, shown
from citeval_assets.embedded.lexical.passages import PassageSentence
from citeval_assets.embedded.lexical.scoring import strongest
from citeval_assets.embedded.lexical.verdicts import Judgement, Support

LOW_CONFIDENCE = "Low confidence: "
"""Opens the explanation of every verdict a person should look at."""

_MAX_SENTENCE = 240
_MAX_WORDS = 6
_CLUE_NAMES = {
    "wrec_fuzzy": "words of the claim that the passage holds",
    "wrec": "words of the claim that the passage holds",
    "rec": "words of the claim that the passage holds",
    "best1": "words held by one sentence",
    "best3": "words held by three sentences",
    "win3": "words held by neighbouring sentences",
    "prec_best": "how much of the sentence the claim uses",
    "lcs": "words in the same order",
    "order": "words in the same order",
    "partial": "letters in common",
    "trigram": "runs of words copied",
    "mass": "how many telling words were found",
    "num_miss": "missing numbers",
    "num_miss_any": "missing numbers",
    "num_swap": "missing numbers",
    "ent_miss_n": "missing names",
    "ant": "opposite words",
    "neg_xor": "negation",
    "dir_clash": "rise against fall",
    "nmiss": "missing words",
    "maxidf_miss": "a missing rare word",
    "asked": "the words of the question around it",
    "univ_c_only": "all, first or never",
}


def explanation(judgement: Judgement) -> str:
    """Return why a claim got its verdict, in a few sentences."""
    if not judgement.unsure:
        return findings(judgement)
    return f"{LOW_CONFIDENCE}{'; '.join(judgement.doubts)}. {findings(judgement)}"


def findings(judgement: Judgement) -> str:
    """Return what was found, without the doubts."""
    return " ".join(_sentences(judgement))


def _sentences(judgement: Judgement) -> Iterator[str]:
    best = judgement.measured.best
    if best is None:
        yield "The passage is empty."
        return
    share = judgement.measured.clues.wrec
    yield f"{share:.0%} of the claim's words, by weight, stand in the passage."
    if judgement.conflict is not None:
        claimed, found = judgement.conflict.claimed, judgement.conflict.found
        yield f"It says {claimed} where the passage says {found}."
    yield f"Nearest sentence, {located(best)}: {quoted(best)}"
    further = judgement.measured.further
    if further:
        yield f"More of it: {'; '.join(located(sentence) for sentence in further)}."
    yield from _missing(judgement)
    if judgement.lacking:
        clauses = "; ".join(f"“{clause}”" for clause in judgement.lacking[:3])
        yield f"Found no support for: {clauses}."
    yield from _weak_notes(judgement)
    reasons = ", ".join(dict.fromkeys(_CLUE_NAMES.get(n, n) for n, _ in _reasons(judgement)))
    yield f"Weighed most: {reasons}."


def _reasons(judgement: Judgement) -> list[tuple[str, float]]:
    return list(strongest(judgement.measured.clues))


def _missing(judgement: Judgement) -> Iterator[str]:
    measured = judgement.measured
    lowered = judgement.claim.text.lower()
    for number in measured.missing_numbers[:_MAX_WORDS]:
        near = nearest_number(measured, number.value)
        nearest = f" (nearest there: {near})" if near else ""
        yield f"Missing number: {shown(lowered, number)}{nearest}."
    if measured.missing_names:
        yield f"Missing names: {', '.join(measured.missing_names[:_MAX_WORDS])}."
    spelled = dict(zip(judgement.claim.words.stems, judgement.claim.words.tokens, strict=True))
    words = [spelled.get(stem, stem) for stem in measured.missing]
    known = set(measured.missing_names)
    words = [w for w in words if w not in known and not any(c.isdigit() for c in w)]
    if words and judgement.support is not Support.FULL:
        more = f" and {len(words) - _MAX_WORDS} more" if len(words) > _MAX_WORDS else ""
        yield f"Missing words: {', '.join(words[:_MAX_WORDS])}{more}."


def _weak_notes(judgement: Judgement) -> Iterator[str]:
    clues = judgement.measured.clues
    notes = [f"“{own}” against “{other}”" for own, other in judgement.measured.opposites[:2]]
    if clues.neg_xor:
        notes.append("a negation on one side only")
    if clues.dir_clash:
        notes.append("one side rises, the other falls")
    if clues.hedge_b_only:
        notes.append("only the passage hedges")
    if notes:
        yield f"Weak signs, which decide nothing: {'; '.join(notes)}."


def located(sentence: PassageSentence) -> str:
    """Return where a sentence stands: passage and characters."""
    return f"characters {sentence.start}-{sentence.end} of passage {sentence.passage_id}"


def quoted(sentence: PassageSentence) -> str:
    """Return a sentence in quotation marks, on one line and cut where it is long."""
    text = " ".join(sentence.text.split())
    return f"“{text}”" if len(text) <= _MAX_SENTENCE else f"“{text[:_MAX_SENTENCE]}…”"
