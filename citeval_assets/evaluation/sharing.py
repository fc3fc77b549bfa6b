"""Several processes that judge one cell divide its cases, so that none is prepared twice.

Leases on calls see to it that no call is paid twice, but a process only comes to a call with a
case that it has read, screened and rendered. So cases are claimed in blocks before they are drawn.
What another process settled of its blocks is taken over as it would be from an evaluation; blocks
of a process that died, or that could not settle them, are taken up by the others.

A process that meets no other publishes nothing. It learns of others where it does not get a block.
"""

import asyncio
import hashlib
import json
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache, partial
from sys import intern
from time import monotonic
from typing import Any

from citeval_assets.evaluation.kept import SettledCase, SettledCases
from citeval_assets.evaluation.settled import is_settled, settled_of
from citeval_assets.judging.identity import Answerer
from citeval_assets.judging.interrupts import run_async, stopped_by_signals
from citeval_assets.judging.policy import JudgingPolicy
from citeval_assets.ledger.errors import LedgerError
from citeval_assets.ledger.members import Members
from citeval_assets.ledger.owners import process_owner, retire
from citeval_assets.ledger.records import DatasetMember
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.vocabulary import Reason, Routing, Status

BLOCK = 32
"""Cases that are claimed and handed over together."""

_MOST_AT_ONCE = 8
"""Blocks claimed in one transaction while many are left."""

_KIND = "settled_block"
_LOOK_S = (0.02, 1.0)
"""The shortest and the longest time between two looks at what the others have settled."""


@dataclass
class _Block:
    """Cases that are claimed together. ``settled``: where those that stand are in ``cases``."""

    name: str
    every: Members
    places: range
    settled: list[int] = field(default_factory=list[int])
    published: bool = False

    @property
    def whole(self) -> bool:
        """Whether every case came to something that stands."""
        return len(self.settled) == len(self.places)

    @property
    def members(self) -> Members:
        """The cases, cut out anew each time: a copy for each block would weigh as much again."""
        return self.every[self.places.start : self.places.stop]


@dataclass
class SharedCases:
    """The cases of one cell as this process sees them: its own, and those others are at.

    What became of them is added to ``cases``, whoever judged them.
    """

    ledger: Ledger
    policy: JudgingPolicy
    blocks: list[_Block]
    cases: SettledCases
    owner: str = field(default_factory=process_owner)
    shared: bool = False
    """Whether another process was met."""

    interrupted: bool = False
    _began: float = field(default_factory=monotonic)
    _since: float = field(init=False)
    _prolonged: float = field(default_factory=monotonic)
    _free: list[_Block] = field(init=False)
    _others: list[_Block] = field(default_factory=list[_Block])
    _mine: dict[str, _Block] = field(default_factory=dict[str, _Block])
    _block_at: "array[int]" = field(init=False)
    """The number of the block of a case, by its position."""

    def __post_init__(self) -> None:
        self._free = list(self.blocks)
        places = max((m.position for block in self.blocks for m in block.members), default=-1)
        self._block_at = array("L", bytes(array("L").itemsize * (places + 1)))
        for number, block in enumerate(self.blocks):
            for member in block.members:
                self._block_at[member.position] = number
        self._since = self.ledger.now().timestamp()

    @property
    def left(self) -> bool:
        """Whether there are cases for this process to judge now."""
        return bool(self._free)

    @property
    def time_left(self) -> float | None:
        """The seconds left of the run's time; ``None``: it has no limit."""
        whole = self.policy.deadline_s
        return None if whole is None else max(0.0, whole - (monotonic() - self._began))

    @classmethod
    def of(
        cls,
        ledger: Ledger,
        policy: JudgingPolicy,
        basis: Sequence[str],
        members: Members,
        cases: SettledCases,
    ) -> "SharedCases":
        """Divide the cases. ``basis`` is everything else that decides how they are judged."""
        places = range(len(members))
        parts = [places[n : n + BLOCK] for n in range(0, len(members), BLOCK)]
        blocks = [
            _Block(_name(basis, policy, members[part.start : part.stop]), members, part)
            for part in parts
        ]
        return cls(ledger, policy, blocks, cases)

    def parts(self) -> Iterator[tuple[DatasetMember, ...]]:
        """Yield cases for this process to judge, claimed part by part as they are drawn."""
        while self._free:
            if claimed := self._claimed():
                yield tuple(member for block in claimed for member in block.members)

    def note(self, case: SettledCase, interrupted: bool) -> None:
        """Take down what became of a case of this process."""
        self.interrupted = self.interrupted or interrupted
        self.cases.add(case)
        if is_settled(case):
            block = self.blocks[self._block_at[case.position]]
            block.settled.append(len(self.cases) - 1)

    def wait(self, settled_elsewhere: Callable[[], Iterable[SettledCase]]) -> None:
        """Wait for the others, and take over what they settled.

        They can have what this process could not settle: two that wait for each other would never
        end. Ends when nothing is left, when blocks came free (``parts`` yields them), or at Ctrl-C
        or the end of the run's time, which sets ``interrupted`` and leaves to ``parts`` all that
        the others still have.

        Args:
            settled_elsewhere: returns the cases of an evaluation recorded meanwhile, or nothing.
        """
        self._hand_over()
        self._let_go()
        began = monotonic()
        shortest_s, longest_s = _LOOK_S
        while self._others and not self._free:
            if self.interrupted:
                self._free, self._others = self._others, []
                break
            # In this order: who ends records first and lets go then.
            came_free = self._came_free()
            taken = self._taken_over({case.case_hash: case for case in settled_elsewhere()})
            self.cases.extend(taken)
            if not taken and not came_free:
                pause_s = min(max(shortest_s, (monotonic() - began) / 10), longest_s)
                self.interrupted = run_async(partial(_paused, pause_s)) or self.time_left == 0

    def end(self) -> None:
        """Let others have what this process holds. Done once its evaluation is recorded."""
        retire(self.owner)
        with suppress(LedgerError):  # the leases run out by themselves
            self.ledger.release(list(self._mine), self.owner)

    def _claimed(self) -> list[_Block]:
        """Claim the next blocks: many at a time at first, single ones towards the end."""
        if self.interrupted:
            wanted, self._free = self._free, []
            return wanted
        count = max(1, min(_MOST_AT_ONCE, len(self._free) // 8))
        wanted, self._free = self._free[:count], self._free[count:]
        won = self._claim(wanted)
        lost = [block for block in wanted if block.name not in won]
        self._others += lost
        if lost and not self.shared:
            self.shared = True
            # From the other end, so that two come to each other's blocks only where they meet.
            self._free.reverse()
        self._hand_over()
        return [block for block in wanted if block.name in won]

    def _claim(self, wanted: Sequence[_Block]) -> set[str]:
        lease_s = self.policy.longest_call_s
        asked = {block.name: block for block in wanted}
        names = list(asked)
        if monotonic() - self._prolonged > lease_s / 3:
            names += self._mine
            self._prolonged = monotonic()
        won = self.ledger.claim(names, self.owner, lease_s, fresh=True) & asked.keys()
        for block in map(asked.__getitem__, won):
            self._mine[block.name] = block
        return won

    def _hand_over(self) -> None:
        """Publish what is done since the last time, in one transaction, where others are met."""
        if not self.shared:
            return
        done = [block for block in self._mine.values() if block.whole and not block.published]
        at = self.ledger.now().timestamp()
        told = {block.name: self._told(block, at) for block in done}
        self.ledger.make_all_current(_KIND, told)
        for block in done:
            block.published = True

    def _let_go(self) -> None:
        """Leave to the others what could not be settled here: they would wait for it in turn."""
        unsettled = [name for name, block in self._mine.items() if not block.whole]
        if unsettled and self._others:
            self.ledger.release(unsettled, self.owner)
            for name in unsettled:
                del self._mine[name]

    def _told(self, block: _Block, at: float) -> str:
        cases = [_stored(self.cases[place]) for place in block.settled]
        return json.dumps({"at": at, "cases": cases}, separators=(",", ":"))

    def _taken_over(self, elsewhere: Mapping[str, SettledCase]) -> list[SettledCase]:
        """Return what others settled of the blocks they had; forget those blocks."""
        found: list[SettledCase] = []
        for block in [*self._others, *self._free]:
            settled = [elsewhere[m.case_hash] for m in block.members if m.case_hash in elsewhere]
            if len(settled) < len(block.members):
                settled = self._published(block)
            if len(settled) == len(block.members):
                (self._others if block in self._others else self._free).remove(block)
                found += settled
        return found

    def _published(self, block: _Block) -> list[SettledCase]:
        text = self.ledger.current(_KIND, block.name)
        if text is None:
            return []
        told = json.loads(text)
        positions = {member.case_hash: member.position for member in block.members}
        found = [_restored(row, positions) for row in told["cases"]]
        if told["at"] >= self._since:
            return found
        # Handed over before this run: what it rests on may have changed.
        items = [case.item("") for case in found]
        return list(settled_of(self.ledger, items, positions, self.policy))

    def _came_free(self) -> bool:
        """Whether somebody who had blocks let go of them, or died; they are this process's now."""
        won = self._claim(self._others)
        self._free = [block for block in self._others if block.name in won]
        self._others = [block for block in self._others if block.name not in won]
        return bool(won)


async def _paused(seconds: float) -> bool:
    """Wait; return whether somebody asked for an end meanwhile."""
    asked = asyncio.Event()
    with stopped_by_signals(asked.set), suppress(TimeoutError):
        await asyncio.wait_for(asked.wait(), seconds)
    return asked.is_set()


def _name(basis: Sequence[str], policy: JudgingPolicy, members: Iterable[DatasetMember]) -> str:
    """Name a block by all that decides what becomes of it."""
    digest = hashlib.sha256(json.dumps([*basis, policy.repeat, policy.output_tokens]).encode())
    for member in members:
        digest.update(f"\n{member.case_hash} {member.rules_json}".encode())
    return f"block {digest.hexdigest()[:40]}"


_PLAIN = [
    "case_hash",
    "test_case_id",
    "system",
    "status",
    "reason",
    "score",
    "routing",
    "escalations",
    "validation_problems",
    "call_ids",
    "message",
]


def _stored(case: SettledCase) -> list[object]:
    plain: list[object] = [getattr(case, name) for name in _PLAIN]
    answered_by = [[who.model, who.fingerprint, who.differs] for who in case.answered_by]
    return [*plain, answered_by]


@lru_cache(maxsize=1024)
def _answerer(model: str, fingerprint: str | None, differs: bool) -> Answerer:
    return Answerer(model, fingerprint, differs, fresh=False)


def _restored(row: Sequence[Any], positions: Mapping[str, int]) -> SettledCase:
    """Return a case as another process settled it; its calls are reused ones here."""
    *plain, answered_by = row
    read = dict(zip(_PLAIN, plain, strict=True))
    return SettledCase(
        case_hash=read["case_hash"],
        test_case_id=read["test_case_id"],
        system=intern(read["system"]),
        status=Status(read["status"]),
        reason=None if read["reason"] is None else Reason(read["reason"]),
        score=read["score"],
        routing=Routing(read["routing"]),
        escalations=tuple(map(intern, read["escalations"])),
        validation_problems=tuple(read["validation_problems"]),
        call_ids=tuple(read["call_ids"]),
        message=read["message"],
        answered_by=tuple(_answerer(*one) for one in answered_by),
        reused_calls=len(read["call_ids"]),
        cost_usd=Decimal(0),
        position=positions[read["case_hash"]],
    )
