"""Practice of one's own: a pool of tables, held while one plays, shared when all are taken."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from taisai.client import Refused, Terminal, TerminalKey, Visitor
from taisai.errors import InputError
from taisai.ledger.accounts import credit
from taisai.server.practice import PracticeConfig
from tests.server.houses import CLUSTER, Serving, serving, settings

GIFT = PracticeConfig().credit_minor
SMALL = {"tables": 2, "shared_seats": 2}


class Watch:
    """A clock that only tests move."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[Serving]:
    async with serving(settings(tmp_path, CLUSTER, practice=SMALL)) as house:
        house.hub.practice.clock = Watch()
        yield house


def later(house: Serving, seconds: float) -> None:
    clock = house.hub.practice.clock
    assert isinstance(clock, Watch)
    clock.seconds += seconds


async def seat(house: Serving) -> TerminalKey:
    visitor: Visitor = await house.visitor()
    return await visitor.demo_terminal("practice")


async def sits(house: Serving) -> Terminal:
    terminal = Terminal(house.address, await seat(house))
    await house.stack.enter_async_context(terminal)
    return terminal


async def test_each_visitor_has_a_table_to_themselves_until_all_are_taken(house: Serving) -> None:
    """Then they share one; and when its seats are taken, too, they are told when to come again."""
    tables = [(await seat(house)).table for _ in range(4)]
    assert sorted(tables[:2]) == ["practice-1", "practice-2"]
    assert tables[2:] == ["practice", "practice"]
    with pytest.raises(Refused) as refused:
        await seat(house)
    assert refused.value.code == "practice_full"


async def test_nothing_is_made_for_strangers_beyond_the_pool(house: Serving) -> None:
    """However often they ask: no table, no stream, no seat, no account more than there were."""
    for _ in range(4):
        await seat(house)
    streams = set(await house.hub.house.store.tips())
    boards = {name: dict(feed.seats.boards) for name, feed in house.hub.feeds.items() if feed.plan.practice}
    for _ in range(3):
        later(house, 61)
        for _ in range(4):
            await seat(house)
    assert set(await house.hub.house.store.tips()) == streams
    for name, seats in boards.items():
        now = house.hub.feeds[name].seats
        assert {place: board.session for place, board in now.boards.items()} == {
            place: board.session for place, board in seats.items()
        }
        assert len(now.key_digests) == house.hub.feeds[name].plan.terminals_max


async def test_who_plays_keeps_the_table_and_who_is_idle_loses_it(house: Serving) -> None:
    """A minute after the last act another visitor may have it; the first is told so."""
    first = await sits(house)
    for _ in range(3):
        later(house, 40)
        await first.place((await first.betting()).number, {"big": 500})
    second = await sits(house)
    assert second.key.table != first.key.table
    later(house, 61)
    taken = {(await sits(house)).key.table for _ in range(2)}
    assert first.key.table in taken
    await first.wait_until(lambda: first.bye == "practice-over")


async def test_a_new_visitor_begins_anew(house: Serving) -> None:
    """With the gift, a felt without bets, and nothing of what was played there before."""
    first = await sits(house)
    number = (await first.betting()).number
    await first.place(number, {"small": 500})
    await first.ready(number)
    await first.result(number)
    after = (await first.betting(after=number)).number
    await first.place(after, {"big": 100_00})
    later(house, 61)
    await sits(house)  # the other table, which nobody has used
    again = await sits(house)
    assert again.key.table == first.key.table
    assert again.session is not None
    assert (again.session.recall, again.session.slip, again.session.staked) == ([], {}, 0)
    assert (again.session.net, again.session.wagered, again.session.last_win) == (0, 0, 0)
    assert again.session.credit >= GIFT
    feed = house.hub.feeds[again.key.table]
    board = feed.seats.boards[again.key.terminal]
    assert (
        house.hub.house.table(again.key.table).state.book.balance(credit(board.session))
        == again.session.credit
    )


async def test_a_page_that_is_loaded_again_finds_its_table(house: Serving) -> None:
    """The key stays good; a seat whose page is gone for good is free soon."""
    first = await sits(house)
    await first.close()
    back = Terminal(house.address, first.key)
    await house.stack.enter_async_context(back)
    assert back.session is not None
    await back.close()
    later(house, 11)
    free = {place.terminal for place in house.hub.practice.free()}
    assert first.key.terminal in free


async def test_what_is_practised_with_does_not_leave(house: Serving) -> None:
    """No ticket comes out of a practice seat, and none goes in."""
    first = await sits(house)
    with pytest.raises(Refused) as refused:
        await first.cash_out()
    assert refused.value.code == "not_here"


async def test_practice_tables_are_not_on_the_floor(house: Serving) -> None:
    """Neither lists of tables nor the pit have them; an address by name finds them."""
    visitor = await house.visitor()
    assert (await visitor.get("/house"))["tables"] == ["C1"]
    assert [table["name"] for table in await visitor.get("/tables")] == ["C1"]
    pit = await (await house.person("supervisor")).get("/pit")
    assert [one["table"]["name"] for one in pit] == ["C1"]
    assert (await visitor.get("/tables/practice-1"))["table"]["practice"] is True


async def test_one_idle_player_does_not_keep_the_others_waiting(tmp_path: Path) -> None:
    """Some seconds after the first wish the dice roll, whoever has bets and says nothing."""
    async with serving(settings(tmp_path, CLUSTER, practice=SMALL)) as house:
        house.hub.house.gatherings.of("practice").patience = 0.2
        for _ in range(2):
            await seat(house)
        idle, keen = await sits(house), await sits(house)
        assert idle.key.table == keen.key.table == "practice"
        number = (await keen.betting()).number
        await idle.place(number, {"big": 500})
        await keen.place(number, {"small": 500})
        await keen.ready(number)
        await keen.wait_until(lambda: keen.readiness is not None and keen.readiness.rolls_at is not None)
        assert (await idle.result(number)).staked == (await keen.result(number)).staked == 500


@pytest.mark.parametrize(
    ("practice", "fault"),
    [
        ({"tables": 65}, "practice.tables: expected 0 to 64, got 65"),
        ({"pay_table": "nowhere/1"}, "practice.pay_table"),
        ({"shared_seats": 0}, "practice.shared_seats"),
    ],
)
def test_a_pool_that_cannot_be_is_refused(tmp_path: Path, practice: dict[str, object], fault: str) -> None:
    """With its key, what was expected and what came."""
    with pytest.raises(InputError, match=fault):
        settings(tmp_path, CLUSTER, practice=practice)


def test_a_table_cannot_have_the_name_of_a_practice_table(tmp_path: Path) -> None:
    """The pool's names are its own."""
    with pytest.raises(InputError, match="practice-2 is the name of a practice table"):
        settings(tmp_path, {**CLUSTER, "name": "practice-2"}, practice=SMALL)
