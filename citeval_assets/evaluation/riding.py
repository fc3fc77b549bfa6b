"""The canaries of an evaluation: asked by the same judge in the same run, counted in no score."""

from collections.abc import Iterable, Sequence

from citeval_assets.config import ModelConfig
from citeval_assets.judging.clients import ModelClient
from citeval_assets.judging.policy import JudgingPolicy
from citeval_assets.judging.session import CaseOutcome, run_session
from citeval_assets.ledger.records import DatasetRecord
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.playbooks.vocabulary import Reason
from citeval_assets.qualification.canaries import CANARY_SYSTEM, canary_tasks
from citeval_assets.templates.model import PromptTemplate


def judge_canaries(
    *,
    playbook: AnyPlaybook,
    template: PromptTemplate,
    model: ModelConfig,
    client: ModelClient,
    ledger: Ledger,
    dataset: DatasetRecord,
    outcomes: Sequence[CaseOutcome],
    policy: JudgingPolicy,
    run_id: str,
) -> list[CaseOutcome]:
    """Judge the two cases nobody can get wrong, once the others are through.

    They come last so that a provider that is down, a limit or Ctrl-C hits none of them first, and
    only where the judge itself scored a case: else there is nothing to be void. Their replies are
    stored and used again like all others.
    """
    judged = any(o.report.score is not None and o.call_ids for o in outcomes)
    stopped = any(o.report.reason is Reason.INTERRUPTED for o in outcomes)
    tasks = canary_tasks(playbook, dataset.dataset_version) if judged and not stopped else ()
    if not tasks:
        return []
    return run_session(
        playbook=playbook,
        template=template,
        model=model,
        client=client,
        ledger=ledger,
        policy=policy,
        run_id=run_id,
        tasks=tasks,
    )


def without_canaries(outcomes: Iterable[CaseOutcome]) -> list[CaseOutcome]:
    """Return the outcomes of the cases alone."""
    return [outcome for outcome in outcomes if outcome.system != CANARY_SYSTEM]
