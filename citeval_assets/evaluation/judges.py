"""A judge as the project has it now: template, client, policy."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from citeval_assets.evaluation.cases import PreparedCase
from citeval_assets.evaluation.partition import client_of
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.judging.clients import ModelClient
from citeval_assets.judging.policy import JudgingPolicy
from citeval_assets.judging.progress import ProgressCallback
from citeval_assets.judging.session import CaseTask, run_session
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.registry import get_playbook

PolicyOf = Callable[[Cell], JudgingPolicy]
"""How the model of a cell is asked."""


@dataclass(frozen=True)
class Bench:
    """Where judges are put to the test: the project, its ledger, and the run this is part of."""

    project: Project
    ledger: Ledger
    policy_of: PolicyOf
    run_id: str
    progress: ProgressCallback | None = None

    def client(self, cell: Cell) -> ModelClient:
        """Return the client of the model of a cell, under its calibration."""
        return client_of(self.project, self.project.settings.model(cell.model))

    def scores(
        self, cell: Cell, version: str, cases: Sequence[PreparedCase], policy: JudgingPolicy
    ) -> Mapping[str, float]:
        """Judge some registered cases; return the scores by case hash. Stored replies are used."""
        outcomes = run_session(
            playbook=get_playbook(cell.playbook),
            template=self.project.templates.get(cell.playbook, cell.prompt_version),
            model=self.project.settings.model(cell.model),
            client=self.client(cell),
            ledger=self.ledger,
            policy=policy,
            run_id=self.run_id,
            tasks=[CaseTask(case.case_hash, version, case.prepared) for case in cases],
            progress=self.progress,
            total=len(cases),
        )
        return {o.case_hash: o.report.score for o in outcomes if o.report.score is not None}
