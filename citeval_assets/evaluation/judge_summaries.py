"""What the tests of judges tell their callers: typed, and ready for ``--json``."""

from typing import Any

from pydantic import TypeAdapter

from citeval_assets.evaluation.calibrating import JudgeCalibration, confusion_table
from citeval_assets.evaluation.project import Cell
from citeval_assets.evaluation.summaries import Summary
from citeval_assets.qualification.running import QualifiedJudge
from citeval_assets.qualification.standards import Qualification
from citeval_assets.statistics.repeats import JudgeNoise

_ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)


class QualificationSummary(Summary):
    """The qualification of one judge, and what it took: calls made now, replies reused."""

    qualification: Qualification
    calls: int = 0
    reused_calls: int = 0
    cost_usd: float | None = None

    @classmethod
    def of(cls, found: QualifiedJudge) -> "QualificationSummary":
        """Return the summary of a judge that was put to the test."""
        cost = None if found.cost_usd is None else float(found.cost_usd)
        return cls(
            qualification=found.qualification,
            calls=found.calls,
            reused_calls=found.reused_calls,
            cost_usd=cost,
        )

    @property
    def complete(self) -> bool:
        """Whether every mutant was scored."""
        return self.qualification.unscored == 0

    def as_document(self) -> dict[str, Any]:
        """Return it as one flat object."""
        spent = {"calls": self.calls, "reused_calls": self.reused_calls, "cost_usd": self.cost_usd}
        return {**plain(self.qualification), **spent}


def calibration_document(found: JudgeCalibration) -> dict[str, Any]:
    """Return one judge against labels as one flat object; pairs of classes become nested ones."""
    agreed = found.agreement
    told = {
        "label_source": str(agreed.label_source),
        "n": agreed.n,
        "positives": agreed.positives,
        "negatives": agreed.negatives,
        "calibrated": agreed.calibrated,
        "state": agreed.state,
        "accuracy": agreed.accuracy,
        "balanced_accuracy": agreed.balanced_accuracy,
        "kappa": plain(agreed.kappa),
        "mean_deviation": agreed.mean_deviation,
        "bias": agreed.bias,
        "confusion": confusion_table(agreed.confusion),
        "per_label": plain(agreed.per_label),
        "levels": confusion_table(agreed.levels),
        "conflicts": plain(agreed.conflicts),
    }
    return {
        "playbook": found.playbook,
        "model": found.model,
        "prompt_version": found.prompt_version,
        "epoch": found.epoch,
        "evaluation_id": found.evaluation_id,
        **told,
        "corrected": plain(found.corrected),
    }


def noise_document(cell: Cell, found: JudgeNoise) -> dict[str, Any]:
    """Return the noise of one judge as one flat object; ``deviation`` is the root of variance."""
    return {**plain(cell), **plain(found), "deviation": found.deviation}


def plain(found: object) -> Any:
    """Return dataclasses as plain data."""
    return _ANYTHING.dump_python(found, mode="json")
