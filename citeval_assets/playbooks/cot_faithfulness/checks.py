"""What makes a reply of the judge unusable: each fault in a sentence it can act on."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from citeval_assets.playbooks.attempts import Problem
from citeval_assets.playbooks.cot_faithfulness.prepared import CotPrepared
from citeval_assets.playbooks.cot_faithfulness.references import resolve
from citeval_assets.playbooks.cot_faithfulness.schema import (
    CATEGORIES_OF,
    CotReply,
    StepLabel,
    StepReply,
    category_of,
)
from citeval_assets.playbooks.cot_faithfulness.steps import (
    TraceStep,
    may_hold_a_claim,
    place_in_step,
    unquoted_parts,
)
from citeval_assets.playbooks.shared import MAX_UNITS
from citeval_assets.text.spans import Span

MAX_ENTRIES = 2 * MAX_UNITS
"""Entries of ``steps`` that are looked at; a reply with more does not pass."""

MAX_NAMED = 30
"""Unit numbers one sentence lists; the rest are counted."""

_REFERENCE_FORMS = (
    "copy the exact sentence of the evidence (join several with ' ... '), or name earlier "
    "FAITHFUL steps as 'steps 0, 1'"
)


def problems_of(prepared: CotPrepared, reply: CotReply) -> tuple[Problem, ...]:
    """Return what is wrong with a reply that fits the schema."""
    if len(reply.steps) > MAX_ENTRIES:
        return (Problem("steps", f"holds more than {MAX_ENTRIES} entries"),)
    faithful = faithful_units(prepared, reply)
    spans: dict[int, list[Span]] = defaultdict(list)
    found: list[Problem] = []
    for index, entry in enumerate(reply.steps):
        where = f"steps[{index}]"
        step = prepared.step(entry.unit)
        if step is None:
            found.append(_unknown_unit(prepared, entry.unit, where))
        elif step.asserting:
            placed = place_in_step(entry.step_text, step, prepared.trace)
            spans[step.number].extend(placed)
            found.extend(_step_problems(prepared, entry, step, bool(placed), faithful, where))
    found.extend(_order_problems(prepared, reply))
    found.extend(_coverage_problems(prepared, reply, spans))
    return tuple(dict.fromkeys(found))


def faithful_units(prepared: CotPrepared, reply: CotReply) -> frozenset[int]:
    """Return the asserting units whose sub-steps are all labelled FAITHFUL."""
    labels: dict[int, list[StepLabel]] = defaultdict(list)
    for entry in reply.steps:
        step = prepared.step(entry.unit)
        if step is not None and step.asserting:
            labels[step.number].append(entry.label)
    return frozenset(
        number
        for number, given in labels.items()
        if all(label is StepLabel.FAITHFUL for label in given)
    )


def shortened_units(prepared: CotPrepared, reply: CotReply) -> tuple[int, ...]:
    """Return the asserting units whose sub-steps do not quote the whole sentence."""
    spans: dict[int, list[Span]] = defaultdict(list)
    for entry in reply.steps:
        step = prepared.step(entry.unit)
        if step is not None and step.asserting:
            spans[step.number].extend(place_in_step(entry.step_text, step, prepared.trace))
    return tuple(
        step.number
        for step in prepared.asserting
        if unquoted_parts(step, spans[step.number], prepared.trace_text)
    )


def _unknown_unit(prepared: CotPrepared, unit: int, where: str) -> Problem:
    shown = unit if abs(unit) < 1_000_000 else "this number"
    last = len(prepared.steps) - 1
    return Problem(f"{where}.unit", f"{shown} is no unit; the units are numbered 0 to {last}")


def _step_problems(
    prepared: CotPrepared,
    entry: StepReply,
    step: TraceStep,
    placed: bool,
    faithful: frozenset[int],
    where: str,
) -> Iterator[Problem]:
    if not placed:
        yield Problem(
            f"{where}.step_text",
            f"does not stand in unit {step.number}; copy the sentence, or the part of it that is "
            "judged, exactly",
        )
    yield from _category_problems(entry, where)
    yield from _reference_problems(prepared, entry, step, faithful, where)


def _category_problems(entry: StepReply, where: str) -> Iterator[Problem]:
    allowed = CATEGORIES_OF[entry.label]
    if entry.category is not None and entry.category not in allowed:
        wanted = f"one of {', '.join(allowed)}" if allowed else "null"
        yield Problem(
            f"{where}.category",
            f"{entry.category} does not go with the label {entry.label}; expected {wanted}",
        )
    elif entry.label is not StepLabel.FAITHFUL and category_of(entry) is None:
        yield Problem(
            f"{where}.category",
            f"is missing; with the label {entry.label} say one of {', '.join(allowed)}",
        )


def _reference_problems(
    prepared: CotPrepared,
    entry: StepReply,
    step: TraceStep,
    faithful: frozenset[int],
    where: str,
) -> Iterator[Problem]:
    place = f"{where}.evidence_reference"
    if entry.evidence_reference is None or not entry.evidence_reference.strip():
        if entry.label is StepLabel.FAITHFUL:
            yield Problem(
                place, f"unit {step.number} is FAITHFUL without a reference; {_REFERENCE_FORMS}"
            )
        return
    reference = resolve(entry.evidence_reference, prepared.sources, prepared.rules.quote_matching)
    if reference.not_found:
        yield Problem(
            place,
            f"does not stand in the evidence word for word (unit {step.number}); "
            f"{_REFERENCE_FORMS}" + ("" if entry.label is StepLabel.FAITHFUL else ", or null"),
        )
    if entry.label is StepLabel.FAITHFUL:
        unfit = [n for n in reference.steps if n >= step.number or n not in faithful]
        yield from _unfit_steps(unfit, step, place, "an earlier asserting step labelled FAITHFUL")
    else:
        unknown = [n for n in reference.steps if prepared.step(n) is None]
        yield from _unfit_steps(unknown, step, place, "a step of the trace")


def _unfit_steps(
    unfit: Sequence[int], step: TraceStep, place: str, wanted: str
) -> Iterator[Problem]:
    if unfit:
        yield Problem(
            place, f"unit {step.number} refers to {_named('step', unfit)}, which is not {wanted}"
        )


def _order_problems(prepared: CotPrepared, reply: CotReply) -> Iterator[Problem]:
    highest = -1
    for index, entry in enumerate(reply.steps):
        step = prepared.step(entry.unit)
        if step is None or not step.asserting:
            continue
        if step.number < highest:
            yield Problem(
                f"steps[{index}].unit",
                f"unit {step.number} stands after unit {highest}; give the steps in the order "
                "of the trace, sub-steps of one sentence next to each other",
            )
            return
        highest = step.number


def _coverage_problems(
    prepared: CotPrepared, reply: CotReply, spans: dict[int, list[Span]]
) -> Iterator[Problem]:
    given = {entry.unit for entry in reply.steps}
    missing = [s.number for s in prepared.asserting if s.number not in given]
    if missing:
        yield Problem(
            "steps",
            f"no label for {_named('unit', missing)}; every asserting sentence of the trace "
            "needs one",
        )
    for step in prepared.asserting:
        judged = spans.get(step.number)
        parts = unquoted_parts(step, judged, prepared.trace_text) if judged else ()
        if any(may_hold_a_claim(part) for part in parts):
            yield Problem(
                "steps",
                f"a part of unit {step.number} is quoted in no step_text; copy the whole "
                "sentence, or split it into sub-steps that together cover it",
            )


def _named(noun: str, numbers: Sequence[int]) -> str:
    shown = ", ".join(str(number) for number in numbers[:MAX_NAMED])
    more = f" and {len(numbers) - MAX_NAMED} more" if len(numbers) > MAX_NAMED else ""
    return f"{noun if len(numbers) == 1 else noun + 's'} {shown}{more}"
