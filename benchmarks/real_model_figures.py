"""What a run against a real model came to, read from its ledger and from the server's own log."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

SHOWN_CHARS = 400
"""How much of a reply stands with the figures; the ledger has all of it."""

_REQUEST = re.compile(r'"POST /v1/chat/completions HTTP/[\d.]+" (\d+)')


def requests_at(log: Path) -> Counter[str]:
    """Return how many requests the server says it answered, by status."""
    return Counter(_REQUEST.findall(log.read_text(encoding="utf-8", errors="replace")))


def of_evaluation(service: Any, evaluation_id: str) -> dict[str, Any]:
    """Return every case of an evaluation with its calls, and every row of the run.

    The two canaries that ride along once a judge has judged anything are told apart.
    """
    from citeval_assets.qualification.canaries import is_canary

    with service.project.open_ledger() as ledger:
        rows = {call.intent.call_id: call for call in ledger.calls_of_run(service.run_id)}
        items = list(ledger.items(evaluation_id))
        maybe_paid = len(ledger.maybe_paid())
    return {
        "cases": [_case(item, rows) for item in items if not is_canary(item)],
        "canaries": [_case(item, rows) for item in items if is_canary(item)],
        "rows": len(rows) + maybe_paid,
        "maybe_paid": maybe_paid,
        "refused_forms": [
            {"reason": row.reply.failure_reason, "detail": (row.reply.failure_detail or "")[:200]}
            for row in rows.values()
            if row.reply.outcome == "failure"
        ],
        "calls": [_call(row) for row in rows.values() if row.reply.outcome == "reply"],
    }


def _case(item: Any, rows: dict[str, Any]) -> dict[str, Any]:
    return {
        "test_case_id": item.test_case_id,
        "system": item.system,
        "status": item.status,
        "reason": item.reason,
        "score": item.score,
        "routing": item.routing,
        "problems": list(item.validation_problems),
        "calls": [_call(rows[call_id]) for call_id in item.call_ids if call_id in rows],
    }


def _call(row: Any) -> dict[str, Any]:
    from citeval_assets.judging.tokens import estimate_tokens
    from citeval_assets.judging.truncation import PER_MESSAGE_TOKENS

    messages = [message["content"] for message in json.loads(row.intent.messages_json)]
    reply = row.reply
    text = reply.text or ""
    return {
        "outcome": reply.outcome,
        "failure": reply.failure_reason,
        "attempt": row.intent.attempt,
        "try": row.intent.try_number,
        "finish_reason": reply.finish_reason,
        "latency_s": round((reply.latency_ms or 0) / 1000, 2),
        "prompt_tokens": reply.prompt_tokens,
        "estimated_prompt_tokens": sum(
            estimate_tokens(content) + PER_MESSAGE_TOKENS for content in messages
        ),
        "completion_tokens": reply.completion_tokens,
        "estimated_completion_tokens": estimate_tokens(text),
        "form": (json.loads(reply.notes_json) or [""])[0],
        "shape": shape(text, reply.finish_reason),
        "text": text if len(text) <= SHOWN_CHARS else text[:SHOWN_CHARS] + " [...]",
    }


def shape(text: str, finish_reason: str | None) -> str:
    """Say in two words what a reply looks like, before anybody reads it as a judgement."""
    if not text.strip():
        return "empty"
    try:
        read = json.loads(text)
    except json.JSONDecodeError:
        found = "JSON, broken off" if text.lstrip().startswith("{") else "no JSON"
        if found == "no JSON" and "{" in text:
            found = "JSON amid other text"
        return f"{found}, at the limit" if finish_reason == "length" else found
    return "JSON object" if isinstance(read, dict) else "JSON, no object"


def summary(playbooks: dict[str, Any]) -> dict[str, Any]:
    """Return the figures over all playbooks measured so far."""
    return {
        **{name: _figures([found]) for name, found in playbooks.items()},
        "all": _figures(playbooks.values()),
    }


def _figures(parts: Iterable[dict[str, Any]]) -> dict[str, Any]:
    parts = [part for part in parts if "crash" not in part]
    calls = [call for part in parts for call in part["calls"]]
    cases = [case for part in parts for case in part["cases"]]
    latencies = sorted(call["latency_s"] for call in calls)
    return {
        "cases": len(cases),
        "states": Counter(_state(case) for case in cases),
        "calls": len(calls),
        "failed_calls": Counter(
            failed["reason"] for part in parts for failed in part["refused_forms"]
        ),
        "rows": sum(part["rows"] for part in parts),
        "requests_at_server": sum(sum(part["requests_at_server"].values()) for part in parts),
        "calls_of_a_rerun": sum(part["calls_of_a_rerun"] for part in parts),
        "shapes": Counter(call["shape"] for call in calls),
        "finish_reasons": Counter(call["finish_reason"] for call in calls),
        "forms": Counter(call["form"] for call in calls),
        "latency_p50_s": _percentile(latencies, 0.5),
        "latency_p95_s": _percentile(latencies, 0.95),
        "prompt_tokens": _tokens(calls, "prompt_tokens"),
        "completion_tokens": _tokens(calls, "completion_tokens"),
        "seconds": round(sum(part["seconds"] for part in parts), 1),
    }


def _state(case: dict[str, Any]) -> str:
    return case["status"] + (f": {case['reason']}" if case["reason"] else "")


def _tokens(calls: Sequence[dict[str, Any]], name: str) -> dict[str, Any]:
    """Return what the server counted, and our estimate as a share of it (lowest, median, most)."""
    counted = [call for call in calls if call[name]]
    shares = sorted(call[f"estimated_{name}"] / call[name] for call in counted)
    return {
        "counted": sum(call[name] for call in counted),
        "estimate_share": [
            round(share, 3)
            for share in (_percentile(shares, part) for part in (0, 0.5, 1))
            if share is not None
        ],
    }


def _percentile(ordered: Sequence[float], share: float) -> float | None:
    """Return the nearest-rank percentile of sorted numbers."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else None


def missing(part: dict[str, Any], wanted: int) -> list[str]:
    """Say what of one playbook's run is not accounted for."""
    if "crash" in part:
        return [part["crash"].strip().splitlines()[-1]]
    found: list[str] = []
    if len(part["cases"]) != wanted:
        found.append(f"{len(part['cases'])} cases ended in a state, {wanted} were to be judged")
    at_server = sum(part["requests_at_server"].values())
    if at_server != part["rows"]:
        found.append(f"{at_server} requests at the server, {part['rows']} rows in the ledger")
    if part["maybe_paid"]:
        found.append(f"{part['maybe_paid']} requests have no outcome")
    return found
