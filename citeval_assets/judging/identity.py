"""Who really answered the calls of a session."""

from collections.abc import Iterable
from dataclasses import dataclass

from citeval_assets.judging.answered import answers_as
from citeval_assets.ledger.records import StoredCall


@dataclass(frozen=True, slots=True)
class Answerer:
    """Who answered one call.

    ``model`` is the name it gave, ``differs`` says that this is another model than the requested
    one, ``fresh`` that it answered just now.
    """

    model: str
    fingerprint: str | None
    differs: bool
    fresh: bool


def answerers(calls: Iterable[tuple[StoredCall, bool]]) -> tuple[Answerer, ...]:
    """Return who answered these calls; each comes with whether it was made just now."""
    return tuple(
        Answerer(
            model=call.reply.answered_model,
            fingerprint=call.reply.fingerprint,
            differs=not answers_as(call.intent.model, call.reply.answered_model),
            fresh=fresh,
        )
        for call, fresh in calls
        if call.reply.answered_model is not None
    )
