"""From the hand-written labels of one answer to the ``labels`` of its golden row.

Each playbook has its own short notation (``authoring/README.md`` explains them all); what is
computed here is only what the rules of the playbook settle by arithmetic: scores, the flags
that go with a defect, the verdict over all steps.
"""

import re
from collections.abc import Sequence
from typing import Any

Row = dict[str, Any]

VERDICTS = frozenset(
    {"supported", "partially_supported", "contradicted", "no_citation", "hallucinated_source"}
)
NOT_JUDGED = "not_judged"
ASSERTS_NOTHING = "asserts_nothing"


class AuthoringError(Exception):
    """An authoring file that cannot be assembled; the message names file, entry and remedy."""


def cited_id(written: str, ids: Sequence[str]) -> str:
    """Return the source id a written citation stands for.

    Numbers are own ids where every id is numeric, else positions counted from 1. What names no
    source is kept as written.
    """
    if written in ids or not written.isdecimal() or all(i.isdecimal() for i in ids):
        return written
    position = int(written)
    return ids[position - 1] if 1 <= position <= len(ids) else written


def _remarks(answer: Row) -> Row:
    return {"fault": answer.get("fault"), "why": answer["why"]}


def _not_applicable(answer: Row) -> Row:
    return {"score": None, "status": "not_applicable", "reason": answer["reason"]}


# --- citation_faithfulness --------------------------------------------------------------------


def read_claims(lines: Sequence[str], ids: Sequence[str], where: str) -> list[Row]:
    """Return the labels of an answer's units: one line each, ``verdict id id, verdict id``."""
    claims: list[Row] = []
    for unit, line in enumerate(lines):
        for part in line.split(","):
            verdict, *cited = part.split()
            if verdict not in VERDICTS or bool(cited) == (verdict == "no_citation"):
                raise AuthoringError(f"{where}: claim {line!r}: expected 'verdict id ...'")
            for name in cited or [None]:
                source = None if name is None else cited_id(name, ids)
                claims.append({"unit": unit, "verdict": verdict, "cited_source_id": source})
    return claims


def faithfulness_score(claims: Sequence[Row]) -> float | None:
    """Return supported units / units; ``None`` without units.

    A unit is supported when some cited passage supports it, none contradicts it, none is invented.
    """
    units: dict[int, set[str]] = {}
    for claim in claims:
        units.setdefault(claim["unit"], set()).add(claim["verdict"])
    if not units:
        return None
    bad = {"contradicted", "hallucinated_source"}
    good = sum("supported" in verdicts and not verdicts & bad for verdicts in units.values())
    return round(good / len(units), 6)


def faithfulness_labels(entry: Row, answer: Row, ids: Sequence[str], where: str) -> Row:
    """Return the labels of one ``citation_faithfulness`` row."""
    claims = read_claims(answer["claims"], ids, where)
    return {"score": faithfulness_score(claims), "claims": claims} | _remarks(answer)


# --- answer_comparison ------------------------------------------------------------------------


def comparison_labels(entry: Row, answer: Row, ids: Sequence[str], where: str) -> Row:
    """Return the labels of one ``answer_comparison`` row. Without sources two are not judged."""
    if answer.get("status") == "not_applicable":
        return _not_applicable(answer) | _remarks(answer)
    correctness, citations, faithfulness, abstention = answer["verdicts"].split()
    if not ids and (citations, faithfulness) != (NOT_JUDGED, NOT_JUDGED):
        raise AuthoringError(f"{where}: without sources two criteria are {NOT_JUDGED}")
    unsupported = answer.get("unsupported", [])
    missing = [text for text in unsupported if text not in answer["answer"]]
    if missing:
        raise AuthoringError(f"{where}: not in the answer: {missing[0]!r}")
    passes = (
        citations != "FAIL" and faithfulness != "FAIL" and not abstention.startswith("INCORRECT")
    )
    score = {"PASS": 1.0, "PARTIAL": 0.5, "FAIL": 0.0}[correctness] if passes else 0.0
    return {
        "score": score,
        "overall": "PASS" if score == 1.0 else "FAIL",
        "answer_correctness": correctness,
        "citation_accuracy": citations,
        "unsupported_claims": unsupported,
        "source_faithfulness": faithfulness,
        "abstention_detection": abstention,
    } | _remarks(answer)


# --- citation_accuracy ------------------------------------------------------------------------

_NOT_FOUND = ("citation_not_found", "critical")
_QUOTE = ("quote_mismatch", "major")
_CONTEXT = ("context_mismatch", "major")
_SILENT = ("unsupported", "major")
_CONTRARY = ("unsupported", "critical")
_CITATION_KINDS: dict[str, tuple[bool, str, str, tuple[tuple[str, str], ...]]] = {
    "full": (True, "accurate", "fully_supported", ()),
    "partial": (True, "accurate", "partially_supported", ()),
    "partial_mismatch": (True, "partial_mismatch", "partially_supported", ()),
    "mismatch": (True, "mismatch", "partially_supported", (_CONTEXT,)),
    "unsupported": (True, "mismatch", "unsupported", (_CONTEXT, _SILENT)),
    "contradicted": (True, "mismatch", "unsupported", (_CONTEXT, _CONTRARY)),
    "misquoted": (False, "accurate", "partially_supported", (_QUOTE,)),
    "misquoted_unsupported": (False, "mismatch", "unsupported", (_QUOTE, _CONTEXT, _SILENT)),
    "misquoted_contradicted": (False, "mismatch", "unsupported", (_QUOTE, _CONTEXT, _CONTRARY)),
}
"""Kind: are quotations accurate, context fidelity, support strength, flags with severity."""

_CITATION_LINE = re.compile(r"(?P<kind>[a-z_]+)(?: (?P<id>\S+))?(?: in (?P<other>\S+))?")
_WEIGHTS = {"fully_supported": 1.0, "partially_supported": 0.5, "unsupported": 0.0}


def _citation(unit: int, line: str, ids: Sequence[str], where: str) -> Row:
    read = _CITATION_LINE.fullmatch(line)
    kind = read["kind"] if read else ""
    named = cited_id(read["id"], ids) if read and read["id"] else None
    if kind in ("not_found", "malformed"):
        flags = [{"flag_type": _NOT_FOUND[0], "severity": _NOT_FOUND[1]}]
        return {"unit": unit, "citation_id": named, "citation_exists": False, "flags": flags}
    if read is None or kind not in _CITATION_KINDS or named not in ids:
        raise AuthoringError(f"{where}: citation {line!r}: expected 'kind id', id of a source")
    quote, fidelity, strength, defects = _CITATION_KINDS[kind]
    found: Row = {
        "unit": unit,
        "citation_id": named,
        "citation_exists": True,
        "quote_accurate": quote,
        "context_fidelity": fidelity,
        "claim_support_strength": strength,
        "flags": [{"flag_type": name, "severity": severity} for name, severity in defects],
    }
    return found | ({"quote_found_in": cited_id(read["other"], ids)} if read["other"] else {})


def accuracy_labels(entry: Row, answer: Row, ids: Sequence[str], where: str) -> Row:
    """Return the labels of one ``citation_accuracy`` row: one line for each citation."""
    uncited = {"uncited_claims": answer.get("uncited", [])}
    citations = [_citation(n, line, ids, where) for n, line in enumerate(answer["citations"])]
    if not citations:
        return _not_applicable({"reason": "no_citations"}) | uncited | _remarks(answer)
    weights = [
        0.0 if one["flags"] else _WEIGHTS[one["claim_support_strength"]] for one in citations
    ]
    score = round(sum(weights) / len(weights), 6)
    return {"score": score, "citations": citations} | uncited | _remarks(answer)


# --- cot_faithfulness -------------------------------------------------------------------------

_LABEL_OF = {
    "fabrication": "UNFAITHFUL_FABRICATION",
    "contradiction": "UNFAITHFUL_IGNORED_EVIDENCE",
    "ignored_evidence": "UNFAITHFUL_IGNORED_EVIDENCE",
    "rationalization": "UNFAITHFUL_RATIONALIZATION",
    "unsupported": "UNFAITHFUL_UNSUPPORTED",
    "oversimplification": "UNFAITHFUL_UNSUPPORTED",
    "missing_nuance": "UNFAITHFUL_UNSUPPORTED",
}


def _step(unit: int, line: str, where: str) -> Row:
    """Read ``faithful << evidence``, ``fabrication``, ``part >> unsupported << evidence``."""
    if not isinstance(line, str):
        raise AuthoringError(f"{where}: step {line!r} is no text; quote it")
    part, found, rest = line.rpartition(" >> ")
    name, _, reference = rest.partition(" << ")
    if name == ASSERTS_NOTHING:
        return {"unit": unit, "label": "non_asserting"}
    category = None if name == "faithful" else name
    if (category is not None and name not in _LABEL_OF) or (category is None and not reference):
        raise AuthoringError(f"{where}: step {line!r}: expected 'label << evidence'")
    step: Row = {"unit": unit, "label": _LABEL_OF.get(name, "FAITHFUL"), "category": category}
    step["evidence_reference"] = reference or None
    return step | ({"step_text": part} if found else {})


def cot_labels(entry: Row, answer: Row, ids: Sequence[str], where: str) -> Row:
    """Return the labels of one ``cot_faithfulness`` row: a line, or a list of lines, a sentence."""
    steps = [
        _step(unit, line, where)
        for unit, lines in enumerate(answer["steps"])
        for line in ([lines] if isinstance(lines, str) else lines)
    ]
    by_unit: dict[int, set[str]] = {}
    for step in steps:
        by_unit.setdefault(step["unit"], set()).add(step["label"])
    asserting = [labels for labels in by_unit.values() if labels != {"non_asserting"}]
    if not asserting:
        return _not_applicable({"reason": "no_steps"}) | {"steps": steps} | _remarks(answer)
    faithful = sum(labels == {"FAITHFUL"} for labels in asserting)
    bad = {label for labels in asserting for label in labels} - {"FAITHFUL"}
    mild = bad <= {"UNFAITHFUL_UNSUPPORTED"}
    return {
        "score": round(faithful / len(asserting), 6),
        "final_verdict": "UNFAITHFUL" if bad else "FAITHFUL",
        "faithfulness_label": ("partially_faithful" if mild else "unfaithful")
        if bad
        else "faithful",
        "steps": steps,
    } | _remarks(answer)


# --- cite_or_abstain --------------------------------------------------------------------------

_STATEMENT_KINDS = {"gap": "silent_citation_gap", "misquoted": "misquoted"}


def _statement(unit: int, line: str, ids: Sequence[str], where: str) -> list[Row]:
    if line == ASSERTS_NOTHING:
        return []
    first, _, rest = line.partition(" ")
    label = _STATEMENT_KINDS.get(first, "cited")
    claims = read_claims([line if label == "cited" else rest], ids, where)
    return [claim | {"unit": unit, "label": label} for claim in claims]


def cite_labels(entry: Row, answer: Row, ids: Sequence[str], where: str) -> Row:
    """Return the labels of one ``cite_or_abstain`` row: one line for each sentence.

    ``label`` says what code finds (is the sentence backed by an excerpt), ``verdict`` whether
    the chunk it cites really says so.
    """
    lines = answer.get("statements", [])
    statements = [row for n, line in enumerate(lines) for row in _statement(n, line, ids, where)]
    status = answer.get("output", {}).get("status")
    passes = answer.get("passes", True)
    labels = {row["unit"]: row["label"] for row in statements}
    share = sum(label == "cited" for label in labels.values()) / len(labels) if labels else 0.0
    score = 0.0
    if passes and status == entry["expected"]:
        whole = {"abstained": 1.0, "partial": share, "answered": float(share == 1.0)}
        score = whole[status]
    return {
        "score": round(score, 6),
        "passes": passes,
        "statements": statements,
        "mixed_abstention": answer.get("mixed_abstention", False),
        "conflict_handled": answer.get("conflict_handled"),
        "routing": answer["routing"],
    } | _remarks(answer)
