"""Materialize through Dagster in this process, so that lineage and interface see the run."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import TypeVar

import dagster as dg

from citeval_assets.defs.assembly import assemble
from citeval_assets.defs.instance import open_instance, usable
from citeval_assets.defs.jobs import (
    GATES_JOB,
    INPUTS_JOB,
    RESULTS_JOB,
    evaluation_job_name,
    qualification_job_name,
)
from citeval_assets.defs.judge_assets import QUALIFICATION_SUMMARY
from citeval_assets.defs.metadata import EVALUATION_SUMMARY, INPUTS_SUMMARY
from citeval_assets.defs.names import PASSAGES_KEY, registering_keys, templates_key
from citeval_assets.defs.partitions import partition_of, sync_partitions
from citeval_assets.defs.resources import ServiceFactory
from citeval_assets.defs.target_assets import observe_retrievers
from citeval_assets.evaluation.following import waves
from citeval_assets.evaluation.judge_summaries import QualificationSummary
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.evaluation.service import RunOptions
from citeval_assets.evaluation.summaries import (
    EvaluationSummary,
    RegisteredCases,
    RunSummary,
    Summary,
    run_summary,
)
from citeval_assets.judging.progress import ProgressCallback
from citeval_assets.keys import encode_key

CellListener = Callable[[Cell, int, int], None]
"""Told which cell begins: the cell, its number from 1, and how many there are."""


@dataclass(frozen=True)
class DagsterRun:
    """One ``citeval run``: inputs, cells and results, materialized one after the other."""

    definitions: dg.Definitions
    instance: dg.DagsterInstance
    project: Project
    log_level: str = "CRITICAL"
    """Failures are told as problems, in words; Dagster's log would add its stack traces."""

    bulk_run: str | None = None
    """The run these runs are made for, so that they are found together."""

    def run(
        self,
        cells: Sequence[Cell],
        on_cell: CellListener | None = None,
        before_gates: Callable[[], None] | None = None,
    ) -> RunSummary:
        """Evaluate these cells and refresh the results.

        A cell that fails is reported as a problem and keeps nobody from being evaluated.
        ``before_gates`` is called once the cells are through, before the gates decide.
        """
        started = perf_counter()
        sync_partitions(self.instance, self.project)
        problems = [str(problem) for problem in self.project.templates.problems]
        self._observe_templates(list(dict.fromkeys(cell.playbook for cell in cells)))
        inputs: list[RegisteredCases] = []
        evaluations: list[EvaluationSummary] = []
        number = 0
        for wave in waves(cells):
            inputs += self._register_cases([cell.playbook for cell in wave], problems)
            for cell in wave:
                number += 1
                if on_cell is not None:
                    on_cell(cell, number, len(cells))
                self._evaluate(cell, evaluations, problems)
                if evaluations and evaluations[-1].interrupted:
                    break
            if evaluations and evaluations[-1].interrupted:
                problems.append("interrupted: the rest is left for the next run")
                break
        if before_gates is not None:
            before_gates()
        self._decide_gates(problems)
        self._refresh_results(problems)
        seconds = perf_counter() - started
        anchor = self.project.ledger_anchor()
        maybe_paid = self.project.maybe_paid()
        return run_summary(inputs, evaluations, problems, seconds, anchor, maybe_paid)

    def qualify(
        self,
        cells: Sequence[Cell],
        cases_per_fault: int = 0,
        on_cell: CellListener | None = None,
    ) -> tuple[list[QualificationSummary], list[str]]:
        """Put the judges of these cells to the test.

        Args:
            cells: cells in which a judge grades.
            cases_per_fault: clean cases for each kind of fault; 0: as configured.
            on_cell: told which cell begins.

        Returns:
            What each judge saw, and what went wrong.
        """
        sync_partitions(self.instance, self.project)
        found: list[QualificationSummary] = []
        problems: list[str] = []
        for number, cell in enumerate(cells, start=1):
            if on_cell is not None:
                on_cell(cell, number, len(cells))
            step = f"{cell.playbook}__judge_qualification"
            chosen = {"ops": {step: {"config": {"cases_per_fault": cases_per_fault}}}}
            result = self.definitions.resolve_job_def(
                qualification_job_name(cell.playbook)
            ).execute_in_process(
                instance=self.instance,
                partition_key=partition_of(cell),
                run_config={**self._run_config(), **chosen},
                raise_on_error=False,
            )
            problems.extend(f"{cell}: {failure}" for failure in _failures(result))
            found.extend(_summaries(result, QUALIFICATION_SUMMARY, QualificationSummary))
        return found, problems

    def refresh(self) -> list[str]:
        """Refresh the results and publish the snapshot; return what went wrong."""
        problems: list[str] = []
        self._refresh_results(problems)
        return problems

    def _observe_templates(self, playbooks: Sequence[str]) -> None:
        """Record the present version of each template, so that lineage knows what was used."""
        for playbook in playbooks:
            for version in self.project.templates.versions(playbook):
                template = self.project.templates.get(playbook, version)
                self.instance.report_runless_asset_event(
                    dg.AssetObservation(
                        asset_key=templates_key(playbook),
                        partition=encode_key(version),
                        tags={"dagster/data_version": template.sha256},
                    )
                )

    def _register_cases(
        self, playbooks: Sequence[str], problems: list[str]
    ) -> list[RegisteredCases]:
        playbooks = list(dict.fromkeys(playbooks))
        selected = [key for playbook in playbooks for key in registering_keys(playbook)]
        if PASSAGES_KEY in selected:
            observe_retrievers(self.instance, self.project)
        result = self.definitions.resolve_job_def(INPUTS_JOB).execute_in_process(
            instance=self.instance,
            run_config=self._run_config(),
            asset_selection=selected,
            raise_on_error=False,
        )
        problems.extend(_failures(result))
        return _summaries(result, INPUTS_SUMMARY, RegisteredCases)

    def _evaluate(
        self, cell: Cell, evaluations: list[EvaluationSummary], problems: list[str]
    ) -> None:
        job = self.definitions.resolve_job_def(evaluation_job_name(cell.playbook))
        result = job.execute_in_process(
            instance=self.instance,
            partition_key=partition_of(cell),
            run_config=self._run_config(),
            tags=self._tags(cell),
            raise_on_error=False,
        )
        problems.extend(f"{cell}: {failure}" for failure in _failures(result))
        evaluations.extend(_summaries(result, EVALUATION_SUMMARY, EvaluationSummary))

    def _tags(self, cell: Cell) -> dict[str, str]:
        tags = {"citeval/model": encode_key(cell.model), "citeval/prompt": cell.prompt_version}
        return tags if self.bulk_run is None else {**tags, "citeval/bulk_run": self.bulk_run}

    def _decide_gates(self, problems: list[str]) -> None:
        """Decide the gates. One that does not pass is a verdict, not a fault of the run."""
        result = self.definitions.resolve_job_def(GATES_JOB).execute_in_process(
            instance=self.instance,
            run_config=self._run_config(),
            raise_on_error=False,
        )
        decided = result.get_asset_materialization_events()
        problems.extend([] if decided else _failures(result))

    def _refresh_results(self, problems: list[str]) -> None:
        result = self.definitions.resolve_job_def(RESULTS_JOB).execute_in_process(
            instance=self.instance,
            run_config=self._run_config(),
            raise_on_error=False,
        )
        problems.extend(_failures(result))

    def _run_config(self) -> dict[str, object]:
        """Keep Dagster's event log off the terminal; it is in the instance all the same."""
        return {"loggers": {"console": {"config": {"log_level": self.log_level}}}}


SummaryT = TypeVar("SummaryT", bound=Summary)


def _summaries(
    result: dg.ExecuteInProcessResult, name: str, kind: type[SummaryT]
) -> list[SummaryT]:
    """Read the summaries that the steps left in the metadata of their materializations."""
    return [
        kind.model_validate(event.materialization.metadata[name].value)
        for event in result.get_asset_materialization_events()
        if name in event.materialization.metadata
    ]


def _failures(result: dg.ExecuteInProcessResult) -> list[str]:
    """Name each failed step with the error that caused it."""
    failures: list[str] = []
    for event in result.get_step_failure_events():
        error = event.step_failure_data.error
        while error is not None and error.cause is not None:
            error = error.cause
        failures.append(f"{event.step_key}: {error.message.strip() if error else 'failed'}")
    return failures


@contextmanager
def open_run(
    project: Project, options: RunOptions, progress: ProgressCallback | None = None
) -> Iterator[DagsterRun]:
    """Open a run of a project in the Dagster instance that its state belongs to.

    Raises:
        InstanceUnusable: where the database of the instance fails, now or during the run.
    """
    factory = ServiceFactory(project.settings.project_dir, options, progress, project.environ)
    with usable(project.dagster_home), open_instance(project.dagster_home) as instance:
        yield DagsterRun(assemble(factory), instance, project)
