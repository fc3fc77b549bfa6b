"""What makes an output unusable: each fault in a sentence the target model can act on."""

from collections.abc import Iterator, Sequence

from citeval_assets.playbooks.attempts import Problem
from citeval_assets.playbooks.cite_or_abstain.reading import (
    MAX_CITATIONS,
    CheckedCitation,
    CheckedOutput,
)
from citeval_assets.playbooks.cite_or_abstain.schema import AnswerStatus, Confidence
from citeval_assets.playbooks.evidence import SearchedSource, find_evidence
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.shared import shown_id

MAX_LISTED_IDS = 30
"""Chunk ids one sentence lists; the rest are counted."""

MAX_SEARCHED = 20
"""Excerpts that are looked for in other chunks, to say where they do stand."""


def problems_of(
    output: CheckedOutput, sources: Sequence[SearchedSource], rules: DomainRules
) -> tuple[Problem, ...]:
    """Return what is wrong with an output that fits the schema."""
    found = [
        *_status_problems(output),
        *_citation_problems(output, sources, rules),
        *_marker_problems(output, sources),
    ]
    if len(output.reply.citations) > MAX_CITATIONS:
        found.append(Problem("citations", f"holds more than {MAX_CITATIONS} citations"))
    return tuple(dict.fromkeys(found))


def _status_problems(output: CheckedOutput) -> Iterator[Problem]:
    reply = output.reply
    reason_given = bool((reply.abstention_reason or "").strip())
    match reply.status:
        case AnswerStatus.ABSTAINED:
            if output.answer.strip():
                yield Problem("answer", 'must be null where status is "abstained"')
            if reply.citations:
                yield Problem("citations", 'must be empty where status is "abstained"')
            if not reason_given:
                yield Problem("abstention_reason", 'is missing; status "abstained" needs a reason')
        case AnswerStatus.PARTIAL:
            if not output.answer.strip():
                yield Problem(
                    "answer",
                    'is empty; with status "partial" give the part the chunks answer, or say '
                    '"abstained" where they answer none of it',
                )
            if not reason_given:
                yield Problem("abstention_reason", 'is missing; status "partial" needs a reason')
            if not output.abstained_claims:
                yield Problem(
                    "missing_evidence",
                    'is empty; with status "partial" list what the chunks do not answer',
                )
        case AnswerStatus.ANSWERED:
            if not output.answer.strip():
                yield Problem(
                    "answer",
                    'is empty; with status "answered" give the answer, or say "abstained" where '
                    "the chunks do not answer the question",
                )
            if not any(citation.chunk_id for citation in output.citations):
                yield Problem(
                    "citations",
                    'is empty; status "answered" needs at least one citation of a provided chunk, '
                    'else say "abstained"',
                )


def _citation_problems(
    output: CheckedOutput, sources: Sequence[SearchedSource], rules: DomainRules
) -> Iterator[Problem]:
    searched = 0
    for citation in output.citations:
        where = f"citations[{citation.index}]"
        if citation.chunk_id is None:
            if citation.confidence is Confidence.HIGH:
                yield Problem(
                    f"{where}.confidence",
                    'is "high" without a chunk; name the chunk, or leave the citation out',
                )
        elif not citation.provided:
            yield Problem(f"{where}.chunk_id", _not_provided(citation.chunk_id, sources))
        elif not citation.verbatim:
            searched += 1
            other = _other_chunk(citation, sources, rules) if searched <= MAX_SEARCHED else None
            yield Problem(f"{where}.excerpt", _not_verbatim(citation.chunk_id, other))


def _marker_problems(output: CheckedOutput, sources: Sequence[SearchedSource]) -> Iterator[Problem]:
    cited = {citation.chunk_id for citation in output.citations}
    for marker in output.unknown_markers[:MAX_LISTED_IDS]:
        if marker not in cited:
            yield Problem("answer", f"cites {_not_provided(marker, sources)}")


def _other_chunk(
    citation: CheckedCitation, sources: Sequence[SearchedSource], rules: DomainRules
) -> str | None:
    others = (source for source in sources if source.id != citation.chunk_id)
    holding = (s.id for s in others if find_evidence(citation.excerpt, s, rules.quote_matching))
    return next(holding, None)


def _not_provided(chunk_id: str, sources: Sequence[SearchedSource]) -> str:
    ids = [shown_id(source.id) for source in sources]
    more = f" and {len(ids) - MAX_LISTED_IDS} more" if len(ids) > MAX_LISTED_IDS else ""
    known = f"the chunks are {', '.join(ids[:MAX_LISTED_IDS])}{more}" if ids else "there are none"
    return f"{shown_id(chunk_id)}, which is no provided chunk; {known}"


def _not_verbatim(chunk_id: str, other: str | None) -> str:
    told = f"does not stand verbatim in chunk {shown_id(chunk_id)}"
    if other is not None:
        return f"{told} but in {shown_id(other)}; cite the chunk the words are taken from"
    return f"{told}; copy at least three words, or a whole sentence, exactly as they stand there"
