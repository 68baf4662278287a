"""Players' own limits at the tables, checked before a bet reaches its desk."""

from datetime import timedelta
from typing import Any

from taisai.floor.door.play_limits import house_check, over_limit
from taisai.floor.house import House
from taisai.floor.players.acts import PlayersState
from taisai.floor.players.messages import PlayLimits
from taisai.floor.players.state import Player, PlayersPolicy
from taisai.game import commands as cmd
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode
from tests.floor.houses import SmallHouse, bet, cluster, live, seat, start_round


def placing(house: House, player: str, slip: dict[str, Any], *, minutes: float = 0) -> cmd.PlaceBets:
    at = house.now() + timedelta(minutes=minutes)
    return cmd.PlaceBets(by=Actor(player, Role.PLAYER), at=at, player=player, slip=slip, version=2)


def judged(house: House, players: PlayersState, player: str, slip: dict[str, Any]) -> Refusal | None:
    return over_limit(players, house.tables, "C1", placing(house, player, slip), house.now())


def limited(player: str, wager: int) -> PlayersState:
    return PlayersState(players={player: Player(player, limits=PlayLimits(wager_session=wager))})


async def test_a_limit_may_be_reached_and_not_passed() -> None:
    """What is on the felt counts; the same slip again and a smaller one add nothing."""
    async with SmallHouse(cluster()).open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 10_000)
        await start_round(house, "C1")
        await bet(house, "C1", session, {"big": 300})
        players = limited(session, 500)
        assert judged(house, players, session, {"big": 500}) is None
        refusal = judged(house, players, session, {"big": 510})
        assert refusal is not None
        assert refusal.code is RefusalCode.PLAY_LIMIT_REACHED
        tight = limited(session, 100)
        assert judged(house, tight, session, {"big": 300}) is None
        assert judged(house, tight, session, {"big": 200}) is None
        assert judged(house, tight, session, {"big": 310}) is not None


async def test_bets_at_two_tables_count_together() -> None:
    """One player at two terminals has one limit."""
    async with SmallHouse(cluster(), cluster("C2")).open(dealing=False) as house:
        places = [await seat(house, name, f"{name}-1", 10_000) for name in ("C1", "C2")]
        for name, place, amount in zip(("C1", "C2"), places, (300, 100), strict=True):
            await start_round(house, name)
            await bet(house, name, place, {"big": amount})
        players = limited("jane", 500)
        players.players["jane"].places = set(places)
        players.player_at = dict.fromkeys(places, "jane")
        assert judged(house, players, places[0], {"big": 400}) is None
        refusal = judged(house, players, places[0], {"big": 410})
        assert refusal is not None
        assert refusal.code is RefusalCode.PLAY_LIMIT_REACHED


async def test_whoever_has_set_no_limit_is_held_to_none() -> None:
    """A stranger may bet, unless the house takes registered players alone; what is no amount adds nothing."""
    async with SmallHouse(cluster()).open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 10_000)
        await start_round(house, "C1")
        for players in (PlayersState(), limited("somebody-else", 1)):
            assert judged(house, players, session, {"big": 10_000}) is None
        strict = PlayersState(policy=PlayersPolicy(registered_only=True))
        refusal = judged(house, strict, session, {"big": 10})
        assert refusal is not None
        assert refusal.code is RefusalCode.PLAYER_NOT_REGISTERED
        assert judged(house, strict, session, {}) is None
        assert judged(house, strict, session, {"big": "10", "small": True}) is None


async def test_the_house_asks_for_a_pause_when_its_minutes_are_over() -> None:
    """To the minute, by the terminal's session or the last time the player went on; never at interval 0."""
    async with SmallHouse(cluster(), live()).open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 10_000)
        await start_round(house, "C1")
        state, players = house.table("C1").state, PlayersState()

        def due(minutes: float, *, every: int = 60, slip: int = 100) -> Refusal | None:
            asked = placing(house, session, {"big": slip} if slip else {}, minutes=minutes)
            return house_check(players, state, asked, minutes=every)

        assert due(59.99) is None
        refusal = due(60)
        assert refusal is not None
        assert (refusal.code, refusal.facts) == (RefusalCode.REALITY_CHECK_DUE, {"minutes": 60})
        assert due(600, every=0) is None
        assert due(600, slip=0) is None
        asked = placing(house, "ann@T1", {"big": 100}, minutes=600)
        assert house_check(players, house.table("T1").state, asked, minutes=60) is None
        players.players[session] = Player(session, checked_at=house.now() + timedelta(minutes=60))
        assert due(119.99) is None
        assert due(120) is not None
