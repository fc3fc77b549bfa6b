"""What a run would do and cost, before it does: calls, tokens, dollars, with a range.

Every case is prepared and its question rendered as for a run, so the number of questions the
ledger cannot answer is exact. What comes back is not known: tokens and re-asks are taken from the
newest calls of the same model to the same playbook, where there are any. Answers that target
models are still to write, and that are judged in the same run, are counted by their questions:
nobody knows yet how long they are, or whether they are given at all.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean, quantiles

from pydantic import computed_field

from citeval_assets.evaluation.answering import answering_cells, cases_for
from citeval_assets.evaluation.cases import PreparedCase, prepare_case
from citeval_assets.evaluation.current import answers_evaluation
from citeval_assets.evaluation.following import waves
from citeval_assets.evaluation.generated import generated_name
from citeval_assets.evaluation.inputs import load_completed
from citeval_assets.evaluation.partition import batched, client_of
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.evaluation.summaries import Summary
from citeval_assets.evaluation.tasks import self_judging
from citeval_assets.judging.interrupts import run_async
from citeval_assets.judging.policy import JudgingPolicy
from citeval_assets.judging.pricing import PriceTag
from citeval_assets.judging.questions import Questions
from citeval_assets.judging.request import ModelRequest, Usage
from citeval_assets.judging.schemas import reply_schema
from citeval_assets.judging.settled import settled
from citeval_assets.judging.tokens import estimate_tokens
from citeval_assets.judging.truncation import Fitted, messages_tokens
from citeval_assets.ledger.errors import TamperedRowError
from citeval_assets.ledger.records import StoredCall
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.attempts import Failure
from citeval_assets.playbooks.base import Prepared
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.report import Report
from citeval_assets.playbooks.vocabulary import TemplateKind
from citeval_assets.qualification.canaries import canary_tasks

_PAST_CALLS = 200
_PAST_ESTIMATES = 25
"""Past prompts that are estimated anew, to see how far the estimate is off for this model."""

_PAGE = 200
_ESTIMATE_OVER_TRUTH = (1.0 / 0.9, 1.0 / 1.3, 1.0 / 2.0)
"""True tokens per estimated one where no past call tells: at most, in the middle, at least."""


class Range(Summary):
    """A number not known yet. ``expected`` is ``None`` where nothing past tells."""

    low: float
    expected: float | None
    high: float

    def times(self, factor: float) -> "Range":
        """Return the range of a multiple."""
        middle = None if self.expected is None else self.expected * factor
        return Range(low=self.low * factor, expected=middle, high=self.high * factor)


class CellForecast(Summary):
    """What judging one cell would take.

    ``stored`` questions are answered by the ledger, ``decided`` cases need no model. ``to_come``
    are answers that the run itself has written first: each may take a call, or none where the
    model abstains. ``cost_usd`` is ``None`` where no price is known; ``refused`` says that then
    nothing is asked, because spending is limited. ``past_calls``: how many earlier calls the
    range rests on.
    """

    playbook: str
    model: str
    prompt_version: str
    cases: int
    decided: int
    stored: int
    to_ask: int
    calls: Range
    prompt_tokens: Range
    completion_tokens: Range
    cost_usd: Range | None
    past_calls: int
    to_come: int = 0
    refused: bool = False


class RunForecast(Summary):
    """What a run would take, over all its cells."""

    cells: tuple[CellForecast, ...]
    to_ask: int
    calls: Range
    cost_usd: Range | None
    prompt_tokens: Range
    completion_tokens: Range
    to_come: int = 0
    per_run_usd: float | None = None
    per_day_usd: float | None = None
    spent_today_usd: float = 0.0

    @computed_field
    @property
    def left_usd(self) -> float | None:
        """What the limits leave to this run; ``None``: nothing limits it."""
        per_day = None if self.per_day_usd is None else self.per_day_usd - self.spent_today_usd
        known = [limit for limit in (self.per_run_usd, per_day) if limit is not None]
        return max(0.0, min(known)) if known else None

    @computed_field
    @property
    def may_stop(self) -> bool:
        """Whether a limit may end the run before all is judged."""
        if self.left_usd is None or self.cost_usd is None:
            return False
        return self.cost_usd.high > self.left_usd


@dataclass
class _Count:
    """The cases of one cell, sorted by what they need."""

    cases: int = 0
    decided: int = 0
    stored: int = 0
    estimates: list[int] = field(default_factory=list[int])
    """Estimated prompt tokens of each question to be asked."""


@dataclass(frozen=True, slots=True)
class ToCome:
    """Answers still to be written: how many, and the prompt tokens of one of their questions."""

    answers: int = 0
    prompt_tokens: int = 0

    def __add__(self, other: "ToCome") -> "ToCome":
        """Return both together."""
        answers = self.answers + other.answers
        tokens = self.answers * self.prompt_tokens + other.answers * other.prompt_tokens
        return ToCome(answers, round(tokens / answers) if answers else 0)


def forecast_run(
    project: Project,
    ledger: Ledger,
    cells: Sequence[Cell],
    policy_for: Callable[[Cell], JudgingPolicy],
    datasets: Sequence[str],
) -> RunForecast:
    """Return what a run over these cells would take, whoever answers first."""
    answering = set(answering_cells(project))
    to_come = ToCome()
    found: list[CellForecast] = []
    for cell in (cell for wave in waves(cells) for cell in wave):
        takes = get_playbook(cell.playbook).takes_answers
        judged = takes and (not datasets or generated_name(cell.playbook) in datasets)
        policy = policy_for(cell)
        one = forecast_cell(
            project, ledger, cell, policy, datasets, to_come if judged else ToCome()
        )
        found.append(one)
        if cell in answering:
            to_come += _answers_of(ledger, cell, one)
    return total_of(found)


def _answers_of(ledger: Ledger, cell: Cell, forecast: CellForecast) -> ToCome:
    """Return the answers a run would write anew, or for the first time take note of."""
    known = answers_evaluation(ledger, cell) is not None
    answers = forecast.to_ask if known else forecast.to_ask + forecast.stored
    each = forecast.prompt_tokens.high / forecast.calls.high if forecast.calls.high else 0
    return ToCome(answers, round(each))


def forecast_cell(
    project: Project,
    ledger: Ledger,
    cell: Cell,
    policy: JudgingPolicy,
    datasets: Sequence[str],
    to_come: ToCome = ToCome(),
) -> CellForecast:
    """Return what judging a cell would take. Asks nobody, records nothing."""
    playbook = get_playbook(cell.playbook)
    model = project.settings.model(cell.model)
    client = client_of(project, model)
    questions = Questions(
        playbook=playbook,
        template=project.templates.get(cell.playbook, cell.prompt_version),
        model=model,
        client=client,
        secret=ledger.secret(),
        policy=policy,
        schema=reply_schema(playbook),
    )
    count = _Count()
    for page in batched(_requests(project, ledger, cell, questions, datasets, count), _PAGE):
        _sort_out(ledger, page, count)
    past = ledger.newest_calls(cell.model, cell.playbook, _PAST_CALLS)
    calls = _calls(len(count.estimates), to_come.answers, past, playbook.max_reasks)
    estimates = count.estimates + [to_come.prompt_tokens] * to_come.answers
    prompt = _prompt_tokens(estimates, past)
    completion = _completion_tokens(past, policy.output_tokens)
    price = run_async(client.price)
    return CellForecast(
        playbook=cell.playbook,
        model=cell.model,
        prompt_version=cell.prompt_version,
        cases=count.cases,
        decided=count.decided,
        stored=count.stored,
        to_ask=len(count.estimates),
        calls=calls,
        prompt_tokens=_product(calls, prompt),
        completion_tokens=_product(calls, completion),
        cost_usd=_cost(price, calls, prompt, completion),
        past_calls=len(past),
        to_come=to_come.answers,
        refused=policy.budget.limited and not client.local and not _has_price(price),
    )


def _has_price(price: PriceTag | None) -> bool:
    return price is not None and price.cost(Usage(prompt=1, cached=0, completion=1)).usd is not None


def total_of(forecasts: Iterable[CellForecast]) -> RunForecast:
    """Add up the cells of a run."""
    cells = tuple(forecasts)
    costs = [cell.cost_usd for cell in cells]
    known = [cost for cost in costs if cost is not None]
    return RunForecast(
        cells=cells,
        to_ask=sum(cell.to_ask for cell in cells),
        to_come=sum(cell.to_come for cell in cells),
        calls=_sum([cell.calls for cell in cells]),
        prompt_tokens=_sum([cell.prompt_tokens for cell in cells]),
        completion_tokens=_sum([cell.completion_tokens for cell in cells]),
        cost_usd=_sum(known) if len(known) == len(costs) else None,
    )


def _requests(
    project: Project,
    ledger: Ledger,
    cell: Cell,
    questions: Questions,
    datasets: Sequence[str],
    count: _Count,
) -> Iterator[ModelRequest]:
    """Yield the first question of each case that needs one, and of the canaries that ride along."""
    asked = False
    judges = questions.playbook.kind is TemplateKind.JUDGE
    for item in cases_for(project, cell, _cases(project, ledger, cell.playbook, datasets)):
        count.cases += 1
        prepared = item.prepared
        refused = self_judging(project, cell, prepared.case.system) if judges else None
        if refused or isinstance(settled(questions.playbook, prepared, ()), Report):
            count.decided += 1
            continue
        request = _request(questions, prepared)
        if request is None:
            count.decided += 1
            continue
        asked = True
        yield request
    if asked and project.settings.calibration.qualification.canaries:
        for task in canary_tasks(questions.playbook, ""):
            request = _request(questions, task.prepared)
            if request is not None:
                yield request


def _request(questions: Questions, prepared: Prepared) -> ModelRequest | None:
    """Return the first question about a case; ``None`` where it fits no context window."""
    fitted = questions.fitted(prepared.view)
    if isinstance(fitted, Failure):
        return None
    view = fitted.view if isinstance(fitted, Fitted) else prepared.view
    messages = fitted.messages if isinstance(fitted, Fitted) else questions.messages(view)
    return questions.request(view, messages, questions.policy.output_tokens)


def _cases(
    project: Project, ledger: Ledger, playbook: str, datasets: Sequence[str]
) -> Iterator[PreparedCase]:
    """Yield the cases as the files hold them now."""
    _, completed, _ = load_completed(project, playbook, datasets, ledger)
    for position, item in enumerate(completed):
        loaded = item.loaded
        yield PreparedCase(
            loaded.case_hash,
            loaded.dataset,
            loaded.split,
            prepare_case(get_playbook(playbook), loaded.case, item.settings),
            position,
            item.settings.retriever,
        )


def _sort_out(ledger: Ledger, page: Sequence[ModelRequest], count: _Count) -> None:
    keys = {request.call_key for request in page}
    try:
        known = set(ledger.replies_for(keys))
    except TamperedRowError as error:
        known = set(error.sound) | set(error.call_keys)
    asked: set[str] = set()
    for request in page:
        if request.call_key in known or request.call_key in asked:
            count.stored += 1
            continue
        asked.add(request.call_key)
        schema = 0 if not request.parameters else estimate_tokens(request.schema.canonical)
        count.estimates.append(messages_tokens(request.messages) + schema)


def _calls(to_ask: int, to_come: int, past: Sequence[StoredCall], max_reasks: int) -> Range:
    """Return how many calls the questions take: each one, and the re-asks.

    An answer to come takes none where it turns out to be an abstention.
    """
    first = sum(call.intent.attempt == 1 for call in past)
    expected = (to_ask + to_come) * len(past) / first if first else None
    return Range(low=to_ask, expected=expected, high=(to_ask + to_come) * (1 + max_reasks))


def _prompt_tokens(estimates: Sequence[int], past: Sequence[StoredCall]) -> Range:
    """Return the true tokens of one prompt, from its estimate and how far that was off before."""
    if not estimates:
        return Range(low=0, expected=0, high=0)
    mean = fmean(estimates)
    ratios = [
        call.reply.prompt_tokens / max(estimate_tokens(call.intent.messages_json), 1)
        for call in past[:_PAST_ESTIMATES]
        if call.reply.prompt_tokens
    ]
    if ratios:
        return Range(low=min(ratios), expected=fmean(ratios), high=max(ratios)).times(mean)
    most, middle, least = _ESTIMATE_OVER_TRUTH
    return Range(low=least, expected=middle, high=most).times(mean)


def _completion_tokens(past: Sequence[StoredCall], limit: int) -> Range:
    """Return the tokens of one reply: as the past ones, else anything up to the limit."""
    counted = [c.reply.completion_tokens for c in past if c.reply.completion_tokens is not None]
    if len(counted) < 2:
        return Range(low=0, expected=counted[0] if counted else None, high=limit)
    tenths = quantiles(counted, n=10, method="inclusive")
    return Range(low=tenths[0], expected=fmean(counted), high=tenths[-1])


def _cost(price: PriceTag | None, calls: Range, prompt: Range, completion: Range) -> Range | None:
    low = _usd(price, calls.low, prompt.low, completion.low)
    high = _usd(price, calls.high, prompt.high, completion.high)
    if low is None or high is None:
        return None
    middle = (calls.expected, prompt.expected, completion.expected)
    known = [part for part in middle if part is not None]
    expected = _usd(price, *known) if len(known) == len(middle) else None
    return Range(low=low, expected=expected, high=high)


def _usd(price: PriceTag | None, calls: float, prompt: float, completion: float) -> float | None:
    if price is None:
        return None
    usage = Usage(prompt=round(prompt), cached=0, completion=round(completion))
    one = price.cost(usage).usd
    return None if one is None else float(one) * calls


def _product(calls: Range, each: Range) -> Range:
    middle = None
    if calls.expected is not None and each.expected is not None:
        middle = calls.expected * each.expected
    return Range(low=calls.low * each.low, expected=middle, high=calls.high * each.high)


def _sum(ranges: Sequence[Range]) -> Range:
    expected = [r.expected for r in ranges if r.expected is not None]
    return Range(
        low=sum(r.low for r in ranges),
        expected=sum(expected) if len(expected) == len(ranges) else None,
        high=sum(r.high for r in ranges),
    )
