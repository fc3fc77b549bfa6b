"""The registered cases of a playbook, read back from the ledger and made ready to be judged."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from citeval_assets.evaluation.evidence import CaseSettings
from citeval_assets.judging.outcomes import failure_of
from citeval_assets.judging.settled import internal_failure
from citeval_assets.ledger.records import CaseRecord, DatasetMember, DatasetRecord
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.base import AnyPlaybook, Prepared, Unprepared
from citeval_assets.playbooks.cases import TestCase
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.view import ModelView
from citeval_assets.playbooks.vocabulary import RiskLevel

_PAGE = 100
"""Cases read from the ledger at once: each may be long, and a page is in memory as a whole."""


class NothingRegistered(RuntimeError):
    """A cell was to be judged before the cases of its playbook were registered."""


@dataclass(frozen=True, slots=True)
class PreparedCase:
    """A registered case, made ready to be judged."""

    case_hash: str
    dataset: str
    split: str
    prepared: Prepared
    position: int = 0
    """Its place in the dataset."""

    retriever: str | None = None
    """What found its passages, where the case brought none."""


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


def prepared_cases(
    ledger: Ledger, dataset: DatasetRecord, members: Sequence[DatasetMember] | None = None
) -> Iterator[PreparedCase]:
    """Yield the cases of a dataset, prepared by their playbook.

    A case on which the preparation fails becomes ``error: internal_error``; its neighbours go on.

    Args:
        ledger: Where the cases lie.
        dataset: The dataset.
        members: Which of its members, in which order; by default all, as the files have them.
    """
    playbook = get_playbook(dataset.playbook)
    for member, record in case_records(ledger, dataset.members if members is None else members):
        settings = _settings(member.rules_json)
        prepared = _prepared(playbook, record, settings)
        yield PreparedCase(
            member.case_hash,
            member.dataset,
            member.split,
            prepared,
            member.position,
            settings.retriever,
        )


def case_records(
    ledger: Ledger, members: Iterable[DatasetMember]
) -> Iterator[tuple[DatasetMember, CaseRecord]]:
    """Yield members of a dataset with their cases, a page of them in memory at a time."""
    rest = iter(members)
    while page := list(islice(rest, _PAGE)):
        yield from zip(page, ledger.cases(member.case_hash for member in page), strict=True)


@lru_cache(maxsize=256)
def _settings(rules_json: str) -> CaseSettings:
    """Read what a case is judged by: the same for most cases of a dataset."""
    return CaseSettings.model_validate_json(rules_json)


def _prepared(playbook: AnyPlaybook, record: CaseRecord, settings: CaseSettings) -> Prepared:
    try:
        case = playbook.case_type.model_validate_json(record.canonical_json)
    except Exception as error:  # noqa: BLE001 - whatever one case trips must not end the run
        return _unprepared(playbook, record.test_case_id, record.system, error)
    return prepare_case(playbook, case, settings)


def prepare_case(playbook: AnyPlaybook, case: TestCase, settings: CaseSettings) -> Prepared:
    """Prepare one case; one on which that fails becomes ``error: internal_error``."""
    try:
        failure = None
        if settings.evidence_failure is not None:
            failure = failure_of(settings.evidence_reason, settings.evidence_failure)
        return playbook.prepare(case, settings.rules, failure)
    except Exception as error:  # noqa: BLE001 - whatever one case trips must not end the run
        return _unprepared(playbook, case.test_case_id, case.system, error)


def _unprepared(
    playbook: AnyPlaybook, test_case_id: str, system: str, error: Exception
) -> Prepared:
    """Stand in for a case that could not be prepared, so that it is reported like any other."""
    case = TestCase.model_construct(
        test_case_id=test_case_id, system=system, question="", sources=()
    )
    return Unprepared(
        case=case,
        rules=DomainRules(),
        risk_level=RiskLevel.STANDARD,
        view=ModelView(playbook.name, "", RiskLevel.STANDARD, ()),
        failure=internal_failure(error),
    )


def rules_of(dataset: DatasetRecord) -> set[DomainRules]:
    """Return the distinct domain rules the cases of a dataset are judged by."""
    stored = {member.rules_json for member in dataset.members}
    return {CaseSettings.model_validate_json(text).rules for text in stored}
