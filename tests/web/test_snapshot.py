"""The snapshot is reopened when another was published, and never under a reader.

What was computed from it is kept as long as it stands.
"""

import threading
from pathlib import Path

from citeval_assets.warehouse.publishing import publish
from citeval_assets.web.memo import Memo
from tests.web.served import make_site


def test_a_reader_sees_one_state_and_the_next_reader_the_new_one(tmp_path: Path) -> None:
    site = make_site(tmp_path, judges=(("naive", "e1", 20),), gate=False)
    snapshot, count = site.snapshot, "SELECT count(*) FROM reports"
    entered = threading.Event()
    seen: list[int] = []
    memo, made = Memo(snapshot), []

    def compute() -> int:
        made.append(1)
        return len(made)

    def read_again() -> None:
        entered.set()
        with snapshot.reading() as connection:
            seen.append(connection.execute(count).fetchall()[0][0])

    with snapshot.reading() as connection:
        before = connection.execute(count).fetchall()
        with site.project.warehouse.writing() as writing:  # the pages never hold the writer up
            writing.execute("DELETE FROM reports WHERE system = 'prod'")
        publish(site.project.warehouse, site.project.published_path)
        other = threading.Thread(target=read_again)
        other.start()
        entered.wait()
        assert connection.execute(count).fetchall() == before == [(5,)]
        assert memo.get("x", compute) == memo.get("x", compute) == 1
    other.join(10)
    assert seen == [3]
    with snapshot.reading():
        assert memo.get("x", compute) == 2
    snapshot.close()


def test_a_reading_inside_another_goes_on_with_what_is_open(tmp_path: Path) -> None:
    site = make_site(tmp_path, judges=(("naive", "e1", 20),), gate=False)
    with site.snapshot.reading():
        publish(site.project.warehouse, site.project.published_path)
        with site.snapshot.reading() as inner:
            assert inner.execute("SELECT count(*) FROM reports").fetchall() == [(5,)]
    site.snapshot.close()
