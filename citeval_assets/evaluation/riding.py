"""The canaries of an evaluation: asked by the same judge in the same run, counted in no score."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from citeval_assets.evaluation.kept import SettledCase, SettledCases
from citeval_assets.judging.examiner import CaseTask
from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.playbooks.vocabulary import Reason
from citeval_assets.qualification.canaries import canary_tasks


@dataclass
class Riders:
    """The two cases nobody can get wrong, asked about once behind the ``cases``.

    They come last so that a provider that is down, a limit or Ctrl-C hits none of them first, and
    only where the judge itself scored a case: else there is nothing to be void. Their replies are
    stored and used again like all others.
    """

    playbook: AnyPlaybook
    dataset_version: str
    cases: SettledCases
    switched_on: bool = True
    _asked: bool = False
    _settled: list[SettledCase] = field(default_factory=list[SettledCase])

    def tasks(self) -> Iterator[CaseTask]:
        """Yield them, once, if a case is scored by now and none was interrupted."""
        if self._asked or not self.switched_on or self._interrupted:
            return
        if any(case.score is not None and case.call_ids for case in self.cases):
            self._asked = True
            yield from canary_tasks(self.playbook, self.dataset_version)

    def take(self, case: SettledCase) -> None:
        """Keep what became of one of them."""
        self._settled.append(case)

    def settled(self) -> list[SettledCase]:
        """Hand out what became of them; nothing where a case was interrupted after all."""
        if self._interrupted:
            return []
        settled, self._settled = self._settled, []
        return sorted(settled, key=lambda case: case.position)

    def left_out(self) -> Sequence[SettledCase]:
        """Return those that were not handed out: asked about, paid, and in no evaluation."""
        return self._settled

    @property
    def _interrupted(self) -> bool:
        return Reason.INTERRUPTED in self.cases.reasons()
