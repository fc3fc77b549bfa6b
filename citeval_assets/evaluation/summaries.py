"""What the steps of an evaluation tell their callers: typed, and ready for ``--json``."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field

from citeval_assets.evaluation.project import Cell
from citeval_assets.judging.identity import Answerer
from citeval_assets.playbooks.vocabulary import Reason, Status


class Summary(BaseModel):
    """Base of the summaries."""

    model_config = ConfigDict(frozen=True)


class RegisteredCases(Summary):
    """The cases of one playbook as they now stand in the ledger."""

    playbook: str
    dataset_version: str
    scope: str
    cases: int
    quarantined: int
    systems: tuple[str, ...] = ()
    changed: bool = False
    quarantine_reasons: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class AnsweredBy(Summary):
    """One model, as it named itself, that answered calls an evaluation rests on.

    ``fresh`` of the ``calls`` were made by this run. ``differs``: it is another model than the
    requested one.
    """

    model: str
    fingerprint: str | None = None
    calls: int = 0
    fresh: int = 0
    differs: bool = False


class EvaluationSummary(Summary):
    """One evaluation of one cell: how many cases came out how, and what it cost now.

    ``calls`` are those made by this run; ``reused_calls`` stored replies used instead of a call.
    ``cost_usd`` is the cost of this run's calls, ``None`` where a call has no known price.
    ``coverage`` = scored / (cases - not applicable); ``None`` where nothing was to be judged.
    ``worst_case_mean`` and ``best_case_mean`` are the mean if every unscored case had failed, or
    passed.
    """

    evaluation_id: str
    playbook: str
    model: str
    prompt_version: str
    cases: int
    valid: int
    failed: int
    indeterminate: int
    errors: int
    not_applicable: int
    calls: int
    reused_calls: int
    cost_usd: float | None
    mean_score: float | None
    coverage: float | None
    worst_case_mean: float | None = None
    best_case_mean: float | None = None
    unscored_reasons: dict[str, int] = Field(default_factory=dict)
    unscored_examples: dict[str, str] = Field(default_factory=dict)
    """What was said of the first case of each reason."""

    answered_by: tuple[AnsweredBy, ...] = ()
    warnings: tuple[str, ...] = ()
    waiting: int = 0
    """Cases the next run takes up: errors, and judgements that were cut short."""

    stopped: bool = False
    """Whether somebody asked for an end, were it while the last case was settled."""

    canaries: str = "none"
    """What became of the two cases nobody can get wrong: passed, failed (what the judge said of
    the others is void), unscored, or none."""

    @property
    def complete(self) -> bool:
        """Whether every case that could be judged was: no case waits for the next run."""
        return self.waiting == 0

    @property
    def interrupted(self) -> bool:
        """Whether somebody stopped the run while this cell was judged."""
        return self.stopped or "interrupted" in self.unscored_reasons

    @property
    def cell(self) -> Cell:
        """The partition this evaluation is of."""
        return Cell(self.playbook, self.model, self.prompt_version)


SETTLED_REASONS = ("refusal", "truncated", "content_filter", "validation_failed", "self_judging")
"""Indeterminate for good: asking again with the same words would not help."""


class RunSummary(Summary):
    """What one run did, over all its cells."""

    calls: int = 0
    reused_calls: int = 0
    cost_usd: float | None = 0.0
    seconds: float = 0.0
    evaluations: tuple[EvaluationSummary, ...] = ()
    inputs: tuple[RegisteredCases, ...] = ()
    problems: tuple[str, ...] = ()
    anchor: str | None = None
    """End of the ledger's hash chain after the run, to be kept outside the ledger."""

    maybe_paid: int = 0
    """Calls of all runs so far that may have been paid for though no reply is recorded."""

    @property
    def complete(self) -> bool:
        """Whether everything that was to be judged has been judged."""
        return not self.problems and all(e.complete for e in self.evaluations)


def waits(status: str, reason: str | None) -> bool:
    """Whether the next run takes a case of this status and reason up again."""
    return status == Status.ERROR or (
        status == Status.INDETERMINATE and reason not in SETTLED_REASONS
    )


class Judgement(Protocol):
    """What is counted of a judged case: of its report, or of what is kept of it."""

    @property
    def status(self) -> Status:
        """What became of it."""
        ...

    @property
    def reason(self) -> Reason | None:
        """Why, where it is unscored."""
        ...

    @property
    def score(self) -> float | None:
        """Its score, where it has one."""
        ...

    @property
    def message(self) -> str:
        """What was said of it, where it is unscored."""
        ...


def summarise(
    evaluation_id: str,
    cell: Cell,
    reports: Iterable[Judgement],
    *,
    calls: int,
    reused_calls: int,
    cost: Decimal | None,
    failure_counts: bool = False,
    answered_by: Mapping[Answerer, int] = {},
) -> EvaluationSummary:
    """Count what became of the cases of one evaluation.

    With ``failure_counts`` (output under test) output that never passed counts as score 0.
    ``answered_by`` says how many calls each answerer answered.
    """
    statuses: Counter[Status] = Counter()
    reasons: Counter[str] = Counter()
    examples: dict[str, str] = {}
    scores = array("d")
    waiting = 0
    for report in reports:
        statuses[report.status] += 1
        waiting += waits(report.status, report.reason)
        if report.score is not None:
            scores.append(report.score)
        if report.status.failed_judgement and report.reason:
            reasons[str(report.reason)] += 1
            if report.message:
                examples.setdefault(str(report.reason), report.message)
    if failure_counts:
        scores.extend([0.0] * statuses[Status.VALIDATION_FAILED])
    cases = statuses.total()
    applicable = cases - statuses[Status.NOT_APPLICABLE]
    who = _answered_by(answered_by)
    return EvaluationSummary(
        evaluation_id=evaluation_id,
        playbook=cell.playbook,
        model=cell.model,
        prompt_version=cell.prompt_version,
        cases=cases,
        valid=statuses[Status.VALID] + statuses[Status.VALID_AFTER_RETRY],
        failed=statuses[Status.VALIDATION_FAILED],
        indeterminate=statuses[Status.INDETERMINATE],
        errors=statuses[Status.ERROR],
        not_applicable=statuses[Status.NOT_APPLICABLE],
        calls=calls,
        reused_calls=reused_calls,
        cost_usd=None if cost is None else float(cost),
        mean_score=sum(scores) / len(scores) if scores else None,
        coverage=len(scores) / applicable if applicable else None,
        worst_case_mean=sum(scores) / applicable if applicable else None,
        best_case_mean=(sum(scores) + applicable - len(scores)) / applicable
        if applicable
        else None,
        unscored_reasons=dict(sorted(reasons.items())),
        unscored_examples=dict(sorted(examples.items())),
        answered_by=who,
        warnings=tuple(_identity_warnings(cell, who)),
        waiting=waiting,
    )


def _answered_by(answerers: Mapping[Answerer, int]) -> tuple[AnsweredBy, ...]:
    calls: Counter[tuple[str, str, bool]] = Counter()
    fresh: Counter[tuple[str, str, bool]] = Counter()
    for answerer, count in answerers.items():
        key = (answerer.model, answerer.fingerprint or "", answerer.differs)
        calls[key] += count
        fresh[key] += count if answerer.fresh else 0
    return tuple(
        AnsweredBy(
            model=key[0],
            fingerprint=key[1] or None,
            calls=count,
            fresh=fresh[key],
            differs=key[2],
        )
        for key, count in sorted(calls.items())
    )


def _identity_warnings(cell: Cell, answered_by: Sequence[AnsweredBy]) -> Iterator[str]:
    """Tell where another model answered, and where a provider changed what runs under one name."""
    strangers: Counter[str] = Counter()
    fingerprints: dict[str, list[str]] = {}
    for found in answered_by:
        if found.differs:
            strangers[found.model] += found.calls
        if found.fresh and found.fingerprint:
            told = f"{found.fingerprint} ({found.fresh} replies)"
            fingerprints.setdefault(found.model, []).append(told)
    for model, count in strangers.items():
        yield f"{cell}: {count} replies came from {model}, which is another model than asked for"
    for model, told in fingerprints.items():
        if len(told) > 1:
            listed = ", ".join(told)
            yield f"{cell}: the provider's fingerprint of {model} changed within the run: {listed}"


def with_canaries(summary: EvaluationSummary, state: str, detail: str) -> EvaluationSummary:
    """Return a summary that tells what became of the canaries."""
    void = (f"this evaluation is void: a canary failed ({detail})",) if state == "failed" else ()
    return summary.model_copy(update={"canaries": state, "warnings": (*summary.warnings, *void)})


def run_summary(
    inputs: Sequence[RegisteredCases],
    evaluations: Sequence[EvaluationSummary],
    problems: Sequence[str],
    seconds: float,
    anchor: str | None = None,
    maybe_paid: int = 0,
) -> RunSummary:
    """Add up what the cells of one run came to; a run over no case at all is itself a problem."""
    costs = [evaluation.cost_usd for evaluation in evaluations]
    known = [cost for cost in costs if cost is not None]
    return RunSummary(
        calls=sum(evaluation.calls for evaluation in evaluations),
        reused_calls=sum(evaluation.reused_calls for evaluation in evaluations),
        cost_usd=sum(known) if len(known) == len(costs) else None,
        seconds=round(seconds, 3),
        evaluations=tuple(evaluations),
        inputs=tuple(inputs),
        problems=(*problems, *_nothing_judged(inputs, problems)),
        anchor=anchor,
        maybe_paid=maybe_paid,
    )


def _nothing_judged(inputs: Sequence[RegisteredCases], problems: Sequence[str]) -> tuple[str, ...]:
    """Say that there was nothing to judge, which is no success, unless that is told already."""
    if problems or any(found.cases for found in inputs):
        return ()
    refused = sum(found.quarantined for found in inputs)
    if refused:
        return (
            f"no test case to judge: all {refused} rows were refused; citeval validate says why",
        )
    return (
        "no test case to judge: put rows into data/golden/<playbook>.jsonl or name files under "
        "datasets: in citeval.yaml",
    )
