"""The ledger: what can be written to it, in whole transactions, and read back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from itertools import islice

from sqlalchemy import Connection

from citeval_assets.ledger import (
    attendance,
    calls,
    circuits,
    datasets,
    leases,
    owners,
    spending,
    turns,
)
from citeval_assets.ledger.chain import MAX_KEYS_PER_QUERY
from citeval_assets.ledger.circuits import Circuit
from citeval_assets.ledger.decisions import DecisionStore
from citeval_assets.ledger.errors import LedgerWriteError
from citeval_assets.ledger.escaping import storable
from citeval_assets.ledger.leases import Leasing, Taken
from citeval_assets.ledger.records import (
    CallIntent,
    CallReply,
    CaseRecord,
    Claim,
    DatasetRecord,
    StoredCall,
)
from citeval_assets.ledger.schema import CALL_INTENTS
from citeval_assets.ledger.spending import Refusal, Reservation
from citeval_assets.ledger.turns import TurnLength


class Ledger(DecisionStore):
    """Durable, append-only memory. Safe to share between threads and processes.

    Open one with ``Ledger.open(url)``. Every method that writes returns after the commit, or
    raises ``LedgerWriteError`` and then nothing of it counts.
    """

    # Cases and datasets

    def register_dataset(self, record: DatasetRecord, cases: Iterable[CaseRecord]) -> bool:
        """Record a dataset version with its cases. ``False``: known already, nothing changes.

        Raises:
            LedgerConflict: A case hash stands for another content.
            LedgerError: A member's case was neither handed in nor is it known.
        """
        if self.dataset(record.playbook, record.dataset_version) is not None:
            return False
        for batch in datasets.case_batches(cases):
            with self._writing() as chain:
                datasets.write_cases(chain, batch)
        with self._writing() as chain:
            return datasets.write_dataset(chain, record, self._moment())

    def dataset(self, playbook: str, dataset_version: str) -> DatasetRecord | None:
        """Return one dataset version."""
        with self.reading() as connection:
            return datasets.dataset(connection, playbook, dataset_version)

    def latest_dataset(self, playbook: str) -> DatasetRecord | None:
        """Return the dataset version of the playbook that was registered last."""
        with self.reading() as connection:
            return datasets.dataset(connection, playbook, None)

    def cases(self, hashes: Iterable[str]) -> Iterator[CaseRecord]:
        """Walk the known cases among ``hashes``, in the order asked for."""
        stream = iter(hashes)
        while page := list(islice(stream, MAX_KEYS_PER_QUERY)):
            with self.reading() as connection:
                found = datasets.cases(connection, page)
            yield from found

    def case_names(self, hashes: Iterable[str]) -> dict[str, tuple[str, str]]:
        """Return test case id and system of the known cases among ``hashes``, without the rest."""
        found: dict[str, tuple[str, str]] = {}
        stream = iter(hashes)
        while page := list(islice(stream, MAX_KEYS_PER_QUERY)):
            with self.reading() as connection:
                found |= datasets.case_names(connection, page)
        return found

    # Calls

    def add_intents(self, intents: Sequence[CallIntent]) -> None:
        """Record requests that are about to be sent."""
        self.add_calls(intents, ())

    def add_replies(self, replies: Sequence[CallReply]) -> None:
        """Record what came back."""
        self.add_calls((), replies)

    def add_calls(
        self,
        intents: Sequence[CallIntent],
        replies: Sequence[CallReply],
        reservations: Mapping[str, Reservation] | None = None,
        leasing: Leasing | None = None,
    ) -> dict[str, Refusal | Taken]:
        """Record both in one transaction. What is known already with the same content stays.

        Args:
            intents: Requests about to be sent.
            replies: What came back; it replaces what was set aside by the real cost.
            reservations: By call id, what a request may cost. Where a limit does not allow it,
                its intent is not recorded.
            leasing: Whose requests they are, where their keys are to be leased. The intent of a
                key that is another's is not recorded.

        Returns:
            By call id, the requests that may not be sent, and why.

        Raises:
            LedgerConflict: A call id stands for something else.
            LedgerWriteError: Nothing of it was written; the error holds the replies.
        """
        refused: dict[str, Refusal | Taken] = {}
        try:
            with self._writing() as chain:
                if leasing and intents:
                    won = self._leased(chain.connection, intents, leasing)
                    refused |= {i.call_id: Taken() for i in intents if i.call_key not in won}
                if reservations:
                    asked = {k: r for k, r in reservations.items() if k not in refused}
                    refused |= spending.admit(chain.connection, asked, self._now(), owners.is_dead)
                if refused:
                    intents = [intent for intent in intents if intent.call_id not in refused]
                added = calls.write_calls(chain, intents, replies, self._moment(), self._redactor)
                if added:
                    spending.book(chain.connection, added, self._now())
        except LedgerWriteError as error:
            error.lost_replies = tuple(replies)
            raise
        return refused

    def _leased(
        self, connection: Connection, intents: Sequence[CallIntent], leasing: Leasing
    ) -> set[str]:
        return leases.claim(
            connection,
            (intent.call_key for intent in intents),
            leasing.owner,
            leasing.lease_s,
            fresh=leasing.fresh,
            now=self._now(),
            is_dead=owners.is_dead,
        )

    def reply_for(self, call_key: str) -> StoredCall | None:
        """Return the newest stored reply of this key. Failures are never returned.

        Raises:
            TamperedRowError: That reply was changed after it was written.
        """
        return self.replies_for((call_key,)).get(call_key)

    def replies_for(self, call_keys: Iterable[str]) -> dict[str, StoredCall]:
        """Return the newest stored reply of each key that has one.

        Raises:
            TamperedRowError: Some were changed; the error holds the keys and the sound ones.
        """
        with self.reading() as connection:
            return calls.replies_for(connection, call_keys)

    def newest_reply_ids(self, call_keys: Iterable[str]) -> dict[str, str]:
        """Return the call id of the newest stored reply of each key that has one."""
        with self.reading() as connection:
            return calls.newest_reply_ids(connection, call_keys)

    def calls(self, call_ids: Iterable[str]) -> dict[str, StoredCall]:
        """Return the answered calls among ``call_ids``: replies and failures."""
        with self.reading() as connection:
            return calls.calls(connection, call_ids)

    def calls_of_case(self, test_case_id: str) -> Iterator[StoredCall]:
        """Walk the answered calls of one case, oldest first."""
        return calls.calls_where(
            self.reading, CALL_INTENTS.table.c.test_case_id == storable(test_case_id)
        )

    def calls_of_run(self, run_id: str) -> Iterator[StoredCall]:
        """Walk the answered calls of one run, oldest first."""
        return calls.calls_where(self.reading, CALL_INTENTS.table.c.run_id == storable(run_id))

    def maybe_paid(
        self, run_id: str | None = None, *, test_case_id: str | None = None
    ) -> list[CallIntent]:
        """Return the intents nothing came of: in flight now, or when a process died."""
        with self.reading() as connection:
            return calls.unanswered(connection, run_id, test_case_id)

    def maybe_paid_count(self) -> int:
        """Return how many intents nothing came of, over all runs."""
        with self.reading() as connection:
            return calls.unanswered_count(connection)

    def newest_calls(self, model_id: str, playbook: str, limit: int) -> list[StoredCall]:
        """Return the newest replies of a model to a playbook's questions, for an estimate.

        They are not checked against their hashes: nothing is decided by them.
        """
        with self.reading() as connection:
            return calls.newest_of_model(connection, model_id, playbook, limit)

    def identities_since(
        self, number: int
    ) -> tuple[list[tuple[str, str | None, str | None, int]], int]:
        """Return who answered the replies after the ``number``-th, and the newest's number.

        Each is (model id, answering model, fingerprint, replies), the first seen first.
        """
        with self.reading() as connection:
            return calls.identities_since(connection, number)

    # Leases

    def claim(
        self, call_keys: Iterable[str], owner: str, lease_s: float, *, fresh: bool = False
    ) -> set[str]:
        """Take leases on calls about to be made; return the keys won.

        A key is not won while another living owner holds it, nor when its reply is stored
        (unless ``fresh``: an extra call was asked for). A stored reply ends the lease; a failure
        does not, the holder may try again until the lease runs out.
        """
        with self._write_lock() as connection:
            return leases.claim(
                connection,
                call_keys,
                owner,
                lease_s,
                fresh=fresh,
                now=self._now(),
                is_dead=owners.is_dead,
            )

    def release(self, call_keys: Iterable[str], owner: str) -> None:
        """Give back the leases ``owner`` holds on these keys."""
        with self._write_lock() as connection:
            leases.release(connection, call_keys, owner)

    def claims(self, call_keys: Iterable[str]) -> dict[str, Claim]:
        """Return the leases on these keys that have not run out."""
        with self.reading() as connection:
            return leases.held(connection, call_keys, self._now())

    def renew(self, call_keys: Iterable[str], owner: str, lease_s: float) -> set[str]:
        """Prolong the leases ``owner`` still holds on these keys; return those it holds."""
        with self._write_lock() as connection:
            return leases.renew(connection, call_keys, owner, lease_s, self._now())

    # What the processes of a run share

    def attend(self, scope: str, owner: str, lease_s: float, *, holds: int, most: int) -> int:
        """Say that ``owner`` asks a model; return how many of ``most`` calls it may have open."""
        shares = {"holds": holds, "most": most}
        with self._write_lock() as connection:
            return attendance.attend(
                connection, scope, owner, lease_s, now=self._now(), is_dead=owners.is_dead, **shares
            )

    def leave(self, scope: str, owner: str) -> None:
        """Say that ``owner`` asks no more."""
        with self._write_lock() as connection:
            attendance.leave(connection, scope, owner)

    def now(self) -> datetime:
        """Return the time by the ledger's clock."""
        return self._now()

    def spent(self, scope: str) -> tuple[Decimal, Decimal]:
        """Return what was spent within a limit's scope, and what is set aside, in US dollars."""
        with self.reading() as connection:
            return spending.spent(connection, scope)

    def spent_today(self) -> Decimal:
        """Return the known cost of the calls answered on this UTC day, in US dollars."""
        with self.reading() as connection:
            return spending.spent_today(connection, self._now())

    def take_turns(self, scope: str, lengths: Sequence[TurnLength]) -> list[float]:
        """Take the next turns of a shared rate; return how many seconds each has to wait."""
        with self._write_lock() as connection:
            return turns.take(connection, scope, lengths, self._now())

    def circuit(self, scope: str) -> Circuit:
        """Return the circuit of a model."""
        with self.reading() as connection:
            return circuits.look(connection, scope, owners.is_dead)

    def circuit_failed(
        self, scope: str, owner: str, reason: str, *, limit: int, cooldown_s: float
    ) -> Circuit:
        """Count a failed call of a model; return its circuit, opened where that was the last."""
        with self._write_lock() as connection:
            return circuits.fail(
                connection,
                scope,
                owner,
                reason,
                limit=limit,
                cooldown_s=cooldown_s,
                now=self._now(),
                is_dead=owners.is_dead,
            )

    def circuit_closed(self, scope: str) -> Circuit:
        """Close the circuit of a model: it answered."""
        with self._write_lock() as connection:
            return circuits.close(connection, scope)

    def circuit_trial(self, scope: str, owner: str, lease_s: float) -> tuple[bool, Circuit]:
        """Take the one call on trial after a cool-down; ``False``: no call may go out."""
        with self._write_lock() as connection:
            return circuits.try_out(
                connection,
                scope,
                owner,
                lease_s=lease_s,
                now=self._now(),
                is_dead=owners.is_dead,
            )

    def circuit_given_back(self, scope: str, owner: str) -> None:
        """Let another try: the call on trial said nothing about the model."""
        with self._write_lock() as connection:
            circuits.give_back(connection, scope, owner, self._now())
