"""The session behind a ticket is found without reading all of them; its rounds have receipts."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from taisai.floor.proofs import session_receipts
from taisai.floor.proofs.session_receipts import receipts_of_session, session_of_ticket
from taisai.floor.tickets import TicketIssued
from taisai.game.people import Actor, Role
from taisai.ledger import Reason, Transfer
from taisai.ledger.accounts import CASH, TICKETS, credit
from taisai.record.journal import micros
from tests.floor.houses import SmallHouse, bet, cluster, seat
from tests.unit.floor.proofs_house import notarising

AT = datetime(2026, 1, 1, tzinfo=UTC)
SESSIONS = 1_000


class Accounts:
    """As much of a store as is asked: the transfers of accounts, counting how often one is read."""

    def __init__(self) -> None:
        self.read = 0
        self.by_account: dict[str, list[Transfer]] = {}

    async def transfers(self, account: str) -> AsyncIterator[Transfer]:
        self.read += 1
        for transfer in self.by_account.get(account, []):
            yield transfer


def began(number: int) -> int:
    return micros(AT + timedelta(minutes=number))


def issued(number: int, amount: int = 900) -> TicketIssued:
    at = AT + timedelta(minutes=number, seconds=30)
    return TicketIssued(
        by=Actor("A", Role.PLAYER),
        at=at,
        where="A",
        amount=amount,
        expires_at=at + timedelta(days=180),
        sequence=number,
        last_four="1234",
    )


@pytest.fixture
def accounts() -> Accounts:
    """A thousand sessions of one terminal; the money of the last one was corrected afterwards."""
    made = Accounts()
    for number in range(1, SESSIONS + 1):
        own = credit(f"A.{number}")
        made.by_account[own] = [
            Transfer("b", CASH, own, 1_000, Reason.BUY_IN, began(number)),
            Transfer("s", own, f"stakes:C1:{number}", 100, Reason.STAKE, began(number) + 1, f"C1/{number}"),
            Transfer("t", own, TICKETS, 900, Reason.TICKET_ISSUED, micros(issued(number).at)),
        ]
    made.by_account[credit("A.7")].append(
        Transfer("r", "house:C1", credit("A.7"), 5, Reason.REVERSAL, began(SESSIONS) * 2)
    )
    return made


@pytest.mark.parametrize("number", [1, 2, 7, 8, 500, SESSIONS])
async def test_the_session_behind_a_ticket_is_found_in_a_few_steps(accounts: Accounts, number: int) -> None:
    """By when its money first moved; a correction of later days does not lead astray."""
    store: Any = accounts
    assert await session_of_ticket(store, "A", SESSIONS, issued(number)) == f"A.{number}"
    assert accounts.read <= 12


async def test_a_ticket_that_no_session_ended_with_has_none(accounts: Accounts) -> None:
    """Another amount, a time before all of them, a terminal that nobody played at."""
    store: Any = accounts
    assert await session_of_ticket(store, "A", SESSIONS, issued(5, amount=901)) is None
    assert await session_of_ticket(store, "A", SESSIONS, issued(-5)) is None
    assert await session_of_ticket(store, "A", 0, issued(5)) is None


async def test_each_round_of_a_session_has_the_place_of_its_receipt(monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest first, at most so many; whoever has the address gets the file, and nobody else's."""
    house = SmallHouse(cluster(automatic=True), proofs=True)
    async with house.open() as open_house:
        session = await seat(open_house, "C1", "A", 100_000)
        other = await seat(open_house, "C1", "B", 100_000)
        played: list[int] = []
        for _ in range(3):
            played.insert(0, open_house.table("C1").state.number)
            await bet(open_house, "C1", other, {"small": 100})
            await bet(open_house, "C1", session, {"big": 500})
            await house.pass_time(45)
        assert open_house.receipts is not None
        found = await receipts_of_session(open_house.store, notarising(), session)
        assert [(place.table, place.place, place.round) for place in found.receipts] == [
            ("C1", 1, number) for number in played
        ]
        for place in found.receipts:
            raw = await open_house.receipts.by_salt(place.table, place.round, place.place, place.salt)
            assert f'[\\"{session}\\",'.encode() in raw
        monkeypatch.setattr(session_receipts, "ROUNDS_MAX", 2)
        fewer = await receipts_of_session(open_house.store, notarising(), session)
        assert ([place.round for place in fewer.receipts], fewer.left_off) == (played[:2], 1)
