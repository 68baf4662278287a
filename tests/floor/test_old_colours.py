"""Colour chips on a record that an earlier version wrote: sound, and every chip can still come back."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from taisai.adapters.clock import ManualClock
from taisai.adapters.signing.keys import load_key, load_public_keys
from taisai.adapters.sqlite.store import SqliteStore
from taisai.floor.audit.whole import audit
from taisai.floor.house import House
from taisai.floor.plan import HousePlan
from taisai.game.chips import Colour
from taisai.game.refusals import RefusalCode
from tests.floor.houses import KEY, START, live
from tests.floor.test_colour_chips import Floor

FIXTURES = Path(__file__).parents[1] / "fixtures"
KEYS = FIXTURES / "records" / "0.1.0"


@asynccontextmanager
async def old_floor(place: Path) -> AsyncIterator[Floor]:
    """At a table of credits: red and Red are out as two colours, and of six that lost two were collected."""
    for file in (FIXTURES / "colours" / "0.1.0.sqlite", KEYS / "signing.pem"):
        shutil.copy(file, place / file.name)
    (place / "signing.pem").chmod(0o600)
    clock, signer = ManualClock(START), load_key(place / "signing.pem")
    store = await SqliteStore.open(place / "0.1.0.sqlite", writer="main", signer=signer, clock=clock)
    plan = HousePlan(
        name="test",
        currency="SGD",
        currency_exponent=2,
        play_money=True,
        tables=(live("T1", "tai-sai-v3/1"),),
    )
    house = House(plan, store, clock, KEY)
    await house.start()
    try:
        yield Floor(house)
    finally:
        await house.stop()
        await store.close()


async def test_the_colours_of_an_old_record_are_where_its_books_say(tmp_path: Path) -> None:
    """It verifies, play goes on, both spellings come back, and then red is one colour."""
    async with old_floor(tmp_path) as table:
        keys = load_public_keys([KEYS / "signing-public.pem"])
        async with table.house.store.snapshot() as snapshot:
            await audit(snapshot, keys)
        assert table.colour("red") == Colour("ann@T1", 100, hand=4, felt=2)
        assert table.colour("Red") == Colour("bo@T1", 200, hand=3)
        await table.done("ResumeRound")
        await table.deal()
        assert table.colour("red") == Colour("ann@T1", 100, hand=4)
        await table.done("ChangeBack", player="ann", colour="red", chips=4)
        taken = await table.refused("IssueColour", player="ann", colour="red", chips=1, value=100)
        assert taken.code is RefusalCode.COLOUR_TAKEN
        await table.done("ChangeBack", player="bo", colour="RED", chips=3)
        await table.sell("ann", 1, colour="Red")
        assert list(table.house.table("T1").state.rack.colours) == ["red"]
        async with table.house.store.snapshot() as snapshot:
            await audit(snapshot, keys)
