"""Which judges are qualified now: what the warehouse knows, held against the present judge."""

from citeval_assets.evaluation.project import Cell, Project, UnknownName
from citeval_assets.gates.deciding import Qualified, never_tried
from citeval_assets.warehouse.gate_reading import Connection
from citeval_assets.warehouse.judge_reading import JudgeStanding, judge_standings


def known_standings(connection: Connection, project: Project) -> Qualified:
    """Return what is known of the judges. A qualification of another epoch counts as none."""
    found = {(s.playbook, s.model, s.prompt_version): s for s in judge_standings(connection)}
    if not found:
        return never_tried

    def qualified(playbook: str, judge: str, prompt_version: str) -> bool | None:
        standing = found.get((playbook, judge, prompt_version))
        if standing is None or not _still_holds(project, standing):
            return None
        return standing.qualified

    return qualified


def _still_holds(project: Project, standing: JudgeStanding) -> bool:
    """Whether the judge is still the one that was put to the test."""
    from citeval_assets.evaluation.epochs import judge_epoch_of

    cell = Cell(standing.playbook, standing.model, standing.prompt_version)
    try:
        return judge_epoch_of(project, cell) == standing.epoch
    except (KeyError, UnknownName):
        return False
