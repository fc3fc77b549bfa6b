"""What makes a reply of the judge unusable: each fault in a sentence it can act on."""

from collections.abc import Iterator

from citeval_assets.playbooks.answer_comparison.prepared import ComparisonPrepared
from citeval_assets.playbooks.answer_comparison.schema import CitationScore, ComparisonReply
from citeval_assets.playbooks.attempts import Problem

MAX_ENTRIES = 500
"""Entries of ``unsupported_claims`` that are looked for; a reply with more does not pass."""


def problems_of(prepared: ComparisonPrepared, reply: ComparisonReply) -> tuple[Problem, ...]:
    """Return what is wrong with a reply that fits the schema."""
    found = [*_abstention_problems(prepared, reply)]
    if prepared.judges_sources:
        found.extend(_citation_problems(prepared, reply))
    return tuple(found)


def _abstention_problems(prepared: ComparisonPrepared, reply: ComparisonReply) -> Iterator[Problem]:
    possible = prepared.possible_abstention_scores
    given = reply.abstention_detection.score
    if given in possible:
        return
    what = "an abstention" if prepared.is_abstention else "no abstention"
    yield Problem(
        "abstention_detection.score",
        f"{given} is impossible here: the answer is {what}; possible is {' or '.join(possible)}",
    )


def _citation_problems(prepared: ComparisonPrepared, reply: ComparisonReply) -> Iterator[Problem]:
    judged = reply.citation_accuracy
    if judged.score is CitationScore.NO_CITATIONS and prepared.cites:
        yield Problem(
            "citation_accuracy.score",
            "NO_CITATIONS is impossible here: the answer cites provided sources; say PASS or FAIL",
        )
    if len(judged.unsupported_claims) > MAX_ENTRIES:
        yield Problem(
            "citation_accuracy.unsupported_claims", f"holds more than {MAX_ENTRIES} entries"
        )
    searched = prepared.searched
    for index, entry in enumerate(judged.unsupported_claims[:MAX_ENTRIES]):
        if searched is not None and not searched.find(entry):
            yield Problem(
                f"citation_accuracy.unsupported_claims[{index}]",
                "does not stand in the answer; copy the sentence of the answer exactly",
            )
