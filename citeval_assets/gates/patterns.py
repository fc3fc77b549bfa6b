"""Failure patterns: what kind of failure is it, whatever the case it occurs in?

A fingerprint names playbook, type, shape of the cited id and kind of unit, for example
``citation_faithfulness/hallucinated_source/a_9/claim:number``. The same failure on another
case has the same fingerprint, so that a kind of failure that is new can be told from one more of
a kind that is known.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fnmatch import fnmatchcase

from citeval_assets.config.gate_rules import AllowedFailure
from citeval_assets.gates.model import Failure, GateCase, NewPattern, Pair
from citeval_assets.playbooks.vocabulary import DecidedBy
from citeval_assets.text.quotes import quoted_spans
from citeval_assets.warehouse.gate_reading import FindingRow

Place = tuple[str, str, str]
"""(evaluation, test case, system)."""

INVENTED = ("hallucinated_source", "citation_not_found", "invented_source")
"""Types of failure that name a source nobody gave."""

_BRACKETED = re.compile(r"[\[(【][^\])】]{0,80}[\])】]")
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")
_WORDS = re.compile(r"(a[-_.: ])(?:a[-_.: ])+")
_SHAPE_CHARS = 24


def failures_by_place(
    playbook: str, findings: Iterable[FindingRow]
) -> dict[Place, tuple[Failure, ...]]:
    """Return the failures of each case, from the findings that cost it score."""
    found: defaultdict[Place, dict[str, Failure]] = defaultdict(dict)
    for row in findings:
        place = (row.evaluation_id, row.test_case_id, row.system)
        for kind in _types(row):
            print_ = "/".join((playbook, kind, source_shape(row.source_id), _unit_kind(row)))
            by_code = row.decided_by == DecidedBy.CODE
            known = found[place].setdefault(print_, Failure(print_, row.text, by_code))
            if by_code and not known.by_code:
                found[place][print_] = Failure(print_, known.text, by_code)
    return {place: tuple(failures.values()) for place, failures in found.items()}


def failures_of(
    playbook: str, case: GateCase, found: Mapping[Place, tuple[Failure, ...]]
) -> tuple[Failure, ...]:
    """Return all failures of a case: of its findings, and of the answer as a whole."""
    return (*found.get(case.place, ()), *_of_the_whole(playbook, case))


def source_shape(source_id: str | None) -> str:
    """Return the form of an id: ``a`` for words, ``9`` for numbers; ``-`` where there is none.

    Several words in a row count as one, so that ``leave-policy-9`` and ``lease-9`` look alike.
    """
    if not source_id:
        return "-"
    shape = _DIGITS.sub("9", _LETTERS.sub("a", source_id.strip()))
    shape = _WORDS.sub(r"\1", shape)[:_SHAPE_CHARS]
    return "".join(c if c.isalnum() or c in "_-.:" else "~" for c in shape)


@dataclass
class AllowList:
    """The known failures of a gate on one day."""

    entries: Sequence[AllowedFailure]
    today: date
    _seen: dict[tuple[str, str], AllowedFailure | None] = field(default_factory=dict)

    def allows(self, fingerprint: str, test_case_id: str) -> AllowedFailure | None:
        """Return the entry that lets this failure through on this case today."""
        key = (fingerprint, test_case_id)
        if key not in self._seen:
            self._seen[key] = next((e for e in self._valid if _covers(e, *key)), None)
        return self._seen[key]

    @property
    def _valid(self) -> list[AllowedFailure]:
        return [entry for entry in self.entries if entry.until >= self.today]

    @property
    def expired(self) -> list[AllowedFailure]:
        """The entries whose last day has passed."""
        return [entry for entry in self.entries if entry.until < self.today]


def _covers(entry: AllowedFailure, fingerprint: str, test_case_id: str) -> bool:
    # Only * is special: a fingerprint may hold what fnmatch reads as a class of characters.
    pattern = entry.pattern.replace("[", "[[]").replace("?", "[?]")
    on_case = not entry.cases or test_case_id in entry.cases
    return on_case and fnmatchcase(fingerprint, pattern)


def new_patterns(
    pairs: Iterable[Pair],
    failures: Mapping[Place, tuple[Failure, ...]],
    playbook: str,
    allow: AllowList,
) -> tuple[NewPattern, ...]:
    """Return the patterns the candidate shows on cases that were clean in the baseline.

    A case is clean where it was scored and nothing cost it score. Patterns the baseline shows
    nowhere stand first, then the most frequent ones.
    """
    known: set[str] = set()
    fresh: defaultdict[str, list[str]] = defaultdict(list)
    doubtful: set[str] = set()
    for pair in pairs:
        before = failures_of(playbook, pair.baseline, failures)
        known.update(failure.fingerprint for failure in before)
        if before or pair.baseline.effective is None:
            continue
        for failure in failures_of(playbook, pair.candidate, failures):
            fresh[failure.fingerprint].append(pair.test_case_id)
            if not failure.by_code:
                doubtful.add(failure.fingerprint)
    found = [
        replace(
            _pattern(fingerprint, cases, fingerprint not in known, allow),
            by_code=fingerprint not in doubtful,
        )
        for fingerprint, cases in fresh.items()
    ]
    return tuple(sorted(found, key=lambda p: (not p.unseen, -len(p.cases), p.fingerprint)))


def _pattern(fingerprint: str, cases: Sequence[str], unseen: bool, allow: AllowList) -> NewPattern:
    entries = {case: allow.allows(fingerprint, case) for case in cases}
    allowed = [case for case, entry in entries.items() if entry is not None]
    entry = next((entry for entry in entries.values() if entry is not None), None)
    counted = tuple(case for case in entries if entries[case] is None)
    return NewPattern(
        fingerprint=fingerprint,
        cases=counted,
        unseen=unseen,
        allowed_cases=tuple(allowed),
        allowed_until=entry.until.isoformat() if entry else None,
        allowed_because=entry.reason if entry else None,
        count=len(counted),
    )


def _types(row: FindingRow) -> Iterable[str]:
    if row.flags != "[]":
        return [flag["type"] for flag in json.loads(row.flags)]
    # Verdicts in capitals (UNFAITHFUL_...) say less than the category beside them.
    return [row.label if row.label.islower() or not row.category else row.category]


def _unit_kind(row: FindingRow) -> str:
    if row.unit == "criterion":
        return f"{row.unit}:{row.text}"
    return f"{row.unit}:{_text_kind(row.text)}"


def _text_kind(text: str) -> str:
    if quoted_spans(text):
        return "quote"
    return "number" if _DIGITS.search(_BRACKETED.sub("", text)) else "text"


def _of_the_whole(playbook: str, case: GateCase) -> Iterable[Failure]:
    """What is wrong with an answer as such: it abstains, or does not, or invents a source."""
    counts = case.counts
    if counts.abstained is None or counts.expects_abstention is None:
        return
    kinds = {
        "false_abstention": counts.abstained and not counts.expects_abstention,
        "missed_abstention": counts.expects_abstention and not counts.abstained,
        "invented_source": bool(counts.invented),
    }
    for kind, shown in kinds.items():
        if shown:
            yield Failure(f"{playbook}/{kind}/-/answer", "", by_code=True)
