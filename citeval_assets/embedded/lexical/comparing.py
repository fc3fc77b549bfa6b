"""The output of ``answer_comparison``."""

from dataclasses import dataclass
from typing import Any

from citeval_assets.embedded.calibration import Calibration
from citeval_assets.embedded.lexical.matching import Comparison, Correctness, compare
from citeval_assets.embedded.lexical.passages import EvidenceCache
from citeval_assets.embedded.lexical.supporting import Bench
from citeval_assets.embedded.lexical.verdicts import Judgement, Support
from citeval_assets.embedded.lexical.wording import LOW_CONFIDENCE
from citeval_assets.embedded.overlap_answers import declines
from citeval_assets.playbooks.view import ModelView
from citeval_assets.text.abstention import is_abstention
from citeval_assets.text.assertions import asserts
from citeval_assets.text.markers import attach_citations, scan_citations, without_citations
from citeval_assets.text.references import claim_sentences


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    judgement: Judgement


def compare_answer(
    view: ModelView, cache: EvidenceCache, calibration: Calibration
) -> dict[str, Any]:
    """Return the output of ``answer_comparison``."""
    answer, reference = view.answer or "", view.reference_answer or ""
    ids = tuple(passage.id for passage in view.passages)
    scan = scan_citations(answer, ids)
    abstains, answerable = is_abstention(answer), not declines(reference)
    found = _correctness(view, without_citations(answer, scan), abstains, answerable)
    sentences = _sentences(view, Bench(view, cache, calibration)) if not abstains else []
    bad = [s for s in sentences if s.judgement.support is Support.NONE]
    unsure = [s for s in sentences if s.judgement.unsure]
    cites = any(citation.resolved for citation in scan.citations)
    citations = ("FAIL" if bad else "PASS") if cites else "NO_CITATIONS"
    abstention = _abstention(abstains, answerable, found.correctness)
    passed = (
        found.correctness is Correctness.PASS
        and citations != "FAIL"
        and not bad
        and abstention.startswith("CORRECT")
    )
    said = _said_of_sources(sentences, bad, unsure)
    grades = {"confidence": 0.5 if unsure else 0.8, "unsure": bool(unsure)}
    return {
        "overall_score": "PASS" if passed else "FAIL",
        "answer_correctness": _correctness_reply(found),
        "citation_accuracy": {
            "score": citations,
            "unsupported_claims": [s.text for s in bad],
            "explanation": said,
            **grades,
        },
        "source_faithfulness": {
            "score": "FAIL" if bad else "PASS",
            "explanation": said,
            **grades,
        },
        "abstention_detection": {
            "score": abstention,
            "explanation": "Whether answer and reference decline, by their wording.",
            "unsure": bool(found.doubt) and abstention in ("CORRECT_ANSWER", "INCORRECT_ANSWER"),
        },
    }


def _correctness(view: ModelView, answer: str, abstains: bool, answerable: bool) -> Comparison:
    if abstains or not answerable:
        right = abstains and not answerable
        verdict = Correctness.PASS if right else Correctness.FAIL
        text = "Both decline." if right else "Only one of answer and reference declines."
        return Comparison(verdict, 0.95 if right else 0.05, text)
    return compare(answer, view.reference_answer or "", view.question)


def _correctness_reply(found: Comparison) -> dict[str, Any]:
    passed = found.correctness is Correctness.PASS
    lead = f"{LOW_CONFIDENCE}{found.doubt}. " if found.doubt else ""
    return {
        "score": str(found.correctness),
        "explanation": lead + found.text,
        "confidence": round(found.likelihood if passed else 1 - found.likelihood, 3),
        "unsure": bool(found.doubt),
    }


def _sentences(view: ModelView, bench: Bench) -> list[_Sentence]:
    """Judge the asserting sentences of an answer by what they cite, else by all sources."""
    if not view.passages:
        return []
    answer = view.answer or ""
    ids = tuple(passage.id for passage in view.passages)
    found = claim_sentences(answer)
    attached = attach_citations(found, scan_citations(answer, ids))
    judged: list[_Sentence] = []
    for sentence, citations in zip(found, attached, strict=True):
        if not asserts(sentence.text, view.question):
            continue
        cited = tuple(dict.fromkeys(c.source_id for c in citations if c.source_id is not None))
        judged.append(_Sentence(sentence.text, bench.judge(sentence.text, cited or ids)))
    return judged


def _said_of_sources(
    sentences: list[_Sentence], bad: list[_Sentence], unsure: list[_Sentence]
) -> str:
    if not sentences:
        return "No sentence of the answer is to be compared with the sources."
    text = f"{len(bad)} of {len(sentences)} sentences not found in their sources"
    if not unsure:
        return f"{text}."
    doubts = dict.fromkeys(doubt for s in unsure for doubt in s.judgement.doubts)
    return (
        f"{LOW_CONFIDENCE}{text}; {len(unsure)} left to a person ({'; '.join(list(doubts)[:3])})."
    )


def _abstention(abstains: bool, answerable: bool, correctness: Correctness) -> str:
    """Return the abstention score that is possible for such an answer."""
    if abstains:
        return "INCORRECT_ABSTENTION" if answerable else "CORRECT_ABSTENTION"
    if not answerable:
        return "INCORRECT_ANSWER"
    return "INCORRECT_ANSWER" if correctness is Correctness.FAIL else "CORRECT_ANSWER"
