"""Records for tests, and the means to do to a ledger what nobody should."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, text

from citeval_assets.ledger.records import (
    CallIntent,
    CallReply,
    CaseRecord,
    DatasetMember,
    DatasetRecord,
    EvaluationItem,
    EvaluationRecord,
    TraceOffer,
    TraceRecord,
)
from citeval_assets.ledger.store import Ledger


@dataclass
class Clock:
    """A clock that moves when told."""

    moment: datetime = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def advance(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


def intent(number: int, **changes: Any) -> CallIntent:
    fields: dict[str, Any] = {
        "call_id": f"call-{number}",
        "call_key": f"key-{number}",
        "run_id": "run-1",
        "playbook": "citation_accuracy",
        "test_case_id": f"case-{number}",
        "system": "prod-2026-10",
        "case_hash": f"hash-{number}",
        "model_id": "judge-a",
        "model": "openai/judge-a",
        "endpoint": "https://models.example/v1",
        "prompt_version": "v1",
        "template_sha256": "a" * 64,
        "dataset_version": "data-1",
        "attempt": 1,
        "try_number": 1,
        "repeat": 0,
        "source_ids": ("1", "2"),
        "messages_json": f'[{{"role":"user","content":"question {number}"}}]',
        "parameters_json": '{"temperature":0.0}',
        "response_schema_sha256": "b" * 64,
        "created_at": "2026-11-30T12:00:00.000000+00:00",
    }
    return CallIntent(**{**fields, **changes})


def reply(number: int, **changes: Any) -> CallReply:
    fields: dict[str, Any] = {
        "call_id": f"call-{number}",
        "outcome": "reply",
        "text": f'{{"verdict":"supported","number":{number}}}',
        "finish_reason": "stop",
        "answered_model": "judge-a-2026-10-01",
        "prompt_tokens": 1200,
        "cached_tokens": 0,
        "completion_tokens": 80,
        "cost_usd": Decimal("0.0123"),
        "latency_ms": 2400.0,
        "created_at": "2026-11-30T12:00:02.400000+00:00",
    }
    return CallReply(**{**fields, **changes})


def failure(number: int, **changes: Any) -> CallReply:
    fields: dict[str, Any] = {
        "outcome": "failure",
        "text": None,
        "finish_reason": None,
        "failure_reason": "rate_limited",
        "failure_detail": "429",
        "http_status": 429,
        "cost_usd": None,
    }
    return reply(number, **{**fields, **changes})


def case(number: int, **changes: Any) -> CaseRecord:
    fields: dict[str, Any] = {
        "case_hash": f"hash-{number}",
        "playbook": "citation_accuracy",
        "test_case_id": f"case-{number}",
        "system": "prod-2026-10",
        "canonical_json": f'{{"test_case_id":"case-{number}"}}',
    }
    return CaseRecord(**{**fields, **changes})


def dataset(version: str, numbers: range) -> DatasetRecord:
    members = tuple(
        DatasetMember("golden", "golden", f"hash-{number}", '{"partial_weight":0.5}', position)
        for position, number in enumerate(numbers)
    )
    return DatasetRecord("citation_accuracy", version, members)


def evaluation(name: str, **changes: Any) -> EvaluationRecord:
    fields: dict[str, Any] = {
        "evaluation_id": name,
        "playbook": "citation_accuracy",
        "model": "judge-a",
        "prompt_version": "v1",
        "template_sha256": "a" * 64,
        "dataset_version": "data-1",
        "scope": "*",
        "epoch": "e" * 64,
        "run_id": "run-1",
        "started_at": "2026-11-30T12:00:00.000000+00:00",
        "finished_at": "2026-11-30T12:05:00.000000+00:00",
    }
    return EvaluationRecord(**{**fields, **changes})


def item(name: str, number: int, **changes: Any) -> EvaluationItem:
    fields: dict[str, Any] = {
        "evaluation_id": name,
        "case_hash": f"hash-{number}",
        "test_case_id": f"case-{number}",
        "system": "prod-2026-10",
        "call_ids": (f"call-{number}",),
        "status": "valid",
        "reason": None,
        "score": 0.5,
        "routing": "review",
        "escalations": ("low_score",),
        "validation_problems": (),
    }
    return EvaluationItem(**{**fields, **changes})


def trace(number: int, **changes: Any) -> TraceRecord:
    fields: dict[str, Any] = {
        "case_hash": f"hash-{number}",
        "playbook": "citation_accuracy",
        "test_case_id": f"case-{number}",
        "system": "prod-2026-10",
        "day": "2026-11-29",
        "file": "monday.jsonl",
    }
    return TraceRecord(**{**fields, **changes})


def offer(number: int, **changes: Any) -> TraceOffer:
    fields: dict[str, Any] = {
        "case_hash": f"hash-{number}",
        "playbook": "citation_accuracy",
        "dataset": "production@2026-11-30",
        "system": "prod-2026-10",
        "day": "2026-11-29",
        "offered": 2,
        "taken": 1,
        "drawn": 1,
        "probability": 0.5,
        "seed": 7,
    }
    return TraceOffer(**{**fields, **changes})


def record_calls(ledger: Ledger, numbers: range) -> None:
    ledger.add_intents([intent(number) for number in numbers])
    ledger.add_replies([reply(number) for number in numbers])


@contextmanager
def unguarded(ledger: Ledger) -> Iterator[Connection]:
    """Lend a connection of somebody who has switched triggers and references off."""
    with ledger.engine.connect() as connection:
        sqlite = connection.connection.driver_connection if is_sqlite(ledger) else None
        if sqlite is not None:
            sqlite.execute("PRAGMA foreign_keys = OFF")
        with connection.begin():
            if sqlite is None:
                connection.execute(text("SET LOCAL session_replication_role = replica"))
            else:
                query = text("SELECT name FROM sqlite_master WHERE type = 'trigger'")
                for name in connection.execute(query).scalars().all():
                    connection.execute(text(f"DROP TRIGGER {name}"))
            yield connection
        if sqlite is not None:
            sqlite.execute("PRAGMA foreign_keys = ON")


def is_sqlite(ledger: Ledger) -> bool:
    return ledger.engine.dialect.name == "sqlite"


def tamper(ledger: Ledger, *statements: str, **values: Any) -> None:
    """Change rows behind the ledger's back."""
    with unguarded(ledger) as connection:
        for statement in statements:
            connection.execute(text(statement), values)
