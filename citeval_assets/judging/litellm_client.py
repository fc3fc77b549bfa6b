"""Calls through litellm, with everything it does on its own switched off."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from types import ModuleType

from citeval_assets.config import KeyUnreadable, ModelConfig, Road, find_key
from citeval_assets.judging.form import CallForm
from citeval_assets.judging.lean_road import PROVEN, LeanRoad
from citeval_assets.judging.litellm_arguments import Arguments, first_format, listed_entry
from citeval_assets.judging.litellm_reply import completion_from
from citeval_assets.judging.litellm_setup import load_litellm
from citeval_assets.judging.moulds import NoMould
from citeval_assets.judging.pricing import PriceTag
from citeval_assets.judging.provider_errors import ProviderError, failure_from
from citeval_assets.judging.request import Answer, CallFailure, Completion, JsonValue, ModelRequest
from citeval_assets.judging.roads import CallRoad, StockRoad
from citeval_assets.playbooks.vocabulary import Reason
from citeval_assets.redaction import Redactor

_open_clients = 0


@dataclass(frozen=True)
class _Loaded:
    """What is there once litellm is."""

    litellm: ModuleType
    arguments: Arguments
    price: PriceTag


@dataclass
class LitellmClient:
    """Asks one configured model through litellm.

    Adapts to what the model takes: the first refusal of a parameter we can do without changes
    the form of this and all further requests, and is recorded with each of them.
    """

    model: ModelConfig
    key: str | None = field(default=None, repr=False)
    key_missing: str | None = None
    """Why there is no key though one is named."""

    _loaded: _Loaded | None = None
    _road: CallRoad | None = None
    _unusable: CallFailure | None = None
    _form: CallForm = field(default_factory=CallForm)
    _loading: asyncio.Lock = field(default_factory=asyncio.Lock)

    @classmethod
    def for_model(cls, model: ModelConfig, environ: Mapping[str, str]) -> "LitellmClient":
        """Return the client of a model; its key comes by way of ``api_key_env`` and no other."""
        name = model.api_key_env
        if name is None:
            return cls(model)
        try:
            key = find_key(name, environ)
        except KeyUnreadable as error:
            return cls(model, key_missing=str(error))
        if key is None:
            missing = (
                f"the environment variable {name} (api_key_env) is not set; set it to the key of "
                f"the provider, or {name}_FILE to a file that holds it"
            )
            return cls(model, key_missing=missing)
        return cls(model, key.value)

    def __repr__(self) -> str:
        return f"LitellmClient({self.model.id!r})"

    @property
    def endpoint(self) -> str:
        """The configured address, or the word for the provider's own."""
        return self.model.api_base or "provider default"

    @property
    def identity(self) -> Mapping[str, JsonValue]:
        """Nothing beside model, endpoint and parameters."""
        return {}

    @property
    def local(self) -> bool:
        """Calls go out and cost money."""
        return False

    async def ready(self, request: ModelRequest) -> CallFailure | None:
        """Load litellm, and see whether it would send the request at all."""
        if self.key_missing is not None:
            return CallFailure(Reason.BAD_KEY, f"model {self.model.id}: {self.key_missing}")
        if self._loaded is None:
            async with self._loading:
                if self._loaded is None and self._unusable is None:
                    await self._load(request)
        if self._unusable is None and self._road is not None:
            await self._prepare(self._road, request)
        return self._unusable

    async def _prepare(self, road: CallRoad, request: ModelRequest) -> None:
        try:
            await road.prepare(request, self._form)
        except NoMould as error:
            await self._take_stock_road(str(error))
        except Exception as error:  # noqa: BLE001 - what litellm refuses is a state, not a crash
            self._unusable = self._never_sent(str(error))

    async def price(self) -> PriceTag | None:
        """Return the configured price, else that of litellm's list. Needs no key."""
        if self._loaded is not None:
            return self._loaded.price
        if self.model.price is not None:
            return PriceTag(self.model.price, None)
        litellm = await asyncio.to_thread(load_litellm)
        try:
            _, provider, _, known_address = litellm.get_llm_provider(
                self.model.model, api_base=self.model.api_base
            )
        except Exception:  # noqa: BLE001 - a provider litellm does not know has no price
            return PriceTag(None, None)
        arguments = Arguments(self.model, provider, None, known_address)
        return PriceTag(None, listed_entry(litellm, arguments))

    def form(self, request: ModelRequest) -> CallForm:
        """Return the form this model takes, as far as it is known by now."""
        return self._form

    async def call(self, request: ModelRequest, form: CallForm, deadline_s: float) -> Answer:
        """Send the request once."""
        assert self._loaded is not None and self._road is not None, "ready() comes first"
        road = self._road
        try:
            async with asyncio.timeout(deadline_s):
                response = await road.send(request, form)
        except TimeoutError:
            return CallFailure(
                Reason.TIMEOUT, f"no reply within {deadline_s:.3g} s", retryable=True
            )
        except NoMould as error:
            return await self._other_road(request, form, deadline_s, str(error))
        except Exception as error:  # noqa: BLE001 - litellm raises dozens of types: all are outcomes
            return self._failure(error, form)
        completion = completion_from(
            response,
            provider=self._loaded.arguments.provider,
            price=self._loaded.price,
            notes=(f"road: {road.name}",),
        )
        return self._without_key(completion)

    async def close(self) -> None:
        """Close our connections, and litellm's once the last client of this process is closed."""
        global _open_clients
        road, self._road = self._road, None
        if road is not None:
            await road.close()
        loaded, self._loaded = self._loaded, None
        if loaded is None:
            return
        _open_clients -= 1
        if _open_clients == 0:
            await loaded.litellm.close_litellm_async_clients()

    async def _load(self, request: ModelRequest) -> None:
        """Import litellm off the loop (it takes seconds) and learn what the model takes."""
        global _open_clients
        litellm = await asyncio.to_thread(load_litellm)
        try:
            _, provider, _, known_address = litellm.get_llm_provider(
                self.model.model, api_base=self.model.api_base
            )
        except Exception as error:  # noqa: BLE001 - an unknown provider is a state, not a crash
            self._unusable = self._never_sent(str(error))
            return
        arguments = Arguments(self.model, provider, self.key, known_address)
        listed = listed_entry(litellm, arguments)
        self._form = CallForm(first_format(litellm, arguments, listed))
        self._unusable = self._try_parameters(litellm, arguments, request)
        self._road = self._choose(litellm, arguments)
        self._loaded = _Loaded(litellm, arguments, PriceTag(self.model.price, listed))
        _open_clients += 1

    def _choose(self, litellm: ModuleType, arguments: Arguments) -> CallRoad:
        wanted = self.model.road
        lean = wanted is Road.LEAN or (wanted is Road.AUTO and arguments.provider in PROVEN)
        if wanted is Road.LEAN and arguments.provider not in PROVEN:
            self._unusable = self._never_sent(
                f"road: lean is not proven for the provider {arguments.provider}; write road: auto"
            )
        return LeanRoad(litellm, arguments) if lean else StockRoad(litellm, arguments)

    async def _other_road(
        self, request: ModelRequest, form: CallForm, deadline_s: float, why: str
    ) -> Answer:
        await self._take_stock_road(why)
        return self._unusable or await self.call(request, form, deadline_s)

    async def _take_stock_road(self, why: str) -> None:
        """Take the stock road from here on, unless the lean one was asked for by name."""
        assert self._loaded is not None
        if self.model.road is Road.LEAN:
            self._unusable = self._never_sent(f"road: lean cannot be taken: {why}")
            return
        lean, self._road = self._road, StockRoad(self._loaded.litellm, self._loaded.arguments)
        if isinstance(lean, LeanRoad):
            await lean.close()

    def _try_parameters(
        self, litellm: ModuleType, arguments: Arguments, request: ModelRequest
    ) -> CallFailure | None:
        """Let litellm map the parameters without sending anything.

        It refuses some itself (temperature for reasoning models). Found out here, a refusal
        costs no request and leaves no intent in the ledger.
        """
        while True:
            try:
                arguments.mapped(request, self._form)
            except litellm.UnsupportedParamsError as error:
                refused = "temperature" if "temperature" in str(error) else "response_format"
                adapted = self._form.refused(refused) if refused in str(error) else None
                if adapted is None:
                    return self._never_sent(str(error))
                self._form = adapted
            except Exception as error:  # noqa: BLE001 - see _load
                return self._never_sent(str(error))
            else:
                return None

    def _failure(self, error: Exception, form: CallForm) -> CallFailure:
        found = ProviderError.of(error)
        failure = failure_from(found, self._clean(found.message), datetime.now(UTC))
        refused = found.refused_parameter
        if refused is None:
            return failure
        if self._form == form:
            adapted = form.refused(refused)
            if adapted is None:
                return failure
            self._form = adapted
        # Else another request was refused meanwhile, and the form has changed already.
        return CallFailure(
            failure.reason,
            f"{failure.detail} (asked again without {refused} as it was)",
            failure.http_status,
            form=self._form,
            cost=failure.cost,
        )

    def _never_sent(self, why: str) -> CallFailure:
        detail = f"model {self.model.id}: {self._clean(why)}"
        return CallFailure(Reason.BAD_REQUEST, detail[:500])

    def _clean(self, text: str) -> str:
        return self._redactor.clean(text)

    def _without_key(self, completion: Completion) -> Completion:
        """Take our key out of a reply that repeats it; what only looks like a key stays."""
        told = {
            name: value
            for name in ("text", "answered_model", "fingerprint", "provider", "finish_reason")
            if isinstance(value := getattr(completion, name), str)
        }
        clean = {name: self._redactor.clean_known(value) for name, value in told.items()}
        if clean == told:
            return completion
        notes = (*completion.notes, "the reply repeated our key; it was removed")
        return replace(completion, **clean, notes=notes)

    @cached_property
    def _redactor(self) -> Redactor:
        return Redactor([self.key] if self.key else [])
