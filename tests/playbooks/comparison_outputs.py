"""An answer beside its ground truth, and a way to write what a judge says of it."""

from typing import Any

NAME = "answer_comparison"
SOURCES = [
    {"id": "1", "text": "The otter returned in 1998. Otters feed mainly on fish."},
    {"id": "2", "text": "About 140 otters live along the river."},
]
ANSWER = "The otter returned in 1998 [1]. About 140 live along the river [2]."
CASE: dict[str, Any] = {
    "question": "What is known about the otter?",
    "sources": SOURCES,
    "answer": ANSWER,
    "reference_answer": "It returned in 1998 and about 140 live there.",
    "answerable": True,
}
DECLINED = "I don't know based on the provided documents."


def says(
    correctness: str = "PASS",
    citations: str = "PASS",
    faithfulness: str = "PASS",
    abstention: str = "CORRECT_ANSWER",
    listed: tuple[str, ...] = (),
    overall: str = "PASS",
) -> dict[str, Any]:
    return {
        "overall_score": overall,
        "answer_correctness": {"score": correctness, "explanation": ""},
        "citation_accuracy": {
            "score": citations,
            "unsupported_claims": list(listed),
            "explanation": "",
        },
        "source_faithfulness": {"score": faithfulness, "explanation": ""},
        "abstention_detection": {"score": abstention, "explanation": ""},
    }
