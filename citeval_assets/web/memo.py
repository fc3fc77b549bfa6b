"""What was computed from a snapshot, kept until another is published."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from citeval_assets.web.snapshot import Snapshot

T = TypeVar("T")

_MOST_KEPT = 64


class Memo:
    """A few results of the present snapshot, those longest not asked for thrown away first."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._lock = threading.Lock()
        self._of: Hashable = None
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()

    def get(self, name: Hashable, compute: Callable[[], T]) -> T:
        """Return what is kept under ``name``, else compute and keep it."""
        of = self._snapshot.opened
        with self._lock:
            if of != self._of:
                self._of, self._kept = of, OrderedDict()
            if name in self._kept:
                self._kept.move_to_end(name)
                return self._kept[name]
        result = compute()
        with self._lock:
            if of == self._of:
                self._kept[name] = result
                while len(self._kept) > _MOST_KEPT:
                    self._kept.popitem(last=False)
        return result
