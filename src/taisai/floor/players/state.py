"""The registry of players as its stream tells it: exclusions, limits, and what was played today."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

import msgspec

from taisai.floor.desks.decider import MoneylessState
from taisai.floor.gaming_day import DayClock
from taisai.floor.players import messages as msg


class PlayersPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """How long a raised limit waits, how short a player's own exclusion may be, and when days begin."""

    raise_wait_hours: int = 24
    own_exclusion_hours_min: int = 24
    registered_only: bool = False
    day: DayClock = DayClock()


@dataclass(frozen=True, slots=True)
class Exclusion:
    """None as `until` is until further notice."""

    since: datetime
    until: datetime | None

    def holds(self, now: datetime) -> bool:
        return self.until is None or now < self.until


@dataclass(slots=True)
class Sums:
    """What was staked and what came back."""

    wagered: int = 0
    returned: int = 0

    @property
    def lost(self) -> int:
        return self.wagered - self.returned

    def add(self, play: msg.RoundPlay, sign: int = 1) -> None:
        self.wagered += sign * play.wagered
        self.returned += sign * play.returned


@dataclass(slots=True)
class _Counted:
    """A round's play as it was counted, so that a correction can take its place."""

    play: msg.RoundPlay
    day: date
    session: int


@dataclass(slots=True)
class Player:
    """One pseudonym."""

    name: str
    limits: msg.PlayLimits = field(default_factory=msg.PlayLimits)
    later: msg.PlayLimits | None = None
    later_from: datetime | None = None
    own_exclusion: Exclusion | None = None
    house_exclusion: Exclusion | None = None
    erased: bool = False
    places: set[str] = field(default_factory=set)
    began_at: datetime | None = None
    sessions: int = 0
    session: Sums = field(default_factory=Sums)
    day: date | None = None
    today: Sums = field(default_factory=Sums)
    checked_at: datetime | None = None
    stays: list[tuple[datetime, datetime]] = field(default_factory=list)
    counted: dict[tuple[str, int], _Counted] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)  # where they sat since what is counted began to count

    def exclusion_at(self, now: datetime) -> Exclusion | None:
        """The exclusion that holds at a moment, the longer of two."""
        held = [
            each
            for each in (self.own_exclusion, self.house_exclusion)
            if each is not None and each.holds(now)
        ]
        return max(held, key=lambda each: (each.until is None, each.until or each.since), default=None)

    def today_at(self, day: date) -> Sums:
        return self.today if self.day == day else Sums()

    def session_time(self, now: datetime) -> timedelta:
        return max(now - self.began_at, timedelta()) if self.began_at else timedelta()

    def day_time(self, day_began: datetime, now: datetime) -> timedelta:
        """How long the player has played since the gaming day began, the present stay included."""
        stays = [*self.stays, (self.began_at, now)] if self.began_at else self.stays
        spans = (min(end, now) - max(began, day_began) for began, end in stays)
        return sum((span for span in spans if span > timedelta()), timedelta())

    def check_due(self, now: datetime) -> bool:
        """Whether the player must be shown time and net before the next bet."""
        minutes = self.limits.reality_check_minutes
        since = self.checked_at or self.began_at
        return bool(minutes and self.began_at and since and now - since >= timedelta(minutes=minutes))


@dataclass
class PlayersList(MoneylessState):
    """What is known of players; `players.PlayersState` decides on it."""

    policy: PlayersPolicy = field(default_factory=PlayersPolicy)
    players: dict[str, Player] = field(default_factory=dict)
    player_at: dict[str, str] = field(default_factory=dict)
    last_rounds: dict[str, int] = field(default_factory=dict)
    allotted: dict[str, dict[str, msg.PlayAllotted]] = field(default_factory=dict)  # by table and player

    def find(self, name: str) -> Player | None:
        """A player by pseudonym, by the place (a terminal's session) where one sits, or as PLAYER@TABLE."""
        found = self.players.get(name) or self.players.get(self.player_at.get(name, ""))
        return found or self.players.get(name.partition("@")[0])

    def counted_in(self, table: str, number: int) -> list[Player]:
        """Those whose play in a round counts for something."""
        found = ((player, player.counted.get((table, number))) for player in self.players.values())
        return [player for player, counted in found if counted and counted.play != msg.RoundPlay(0, 0)]

    def evolve(self, event: msg.AnyPlayersEvent) -> None:
        """Apply one event of the registry's stream."""
        if isinstance(event, msg.PlayerRegistered):
            self.players[event.player] = Player(event.player)
            return
        if isinstance(event, msg.PlaysRecorded | msg.PlayAllotted | msg.PlayReturned):
            self._evolve_at_table(event)
            return
        player = self.players[event.player]
        match event:
            case msg.PlayerExcluded():
                exclusion = Exclusion(event.at, event.until)
                if event.own:
                    player.own_exclusion = exclusion
                else:
                    player.house_exclusion = exclusion
            case msg.ExclusionEnded(own=True):
                player.own_exclusion = None
            case msg.ExclusionEnded():
                player.house_exclusion = None
            case msg.PlayLimitsSet():
                player.limits, player.later = event.limits, event.later
                player.later_from = event.later_from
            case msg.PlayBegan():
                self._sit_down(player, event)
            case msg.PlayEnded():
                self._get_up(player, event)
            case msg.CheckConfirmed():
                player.checked_at = event.at
            case msg.NameErased():
                player.erased = True

    def _evolve_at_table(self, event: msg.PlaysRecorded | msg.PlayAllotted | msg.PlayReturned) -> None:
        if isinstance(event, msg.PlayAllotted):
            self.allotted.setdefault(event.table, {})[event.player] = event
            return
        if isinstance(event, msg.PlaysRecorded):
            self._count(event)
        here = self.allotted.get(event.table, {})
        for name in [name for name, each in here.items() if each.round <= event.round]:
            del here[name]

    def is_allotted(self, table: str, number: int) -> bool:
        """Whether a table holds something that it was allotted up to a round."""
        return any(each.round <= number for each in self.allotted.get(table, {}).values())

    def _sit_down(self, player: Player, event: msg.PlayBegan) -> None:
        if not player.places:
            player.began_at, player.checked_at = event.at, None
            player.sessions += 1
            player.session = Sums()
        player.places.add(event.place)
        self.player_at[event.place] = player.name

    def _get_up(self, player: Player, event: msg.PlayEnded) -> None:
        player.places.discard(event.place)
        player.left.add(event.place)
        self.player_at.pop(event.place, None)
        if not player.places and player.began_at:
            day_began = self.policy.day.start_of(event.at)
            stays = [*player.stays, (player.began_at, event.at)]
            player.stays = [(began, end) for began, end in stays if end > day_began]
            player.began_at = None

    def _count(self, event: msg.PlaysRecorded) -> None:
        day = self.policy.day.day_of(event.at)
        key = (event.table, event.round)
        is_latest = event.round >= self.last_rounds.get(event.table, 0)
        self.last_rounds[event.table] = max(event.round, self.last_rounds.get(event.table, 0))
        for name, play in event.plays.items():
            player = self.players[name]
            if player.day is None or day > player.day:
                player.day, player.today = day, Sums()
                player.counted = dict(self._still_counts(player))
                player.left = player.left if player.counted else set()
            before = player.counted.get(key)
            if before is None and not is_latest:
                continue  # a correction of something that counts no more
            counted = before or _Counted(play, player.day, player.sessions)
            for sums, counts in (
                (player.today, counted.day == player.day),
                (player.session, counted.session == player.sessions),
            ):
                if counts and before:
                    sums.add(before.play, -1)
                if counts:
                    sums.add(play)
            player.counted[key] = _Counted(play, counted.day, counted.session)

    def _still_counts(self, player: Player) -> Iterator[tuple[tuple[str, int], _Counted]]:
        """Plays of the present stay: they outlive the day."""
        for key, counted in player.counted.items():
            if counted.session == player.sessions and player.places:
                yield key, counted
