"""The work every tool is given: a project with cases to judge, and the answers of the judge.

A case is an answer of three cited sentences over three short passages: with the released template
(1,800 tokens with its examples) a prompt of about 2,700 tokens. A larger one, of 3,500, is there to
see what grows with the text. The texts are made from a word list with a fixed seed, so that every
case differs and every run is the same.
"""

import json
import os
import random
import re
import shutil
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PLAYBOOK = "citation_faithfulness"
PROMPT = "v2"
MODEL = "bench"
LITELLM_MODEL = "openai/gpt-4o-mini"
"""A model litellm knows the price of: without one, litellm itself is slower."""
KEY_NAME = "BENCH_KEY"
TOKENS_NAME = "BENCH_TOKENS"
SIZES = {"2000": (3, 2, 3), "3500": (5, 5, 4)}
"""Passages of a case, sentences of a passage, cited sentences of the answer; by prompt tokens."""

_WORDS = """
    valve harbour ledger copper winter bridge signal orchard granite lantern furnace meadow
    pension vessel timber canal archive pigment turbine quarry festival compass harvest
    mirror cellar customs freight gallery insulin judge kettle levy magnet notary oxygen
    parcel quota railway sample tariff unit vaccine warrant yield zone alloy basin cable
    drift engine filter
    """.split()  # noqa: SIM905
_UNIT = re.compile(r"^unit (\d+) \((?:cites ([^)]*)|no citation)\): (.+)$", re.MULTILINE)


def write_project(
    folder: Path, cases: int, *, api_base: str, road: str = "auto", concurrency: int = 64
) -> Path:
    """Write a project with one judge and ``cases`` cases; return its folder."""
    prompts = folder / "prompts" / PLAYBOOK
    (prompts / "examples").mkdir(parents=True)
    source = REPOSITORY / "prompts" / PLAYBOOK
    shutil.copy(source / f"{PROMPT}.md", prompts)
    shutil.copy(source / "examples" / f"{PROMPT}.md", prompts / "examples")
    settings = {
        "models": [
            {
                "id": MODEL,
                "model": LITELLM_MODEL,
                "roles": ["judge"],
                "api_base": api_base,
                "api_key_env": KEY_NAME,
                "road": road,
                "limits": {"max_concurrency": concurrency},
            }
        ],
        "datasets": [{"name": "cases", "playbook": PLAYBOOK, "path": "data/cases.jsonl"}],
    }
    (folder / "citeval.yaml").write_text(json.dumps(settings, indent=2), encoding="utf-8")
    (folder / "data").mkdir()
    with (folder / "data" / "cases.jsonl").open("w", encoding="utf-8") as file:
        for number in range(cases):
            file.write(json.dumps(case(number)) + "\n")
    return folder


def case(number: int) -> dict[str, object]:
    """Return one row: sentences that repeat what their passages say, and some padding."""
    passages, sentences, claims = SIZES[os.environ.get(TOKENS_NAME, "2000")]
    draw = random.Random(number)
    facts = [_sentence(draw) for _ in range(passages)]
    sources = [
        {
            "id": str(position),
            "text": " ".join([fact, *(_sentence(draw) for _ in range(sentences - 1))]),
        }
        for position, fact in enumerate(facts, start=1)
    ]
    answer = " ".join(
        f"{fact[:-1]} [{place}]." for place, fact in enumerate(facts[:claims], start=1)
    )
    return {
        "test_case_id": f"case-{number:06}",
        "system": "prod",
        "question": f"What does file {number} say about the {draw.choice(_WORDS)}?",
        "sources": sources,
        "answer": answer,
    }


def _sentence(draw: random.Random) -> str:
    words = draw.sample(_WORDS, 9)
    year = draw.randrange(1500, 2025)
    return (
        f"The {words[0]} of the {words[1]} {words[2]} was moved in {year} from the {words[3]} "
        f"to the {words[4]} because the {words[5]} needed {draw.randrange(3, 99)} more "
        f"{words[6]} than the {words[7]} and the {words[8]}."
    )


def judge_reply(content: str | list[dict[str, str]]) -> str:
    """Answer as a well-behaved judge: every unit of the prompt is supported.

    ``content`` is that of the last message: a text, or parts with a text each.
    """
    prompt = content if isinstance(content, str) else "".join(part["text"] for part in content)
    rows = []
    for number, cited, text in _UNIT.findall(prompt):
        for source in re.findall(r"'([^']+)'", cited) or [None]:
            rows.append(
                {
                    "unit": int(number),
                    "claim_text": text,
                    "cited_source_id": source,
                    "verdict": "supported" if source else "no_citation",
                    "explanation": "The passage says this in the same words.",
                }
            )
    supported = sum(row["verdict"] == "supported" for row in rows)
    return json.dumps(
        {
            "citation_faithfulness_score": supported / len(rows) if rows else 0.0,
            "claims_analysis": rows,
            "overall_assessment": "Every claim stands in the passage it cites.",
        }
    )
