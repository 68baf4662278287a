"""Everything at once: bets against the closing, bets against the cash-out, too many, too large."""

import asyncio
import random
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from taisai.client import Refused, Terminal, Unanswered, fresh_id
from taisai.floor.streams import table_stream
from taisai.server import wire
from taisai.server.running import MESSAGE_BYTES_MAX
from tests.server.houses import CLUSTER, Serving, dealt, serving, settings


async def test_every_bet_that_counts_came_before_the_closing_and_that_before_the_dice(house: Serving) -> None:
    """Standards 1: ten terminals go on betting while the dealer closes; what was late was refused, unpaid."""
    console, chance = await house.console("C1"), random.Random(5)
    terminals = [await house.terminal(credit=100_000) for _ in range(10)]

    async def bets(
        terminal: Terminal, number: int, closing: asyncio.Event, began: asyncio.Semaphore
    ) -> list[str]:
        said: list[str] = []
        while not closing.is_set() or len(said) < 5:
            try:
                await terminal.place(number, {"big": 100 * chance.randint(1, 9)})
                said.append("registered")
            except Refused as refused:
                said.append(refused.code)
            began.release()
        return said

    for number in range(1, 4):
        await console.act("StartRound")
        await asyncio.gather(*(terminal.betting(after=number - 1) for terminal in terminals))
        closing, began = asyncio.Event(), asyncio.Semaphore(0)
        betting = [asyncio.ensure_future(bets(terminal, number, closing, began)) for terminal in terminals]
        for _ in range(3 * len(terminals)):
            await began.acquire()
        await console.act("CloseBetting")
        closing.set()
        answers = await asyncio.gather(*betting)
        assert {each for said in answers for each in said} <= {"registered", "betting_closed"}
        assert all(said == sorted(said, reverse=True) for said in answers), "after the closing none is taken"
        for act, fields in (
            ("CoverTumbler", {}),
            ("ActivateTumbler", {"tumbles": 3}),
            ("ExposeDice", {}),
            ("DeclareRoll", {"roll": [1, 2, 3]}),
            ("SettleBets", {}),
            ("ConcludeRound", {}),
        ):
            await console.act(act, **fields)
    order = [event.type async for event in house.parts.house.store.events(table_stream("C1"))]
    for number in range(3):
        start, closed = nth(order, "BettingOpened", number), nth(order, "BettingClosed", number)
        declared = nth(order, "RollDeclared", number)
        assert start < closed < declared
        assert "BetsPlaced" not in order[closed:declared]
    assert "BetsPlaced" not in order[nth(order, "RollDeclared", 2) :]


def nth(order: list[str], name: str, number: int) -> int:
    return [place for place, each in enumerate(order) if each == name][number]


async def test_a_bet_and_a_cash_out_at_the_same_moment_are_one_after_the_other(house: Serving) -> None:
    """Standards 25: never both the stake and the ticket; the money is all there in every order."""
    console, chance = await house.console("C1"), random.Random(2)
    outcomes = set()
    for number in range(1, 13):
        terminal = await house.terminal(credit=1_000)
        await console.act("StartRound")
        await terminal.betting(after=number - 1)
        messages = [
            wire.Place(id=fresh_id(), round=number, version=1, slip={"small": 1_000}),
            wire.CashOutAll(id=fresh_id()),
        ]
        chance.shuffle(messages)
        done = await asyncio.gather(*map(terminal.ask, messages), return_exceptions=True)
        answers = {type(answer).__name__ for answer in done}
        codes = {answer.code for answer in done if isinstance(answer, Refused)}
        outcomes.add(frozenset(answers))
        assert codes in ({"bets_lying"}, {"session_unknown"}, {"amount_invalid"})
        await dealt(console, [4, 5, 6])
        paid = [answer.ticket.amount for answer in done if isinstance(answer, wire.TicketPaper)]
        assert paid in ([], [1_000])
        book = house.parts.house.table("C1").state.book
        assert book.balance(f"credit:{terminal.key.terminal}.1") == 0
    assert len(outcomes) == 2, "both orders were seen"


async def test_a_message_that_is_too_large_ends_its_connection_and_no_other(house: Serving) -> None:
    """Nobody else notices, and the terminal comes back."""
    other, terminal = await house.terminal(credit=100), await house.terminal(credit=100)
    await terminal.send_text('{"type":"Ping","t":1,"x":"' + "x" * MESSAGE_BYTES_MAX + '"}')
    with pytest.raises((Unanswered, ConnectionClosed)):
        await terminal.ask(wire.CashIn(id="x", amount=1))
    assert await other.cash_in(100) == 200
    await terminal.cut()
    await terminal.open()
    assert terminal.credit == 100


async def test_no_more_connections_than_the_house_allows(tmp_path: Path) -> None:
    """The next one is told so; when somebody leaves there is room again."""
    config = settings(tmp_path, CLUSTER, server={"connections_max": 4})
    async with serving(config, people={}) as house:
        key = await house.key()
        async with Terminal(house.address, key):
            clients = [httpx.AsyncClient(base_url=house.address) for _ in range(4)]
            codes = [(await client.get("/livez")).status_code for client in clients]
            assert codes[0] == 200
            assert codes[-1] == 503
            await asyncio.gather(*(client.aclose() for client in clients))
        await (await house.visitor()).http.aclose()
