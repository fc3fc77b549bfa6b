"""From a case to the question that is put to a model, cut to fit and ready to be sent."""

from collections.abc import Mapping
from dataclasses import dataclass

from citeval_assets.config import ModelConfig
from citeval_assets.judging.clients import ModelClient
from citeval_assets.judging.outcomes import failure_of
from citeval_assets.judging.policy import JudgingPolicy
from citeval_assets.judging.request import (
    MAX_OUTPUT_TOKENS,
    JsonValue,
    ModelRequest,
    ReplySchema,
)
from citeval_assets.judging.truncation import (
    DoesNotFit,
    Fitted,
    fit,
    input_budget,
    messages_tokens,
    surely_within,
)
from citeval_assets.judging.views import view_digest
from citeval_assets.playbooks.attempts import Failure
from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.playbooks.view import ModelView
from citeval_assets.playbooks.vocabulary import Reason
from citeval_assets.templates.model import Message, PromptTemplate
from citeval_assets.templates.render import render_messages

TEMPERATURE = 0.0
"""Every model is asked at this temperature, so that scores can be compared."""


@dataclass(frozen=True)
class Questions:
    """Makes the questions of one playbook to one model with one template."""

    playbook: AnyPlaybook
    template: PromptTemplate
    model: ModelConfig
    client: ModelClient
    secret: bytes
    policy: JudgingPolicy
    schema: ReplySchema

    def fitted(self, view: ModelView) -> Fitted | Failure | None:
        """Shorten the passages to the token budget; ``None``: there is none to keep to.

        A view that fits no way is the failure of its case.
        """
        context = self._context_tokens()
        if context is None:
            return None
        found = fit(view, self.messages, input_budget(context))
        if isinstance(found, DoesNotFit):
            return failure_of(Reason.CONTEXT_TOO_LONG, found.detail)
        return found

    def _context_tokens(self) -> int | None:
        if self.policy.token_budget is not None:
            return self.policy.token_budget
        if self.model.context_window is None:
            return None
        return self.model.context_window - self.policy.output_tokens

    def messages(self, view: ModelView, feedback: str = "") -> tuple[Message, ...]:
        """Render the question."""
        values = self.playbook.slot_values(view)
        return render_messages(self.template, values, feedback=feedback, secret=self.secret)

    def more_room(self, output_tokens: int, messages: tuple[Message, ...]) -> int | None:
        """Double the room for the reply as far as the window allows; ``None``: it does not."""
        raised = output_tokens * 2
        window = self.model.context_window
        if window is not None and not surely_within(messages, window - raised):
            raised = min(raised, window - messages_tokens(messages))
        return raised if raised > output_tokens else None

    def request(
        self, view: ModelView, messages: tuple[Message, ...], output_tokens: int
    ) -> ModelRequest:
        """Return the question as it is sent, and found again in the ledger."""
        identity: Mapping[str, JsonValue] = self.client.identity
        parameters: dict[str, JsonValue] = {}
        if self.client.local:
            identity = {**identity, "view": view_digest(view)}
        else:
            parameters = {"temperature": TEMPERATURE, **self.model.params}
            parameters[MAX_OUTPUT_TOKENS] = output_tokens
        return ModelRequest(
            model=self.model.model,
            endpoint=self.client.endpoint,
            messages=messages,
            view=view,
            schema=self.schema,
            parameters=parameters,
            repeat=self.policy.repeat,
            identity=identity,
        )
