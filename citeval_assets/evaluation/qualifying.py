"""Qualify a judge on the clean cases of the project."""

from collections.abc import Iterable
from dataclasses import replace

from citeval_assets.config.qualification import QualificationConfig
from citeval_assets.evaluation.epochs import judge_epoch_of
from citeval_assets.evaluation.inputs import load_completed
from citeval_assets.evaluation.judges import Bench
from citeval_assets.evaluation.measurements import record_qualification
from citeval_assets.evaluation.project import Cell, Project, UnknownName
from citeval_assets.playbooks.registry import all_playbooks, get_playbook
from citeval_assets.playbooks.vocabulary import TemplateKind
from citeval_assets.qualification.operators import FAULTS
from citeval_assets.qualification.planning import CleanCase, is_clean
from citeval_assets.qualification.running import Judge, QualifiedJudge, qualify_judge


def qualify_cell(bench: Bench, cell: Cell, config: QualificationConfig) -> QualifiedJudge:
    """Show the judge of a cell its mutants, and record what it saw.

    Clean are the cases of the golden data whose label, by a person or by construction, says that
    all of them is right; they are read from the files, so nothing need be registered before.

    Raises:
        UnknownName: where the configured floors name a fault that does not exist.
    """
    known = [fault.name for fault in FAULTS]
    for name in config.floors:
        if name not in known:
            raise UnknownName("fault in calibration.qualification.floors", name, known)
    project = bench.project
    playbook = get_playbook(cell.playbook)
    judge = Judge(
        playbook=playbook,
        template=project.templates.get(cell.playbook, cell.prompt_version),
        model=project.settings.model(cell.model),
        client=bench.client(cell),
        policy=replace(bench.policy_of(cell), repeat=0),
        epoch=judge_epoch_of(project, cell),
    )
    found = qualify_judge(
        judge,
        bench.ledger,
        clean_cases(project, cell.playbook),
        config,
        run_id=bench.run_id,
        confidence=project.settings.calibration.confidence,
        progress=bench.progress,
    )
    record_qualification(bench.ledger, found.qualification, bench.run_id)
    return found


def clean_cases(project: Project, playbook: str) -> list[CleanCase]:
    """Return the cases of a playbook that are labelled as fully right."""
    _, completed, _ = load_completed(project, playbook)
    return [
        CleanCase(item.loaded.case, item.settings.rules)
        for item in completed
        if is_clean(item.loaded.case) and item.settings.evidence_failure is None
    ]


def judge_cells(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """Return those cells in which a judge grades."""
    kinds = {name: playbook.kind for name, playbook in all_playbooks().items()}
    return tuple(cell for cell in cells if kinds[cell.playbook] is TemplateKind.JUDGE)


def gated_cells(project: Project, cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """Return of each judge the cells whose prompt version the gates look at, else the newest."""
    named: dict[str, set[str]] = {}
    for gate in project.settings.gates:
        if gate.prompt is not None:
            named.setdefault(gate.playbook, set()).add(gate.prompt)

    def wanted(cell: Cell) -> bool:
        prompts = named.get(cell.playbook) or {project.newest_prompt(cell.playbook)}
        return cell.prompt_version in prompts

    return tuple(cell for cell in judge_cells(cells) if wanted(cell))
