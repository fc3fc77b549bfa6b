"""The door to every model, and which client opens it."""

from collections.abc import Mapping
from typing import Protocol

from citeval_assets.config import ModelConfig
from citeval_assets.embedded.calibration import UNCALIBRATED, Calibration
from citeval_assets.judging.form import CallForm
from citeval_assets.judging.pricing import PriceTag
from citeval_assets.judging.request import Answer, CallFailure, JsonValue, ModelRequest

EMBEDDED_PREFIX = "embedded/"


class ModelClient(Protocol):
    """Sends one request and returns what came of it. Never retries, never raises for a fault.

    Errors of the provider come back as ``CallFailure``; an exception is a programming error.
    """

    @property
    def endpoint(self) -> str:
        """Where the requests go, as part of the identity of a call."""
        ...

    @property
    def identity(self) -> Mapping[str, JsonValue]:
        """What else decides the answer (the version of an embedded model)."""
        ...

    @property
    def local(self) -> bool:
        """Whether the model answers here, from the view and at no cost: no key, no lease."""
        ...

    async def ready(self, request: ModelRequest) -> CallFailure | None:
        """Return why nothing can be sent at all, before anything is recorded, or ``None``."""
        ...

    async def price(self) -> PriceTag | None:
        """Return what calls cost; asked only where the spending is limited or foretold."""
        ...

    def form(self, request: ModelRequest) -> CallForm:
        """Return the form the request would go out in now."""
        ...

    async def call(self, request: ModelRequest, form: CallForm, deadline_s: float) -> Answer:
        """Send the request once, in this form, and wait at most ``deadline_s`` seconds."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


def client_for(
    model: ModelConfig, environ: Mapping[str, str], calibration: Calibration = UNCALIBRATED
) -> ModelClient:
    """Return the client for a configured model; ``calibration`` is for an embedded judge.

    Nothing is imported, opened or checked yet that only a call needs: a run that finds all its
    replies in the ledger needs neither a key nor the client library.

    Raises:
        KeyError: for an embedded model that does not exist; the text names those that do.
    """
    if model.model.startswith(EMBEDDED_PREFIX):
        from citeval_assets.judging.embedded_client import EmbeddedClient

        return EmbeddedClient.named(model.model, calibration)
    from citeval_assets.judging.litellm_client import LitellmClient

    return LitellmClient.for_model(model, environ)


__all__ = ["EMBEDDED_PREFIX", "ModelClient", "client_for"]
