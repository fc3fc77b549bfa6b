"""What is wrong with a judge's answer beyond its form, in sentences the judge can act on.

Ids, quotation results, counts and scores are never a reason to ask again: code knows them.
Asked again is for what only the judge can say: a missing evaluation, an evaluation of nothing,
two evaluations that disagree, flags that contradict the evaluations.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from citeval_assets.playbooks.attempts import Problem
from citeval_assets.playbooks.citation_accuracy.checks import (
    CitationAccuracyPrepared,
    CitationUnit,
)
from citeval_assets.playbooks.citation_accuracy.output import (
    CitationAccuracyReply,
    CitationEvaluation,
    MisattributionFlag,
)
from citeval_assets.playbooks.shared import bare_id, shown_id


def problems(prepared: CitationAccuracyPrepared, reply: CitationAccuracyReply) -> list[Problem]:
    """Return every problem of the answer; empty means valid."""
    units = prepared.units
    return [
        *_evaluation_problems(units, reply),
        *_missing(units, reply),
        *_flag_problems(units, reply),
    ]


def evaluations_by_unit(reply: CitationAccuracyReply) -> dict[int, CitationEvaluation]:
    """Return the evaluation of each unit (the first; others of one unit say the same)."""
    first: dict[int, CitationEvaluation] = {}
    for evaluation in reply.citation_evaluations:
        first.setdefault(evaluation.unit, evaluation)
    return first


def named(unit: CitationUnit) -> set[str]:
    """Return the spellings under which a judge may name the source of this citation."""
    spellings = {unit.citation.raw_id, unit.source_id, unit.citation.marker.text}
    return {bare_id(spelling) for spelling in spellings if spelling}


def title(unit: CitationUnit) -> str:
    """Return how a citation is spoken of: ``unit 2 (source 'doc_3', step 1)``."""
    return f"unit {unit.number} (source {shown_id(unit.citation.raw_id)}, step {unit.step_index})"


def _evaluation_problems(
    units: Sequence[CitationUnit], reply: CitationAccuracyReply
) -> list[Problem]:
    found: list[Problem] = []
    decisions: dict[int, tuple[object, ...]] = {}
    cited = {name for unit in units for name in named(unit)}
    for index, evaluation in enumerate(reply.citation_evaluations):
        where = f"citation_evaluations[{index}]"
        if not 0 <= evaluation.unit < len(units):
            text = f"names no citation of the trace; the units are 0 to {len(units) - 1}"
            found.append(Problem(f"{where}.unit", text))
            continue
        unit = units[evaluation.unit]
        if not unit.asked:
            continue
        if decisions.setdefault(unit.number, _decision(evaluation)) != _decision(evaluation):
            text = f"{title(unit)} is evaluated twice with different results; evaluate it once"
            found.append(Problem(where, text))
        given = bare_id(evaluation.citation_id)
        if given in cited and given not in named(unit):
            text = f"is the id of another citation; {title(unit)} is what this evaluation is about"
            found.append(Problem(f"{where}.citation_id", text))
    return found


def _decision(evaluation: CitationEvaluation) -> tuple[object, ...]:
    return (
        evaluation.citation_exists,
        evaluation.quote_accurate,
        evaluation.context_fidelity,
        evaluation.claim_support_strength,
        evaluation.flagged,
    )


def _missing(units: Sequence[CitationUnit], reply: CitationAccuracyReply) -> list[Problem]:
    answered = {evaluation.unit for evaluation in reply.citation_evaluations}
    return [
        Problem("citation_evaluations", f"the evaluation of {title(unit)} is missing; add it")
        for unit in units
        if unit.asked and unit.number not in answered
    ]


def _flag_problems(units: Sequence[CitationUnit], reply: CitationAccuracyReply) -> list[Problem]:
    found: list[Problem] = []
    targets = _Targets(units, reply)
    explained: set[int] = set()
    for index, flag in enumerate(reply.misattribution_flags):
        where = f"misattribution_flags[{index}]"
        target = targets.of(flag)
        explained.update(target.marked)
        if not target.units:
            found.append(Problem(where, "names no citation of the trace"))
        elif target.asked and not target.marked:
            names = ", ".join(title(unit) for unit in target.asked[:5])
            text = f"flags {names}, whose evaluation has flagged false; make the two agree"
            found.append(Problem(where, text))
    for index, evaluation in enumerate(reply.citation_evaluations):
        known = 0 <= evaluation.unit < len(units) and units[evaluation.unit].asked
        if known and evaluation.flagged and evaluation.unit not in explained:
            unit = units[evaluation.unit]
            text = f"is true, but misattribution_flags holds no flag of {title(unit)}"
            found.append(Problem(f"citation_evaluations[{index}].flagged", text))
    return found


@dataclass(frozen=True, slots=True)
class _Target:
    """The citations one flag may be about; ``marked`` are those evaluated as flagged."""

    units: tuple[CitationUnit, ...] = ()
    asked: tuple[CitationUnit, ...] = ()
    marked: frozenset[int] = frozenset()


class _Targets:
    """Finds what a flag is about: by its unit number, else by the id it names."""

    def __init__(self, units: Sequence[CitationUnit], reply: CitationAccuracyReply) -> None:
        by_unit = evaluations_by_unit(reply)
        self._flagged = {number for number, one in by_unit.items() if one.flagged}
        self._units = units
        self._by_name: dict[str, list[CitationUnit]] = {}
        self._known: dict[int | str, _Target] = {}
        for unit in units:
            for name in named(unit):
                self._by_name.setdefault(name, []).append(unit)

    def of(self, flag: MisattributionFlag) -> _Target:
        """Return the citations this flag may be about; none where it names nothing known."""
        key = bare_id(flag.citation_id) if flag.unit is None else flag.unit
        if key not in self._known:
            self._known[key] = self._target(key)
        return self._known[key]

    def _target(self, key: int | str) -> _Target:
        if isinstance(key, str):
            units = tuple(self._by_name.get(key, ()))
        else:
            units = (self._units[key],) if 0 <= key < len(self._units) else ()
        asked = tuple(unit for unit in units if unit.asked)
        marked = frozenset(u.number for u in asked if u.number in self._flagged)
        return _Target(units, asked, marked)
