"""Players' own limits at the tables: checked before a bet reaches its desk. `plays` counts them."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from taisai.floor.cluster.state import ClusterState
from taisai.floor.desks.copy import AnyDesk
from taisai.floor.players.acts import PlayersState
from taisai.floor.players.state import Player
from taisai.floor.table.state import TableState
from taisai.game import commands as cmd
from taisai.game.acts import Phase
from taisai.game.refusals import Refusal, RefusalCode, by_house

_OVER = (Phase.CONCLUDED, Phase.VOID)


def over_limit(
    players: PlayersState,
    tables: Mapping[str, AnyDesk[Any]],
    table: str,
    command: cmd.PlaceBets,
    now: datetime,
) -> Refusal | None:
    """Why a player's exclusion or own limits forbid a slip, or none.

    The same slip again adds nothing, so a repeated message is never stopped here.
    """
    if not players.players and not players.policy.registered_only:
        return None
    found = players.find(command.player)
    if found is None and not players.policy.registered_only:
        return None
    wager = added(tables[table].state, command)
    on_felt = 0
    if found:
        on_felt = sum(at_stake(desk.state, name, found) for name, desk in tables.items())
    return players.check(command.player, wager, now, on_felt=on_felt)


def at_stake(state: TableState, table: str, player: Player) -> int:
    """What a player has on the felt of a table, wherever they sit there."""
    places = {player.name, *player.places, f"{player.name}@{table}"}
    return sum(_on_felt(state, place) for place in places)


def house_check(
    players: PlayersState, state: TableState, command: cmd.PlaceBets, *, minutes: int
) -> Refusal | None:
    """Why a session at a terminal must first be told time and net by the house's own interval, or none."""
    began = state.session_began.get(command.player) if isinstance(state, ClusterState) else None
    if not minutes or began is None or command.at - began < timedelta(minutes=minutes):
        return None
    found = players.find(command.player)
    checked = (found.checked_at if found else None) or began
    if command.at - checked < timedelta(minutes=minutes) or added(state, command) <= 0:
        return None
    return by_house(RefusalCode.REALITY_CHECK_DUE, minutes=minutes)


def added(state: TableState, command: cmd.PlaceBets) -> int:
    """What a slip adds to what is on the felt; what is no amount the table will refuse."""
    asked = sum(amount for amount in command.slip.values() if type(amount) is int)
    return asked - _on_felt(state, command.player)


def _on_felt(state: TableState, player: str) -> int:
    current = state.current
    if current is None or current.phase in _OVER or player not in current.slips:
        return 0
    return current.slips[player].total()
