"""What an operator returns: a case with one known change, and the truth about it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from citeval_assets.playbooks.cases import Source, TestCase
from citeval_assets.qualification.subject import Subject
from citeval_assets.text.spans import Span


@dataclass(frozen=True, slots=True)
class Mutant:
    """A clean case with one change in it.

    ``faulty``: whether the case is wrong now; a harmless change must not alter the verdict.
    ``touched`` is where in the judged text the change shows (empty: anywhere). ``by_code``:
    the rules alone decide it, whatever a judge says. ``change`` tells a person what was done.
    """

    case: TestCase
    faulty: bool
    change: str
    touched: tuple[Span, ...] = ()
    by_code: bool = False

    def named(self, operator: str) -> "Mutant":
        """Return the mutant as a case of its own: another id, and no gold labels."""
        test_case_id = f"{self.case.test_case_id[:400]}~{operator}"
        gold = {"labels": None, "label_source": None}
        case = self.case.model_copy(update={"test_case_id": test_case_id, **gold})
        return replace(self, case=case)


@dataclass(frozen=True, slots=True)
class CannotApply:
    """An operator has nothing to change in this case; ``why`` says what is lacking."""

    why: str


@dataclass(frozen=True)
class Pool:
    """Passages of the other cases of the playbook, for operators that need a stranger."""

    sources: tuple[Source, ...]

    def strangers(self, case: TestCase) -> tuple[Source, ...]:
        """Return the passages of other documents than those of the case."""
        documents = {source.document for source in case.sources if source.document}
        texts = {source.text for source in case.sources}
        return tuple(
            source
            for source in self.sources
            if source.text not in texts
            and (source.document is None or source.document not in documents)
        )


Apply = Callable[[Subject, Random, Pool], Mutant | CannotApply]


@dataclass(frozen=True, slots=True)
class Operator:
    """One kind of change. ``playbooks`` are those whose truth it is sure about."""

    name: str
    faulty: bool
    title: str
    apply: Apply
    playbooks: Sequence[str]

    def mutate(self, subject: Subject, seed: int, pool: Pool) -> Mutant | CannotApply:
        """Apply the operator; the same seed and case give the same mutant everywhere."""
        if subject.playbook.name not in self.playbooks:
            return CannotApply("says nothing about this playbook")
        draw = Random(f"{seed}|{self.name}|{subject.case.test_case_id}|{subject.case.system}")
        made = self.apply(subject, draw, pool)
        return made if isinstance(made, CannotApply) else made.named(self.name)
