"""A playbook of one question, and a client that follows a script: judging without the rest."""

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from citeval_assets.config import ModelConfig
from citeval_assets.judging.backoff import Backoff
from citeval_assets.judging.breaker import BreakerSettings
from citeval_assets.judging.examiner import CaseTask
from citeval_assets.judging.form import CallForm
from citeval_assets.judging.policy import JudgingPolicy
from citeval_assets.judging.pricing import PriceTag
from citeval_assets.judging.request import Answer, CallFailure, Completion, Cost, ModelRequest
from citeval_assets.judging.timing import Timing
from citeval_assets.playbooks.attempts import Failure, Problem
from citeval_assets.playbooks.base import Assessment, ModelReply, Playbook, Prepared, Slot
from citeval_assets.playbooks.cases import Source, TestCase
from citeval_assets.playbooks.report import Details
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.shared import passages_of, passages_slot, untrusted_slot
from citeval_assets.playbooks.view import ModelView, SlotValue
from citeval_assets.playbooks.vocabulary import FindingUnit, Reason, RiskLevel, TemplateKind
from citeval_assets.templates.model import PromptTemplate

VALID = '{"verdict": "yes"}'
MALFORMED = "no object here"


class ToyReply(ModelReply):
    verdict: Literal["yes", "no"]


class Toy(Playbook[TestCase, Prepared, ToyReply]):
    """Yes scores 1, no scores 0."""

    name = "toy"
    title = "Toy"
    kind = TemplateKind.JUDGE
    unit = FindingUnit.CRITERION
    scoring_version = 1
    max_reasks = 1
    case_type = TestCase
    reply_type = ToyReply
    slots = (Slot("QUESTION"), Slot("PASSAGES"))

    def prepare(
        self, case: TestCase, rules: DomainRules, failure: Failure | None = None
    ) -> Prepared:
        view = ModelView("toy", case.question, RiskLevel.STANDARD, passages_of(case.sources))
        return Prepared(case, rules, RiskLevel.STANDARD, view, failure=failure)

    def slot_values(self, view: ModelView) -> Mapping[str, SlotValue]:
        return {"QUESTION": untrusted_slot(view.question), "PASSAGES": passages_slot(view)}

    def problems(self, prepared: Prepared, reply: ToyReply) -> Sequence[Problem]:
        return ()

    def assess(self, prepared: Prepared, reply: ToyReply, readings: Sequence[Any]) -> Assessment:
        return Assessment(1.0 if reply.verdict == "yes" else 0.0, (), Details())


TOY = Toy()

TEMPLATE = PromptTemplate(
    playbook="toy",
    version="v1",
    kind=TemplateKind.JUDGE,
    status="released",
    description="",
    system="Judge. Blocks carry [DATA_TOKEN].",
    user="Question: [QUESTION]\n[PASSAGES]\n[CORRECTION_FEEDBACK]",
    examples="",
    sha256="a" * 64,
    path=Path("toy/v1.md"),
)


def model(**settings: Any) -> ModelConfig:
    return ModelConfig(
        **{"id": "judge", "model": "openai/stand-in", "roles": ("judge",), **settings}
    )


def task(name: str, *sources: str, question: str | None = None) -> CaseTask:
    case = TestCase(
        test_case_id=name,
        system="s",
        question=question or f"About {name}?",
        sources=tuple(Source(id=str(n), text=text) for n, text in enumerate(sources, start=1)),
    )
    return CaseTask(f"hash-{name}", "dataset-1", TOY.prepare(case, DomainRules()))


def tasks(count: int) -> list[CaseTask]:
    return [task(f"case-{number:03}") for number in range(count)]


def policy(**settings: Any) -> JudgingPolicy:
    quick = {"backoff": Backoff(0.01, 0.02), "breaker": BreakerSettings(0), "max_concurrency": 4}
    return JudgingPolicy(**{**quick, **settings})


@dataclass
class FakeTime:
    """A clock that moves only when somebody sleeps."""

    seconds: float = 1000.0
    slept: list[float] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds
        await asyncio.sleep(0)

    def timing(self) -> Timing:
        start = datetime(2026, 11, 30, tzinfo=UTC)
        return Timing(
            clock=lambda: self.seconds,
            sleep=self.sleep,
            now=lambda: start + timedelta(seconds=self.seconds),
            draw=random.Random(7),
        )


def completion(text: str | None = VALID, finish: str = "stop", **more: Any) -> Completion:
    return Completion(text, finish, cost=Cost(None, "no price"), **more)


def fault(
    reason: Reason = Reason.UNREACHABLE, *, retryable: bool = True, **more: Any
) -> CallFailure:
    return CallFailure(reason, f"scripted {reason}", retryable=retryable, **more)


@dataclass
class ScriptedClient:
    """Answers by script: one list for every case name found in the prompt, the last repeats."""

    scripts: Mapping[str, Sequence[Answer]] = field(default_factory=dict)
    default: Answer = field(default_factory=completion)
    requests: list[ModelRequest] = field(default_factory=list)
    hold: asyncio.Event | None = None
    in_flight: int = 0
    max_in_flight: int = 0
    local: bool = False
    endpoint: str = "scripted"
    identity: Mapping[str, Any] = field(default_factory=dict)
    price_tag: PriceTag | None = None
    closed: bool = False
    _seen: dict[str, int] = field(default_factory=dict)

    async def ready(self, request: ModelRequest) -> CallFailure | None:
        return None

    async def price(self) -> PriceTag | None:
        return self.price_tag

    def form(self, request: ModelRequest) -> CallForm:
        return CallForm()

    async def call(self, request: ModelRequest, form: CallForm, deadline_s: float) -> Answer:
        self.requests.append(request)
        self.in_flight += 1
        self.max_in_flight = max(self.max_in_flight, self.in_flight)
        try:
            await (self.hold.wait() if self.hold is not None else asyncio.sleep(0))
        finally:
            self.in_flight -= 1
        return self._next(request)

    async def close(self) -> None:
        self.closed = True

    def _next(self, request: ModelRequest) -> Answer:
        prompt = "\n".join(message.content for message in request.messages)
        for name, script in self.scripts.items():
            if name in prompt:
                position = min(self._seen.get(name, 0), len(script) - 1)
                self._seen[name] = self._seen.get(name, 0) + 1
                return script[position]
        return self.default


async def until(condition: Callable[[], bool]) -> None:
    """Let others run until something has come to be."""
    for _ in range(6000):
        if condition():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it did not come to be")
