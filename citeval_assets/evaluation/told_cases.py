"""Cases told in full: the text, the passage it cites, what each judge says, and what is true."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from citeval_assets.evaluation.inputs import CompletedCase
from citeval_assets.evaluation.project import Cell
from citeval_assets.evaluation.summaries import Summary
from citeval_assets.playbooks.cases import Labels, TestCase
from citeval_assets.warehouse.duck import Connection
from citeval_assets.warehouse.evidence import JudgesWord, judges_words

_FULL = 1 - 1e-9
_FINDINGS = 2
_GOOD_LABELS = {
    "claims": ("verdict", "supported"),
    "citations": ("claim_support_strength", "fully_supported"),
    "steps": ("label", "FAITHFUL"),
}
"""Where a case keeps the labels of its parts, under which name, and which one is good."""


class SaidOfIt(Summary):
    """What one judge said of one thing."""

    judge: str
    verdict: str
    why: str


class ToldFinding(Summary):
    """One thing that cost a case its score: the text, the passage it cites, and why."""

    kind: str
    text: str
    verdict: str
    why: str
    passage_id: str | None = None
    passage: str | None = None
    said: tuple[SaidOfIt, ...] = ()


class ToldCase(Summary):
    """One case in full. ``truth`` is the reason of its label, where it has one.

    ``before`` and ``after`` are the scores of the baseline and of the told system; of a case on
    which a judge was fooled, both are the told system's: by its label, and by the judge.
    """

    playbook: str
    test_case_id: str
    question: str
    before: float
    after: float
    findings: tuple[ToldFinding, ...]
    truth: str | None = None


CaseKey = tuple[str, str]
"""(test case, system)."""


def by_key(cases: Sequence[CompletedCase]) -> dict[CaseKey, TestCase]:
    """Return the cases by id and system."""
    found = (completed.loaded.case for completed in cases)
    return {(case.test_case_id, case.system): case for case in found}


def label_of(case: TestCase | None) -> float | None:
    """Return the labelled score of a case, by a person or by construction."""
    return case.labels.score if case is not None and case.labels is not None else None


def lost_case(
    connection: Connection,
    cell: Cell,
    case: TestCase,
    before: float,
    after: float,
) -> ToldCase | None:
    """Tell a case on which a system lost; nothing where no finding of it says why.

    Where the parts of the case are labelled, only findings the labels confirm are told.
    """
    words = _words(connection, cell, case)
    faulty = _faulty_parts(case)
    told = [
        word
        for word in words
        if word.model == cell.model
        and word.weight < 1
        and (faulty is None or word.unit_number in faulty)
    ]
    return _told(cell, case, before, after, told, words) if told else None


def fooled_case(
    connection: Connection,
    cell: Cell,
    case: TestCase,
    judged: float,
) -> ToldCase | None:
    """Tell a faulty case the judge of a cell passed, by a part another judge did not pass."""
    words = _words(connection, cell, case)
    faulty = _faulty_parts(case)
    doubted = {_place(w) for w in words if w.model != cell.model and w.weight < 1}
    told = [
        word
        for word in words
        if word.model == cell.model
        and word.weight == 1
        and _place(word) in doubted
        and (faulty is None or word.unit_number in faulty)
    ]
    return _told(cell, case, label_of(case) or 0.0, judged, told, words) if told else None


def _words(connection: Connection, cell: Cell, case: TestCase) -> Sequence[JudgesWord]:
    return judges_words(
        connection, cell.playbook, cell.prompt_version, case.test_case_id, case.system
    )


def _place(word: JudgesWord) -> tuple[int, str | None]:
    return word.unit_number, word.source_id


def _told(
    cell: Cell,
    case: TestCase,
    before: float,
    after: float,
    told: Sequence[JudgesWord],
    words: Sequence[JudgesWord],
) -> ToldCase:
    texts = {source.id: source.text for source in case.unique_sources}
    further = case.labels.model_extra if case.labels is not None else None
    truth = (further or {}).get("why")
    return ToldCase(
        playbook=cell.playbook,
        test_case_id=case.test_case_id,
        question=case.question,
        before=before,
        after=after,
        findings=tuple(_finding(word, texts, words) for word in _once(told)[:_FINDINGS]),
        truth=truth if isinstance(truth, str) else None,
    )


def _once(told: Sequence[JudgesWord]) -> list[JudgesWord]:
    return list({word.unit_number: word for word in reversed(told)}.values())[::-1]


def _finding(
    word: JudgesWord, texts: Mapping[str, str], words: Sequence[JudgesWord]
) -> ToldFinding:
    passage = texts.get(word.source_id or "")
    same = {w.model: w for w in reversed(words) if _place(w) == _place(word)}
    return ToldFinding(
        kind=word.unit,
        text=word.text,
        verdict=_verdict(word),
        why=word.explanation,
        passage_id=word.source_id,
        passage=None if passage is None else " ".join(passage.split()),
        said=tuple(
            SaidOfIt(judge=model, verdict=_verdict(w), why=w.explanation)
            for model, w in sorted(same.items(), key=lambda item: item[0] != word.model)
        ),
    )


def _verdict(word: JudgesWord) -> str:
    return ", ".join(dict.fromkeys((word.label, *word.flags)))


def _faulty_parts(case: TestCase) -> frozenset[int] | None:
    """Return the numbers of the parts whose labels say that they are wrong; ``None``: unknown."""
    if case.labels is None:
        return None
    found: set[int] = set()
    known = False
    for row, name, good in _labelled_parts(case.labels):
        known = True
        number = row.get("unit")
        if isinstance(number, int) and (row.get(name) != good or row.get("flags")):
            found.add(number)
    return frozenset(found) if known else None


def _labelled_parts(labels: Labels) -> Iterator[tuple[Mapping[str, Any], str, str]]:
    for field, (name, good) in _GOOD_LABELS.items():
        rows = (labels.model_extra or {}).get(field)
        for row in cast("list[object]", rows) if isinstance(rows, list) else []:
            if isinstance(row, Mapping) and name in row:
                yield cast("Mapping[str, Any]", row), name, good
