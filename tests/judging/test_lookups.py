import asyncio
from pathlib import Path

import pytest
from ledger.builders import record_calls

from citeval_assets.judging.lookups import StoredReplies
from citeval_assets.judging.timing import Timing
from citeval_assets.ledger.store import Ledger


async def test_one_who_gives_up_takes_nothing_from_the_others(tmp_path: Path):
    with Ledger.open(f"sqlite:///{tmp_path / 'ledger.db'}") as ledger:
        record_calls(ledger, range(1))
        replies = StoredReplies(ledger)
        first, second = (asyncio.ensure_future(replies.find("key-0")) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        found = await second
    assert first.cancelled()
    assert found is not None
    assert found.intent.call_id == "call-0"


def test_names_of_calls_are_in_the_order_of_time(monkeypatch: pytest.MonkeyPatch):
    names = []
    for moment in (999, 1_000_000, 1_780_000_000_000_000_000, 1_780_000_000_000_001_000):
        monkeypatch.setattr("time.time_ns", lambda moment=moment: moment)
        names.append(Timing().new_id())
    assert names == sorted(names)
    assert {len(name) for name in names} == {32}
