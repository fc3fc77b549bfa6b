"""What an evaluation keeps of the cases it judged, until it is recorded: little, and compactly.

Reports are not kept: they can be rebuilt from the stored replies.
"""

import marshal
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from operator import attrgetter
from sys import intern
from typing import NamedTuple, overload

from citeval_assets.judging.identity import Answerer, answerers
from citeval_assets.judging.session import CaseOutcome
from citeval_assets.ledger.members import compact, spelled
from citeval_assets.ledger.records import EvaluationItem, StoredCall
from citeval_assets.playbooks.vocabulary import Reason, Routing, Status


@dataclass(frozen=True, slots=True)
class SettledCase:
    """One judged case without its report.

    ``position`` is its place among the cases of the session.
    """

    case_hash: str
    test_case_id: str
    system: str
    status: Status
    reason: Reason | None
    score: float | None
    routing: Routing
    escalations: tuple[str, ...]
    validation_problems: tuple[str, ...]
    call_ids: tuple[str, ...]
    message: str = ""
    answered_by: tuple[Answerer, ...] = ()
    calls: int = 0
    reused_calls: int = 0
    cost_usd: Decimal | None = None
    unpriced_calls: int = 0
    position: int = 0

    @classmethod
    def of(cls, outcome: CaseOutcome) -> "SettledCase":
        """Keep of an outcome what an evaluation needs."""
        report = outcome.report
        return cls(
            case_hash=outcome.case_hash,
            test_case_id=report.test_case_id,
            system=intern(report.system),
            status=report.status,
            reason=report.reason,
            score=report.score,
            routing=report.routing,
            escalations=tuple(intern(str(escalation.name)) for escalation in report.escalations),
            validation_problems=report.validation_problems,
            call_ids=outcome.call_ids,
            message=report.message,
            answered_by=tuple(map(_shared, outcome.answered_by)),
            calls=outcome.calls,
            reused_calls=outcome.reused_calls,
            cost_usd=outcome.cost_usd,
            unpriced_calls=outcome.unpriced_calls,
            position=outcome.position,
        )

    @classmethod
    def again(
        cls, item: EvaluationItem, calls: Sequence[StoredCall], position: int
    ) -> "SettledCase":
        """Take over a case as it was issued; its calls are reused ones now."""
        return cls(
            case_hash=item.case_hash,
            test_case_id=item.test_case_id,
            system=intern(item.system),
            status=Status(item.status),
            reason=None if item.reason is None else Reason(item.reason),
            score=item.score,
            routing=Routing(item.routing),
            escalations=tuple(map(intern, item.escalations)),
            validation_problems=item.validation_problems,
            call_ids=item.call_ids,
            answered_by=tuple(map(_shared, answerers((call, False) for call in calls))),
            reused_calls=len(item.call_ids),
            cost_usd=Decimal(0),
            position=position,
        )

    def item(self, evaluation_id: str) -> EvaluationItem:
        """Return the case as the ledger keeps it."""
        return EvaluationItem(
            evaluation_id=evaluation_id,
            case_hash=self.case_hash,
            test_case_id=self.test_case_id,
            system=self.system,
            call_ids=self.call_ids,
            status=self.status,
            reason=self.reason,
            score=self.score,
            routing=self.routing,
            escalations=self.escalations,
            validation_problems=self.validation_problems,
        )


@lru_cache(maxsize=1024)
def _shared(answerer: Answerer) -> Answerer:
    """Return the one object that stands for all its equals: most calls have the same answerer."""
    return answerer


class _Shared(NamedTuple):
    """What is the same for many cases, and is held once for all of them."""

    system: str
    status: Status
    reason: Reason | None
    routing: Routing
    escalations: tuple[str, ...]
    answered_by: tuple[Answerer, ...]
    calls: int
    reused_calls: int
    unpriced_calls: int


_what_is_shared = attrgetter(*_Shared._fields)


_PIECE_BYTES = 1 << 20
"""What is packed lies in pieces of about so many bytes: one that grew with every case would be
copied whole each time it does."""

_PIECE_STEP = 1 << 40
"""The place of a record is the number of its piece times this, and where it begins there."""


class SettledCases(Sequence[SettledCase]):
    """Settled cases, some 100 bytes each instead of 600. They are made as they are asked for."""

    def __init__(self, cases: Iterable[SettledCase] = ()) -> None:
        self._packed = [bytearray()]
        self._starts = array("Q")
        self._positions = array("Q")
        self._shared: list[_Shared] = []
        self._numbers: dict[_Shared, int] = {}
        self.extend(cases)

    def add(self, case: SettledCase) -> None:
        """Keep a case, behind the others."""
        own = (
            compact(case.case_hash),
            case.test_case_id,
            case.score,
            tuple(map(compact, case.call_ids)),
            None if case.cost_usd is None else str(case.cost_usd),
            case.message,
            case.validation_problems,
            self._number(case),
        )
        if len(self._packed[-1]) >= _PIECE_BYTES:
            self._packed.append(bytearray())
        self._starts.append((len(self._packed) - 1) * _PIECE_STEP + len(self._packed[-1]))
        self._positions.append(case.position)
        self._packed[-1] += marshal.dumps(own)

    def extend(self, cases: Iterable[SettledCase]) -> None:
        """Keep further cases, behind the others."""
        for case in cases:
            self.add(case)

    def sort(self) -> None:
        """Put the cases into the order of their positions."""
        order = sorted(range(len(self)), key=self._positions.__getitem__)
        self._starts = array("Q", map(self._starts.__getitem__, order))
        self._positions = array("Q", map(self._positions.__getitem__, order))

    def reasons(self) -> frozenset[Reason]:
        """Return the reasons there are among the cases, without a look at each of them."""
        return frozenset(kind.reason for kind in self._shared if kind.reason is not None)

    def positions(self) -> frozenset[int]:
        """Return the places of the cases in the dataset."""
        return frozenset(self._positions)

    def __len__(self) -> int:
        return len(self._starts)

    def __iter__(self) -> Iterator[SettledCase]:
        return map(self._at, range(len(self)))

    @overload
    def __getitem__(self, index: int) -> SettledCase: ...
    @overload
    def __getitem__(self, index: slice) -> list[SettledCase]: ...
    def __getitem__(self, index: int | slice) -> SettledCase | list[SettledCase]:
        places = range(len(self))[index]
        if isinstance(places, range):
            return [self._at(place) for place in places]
        return self._at(places)

    def _number(self, case: SettledCase) -> int:
        shared = _Shared._make(_what_is_shared(case))
        number = self._numbers.get(shared)
        if number is None:
            number = self._numbers[shared] = len(self._shared)
            self._shared.append(shared)
        return number

    def _at(self, place: int) -> SettledCase:
        # Reads one record; what stands behind it is not looked at.
        piece, start = divmod(self._starts[place], _PIECE_STEP)
        own = marshal.loads(memoryview(self._packed[piece])[start:])
        case_hash, test_case_id, score, call_ids, cost, message, problems, number = own
        shared = self._shared[number]
        return SettledCase(
            case_hash=spelled(case_hash),
            test_case_id=test_case_id,
            score=score,
            call_ids=tuple(map(spelled, call_ids)),
            cost_usd=None if cost is None else Decimal(cost),
            message=message,
            validation_problems=problems,
            position=self._positions[place],
            system=shared.system,
            status=shared.status,
            reason=shared.reason,
            routing=shared.routing,
            escalations=shared.escalations,
            answered_by=shared.answered_by,
            calls=shared.calls,
            reused_calls=shared.reused_calls,
            unpriced_calls=shared.unpriced_calls,
        )


class EvaluationItems(Sequence[EvaluationItem]):
    """The items of an evaluation, made as they are asked for."""

    def __init__(self, evaluation_id: str, cases: Sequence[SettledCase]) -> None:
        self._evaluation_id = evaluation_id
        self._cases = cases

    def __len__(self) -> int:
        return len(self._cases)

    def __iter__(self) -> Iterator[EvaluationItem]:
        return (case.item(self._evaluation_id) for case in self._cases)

    @overload
    def __getitem__(self, index: int) -> EvaluationItem: ...
    @overload
    def __getitem__(self, index: slice) -> list[EvaluationItem]: ...
    def __getitem__(self, index: int | slice) -> EvaluationItem | list[EvaluationItem]:
        if isinstance(index, slice):
            return [case.item(self._evaluation_id) for case in self._cases[index]]
        return self._cases[index].item(self._evaluation_id)
