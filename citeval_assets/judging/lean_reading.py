"""Reading an answer that came over our own connection, with litellm's own readers."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType, SimpleNamespace
from typing import Any

from citeval_assets.judging.form import CallForm
from citeval_assets.judging.litellm_arguments import Arguments
from citeval_assets.judging.request import ModelRequest

_UNDONE_BY_THE_CONNECTION = ("content-encoding", "content-length", "transfer-encoding")


@dataclass(frozen=True, slots=True)
class RawResponse:
    """A response as it came in, unpacked."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def plain_success(self) -> bool:
        """Whether a reader that knows nothing of faults may try."""
        return self.status == 200 and "json" in self.headers.get("content-type", "").lower()

    @property
    def unpacked_headers(self) -> dict[str, str]:
        """The headers that still hold now that the body is unpacked."""
        return {k: v for k, v in self.headers.items() if k.lower() not in _UNDONE_BY_THE_CONNECTION}


class NotPlain(ValueError):
    """The answer is no plain success."""


def read_plainly(
    arguments: Arguments,
    mapped: Mapping[str, Any],
    raw: RawResponse,
    request: ModelRequest,
    *,
    by_openai_library: bool,
) -> Any:
    """Read a plain success as litellm does for this provider.

    Args:
        arguments: Whose answer it is.
        mapped: The parameters as litellm mapped them: some decide how an answer is read.
        raw: The answer.
        request: The question.
        by_openai_library: Whether litellm leaves this provider to the OpenAI library.

    Raises:
        Exception: it is no plain success, or litellm's reader cannot make sense of it.
    """
    if not raw.plain_success:
        raise NotPlain(f"HTTP {raw.status}")
    if by_openai_library:
        return _read_openai(arguments, raw)
    return _read_transformed(arguments, mapped, raw, request)


def _read_openai(arguments: Arguments, raw: RawResponse) -> Any:
    from litellm.litellm_core_utils.llm_response_utils.convert_dict_to_response import (
        convert_to_model_response_object,
    )
    from litellm.types.utils import ModelResponse

    parsed = json.loads(raw.body)
    if not isinstance(parsed, dict):
        raise NotPlain("the body is no object")
    config = _reader(arguments.provider, arguments.bare_model)
    if config is not None:
        parsed = config.transform_parsed_response_dict(parsed)
    # Without choices it would make some up, to be replaced by those of the answer.
    answered = ModelResponse(choices=[])
    # Of a provider that is not OpenAI itself, litellm puts its name before the answered model.
    if arguments.provider != "openai":
        answered.model = f"{arguments.provider}/{arguments.bare_model}"
    return convert_to_model_response_object(
        response_object=parsed,
        model_response_object=answered,
        hidden_params={"headers": {}},
        _response_headers={},
    )


def _read_transformed(
    arguments: Arguments, mapped: Mapping[str, Any], raw: RawResponse, request: ModelRequest
) -> Any:
    import httpx
    from litellm.types.utils import ModelResponse

    config = _provider_config(arguments.provider, arguments.bare_model)
    if config is None:
        raise NotPlain(f"litellm has no reader for {arguments.provider}")
    parameters = dict(mapped)
    json_mode = parameters.pop("json_mode", False)
    return config.transform_response(
        model=arguments.bare_model,
        raw_response=httpx.Response(raw.status, headers=raw.unpacked_headers, content=raw.body),
        model_response=ModelResponse(),
        logging_obj=_NO_LOG,
        request_data={},
        messages=request.messages_as_sent(),
        optional_params=parameters,
        litellm_params={},
        encoding=None,
        api_key=arguments.key,
        json_mode=json_mode,
    )


@lru_cache(maxsize=64)
def _reader(provider: str, bare_model: str) -> Any:
    """Return what rewrites a parsed answer of the OpenAI library; it keeps nothing of it."""
    return _provider_config(provider, bare_model)


def _provider_config(provider: str, bare_model: str) -> Any:
    from litellm.types.utils import LlmProviders
    from litellm.utils import ProviderConfigManager

    try:
        known = LlmProviders(provider)
    except ValueError:
        return None
    return ProviderConfigManager.get_provider_chat_config(bare_model, known)


async def play(
    litellm: ModuleType,
    arguments: Arguments,
    raw: RawResponse,
    request: ModelRequest,
    form: CallForm,
    *,
    by_openai_library: bool,
) -> Any:
    """Give litellm the answer as if it had sent the request itself. Nothing is sent.

    Raises:
        Exception: what litellm makes of this answer.
    """
    import httpx

    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(raw.status, headers=raw.unpacked_headers, content=raw.body)

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as player:
        client = _player(player, by_openai_library=by_openai_library)
        return await litellm.acompletion(**arguments.of(request, form), client=client)


def _player(player: Any, *, by_openai_library: bool) -> Any:
    if by_openai_library:
        import openai

        return openai.AsyncOpenAI(
            api_key="played", base_url="http://played.invalid", max_retries=0, http_client=player
        )
    from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler

    client = AsyncHTTPHandler()
    client.client = player
    return client


def _nothing(*_: object, **__: object) -> None:
    """Stand in for litellm's logging."""


_NO_LOG = SimpleNamespace(post_call=_nothing, pre_call=_nothing, model_call_details={})
