"""What makes a judge this judge. Knows nothing of asking it, so that gates load quickly."""

from citeval_assets.embedded.registry import calibration_of
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.judging.epoch import epoch
from citeval_assets.judging.policy import comparison_budget
from citeval_assets.playbooks.registry import get_playbook


def judge_epoch_of(project: Project, cell: Cell) -> str:
    """Return what makes this judge this judge, whatever the rules of the data it grades.

    A qualification holds as long as it stays the same.
    """
    model = project.settings.model(cell.model)
    return epoch(
        get_playbook(cell.playbook),
        model,
        project.templates.get(cell.playbook, cell.prompt_version),
        (),
        comparison_budget(project.compared_models(cell.playbook)),
        calibration_of(model.model, model.id, project.settings.state_dir),
    )
