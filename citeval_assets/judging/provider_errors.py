"""What a provider's error means: a typed reason, whether to try again, and nothing secret."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, cast

from citeval_assets.judging.backoff import read_retry_after
from citeval_assets.judging.request import CallFailure, Cost
from citeval_assets.playbooks.vocabulary import Reason

MAX_DETAIL_CHARS = 500

_CONTEXT_WORDS = ("context_length_exceeded", "maximum context length", "context window")
_FILTER_WORDS = ("content_filter", "content management policy", "content_policy_violation")
_QUOTA_WORDS = ("insufficient_quota", "billing_hard_limit", "credit balance", "exceeded your")
_REFUSED_WORDS = (
    "not support",
    "unsupported",
    "not allowed",
    "unrecognized",
    "unknown parameter",
    "only the default",
    "deprecated",
    "extra inputs",
    "extra_forbidden",
    "use 'max_completion_tokens'",
    "input should be",
)
_REFUSED_THOUGH_500 = ("validation error", "input should be", "not implemented", "not supported")
"""Some servers (llama-cpp-python) call a request they will not take an error of their own."""

_ADAPTABLE = {
    "temperature": ("temperature",),
    "max_tokens": ("max_tokens",),
    "response_format": ("response_format", "json_schema", "json_object", "structured output"),
}
"""Parameters we can do without, and how error texts name them."""


@dataclass(frozen=True, slots=True)
class ProviderError:
    """An error as it came from the client library, taken apart.

    ``status`` is ``None`` where no response with an error status was received.
    """

    message: str
    status: int | None = None
    code: str = ""
    parameter: str = ""
    retry_after: str | None = None
    kind: str = ""

    @classmethod
    def of(cls, error: BaseException) -> "ProviderError":
        """Take apart an exception of litellm or of the libraries below it."""
        headers = _headers(error)
        body = getattr(error, "body", None)
        fields = cast("Mapping[str, Any]", body) if isinstance(body, Mapping) else {}
        inner = fields.get("error")
        if isinstance(inner, Mapping):
            fields = cast("Mapping[str, Any]", inner)
        status = getattr(error, "status_code", None)
        return cls(
            message=str(fields.get("message") or error),
            # Without headers there was no response: litellm puts a status of its own making.
            status=status if headers is not None and isinstance(status, int) else None,
            code=str(fields.get("code") or getattr(error, "code", None) or ""),
            parameter=str(fields.get("param") or getattr(error, "param", None) or ""),
            retry_after=(headers or {}).get("retry-after"),
            kind=type(error).__name__,
        )

    @property
    def _words(self) -> str:
        return f"{self.code} {self.kind} {self.message}".lower()

    def says(self, *words: str) -> bool:
        """Whether the code or the message holds one of these words."""
        return any(word in self._words for word in words)

    @property
    def refused_parameter(self) -> str | None:
        """The parameter this model does not take, among those we can do without."""
        own_fault = self.status in (500, 501) and self.says(*_REFUSED_THOUGH_500)
        if self.status not in (400, 422) and not own_fault:
            return None
        for name, spellings in _ADAPTABLE.items():
            if self.parameter.split(".")[0] == name:
                return name
            if self.says(*_REFUSED_WORDS) and self.says(*spellings):
                return name
        return None


def failure_from(error: ProviderError, redacted: str, now: datetime) -> CallFailure:
    """Return the failure an error amounts to.

    Args:
        error: The error.
        redacted: Its message without secrets, which may be stored.
        now: The time of day, for a Retry-After that is a date.
    """
    reason, retryable = _meaning(error)
    cost = Cost(None, "unknown whether billed")
    if error.status is not None and error.status >= 400:
        cost = Cost(Decimal(0), f"not billed: HTTP {error.status}")
    return CallFailure(
        reason=reason,
        detail=redacted[:MAX_DETAIL_CHARS],
        http_status=error.status,
        retry_after_s=read_retry_after(error.retry_after, now),
        retryable=retryable,
        cost=cost,
    )


def _meaning(error: ProviderError) -> tuple[Reason, bool]:
    status = error.status
    if status is None:
        return _without_status(error)
    if status == 429:
        if error.says(*_QUOTA_WORDS):
            return Reason.NO_CREDIT, False
        return Reason.RATE_LIMITED, True
    if status == 408:
        return Reason.TIMEOUT, True
    if status >= 500:
        if error.refused_parameter is not None:
            return Reason.BAD_REQUEST, False
        return Reason.UNREACHABLE, True
    if status in (401, 403):
        return Reason.BAD_KEY, False
    if status == 402:
        return Reason.NO_CREDIT, False
    if status == 413 or error.says(*_CONTEXT_WORDS, "contextwindowexceeded"):
        return Reason.CONTEXT_TOO_LONG, False
    if error.says(*_FILTER_WORDS, "contentpolicyviolation"):
        return Reason.CONTENT_FILTER, False
    return (Reason.MODEL_GONE, False) if status in (404, 410) else (Reason.BAD_REQUEST, False)


def _without_status(error: ProviderError) -> tuple[Reason, bool]:
    """No error status came: a fault of the line, an error in a normal body, or our own doing."""
    if error.says("timeout", "timed out"):
        return Reason.TIMEOUT, True
    if error.says("ratelimit", "rate limit", "rate_limit"):
        return Reason.RATE_LIMITED, True
    if error.kind in ("BadRequestError", "UnsupportedParamsError", "NotFoundError"):
        return Reason.BAD_REQUEST, False
    if error.kind == "AuthenticationError":
        return Reason.BAD_KEY, False
    return Reason.UNREACHABLE, True


def _headers(error: BaseException) -> Mapping[str, str] | None:
    """Return the headers of the error response; ``None`` where there was no response."""
    for holder in (error, getattr(error, "response", None)):
        for name in ("litellm_response_headers", "headers"):
            found = getattr(holder, name, None)
            if isinstance(found, Mapping) and found:
                given = cast("Mapping[str, str]", found)
                return {str(key).lower(): str(value) for key, value in given.items()}
    return None
