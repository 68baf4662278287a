"""What a table waits for between its closing and its dice: a share, a checkpoint, and its own secret."""

from dataclasses import replace
from datetime import timedelta

import pytest

from taisai.errors import InvariantBroken
from taisai.floor.house import House
from taisai.floor.proofs.log_files import MemoryLog
from taisai.floor.proofs.proving import TableProving
from taisai.floor.table.notary import RoundNotary
from taisai.game.state import RoundState
from tests.floor.houses import SmallHouse, bet, cluster, live, seat, start_round
from tests.unit.floor.proofs_house import ORIGIN, log_keeping


async def closed(small: SmallHouse, house: House) -> RoundState:
    """An automatic round with a bet, just after its closing."""
    session = await seat(house, "C1", "A", 100_000)
    await bet(house, "C1", session, {"small": 1_000})
    await small.pass_time(20.5)
    state: RoundState = house.table("C1").state.rounds[1]
    assert state.slip_root
    return state


def automatic() -> SmallHouse:
    return SmallHouse(cluster(automatic=True), proofs=True)


async def test_a_second_party_signs_what_was_committed_to_and_bet() -> None:
    """Its signature is the share; a house without a second party has none."""
    small, asked = automatic(), []

    async def share(table: str, number: int, text: bytes) -> bytes:
        asked.append((table, number, text))
        return b"\xab\xcd"

    async with small.open() as house:
        await closed(small, house)
        desk = house.table("C1")
        assert await TableProving(house.store, desk).share(1) == ""
        assert await TableProving(house.store, desk, keeping=log_keeping(MemoryLog())).share(1) == ""
        keeping = replace(log_keeping(MemoryLog()), ask_share=share)
        assert await TableProving(house.store, desk, keeping=keeping).share(1) == "abcd"
    ((table, number, text),) = asked
    assert (table, number) == ("C1", 1)
    assert ORIGIN.encode() in text


async def test_dice_are_shown_once_a_checkpoint_holds_the_closing() -> None:
    """Where there is no log, nothing holds them back."""
    small = automatic()
    async with small.open() as house:
        registrar = house.registrar
        assert registrar is not None
        session = await seat(house, "C1", "A", 100_000)
        await bet(house, "C1", session, {"small": 1_000})
        await small.pass_time(19)
        registrar._pause = timedelta(hours=1)  # nothing more is signed
        await small.pass_time(2)
        desk = house.table("C1")
        proving = TableProving(house.store, desk, registrar)
        assert not proving.may_show(1)
        assert TableProving(house.store, desk).may_show(1)
        registrar._pause = timedelta()
        await small.pass_time(30)
        assert proving.may_show(1)


async def test_the_dice_are_those_of_the_secret_also_when_the_table_was_made_again() -> None:
    """Whoever makes the round's proofs is brought from the record first."""
    small = automatic()
    async with small.open() as house:
        state = await closed(small, house)
        assert isinstance(state.notary, RoundNotary)
        expected = state.notary.dice(state)
    async with small.open(dealing=False) as house:
        desk = house.table("C1")
        desk.state.rounds[1].notary = None
        assert await TableProving(house.store, desk).dice(1) == expected


async def test_a_round_without_a_secret_has_no_dice_of_its_own() -> None:
    """At a table of a house that makes no proofs, and in a round that is not there."""
    async with SmallHouse(live()).open(dealing=False) as house:
        await start_round(house, "T1")
        proving = TableProving(house.store, house.table("T1"))
        for number in (1, 2):
            with pytest.raises(InvariantBroken, match=f"T1/{number} has no committed dice"):
                await proving.dice(number)
