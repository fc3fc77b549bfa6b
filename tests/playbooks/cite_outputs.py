"""A question with three chunks, and ways to write what a target model answers."""

from typing import Any

NAME = "cite_or_abstain"
SOURCES = [
    {"id": "c1", "text": "The hall seats 410 people. It was built in 1911.", "page": 1},
    {"id": "c2", "text": "Notice of May: the hall opens on 3 June. Closed on Mondays."},
    {"id": "c3", "text": "Notice of June: the hall stays closed until 1 July."},
]
CASE: dict[str, Any] = {
    "question": "How many people does the hall seat, and when does it open?",
    "sources": SOURCES,
    "expected_status": "answered",
    "supporting_chunk_ids": ["c1", "c2"],
}
SEATS = {"chunk_id": "c1", "excerpt": "The hall seats 410 people.", "confidence": "high"}
OPENS = {"chunk_id": "c2", "excerpt": "the hall opens on 3 June", "confidence": "high"}
CLOSED = {"chunk_id": "c3", "excerpt": "the hall stays closed until 1 July", "confidence": "high"}
BOTH = "It seats 410 people [c1]. It opens on 3 June [c2]."


def answered(answer: str | None, *citations: Any) -> dict[str, Any]:
    return {
        "status": "answered",
        "answer": answer,
        "citations": list(citations),
        "missing_evidence": None,
        "abstention_reason": None,
    }


def partial(answer: str | None, *citations: Any, missing: Any = ("the price",)) -> dict[str, Any]:
    return {
        "status": "partial",
        "answer": answer,
        "citations": list(citations),
        "missing_evidence": list(missing),
        "abstention_reason": "The chunks do not give it.",
    }


def abstained(**more: Any) -> dict[str, Any]:
    return {
        "status": "abstained",
        "answer": None,
        "citations": [],
        "missing_evidence": ["the price"],
        "abstention_reason": "No chunk gives a price.",
        **more,
    }


def unsure(citation: dict[str, Any], confidence: str) -> dict[str, Any]:
    return {**citation, "confidence": confidence}


def excerpt(text: str, chunk_id: str = "c1") -> dict[str, Any]:
    return {"chunk_id": chunk_id, "excerpt": text, "confidence": "high"}
