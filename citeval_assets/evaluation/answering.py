"""Which cases a target model is asked about, and under which system its answers are kept.

Rows of a generating playbook may bring an output that a system has given (``recorded_output``);
the replaying model takes those, under the system of the row. Any other target model answers each
question itself, once, and is its own system.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from citeval_assets.evaluation.cases import PreparedCase
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.playbooks.registry import get_playbook
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
        yield from _once_each(cases, system_label(project, cell))


def replays(project: Project, cell: Cell) -> bool:
    """Whether the model of a cell gives outputs that were recorded with the cases."""
    return project.settings.model(cell.model).model.startswith(_REPLAYING)


def system_label(project: Project, cell: Cell) -> str:
    """Return the label of the system a target model and prompt version make up.

    It is the configured one that names both, else ``model|prompt``.
    """
    for system in project.settings.systems:
        if system.model == cell.model and system.prompt in (None, cell.prompt_version):
            return system.label
    return f"{cell.model}|{cell.prompt_version}"


def _once_each(cases: Iterable[PreparedCase], system: str) -> Iterator[PreparedCase]:
    seen: set[str] = set()
    for case in cases:
        test_case_id = case.prepared.case.test_case_id
        if test_case_id not in seen:
            seen.add(test_case_id)
            yield under_system(case, system)


def under_system(case: PreparedCase, system: str) -> PreparedCase:
    """Return the case as one of ``system``: the label of its report."""
    asked = case.prepared.case.model_copy(update={"system": system})
    return replace(case, prepared=replace(case.prepared, case=asked))
