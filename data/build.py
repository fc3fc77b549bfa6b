"""Assemble the golden rows, the corpus and its questions from what stands in ``data/authoring``.

``python data/build.py`` writes ``data/golden/<playbook>.jsonl``: each hand-written answer becomes
one row with its source passages expanded inline; ``data/corpus/sources.jsonl``: all source
passages, for a retriever; and ``data/questions/library.jsonl``: questions without passages.
``--check`` writes nothing and exits with 1 if a written file differs from what the authoring
files give. All texts and labels are authored by
hand; this script looks passages up, adds up scores from the labels and writes JSON, no more.
``labelling.py`` beside it reads the notation of the labels.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from labelling import (
    AuthoringError,
    Row,
    accuracy_labels,
    cite_labels,
    comparison_labels,
    cot_labels,
    faithfulness_labels,
)

DATA = Path(__file__).resolve().parent
SYSTEMS = ("prod", "candidate")
HIGH_RISK_FIELDS = frozenset({"clinical", "contracts", "finance"})
_PASSAGE = re.compile(r"^<!-- passage: (?P<name>\S+?)(?:; page: (?P<page>\d+))? -->\n", re.M)


@dataclass(frozen=True, slots=True)
class Passage:
    """One passage of a source document. ``id`` is ``<document>-<name in the file>``."""

    id: str
    text: str
    document: str
    title: str
    field: str
    index: int
    page: int | None

    def as_source(self, row_id: str) -> Row:
        """Return the passage as it stands in a row, under the id the row gives it."""
        source: Row = {"id": row_id, "text": self.text, "document": self.document}
        source |= {"title": self.title, "index": self.index}
        return source if self.page is None else source | {"page": self.page}


def _load_yaml(text: str, where: object) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise AuthoringError(f"{where}: not YAML, quote texts with colons: {error}") from error


def read_document(path: Path) -> Iterator[Passage]:
    """Yield the passages of one source document.

    Raises:
        AuthoringError: without a YAML head, without passages, or with a blank passage.
    """
    parts = path.read_text(encoding="utf-8").split("---\n", 2)
    if len(parts) != 3 or parts[0]:
        raise AuthoringError(f"{path}: expected a YAML head between two '---' lines")
    head = _load_yaml(parts[1], path)
    pieces = list(_PASSAGE.finditer(parts[2]))
    if not pieces:
        raise AuthoringError(f"{path}: no passage; start one with '<!-- passage: p1 -->'")
    ends = [piece.start() for piece in pieces[1:]] + [len(parts[2])]
    for index, (piece, end) in enumerate(zip(pieces, ends, strict=True)):
        text = parts[2][piece.end() : end].strip()
        if not text:
            raise AuthoringError(f"{path}: passage {piece['name']} is empty")
        page = int(piece["page"]) if piece["page"] else None
        name = f"{head['document']}-{piece['name']}"
        yield Passage(name, text, head["document"], head["title"], head["field"], index, page)


def read_passages(folder: Path) -> dict[str, Passage]:
    """Return every passage by id."""
    return {p.id: p for path in sorted(folder.glob("*.md")) for p in read_document(path)}


def source_map(entry: Row, passages: dict[str, Passage], where: str) -> dict[str, Passage]:
    """Return the passages of an entry by the id they have in its rows.

    A list keeps the passages' own ids; a mapping names them (``1``, ``doc_1``).
    """
    given = entry.get("sources") or {}
    pairs = given.items() if isinstance(given, dict) else ((name, name) for name in given)
    found: dict[str, Passage] = {}
    for row_id, passage_id in pairs:
        if passage_id not in passages:
            raise AuthoringError(f"{where}: no passage {passage_id!r} in data/authoring/sources")
        found[str(row_id)] = passages[passage_id]
    return found


def answer_fields(entry: Row, answer: Row, where: str) -> Row:
    """Return what the system said in an answering playbook."""
    if not isinstance(answer["answer"], str):
        raise AuthoringError(f"{where}: answer {answer['answer']!r} is no text; quote it")
    fields: Row = {"answer": answer["answer"]}
    if "given_claims" in answer:
        fields["claims"] = answer["given_claims"]
    optional = ("reference_answer", "answerable", "history")
    return fields | {name: entry[name] for name in optional if name in entry}


def trace_fields(entry: Row, answer: Row, where: str) -> Row:
    """Return the reasoning trace: a list of steps or one text, as it was recorded."""
    trace = answer["trace"]
    if not isinstance(trace, str) and not all(isinstance(step, str) for step in trace):
        raise AuthoringError(f"{where}: a step is no text; quote it")
    fields: Row = {"reasoning_trace": trace}
    return fields | ({"final_answer": answer["final"]} if answer.get("final") else {})


def output_fields(entry: Row, answer: Row, where: str) -> Row:
    """Return the golden expectation and the whole output of the system, as text.

    ``citations`` are written ``[chunk, confidence, excerpt]``; ``raw`` is an output to the letter.
    """
    fields: Row = {"expected_status": entry["expected"]}
    fields["supporting_chunk_ids"] = [str(name) for name in entry["supporting"]]
    optional = ("conflict", "reference_answer", "history")
    fields |= {name: entry[name] for name in optional if name in entry}
    if "raw" in answer:
        return fields | {"recorded_output": answer["raw"]}
    output = answer["output"]
    citations = [
        {"chunk_id": chunk, "excerpt": excerpt, "confidence": confidence}
        for chunk, confidence, excerpt in output.get("citations", [])
    ]
    whole = {
        "status": output["status"],
        "answer": output.get("answer"),
        "citations": citations,
        "missing_evidence": output.get("missing_evidence"),
        "abstention_reason": output.get("abstention_reason"),
    }
    return fields | {"recorded_output": json.dumps(whole, ensure_ascii=False)}


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the rows of one playbook are put together."""

    fields: Callable[[Row, Row, str], Row]
    labels: Callable[[Row, Row, Sequence[str], str], Row]


RECIPES = {
    "citation_accuracy": Recipe(trace_fields, accuracy_labels),
    "citation_faithfulness": Recipe(answer_fields, faithfulness_labels),
    "cot_faithfulness": Recipe(trace_fields, cot_labels),
    "cite_or_abstain": Recipe(output_fields, cite_labels),
    "answer_comparison": Recipe(answer_fields, comparison_labels),
}


def rows_of(playbook: str, entry: Row, passages: dict[str, Passage], where: str) -> Iterator[Row]:
    """Yield the rows of one authored question, one a system."""
    sources = source_map(entry, passages, where)
    fields = sorted({p.field for p in sources.values()})
    guessed = "high" if HIGH_RISK_FIELDS & set(fields) else "standard"
    recipe = RECIPES[playbook]
    for system in SYSTEMS:
        answer = entry[system]
        spot = f"{where} ({system})"
        row: Row = {"test_case_id": entry["id"], "system": system, "question": entry["question"]}
        row["sources"] = [passage.as_source(row_id) for row_id, passage in sources.items()]
        row |= recipe.fields(entry, answer, spot)
        row["risk_level"] = entry.get("risk", guessed)
        row["language"] = entry.get("language", "en")
        row["tags"] = [*fields, *entry.get("tags", [])]
        row["labels"] = recipe.labels(entry, answer, list(sources), spot)
        row["label_source"] = "constructed"
        yield row


def build(playbook: str, authoring: Path = DATA / "authoring") -> str:
    """Return the text of ``golden/<playbook>.jsonl``.

    Raises:
        AuthoringError: an entry is incomplete, names an unknown passage, or repeats an id.
    """
    passages = read_passages(authoring / "sources")
    lines: list[str] = []
    seen: set[str] = set()
    for path in sorted((authoring / playbook).glob("*.yaml")):
        for entry in _load_yaml(path.read_text(encoding="utf-8"), path):
            where = f"{path.name}: {entry.get('id')}"
            if entry["id"] in seen:
                raise AuthoringError(f"{where}: this id stands twice; rename one")
            seen.add(entry["id"])
            try:
                rows = list(rows_of(playbook, entry, passages, where))
            except KeyError as missing:
                raise AuthoringError(f"{where}: {missing} is missing or unknown") from missing
            lines += [json.dumps(row, ensure_ascii=False) for row in rows]
    return "".join(f"{line}\n" for line in lines)


def corpus(authoring: Path = DATA / "authoring") -> str:
    """Return the text of ``corpus/sources.jsonl``: every source passage under its own id."""
    passages = read_passages(authoring / "sources")
    rows = (passage.as_source(name) for name, passage in passages.items())
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def questions(authoring: Path = DATA / "authoring") -> str:
    """Return the text of ``questions/library.jsonl``.

    Raises:
        AuthoringError: an entry is incomplete or repeats an id.
    """
    lines: list[str] = []
    seen: set[str] = set()
    for path in sorted((authoring / "questions").glob("*.yaml")):
        for entry in _load_yaml(path.read_text(encoding="utf-8"), path):
            where = f"{path.name}: {entry.get('id')}"
            if entry["id"] in seen:
                raise AuthoringError(f"{where}: this id stands twice; rename one")
            seen.add(entry["id"])
            try:
                row: Row = {"test_case_id": entry["id"], "question": entry["question"]}
                row |= {"expected_status": entry["expected"]}
                row |= {"supporting_chunk_ids": entry["supporting"]}
                row |= {"reference_answer": entry["reference_answer"]}
            except KeyError as missing:
                raise AuthoringError(f"{where}: {missing} is missing") from missing
            row |= {"conflict": True} if entry.get("conflict") else {}
            row |= {"language": entry.get("language", "en")}
            lines.append(json.dumps(row, ensure_ascii=False))
    return "".join(f"{line}\n" for line in lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the golden files; return the exit code (2: cannot be assembled)."""
    parser = argparse.ArgumentParser(description="Assemble the data from data/authoring.")
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if out of date")
    check = parser.parse_args(arguments).check
    try:
        texts = {f"golden/{playbook}.jsonl": build(playbook) for playbook in RECIPES}
        texts |= {"corpus/sources.jsonl": corpus(), "questions/library.jsonl": questions()}
    except AuthoringError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    stale: list[str] = []
    for name, text in texts.items():
        target = DATA / name
        if check and (not target.exists() or target.read_text(encoding="utf-8") != text):
            stale.append(name)
        elif not check:
            target.parent.mkdir(exist_ok=True)
            target.write_text(text, encoding="utf-8")
    for name in stale:
        sys.stderr.write(f"data/{name} is out of date: run `python data/build.py`\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
