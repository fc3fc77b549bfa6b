"""One question to one model, its identity, and what came of it."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property, lru_cache

from citeval_assets.datasets.hashing import canonical_json
from citeval_assets.judging.form import CallForm
from citeval_assets.playbooks.view import ModelView
from citeval_assets.playbooks.vocabulary import Reason
from citeval_assets.templates.model import Message

JsonValue = bool | int | float | str | None | list["JsonValue"] | dict[str, "JsonValue"]

MAX_OUTPUT_TOKENS = "max_output_tokens"
"""The name under which the room for a reply stands among the parameters."""


@dataclass(frozen=True)
class ReplySchema:
    """The JSON schema a reply must have, with the name it is sent under."""

    name: str
    schema: Mapping[str, JsonValue]

    @cached_property
    def canonical(self) -> str:
        """The schema as canonical JSON."""
        return canonical_json(self.schema)

    @cached_property
    def sha256(self) -> str:
        """Hash of the schema, as the ledger keeps it."""
        return _sha256(self.canonical)


@dataclass(frozen=True)
class ModelRequest:
    """What is asked of whom.

    ``parameters`` holds exactly what is set: a parameter that stands here, even as ``None``,
    differs from one that does not. ``identity`` is what the client adds to the identity of a
    call (the version of an embedded model).
    """

    model: str
    endpoint: str
    messages: tuple[Message, ...]
    view: ModelView
    schema: ReplySchema
    parameters: Mapping[str, JsonValue]
    repeat: int = 0
    identity: Mapping[str, JsonValue] = field(default_factory=dict)

    @property
    def output_tokens(self) -> int | None:
        """Room for the reply, where it is limited."""
        limit = self.parameters.get(MAX_OUTPUT_TOKENS)
        return limit if isinstance(limit, int) else None

    def messages_as_sent(self) -> list[dict[str, str]]:
        """Return the messages in the shape every chat interface takes."""
        return [{"role": str(m.role), "content": m.content} for m in self.messages]

    @cached_property
    def messages_json(self) -> str:
        """The messages as canonical JSON, as the ledger keeps them."""
        return "[" + ",".join(map(_spelled, self.messages)) + "]"

    @cached_property
    def call_key(self) -> str:
        """SHA-256 over everything that may change the answer.

        Two requests of one key are answered by one stored reply, whatever run, dataset version
        or case they belong to. It is the hash of one canonical JSON object, put together from
        parts of which the large ones are spelled once and used again.
        """
        parts = {
            "endpoint": canonical_json(self.endpoint),
            "identity": canonical_json(dict(self.identity)),
            "messages": self.messages_json,
            "model": canonical_json(self.model),
            "parameters": canonical_json(dict(self.parameters)),
            "repeat": str(self.repeat),
            "response_schema": self.schema.canonical,
        }
        return _sha256("{" + ",".join(f'"{name}":{part}' for name, part in parts.items()) + "}")


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them; ``cached`` is part of ``prompt``."""

    prompt: int | None = None
    cached: int | None = None
    completion: int | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """What one call cost in US dollars; ``None`` where unknown, and then ``note`` says why."""

    usd: Decimal | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Completion:
    """A reply that arrived. ``text`` is ``None`` where the body held no content."""

    text: str | None
    finish_reason: str | None = None
    usage: Usage = Usage()
    cost: Cost = Cost(None, "no price")
    answered_model: str | None = None
    fingerprint: str | None = None
    provider: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CallFailure:
    """A request that brought no reply.

    ``detail`` is redacted: it may be stored and shown. ``retryable``: the same request may do
    better in a moment. ``form`` is set where the model refused the form of the request and
    would take this one.
    """

    reason: Reason
    detail: str
    http_status: int | None = None
    retry_after_s: float | None = None
    retryable: bool = False
    form: CallForm | None = None
    cost: Cost = Cost(None, "unknown whether billed")
    notes: tuple[str, ...] = ()


Answer = Completion | CallFailure


def _spelled(message: Message) -> str:
    """Return one message as canonical JSON."""
    if message.role == "system":
        return _instructions(message.content)
    return f'{{"content":{canonical_json(message.content)},"role":"{message.role}"}}'


@lru_cache(maxsize=64)
def _instructions(text: str) -> str:
    """Return the system message as canonical JSON: the same for every case of a template."""
    return f'{{"content":{canonical_json(text)},"role":"system"}}'


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
