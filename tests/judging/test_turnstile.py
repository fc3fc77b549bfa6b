"""Other work passes piece by piece: what calls wait for comes first."""

import asyncio

from citeval_assets.judging.turnstile import Turnstile


def test_what_is_ready_meanwhile_waits_for_two_pieces_at_most():
    """Ten pieces wait; something becomes ready with the first: it need not wait for the others."""
    done: list[str] = []

    async def main() -> None:
        turnstile = Turnstile()
        urgent = asyncio.get_running_loop().create_future()

        async def piece(number: int) -> None:
            await turnstile.passed()
            done.append(f"piece {number}")
            if number == 0:
                urgent.set_result(None)

        async def call() -> None:
            await urgent
            done.append("call")

        await asyncio.gather(call(), *map(piece, range(10)))

    asyncio.run(main())
    assert done.index("call") <= 4
    assert [it for it in done if it != "call"] == [f"piece {n}" for n in range(10)]


def test_nobody_passes_while_it_is_held():
    async def main() -> tuple[bool, bool]:
        turnstile = Turnstile()
        turnstile.hold()
        piece = asyncio.create_task(turnstile.passed())
        for _ in range(5):
            await asyncio.sleep(0)
        held = not piece.done()
        turnstile.release()
        await piece
        return held, piece.done()

    assert asyncio.run(main()) == (True, True)


def test_a_hold_nobody_ends_ends_by_itself():
    async def main() -> None:
        turnstile = Turnstile()
        turnstile.hold()
        turnstile.hold()
        await asyncio.wait_for(turnstile.passed(), timeout=10)

    asyncio.run(main())


def test_one_that_went_away_takes_nobodys_turn():
    async def main() -> None:
        turnstile = Turnstile()
        pieces = [asyncio.create_task(turnstile.passed()) for _ in range(6)]
        await asyncio.sleep(0)
        for gone in pieces[:5]:
            gone.cancel()
        await asyncio.wait_for(pieces[5], timeout=10)
        await asyncio.gather(*pieces, return_exceptions=True)

    asyncio.run(main())


def test_it_can_be_used_again_after_a_rest():
    async def main() -> None:
        turnstile = Turnstile()
        for _ in range(3):
            await turnstile.passed()
            await asyncio.sleep(0.001)
        turnstile.release()
        await turnstile.passed()

    asyncio.run(main())
