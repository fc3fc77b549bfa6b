"""Whoever waits for money is not overtaken."""

import asyncio

from citeval_assets.judging.line import Line, Place


async def ask(line: Line, name: str, asked: list[str], *, refused: int = 0) -> None:
    place = Place(line)
    try:
        if line.forming:
            await place.stand()
        for _ in range(refused):
            await asyncio.sleep(0)
            await place.stand()
        asked.append(name)
    finally:
        place.leave()


def test_who_comes_later_asks_later():
    """The first is refused several times; the others, who would be let through, wait for it."""
    asked: list[str] = []

    async def main() -> None:
        line = Line()
        dear = asyncio.create_task(ask(line, "dear", asked, refused=5))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert line.forming
        cheap = [asyncio.create_task(ask(line, f"cheap {n}", asked)) for n in range(3)]
        await asyncio.gather(dear, *cheap)
        assert not line.forming

    asyncio.run(main())
    assert asked == ["dear", "cheap 0", "cheap 1", "cheap 2"]


def test_one_that_is_cancelled_keeps_nobody_waiting():
    asked: list[str] = []

    async def main() -> None:
        line = Line()
        head = Place(line)
        await head.stand()
        gone = asyncio.create_task(ask(line, "gone", asked))
        last = asyncio.create_task(ask(line, "last", asked))
        await asyncio.sleep(0)
        gone.cancel()
        head.leave()
        await asyncio.wait_for(last, timeout=10)

    asyncio.run(main())
    assert asked == ["last"]


def test_where_nobody_waits_there_is_no_line():
    asked: list[str] = []
    line = Line()
    asyncio.run(ask(line, "only", asked))
    assert (asked, line.forming) == (["only"], False)
