"""Judges that are none: one passes everything, one fails everything."""

import re
from dataclasses import dataclass, replace

from citeval_assets.config import ModelConfig
from citeval_assets.judging.form import CallForm
from citeval_assets.judging.request import Answer, Completion, ModelRequest
from tests.paid_judge import PaidJudge

MODEL = ModelConfig(id="blind", model="openai/blind", roles=("judge",))


@dataclass
class BlindJudge(PaidJudge):
    """Gives every claim of ``citation_faithfulness`` the same verdict."""

    verdict: str = "supported"

    async def call(self, request: ModelRequest, form: CallForm, deadline_s: float) -> Answer:
        answer = await super().call(request, form, deadline_s)
        if not isinstance(answer, Completion) or answer.text is None:
            return answer
        text = re.sub(r'"verdict": "\w+"', f'"verdict": "{self.verdict}"', answer.text)
        return replace(answer, text=text)
