"""Players and staff as interfaces see them: values of this moment."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from taisai.floor.players.messages import PlayLimits
from taisai.floor.players.state import Player
from taisai.floor.staff.acts import StaffState
from taisai.floor.staff.messages import AnyStaffCommand, StaffPolicy
from taisai.floor.staff.state import Member, Session
from taisai.game.people import Role
from taisai.game.refusals import Refusal


@dataclass(frozen=True, slots=True)
class ExclusionHeld:
    """An exclusion that holds: the player's own, or the house's."""

    own: bool
    since: datetime
    until: datetime | None


@dataclass(frozen=True, slots=True)
class PlayerReading:
    """A registered player: limits, exclusions and where they sit."""

    name: str
    limits: PlayLimits
    later: PlayLimits | None
    later_from: datetime | None
    checked_at: datetime | None
    exclusions: tuple[ExclusionHeld, ...]
    places: tuple[str, ...]


def player_reading(player: Player, now: datetime) -> PlayerReading:
    """A player of the registry at a moment."""
    held = ((True, player.own_exclusion), (False, player.house_exclusion))
    return PlayerReading(
        name=player.name,
        limits=player.limits,
        later=player.later,
        later_from=player.later_from,
        checked_at=player.checked_at,
        exclusions=tuple(
            ExclusionHeld(own, one.since, one.until)
            for own, one in held
            if one is not None and one.holds(now)
        ),
        places=tuple(sorted(player.places)),
    )


@dataclass(frozen=True, slots=True)
class MemberReading:
    """A person on the staff list, as administrators see them."""

    name: str
    role: Role
    enabled: bool
    locked: bool
    has_totp: bool
    must_change: bool
    sessions: int
    last_login_at: datetime | None
    before_last_login_at: datetime | None


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a password and a code are verified against."""

    password_hash: str
    earlier_hashes: tuple[str, ...]
    totp: str | None
    totp_step: int


class StaffReading:
    """The staff list at this moment: who logs in, whose session lasts, and what is asked of them."""

    __slots__ = ("_list",)

    def __init__(self, staff: StaffState) -> None:
        self._list = staff

    @property
    def policy(self) -> StaffPolicy:
        return self._list.policy

    @property
    def sessions(self) -> Mapping[str, Session]:
        """The logins that have not ended, by the digest of their token."""
        return MappingProxyType(self._list.sessions)

    @property
    def for_money(self) -> bool:
        """Whether this record ever played for money."""
        return self._list.for_money

    @property
    def is_empty(self) -> bool:
        """Whether nobody was ever put on the list."""
        return not self._list.members

    def never(self, command: AnyStaffCommand) -> Refusal | None:
        """Why a command would be refused whoever asked for it, or none."""
        return self._list.never(command)

    def dues(self, name: str, now: datetime) -> tuple[str, ...]:
        """What a person must do before anything else."""
        return tuple(self._list.dues(name, now))

    def credentials(self, name: str) -> Credentials | None:
        """Of a person on the list; none when nobody has the name."""
        member = self._list.members.get(name)
        if member is None:
            return None
        return Credentials(member.password_hash, member.earlier_hashes, member.totp, member.totp_step)

    def member(self, name: str, now: datetime) -> MemberReading | None:
        """One person of the list; none when nobody has the name."""
        member = self._list.members.get(name)
        return None if member is None else self._shown(member, now)

    def members(self, now: datetime) -> list[MemberReading]:
        """Everyone on the list."""
        return [self._shown(member, now) for member in self._list.members.values()]

    def _shown(self, member: Member, now: datetime) -> MemberReading:
        name = member.name
        return MemberReading(
            name=name,
            role=member.role,
            enabled=member.enabled,
            locked=self._list.attempts.is_locked(name, now),
            has_totp=member.totp is not None,
            must_change=member.must_change,
            sessions=len(self._list.sessions_of(name)),
            last_login_at=member.last_login_at,
            before_last_login_at=member.before_last_login_at,
        )
