"""The registered cases of a playbook, read back from the ledger and made ready to be judged."""

from collections.abc import Iterator
from dataclasses import dataclass

from citeval_assets.evaluation.inputs import CaseSettings
from citeval_assets.ledger.records import DatasetRecord
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.attempts import Failure
from citeval_assets.playbooks.base import Prepared
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.vocabulary import Reason


class NothingRegistered(RuntimeError):
    """A cell was to be judged before the cases of its playbook were registered."""


@dataclass(frozen=True, slots=True)
class PreparedCase:
    """A registered case, made ready to be judged."""

    case_hash: str
    dataset: str
    split: str
    prepared: Prepared


def current_dataset(ledger: Ledger, playbook: str, scope: str) -> DatasetRecord:
    """Return the cases registered last for this playbook and scope.

    Raises:
        NothingRegistered: where ``test_cases`` was never materialized.
    """
    version = ledger.current("dataset", f"{playbook}/{scope}")
    record = ledger.dataset(playbook, version) if version else None
    if record is None:
        raise NothingRegistered(
            f"no cases of {playbook} are registered: materialize {playbook}/test_cases first"
        )
    return record


def prepared_cases(ledger: Ledger, dataset: DatasetRecord) -> Iterator[PreparedCase]:
    """Yield the cases of a dataset, prepared by their playbook, in the order of the files."""
    playbook = get_playbook(dataset.playbook)
    records = ledger.cases(member.case_hash for member in dataset.members)
    for member, record in zip(dataset.members, records, strict=True):
        case = playbook.case_type.model_validate_json(record.canonical_json)
        settings = CaseSettings.model_validate_json(member.rules_json)
        failure = None
        if settings.evidence_failure is not None:
            failure = Failure(Reason.EVIDENCE_UNREACHABLE, settings.evidence_failure)
        prepared = playbook.prepare(case, settings.rules, failure)
        yield PreparedCase(member.case_hash, member.dataset, member.split, prepared)


def rules_of(dataset: DatasetRecord) -> set[DomainRules]:
    """Return the distinct domain rules the cases of a dataset are judged by."""
    stored = {member.rules_json for member in dataset.members}
    return {CaseSettings.model_validate_json(text).rules for text in stored}
