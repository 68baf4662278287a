"""The staff list as its stream tells it: people, credentials, lock-outs and sessions."""

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from taisai.errors import InvariantBroken
from taisai.floor.desks.decider import MoneylessState
from taisai.floor.staff import messages as msg
from taisai.game.people import Actor, Role

NAME_LEN_MAX: Final = 64
STRANGERS_MAX: Final = 1_000  # names that nobody has, remembered for their lock-out


@dataclass(slots=True)
class Attempts:
    """Failed logins in a row under one name."""

    failures: int = 0
    locked: bool = False
    locked_until: datetime | None = None

    def is_locked(self, now: datetime) -> bool:
        return self.locked and (self.locked_until is None or now < self.locked_until)


@dataclass(slots=True)
class Member:
    """One person of the staff."""

    name: str
    role: Role
    password_hash: str = ""
    password_at: datetime | None = None
    must_change: bool = True
    enabled: bool = True
    totp: str | None = None
    totp_step: int = 0
    earlier_hashes: tuple[str, ...] = ()
    last_login_at: datetime | None = None
    before_last_login_at: datetime | None = None

    def may_act_as(self, role: Role) -> bool:
        """One's own position, or a lower one in the line of command (1.5)."""
        return role is self.role or Actor(self.name, self.role).is_at_least(role)


@dataclass(frozen=True, slots=True)
class Session:
    """A login that has not ended. `role` is the position acted in."""

    name: str
    role: Role
    token: str
    since: datetime
    where: str

    @property
    def actor(self) -> Actor:
        return Actor(self.name, self.role)


@dataclass
class StaffList(MoneylessState):
    """What is known of the staff; `staff.StaffState` decides on it."""

    policy: msg.StaffPolicy = field(default_factory=msg.StaffPolicy)
    members: dict[str, Member] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    attempts: dict[str, Attempts] = field(default_factory=dict)
    strangers: "OrderedDict[str, Attempts]" = field(default_factory=OrderedDict)

    def password_hash(self, name: str) -> str | None:
        """The hash that a password is verified against, or none when nobody has the name."""
        member = self.members.get(plain_name(name))
        return member.password_hash if member else None

    def dues(self, name: str, now: datetime) -> list[str]:
        """What a person must do before anything else: change the `password`, set up `totp`."""
        member, policy = self.members[name], self.policy
        days = policy.password_days_max
        old = days is not None and (
            member.password_at is None or now - member.password_at >= timedelta(days=days)
        )
        due = ["password"] if member.must_change or old else []
        return [*due, "totp"] if member.role in policy.totp_roles and member.totp is None else due

    def sessions_of(self, name: str) -> list[Session]:
        return [session for session in self.sessions.values() if session.name == name]

    def attempts_of(self, name: str) -> Attempts:
        """The failed logins under a name, whether or not somebody has it."""
        return self.attempts.get(name) or self.strangers.get(name) or Attempts()

    def evolve(self, event: msg.AnyStaffEvent) -> None:
        """Apply one event of the staff list's stream."""
        match event:
            case msg.StaffPolicySet():
                self.policy = event.policy
            case msg.StaffAdded():
                self.members[event.name] = Member(event.name, event.role)
                self.attempts[event.name] = self.strangers.pop(event.name, Attempts())
            case msg.RoleChanged():
                self.members[event.name].role = event.role
            case msg.StaffDisabled():
                self.members[event.name].enabled = False
            case msg.StaffEnabled():
                self.members[event.name].enabled = True
            case msg.StaffUnlocked():
                self.attempts[event.name] = Attempts()
            case msg.PasswordSet():
                self._set_password(event)
            case msg.TotpChanged():
                member = self.members[event.name]
                member.totp, member.totp_step = event.secret, event.step
            case msg.LoggedIn():
                self._begin(event)
            case msg.LoginFailed() | msg.StaffLocked():
                self._count_failure(event)
            case msg.LoggedOut():
                self.sessions.pop(event.token, None)

    def _set_password(self, event: msg.PasswordSet) -> None:
        member = self.members[event.name]
        if not event.renewed:
            kept = (member.password_hash, *member.earlier_hashes) if member.password_hash else ()
            member.earlier_hashes = kept[: self.policy.passwords_remembered]
            member.password_at = event.at
        member.password_hash, member.must_change = event.password_hash, event.must_change

    def _begin(self, event: msg.LoggedIn) -> None:
        if event.token in self.sessions:
            raise InvariantBroken("two sessions have one token")
        self.sessions[event.token] = Session(event.name, event.role, event.token, event.at, event.where)
        self.attempts[event.name] = Attempts()
        member = self.members[event.name]
        member.before_last_login_at, member.last_login_at = member.last_login_at, event.at
        if event.totp_step is not None:
            member.totp_step = event.totp_step

    def _count_failure(self, event: msg.LoginFailed | msg.StaffLocked) -> None:
        if isinstance(event, msg.LoginFailed) and event.why in ("locked", "position"):
            return
        known = self.attempts if event.name in self.members else self.strangers
        attempts = known.setdefault(event.name, Attempts())
        if isinstance(event, msg.StaffLocked):
            attempts.locked, attempts.locked_until = True, event.until
        elif attempts.locked:
            known[event.name] = Attempts(1)
        else:
            attempts.failures += 1
        while len(self.strangers) > STRANGERS_MAX:
            self.strangers.popitem(last=False)


def plain_name(raw: str) -> str:
    """A name as it was typed at a login, in the form in which names are kept."""
    return raw.strip().casefold()[:NAME_LEN_MAX]
