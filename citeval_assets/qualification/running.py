"""Shows a judge its mutants, through the ordinary session: ledger, reuse, retries, budget."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from citeval_assets.config import ModelConfig
from citeval_assets.config.qualification import QualificationConfig
from citeval_assets.datasets.hashing import canonical_json, case_hash, dataset_version
from citeval_assets.judging.clients import ModelClient
from citeval_assets.judging.policy import JudgingPolicy
from citeval_assets.judging.progress import ProgressCallback
from citeval_assets.judging.session import CaseTask, run_session
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.qualification.outcomes import MutantOutcome, outcome_of
from citeval_assets.qualification.planning import CleanCase, Plan, plan_mutants
from citeval_assets.qualification.standards import JudgeKey, Qualification, qualify
from citeval_assets.templates.model import PromptTemplate


class UnknownFault(ValueError):
    """``calibration.qualification.floors`` names a fault that does not exist."""


@dataclass(frozen=True)
class Judge:
    """A model with one prompt version under one playbook, and how it is asked."""

    playbook: AnyPlaybook
    template: PromptTemplate
    model: ModelConfig
    client: ModelClient
    policy: JudgingPolicy
    epoch: str

    @property
    def key(self) -> JudgeKey:
        """Whose qualification it is."""
        return JudgeKey(self.playbook.name, self.model.id, self.template.version, self.epoch)


@dataclass(frozen=True, slots=True)
class QualifiedJudge:
    """A qualification, and what it took: requests made now, replies reused, US dollars."""

    qualification: Qualification
    calls: int
    reused_calls: int
    cost_usd: Decimal | None


def qualify_judge(
    judge: Judge,
    ledger: Ledger,
    clean: Sequence[CleanCase],
    config: QualificationConfig,
    *,
    run_id: str,
    confidence: float = 0.95,
    progress: ProgressCallback | None = None,
) -> QualifiedJudge:
    """Inject faults into clean cases, have the judge look, and hold it to the floors."""
    plan = plan_mutants(
        judge.playbook, clean, seed=config.seed, per_operator=config.cases_per_fault
    )
    tasks = _tasks(judge.playbook, plan)
    outcomes = run_session(
        playbook=judge.playbook,
        template=judge.template,
        model=judge.model,
        client=judge.client,
        ledger=ledger,
        policy=judge.policy,
        run_id=run_id,
        tasks=tasks,
        progress=progress,
        total=len(tasks),
    )
    seen: list[MutantOutcome] = [
        outcome_of(planned.operator.name, planned.mutant, outcome.report)
        for planned, outcome in zip(plan.mutants, outcomes, strict=True)
    ]
    qualification = qualify(
        judge.key,
        seen,
        config,
        clean_cases=plan.clean_cases,
        inapplicable=plan.inapplicable,
        confidence=confidence,
    )
    known = [outcome.cost_usd for outcome in outcomes if outcome.cost_usd is not None]
    unpriced = sum(outcome.unpriced_calls for outcome in outcomes)
    return QualifiedJudge(
        qualification,
        calls=sum(outcome.calls for outcome in outcomes),
        reused_calls=sum(outcome.reused_calls for outcome in outcomes),
        cost_usd=None if unpriced else sum(known, Decimal(0)),
    )


def _tasks(playbook: AnyPlaybook, plan: Plan) -> list[CaseTask]:
    hashes = [case_hash(playbook.name, planned.mutant.case) for planned in plan.mutants]
    rules = [canonical_json(planned.rules.model_dump(mode="json")) for planned in plan.mutants]
    version = dataset_version(
        ("qualification", digest, text) for digest, text in zip(hashes, rules, strict=True)
    )
    return [
        CaseTask(digest, version, playbook.prepare(planned.mutant.case, planned.rules))
        for digest, planned in zip(hashes, plan.mutants, strict=True)
    ]
