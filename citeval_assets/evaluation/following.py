"""What follows from what: target models answer first, their answers are judged afterwards."""

from collections.abc import Iterator, Sequence

from citeval_assets.config import Stage
from citeval_assets.evaluation.answering import answering_cells, system_label
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.playbooks.registry import all_playbooks
from citeval_assets.playbooks.vocabulary import TemplateKind


def waves(cells: Sequence[Cell]) -> list[list[Cell]]:
    """Return the cells in the order they depend on each other: whoever answers comes first."""
    kinds = {name: playbook.kind for name, playbook in all_playbooks().items()}
    answer = [cell for cell in cells if kinds[cell.playbook] is TemplateKind.GENERATE]
    judge = [cell for cell in cells if kinds[cell.playbook] is TemplateKind.JUDGE]
    return [wave for wave in (answer, judge) if wave]


def with_followers(
    project: Project, cells: Sequence[Cell], playbooks: Sequence[str] = ()
) -> tuple[Cell, ...]:
    """Add the cells in which the answers of these target models are judged, up to the gates.

    For each playbook that takes answers these are the judges in production (all, where none is)
    with the newest released prompt, and those that a gate about the models' systems names.

    Args:
        project: the opened project.
        cells: the cells asked for.
        playbooks: the playbooks asked for by name; others are left alone. Empty means all.
    """
    answering = set(answering_cells(project)).intersection(cells)
    if not answering:
        return tuple(cells)
    found = dict.fromkeys(cells)
    for name, playbook in all_playbooks().items():
        if playbook.takes_answers and (not playbooks or name in playbooks):
            found.update(dict.fromkeys(_judging(project, name, answering)))
    return tuple(found)


def _judging(project: Project, playbook: str, answering: set[Cell]) -> Iterator[Cell]:
    newest = project.newest_prompt(playbook)
    judges = [m for m in project.settings.judges() if m.stage is not Stage.RETIRED]
    in_production = [m for m in judges if m.stage is Stage.PRODUCTION]
    if newest is not None:
        yield from (Cell(playbook, m.id, newest) for m in in_production or judges)
    labels = {label for cell in answering for label in labels_of(project, cell)}
    for gate in project.settings.gates:
        if gate.playbook != playbook or not labels & {gate.candidate, gate.baseline}:
            continue
        prompt = gate.prompt or newest
        named = [m for m in judges if m.id == gate.judge] or in_production
        if prompt in project.templates.versions(playbook):
            yield from (Cell(playbook, m.id, prompt) for m in named)


def labels_of(project: Project, cell: Cell) -> set[str]:
    """Return every label the answers of a target model may have, with any retriever or none."""
    retrievers = (None, *(retriever.name for retriever in project.settings.retrievers))
    return {system_label(project, cell, retriever) for retriever in retrievers}
