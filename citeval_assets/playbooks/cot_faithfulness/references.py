"""What an ``evidence_reference`` points to: sentences of the evidence, or earlier steps.

A reference is one sentence of the evidence, several joined by `` ... ``, a reference to
earlier steps ("steps 0, 1"), or a mixture joined the same way.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from citeval_assets.playbooks.evidence import SearchedSource, find_evidence
from citeval_assets.playbooks.report import Evidence
from citeval_assets.playbooks.shared import MAX_UNITS
from citeval_assets.playbooks.vocabulary import QuoteMatching

MAX_PARTS = 20
"""Parts one reference may be joined of."""

MAX_STEP_LIST = 1_000
"""Characters a reference to earlier steps may have."""

_JOINT = re.compile(r"\[\s?(?:\.\.\.|…)\s?\]|\.{3,}|…")
_NUMBER = r"\d{1,6}"
_SEPARATOR = r"\s{0,3}(?:,\s{0,3}and|,|;|and|&|\+|to|-|–)\s{0,3}(?:(?:steps?|units?)\s{0,3})?"
_STEPS = re.compile(
    rf"[\[(]?(?:earlier |previous )?(?:steps?|units?):?\s{{0,3}}"
    rf"(?P<numbers>{_NUMBER}(?:{_SEPARATOR}{_NUMBER})*)[\])]?\.?",
    re.IGNORECASE,
)
_RANGE = re.compile(
    rf"({_NUMBER})\s{{0,3}}(?:to|-|–)\s{{0,3}}(?:(?:steps?|units?)\s{{0,3}})?({_NUMBER})"
)


@dataclass(frozen=True, slots=True)
class Reference:
    """A resolved reference. ``not_found`` counts the parts that stand nowhere."""

    steps: tuple[int, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    not_found: int = 0


def resolve(
    reference: str, sources: Sequence[SearchedSource], matching: QuoteMatching
) -> Reference:
    """Return what ``reference`` points to."""
    whole = _resolve_part(reference, sources, matching)
    if not whole.not_found:
        return whole
    parts = [part for part in _JOINT.split(reference) if any(c.isalnum() for c in part)]
    if not 1 < len(parts) <= MAX_PARTS:
        return Reference(not_found=1)
    resolved = [_resolve_part(part, sources, matching) for part in parts]
    return Reference(
        steps=tuple(step for part in resolved for step in part.steps),
        evidence=tuple(found for part in resolved for found in part.evidence),
        not_found=sum(part.not_found for part in resolved),
    )


def _resolve_part(
    part: str, sources: Sequence[SearchedSource], matching: QuoteMatching
) -> Reference:
    steps = earlier_steps(part)
    if steps:
        return Reference(steps=steps)
    for source in sources:
        evidence = find_evidence(part, source, matching)
        if evidence:
            return Reference(evidence=evidence)
    return Reference(not_found=1)


def earlier_steps(text: str) -> tuple[int, ...]:
    """Return the step numbers of "steps 0, 1", "step 3" or "steps 0-2"; else nothing."""
    listed = text.strip()
    found = _STEPS.fullmatch(listed) if len(listed) <= MAX_STEP_LIST else None
    if found is None:
        return ()
    numbers = {int(number) for number in re.findall(_NUMBER, found["numbers"])}
    for low, high in _RANGE.findall(found["numbers"]):
        # The end of a range is among the numbers already, however far away it is.
        numbers.update(range(int(low), min(int(high), int(low) + MAX_UNITS) + 1))
    return tuple(sorted(numbers))
