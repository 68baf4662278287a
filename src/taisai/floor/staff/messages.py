"""What is asked of the staff list, and what stands on its stream. No password, no token is in any of it."""

from datetime import datetime
from hashlib import sha256
from typing import Literal

import msgspec

from taisai.floor.desks.decider import HouseCommand, HouseEvent
from taisai.game.people import Actor, Role


class StaffPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """What the house asks of logins and passwords.

    `lock_minutes` 0 locks until an administrator unlocks. `password_days_max` none never asks for another
    password; regulated houses set 90. Roles in `totp_roles` must have a second factor. `seconds` are the
    positions that agree to what an administrator does to the staff list.
    """

    failures_max: int = 5
    lock_minutes: int = 15
    idle_minutes: int = 15
    session_hours_max: int = 12
    one_session: bool = True
    password_length_min: int = 12
    password_signs_min: int = 5
    password_days_max: int | None = None
    passwords_remembered: int = 4
    totp_roles: list[Role] = []
    seconds: list[Role] = msgspec.field(default_factory=lambda: [Role.CASINO_MANAGER, Role.AUDITOR])


class PasswordFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What may be known of a password: how long it is, how many different signs it has, what it repeats."""

    length: int
    signs: int
    holds_name: bool = False
    reused: bool = False


LogoutReason = Literal[
    "asked", "idle", "too-long", "replaced", "disabled", "role-changed", "password-changed", "totp-changed"
]
FailureReason = Literal["unknown", "password", "totp", "totp-repeated", "disabled", "locked", "position"]


def mark(password_hash: str) -> str:
    """What a login shows of the hash that its password matched, so that a hash changed meanwhile is seen."""
    return sha256(password_hash.encode()).hexdigest()


def token_digest(token: str) -> str:
    """What is kept of a session's token."""
    return sha256(token.encode()).hexdigest()


class SecondedCommand(HouseCommand, frozen=True, kw_only=True):
    """An act on the staff list that takes two people, always or in some cases."""

    second: Actor | None = None
    reason: str = ""


class SetStaffPolicy(SecondedCommand, frozen=True, kw_only=True):
    """Change what is asked of logins and passwords."""

    policy: StaffPolicy


class AddStaff(SecondedCommand, frozen=True, kw_only=True):
    """A new person, with a password that they change at their first login."""

    name: str
    role: Role
    password_hash: str
    facts: PasswordFacts
    must_change: bool = True


class ChangeRole(SecondedCommand, frozen=True, kw_only=True):
    """Give a person another position."""

    name: str
    role: Role


class DisableStaff(HouseCommand, frozen=True, kw_only=True):
    """A person has left or is suspended: no login, and open sessions end."""

    name: str
    reason: str = ""


class EnableStaff(SecondedCommand, frozen=True, kw_only=True):
    """A disabled person may log in again."""

    name: str


class UnlockStaff(HouseCommand, frozen=True, kw_only=True):
    """End a lock-out before its time."""

    name: str


class ResetPassword(SecondedCommand, frozen=True, kw_only=True):
    """An administrator gives a person a password to be changed at the next login."""

    name: str
    password_hash: str
    facts: PasswordFacts


class ChangePassword(HouseCommand, frozen=True, kw_only=True):
    """A person changes their own password. `old_mark` is the mark of the hash that the old one matched."""

    old_mark: str
    password_hash: str
    facts: PasswordFacts
    token: str = ""
    where: str = ""


class RenewHash(HouseCommand, frozen=True, kw_only=True):
    """The same password under stronger settings of the hash, at a login."""

    name: str
    old_mark: str
    password_hash: str


class SetTotp(SecondedCommand, frozen=True, kw_only=True):
    """A person's second factor, sealed (none removes it); `step` is that of the code which proved it.

    Who changes their own shows the password, by the mark of its hash, and the step of a code of the old one.
    """

    name: str
    secret: str | None
    step: int = 0
    password_mark: str = ""
    old_step: int | None = None
    where: str = ""


class DeclareStaffIncident(HouseCommand, frozen=True, kw_only=True):
    """Nobody is left who could second: `operator`, who has the house's keys, acts with the server stopped.

    `about` is the person whom the act that follows concerns, `absent` are those who cannot act.
    """

    operator: str
    about: str
    act: str
    reason: str
    absent: tuple[str, ...] = ()


class LogIn(HouseCommand, frozen=True, kw_only=True):
    """An attempt to log in, after the password was verified outside.

    `password_mark` is the mark of the stored hash that the password matched, empty when it did not.
    `totp_step` is the time step of a right code. `acting` is the position to act in, none for one's own.
    `known` is a device that logged in under the name before. `open` is a press in a house where anyone may
    be anyone: nothing was shown.
    """

    name: str
    password_mark: str
    token: str
    totp_step: int | None = None
    acting: Role | None = None
    where: str = ""
    known: bool = False
    open: bool = False


class NoteMoneyPlay(HouseCommand, frozen=True, kw_only=True):
    """The house plays for money: from now on nobody comes in without showing anything, whatever is set."""


class LogOut(HouseCommand, frozen=True, kw_only=True):
    """End a session, named by its token's digest."""

    token: str
    why: LogoutReason = "asked"


AnyStaffCommand = (
    SetStaffPolicy
    | AddStaff
    | ChangeRole
    | DisableStaff
    | EnableStaff
    | UnlockStaff
    | ResetPassword
    | ChangePassword
    | RenewHash
    | SetTotp
    | DeclareStaffIncident
    | LogIn
    | LogOut
    | NoteMoneyPlay
)


class SecondedEvent(HouseEvent, frozen=True, kw_only=True):
    """What two people did to the staff list. Before version 0.2, and at the first start, it has no second."""

    second: Actor | None = None
    reason: str = ""


class StaffPolicySet(SecondedEvent, frozen=True, kw_only=True):
    """From now on this is asked of logins and passwords; what was asked before stands beside it."""

    policy: StaffPolicy
    before: StaffPolicy


class StaffAdded(SecondedEvent, frozen=True, kw_only=True):
    """A person joined the staff list."""

    name: str
    role: Role


class RoleChanged(SecondedEvent, frozen=True, kw_only=True):
    """A person has another position."""

    name: str
    role: Role
    before: Role


class StaffDisabled(HouseEvent, frozen=True, kw_only=True):
    """A person can no longer log in."""

    name: str
    reason: str


class StaffEnabled(SecondedEvent, frozen=True, kw_only=True):
    """A person can log in again."""

    name: str


class StaffLocked(HouseEvent, frozen=True, kw_only=True):
    """Too many failed attempts under this name from a place; none as `until` waits for an administrator.

    Before version 0.2 it had no place, and held everywhere.
    """

    name: str
    failures: int
    until: datetime | None
    where: str = ""
    known: bool = False


class StaffUnlocked(HouseEvent, frozen=True, kw_only=True):
    """A lock-out was ended."""

    name: str


class PasswordSet(SecondedEvent, frozen=True, kw_only=True):
    """A person's password hash; `renewed` when only the hash changed, `reset` when others set it anew."""

    name: str
    password_hash: str
    must_change: bool
    renewed: bool = False
    reset: bool = False


class TotpChanged(SecondedEvent, frozen=True, kw_only=True):
    """A person's second factor, sealed, or none."""

    name: str
    secret: str | None
    step: int


class StaffIncidentDeclared(HouseEvent, frozen=True, kw_only=True):
    """With the server stopped somebody changed the staff list, because nobody was left who could second."""

    operator: str
    about: str
    act: str
    reason: str
    absent: tuple[str, ...]


class LoggedIn(HouseEvent, frozen=True, kw_only=True):
    """A session began. `role` is the position acted in; `open` was a press by whoever it was."""

    name: str
    role: Role
    token: str
    totp_step: int | None
    where: str
    known: bool = False
    open: bool = False


class MoneyPlayNoted(HouseEvent, frozen=True, kw_only=True):
    """This record plays for money, and does so for ever."""


class LoginFailed(HouseEvent, frozen=True, kw_only=True):
    """An attempt failed; `name` is what was supplied."""

    name: str
    why: FailureReason
    where: str
    known: bool = False


class LoggedOut(HouseEvent, frozen=True, kw_only=True):
    """A session ended."""

    name: str
    token: str
    why: LogoutReason


AnyStaffEvent = (
    StaffPolicySet
    | StaffAdded
    | RoleChanged
    | StaffDisabled
    | StaffEnabled
    | StaffLocked
    | StaffUnlocked
    | PasswordSet
    | TotpChanged
    | StaffIncidentDeclared
    | LoggedIn
    | LoginFailed
    | LoggedOut
    | MoneyPlayNoted
)
