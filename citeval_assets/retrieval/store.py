"""A store of passages in memory: fetches by id."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from citeval_assets.playbooks.cases import Source, read_id
from citeval_assets.retrieval.base import RetrieverError
from citeval_assets.retrieval.corpus import PASSAGE_CHARS, read_corpus


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
    def read(cls, path: Path, passage_chars: int = PASSAGE_CHARS) -> "PassageStore":
        """Read a file of passages, or all of a folder (see ``corpus``).

        Raises:
            RetrieverUnreachable: a file cannot be read.
            RetrieverError: a file holds no passages; the text names file and line.
        """
        return cls.of(read_corpus(path, passage_chars))

    def fetch(self, ids: Sequence[str]) -> Sequence[Source]:
        """Return the passages of these ids, each once, in their order."""
        wanted = dict.fromkeys(str(read_id(passage_id)) for passage_id in ids)
        return tuple(self.passages[i] for i in wanted if i in self.passages)
