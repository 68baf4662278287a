"""A whole evening through real sockets: several tables and rulebooks, players who come and go, an audit."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from taisai.client import Console, Refused, Terminal, fresh_id
from taisai.floor.views.meters import METERS, read_meters
from taisai.ledger.accounts import TICKETS, credit
from taisai.record.views import catch_up
from taisai.rulebooks.catalogue import pay_table, rulebook_of
from tests.server.houses import LIVE, Serving, serving, settings

CLUSTERS = {"C1": "sic-bo-etg-v8/1", "C2": "sic-bo-etg-v8/3", "C3": "tai-sai-open-cover/2"}
LIVES = {"T1": "tai-sai-v6/1", "T2": "tai-sai-v4/1", "T3": "tai-sai-v3/1", "T4": "tai-sai-open-cover/1"}


TOO_LATE = ("betting_closed", "round_settled", "round_concluded", "roll_declared", "round_interrupted")
UNLUCKY = ("funds_insufficient", "above_maximum", "session_unknown")


def tables() -> list[dict[str, Any]]:
    made = [
        {
            "name": name,
            "kind": "cluster",
            "pay_table": rules,
            "unit": 100,
            "minimum": 100,
            "maximum": 50_000,
            "automatic": True,
            "betting_seconds": 1,
            "tumble_seconds": 0.02,
            "result_seconds": 0.05,
        }
        for name, rules in CLUSTERS.items()
    ]
    return made + [
        {**LIVE, "name": name, "pay_table": rules, "maximum": 50_000} for name, rules in LIVES.items()
    ]


def a_slip(rules: str, chance: random.Random) -> dict[str, int]:
    boxes = [box.id for box in pay_table(rules).boxes]
    return {box: 100 * chance.randint(1, 20) for box in chance.sample(boxes, chance.randint(1, 6))}


async def at_terminals(house: Serving, table: str, chance: random.Random, rounds: int) -> None:
    """Six terminals: they bet, lose their line, cash out, come back with a ticket."""
    seats = [await house.terminal(table, credit=20_000) for _ in range(6)]
    number = 0
    for _ in range(rounds):
        number = (await seats[0].betting(after=number)).number
        await asyncio.gather(*(one_round(seat, table, number, chance) for seat in seats))
        await asyncio.gather(*(between(house, seat, chance) for seat in seats))
    for seat in seats:
        await leave(seat)


async def one_round(seat: Terminal, table: str, number: int, chance: random.Random) -> None:
    for version in range(1, chance.randint(2, 4)):
        try:
            await seat.place(number, a_slip(CLUSTERS[table], chance), version=version)
        except Refused as refused:
            if refused.code in ("betting_closed", "round_settled", "round_concluded", "roll_declared"):
                return
            if refused.code not in (
                "funds_insufficient",
                "above_maximum",
                "session_unknown",
                "round_interrupted",
            ):
                raise
    if chance.random() < 0.2:
        await seat.cut()
        await seat.open()


async def between(house: Serving, seat: Terminal, chance: random.Random) -> None:
    if chance.random() < 0.2:
        try:
            ticket = await seat.cash_out()
        except Refused:
            return  # bets lie
        await seat.ticket_in(ticket.number)
    elif seat.credit < 2_000:
        try:
            await seat.cash_in(20_000)
        except Refused:
            return


async def leave(seat: Terminal) -> None:
    """Wait until nothing of one's own lies, and take the money."""
    while True:
        try:
            if seat.session is None and seat.credit == 0:
                return
            await seat.cash_out()
            return
        except Refused as refused:
            if refused.code == "amount_invalid" or refused.code == "session_unknown":
                return
            await asyncio.sleep(0.05)


async def at_live_table(house: Serving, table: str, chance: random.Random, rounds: int) -> None:
    """A dealer, four players by name, bets on behalf, voids and corrections."""
    console = await house.console(table)
    supervisor = await house.person("supervisor")
    rules = LIVES[table]
    covered = rulebook_of(rules).procedure.cover == "covered"
    players = [f"{name}-{table}" for name in ("ann", "bo", "chen", "dao")]
    for player in players:
        await console.act("BuyIn", player=player, amount=500_000)
    for number in range(1, rounds + 1):
        await console.act("StartRound")
        for player in chance.sample(players, 3):
            await bet(console, player, a_slip(rules, chance))
        roll = [chance.randint(1, 6) for _ in range(3)]
        if chance.random() < 0.15:
            await console.act("InterruptRound")
            continue
        await console.act("CloseBetting")
        if covered:
            await console.act("CoverTumbler")
        await console.act("ActivateTumbler", tumbles=3)
        if covered:
            await console.act("ExposeDice")
        await console.act("DeclareRoll", roll=roll)
        await console.act("SettleBets")
        await console.act("ConcludeRound")
        if chance.random() < 0.2:
            other = [7 - face for face in roll]
            asked = await supervisor.act(table, "CorrectResult", round_=number, roll=other, reason="misread")
            await (await house.person("pit-manager")).approve(asked["approval"])
    for player in players:
        await console.act("CashOut", player=player)


async def bet(console: Console, player: str, slip: dict[str, int]) -> None:
    try:
        await console.act("PlaceBets", player=player, slip=slip, version=1)
    except Refused as refused:
        if refused.code not in ("above_maximum", "funds_insufficient", "below_minimum"):
            raise


async def reconciled(house: Serving) -> None:
    """Meters against the book, tickets against their liability, credits all gone."""
    floor = house.parts.house
    await catch_up(floor.store, METERS)
    printed = 0
    for table in CLUSTERS:
        state = floor.table(table).state
        names = list(state.terminals)
        rows = await floor.store.view_get(METERS.name, names)
        for name in names:
            meters = read_meters(rows.get(name))
            session = state.terminals[name].session
            meters.assert_audit(state.book.balance(credit(session)) if session else 0)
            printed += meters.tickets_out - meters.tickets_in
    liability = 0
    async for transfer in floor.store.transfers(TICKETS):
        liability += transfer.amount_minor if transfer.credit == TICKETS else -transfer.amount_minor
    assert printed == liability


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1])
async def test_an_evening_ends_with_a_clean_audit_and_meters_that_agree(tmp_path: Path, seed: int) -> None:
    """Seven tables under six pay tables, dozens of rounds, lost lines, voids, corrections, tickets."""
    config = settings(tmp_path, *tables())
    async with serving(config) as house:
        for name in ("dealer", "supervisor", "pit-manager"):
            await house.person(name)
        work = [
            *(at_terminals(house, table, random.Random(f"{seed}{table}"), 6) for table in CLUSTERS),
            *(at_live_table(house, table, random.Random(f"{seed}{table}"), 6) for table in LIVES),
        ]
        await asyncio.gather(*work)
        await reconciled(house)
        auditor = await house.person("auditor")
        report = await auditor.post("/audit/verify")
        assert report["sound"], report
        assert report["rounds"]["rounds"] >= 40
        ticket = (await house.person("cashier")).post
        await ticket("/drawers", {"float": 0}, key=fresh_id())
    async with serving(config) as house:
        await reconciled(house)
