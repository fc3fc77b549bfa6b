"""Which mutants a judge is shown: clean cases, drawn in a fixed order, an operator at a time."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.playbooks.cases import Source, TestCase
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.qualification.mutants import CannotApply, Mutant, Operator, Pool
from citeval_assets.qualification.operators import OPERATORS
from citeval_assets.qualification.subject import Subject

_FULL_SCORE = 1.0 - 1e-9


@dataclass(frozen=True, slots=True)
class CleanCase:
    """A case whose label says that all of it is right, with the rules it is judged by."""

    case: TestCase
    rules: DomainRules


@dataclass(frozen=True, slots=True)
class PlannedMutant:
    """One mutant of the plan and the operator that made it."""

    operator: Operator
    mutant: Mutant
    rules: DomainRules


@dataclass(frozen=True)
class Plan:
    """The mutants for one playbook; ``inapplicable`` counts why operators passed cases over."""

    mutants: tuple[PlannedMutant, ...]
    clean_cases: int
    inapplicable: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


def is_clean(case: TestCase) -> bool:
    """Whether a label, by a person or by construction, says that the case is fully right."""
    score = case.labels.score if case.labels is not None else None
    return case.label_source is not None and score is not None and score >= _FULL_SCORE


def plan_mutants(
    playbook: AnyPlaybook,
    clean: Sequence[CleanCase],
    *,
    seed: int,
    per_operator: int,
    operators: Iterable[Operator] = OPERATORS,
) -> Plan:
    """Return up to ``per_operator`` mutants of each operator; the same seed, the same mutants.

    Every operator draws the cases in an order of its own, and takes each of them once.
    """
    subjects = [
        subject
        for one in clean
        if (subject := Subject.of(playbook, one.case, one.rules)) is not None and subject.sentences
    ]
    pool = Pool(_passages(subjects))
    planned: list[PlannedMutant] = []
    inapplicable: dict[str, Mapping[str, int]] = {}
    for operator in operators:
        if playbook.name not in operator.playbooks:
            continue
        order = list(subjects)
        Random(f"{seed}|{operator.name}").shuffle(order)
        why: Counter[str] = Counter()
        made = 0
        for subject in order:
            if made == per_operator:
                break
            mutant = _checked(subject, operator.mutate(subject, seed, pool))
            if isinstance(mutant, CannotApply):
                why[mutant.why] += 1
                continue
            planned.append(PlannedMutant(operator, mutant, subject.rules))
            made += 1
        inapplicable[operator.name] = dict(why.most_common())
    return Plan(tuple(planned), len(subjects), inapplicable)


def _passages(subjects: Sequence[Subject]) -> tuple[Source, ...]:
    every = (source for subject in subjects for source in subject.sources)
    return tuple({source.text: source for source in every}.values())


def _checked(subject: Subject, mutant: Mutant | CannotApply) -> Mutant | CannotApply:
    """Refuse a mutant that does not say what it should once the text is read again."""
    if isinstance(mutant, CannotApply):
        return mutant
    changed = Subject.of(subject.playbook, mutant.case, subject.rules)
    if changed is None or not changed.sentences:
        return CannotApply("nothing of the changed case would be judged")
    touched = mutant.touched
    if touched and not any(s.span.overlaps(t) for s in changed.sentences for t in touched):
        return CannotApply("the changed sentence would not be judged")
    added = len(changed.sentences) - len(subject.sentences)
    if not mutant.faulty and added not in (0, 1 if touched else 0):
        return CannotApply("the change would cut the text into other sentences")
    if not mutant.faulty and any(not c.resolved for c in changed.scan.citations):
        return CannotApply("a citation would no longer resolve")
    return mutant
