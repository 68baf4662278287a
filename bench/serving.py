"""`serve` with its proofs and without: slips for each second of the server's processor time, in whole rounds.

Trees of slips and results, the log with its checkpoints and tiles: all of it is on, as in any house, against
the same house without, by turns in the same run.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from statistics import median
from typing import NamedTuple

import uvloop

from bench._house import ServedHouse, served_house
from bench._line import AnyLine, lines
from bench.server import many_files, seated, until_all

TERMINALS, ROUNDS, SLIPS_A_ROUND = 1_000, 3, 10
PASSES = 5
SLIP = b'{"type":"Place","id":"%d.%d.%d","round":%d,"version":%d,"slip":{"big":%d,"single-3":200}}'


async def bets(clients: Sequence[AnyLine], number: int) -> None:
    """Every terminal changes its slip a few times, each time after the answer."""
    left = len(clients)
    done = asyncio.get_running_loop().create_future()
    counts = [0] * len(clients)
    place = {line: at for at, line in enumerate(clients)}

    def send(line: AnyLine) -> None:
        at = place[line]
        counts[at] += 1
        line.send(SLIP % (number, at, counts[at], number, counts[at], 100 * counts[at]))

    def heard(line: AnyLine, text: bytes) -> None:
        nonlocal left
        if text.startswith(b'{"type":"Refused"'):
            done.set_exception(RuntimeError(text.decode()))
        elif text.startswith(b'{"type":"SlipReg'):
            if counts[place[line]] < SLIPS_A_ROUND:
                send(line)
                return
            left -= 1
            if not left:
                done.set_result(None)

    for line in clients:
        line.heard = heard
        send(line)
    await asyncio.wait_for(done, 120)


async def play(house: ServedHouse, clients: Sequence[AnyLine], number: int) -> float:
    """A round, until everybody has its result; processor time of its bets alone."""
    began = house.child.seconds()
    await bets(clients, number)
    taken = house.child.seconds() - began
    await house.throw("C1")
    settle = partial(house.act, "C1", "SettleBets")
    await until_all(clients, lambda text: text.startswith(b'{"type":"Settled"'), settle)
    await house.act("C1", "ConcludeRound")
    await house.act("C1", "StartRound")
    return taken


class Rates(NamedTuple):
    """Slips for each second of processor time: while bets are made, and over whole rounds."""

    betting: float
    rounds: float


async def slips_a_second(*more: str) -> Rates:
    """The rates of one house."""
    async with served_house(TERMINALS, *more) as house:
        kept = (await house.dealer.get("/log/key")).status_code
        if kept != (404 if more else 200):
            raise RuntimeError(f"the log's key was answered by {kept}")
        await house.act("C1", "StartRound")
        clients = await seated(house.port, TERMINALS, lines)
        await play(house, clients, 1)  # to warm up
        began = house.child.seconds()
        betting = [await play(house, clients, number) for number in range(2, ROUNDS + 2)]
        taken = house.child.seconds() - began
        for line in clients:
            line.close()
        slips = TERMINALS * ROUNDS * SLIPS_A_ROUND
        return Rates(slips / sum(betting), slips / taken)


def main() -> None:
    """Print both figures and what remains with the proofs on."""
    many_files()
    shares: list[Rates] = []
    for number in range(1, PASSES + 1):
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            without = runner.run(slips_a_second("unproved"))
            proved = runner.run(slips_a_second())
        shares.append(Rates(proved.betting / without.betting, proved.rounds / without.rounds))
        print(
            f"  pass {number}: {proved.rounds:,.0f} slips a second of processor with proofs,"
            f" {without.rounds:,.0f} without: {shares[-1].rounds:.3f} over whole rounds,"
            f" {shares[-1].betting:.3f} while bets are made",
            flush=True,
        )
    rounds, betting = [each.rounds for each in shares], [each.betting for each in shares]
    for what, found in (("over whole rounds", rounds), ("while bets are made", betting)):
        low, high = min(found), max(found)
        print(f"  {what}, proofs leave {median(found):.3f} ({low:.3f} to {high:.3f}; at least 0.95)")


if __name__ == "__main__":
    main()
