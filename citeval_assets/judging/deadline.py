"""When a case must end: counted from the moment it is first asked about."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class CaseDeadline:
    """The time one case may take, on the session's clock.

    A case that is prepared early and waits for its turn does not use up its time. ``at`` is the
    moment it must end; ``None``: it has not begun, or there is no limit.
    """

    limit_s: float | None
    clock: Callable[[], float]
    at: float | None = None

    def begin(self) -> None:
        """Start the clock, once."""
        if self.at is None and self.limit_s is not None:
            self.at = self.clock() + self.limit_s
