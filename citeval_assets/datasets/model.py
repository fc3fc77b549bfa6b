"""What reading the case files gives: cases, and rows that were put aside with the reason."""

from dataclasses import dataclass, field

from citeval_assets.playbooks.cases import TestCase
from citeval_assets.playbooks.rules import DomainRules


@dataclass(frozen=True, slots=True)
class LoadedCase:
    """One valid row: the case, the operator's rules for it, and where it stands.

    ``retriever`` is the one its dataset names, for cases that come without sources.
    """

    playbook: str
    dataset: str
    split: str
    case: TestCase
    rules: DomainRules
    case_hash: str
    file: str
    line: int
    retriever: str | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """(playbook, test case id, system): what makes a case the same case."""
        return (self.playbook, self.case.test_case_id, self.case.system)


@dataclass(frozen=True, slots=True)
class QuarantinedRow:
    """One row that cannot be judged. ``line`` is 1-based; 0 means the whole file.

    ``row`` is the row as it was read, cut at 2,000 characters.
    """

    playbook: str
    dataset: str
    file: str
    line: int
    reason: str
    row: str = ""


@dataclass(frozen=True, slots=True)
class CaseSet:
    """All cases of a playbook as the files hold them now."""

    playbook: str
    cases: tuple[LoadedCase, ...] = ()
    quarantined: tuple[QuarantinedRow, ...] = ()
    warnings: tuple[str, ...] = field(default=())
    dataset_version: str = ""
