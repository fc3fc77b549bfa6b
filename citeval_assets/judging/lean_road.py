"""Over our own connection, in litellm's words.

litellm makes the request (see ``moulds``) and reads the answer; only the way between is ours.
That leaves out what costs ten times the CPU of the rest: logging, client objects, retries. An
answer that is no plain success is played to ``litellm.acompletion`` itself, so that every fault
comes out as the stock road would raise it.
"""

import asyncio
import linecache
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from citeval_assets.datasets.hashing import canonical_json
from citeval_assets.judging.form import CallForm
from citeval_assets.judging.lean_reading import RawResponse, play, read_plainly
from citeval_assets.judging.litellm_arguments import BACKSTOP_S, Arguments
from citeval_assets.judging.moulds import CaughtRequest, Mould, NoMould, marked_texts, mould_from
from citeval_assets.judging.request import ModelRequest

_THROUGH_THE_OPENAI_LIBRARY = frozenset(
    {
        "cerebras",
        "custom_openai",
        "deepinfra",
        "litellm_proxy",
        "llamafile",
        "lm_studio",
        "nebius",
        "nvidia_nim",
        "openai",
        "perplexity",
        "sambanova",
    }
)
_THROUGH_LITELLM_ALONE = frozenset(
    {
        "anthropic",
        "deepseek",
        "fireworks_ai",
        "groq",
        "hosted_vllm",
        "mistral",
        "ollama",
        "ollama_chat",
        "openrouter",
        "together_ai",
        "xai",
    }
)

PROVEN = _THROUGH_THE_OPENAI_LIBRARY | _THROUGH_LITELLM_ALONE
"""Providers for which a test shows that both roads send the same and read the same."""

_Kind = tuple[CallForm, str, str, tuple[str, ...]]
"""What requests have in common but for their texts: form, schema, parameters, roles."""


_Headers = tuple[tuple[str, str], ...]


class _Request(aiohttp.ClientRequest):
    """A request that takes its headers as they stand, in one go. None of ours is ``Host``."""

    def update_headers(self, headers: Any) -> None:
        """Put the host first and the given headers behind it."""
        super().update_headers(None)
        self.headers.extend(headers or ())


class _Caught(aiohttp.ClientConnectionError):
    """Raised in place of sending."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known about one kind of request."""

    mould: Mould
    mapped: Mapping[str, Any]
    proxy: str | None


_LEARNT: dict[tuple[str, str | None, str | None, _Kind], _Known] = {}
"""By model, address and key: learning takes litellm a tenth of a second each time."""

_MOST_LEARNT = 200


@dataclass
class LeanRoad:
    """Sends over a session of its own what litellm made, and lets litellm read the answer.

    ``played`` counts the answers that were no plain success.
    """

    litellm: ModuleType
    arguments: Arguments
    played: int = 0
    _kinds: dict[_Kind, _Known] = field(default_factory=dict)
    _learning: asyncio.Lock = field(default_factory=asyncio.Lock)
    _connector: aiohttp.TCPConnector | None = None
    _sessions: dict[_Headers, aiohttp.ClientSession] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """How the ledger calls this road."""
        return "lean"

    async def prepare(self, request: ModelRequest, form: CallForm) -> None:
        """Learn how litellm makes requests of this kind. Nothing is sent.

        Raises:
            NoMould: litellm's request cannot be taken apart.
        """
        await self._known(request, form)

    async def send(self, request: ModelRequest, form: CallForm) -> Any:
        """Send once and return litellm's response object.

        Raises:
            NoMould: litellm's request cannot be taken apart; nothing was sent.
            Exception: what litellm would raise, or a fault of the line.
        """
        known = await self._known(request, form)
        mould = known.mould
        body = mould.body([message.content for message in request.messages])
        session = self._session(mould.headers)
        async with session.request(mould.method, mould.url, data=body, proxy=known.proxy) as answer:
            raw = RawResponse(answer.status, answer.headers, await answer.read())
        sdk = mould.by_openai_library
        try:
            return read_plainly(self.arguments, known.mapped, raw, request, by_openai_library=sdk)
        except Exception:  # noqa: BLE001 - whatever is odd about an answer, litellm says what it is
            self.played += 1
        return await play(self.litellm, self.arguments, raw, request, form, by_openai_library=sdk)

    async def close(self) -> None:
        """Close the connections."""
        sessions, self._sessions = self._sessions, {}
        connector, self._connector = self._connector, None
        for session in sessions.values():
            await session.close()
        if connector is not None:
            await connector.close()

    def _session(self, headers: _Headers) -> aiohttp.ClientSession:
        """Return the session that sends these headers; all share one pool of connections.

        Headers of a session are looked through once, those of a request with every request.
        """
        session = self._sessions.get(headers)
        if session is None:
            session = self._sessions[headers] = aiohttp.ClientSession(
                connector=self._connections(),
                connector_owner=False,
                headers=headers,
                timeout=aiohttp.ClientTimeout(total=None),
                cookie_jar=aiohttp.DummyCookieJar(),
                request_class=_Request,
            )
        return session

    def _connections(self) -> aiohttp.TCPConnector:
        if self._connector is None:
            from litellm.llms.custom_httpx.http_handler import get_ssl_configuration

            context: Any = get_ssl_configuration()
            self._connector = aiohttp.TCPConnector(limit=0, ssl=context)
        return self._connector

    async def _known(self, request: ModelRequest, form: CallForm) -> _Known:
        roles = tuple(str(message.role) for message in request.messages)
        kind = (form, request.schema.sha256, canonical_json(dict(request.parameters)), roles)
        known = self._kinds.get(kind)
        if known is not None:
            return known
        async with self._learning:
            if kind not in self._kinds:
                self._kinds[kind] = await self._recalled(kind, request, form, roles)
        return self._kinds[kind]

    async def _recalled(
        self, kind: _Kind, request: ModelRequest, form: CallForm, roles: tuple[str, ...]
    ) -> _Known:
        """Return what an earlier session of this process learnt, else learn it."""
        place = (self.arguments.model.model, self.arguments.address, self.arguments.sent_key, kind)
        if place not in _LEARNT:
            if len(_LEARNT) >= _MOST_LEARNT:
                _LEARNT.clear()
            _LEARNT[place] = await self._learn(request, form, roles)
        return _LEARNT[place]

    async def _learn(self, request: ModelRequest, form: CallForm, roles: tuple[str, ...]) -> _Known:
        texts, others = (marked_texts(len(roles), long=long) for long in (False, True))
        first = await self._catch(_messages(roles, texts), request, form)
        second = await self._catch(_messages(roles, others), request, form)
        mould = mould_from(first, texts, second, others)
        # litellm spells out the traceback of the request we caught: 5 MB of source lines stay.
        linecache.clearcache()
        return _Known(mould, self.arguments.mapped(request, form), _proxy(mould.url))

    async def _catch(
        self, messages: list[dict[str, str]], request: ModelRequest, form: CallForm
    ) -> CaughtRequest:
        """Let litellm make a request and take it out of its hands."""
        caught: list[CaughtRequest] = []

        async def middleware(sent: aiohttp.ClientRequest, _: object) -> aiohttp.ClientResponse:
            body = sent.body if isinstance(sent.body, bytes) else await sent.body.as_bytes()
            headers = tuple((str(name), str(value)) for name, value in sent.headers.items())
            caught.append(CaughtRequest(sent.method, str(sent.url), headers, body))
            raise _Caught("caught before it went out")

        async with aiohttp.ClientSession(middlewares=(middleware,)) as session:
            client = _catching_client(self.arguments, session)
            arguments = self.arguments.around(messages, request, form)
            try:
                await self.litellm.acompletion(**arguments, client=client)
            except Exception:
                if not caught:
                    raise
        if len(caught) != 1:
            raise NoMould(f"litellm made {len(caught)} requests for one call")
        return caught[0]


def _messages(roles: tuple[str, ...], texts: list[str]) -> list[dict[str, str]]:
    return [{"role": role, "content": text} for role, text in zip(roles, texts, strict=True)]


def _catching_client(arguments: Arguments, session: aiohttp.ClientSession) -> Any:
    """Return the client litellm would make for this provider, around the session that catches.

    It is handed over, not left to litellm to make: litellm keeps its clients, and one that holds
    our session would serve others later.
    """
    from litellm.llms.custom_httpx.aiohttp_transport import LiteLLMAiohttpTransport

    transport = LiteLLMAiohttpTransport(client=session, owns_session=False)
    if arguments.provider in _THROUGH_THE_OPENAI_LIBRARY:
        import httpx
        import openai

        player: Any = httpx.AsyncClient(transport=transport)
        return openai.AsyncOpenAI(
            api_key=arguments.sent_key,
            base_url=arguments.address,
            timeout=BACKSTOP_S,
            max_retries=0,
            http_client=player,
        )
    from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler

    return AsyncHTTPHandler(transport=transport)


def _proxy(url: str) -> str | None:
    """Return the proxy the environment names for an address, as litellm would find it."""
    parts = urlsplit(url)
    proxies = urllib.request.getproxies()
    if not proxies or urllib.request.proxy_bypass(parts.hostname or ""):
        return None
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    return f"http://{proxy}" if proxy and "://" not in proxy else proxy
