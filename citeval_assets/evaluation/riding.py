"""The canaries of an evaluation: asked by the same judge in the same run, counted in no score."""

from citeval_assets.config import ModelConfig
from citeval_assets.evaluation.kept import SettledCase, SettledCases
from citeval_assets.judging.clients import ModelClient
from citeval_assets.judging.policy import JudgingPolicy
from citeval_assets.judging.session import run_session
from citeval_assets.ledger.records import DatasetRecord
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.playbooks.vocabulary import Reason
from citeval_assets.qualification.canaries import canary_tasks
from citeval_assets.templates.model import PromptTemplate


def judge_canaries(
    *,
    playbook: AnyPlaybook,
    template: PromptTemplate,
    model: ModelConfig,
    client: ModelClient,
    ledger: Ledger,
    dataset: DatasetRecord,
    cases: SettledCases,
    policy: JudgingPolicy,
    run_id: str,
) -> list[SettledCase]:
    """Judge the two cases nobody can get wrong, once the others are through.

    They come last so that a provider that is down, a limit or Ctrl-C hits none of them first, and
    only where the judge itself scored a case: else there is nothing to be void. Their replies are
    stored and used again like all others.
    """
    judged = any(case.score is not None and case.call_ids for case in cases)
    stopped = Reason.INTERRUPTED in cases.reasons()
    tasks = canary_tasks(playbook, dataset.dataset_version) if judged and not stopped else ()
    if not tasks:
        return []
    outcomes = run_session(
        playbook=playbook,
        template=template,
        model=model,
        client=client,
        ledger=ledger,
        policy=policy,
        run_id=run_id,
        tasks=tasks,
    )
    return [SettledCase.of(outcome) for outcome in outcomes]
