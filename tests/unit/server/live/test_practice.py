"""Who practises where: a visitor gets a table that nobody holds, and keeps it while playing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from taisai.errors import InputError
from taisai.server.live.practice import Practice, PracticeSeat
from taisai.server.practice import SHARED, PracticeConfig
from tests.floor.houses import SmallHouse, bet, cluster, settle_down
from tests.unit.server.live.listening import Listener, hub_of

RULES = PracticeConfig(tables=1, shared_seats=1, idle_seconds=60)
OWN = PracticeSeat(f"{SHARED}-1", f"{SHARED}-1-seat-1")
TOGETHER = PracticeSeat(SHARED, f"{SHARED}-seat-1")


class Watch:
    """A clock that only tests move."""

    seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


@asynccontextmanager
async def practising() -> AsyncIterator[tuple[Practice, Watch]]:
    """A house with one practice table of one's own, and one seat that is shared."""
    watch = Watch()
    async with hub_of(SmallHouse(*RULES.plans()), practice_rules=RULES) as hub:
        hub.practice.clock = watch
        yield hub.practice, watch


async def test_a_table_of_ones_own_comes_first_and_nobody_gets_what_is_taken() -> None:
    """Then the shared seat, then none."""
    async with practising() as (practice, _):
        assert practice.is_open
        assert [await practice.take(f"key {number}") for number in range(3)] == [OWN, TOGETHER, None]
        seats = practice.hub.feed(OWN.table).seats
        assert seats.key_digests == {OWN.terminal: "key 0"}
        assert seats.boards[OWN.terminal].credit == RULES.credit_minor


async def test_a_seat_is_free_again_when_idle_or_left_for_good() -> None:
    """Not a moment sooner: a page that is loaded again within its seconds finds its seat."""
    async with practising() as (practice, watch):
        await practice.take("a")
        watch.seconds += RULES.idle_seconds - 0.5
        assert list(practice.free()) == [TOGETHER]
        watch.seconds += 0.5
        assert OWN in practice.free()
        practice.touched(OWN.terminal)
        practice.left(OWN.terminal)
        watch.seconds += 9.5
        assert OWN not in practice.free()
        practice.touched(OWN.terminal)  # it came back
        watch.seconds += 0.5
        assert OWN not in practice.free()
        practice.left(OWN.terminal)
        watch.seconds += 10
        assert OWN in practice.free()


async def test_the_next_visitor_finds_a_bare_felt_and_the_whole_gift() -> None:
    """Whoever sat there is told that it is over, and nothing of their play is shown."""
    async with practising() as (practice, watch):
        await practice.take("a")
        hub, feed, old = practice.hub, practice.hub.feed(OWN.table), Listener()
        hub.join_terminal(feed, OWN.terminal, old.outbox, 0)
        board = feed.seats.boards[OWN.terminal]
        await bet(hub.house, OWN.table, board.session, {"big": 1_000})
        assert (board.credit, board.on_felt) == (RULES.credit_minor - 1_000, 1_000)
        watch.seconds += RULES.idle_seconds
        assert await practice.take("b") == OWN
        await settle_down()
        assert old.last("Bye")["reason"] == "practice-over"
        board = feed.seats.boards[OWN.terminal]
        assert (board.credit, board.on_felt, board.slip, board.net) == (RULES.credit_minor, 0, {}, 0)
        assert feed.seats.key_digests[OWN.terminal] == "b"


async def test_a_seat_that_cannot_be_made_ready_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """The visitor hears of the error, and the next one may have the seat."""

    async def broken(*told: object) -> None:
        raise InputError("not now")

    async with practising() as (practice, _):
        with monkeypatch.context() as patch:
            patch.setattr(practice, "_hand_over", broken)
            with pytest.raises(InputError, match="not now"):
                await practice.take("a")
        assert await practice.take("b") == OWN


async def test_a_house_without_practice_tables_has_no_seats() -> None:
    """Its other tables are nobody's to practise at."""
    async with hub_of(SmallHouse(cluster())) as hub:
        assert not hub.practice.is_open
        assert await hub.practice.take("a") is None
