"""From a question in its form to the arguments of ``litellm.acompletion``."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from citeval_assets.config import ModelConfig
from citeval_assets.judging.form import CallForm, ResponseFormat
from citeval_assets.judging.litellm_quiet import quiet_log
from citeval_assets.judging.request import MAX_OUTPUT_TOKENS, ModelRequest

BACKSTOP_S = 3600.0
"""litellm's own timeout. The deadline of a call is ours; a constant here lets litellm keep one
connection pool (it makes a new one for every timeout it sees)."""

_NO_KEY = "not-set"
"""Sent where no key is configured, so that litellm does not look for one in the environment."""

_CLOUD_CREDENTIALS = frozenset({"bedrock", "sagemaker", "vertex_ai", "watsonx"})
"""Providers that sign requests with the credentials of the machine instead of a key."""

_RETRIES_UNLESS_ALLOWED_NOT_TO = frozenset({"deepinfra", "nvidia_nim", "sambanova"})
"""Providers for which litellm drops ``max_retries`` as unknown, and then retries twice."""

_OPENAI_ADDRESS = "https://api.openai.com/v1"


@dataclass(frozen=True)
class Arguments:
    """What litellm is handed for one configured model."""

    model: ModelConfig
    provider: str
    key: str | None
    known_address: str | None = None
    """Where litellm knows this provider to be."""

    def __repr__(self) -> str:
        return f"Arguments({self.model.id!r})"

    @property
    def bare_model(self) -> str:
        """The model's name without its provider."""
        return self.model.model.removeprefix(f"{self.provider}/")

    @property
    def address(self) -> str | None:
        """Where requests go: as configured, else where the provider is known to be."""
        if self.model.api_base is None and self.provider == "openai":
            return _OPENAI_ADDRESS
        return self.model.api_base or self.known_address

    @property
    def sent_key(self) -> str | None:
        """The key that is sent; ``None`` where the machine's own credentials sign."""
        if self.key is None and self.provider not in _CLOUD_CREDENTIALS:
            return _NO_KEY
        return self.key

    def of(self, request: ModelRequest, form: CallForm) -> dict[str, Any]:
        """Return all arguments for one request, with an object of ours to log to: nothing."""
        messages = request.messages_as_sent()
        unlogged = quiet_log(self.model.model, messages)
        return {**self.around(messages, request, form), **unlogged}

    def around(
        self, messages: list[dict[str, str]], request: ModelRequest, form: CallForm
    ) -> dict[str, Any]:
        """Return the arguments with other messages in place of the request's own."""
        arguments: dict[str, Any] = {
            "model": self.model.model,
            "messages": messages,
            "timeout": BACKSTOP_S,
            "max_retries": 0,
            "drop_params": False,
            "no-log": True,
            **sent_parameters(request, form),
        }
        base = _OPENAI_ADDRESS if self.provider == "openai" else None
        base = self.model.api_base or base
        if base is not None:
            arguments["api_base"] = base
        if self.provider in _RETRIES_UNLESS_ALLOWED_NOT_TO:
            arguments["allowed_openai_params"] = ["max_retries"]
        if self.sent_key is not None:
            arguments["api_key"] = self.sent_key
        return arguments

    def mapped(self, request: ModelRequest, form: CallForm) -> dict[str, Any]:
        """Return the parameters as litellm maps them for the provider; nothing is sent.

        Raises:
            Exception: litellm's own, where it refuses a parameter.
        """
        from litellm.utils import get_optional_params

        return get_optional_params(
            model=self.bare_model,
            custom_llm_provider=self.provider,
            **sent_parameters(request, form),
        )


def sent_parameters(request: ModelRequest, form: CallForm) -> dict[str, Any]:
    """Return the parameters of a request in a form, under the names litellm knows."""
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
    elif form.response_format is ResponseFormat.JSON_OBJECT_WITH_SCHEMA:
        sent["response_format"] = {"type": "json_object", "schema": request.schema.schema}
    elif form.response_format is ResponseFormat.JSON_OBJECT:
        sent["response_format"] = {"type": "json_object"}
    return sent


def listed_entry(litellm: ModuleType, arguments: Arguments) -> Mapping[str, Any] | None:
    """Return the model's entry in the price list, by its full or its bare name."""
    bare, provider = arguments.bare_model, arguments.provider
    for name in (arguments.model.model, f"{provider}/{bare}", bare):
        entry = litellm.model_cost.get(name)
        if entry is not None and entry.get("litellm_provider", "").startswith(provider):
            return entry
    return None


def first_format(
    litellm: ModuleType, arguments: Arguments, listed: Mapping[str, Any] | None
) -> ResponseFormat:
    """Return the strictest format the model is known, or may be hoped, to take."""
    name, provider = arguments.model.model, arguments.provider
    supported = litellm.get_supported_openai_params(name, provider) or []
    if "response_format" not in supported:
        return ResponseFormat.PLAIN
    if litellm.supports_response_schema(name, provider):
        return ResponseFormat.JSON_SCHEMA
    known = listed is not None and arguments.model.api_base is None
    return ResponseFormat.JSON_OBJECT if known else ResponseFormat.JSON_SCHEMA
