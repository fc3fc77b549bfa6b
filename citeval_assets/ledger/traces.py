"""Production traces and the draws over them: each is taken in once, and offered to one draw."""

from collections.abc import Collection, Iterator, Sequence

from sqlalchemy import select

from citeval_assets.ledger import datasets
from citeval_assets.ledger.chain import MAX_KEYS_PER_QUERY
from citeval_assets.ledger.connection import Store
from citeval_assets.ledger.escaping import original, storable
from citeval_assets.ledger.evaluations import walk
from citeval_assets.ledger.records import CaseRecord, TraceOffer, TraceRecord
from citeval_assets.ledger.rows import to_row
from citeval_assets.ledger.schema import TRACE_OFFERS, TRACES

_T = TRACES.table
_O = TRACE_OFFERS.table


class TraceStore(Store):
    """What a store keeps of cases and production traces before they are in a dataset."""

    def add_cases(self, cases: Sequence[CaseRecord]) -> None:
        """Record cases that are about to become members of a dataset; known ones stay.

        Raises:
            LedgerConflict: A case hash stands for another content.
        """
        with self._writing() as chain:
            datasets.write_cases(chain, cases)

    def take_traces(self, traces: Sequence[TraceRecord], cases: Sequence[CaseRecord]) -> int:
        """Record traces with their content; return how many were new. All of them, or none.

        Raises:
            LedgerConflict: Another trace stands under the same playbook, system and id.
        """
        with self._writing() as chain:
            datasets.write_cases(chain, cases)
            rows = [to_row(t, created_at=t.created_at or self._moment()) for t in traces]
            ignored = ("created_at", "file", "day")
            return len(chain.append_new(TRACES, rows, ignoring=ignored))

    def traces_named(self, playbook: str, ids: Collection[str]) -> dict[tuple[str, str], str]:
        """Return the case hash by (test case id, system) of the traces with one of these ids."""
        names = [storable(name) for name in ids]
        found: dict[tuple[str, str], str] = {}
        query = select(_T.c.test_case_id, _T.c.system, _T.c.case_hash)
        for start in range(0, len(names), MAX_KEYS_PER_QUERY):
            part = names[start : start + MAX_KEYS_PER_QUERY]
            where = (_T.c.playbook == storable(playbook), _T.c.test_case_id.in_(part))
            with self.reading() as connection:
                for row in connection.execute(query.where(*where)):
                    key = (original(row.test_case_id), original(row.system))
                    found[key] = row.case_hash
        return found

    def waiting_traces(self, playbook: str, until_day: str) -> Iterator[TraceRecord]:
        """Walk the traces up to and of a day that were offered to no draw yet."""
        offered = select(_O.c.case_hash).where(_O.c.case_hash == _T.c.case_hash).exists()
        mine = (_T.c.playbook == storable(playbook), _T.c.day <= until_day, ~offered)
        return walk(self.reading, TRACES, TraceRecord, *mine)

    def record_offers(self, offers: Sequence[TraceOffer]) -> None:
        """Record a draw: every trace that could have been drawn, in one transaction.

        Raises:
            LedgerConflict: One of them was offered to another draw.
        """
        rows = [to_row(o, created_at=o.created_at or self._moment()) for o in offers]
        with self._writing() as chain:
            chain.append_new(TRACE_OFFERS, rows)

    def offers(self, playbook: str, dataset: str | None = None) -> Iterator[TraceOffer]:
        """Walk what was offered to the draws of a playbook, or to one of them."""
        where = [_O.c.playbook == storable(playbook)]
        if dataset is not None:
            where.append(_O.c.dataset == storable(dataset))
        return walk(self.reading, TRACE_OFFERS, TraceOffer, *where)

    def sampled_datasets(self) -> list[tuple[str, str]]:
        """Return (playbook, dataset) of every draw, the oldest first."""
        query = select(_O.c.playbook, _O.c.dataset).distinct().order_by(_O.c.dataset, _O.c.playbook)
        with self.reading() as connection:
            return [(original(a), original(b)) for a, b in connection.execute(query)]
