"""``embedded/recorded-0``: gives back the output a system has given, as it was recorded."""

import json
from typing import Any

from citeval_assets.embedded.model import CannotJudge, EmbeddedModel
from citeval_assets.playbooks.view import ModelView


class Recorded0(EmbeddedModel):
    """Replays ``recorded_output``, valid or not: it is the output under test."""

    name = "embedded/recorded-0"
    version = "1"
    title = "replays the outputs recorded with the cases"

    def answer(self, view: ModelView) -> dict[str, Any]:
        """Return the recorded output as an object.

        Raises:
            CannotJudge: there is none, or it is no JSON object.
        """
        try:
            found = json.loads(self.reply(view))
        except ValueError as error:
            raise CannotJudge(f"the recorded output is no JSON: {error}") from None
        if not isinstance(found, dict):
            raise CannotJudge("the recorded output is no JSON object")
        return found

    def reply(self, view: ModelView) -> str:
        """Return the recorded output, to the letter."""
        if view.recorded_output is None:
            raise CannotJudge(
                "the case has no recorded_output; add one, or ask a model that writes answers"
            )
        return view.recorded_output
