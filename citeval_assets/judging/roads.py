"""The ways a question can go to a provider and its answer come back.

Both hand out what litellm makes of the answer: its response object, or its exception. The stock
road is ``litellm.acompletion`` itself.
"""

from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol

from citeval_assets.judging.form import CallForm
from citeval_assets.judging.litellm_arguments import Arguments
from citeval_assets.judging.request import ModelRequest


class CallRoad(Protocol):
    """Sends one request, once."""

    @property
    def name(self) -> str:
        """How the ledger calls this road."""
        ...

    async def prepare(self, request: ModelRequest, form: CallForm) -> None:
        """Do what has to be done once, before the time of a call runs."""
        ...

    async def send(self, request: ModelRequest, form: CallForm) -> Any:
        """Return litellm's response object, or raise what litellm would."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


@dataclass(frozen=True)
class StockRoad:
    """Through ``litellm.acompletion``."""

    litellm: ModuleType
    arguments: Arguments

    @property
    def name(self) -> str:
        """How the ledger calls this road."""
        return "stock"

    async def prepare(self, request: ModelRequest, form: CallForm) -> None:
        """Nothing is to be done."""

    async def send(self, request: ModelRequest, form: CallForm) -> Any:
        """Let litellm do it all."""
        return await self.litellm.acompletion(**self.arguments.of(request, form))

    async def close(self) -> None:
        """litellm's connections are closed for all clients at once, by the last of them."""
