"""What is asked of the registry of players, and what stands on its stream: pseudonyms, never names."""

from datetime import datetime

import msgspec

from taisai.floor.desks.decider import HouseCommand, HouseEvent


class PlayLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What players allow themselves, each of it or none; a day is a gaming day, a session one stay.

    Losses and wagers are in minor units. A reality check asks after so many minutes whether to go on.
    """

    loss_day: int | None = None
    loss_session: int | None = None
    wager_day: int | None = None
    wager_session: int | None = None
    minutes_day: int | None = None
    minutes_session: int | None = None
    reality_check_minutes: int | None = None


class RoundPlay(msgspec.Struct, frozen=True, array_like=True):
    """What a player staked in a round and got back; returned stakes of a void round count in both."""

    wagered: int
    returned: int


class RegisterPlayer(HouseCommand, frozen=True, kw_only=True):
    """A new pseudonym. Whose it is stands in the store of names, if anywhere."""

    player: str


class ExcludePlayer(HouseCommand, frozen=True, kw_only=True):
    """No bets of this player until a time, or until further notice. `own` is the player's own wish."""

    player: str
    own: bool
    until: datetime | None = None
    reason: str = ""


class EndExclusion(HouseCommand, frozen=True, kw_only=True):
    """Lift what the house had decided, or (`own`) a player's own exclusion that has no end of its own."""

    player: str
    own: bool
    reason: str = ""


class SetPlayLimits(HouseCommand, frozen=True, kw_only=True):
    """A player's limits as the player wants them. What is tighter holds at once.

    The rest waits, and holds when the player wants it still after the wait and says so.
    """

    player: str
    limits: PlayLimits


class ConfirmPlayLimits(HouseCommand, frozen=True, kw_only=True):
    """The wait is over, and the player still wants the looser limits."""

    player: str


class BeginPlay(HouseCommand, frozen=True, kw_only=True):
    """A player sat down somewhere."""

    player: str
    place: str


class EndPlay(HouseCommand, frozen=True, kw_only=True):
    """A player left a place."""

    player: str
    place: str


class RecordPlays(HouseCommand, frozen=True, kw_only=True):
    """What a round brought to each registered player; sent again after a correction, it takes its place."""

    table: str
    round: int
    plays: dict[str, RoundPlay]


class AllotPlay(HouseCommand, frozen=True, kw_only=True):
    """A table asks what a player may have at stake there in a round, where several processes run the tables.

    `amount` is what would be at stake there, `more` how much of it is new. `felt` is what the office sees at
    stake at other tables; `epoch` is the life of the table's desk that asks.
    """

    player: str
    table: str
    round: int
    epoch: int
    amount: int
    more: int
    felt: dict[str, int] = msgspec.field(default_factory=dict)


class ReturnPlay(HouseCommand, frozen=True, kw_only=True):
    """A round is over: what its table was allotted for players up to it is at stake no more."""

    table: str
    round: int


class ConfirmRealityCheck(HouseCommand, frozen=True, kw_only=True, tag="ConfirmCheck"):
    """A player has seen time, wagers and net, and goes on."""

    player: str


class RecordNameErased(HouseCommand, frozen=True, kw_only=True):
    """The name behind a pseudonym was erased from the store of names."""

    player: str
    reason: str = ""


AnyPlayersCommand = (
    RegisterPlayer
    | ExcludePlayer
    | EndExclusion
    | SetPlayLimits
    | ConfirmPlayLimits
    | BeginPlay
    | EndPlay
    | RecordPlays
    | AllotPlay
    | ReturnPlay
    | ConfirmRealityCheck
    | RecordNameErased
)


class PlayerRegistered(HouseEvent, frozen=True, kw_only=True):
    """A pseudonym came into use."""

    player: str


class PlayerExcluded(HouseEvent, frozen=True, kw_only=True):
    """A player is excluded; none as `until` is until further notice."""

    player: str
    own: bool
    until: datetime | None
    reason: str


class ExclusionEnded(HouseEvent, frozen=True, kw_only=True):
    """The house's exclusion, or the player's own, holds no more."""

    player: str
    own: bool
    reason: str


class PlayLimitsSet(HouseEvent, frozen=True, kw_only=True):
    """The limits that hold now, and those that may be confirmed from a later time on."""

    player: str
    limits: PlayLimits
    later: PlayLimits | None
    later_from: datetime | None


class PlayBegan(HouseEvent, frozen=True, kw_only=True):
    """A player sat down."""

    player: str
    place: str


class PlayEnded(HouseEvent, frozen=True, kw_only=True):
    """A player got up."""

    player: str
    place: str


class PlaysRecorded(HouseEvent, frozen=True, kw_only=True):
    """What a round brought."""

    table: str
    round: int
    plays: dict[str, RoundPlay]


class PlayAllotted(HouseEvent, frozen=True, kw_only=True):
    """A player may have so much at stake at a table in a round; it counts against their limits."""

    player: str
    table: str
    round: int
    epoch: int
    amount: int


class PlayReturned(HouseEvent, frozen=True, kw_only=True):
    """What a table was allotted for players up to a round came back."""

    table: str
    round: int


class CheckConfirmed(HouseEvent, frozen=True, kw_only=True):
    """A player goes on after a reality check."""

    player: str


class NameErased(HouseEvent, frozen=True, kw_only=True):
    """Nobody can say any more who this was. Everything else about the pseudonym stays."""

    player: str
    reason: str


AnyPlayersEvent = (
    PlayerRegistered
    | PlayerExcluded
    | ExclusionEnded
    | PlayLimitsSet
    | PlayBegan
    | PlayEnded
    | PlaysRecorded
    | PlayAllotted
    | PlayReturned
    | CheckConfirmed
    | NameErased
)
