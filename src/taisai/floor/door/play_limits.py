"""Players' own limits at the tables: checked before a bet reaches its desk. `plays` counts them."""

from datetime import datetime, timedelta
from typing import Any

from taisai.floor.cluster.state import ClusterState
from taisai.floor.desks.desk import Desk
from taisai.floor.players.acts import PlayersState
from taisai.floor.table.state import TableState
from taisai.game import commands as cmd
from taisai.game.acts import Phase
from taisai.game.refusals import Refusal, RefusalCode, by_house

_OVER = (Phase.CONCLUDED, Phase.VOID)


def over_limit(
    players: PlayersState, tables: dict[str, Desk[Any]], table: str, command: cmd.PlaceBets, now: datetime
) -> Refusal | None:
    """Why a player's exclusion or own limits forbid a slip, or none.

    The same slip again adds nothing, so a repeated message is never stopped here.
    """
    if not players.players and not players.policy.registered_only:
        return None
    found = players.find(command.player)
    if found is None and not players.policy.registered_only:
        return None
    wager = _wager(tables[table].state, command)
    places = {command.player}
    if found:
        places |= {found.name, *found.places, *(f"{found.name}@{name}" for name in tables)}
    on_felt = sum(_on_felt(desk.state, place) for desk in tables.values() for place in places)
    return players.check(command.player, wager, now, on_felt=on_felt)


def house_check(
    players: PlayersState, state: TableState, command: cmd.PlaceBets, *, minutes: int
) -> Refusal | None:
    """Why a session at a terminal must first be told time and net by the house's own interval, or none."""
    began = state.session_began.get(command.player) if isinstance(state, ClusterState) else None
    if not minutes or began is None or command.at - began < timedelta(minutes=minutes):
        return None
    found = players.find(command.player)
    checked = (found.checked_at if found else None) or began
    if command.at - checked < timedelta(minutes=minutes) or _wager(state, command) <= 0:
        return None
    return by_house(RefusalCode.REALITY_CHECK_DUE, minutes=minutes)


def _wager(state: TableState, command: cmd.PlaceBets) -> int:
    """What a slip adds to what is on the felt; what is no amount the table will refuse."""
    asked = sum(amount for amount in command.slip.values() if type(amount) is int)
    return asked - _on_felt(state, command.player)


def _on_felt(state: TableState, player: str) -> int:
    current = state.current
    if current is None or current.phase in _OVER or player not in current.slips:
        return 0
    return current.slips[player].total()
