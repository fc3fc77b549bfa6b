"""An answer against its reference, judged by shared words."""

import re
from typing import Any

from citeval_assets.embedded.words import covered, words_of
from citeval_assets.playbooks.view import ModelView
from citeval_assets.text.abstention import (
    abstains_first,
    is_abstention,
    is_abstention_sentence,
    says_not_in_sources,
)
from citeval_assets.text.assertions import asserts
from citeval_assets.text.markers import CitationScan, scan_citations, without_citations
from citeval_assets.text.references import claim_sentences

CORRECT_SHARE = 0.7
"""Share of what the reference adds to the question that the answer must hold to be correct."""

PARTLY_CORRECT_SHARE = 0.35
BACKED_SHARE = 0.5
"""Share of a sentence's words that must stand in the sources."""

_TELLS_NOTHING = re.compile(
    r"\b(?:do(?:es)?|did) not (?:say|state|name|give|mention|tell|specify|answer|contain)\b"
    r"|\b(?:says?|names?|gives?|states?|mentions?|contains?|offers?) (?:no|none|nothing)\b"
    r"|^there (?:is|are) (?:none|no)\b"
    r"|\b(?:has|have) no (?:answer|data|entry|figures?|information|mention|numbers?|word)\b"
    r"|\b(?:says?|names?|gives?|states?|mentions?)\b[^.;]{0,60}\bbut no\b"
    r"|\bonly (?:says?|names?|gives?|states?|mentions?)\b"
    r"|\b(?:says?|names?|gives?|states?|mentions?) only\b[^.;]{0,80}\bnot\b"
    r"|\b(?:sag(?:t|en)|nenn(?:t|en)|steh(?:t|en)|enthalten|enthält)\b[^.]{0,40}"
    r"\b(?:nichts|nicht|niemand(?:en)?|keine[nrs]?)\b"
    r"|\bne (?:dit|dis|précise|mentionne|contient)\b|\bno (?:dice|menciona|indica|contiene)\b",
    re.IGNORECASE,
)
"""How the reference of an unanswerable question is worded."""


def compare_answer(view: ModelView) -> dict[str, Any]:
    """Return the output of ``answer_comparison``."""
    answer = view.answer or ""
    ids = tuple(passage.id for passage in view.passages)
    scan = scan_citations(answer, ids)
    bare = without_citations(answer, scan)
    abstains = is_abstention(answer)
    answerable = not declines(view.reference_answer or "")
    correctness, share = _correctness(view, bare, abstains, answerable)
    unsupported = _unsupported(view, answer)
    citations = _citations(scan, unsupported)
    faithful = "FAIL" if unsupported else "PASS"
    abstention = _abstention(abstains, answerable, correctness)
    passed = (
        correctness == "PASS"
        and citations != "FAIL"
        and faithful == "PASS"
        and abstention.startswith("CORRECT")
    )
    return {
        "overall_score": "PASS" if passed else "FAIL",
        "answer_correctness": {
            "score": correctness,
            "explanation": f"{share:.0%} of what the reference adds stands in the answer.",
        },
        "citation_accuracy": {
            "score": citations,
            "unsupported_claims": unsupported,
            "explanation": f"{len(scan.citations)} citations, {len(unsupported)} bare sentences.",
        },
        "source_faithfulness": {
            "score": faithful,
            "explanation": "Each sentence compared with all sources by shared words.",
        },
        "abstention_detection": {
            "score": abstention,
            "explanation": "Whether answer and reference decline, by their wording.",
        },
    }


def declines(reference: str) -> bool:
    """Whether a reference says that there is no answer; read from its first sentence."""
    if is_abstention(reference) or abstains_first(reference):
        return True
    first = reference.split(". ")[0]
    return (
        is_abstention_sentence(first)
        or says_not_in_sources(first)
        or _TELLS_NOTHING.search(first) is not None
    )


def _correctness(
    view: ModelView, answer: str, abstains: bool, answerable: bool
) -> tuple[str, float]:
    if abstains or not answerable:
        right = abstains and not answerable
        return ("PASS", 1.0) if right else ("FAIL", 0.0)
    reference = words_of(view.reference_answer or "")
    added = reference - words_of(view.question) or reference
    share = covered(added, words_of(answer))
    if share >= CORRECT_SHARE:
        return "PASS", share
    return ("PARTIAL" if share >= PARTLY_CORRECT_SHARE else "FAIL"), share


def _unsupported(view: ModelView, answer: str) -> list[str]:
    """Return the asserting sentences whose words stand too little in the sources, verbatim."""
    if not view.passages:
        return []
    sources = frozenset[str]().union(*(words_of(passage.text) for passage in view.passages))
    ids = tuple(passage.id for passage in view.passages)
    found: list[str] = []
    for sentence in claim_sentences(answer):
        if not asserts(sentence.text, view.question):
            continue
        bare = without_citations(sentence.text, scan_citations(sentence.text, ids))
        if covered(words_of(bare), sources) < BACKED_SHARE:
            found.append(sentence.text)
    return found


def _citations(scan: CitationScan, unsupported: list[str]) -> str:
    if not scan.citations:
        return "NO_CITATIONS"
    return "FAIL" if unsupported else "PASS"


def _abstention(abstains: bool, answerable: bool, correctness: str) -> str:
    """Return the abstention score that is possible for such an answer."""
    if abstains:
        return "INCORRECT_ABSTENTION" if answerable else "CORRECT_ABSTENTION"
    if not answerable:
        return "INCORRECT_ANSWER"
    return "INCORRECT_ANSWER" if correctness == "FAIL" else "CORRECT_ANSWER"
