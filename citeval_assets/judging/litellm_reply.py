"""From litellm's response object to a completion: text, usage, cost, who answered."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from citeval_assets.judging.pricing import PriceTag
from citeval_assets.judging.request import Completion, Usage


def completion_from(
    response: Any,
    *,
    provider: str,
    price: PriceTag,
    notes: tuple[str, ...] = (),
) -> Completion:
    """Return what a response says. A body without choices or content is a reply without text."""
    usage, cache_writing = _usage(getattr(response, "usage", None))
    completion = Completion(
        text=None,
        usage=usage,
        cost=price.cost(usage, cache_writing),
        answered_model=_text(getattr(response, "model", None)),
        fingerprint=_text(getattr(response, "system_fingerprint", None)),
        provider=_text(getattr(response, "provider", None)) or provider,
        notes=notes,
    )
    choices = getattr(response, "choices", None)
    if not choices:
        return replace(completion, notes=(*notes, "the body held no choices"))
    choice = choices[0]
    message = getattr(choice, "message", None)
    finish = _text(getattr(choice, "finish_reason", None))
    text = _content(getattr(message, "content", None))
    refusal = _text(getattr(message, "refusal", None))
    if not text and refusal:
        return replace(
            completion,
            text=refusal,
            finish_reason="refusal",
            notes=(*notes, f"refusal field of the message; finish reason {finish}"),
        )
    return replace(completion, text=text, finish_reason=finish)


def _usage(usage: Any) -> tuple[Usage, int]:
    """Return the token counts, and how many prompt tokens were written to a cache."""
    if usage is None:
        return Usage(), 0
    details = getattr(usage, "prompt_tokens_details", None)
    cached = _count(getattr(details, "cached_tokens", None))
    writing = _count(getattr(details, "cache_creation_tokens", None))
    counted = Usage(
        prompt=_count(getattr(usage, "prompt_tokens", None)),
        cached=cached,
        completion=_count(getattr(usage, "completion_tokens", None)),
    )
    return counted, writing or 0


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _content(content: object) -> str | None:
    """Return the text of a message; a list of parts is joined."""
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence):
        return None
    parts = [
        str(cast("Mapping[str, Any]", part).get("text") or "")
        for part in cast("Sequence[object]", content)
        if isinstance(part, Mapping)
    ]
    return "".join(parts) or None
