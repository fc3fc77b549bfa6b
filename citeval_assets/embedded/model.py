"""What an offline model is: it answers from the gold-free view, never from a prompt."""

import json
from abc import ABC, abstractmethod
from typing import Any, ClassVar

from citeval_assets.embedded.calibration import Calibration
from citeval_assets.playbooks.view import ModelView


class CannotJudge(Exception):
    """The model has no honest answer to this view. The text says why and is stored."""


class EmbeddedModel(ABC):
    """A model that ships with citeval. The same view gives the same answer everywhere."""

    name: ClassVar[str]
    version: str
    """Raised whenever an answer may change: part of the epoch and of the identity of a call."""
    title: ClassVar[str]
    calibratable: ClassVar[bool] = False
    """Whether the model is a judge whose confidence local labels can set right."""

    def calibrated(self, calibration: Calibration) -> "EmbeddedModel":
        """Return the model under a calibration; itself where calibrations do not apply to it."""
        return self

    @abstractmethod
    def answer(self, view: ModelView) -> dict[str, Any]:
        """Return the full output of the view's playbook.

        Raises:
            CannotJudge: where the model has no answer to such a view.
        """

    def reply(self, view: ModelView) -> str:
        """Return the answer as the text a model would send."""
        return json.dumps(self.answer(view), ensure_ascii=False)
