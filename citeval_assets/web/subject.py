"""What was judged, as the ledger keeps it: question, text, sources; for people to read.

The stored JSON is read as it is, not through the playbook: a case that today's schema would
refuse must still be shown.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from citeval_assets.ledger.records import CaseRecord
from citeval_assets.text.traces import read_trace

_GOLD = ("expected_status", "supporting_chunk_ids", "conflict", "answerable")


@dataclass(frozen=True, slots=True)
class ShownSource:
    """One passage of a case. ``number`` is its place, from 1."""

    id: str
    number: int
    text: str
    about: str


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text with its name: the final answer, the reference answer."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Subject:
    """One case to look at. ``text`` is what the offsets of findings count in."""

    question: str
    title: str
    text: str
    others: tuple[ShownText, ...]
    sources: tuple[ShownSource, ...]
    gold: tuple[tuple[str, str], ...]
    tags: tuple[str, ...]
    language: str

    def source(self, source_id: str | None) -> ShownSource | None:
        """Return the passage of this id."""
        return next((source for source in self.sources if source.id == source_id), None)


def read_subject(record: CaseRecord | None, details: Mapping[str, Any]) -> Subject | None:
    """Return what was judged; ``None`` where the ledger does not hold it.

    Args:
        record: the case as the ledger keeps it.
        details: what the report keeps of the playbook's own; a target model's answer is there.
    """
    if record is None:
        return None
    row: dict[str, Any] = json.loads(record.canonical_json)
    title, text = _judged(row, details)
    others = [
        ShownText(name, str(row[field]))
        for field, name in (
            ("final_answer", "Final answer"),
            ("reference_answer", "Reference answer"),
        )
        if row.get(field)
    ]
    history = row.get("history") or []
    others += [ShownText(f"Before: {turn['role']}", turn["content"]) for turn in history]
    return Subject(
        question=str(row.get("question", "")),
        title=title,
        text=text,
        others=tuple(others),
        sources=_sources(row.get("sources") or ()),
        gold=tuple(_gold(row)),
        tags=tuple(row.get("tags") or ()),
        language=str(row.get("language") or ""),
    )


def _judged(row: Mapping[str, Any], details: Mapping[str, Any]) -> tuple[str, str]:
    if "reasoning_trace" in row:
        return "Reasoning trace", read_trace(row["reasoning_trace"]).text
    if row.get("answer") is not None:
        return "Answer", str(row["answer"])
    return "Answer", str(details.get("answer") or "")


def _sources(rows: Sequence[Mapping[str, Any]]) -> tuple[ShownSource, ...]:
    found: dict[str, ShownSource] = {}
    for row in rows:
        parts = (
            row.get("title"),
            row.get("document"),
            f"page {row['page']}" if row.get("page") is not None else None,
            f"part {row['index']}" if row.get("index") is not None else None,
        )
        about = ", ".join(str(part) for part in parts if part)
        shown = ShownSource(str(row["id"]), len(found) + 1, str(row.get("text", "")), about)
        found.setdefault(shown.id, shown)
    return tuple(found.values())


def _gold(row: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the labels a case came with, which no model was shown."""
    labels = row.get("labels") or {}
    pairs = [(name, row[name]) for name in _GOLD if row.get(name) is not None]
    pairs += list(labels.items())
    if row.get("label_source"):
        pairs.append(("label_source", row["label_source"]))
    return [(name, _told(value)) for name, value in pairs if value is not None]


def _told(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False)
