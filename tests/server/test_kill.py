"""SIGKILL in every phase with every terminal at once: nothing registered is lost, nothing is done twice."""

import asyncio
import random
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from taisai.client import Console, Refused, Staff, Terminal, TerminalKey, Unanswered, Visitor, fresh_id
from taisai.server import wire
from tests.crash.sample import WHOLE
from tests.server.houses import CLUSTER
from tests.server.processes import ServerProcess, server_process

TERMINALS = 200 if WHOLE else 50
CREDIT = 100_000
PHASES = ("betting", "closed", "covered", "tumbled", "exposed", "declared", "settled", "concluded")


@dataclass
class Player:
    """One terminal and what it was promised."""

    terminal: Terminal
    registered: dict[int, dict[str, int]] = field(default_factory=dict)
    asked: tuple[str, int, int, dict[str, int]] | None = None

    async def place(self, number: int, slip: dict[str, int], version: int) -> None:
        """Send a slip; what is answered is a promise, what is not answered is asked again later."""
        self.asked = (fresh_id(), number, version, slip)
        answer = await self.terminal.place(number, slip, version=version, message_id=self.asked[0])
        self.registered[number], self.asked = answer.slip, None

    async def again(self) -> None:
        """Ask again what was not answered: the answer counts, whatever it is."""
        if self.asked is None:
            return
        message_id, number, version, slip = self.asked
        with suppress(Refused):  # it came too late, and what was registered before still stands
            answer = await self.terminal.place(number, slip, version=version, message_id=message_id)
            self.registered[number] = answer.slip
        self.asked = None


async def everyone(address: str) -> list[Player]:
    async with Visitor(address) as visitor:
        keys = [await visitor.demo_terminal("C1") for _ in range(TERMINALS)]
    players = [Player(Terminal(address, key, seconds=30)) for key in keys]
    await gathered(player.terminal.open() for player in players)
    await gathered(player.terminal.cash_in(CREDIT) for player in players)
    return players


async def gathered(work: Any) -> list[Any]:
    return list(await asyncio.gather(*work))


async def dealer_at(server: ServerProcess) -> tuple[Staff, Console]:
    dealer = Staff(server.address)
    await dealer.log_in("dealer", server.password("dealer"))
    console = dealer.console("C1")
    console.seconds = 30
    await console.open()
    return dealer, console


STEPS: dict[str, tuple[str, dict[str, Any]]] = {
    "closed": ("CloseBetting", {}),
    "covered": ("CoverTumbler", {}),
    "tumbled": ("ActivateTumbler", {"tumbles": 3}),
    "exposed": ("ExposeDice", {}),
    "declared": ("DeclareRoll", {"roll": [2, 3, 6]}),
    "settled": ("SettleBets", {}),
    "concluded": ("ConcludeRound", {}),
}


def slip_of(chance: random.Random) -> dict[str, int]:
    boxes = chance.sample(("big", "small", "odd", "even", "single-2", "sum-11", "domino-23", "triple-5"), 3)
    return {box: 100 * chance.randint(1, 5) for box in boxes}


@pytest.mark.slow
async def test_the_server_is_killed_in_every_phase_with_every_terminal_at_it(tmp_path: Path) -> None:
    """After each restart: the same bets, the same credits, the round goes on, and the audit is clean."""
    chance = random.Random(7)
    async with server_process(tmp_path, CLUSTER) as server:
        players = await everyone(server.address)
        dealer, console = await dealer_at(server)
        for number, phase in enumerate(PHASES, 1):
            await console.act("StartRound")
            await gathered(player.terminal.betting(after=number - 1) for player in players)
            await gathered(player.place(number, slip_of(chance), 1) for player in players)
            reached = await play_until(console, phase)
            flying = [player.place(number, slip_of(chance), 2) for player in players]
            await cut_down(server, flying)
            await server.start()
            await dealer.http.aclose()
            await console.cut()
            await come_back(players, chance)
            dealer, console = await dealer_at(server)
            await check_bets(dealer, players, number)
            await finish(console, number, reached)
            await gathered(player.terminal.result(number) for player in players)
        await check_credits(dealer, players)
        await redeem_everything(server, dealer, players)
        await gathered(player.terminal.close() for player in players)
        await console.close()
        await dealer.http.aclose()


async def play_until(console: Console, phase: str) -> int:
    """Deal up to a phase; how many steps were done."""
    done = 0
    for name, (act, fields) in STEPS.items():
        if phase == "betting":
            break
        await console.act(act, **fields)
        done += 1
        if name == phase:
            break
    return done


async def cut_down(server: ServerProcess, flying: list[Any]) -> None:
    """Kill the server while slips are on their way."""
    tasks = [asyncio.ensure_future(work) for work in flying]
    await asyncio.sleep(0)
    await server.kill()
    for outcome in await asyncio.gather(*tasks, return_exceptions=True):
        assert outcome is None or isinstance(outcome, Refused | Unanswered), outcome


async def come_back(players: list[Player], chance: random.Random) -> None:
    """Every terminal connects again, some with no memory, and asks again what was not answered."""

    async def back(player: Player, forgets: bool) -> None:
        await player.terminal.cut()
        if forgets:
            player.terminal = Terminal(player.terminal.address, player.terminal.key, seconds=30)
        await player.terminal.open()
        await player.again()

    await gathered(back(player, chance.random() < 0.2) for player in players)


async def check_bets(dealer: Staff, players: list[Player], number: int) -> None:
    """What was promised lies, exactly, and nothing else of these players."""
    for player in players:
        session = player.terminal.session
        assert session is not None
        if session.slip_round == number:
            assert session.slip == player.registered.get(number, {}), player.terminal.key.terminal
    told = await dealer.get(f"/tables/C1/rounds/{number}")
    lying: dict[str, dict[str, int]] = {}
    for event in told["events"]:
        if event["type"] == "BetsPlaced":
            lying[event["facts"]["player"]] = event["facts"]["slip"]
    promised = {
        f"{player.terminal.key.terminal}.1": player.registered[number]
        for player in players
        if number in player.registered
    }
    assert lying == promised


async def finish(console: Console, number: int, done: int) -> None:
    """The dealer resumes and deals the rest."""
    assert console.round is not None
    if console.round.held:
        await console.act("ResumeRound")
    for act, fields in list(STEPS.values())[done:]:
        await console.act(act, **fields)
    await console.phase("concluded", after=number - 1)


async def check_credits(dealer: Staff, players: list[Player]) -> None:
    """Each credit is what the player put in, less the stakes, plus what came back; and so say the meters."""
    supervisor_rows = {row["terminal"]: row for row in await dealer.get("/tables/C1/terminals")}
    for player in players:
        played = player.terminal.settled
        expected = CREDIT + sum(each.returned - each.staked for each in played.values())
        assert set(played) == set(player.registered)
        assert player.terminal.credit == expected
        assert supervisor_rows[player.terminal.key.terminal]["credit"] == expected


async def redeem_everything(server: ServerProcess, dealer: Staff, players: list[Player]) -> None:
    """Killed between a ticket's printing and its answer, and between its redemption and its answer."""
    cashier, auditor = Staff(server.address), Staff(server.address, seconds=60)
    ids = [fresh_id() for _ in players]
    flying = [
        asyncio.ensure_future(player.terminal.cash_out(message_id=message_id))
        for player, message_id in zip(players, ids, strict=True)
    ]
    await asyncio.sleep(0.005)
    await server.kill()
    await asyncio.gather(*flying, return_exceptions=True)
    await server.start()
    for player in players:
        await player.terminal.cut()
    await gathered(player.terminal.open() for player in players)
    tickets: list[wire.TicketView] = await gathered(
        player.terminal.cash_out(message_id=message_id)
        for player, message_id in zip(players, ids, strict=True)
    )
    printed = {ticket.number: ticket.amount for ticket in tickets}
    assert len(printed) == len(players)
    await cashier.log_in("cashier", server.password("cashier"))
    await cashier.post("/drawers", {"float": 0}, key=fresh_id())
    redeeming = {number: fresh_id() for number in printed}
    paying = [
        asyncio.ensure_future(cashier.post("/tickets/redeem", {"number": number}, key=key))
        for number, key in redeeming.items()
    ]
    await asyncio.sleep(0.05)
    await server.kill()
    await asyncio.gather(*paying, return_exceptions=True)
    await server.start()
    await cashier.http.aclose()
    again = Staff(server.address, seconds=60)
    await again.log_in("cashier", server.password("cashier"))
    for number, key in redeeming.items():
        paid = await again.post("/tickets/redeem", {"number": number}, key=key)
        assert paid["amount"] == printed[number]
        with pytest.raises(Refused, match="paid already"):
            await again.post("/tickets/redeem", {"number": number}, key=fresh_id())
    drawers = await again.get("/drawers")
    assert drawers[0]["expected"] == -sum(printed.values())
    await auditor.log_in("auditor", server.password("auditor"))
    report = await auditor.post("/audit/verify")
    assert report["sound"], report
    for person in (again, auditor):
        await person.http.aclose()


@pytest.mark.slow
async def test_a_terminal_is_killed_in_every_phase(tmp_path: Path) -> None:
    """The line goes without a word; the bet stands; whoever comes back has lost nothing."""
    async with server_process(tmp_path, CLUSTER) as server:
        async with Visitor(server.address) as visitor:
            key = await visitor.demo_terminal("C1")
        dealer, console = await dealer_at(server)
        terminal = Terminal(server.address, key)
        await terminal.open()
        await terminal.cash_in(CREDIT)
        for number, phase in enumerate(PHASES, 1):
            await console.act("StartRound")
            await terminal.betting(after=number - 1)
            registered = await terminal.place(number, {"small": 100}, version=1)
            assert registered.slip == {"small": 100}
            done = await play_until(console, phase)
            await terminal.cut()
            if number % 2:
                terminal = Terminal(server.address, key)
            await terminal.open()
            assert terminal.session is not None
            assert terminal.session.slip == {"small": 100}
            await finish(console, number, done)
            played = await terminal.result(number)
            assert (played.staked, played.returned) == (100, 0)
            assert terminal.credit == CREDIT - 100 * number
        await terminal.close()
        await console.close()
        await dealer.http.aclose()


@pytest.mark.slow
async def test_a_graceful_end_says_goodbye_and_loses_nothing(tmp_path: Path) -> None:
    """SIGTERM: everyone is told, the desks finish, and the next start goes on."""
    async with server_process(tmp_path, CLUSTER) as server:
        async with Visitor(server.address) as visitor:
            key: TerminalKey = await visitor.demo_terminal("C1")
        terminal = Terminal(server.address, key)
        await terminal.open()
        await terminal.cash_in(CREDIT)
        assert await server.stop() == 0
        assert (await terminal.receive(wire.Bye)).reason == "restarting"
        await server.start()
        await terminal.cut()
        await terminal.open()
        assert terminal.credit == CREDIT
        await terminal.close()
