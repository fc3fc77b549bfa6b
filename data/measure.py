"""Measure the golden rows: what they are made of, and how far a naive judge gets with them.

``python data/measure.py`` prints, for each playbook, counts by language, field, risk, label and
fault, and the balanced accuracy of ``embedded/overlap-0`` (which only counts shared words)
against the labels, unit by unit. A set in which shared words told everything would measure
nothing; one in which they pointed the wrong way would reward a broken judge.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

from citeval_assets.embedded.registry import embedded_model
from citeval_assets.playbooks.attempts import Reply
from citeval_assets.playbooks.registry import all_playbooks, get_playbook
from citeval_assets.playbooks.report import Finding, Report
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.settling import settle
from citeval_assets.text.references import claim_sentences

GOLDEN = Path(__file__).resolve().parent / "golden"
JUDGE = "embedded/overlap-0"
DECIDED_BY_CODE = frozenset({"no_citation", "hallucinated_source"})

Row = dict[str, Any]
Pair = tuple[bool, bool]
"""Whether a unit is right by its label, and whether the naive judge says so."""


def read_rows(playbook: str) -> list[Row]:
    """Return the golden rows of a playbook."""
    lines = (GOLDEN / f"{playbook}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def judged(playbook: str, row: Row) -> Report | None:
    """Return the report of the naive judge; ``None`` where there is nothing to judge."""
    recipe = get_playbook(playbook)
    ready = recipe.prepare(recipe.case_type.model_validate(row), DomainRules())
    if ready.not_applicable is not None:
        return None
    reply = Reply(embedded_model(JUDGE).reply(ready.view), "stop")
    found = settle(recipe, ready, [reply])
    if not isinstance(found, Report):
        raise TypeError(f"{row['test_case_id']}: the judge's answer did not pass: {found}")
    return found


def as_answer(row: Row) -> Row | None:
    """Return a recorded output as a case of ``citation_faithfulness``, as the pipeline does."""
    try:
        answer = json.loads(row["recorded_output"])["answer"]
    except ValueError:
        return None
    kept = ("test_case_id", "system", "question", "sources", "risk_level")
    return {name: row[name] for name in kept} | {"answer": answer} if answer else None


def _verdicts(claims: list[Row]) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for claim in claims:
        found.setdefault(claim["unit"], set()).add(claim["verdict"])
    return found


def _supported(verdicts: set[str]) -> bool:
    return "supported" in verdicts and not verdicts & {"contradicted", "hallucinated_source"}


def pairs_of(playbook: str, row: Row, found: Report) -> Iterator[Pair]:
    """Yield one pair for each unit that a judge is needed for."""
    labels = row["labels"]
    if playbook == "answer_comparison":
        yield labels["score"] == 1.0, found.score == 1.0
    elif playbook == "citation_accuracy":
        for one, finding in zip(labels["citations"], found.findings, strict=True):
            if one["citation_exists"]:
                full = one["claim_support_strength"] == "fully_supported" and not one["flags"]
                yield full, finding.weight == 1.0
    elif playbook == "cot_faithfulness":
        said = {f.unit_number: f.weight == 1.0 for f in found.findings}
        gold: dict[int, bool] = {}
        for step in labels["steps"]:
            if step["label"] != "non_asserting":
                right = step["label"] == "FAITHFUL"
                gold[step["unit"]] = gold.get(step["unit"], True) and right
        yield from ((right, said[unit]) for unit, right in gold.items())
    else:
        gold_verdicts = _verdicts(labels.get("claims") or labels["statements"])
        said_verdicts: dict[int, set[str]] = {}
        for finding in found.findings:
            unit = _sentence(row, finding) if playbook == "cite_or_abstain" else finding.unit_number
            said_verdicts.setdefault(unit, set()).add(finding.label)
        for unit, verdicts in gold_verdicts.items():
            if not verdicts & DECIDED_BY_CODE:
                yield _supported(verdicts), _supported(said_verdicts[unit])


def _sentence(row: Row, finding: Finding) -> int:
    """Return the number of a claim among all sentences of an output, stating or not."""
    sentences = claim_sentences(json.loads(row["recorded_output"])["answer"])
    starts = (n for n, s in enumerate(sentences) if s.end > (finding.char_start or 0))
    return next(starts)


def balanced_accuracy(pairs: list[Pair]) -> tuple[float, float, float]:
    """Return balanced accuracy, the share of right units and of wrong units it recognises."""
    right = [said for gold, said in pairs if gold]
    wrong = [not said for gold, said in pairs if not gold]
    return (fmean(right) + fmean(wrong)) / 2, fmean(right), fmean(wrong)


def naive_judge(playbook: str, rows: list[Row]) -> Row:
    """Return what the naive judge makes of the rows."""
    pairs: list[Pair] = []
    scores: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        judged_playbook, case = playbook, row
        if playbook == "cite_or_abstain":
            answer = as_answer(row)
            if answer is None or not row["labels"]["statements"]:
                continue
            judged_playbook, case = "citation_faithfulness", answer
        found = judged(judged_playbook, case)
        if found is None or found.score is None:
            continue
        pairs += pairs_of(playbook, row, found)
        scores.setdefault(row["system"], []).append((found.score, row["labels"]["score"]))
    accuracy, right, wrong = balanced_accuracy(pairs)
    return {
        "units": len(pairs),
        "right units": sum(gold for gold, _ in pairs),
        "balanced accuracy": round(accuracy, 3),
        "recognised right": round(right, 3),
        "recognised wrong": round(wrong, 3),
        "mean score by the judge": {s: round(fmean(j for j, _ in v), 3) for s, v in scores.items()},
        "mean score by the labels": {
            s: round(fmean(g for _, g in v), 3) for s, v in scores.items()
        },
    }


def unit_labels(playbook: str, row: Row) -> Iterator[str]:
    """Yield every label value of a row."""
    labels = row["labels"]
    for claim in labels.get("claims", []):
        yield claim["verdict"]
    for one in labels.get("citations", []):
        flags = "+".join(flag["flag_type"] for flag in one["flags"])
        strength = one.get("claim_support_strength", "no source")
        fidelity = one.get("context_fidelity", "")
        yield " ".join(filter(None, (strength, fidelity, flags and f"({flags})")))
    for step in labels.get("steps", []):
        yield step.get("category") or step["label"]
    for one in labels.get("statements", []):
        yield f"{one['label']}: {one['verdict']}"
    if playbook == "answer_comparison":
        yield f"correctness {labels.get('answer_correctness', 'not applicable')}"
        yield f"abstention {labels.get('abstention_detection', 'not applicable')}"
    if playbook == "cite_or_abstain":
        yield f"expected {row['expected_status']}"
        yield f"routing {labels['routing']}"


def composition(playbook: str, rows: list[Row]) -> Row:
    """Return the counts of a playbook's rows."""

    def by_system(rows: list[Row]) -> Row:
        return dict(sorted(Counter(row["system"] for row in rows).items()))

    faulty = [row for row in rows if row["labels"]["fault"]]
    return {
        "questions": len({row["test_case_id"] for row in rows}),
        "rows": len(rows),
        "languages": dict(Counter(row["language"] for row in rows).most_common()),
        "fields": dict(Counter(tag for r in rows for tag in _fields(r)).most_common()),
        "other tags": dict(
            Counter(tag for r in rows for tag in r["tags"] if tag not in _fields(r)).most_common()
        ),
        "risk": dict(Counter(row["risk_level"] for row in rows).most_common()),
        "rows with a planted fault": by_system(faulty),
        "faults": dict(Counter(row["labels"]["fault"] for row in faulty).most_common()),
        "labels": dict(
            Counter(x for row in rows for x in unit_labels(playbook, row)).most_common()
        ),
    }


def _fields(row: Row) -> list[str]:
    return [tag for tag in row["tags"] if "_" not in tag]


def main() -> int:
    """Print the measures as JSON; with names of playbooks, those only."""
    chosen = sys.argv[1:] or sorted(all_playbooks())
    for playbook in chosen:
        rows = read_rows(playbook)
        measures = composition(playbook, rows) | {"naive judge": naive_judge(playbook, rows)}
        sys.stdout.write(json.dumps({playbook: measures}, ensure_ascii=False, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
