"""What is under way right now: for the person who wonders why nothing moves."""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class OpenCall:
    """One request nothing came of yet. ``seconds`` is how long it has been under way."""

    test_case_id: str
    system: str
    attempt: int
    try_number: int
    seconds: float

    def __str__(self) -> str:
        again = f", try {self.try_number}" if self.try_number > 1 else ""
        return (
            f"{self.test_case_id} ({self.system}), attempt {self.attempt}{again}: "
            f"{self.seconds:.0f} s"
        )


@dataclass
class CallBoard:
    """The requests of one session that are under way."""

    clock: Callable[[], float]
    _open: dict[str, tuple[str, str, int, int, float]] = field(default_factory=dict)

    def put(
        self, call_id: str, test_case_id: str, system: str, attempt: int, try_number: int
    ) -> None:
        """Note a request that goes out now."""
        self._open[call_id] = (test_case_id, system, attempt, try_number, self.clock())

    def take_off(self, call_id: str) -> None:
        """Note that a request came to an end."""
        self._open.pop(call_id, None)

    def __len__(self) -> int:
        return len(self._open)

    def calls(self) -> tuple[OpenCall, ...]:
        """Return what is under way at this moment, the longest first."""
        now = self.clock()
        found = (
            OpenCall(case, system, attempt, number, now - since)
            for case, system, attempt, number, since in list(self._open.values())
        )
        return tuple(sorted(found, key=lambda call: -call.seconds))
