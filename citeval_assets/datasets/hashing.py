"""Content hashes: the same case and rules give the same hash on every machine."""

import hashlib
import json
import unicodedata
from collections.abc import Iterable

from citeval_assets.playbooks.cases import TestCase


def canonical_json(obj: object) -> str:
    """Return the one JSON spelling of plain data: keys sorted, no blanks, non-ASCII kept.

    Raises:
        ValueError: for NaN and infinities, which JSON does not have.
    """
    return _CANONICAL.encode(obj)


_CANONICAL = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
)


def case_hash(playbook: str, case: TestCase) -> str:
    """Return the SHA-256 (hex) of a case. Fields at their default do not count.

    So a field that is added to the schema later leaves the hashes of old cases alone.
    """
    content = case.model_dump(mode="json", exclude_defaults=True)
    return _sha256(canonical_json([playbook, content]))


def subject_hash(case: TestCase) -> str:
    """Return the SHA-256 (hex) of what a system was given and is held to, whatever it produced.

    Two systems were put the same question, with the same sources and the same expectation, when
    these agree.
    """
    about = {"test_case_id", "system", "labels", "label_source", "tags", "language", "risk_level"}
    content = case.model_dump(
        mode="json", exclude_defaults=True, exclude=about | case.produced_fields
    )
    return _sha256(canonical_json(content))


def question_key(question: str) -> str:
    """Return a short hash of a question, whatever its case and white space."""
    folded = " ".join(unicodedata.normalize("NFKC", question).casefold().split())
    return _sha256(folded)[:16]


def dataset_version(members: Iterable[tuple[str, str, str]]) -> str:
    """Return the version of a set of cases: (dataset, case hash, rules as JSON) of each.

    The order of the rows does not matter. A case hash covers the key of the case.
    """
    digest = hashlib.sha256(b"[")
    for number, member in enumerate(sorted(members)):
        # The JSON of the whole list, but never all of it in memory.
        digest.update(("," if number else "").encode() + canonical_json(member).encode())
    digest.update(b"]")
    return digest.hexdigest()


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
