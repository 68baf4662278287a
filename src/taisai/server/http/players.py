"""Players whom the house knows: registration, exclusion, their own limits, and the names apart."""

from datetime import datetime
from typing import Annotated, Any, Final
from uuid import uuid4

import msgspec
from litestar import delete, get, post
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from taisai.adapters.clock import SystemEntropy
from taisai.errors import UnknownName
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.door.acts import PlayersAct
from taisai.floor.players import messages as msg
from taisai.floor.players.acts import Standing, new_pseudonym
from taisai.floor.players.live_names import LIVE_PREFIX, player_in_record, shown_player
from taisai.floor.reading.people import PlayerReading
from taisai.game.refusals import Refusal
from taisai.server.access.logins import Person
from taisai.server.http.dependencies import TheHub, TheKey, TheParts, ThePerson
from taisai.server.http.problems import refusal_problem
from taisai.server.live.hub import Hub
from taisai.server.live.table_view import millis

_FOUND_MAX: Final = 10_000
_SHOWN_MAX: Final = 50


class NewPlayerBody(msgspec.Struct, forbid_unknown_fields=True):
    """A player's name, which is kept apart from the record and can be erased."""

    name: str


class PlayerView(msgspec.Struct, frozen=True, kw_only=True):
    """A player as staff see them: the pseudonym that the record knows, and the name while it is kept."""

    player: str
    name: str | None


class ExclusionView(msgspec.Struct, frozen=True, kw_only=True):
    """An exclusion in force: the player's own wish or the house's, since when and until when, if it ends."""

    own: bool
    since: int
    until: int | None


class StandingView(msgspec.Struct, frozen=True, kw_only=True):
    """A player with limits, play so far, exclusions, and the terminals and tables where they sit."""

    player: str
    name: str | None
    standing: Standing
    exclusions: list[ExclusionView]
    places: list[str]


class ExclusionBody(msgspec.Struct, forbid_unknown_fields=True):
    """An exclusion: the player's own wish or the house's; none as `until` is for good."""

    own: bool
    until: datetime | None = None
    reason: str = ""


class PlaceBody(msgspec.Struct, forbid_unknown_fields=True):
    """Where a player sits: a terminal, or a live table under a name."""

    place: str


class PlayerDone(msgspec.Struct, frozen=True, kw_only=True):
    """What was done."""

    happened: list[str]


async def _ask(hub: Hub, person: Person, key: str, command: msg.AnyPlayersCommand) -> PlayerDone:
    answer = await hub.house.do(PlayersAct(command), person.actor, key)
    if isinstance(answer, Refusal):
        raise refusal_problem(answer, hub.voice)
    return PlayerDone(happened=answer.happened)


@get("/api/v1/players", tags=["players"])
async def find_players(
    parts: TheParts,
    name: Annotated[str, QueryParameter(min_length=1, max_length=100)],
    live: FromQuery[bool] = False,
) -> list[PlayerView]:
    """Players whose name holds this: those who are registered, or else those of live tables."""
    found = await parts.names.find(name, limit=_FOUND_MAX)
    shown = [(player, known) for player, known in found if player.startswith(LIVE_PREFIX) == live]
    return [PlayerView(player=player, name=known) for player, known in shown[:_SHOWN_MAX]]


@post("/api/v1/players", tags=["players"], status_code=201)
async def register_player(
    hub: TheHub, parts: TheParts, person: ThePerson, data: JSONBody[NewPlayerBody]
) -> PlayerView:
    """Make a player known under a pseudonym."""
    player = new_pseudonym(SystemEntropy())
    command = msg.RegisterPlayer(by=person.actor, at=hub.house.now(), player=player)
    await parts.names.put(player, data.name)
    await _ask(hub, person, uuid4().hex, command)
    return PlayerView(player=player, name=data.name)


@get("/api/v1/players/{player:str}", tags=["players"])
async def get_player(hub: TheHub, parts: TheParts, player: FromPath[str]) -> StandingView:
    """A player's limits, play so far and exclusion."""
    standing = hub.house.read.standing(player)
    found = hub.house.read.player(player)
    if standing is None or found is None:
        raise UnknownName("player", player, [])
    return StandingView(
        player=found.name,
        name=await parts.names.get(found.name),
        standing=standing,
        exclusions=_exclusions(found),
        places=sorted(hub.terminal_of(place) or _shown(place) for place in found.places),
    )


def _shown(place: str) -> str:
    """A place at a live table, by the name that the player has there."""
    return shown_player(place, place.rpartition("@")[2])


def _exclusions(player: PlayerReading) -> list[ExclusionView]:
    return [
        ExclusionView(own=one.own, since=millis(one.since), until=millis(one.until) if one.until else None)
        for one in player.exclusions
    ]


@post("/api/v1/players/{player:str}/exclusion", tags=["players"], status_code=200)
async def exclude_player(
    key: TheKey,
    hub: TheHub,
    person: ThePerson,
    player: FromPath[str],
    data: JSONBody[ExclusionBody],
) -> PlayerDone:
    """Exclude a player from play."""
    command = msg.ExcludePlayer(
        by=person.actor,
        at=hub.house.now(),
        player=player,
        own=data.own,
        until=data.until,
        reason=data.reason,
    )
    return await _ask(hub, person, key, command)


@delete("/api/v1/players/{player:str}/exclusion", tags=["players"], status_code=200)
async def end_exclusion(
    hub: TheHub,
    person: ThePerson,
    player: FromPath[str],
    own: FromQuery[bool] = False,
    reason: FromQuery[str] = "",
) -> PlayerDone:
    """End an exclusion, where its time allows it."""
    command = msg.EndExclusion(by=person.actor, at=hub.house.now(), player=player, own=own, reason=reason)
    return await _ask(hub, person, uuid4().hex, command)


@post("/api/v1/players/{player:str}/limits", tags=["players"], status_code=200)
async def set_player_limits(
    key: TheKey,
    hub: TheHub,
    person: ThePerson,
    player: FromPath[str],
    data: JSONBody[msg.PlayLimits],
) -> PlayerDone:
    """A player's own limits: tighter ones hold at once, looser ones when they are confirmed after a wait."""
    command = msg.SetPlayLimits(by=person.actor, at=hub.house.now(), player=player, limits=data)
    return await _ask(hub, person, key, command)


@post("/api/v1/players/{player:str}/limits/confirm", tags=["players"], status_code=200)
async def confirm_player_limits(
    key: TheKey, hub: TheHub, person: ThePerson, player: FromPath[str]
) -> PlayerDone:
    """The wait is over, and the player still wants the looser limits."""
    command = msg.ConfirmPlayLimits(by=person.actor, at=hub.house.now(), player=player)
    return await _ask(hub, person, key, command)


@post("/api/v1/players/{player:str}/seat", tags=["players"], status_code=200)
async def seat_player(
    key: TheKey, hub: TheHub, person: ThePerson, player: FromPath[str], data: JSONBody[PlaceBody]
) -> PlayerDone:
    """A player sits down: from now on what is played at that place counts for their limits."""
    name, _, table = data.place.rpartition("@")
    place = data.place
    if name and table in hub.house.plans:
        place = await player_in_record(hub.house, name, table)
    command = msg.BeginPlay(by=person.actor, at=hub.house.now(), player=player, place=place)
    return await _ask(hub, person, key, command)


@delete("/api/v1/players/{player:str}/name", tags=["players"], status_code=200)
async def erase_name(
    hub: TheHub, parts: TheParts, person: ThePerson, player: FromPath[str], reason: FromQuery[str] = ""
) -> PlayerDone:
    """Erase a player's name; the record keeps the pseudonym."""
    if player.startswith(LIVE_PREFIX) and await parts.names.get(player) is not None:
        # Whoever only sat at a live table comes into the registry with this.
        known = msg.RegisterPlayer(by=SYSTEM, at=hub.house.now(), player=player)
        await hub.house.do(PlayersAct(known), SYSTEM, f"registered.{player}")
    command = msg.RecordNameErased(by=person.actor, at=hub.house.now(), player=player, reason=reason)
    done = await _ask(hub, person, uuid4().hex, command)
    await parts.names.erase(player)
    if hub.house.live_names is not None:
        await hub.house.live_names.erased(player)
    return done


HANDLERS: list[Any] = [
    find_players,
    register_player,
    get_player,
    exclude_player,
    end_exclusion,
    set_player_limits,
    confirm_player_limits,
    seat_player,
    erase_name,
]
