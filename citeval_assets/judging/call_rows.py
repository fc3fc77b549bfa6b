"""The two ledger rows of a request: what is asked, and what came of it."""

import json
from dataclasses import replace

from citeval_assets.datasets.hashing import canonical_json
from citeval_assets.judging.form import CallForm
from citeval_assets.judging.request import Answer, CallFailure, ModelRequest
from citeval_assets.ledger.records import CallIntent, CallReply


def intent_row(
    request: ModelRequest,
    audit: CallIntent,
    form: CallForm,
    *,
    call_id: str,
    try_number: int,
    created_at: str,
) -> CallIntent:
    """Return the row of a request that is about to go out; ``audit`` holds what it is about."""
    sent = {
        "response_format": str(form.response_format),
        "temperature": not form.without_temperature,
    }
    return replace(
        audit,
        call_id=call_id,
        call_key=request.call_key,
        try_number=try_number,
        messages_json=request.messages_json,
        parameters_json=canonical_json({**request.parameters, "sent": sent}),
        response_schema_sha256=request.schema.sha256,
        created_at=created_at,
    )


def reply_row(
    call_id: str, answer: Answer, form: CallForm, latency_ms: float, created_at: str
) -> CallReply:
    """Return the row of what came of one request."""
    notes = json.dumps([*form.notes(), *answer.notes])
    if isinstance(answer, CallFailure):
        return CallReply(
            call_id=call_id,
            outcome="failure",
            failure_reason=answer.reason,
            failure_detail=answer.detail,
            http_status=answer.http_status,
            retry_after_s=answer.retry_after_s,
            cost_usd=answer.cost.usd,
            cost_note=answer.cost.note or None,
            latency_ms=latency_ms,
            notes_json=notes,
            created_at=created_at,
        )
    return CallReply(
        call_id=call_id,
        outcome="reply",
        text=answer.text,
        finish_reason=answer.finish_reason,
        answered_model=answer.answered_model,
        fingerprint=answer.fingerprint,
        provider=answer.provider,
        prompt_tokens=answer.usage.prompt,
        cached_tokens=answer.usage.cached,
        completion_tokens=answer.usage.completion,
        cost_usd=answer.cost.usd,
        cost_note=answer.cost.note or None,
        latency_ms=latency_ms,
        notes_json=notes,
        created_at=created_at,
    )
