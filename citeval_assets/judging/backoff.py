"""How long to wait before a transport fault is tried again."""

import random
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


@dataclass(frozen=True, slots=True)
class Backoff:
    """Exponential backoff with full jitter: uniform in 0..min(cap, first * 2**n) seconds.

    Full jitter spreads the callers that failed together (Brooker, "Exponential backoff and
    jitter", AWS Architecture Blog, 2015). A Retry-After of the provider is a floor under the
    draw, so that nobody comes back too early, and it does not take the jitter away.
    ``longest_retry_after_s``: told to wait longer than this, the call is given up instead.
    """

    first_s: float = 1.0
    cap_s: float = 60.0
    longest_retry_after_s: float = 300.0

    def delay_s(self, failures: int, retry_after_s: float | None, draw: random.Random) -> float:
        """Return the seconds to wait after the ``failures``-th failure in a row (from 1)."""
        ceiling = min(self.cap_s, self.first_s * 2.0 ** min(failures - 1, 60))
        return max(retry_after_s or 0.0, 0.0) + draw.uniform(0.0, ceiling)

    def gives_up(self, retry_after_s: float | None) -> bool:
        """Whether the provider asks for a longer wait than a run may take."""
        return retry_after_s is not None and retry_after_s > self.longest_retry_after_s


def read_retry_after(value: str | None, now: datetime) -> float | None:
    """Return the seconds of a Retry-After header: a number, or an HTTP date (RFC 9110, 10.2.3).

    A date that has passed is 0; a value that is neither is ``None``.
    """
    if value is None:
        return None
    text = value.strip()
    try:
        seconds = float(text)
    except ValueError:
        return _seconds_until(text, now)
    return seconds if 0 <= seconds < float("inf") else None


def _seconds_until(date: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except (TypeError, ValueError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())
