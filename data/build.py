"""Assemble the golden rows from what stands in ``data/authoring``.

``python data/build.py`` writes ``data/golden/<playbook>.jsonl``: each hand-written answer becomes
one row with its source passages expanded inline. ``--check`` writes nothing and exits with 1 if a
written file differs from what the authoring files give. All texts and labels are authored by
hand; this script looks passages up, adds up scores from the labels and writes JSON, no more.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

DATA = Path(__file__).resolve().parent
SYSTEMS = ("prod", "candidate")
HIGH_RISK_FIELDS = frozenset({"clinical", "contracts", "finance"})
VERDICTS = frozenset(
    {"supported", "partially_supported", "contradicted", "no_citation", "hallucinated_source"}
)
NOT_JUDGED = "not_judged"
_PASSAGE = re.compile(r"^<!-- passage: (?P<name>\S+?)(?:; page: (?P<page>\d+))? -->\n", re.M)

Row = dict[str, Any]


class AuthoringError(Exception):
    """An authoring file that cannot be assembled; the message names file, entry and remedy."""


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


def cited_id(written: str, ids: Sequence[str]) -> str:
    """Return the source id a written citation stands for.

    Numbers are own ids where every id is numeric, else positions counted from 1. What names no
    source is kept as written.
    """
    if written in ids or not written.isdecimal() or all(i.isdecimal() for i in ids):
        return written
    position = int(written)
    return ids[position - 1] if 1 <= position <= len(ids) else written


def read_claims(lines: Sequence[str], ids: Sequence[str], where: str) -> list[Row]:
    """Return the labels of an answer's units: one line each, ``verdict id id, verdict id``."""
    claims: list[Row] = []
    for unit, line in enumerate(lines):
        for part in line.split(","):
            verdict, *cited = part.split()
            if verdict not in VERDICTS or bool(cited) == (verdict == "no_citation"):
                raise AuthoringError(f"{where}: claim {line!r}: expected 'verdict id ...'")
            for name in cited or [None]:
                source = None if name is None else cited_id(name, ids)
                claims.append({"unit": unit, "verdict": verdict, "cited_source_id": source})
    return claims


def faithfulness_score(claims: Sequence[Row]) -> float | None:
    """Return supported units / units; ``None`` without units.

    A unit is supported when some cited passage supports it, none contradicts it, none is invented.
    """
    units: dict[int, set[str]] = {}
    for claim in claims:
        units.setdefault(claim["unit"], set()).add(claim["verdict"])
    if not units:
        return None
    bad = {"contradicted", "hallucinated_source"}
    good = sum("supported" in verdicts and not verdicts & bad for verdicts in units.values())
    return round(good / len(units), 6)


def faithfulness_labels(answer: Row, ids: Sequence[str], where: str) -> Row:
    """Return the labels of one ``citation_faithfulness`` row."""
    claims = read_claims(answer["claims"], ids, where)
    labels: Row = {"score": faithfulness_score(claims), "claims": claims}
    return labels | {"fault": answer.get("fault"), "why": answer["why"]}


def comparison_labels(answer: Row, ids: Sequence[str], where: str) -> Row:
    """Return the labels of one ``answer_comparison`` row. Without sources two are not judged."""
    if answer.get("status") == "not_applicable":
        labels: Row = {"score": None, "status": "not_applicable", "reason": answer["reason"]}
        return labels | {"fault": answer.get("fault"), "why": answer["why"]}
    correctness, citations, faithfulness, abstention = answer["verdicts"].split()
    if not ids and (citations, faithfulness) != (NOT_JUDGED, NOT_JUDGED):
        raise AuthoringError(f"{where}: without sources two criteria are {NOT_JUDGED}")
    unsupported = answer.get("unsupported", [])
    missing = [text for text in unsupported if text not in answer["answer"]]
    if missing:
        raise AuthoringError(f"{where}: not in the answer: {missing[0]!r}")
    passes = (
        citations != "FAIL" and faithfulness != "FAIL" and not abstention.startswith("INCORRECT")
    )
    score = {"PASS": 1.0, "PARTIAL": 0.5, "FAIL": 0.0}[correctness] if passes else 0.0
    return {
        "score": score,
        "overall": "PASS" if score == 1.0 else "FAIL",
        "answer_correctness": correctness,
        "citation_accuracy": citations,
        "unsupported_claims": unsupported,
        "source_faithfulness": faithfulness,
        "abstention_detection": abstention,
        "fault": answer.get("fault"),
        "why": answer["why"],
    }


LABELS = {
    "citation_faithfulness": faithfulness_labels,
    "answer_comparison": comparison_labels,
}
OPTIONAL = ("reference_answer", "answerable", "history")


def rows_of(playbook: str, entry: Row, passages: dict[str, Passage], where: str) -> Iterator[Row]:
    """Yield the rows of one authored question, one a system."""
    sources = source_map(entry, passages, where)
    fields = sorted({p.field for p in sources.values()})
    guessed = "high" if HIGH_RISK_FIELDS & set(fields) else "standard"
    for system in SYSTEMS:
        answer = entry[system]
        if not isinstance(answer["answer"], str):
            raise AuthoringError(f"{where}: answer {answer['answer']!r} is no text; quote it")
        row: Row = {"test_case_id": entry["id"], "system": system, "question": entry["question"]}
        row["sources"] = [passage.as_source(row_id) for row_id, passage in sources.items()]
        row["answer"] = answer["answer"]
        if "given_claims" in answer:
            row["claims"] = answer["given_claims"]
        row |= {name: entry[name] for name in OPTIONAL if name in entry}
        row["risk_level"] = entry.get("risk", guessed)
        row["language"] = entry.get("language", "en")
        row["tags"] = [*fields, *entry.get("tags", [])]
        row["labels"] = LABELS[playbook](answer, list(sources), f"{where} ({system})")
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the golden files; return the exit code (2: cannot be assembled)."""
    parser = argparse.ArgumentParser(description="Assemble data/golden from data/authoring.")
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if out of date")
    check = parser.parse_args(arguments).check
    try:
        texts = {playbook: build(playbook) for playbook in LABELS}
    except AuthoringError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    stale: list[str] = []
    for playbook, text in texts.items():
        target = DATA / "golden" / f"{playbook}.jsonl"
        if check and (not target.exists() or target.read_text(encoding="utf-8") != text):
            stale.append(target.name)
        elif not check:
            target.write_text(text, encoding="utf-8")
    for name in stale:
        sys.stderr.write(f"data/golden/{name} is out of date: run `python data/build.py`\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
