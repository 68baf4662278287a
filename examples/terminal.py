"""A Player Terminal in a few lines: plays a number of rounds in a play-money house, and cashes out.

Start a house with `taisai demo`, then: python examples/terminal.py http://localhost:8400 C1 3
"""

import asyncio
import sys

from taisai.client import Terminal, Visitor


async def play(house: str, table: str, rounds: int) -> None:
    async with Visitor(house) as visitor:
        key = await visitor.demo_terminal(table)
    async with Terminal(house, key) as terminal:
        await terminal.cash_in(100_00)
        last = 0
        for _ in range(rounds):
            slip = await terminal.stake({"big": 10_00, "odd": 5_00}, after=last, seconds=120)
            last = slip.round
            played = await terminal.result(last, seconds=120)
            dice = "-".join(map(str, played.dice or ()))
            print(f"round {last}: staked {slip.staked}, rolled {dice}, credit {terminal.credit}")
            for bet in played.bets:
                print("  ", *bet.sentences["en"])
        ticket = await terminal.cash_out()
        print(f"a ticket of {ticket.amount}: {ticket.number}")


if __name__ == "__main__":
    house, table, rounds = (*sys.argv[1:], *("http://localhost:8400", "C1", "1")[len(sys.argv) - 1 :])
    asyncio.run(play(house, table, int(rounds)))
