"""A store of passages in memory or in a JSONL file: fetches by id."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from citeval_assets.playbooks.cases import Source, read_id
from citeval_assets.retrieval.base import RetrieverError, RetrieverUnreachable


@dataclass(frozen=True)
class PassageStore:
    """Passages by id. Ids are compared after Unicode normalisation and trimming."""

    passages: dict[str, Source]
    version: str

    @classmethod
    def of(cls, sources: Iterable[Source]) -> "PassageStore":
        """Return a store of these passages; its version is the hash of their content.

        Raises:
            RetrieverError: an id stands for two different texts.
        """
        passages: dict[str, Source] = {}
        digest = hashlib.sha256()
        for source in sources:
            known = passages.setdefault(source.id, source)
            if known.text != source.text:
                raise RetrieverError(f"passage id {source.id!r} stands for two different texts")
        for source in sorted(passages.values(), key=lambda source: source.id):
            digest.update(source.model_dump_json().encode("utf-8", "surrogatepass"))
        return cls(passages, digest.hexdigest())

    @classmethod
    def read(cls, path: Path) -> "PassageStore":
        """Read a JSONL file (or all ``*.jsonl`` of a folder), one passage a line.

        Raises:
            RetrieverUnreachable: the file cannot be read.
            RetrieverError: a line is no passage; the text names file and line.
        """
        files = sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
        return cls.of(source for file in files for source in _read_file(file))

    def search(self, question: str, k: int) -> Sequence[Source]:
        """Not offered: this store knows passages by id only.

        Raises:
            RetrieverError: always.
        """
        raise RetrieverError("this store fetches passages by id; it cannot search them")

    def fetch(self, ids: Sequence[str]) -> Sequence[Source]:
        """Return the passages of these ids, each once, in their order."""
        wanted = dict.fromkeys(str(read_id(passage_id)) for passage_id in ids)
        return tuple(self.passages[i] for i in wanted if i in self.passages)


def _read_file(file: Path) -> Iterable[Source]:
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RetrieverUnreachable(f"{file}: cannot be read: {error}") from error
    for number, line in enumerate(lines, start=1):
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
