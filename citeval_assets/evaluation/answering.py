"""Which cases a target model is asked about, and under which system its answers are kept.

Rows of a generating playbook may bring an output that a system has given (``recorded_output``);
the replaying model takes those, under the system of the row. Any other target model answers each
question itself, once for each retriever, and is with it a system of its own.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from citeval_assets.config import ModelConfig, Stage
from citeval_assets.evaluation.cases import PreparedCase
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.playbooks.registry import all_playbooks, get_playbook
from citeval_assets.playbooks.vocabulary import TemplateKind

_REPLAYING = "embedded/recorded-"


def cases_for(
    project: Project, cell: Cell, cases: Iterable[PreparedCase]
) -> Iterator[PreparedCase]:
    """Yield the cases the model of this cell is to be asked about."""
    if get_playbook(cell.playbook).kind is TemplateKind.JUDGE:
        yield from cases
    elif replays(project, cell):
        yield from (case for case in cases if case.prepared.view.recorded_output is not None)
    else:
        yield from _once_each(project, cell, cases)


def replays(project: Project, cell: Cell) -> bool:
    """Whether the model of a cell gives outputs that were recorded with the cases."""
    return _is_replaying(project.settings.model(cell.model))


def _is_replaying(model: ModelConfig) -> bool:
    return model.model.startswith(_REPLAYING)


def system_label(project: Project, cell: Cell, retriever: str | None = None) -> str:
    """Return the label of the system a target model, a retriever and a prompt version make up."""
    return project.settings.system_label(cell.model, cell.prompt_version, retriever)


def answering_cells(project: Project) -> tuple[Cell, ...]:
    """Return the cells whose answers are judged further: those that stand for a system.

    Of each target model that is not retired these are the prompt versions its configured systems
    name; where they leave it open, or no system names the model, the newest released one.
    """
    found: dict[Cell, None] = {}
    for name, playbook in all_playbooks().items():
        if playbook.kind is not TemplateKind.GENERATE:
            continue
        for model in project.settings.targets():
            if model.stage is Stage.RETIRED or _is_replaying(model):
                continue
            for version in _prompts(project, name, model):
                found[Cell(name, model.id, version)] = None
    return tuple(found)


def _prompts(project: Project, playbook: str, model: ModelConfig) -> Iterator[str]:
    systems = [
        system
        for system in project.settings.systems
        if system.model == model.id and system.stage is not Stage.RETIRED
    ]
    known = project.templates.versions(playbook)
    newest = project.newest_prompt(playbook)
    for version in [system.prompt for system in systems] or [None]:
        chosen = version or newest
        if chosen in known:
            yield chosen


def _once_each(
    project: Project, cell: Cell, cases: Iterable[PreparedCase]
) -> Iterator[PreparedCase]:
    labels: dict[str | None, str] = {}
    seen: set[tuple[str, str]] = set()
    for case in cases:
        if case.retriever not in labels:
            labels[case.retriever] = system_label(project, cell, case.retriever)
        key = (case.prepared.case.test_case_id, labels[case.retriever])
        if key not in seen:
            seen.add(key)
            yield under_system(case, key[1])


def under_system(case: PreparedCase, system: str) -> PreparedCase:
    """Return the case as one of ``system``: the label of its report."""
    asked = case.prepared.case.model_copy(update={"system": system})
    return replace(case, prepared=replace(case.prepared, case=asked))
