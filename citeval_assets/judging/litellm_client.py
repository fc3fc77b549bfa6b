"""Calls through litellm, with everything it does on its own switched off."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import ModuleType
from typing import Any

from citeval_assets.config import ModelConfig
from citeval_assets.judging.form import CallForm, ResponseFormat
from citeval_assets.judging.litellm_reply import completion_from
from citeval_assets.judging.litellm_setup import load_litellm
from citeval_assets.judging.provider_errors import ProviderError, failure_from
from citeval_assets.judging.request import (
    MAX_OUTPUT_TOKENS,
    Answer,
    CallFailure,
    Completion,
    JsonValue,
    ModelRequest,
)
from citeval_assets.playbooks.vocabulary import Reason
from citeval_assets.redaction import Redactor

_BACKSTOP_S = 3600.0
"""litellm's own timeout. The deadline of a call is ours; a constant here lets litellm keep one
connection pool (it makes a new one for every timeout it sees)."""

_NO_KEY = "not-set"
"""Sent where no key is configured, so that litellm does not look for one in the environment."""

_CLOUD_CREDENTIALS = frozenset({"bedrock", "sagemaker", "vertex_ai", "watsonx"})
"""Providers that sign requests with the credentials of the machine instead of a key."""

_OPENAI_ADDRESS = "https://api.openai.com/v1"

_open_clients = 0


@dataclass
class LitellmClient:
    """Asks one configured model through litellm.

    Adapts to what the model takes: the first refusal of a parameter we can do without changes
    the form of this and all further requests, and is recorded with each of them.
    """

    model: ModelConfig
    key: str | None
    key_missing: str | None = None
    """Name of the environment variable that should hold the key and does not."""

    _litellm: ModuleType | None = None
    _provider: str = ""
    _unusable: CallFailure | None = None
    _form: CallForm = field(default_factory=CallForm)
    _loading: asyncio.Lock = field(default_factory=asyncio.Lock)

    @classmethod
    def for_model(cls, model: ModelConfig, environ: Mapping[str, str]) -> "LitellmClient":
        """Return the client of a model; its key comes from ``api_key_env`` and nowhere else."""
        name = model.api_key_env
        key = environ.get(name, "").strip() if name else ""
        return cls(model, key or None, name if name and not key else None)

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
            return CallFailure(
                Reason.BAD_KEY,
                f"model {self.model.id}: the environment variable {self.key_missing} "
                "(api_key_env) is not set; set it to the key of the provider",
            )
        async with self._loading:
            if self._litellm is None:
                await self._load(request)
        return self._unusable

    def form(self, request: ModelRequest) -> CallForm:
        """Return the form this model takes, as far as it is known by now."""
        return self._form

    async def call(self, request: ModelRequest, form: CallForm, deadline_s: float) -> Answer:
        """Send the request once."""
        assert self._litellm is not None, "ready() comes first"
        try:
            async with asyncio.timeout(deadline_s):
                response = await self._litellm.acompletion(**self._arguments(request, form))
        except TimeoutError:
            return CallFailure(
                Reason.TIMEOUT, f"no reply within {deadline_s:.3g} s", retryable=True
            )
        except Exception as error:  # noqa: BLE001 - litellm raises dozens of types: all are outcomes
            return self._failure(error, form)
        return self._completion(response)

    async def close(self) -> None:
        """Close litellm's connections once the last client of this process is closed."""
        global _open_clients
        if self._litellm is None:
            return
        litellm, self._litellm = self._litellm, None
        _open_clients -= 1
        if _open_clients == 0:
            await litellm.close_litellm_async_clients()

    async def _load(self, request: ModelRequest) -> None:
        """Import litellm off the loop (it takes seconds) and learn what the model takes."""
        global _open_clients
        litellm = await asyncio.to_thread(load_litellm)
        self._litellm = litellm
        _open_clients += 1
        try:
            _, self._provider, _, _ = litellm.get_llm_provider(
                self.model.model, api_base=self.model.api_base
            )
        except Exception as error:  # noqa: BLE001 - an unknown provider is a state, not a crash
            self._unusable = self._never_sent(error)
            return
        self._form = CallForm(self._first_format(litellm))
        self._unusable = self._try_parameters(litellm, request)

    def _first_format(self, litellm: ModuleType) -> ResponseFormat:
        """Return the strictest format the model is known, or may be hoped, to take."""
        name = self.model.model
        supported = litellm.get_supported_openai_params(name, self._provider) or []
        if "response_format" not in supported:
            return ResponseFormat.PLAIN
        if litellm.supports_response_schema(name, self._provider):
            return ResponseFormat.JSON_SCHEMA
        known = self._listed(litellm) is not None and self.model.api_base is None
        return ResponseFormat.JSON_OBJECT if known else ResponseFormat.JSON_SCHEMA

    def _try_parameters(self, litellm: ModuleType, request: ModelRequest) -> CallFailure | None:
        """Let litellm map the parameters without sending anything.

        It refuses some itself (temperature for reasoning models). Found out here, a refusal
        costs no request and leaves no intent in the ledger.
        """
        from litellm.utils import get_optional_params

        while True:
            sent = self._parameters(request, self._form)
            name = self.model.model.removeprefix(f"{self._provider}/")
            try:
                get_optional_params(model=name, custom_llm_provider=self._provider, **sent)
            except litellm.UnsupportedParamsError as error:
                refused = "temperature" if "temperature" in str(error) else "response_format"
                adapted = self._form.refused(refused) if refused in str(error) else None
                if adapted is None:
                    return self._never_sent(error)
                self._form = adapted
            except Exception as error:  # noqa: BLE001 - see _load
                return self._never_sent(error)
            else:
                return None

    def _arguments(self, request: ModelRequest, form: CallForm) -> dict[str, Any]:
        base = self.model.api_base
        if base is None and self._provider == "openai":
            base = _OPENAI_ADDRESS
        arguments: dict[str, Any] = {
            "model": self.model.model,
            "messages": request.messages_as_sent(),
            "timeout": _BACKSTOP_S,
            "max_retries": 0,
            "drop_params": False,
            "no-log": True,
            **self._parameters(request, form),
        }
        if base is not None:
            arguments["api_base"] = base
        if self.key is not None:
            arguments["api_key"] = self.key
        elif self._provider not in _CLOUD_CREDENTIALS:
            arguments["api_key"] = _NO_KEY
        return arguments

    def _parameters(self, request: ModelRequest, form: CallForm) -> dict[str, Any]:
        sent: dict[str, Any] = dict(request.parameters)
        limit = sent.pop(MAX_OUTPUT_TOKENS, None)
        if limit is not None:
            name = "max_completion_tokens" if form.completion_tokens_name else "max_tokens"
            sent[name] = limit
        if form.without_temperature:
            sent.pop("temperature", None)
        if form.response_format is ResponseFormat.JSON_SCHEMA:
            schema = {"name": request.schema.name, "strict": True, "schema": request.schema.schema}
            sent["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif form.response_format is ResponseFormat.JSON_OBJECT:
            sent["response_format"] = {"type": "json_object"}
        return sent

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

    def _never_sent(self, error: Exception) -> CallFailure:
        detail = f"model {self.model.id}: {self._clean(str(error))}"
        return CallFailure(Reason.BAD_REQUEST, detail[:500])

    def _clean(self, text: str) -> str:
        return Redactor([self.key] if self.key else []).clean(text)

    def _listed(self, litellm: ModuleType) -> Mapping[str, Any] | None:
        """Return the model's entry in the price list, by its full or its bare name."""
        bare = self.model.model.removeprefix(f"{self._provider}/")
        for name in (self.model.model, f"{self._provider}/{bare}", bare):
            entry = litellm.model_cost.get(name)
            if entry is not None and entry.get("litellm_provider", "").startswith(self._provider):
                return entry
        return None

    def _completion(self, response: Any) -> Completion:
        assert self._litellm is not None
        return completion_from(
            response,
            provider=self._provider,
            configured=self.model.price,
            listed=self._listed(self._litellm),
        )
