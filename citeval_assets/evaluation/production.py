"""Production through the house: traces in, a nightly sample, its judgement, what it says."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from citeval_assets.evaluation.current import scope_evaluation
from citeval_assets.evaluation.inbox import Intake, take_in
from citeval_assets.evaluation.partition import judge_cell
from citeval_assets.evaluation.project import Cell
from citeval_assets.evaluation.rebuilding import ensure_warehouse, show_samples, write_evaluation
from citeval_assets.evaluation.reviewing import known_reviews
from citeval_assets.evaluation.sampling import Drawn, NothingPinned, draw_sample, pinned_cell
from citeval_assets.evaluation.service import Service
from citeval_assets.evaluation.summaries import EvaluationSummary, waits
from citeval_assets.ledger.store import Ledger
from citeval_assets.warehouse.production import ProductionEstimate, production_estimates

_JUDGE = "sample_judge"

NIGHTS_TAKEN_UP = 14
"""Samples of so many nights are looked at again where some of their cases still wait."""


@dataclass(frozen=True)
class Production:
    """The steps of the nightly sample over one project."""

    service: Service

    def take_in(self, today: date, only: Mapping[str, str] | None = None) -> Intake:
        """Take in the trace files of the inbox; ``only`` names those that are whole."""
        project = self.service.project
        with project.open_ledger() as ledger:
            return take_in(project, ledger, today=today, only=only or {})

    def draw(self, night: date) -> list[Drawn]:
        """Draw the sample of a night for every sampled playbook, and show it."""
        project = self.service.project
        with project.open_ledger() as ledger:
            drawn = [
                draw_sample(project, ledger, playbook, night)
                for playbook in project.settings.sampling.playbooks
            ]
            ensure_warehouse(ledger, project.warehouse)
            show_samples(ledger, project.warehouse)
        return drawn

    def judge(self) -> list[EvaluationSummary]:
        """Judge what was drawn and is not judged yet, each sample by the pinned judge alone.

        Raises:
            NothingPinned: where it is not clear by whom.
        """
        project = self.service.project
        found: list[EvaluationSummary] = []
        with project.open_ledger() as ledger:
            for cell, dataset in self._open(ledger):
                judged = judge_cell(
                    project,
                    ledger,
                    cell,
                    scope=dataset,
                    run_id=self.service.run_id,
                    policy=self.service.policy_for(cell),
                    progress=self.service.progress,
                )
                ensure_warehouse(ledger, project.warehouse)
                write_evaluation(ledger, project.warehouse, judged.record, known_reviews(ledger))
                found.append(judged.summary)
        return found

    def _open(self, ledger: Ledger) -> list[tuple[Cell, str]]:
        """Return the samples that are not judged, or not whole, with their judge.

        A sample that a judge began stays with it, whoever is pinned by now.
        """
        samples = ledger.sampled_datasets()
        nights = sorted({dataset for _, dataset in samples})[-NIGHTS_TAKEN_UP:]
        found: list[tuple[Cell, str]] = []
        for playbook, dataset in samples:
            if dataset not in nights or ledger.current("dataset", f"{playbook}/{dataset}") is None:
                continue
            began = ledger.current(_JUDGE, f"{playbook}/{dataset}")
            cell = Cell(playbook, *json.loads(began)) if began else self._pinned(playbook)
            if not _whole(ledger, cell, dataset):
                ledger.make_current(
                    _JUDGE, f"{playbook}/{dataset}", json.dumps([cell.model, cell.prompt_version])
                )
                found.append((cell, dataset))
        return found

    def _pinned(self, playbook: str) -> Cell:
        return pinned_cell(self.service.project, playbook)

    def estimates(self, since: str | None = None) -> list[ProductionEstimate]:
        """Return what the samples say about the whole of production."""
        with self.service.project.warehouse.reading() as connection:
            return production_estimates(connection, since)


def _whole(ledger: Ledger, cell: Cell, dataset: str) -> bool:
    """Whether a sample was judged and nothing of it waits."""
    record = scope_evaluation(ledger, cell, dataset)
    if record is None:
        return False
    return not any(waits(i.status, i.reason) for i in ledger.items(record.evaluation_id))


__all__ = ["NothingPinned", "Production"]
