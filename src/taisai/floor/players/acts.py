"""Acts on the registry of players, and the check that every bet of a registered player must pass.

Limits belong to the player: what is tighter holds at once, what is looser when the player confirms it after
a wait. A player's own exclusion can be made longer and never shorter.
"""

import base64
import re
from datetime import datetime, timedelta
from functools import singledispatchmethod
from typing import Any, Final

import msgspec

from taisai.floor.desks.decider import Decision, Done
from taisai.floor.desks.kind import DeskKind
from taisai.floor.permits import not_permitted
from taisai.floor.players import messages as msg
from taisai.floor.players.state import Exclusion, Player, PlayersList, PlayersPolicy
from taisai.floor.streams import PLAYERS
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode, by_house
from taisai.ledger.transfers import AMOUNT_MINOR_MAX
from taisai.record.ports import Entropy

_MINUTES_MAX: Final = 525_600
# What the ledger takes as a part of an account's name.
_PSEUDONYM = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")

__all__ = ["Player", "PlayersPolicy", "PlayersState", "Standing", "new_pseudonym", "players_desk"]


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """How a player stands: what a terminal always shows, and what holds the player back."""

    player: str
    session_seconds: int
    day_seconds: int
    session_wagered: int
    session_net: int
    day_wagered: int
    day_net: int
    limits: msg.PlayLimits
    later: msg.PlayLimits | None
    later_from: datetime | None
    excluded: bool
    excluded_until: datetime | None
    check_due: bool


class PlayersState(PlayersList):
    """The registry, deciding."""

    def check(self, player: str, wager: int, now: datetime, *, on_felt: int = 0) -> Refusal | None:
        """Why a player may not stake so much more now, or none.

        `wager` is what the slip adds to `on_felt`, which is at stake already at any table. Taking
        bets back is always allowed. A player who is not registered has no limits.
        """
        if wager <= 0:
            return None
        found = self.find(player)
        if found is None:
            unknown = by_house(RefusalCode.PLAYER_NOT_REGISTERED, player=player)
            return unknown if self.policy.registered_only else None
        return (
            _excluded(found, now)
            or self._over_time(found, now)
            or self._over_spend(found, wager, on_felt, now)
        )

    def barred(self, player: str, now: datetime) -> Refusal | None:
        """Why a player may stake nothing at all now, or none."""
        found = self.find(player)
        return (_excluded(found, now) or self._over_time(found, now)) if found else None

    def excluded(self, player: str, now: datetime) -> Refusal | None:
        """Why a player may not even sit down, or none."""
        found = self.find(player)
        return _excluded(found, now) if found else None

    def standing(self, player: str, now: datetime) -> Standing | None:
        """A player's figures, or none when not registered."""
        found = self.find(player)
        if found is None:
            return None
        day = self.policy.day
        today = found.today_at(day.day_of(now))
        exclusion = found.exclusion_at(now)
        return Standing(
            player=found.name,
            session_seconds=int(found.session_time(now).total_seconds()),
            day_seconds=int(found.day_time(day.start_of(now), now).total_seconds()),
            session_wagered=found.session.wagered,
            session_net=-found.session.lost,
            day_wagered=today.wagered,
            day_net=-today.lost,
            limits=found.limits,
            later=found.later,
            later_from=found.later_from,
            excluded=exclusion is not None,
            excluded_until=exclusion.until if exclusion else None,
            check_due=found.check_due(now),
        )

    def _over_time(self, player: Player, now: datetime) -> Refusal | None:
        limits = player.limits
        played = {
            "time-day": (limits.minutes_day, player.day_time(self.policy.day.start_of(now), now)),
            "time-session": (limits.minutes_session, player.session_time(now)),
        }
        for what, (minutes, time) in played.items():
            if minutes is not None and time >= timedelta(minutes=minutes):
                return by_house(RefusalCode.PLAY_TIME_REACHED, what=what, minutes=minutes)
        if player.check_due(now):
            return by_house(RefusalCode.REALITY_CHECK_DUE, minutes=limits.reality_check_minutes)
        return None

    def _over_spend(self, player: Player, wager: int, on_felt: int, now: datetime) -> Refusal | None:
        limits = player.limits
        today = player.today_at(self.policy.day.day_of(now))
        used = {
            "loss-day": (limits.loss_day, today.lost),
            "loss-session": (limits.loss_session, player.session.lost),
            "wager-day": (limits.wager_day, today.wagered),
            "wager-session": (limits.wager_session, player.session.wagered),
        }
        for what, (limit, amount) in used.items():
            if limit is not None and amount + on_felt + wager > limit:
                left = max(0, limit - amount - on_felt)
                return by_house(
                    RefusalCode.PLAY_LIMIT_REACHED, what=what, limit=limit, asked=wager, available=left
                )
        return None

    def decide(self, command: msg.AnyPlayersCommand, act_id: str) -> Decision:
        name, refusal = getattr(command, "player", None), not_permitted(command)
        if refusal is None and (name is None or isinstance(command, msg.RegisterPlayer)):
            return self._decide(command)
        refusal = refusal or _not_their_own(command.by, name)
        if refusal:
            return refusal
        if name not in self.players:
            return by_house(RefusalCode.PLAYER_NOT_REGISTERED, player=name)
        return self._decide(command)

    @singledispatchmethod
    def _decide(self, command: Any) -> Decision:
        return super().decide(command, "")

    @_decide.register
    def _register(self, command: msg.RegisterPlayer) -> Decision:
        if not _PSEUDONYM.fullmatch(command.player):
            return by_house(RefusalCode.NAME_INVALID, name=command.player)
        if command.player in self.players:
            return by_house(RefusalCode.PLAYER_REGISTERED, player=command.player)
        return [msg.PlayerRegistered(by=command.by, at=command.at, player=command.player)]

    @_decide.register
    def _exclude(self, command: msg.ExcludePlayer) -> Decision:
        player, until = self.players[command.player], command.until
        if until is not None and until.tzinfo is None:
            fault = f"until: expected a time with its zone, got {until.isoformat()}"
            return by_house(RefusalCode.SETTING_INVALID, faults=[fault])
        if command.own and _is_shorter(until, player.own_exclusion, command.at):
            return _stands(player.own_exclusion)
        hours = self.policy.own_exclusion_hours_min if command.own else 0
        shortest = command.at + timedelta(hours=hours)
        if until is not None and (until < shortest or until == command.at):
            fault = f"until: expected {shortest.isoformat(timespec='seconds')} or later"
            return by_house(RefusalCode.SETTING_INVALID, faults=[fault])
        return [
            msg.PlayerExcluded(
                by=command.by,
                at=command.at,
                player=command.player,
                own=command.own,
                until=until,
                reason=command.reason,
            )
        ]

    @_decide.register
    def _end_exclusion(self, command: msg.EndExclusion) -> Decision:
        player = self.players[command.player]
        held = player.own_exclusion if command.own else player.house_exclusion
        if held is None or not held.holds(command.at):
            return by_house(RefusalCode.NOTHING_CHANGES)
        shortest = held.since + timedelta(hours=self.policy.own_exclusion_hours_min)
        if command.own and (held.until is not None or command.at < shortest):
            return _stands(held)
        return [
            msg.ExclusionEnded(
                by=command.by,
                at=command.at,
                player=command.player,
                own=command.own,
                reason=command.reason,
            )
        ]

    @_decide.register
    def _set_limits(self, command: msg.SetPlayLimits) -> Decision:
        faults = limit_faults(command.limits)
        if faults:
            return by_house(RefusalCode.SETTING_INVALID, faults=faults)
        holds = tighter(self.players[command.player].limits, command.limits)
        waits = holds != command.limits
        wait = timedelta(hours=self.policy.raise_wait_hours)
        return [
            msg.PlayLimitsSet(
                by=command.by,
                at=command.at,
                player=command.player,
                limits=holds,
                later=command.limits if waits else None,
                later_from=command.at + wait if waits else None,
            )
        ]

    @_decide.register
    def _confirm_limits(self, command: msg.ConfirmPlayLimits) -> Decision:
        player = self.players[command.player]
        if player.later is None or player.later_from is None:
            return by_house(RefusalCode.NOTHING_CHANGES)
        if command.at < player.later_from:
            return by_house(RefusalCode.LIMITS_WAIT, **_until(player.later_from))
        return [
            msg.PlayLimitsSet(
                by=command.by,
                at=command.at,
                player=command.player,
                limits=player.later,
                later=None,
                later_from=None,
            )
        ]

    @_decide.register
    def _begin(self, command: msg.BeginPlay) -> Decision:
        player = self.players[command.player]
        refusal = _excluded(player, command.at)
        if refusal:
            return refusal
        if command.place in player.places:
            return []
        began = msg.PlayBegan(by=command.by, at=command.at, player=command.player, place=command.place)
        other = self.player_at.get(command.place)
        if other is None:
            return [began]
        # Somebody else sat here: who takes a place has seen the other one leave it.
        return [msg.PlayEnded(by=command.by, at=command.at, player=other, place=command.place), began]

    @_decide.register
    def _end(self, command: msg.EndPlay) -> Decision:
        if command.place not in self.players[command.player].places:
            return []
        return [msg.PlayEnded(by=command.by, at=command.at, player=command.player, place=command.place)]

    @_decide.register
    def _record(self, command: msg.RecordPlays) -> Decision:
        # What was counted before and is not there any more, after a correction or a void, counts nothing.
        is_again = command.round <= self.last_rounds.get(command.table, 0)
        counted = self.counted_in(command.table, command.round) if is_again else []
        plays = {player.name: msg.RoundPlay(0, 0) for player in counted}
        for name, play in command.plays.items():
            player = self.find(name) or next((each for each in counted if name in each.left), None)
            if player:  # one person may sit at several places
                before = plays.get(player.name, msg.RoundPlay(0, 0))
                plays[player.name] = msg.RoundPlay(
                    before.wagered + play.wagered, before.returned + play.returned
                )
        if not plays:
            return []
        return [
            msg.PlaysRecorded(
                by=command.by, at=command.at, table=command.table, round=command.round, plays=plays
            )
        ]

    @_decide.register
    def _allot(self, command: msg.AllotPlay) -> Decision:
        held = self.allotted.get(command.table, {}).get(command.player)
        if held is not None and (held.epoch, held.round) > (command.epoch, command.round):
            return by_house(RefusalCode.NOTHING_CHANGES)  # asked by one who runs the table no longer
        elsewhere = dict(command.felt)
        for table, players in self.allotted.items():
            if command.player in players:
                elsewhere[table] = max(elsewhere.get(table, 0), players[command.player].amount)
        elsewhere.pop(command.table, None)
        on_felt = sum(elsewhere.values()) + command.amount - command.more
        refusal = self.check(command.player, command.more, command.at, on_felt=on_felt)
        if refusal is not None:
            return refusal
        return [
            msg.PlayAllotted(
                by=command.by,
                at=command.at,
                player=command.player,
                table=command.table,
                round=command.round,
                epoch=command.epoch,
                amount=command.amount,
            )
        ]

    @_decide.register
    def _return(self, command: msg.ReturnPlay) -> Decision:
        if not self.is_allotted(command.table, command.round):
            return []
        return [msg.PlayReturned(by=command.by, at=command.at, table=command.table, round=command.round)]

    @_decide.register
    def _confirm(self, command: msg.ConfirmRealityCheck) -> Decision:
        return [msg.CheckConfirmed(by=command.by, at=command.at, player=command.player)]

    @_decide.register
    def _erased(self, command: msg.RecordNameErased) -> Decision:
        return [msg.NameErased(by=command.by, at=command.at, player=command.player, reason=command.reason)]


def tighter(now: msg.PlayLimits, asked: msg.PlayLimits) -> msg.PlayLimits:
    """Of each limit the tighter one: what holds at once when a player asks for other limits."""
    values: dict[str, int | None] = {}
    for name in msg.PlayLimits.__struct_fields__:
        known = [value for value in (getattr(now, name), getattr(asked, name)) if value is not None]
        values[name] = min(known, default=None)
    return msg.PlayLimits(**values)


def limit_faults(limits: msg.PlayLimits) -> list[str]:
    """Everything that keeps limits from being used."""
    ranges = {
        name: (int(name == "reality_check_minutes"), _MINUTES_MAX if "minutes" in name else AMOUNT_MINOR_MAX)
        for name in msg.PlayLimits.__struct_fields__
    }
    return [
        f"{name}: expected {low} to {high}, got {value}"
        for name, (low, high) in ranges.items()
        if (value := getattr(limits, name)) is not None and not low <= value <= high
    ]


def new_pseudonym(entropy: Entropy) -> str:
    """A name that says nothing about who bears it: 80 random bits."""
    return "p-" + base64.b32encode(entropy.random_bytes(10)).decode().lower()


def players_desk(policy: PlayersPolicy | None = None) -> "DeskKind[PlayersState]":
    """The desk of the registry of players."""
    return DeskKind(
        name=PLAYERS,
        stream=PLAYERS,
        events=msg.AnyPlayersEvent,
        answers=Done,
        fresh=lambda: PlayersState(policy=policy or PlayersPolicy()),
    )


def _not_their_own(by: Actor, player: str | None) -> Refusal | None:
    """Players act for themselves; staff may act for them."""
    if by.role is not Role.PLAYER or by.name == player:
        return None
    return by_house(RefusalCode.ROLE_NOT_ALLOWED, least=str(Role.DEALER), role=str(by.role))


def _excluded(player: Player, now: datetime) -> Refusal | None:
    exclusion = player.exclusion_at(now)
    if exclusion is None:
        return None
    return by_house(RefusalCode.PLAYER_EXCLUDED, player=player.name, **_until(exclusion.until))


def _is_shorter(until: datetime | None, own: Exclusion | None, now: datetime) -> bool:
    if own is None or not own.holds(now) or until is None:
        return False
    return own.until is None or until < own.until


def _stands(exclusion: Exclusion | None) -> Refusal:
    return by_house(RefusalCode.EXCLUSION_STANDS, **_until(exclusion.until if exclusion else None))


def _until(until: datetime | None) -> dict[str, str]:
    return {"until": until.isoformat(timespec="seconds")} if until else {}
