"""``evaluate()``: the same work as ``citeval run``, without Dagster."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from time import perf_counter

from citeval_assets.evaluation.following import waves, with_followers
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.evaluation.service import RunOptions, Service
from citeval_assets.evaluation.summaries import (
    EvaluationSummary,
    RegisteredCases,
    RunSummary,
    run_summary,
)
from citeval_assets.judging.progress import ProgressCallback


def evaluate(
    project_dir: Path | str = ".",
    *,
    playbooks: Sequence[str] = (),
    models: Sequence[str] = (),
    prompts: Sequence[str] = (),
    datasets: Sequence[str] = (),
    refresh: bool = False,
    repeat: int = 0,
    budget_usd: Decimal | None = None,
    progress: ProgressCallback | None = None,
    environ: Mapping[str, str] | None = None,
) -> RunSummary:
    """Judge what is not settled yet and write reports, trends, queue and snapshot.

    Args:
        project_dir: the folder that holds ``citeval.yaml``.
        playbooks: names of the playbooks to evaluate; empty means all.
        models: ids of the models to ask; empty means all that are not retired. The answers of a
            target model are also judged, as far as its gates need it.
        prompts: prompt versions to use; empty means all.
        datasets: names of the datasets to cover; empty means all.
        refresh: ask again although replies are stored.
        repeat: number of an independent repetition of the same questions.
        budget_usd: what this run may spend, instead of ``budget.per_run_usd``.
        progress: told how far each cell is.
        environ: environment variables to use instead of those of this process.

    Returns:
        What each cell came to. Cells that failed are named in ``problems``.

    Raises:
        ConfigError: where ``citeval.yaml`` cannot be used.
        UnknownName: for a name the project does not have.
        NothingSelected: where the names given meet in no cell.
    """
    started = perf_counter()
    project = Project.load(Path(project_dir), os.environ if environ is None else environ)
    options = RunOptions(
        datasets=tuple(datasets), refresh=refresh, repeat=repeat, budget_usd=budget_usd
    )
    service = Service(project, options, progress=progress)
    cells = project.cells(playbooks, models, prompts, datasets)
    cells = with_followers(project, cells, playbooks)
    problems = [str(problem) for problem in project.templates.problems]
    inputs: list[RegisteredCases] = []
    evaluations: list[EvaluationSummary] = []
    for wave in waves(cells):
        for playbook in dict.fromkeys(cell.playbook for cell in wave):
            with _told(f"{playbook}: cases", problems):
                inputs.append(service.register_cases(playbook))
        if not _judge(service, wave, evaluations, problems):
            problems.append("interrupted: the rest is left for the next run")
            break
    service.refresh_review_queue()
    service.gate()
    service.publish()
    seconds = perf_counter() - started
    return run_summary(
        inputs, evaluations, problems, seconds, project.ledger_anchor(), project.maybe_paid()
    )


def _judge(
    service: Service,
    cells: Sequence[Cell],
    evaluations: list[EvaluationSummary],
    problems: list[str],
) -> bool:
    """Judge these cells; ``False``: somebody stopped the run."""
    for cell in cells:
        with _told(str(cell), problems):
            evaluations.append(service.judge(cell))
            service.report(cell)
        if evaluations and evaluations[-1].interrupted:
            return False
    return True


@contextmanager
def _told(what: str, problems: list[str]) -> Iterator[None]:
    """Turn a failure of one step into a problem: it keeps no other from being done."""
    try:
        yield
    except Exception as error:  # noqa: BLE001  (told in the summary, whatever it is)
        problems.append(f"{what}: {type(error).__name__}: {error}")
