"""Asks a model that ships with citeval: no network, no key, no cost."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from citeval_assets.config import ModelPrice
from citeval_assets.embedded.calibration import UNCALIBRATED, Calibration
from citeval_assets.embedded.model import CannotJudge, EmbeddedModel
from citeval_assets.embedded.registry import embedded_model
from citeval_assets.judging.form import CallForm, ResponseFormat
from citeval_assets.judging.pricing import PriceTag
from citeval_assets.judging.request import (
    Answer,
    CallFailure,
    Completion,
    Cost,
    JsonValue,
    ModelRequest,
)
from citeval_assets.playbooks.vocabulary import Reason

_FREE = Cost(Decimal(0), "embedded: no cost")
_FREE_OF_CHARGE = PriceTag(
    ModelPrice(input_per_million=Decimal(0), output_per_million=Decimal(0)), None
)


@dataclass(frozen=True)
class EmbeddedClient:
    """Answers from the gold-free view; the messages are recorded, never parsed."""

    embedded: EmbeddedModel

    @classmethod
    def named(cls, name: str, calibration: Calibration = UNCALIBRATED) -> "EmbeddedClient":
        """Return the client of ``embedded/...``, under a calibration.

        Raises:
            KeyError: there is no such model; the text names those there are.
        """
        return cls(embedded_model(name, calibration))

    @property
    def endpoint(self) -> str:
        """Calls stay in this process."""
        return "embedded"

    @property
    def identity(self) -> Mapping[str, JsonValue]:
        """The version: a changed model gives other answers to the same question."""
        return {"embedded_version": self.embedded.version}

    @property
    def local(self) -> bool:
        """The model answers here, from the view."""
        return True

    async def ready(self, request: ModelRequest) -> CallFailure | None:
        """Nothing can stand in the way."""
        return None

    async def price(self) -> PriceTag | None:
        """Nothing is billed."""
        return _FREE_OF_CHARGE

    def form(self, request: ModelRequest) -> CallForm:
        """The form does not matter: no parameter is sent."""
        return CallForm(ResponseFormat.PLAIN)

    async def call(self, request: ModelRequest, form: CallForm, deadline_s: float) -> Answer:
        """Answer from the view."""
        try:
            text = self.embedded.reply(request.view)
        except CannotJudge as refusal:
            return CallFailure(Reason.REFUSAL, str(refusal), cost=_FREE)
        return Completion(
            text=text,
            finish_reason="stop",
            cost=_FREE,
            answered_model=f"{self.embedded.name}@{self.embedded.version}",
            provider="embedded",
        )

    async def close(self) -> None:
        """Nothing is open."""
