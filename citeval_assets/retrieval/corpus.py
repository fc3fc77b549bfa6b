"""The files of a corpus: JSONL with one passage a line, Markdown and plain text cut into passages.

A Markdown or text file is one document. It may open with a YAML head that names ``document`` (by
default the file's name) and ``title`` (by default its first heading). It is cut at headings and
blank lines into passages of at most ``passage_chars`` characters, called ``<document>-p1`` and so
on, so that an edit far down leaves the passages above it alone.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import yaml
from pydantic import ValidationError

from citeval_assets.playbooks.cases import Source
from citeval_assets.retrieval.base import RetrieverError, RetrieverUnreachable

PASSAGE_CHARS = 1200
SUFFIXES = (".jsonl", ".ndjson", ".md", ".markdown", ".txt")
_HEADING = re.compile(r"#{1,6}\s+(?P<text>.+?)\s*#*\s*$")
_HEAD = re.compile(r"\A---[ \t]*\r?\n(?P<head>.*?)^---[ \t]*\r?$\n?", re.DOTALL | re.MULTILINE)
_BLANK = re.compile(r"\n[ \t]*\n")


def read_corpus(path: Path, passage_chars: int = PASSAGE_CHARS) -> Iterator[Source]:
    """Yield the passages of a file, or of all files of a folder, in the order of their names.

    Raises:
        RetrieverUnreachable: a file cannot be read.
        RetrieverError: a file does not hold passages, or is a link out of the corpus; the text
            names file and line.
    """
    for file in _files(path):
        if file.suffix.lower() in (".jsonl", ".ndjson"):
            yield from _json_lines(file)
        else:
            yield from _document(file, passage_chars)


def _files(path: Path) -> Sequence[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(
        file
        for file in path.rglob("*")
        if file.suffix.lower() in SUFFIXES and file.is_file() and not file.name.startswith(".")
    )
    inside = path.resolve()
    for file in files:
        if not file.resolve().is_relative_to(inside):
            raise RetrieverError(f"{file}: a link that leads out of the corpus; copy the file")
    if not files:
        raise RetrieverUnreachable(f"{path}: no document; a corpus holds {', '.join(SUFFIXES)}")
    return files


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise RetrieverUnreachable(f"{file}: cannot be read: {error}") from error


def _json_lines(file: Path) -> Iterator[Source]:
    for number, line in enumerate(_text(file).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            yield Source.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or "the line"
            raise RetrieverError(
                f"{file}:{number}: {where}: {first['msg']}; expected a JSON object with id and text"
            ) from None


def _document(file: Path, passage_chars: int) -> Iterator[Source]:
    text = _text(file).replace("\r\n", "\n")
    head: dict[str, Any] = {}
    found = _HEAD.match(text)
    if found is not None:
        head = _head(file, found["head"])
        text = text[found.end() :]
    name = str(head.get("document") or file.stem)
    title = head.get("title") or _first_heading(text)
    for index, passage in enumerate(_passages(_blocks(text), passage_chars)):
        yield Source(
            id=f"{name}-p{index + 1}",
            text=passage,
            document=name,
            index=index,
            title=None if title is None else str(title),
        )


def _head(file: Path, text: str) -> dict[str, Any]:
    try:
        head = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise RetrieverError(
            f"{file}: the head between the two '---' lines is no YAML: {error}"
        ) from None
    if not isinstance(head, dict | None):
        raise RetrieverError(f"{file}: the head between the two '---' lines must be 'key: value'")
    return cast("dict[str, Any]", head or {})


def _first_heading(text: str) -> str | None:
    for line in text.splitlines():
        found = _HEADING.match(line)
        if found is not None:
            return found["text"]
    return None


def _blocks(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the paragraphs of a text, each with whether it opens with a heading."""
    for block in _BLANK.split(text):
        stripped = block.strip()
        if stripped:
            yield _HEADING.match(stripped.splitlines()[0]) is not None, stripped


def _passages(blocks: Iterable[tuple[bool, str]], limit: int) -> Iterator[str]:
    """Yield whole paragraphs up to the limit; a heading opens a passage.

    A paragraph longer than the limit is a passage of its own: it is not cut within.
    """
    held: list[str] = []
    only_headings = True
    for heads, block in blocks:
        size = sum(len(part) + 2 for part in held) + len(block)
        if held and not only_headings and (heads or size > limit):
            yield "\n\n".join(held)
            held, only_headings = [], True
        held.append(block)
        only_headings = only_headings and heads and "\n" not in block
    if held:
        yield "\n\n".join(held)
