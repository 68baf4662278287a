"""The staff list as its stream tells it: people, credentials, lock-outs and sessions."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec

from taisai.errors import InvariantBroken
from taisai.floor.desks.decider import HouseEvent, MoneylessState
from taisai.floor.permits import SecondRule, permit_of, second_rule
from taisai.floor.staff import messages as msg
from taisai.floor.staff.attempts import AttemptBook, attempt_place
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode, by_house
from taisai.plain_text import without_controls

NAME_LEN_MAX: Final = 64
NOTICES_KEPT: Final = 20
# Told at the next login, and for a while after it: the next login may not have been theirs.
_TOLD_FOR: Final = timedelta(days=7)


class StaffNotice(msgspec.Struct, frozen=True, kw_only=True):
    """What others did to a person's account, to be told to that person."""

    what: str
    by: str
    second: str | None
    at: datetime
    reason: str


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
    notices: tuple[StaffNotice, ...] = ()

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
    told: tuple[StaffNotice, ...] = ()

    @property
    def actor(self) -> Actor:
        return Actor(self.name, self.role)


@dataclass
class StaffList(MoneylessState):
    """What is known of the staff; `staff.StaffState` decides on it."""

    policy: msg.StaffPolicy = field(default_factory=msg.StaffPolicy)
    members: dict[str, Member] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    attempts: AttemptBook = field(default_factory=AttemptBook)
    # Whether this record ever played for money. Before version 0.2 the first start tells: a house for play
    # money asks nobody to change the first password.
    for_money: bool = False

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

    def standing(self, person: Actor) -> Actor | None:
        """A person in the position that they have now; none for who was disabled.

        Whoever is not on the list is who they say: the house, or somebody whom another system vouches for.
        """
        member = self.members.get(person.name)
        if member is None or (member.enabled and member.may_act_as(person.role)):
            return person
        return Actor(person.name, member.role) if member.enabled else None

    def rule_of(self, act: str) -> SecondRule | None:
        """Who agrees to an act in this house, if it takes two people."""
        rule = second_rule(act)
        if rule is None or not rule.seconds:
            return rule
        return msgspec.structs.replace(rule, seconds=frozenset(self.policy.seconds))

    def not_theirs(self, command: Any) -> Refusal | None:
        """Why an act of two people is not theirs in the positions that they have at this moment."""
        by, second = self.standing(command.by), command.second and self.standing(command.second)
        rule = self.rule_of(type(command).__name__)
        if rule is None:
            return None
        if by is None or by.role not in permit_of(command).who:
            return by_house(RefusalCode.ASKER_GONE, name=command.by.name)
        if command.second is not None and second is None:
            return by_house(RefusalCode.ASKER_GONE, name=command.second.name)
        return rule.lack(by, second)

    def takes_two(self, command: Any) -> bool:
        """Whether an act on this list takes a second person, as the list is now."""
        match command:
            case msg.SetTotp():
                return command.secret is None and command.by.name != command.name
            case msg.ChangeRole():
                member = self.members.get(command.name)
                return member is not None and not Actor(member.name, member.role).is_at_least(command.role)
            case _:
                return permit_of(command).second is not None

    def pair_left(self, without: Iterable[str]) -> tuple[str, str] | None:
        """An administrator and somebody else who could second, among those who are not `without`."""
        there = [each for each in self.members.values() if each.enabled and each.name not in set(without)]
        for first in (each for each in there if each.role is Role.ADMINISTRATOR):
            for second in there:
                if second.name != first.name and second.role in self.policy.seconds:
                    return first.name, second.name
        return None

    def evolve(self, event: msg.AnyStaffEvent) -> None:
        """Apply one event of the staff list's stream."""
        self.for_money = self.for_money or isinstance(event, msg.MoneyPlayNoted)
        self._apply(event)
        if isinstance(event, _TOLD) and event.by.name != event.name and _is_told(event):
            self._note(event.name, event)

    def _note(self, name: str, event: HouseEvent) -> None:
        second: Actor | None = getattr(event, "second", None)
        notice = StaffNotice(
            what=type(event).__name__,
            by=event.by.name,
            second=second.name if second else None,
            at=event.at,
            reason=getattr(event, "reason", ""),
        )
        member = self.members[name]
        member.notices = (*member.notices, notice)[-NOTICES_KEPT:]

    def _apply(self, event: msg.AnyStaffEvent) -> None:
        match event:
            case msg.StaffPolicySet():
                self.policy = event.policy
            case msg.StaffAdded():
                self.members[event.name] = Member(event.name, event.role)
                self.attempts.joined(event.name)
            case msg.RoleChanged():
                self.members[event.name].role = event.role
            case msg.StaffDisabled():
                self.members[event.name].enabled = False
            case msg.StaffEnabled():
                self.members[event.name].enabled = True
            case msg.StaffUnlocked():
                self.attempts.forget(event.name)
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
        if len(self.members) == 1 and event.must_change and not (event.renewed or event.reset):
            self.for_money = True

    def _begin(self, event: msg.LoggedIn) -> None:
        if event.token in self.sessions:
            raise InvariantBroken("two sessions have one token")
        member = self.members[event.name]
        before = member.last_login_at
        told = tuple(
            notice
            for notice in member.notices
            if before is None or notice.at >= min(before, event.at - _TOLD_FOR)
        )
        self.sessions[event.token] = Session(event.name, event.role, event.token, event.at, event.where, told)
        self.attempts.forget(event.name, attempt_place(event.where, known=event.known))
        member.before_last_login_at, member.last_login_at = member.last_login_at, event.at
        if event.totp_step is not None:
            member.totp_step = event.totp_step

    def _count_failure(self, event: msg.LoginFailed | msg.StaffLocked) -> None:
        if isinstance(event, msg.LoginFailed) and event.why in ("locked", "position"):
            return
        place = attempt_place(event.where, known=event.known)
        if isinstance(event, msg.StaffLocked):
            self.attempts.locked(event.name, place, event.until)
        else:
            self.attempts.failed(event.name, place)


_TOLD: Final = (
    msg.StaffAdded
    | msg.RoleChanged
    | msg.StaffDisabled
    | msg.StaffEnabled
    | msg.StaffUnlocked
    | msg.PasswordSet
    | msg.TotpChanged
)


def _is_told(event: HouseEvent) -> bool:
    """Neither the first start is news to those whom it made, nor a password that comes with an account."""
    if isinstance(event, msg.StaffAdded):
        return event.by.role is not Role.SYSTEM
    return not isinstance(event, msg.PasswordSet) or event.reset


def plain_name(raw: str) -> str:
    """A name as it was typed at a login, in the form in which names are kept."""
    return without_controls(raw.strip().casefold())[:NAME_LEN_MAX]
