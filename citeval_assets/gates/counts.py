"""What code counted in one report, read from the playbook's own part of it.

Each playbook keeps its counts under its own names; a name that is not there is a count the
playbook does not have.
"""

from dataclasses import dataclass
from functools import lru_cache

from pydantic import BaseModel, ConfigDict, TypeAdapter

from citeval_assets.playbooks.cite_or_abstain.schema import AnswerStatus, FirstAttempt


class _Details(BaseModel):
    """The names gates read, whichever playbook wrote them."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    hallucinated_sources: tuple[str, ...] | None = None
    hallucinated_source_count: int | None = None
    unresolved: int | None = None
    claim_count: int | None = None
    supported_claim_count: int | None = None
    expected_status: AnswerStatus | None = None
    first_attempt: FirstAttempt | None = None


@dataclass(frozen=True, slots=True)
class CaseCounts:
    """Counts of one case; ``None`` where the playbook counts no such thing.

    ``invented``: citations of sources that were not given. ``abstained`` and ``expects_abstention``
    are those of the first output; ``gaps`` of its ``statements`` are backed by nothing.
    """

    invented: int | None = None
    claims: int | None = None
    supported_claims: int | None = None
    abstained: bool | None = None
    expects_abstention: bool | None = None
    gaps: int | None = None
    statements: int | None = None


_READER = TypeAdapter(_Details)
_NOTHING = CaseCounts()


@lru_cache(maxsize=4096)
def read_counts(details: str | None) -> CaseCounts:
    """Return the counts of one report from the JSON of its details."""
    if not details or details in ("{}", "null"):
        return _NOTHING
    found = _READER.validate_json(details)
    first = found.first_attempt
    readable = first is not None and first.readable
    return CaseCounts(
        invented=_invented(found),
        claims=found.claim_count,
        supported_claims=found.supported_claim_count,
        abstained=first.overall_abstention if first is not None and readable else None,
        expects_abstention=found.expected_status is AnswerStatus.ABSTAINED if readable else None,
        gaps=first.silent_citation_gaps if first is not None and readable else None,
        statements=first.asserting_sentences if first is not None and readable else None,
    )


def _invented(found: _Details) -> int | None:
    """Count invented sources; where nothing was judged, code has still listed the ids."""
    if found.first_attempt is not None:
        return len(found.first_attempt.invented_chunk_ids)
    if found.hallucinated_sources is not None:
        return max(found.hallucinated_source_count or 0, len(found.hallucinated_sources))
    return found.unresolved
