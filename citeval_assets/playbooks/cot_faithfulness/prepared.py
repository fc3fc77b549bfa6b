"""A trace made ready to be judged."""

from dataclasses import dataclass, field

from citeval_assets.playbooks.attempts import Failure
from citeval_assets.playbooks.base import Prepared
from citeval_assets.playbooks.cot_faithfulness.schema import CotCase
from citeval_assets.playbooks.cot_faithfulness.steps import TraceStep, number_steps
from citeval_assets.playbooks.evidence import SearchedSource, searched
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.shared import (
    NamedText,
    effective_risk_level,
    invisible_warnings,
    passages_of,
    suspicions_in,
    too_many_units,
    untrusted_texts,
)
from citeval_assets.playbooks.view import ModelView
from citeval_assets.playbooks.vocabulary import Reason
from citeval_assets.text.quotes import FoldedText
from citeval_assets.text.traces import read_trace

NOT_GIVEN = "not given"
"""What the judge reads where a case has no final answer."""


@dataclass(frozen=True)
class CotPrepared(Prepared):
    """The numbered steps of a trace and its evidence, ready to be searched."""

    steps: tuple[TraceStep, ...] = ()
    sources: tuple[SearchedSource, ...] = ()
    trace: FoldedText = field(default_factory=lambda: FoldedText.of(""))
    final_answer_given: bool = True

    @property
    def trace_text(self) -> str:
        """The text of the trace, as all offsets count in it."""
        return self.trace.text

    @property
    def asserting(self) -> tuple[TraceStep, ...]:
        """The steps that count."""
        return tuple(step for step in self.steps if step.asserting)

    def step(self, number: int) -> TraceStep | None:
        """Return the step of this number, or ``None`` where there is none."""
        return self.steps[number] if 0 <= number < len(self.steps) else None


def prepare(case: CotCase, rules: DomainRules, failure: Failure | None) -> CotPrepared:
    """Number the steps and decide which of them assert something."""
    trace = read_trace(case.reasoning_trace)
    steps = number_steps(trace, case.question)
    risk = effective_risk_level(case, rules)
    final_answer = case.given_final_answer
    texts = untrusted_texts(
        case,
        NamedText("reasoning trace", trace.text),
        NamedText("final answer", final_answer or ""),
    )
    missing = () if final_answer else ("final_answer: not given; the trace is judged without it",)
    return CotPrepared(
        case=case,
        rules=rules,
        risk_level=risk,
        view=ModelView(
            playbook="cot_faithfulness",
            question=case.question,
            risk_level=risk,
            passages=passages_of(case.unique_sources),
            units=tuple(step.as_unit() for step in steps),
            trace=trace.text,
            final_answer=final_answer or NOT_GIVEN,
        ),
        warnings=(*missing, *invisible_warnings(texts)),
        suspicions=suspicions_in(texts),
        not_applicable=None if any(s.asserting for s in steps) else Reason.NO_STEPS,
        failure=failure or too_many_units(len(steps)),
        steps=steps,
        sources=searched(case.unique_sources),
        trace=FoldedText.of(trace.text),
        final_answer_given=final_answer is not None,
    )
