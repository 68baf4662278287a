"""Acts on the staff list: joining and leaving, passwords, second factors, logins.

Every attempt to log in is on the record. A name that nobody has is locked out like any other, so that nothing
in the answers tells which names there are.
"""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import singledispatchmethod
from typing import Any, Final

from taisai.floor.desks.decider import Decision, Done, HouseCommand, HouseEvent, Noted
from taisai.floor.desks.kind import DeskKind
from taisai.floor.permits import not_permitted
from taisai.floor.staff import messages as msg
from taisai.floor.staff.attempts import attempt_place
from taisai.floor.staff.state import Member, Session, StaffList, plain_name
from taisai.floor.streams import STAFF
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode, by_house

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{1,31}")
_NO_STAFF_ROLES = frozenset({Role.PLAYER, Role.SYSTEM})
_POLICY_RANGES: Final = {
    "failures_max": (1, 100),
    "lock_minutes": (0, 525_600),
    "idle_minutes": (1, 1_440),
    "session_hours_max": (1, 168),
    "password_length_min": (8, 128),
    "password_signs_min": (1, 64),
    "password_days_max": (1, 3_650),
    "passwords_remembered": (0, 50),
}

__all__ = ["Member", "Session", "StaffState", "plain_name", "staff_desk"]


_Attempt = msg.LogIn | msg.ChangePassword | msg.SetTotp


class StaffState(StaffList):
    """The staff list, deciding."""

    def decide(self, command: msg.AnyStaffCommand, act_id: str) -> Decision:
        return not_permitted(command) or self._alone(command) or self._decide(command)

    def _alone(self, command: msg.AnyStaffCommand) -> Refusal | None:
        """Why one person, or these two, may not do this. The house itself acts at its first start."""
        if command.by.role is Role.SYSTEM or not self.takes_two(command):
            return None
        return self.not_theirs(command)

    def never(self, command: msg.AnyStaffCommand) -> Refusal | None:
        """Why an act cannot be done whoever agrees to it, or none: nobody is asked to agree in vain."""
        decision = self._decide(command)
        return decision if isinstance(decision, Refusal) else None

    @singledispatchmethod
    def _decide(self, command: Any) -> Decision:
        return super().decide(command, "")

    @_decide.register
    def _set_policy(self, command: msg.SetStaffPolicy) -> Decision:
        faults = policy_faults(command.policy)
        if faults:
            return by_house(RefusalCode.SETTING_INVALID, faults=faults)
        return [msg.StaffPolicySet(**_said(command), policy=command.policy, before=self.policy)]

    @_decide.register
    def _add(self, command: msg.AddStaff) -> Decision:
        refusal = self._weak(command.facts)
        if refusal:
            return refusal
        name = command.name
        if not _NAME.fullmatch(name) or command.role in _NO_STAFF_ROLES:
            return by_house(RefusalCode.NAME_INVALID, name=name, role=str(command.role))
        if name in self.members:
            return by_house(RefusalCode.STAFF_EXISTS, name=name)
        return [
            msg.StaffAdded(**_said(command), name=name, role=command.role),
            msg.PasswordSet(
                **_said(command),
                name=name,
                password_hash=command.password_hash,
                must_change=command.must_change,
            ),
        ]

    @_decide.register
    def _change_role(self, command: msg.ChangeRole) -> Decision:
        member = self._known(command.name)
        if isinstance(member, Refusal):
            return member
        if command.role in _NO_STAFF_ROLES:
            return by_house(RefusalCode.NAME_INVALID, name=command.name, role=str(command.role))
        if command.role is member.role:
            return by_house(RefusalCode.NOTHING_CHANGES)
        if self._is_last_administrator(member):
            return by_house(RefusalCode.LAST_ADMINISTRATOR, name=command.name)
        changed = msg.RoleChanged(**_said(command), name=command.name, role=command.role, before=member.role)
        return [changed, *self._endings(command, command.name, "role-changed")]

    @_decide.register
    def _disable(self, command: msg.DisableStaff) -> Decision:
        member = self._known(command.name)
        if isinstance(member, Refusal):
            return member
        if not member.enabled:
            return by_house(RefusalCode.NOTHING_CHANGES)
        if self._is_last_administrator(member):
            return by_house(RefusalCode.LAST_ADMINISTRATOR, name=command.name)
        disabled = msg.StaffDisabled(by=command.by, at=command.at, name=command.name, reason=command.reason)
        return [disabled, *self._endings(command, command.name, "disabled")]

    @_decide.register
    def _enable(self, command: msg.EnableStaff) -> Decision:
        member = self._known(command.name)
        if isinstance(member, Refusal):
            return member
        if member.enabled:
            return by_house(RefusalCode.NOTHING_CHANGES)
        return [msg.StaffEnabled(**_said(command), name=command.name)]

    @_decide.register
    def _unlock(self, command: msg.UnlockStaff) -> Decision:
        member = self._known(command.name)
        if isinstance(member, Refusal):
            return member
        if not self.attempts.is_locked(command.name, command.at):
            return by_house(RefusalCode.NOTHING_CHANGES)
        return [msg.StaffUnlocked(by=command.by, at=command.at, name=command.name)]

    @_decide.register
    def _reset_password(self, command: msg.ResetPassword) -> Decision:
        member = self._known(command.name)
        if isinstance(member, Refusal):
            return member
        weak = self._weak(command.facts)
        if weak:
            return weak
        reset = msg.PasswordSet(
            **_said(command),
            name=command.name,
            password_hash=command.password_hash,
            must_change=True,
            reset=True,
        )
        return [reset, *self._endings(command, command.name, "password-changed")]

    @_decide.register
    def _change_password(self, command: msg.ChangePassword) -> Decision:
        member = self.members.get(command.by.name)
        if member is None or not member.enabled:
            return by_house(RefusalCode.STAFF_UNKNOWN, name=command.by.name)
        refusal = self._unproved(command, member, command.old_mark)
        if refusal:
            return refusal
        weak = self._weak(command.facts)
        if weak:
            return weak
        changed = msg.PasswordSet(
            by=command.by,
            at=command.at,
            name=member.name,
            password_hash=command.password_hash,
            must_change=False,
        )
        return [
            changed,
            *self._endings(command, member.name, "password-changed", but=command.token),
        ]

    @_decide.register
    def _renew_hash(self, command: msg.RenewHash) -> Decision:
        member = self.members.get(command.name)
        if member is None or command.old_mark != msg.mark(member.password_hash):
            return by_house(RefusalCode.STAFF_UNKNOWN, name=command.name)
        renewed = msg.PasswordSet(
            by=command.by,
            at=command.at,
            name=command.name,
            password_hash=command.password_hash,
            must_change=member.must_change,
            renewed=True,
        )
        return [renewed]

    @_decide.register
    def _set_totp(self, command: msg.SetTotp) -> Decision:
        member = self.members.get(command.name)
        is_own = command.by.name == command.name
        # Nobody sets up another's second factor; an administrator may take away a lost one.
        if not is_own and (command.secret is not None or not _administers(command.by)):
            return by_house(RefusalCode.ROLE_NOT_ALLOWED, least=str(Role.ADMINISTRATOR))
        if member is None:
            return by_house(RefusalCode.STAFF_UNKNOWN, name=command.name)
        if command.secret is None and member.totp is None:
            return by_house(RefusalCode.NOTHING_CHANGES)
        unproved = self._unproved(command, member, command.password_mark) if is_own else None
        if unproved:
            return unproved
        changed = msg.TotpChanged(
            **_said(command), name=command.name, secret=command.secret, step=command.step
        )
        return [changed, *([] if is_own else self._endings(command, command.name, "totp-changed"))]

    @_decide.register
    def _declare_incident(self, command: msg.DeclareStaffIncident) -> Decision:
        if not command.reason.strip() or not command.operator.strip():
            return by_house(RefusalCode.REASON_MISSING)
        pair = self.pair_left((command.about, *command.absent))
        if pair is not None:
            return by_house(RefusalCode.SECOND_IS_THERE, first=pair[0], second=pair[1])
        return [
            msg.StaffIncidentDeclared(
                by=command.by,
                at=command.at,
                operator=command.operator,
                about=command.about,
                act=command.act,
                reason=command.reason,
                absent=command.absent,
            )
        ]

    @_decide.register
    def _log_in(self, command: msg.LogIn) -> Decision:
        name = plain_name(command.name)
        locked = self._locked_out(command, name)
        if locked:
            return locked
        member = self.members.get(name)
        why = self._open_fault(member) if command.open else _login_fault(member, command)
        if why or member is None:
            return self._failed(command, name, why or "unknown")
        role = command.acting or member.role
        if not member.may_act_as(role):
            failed = msg.LoginFailed(
                by=command.by, at=command.at, name=name, why="position", **_from(command)
            )
            return Noted([failed], by_house(RefusalCode.ROLE_NOT_ALLOWED, least=str(role)))
        began = msg.LoggedIn(
            by=Actor(name, role),
            at=command.at,
            name=name,
            role=role,
            token=command.token,
            totp_step=command.totp_step if member.totp and not command.open else None,
            open=command.open,
            **_from(command),
        )
        replaced = self._endings(command, name, "replaced") if self.policy.one_session else ()
        return [*replaced, began]

    def _open_fault(self, member: Member | None) -> msg.FailureReason | None:
        """Why a press does not open the door: money was at stake here, or the person has a second factor."""
        if member is None:
            return "unknown"
        if self.for_money:
            return "password"
        if member.totp is not None:
            return "totp"
        return None if member.enabled else "disabled"

    @_decide.register
    def _note_money(self, command: msg.NoteMoneyPlay) -> Decision:
        if self.for_money:
            return by_house(RefusalCode.NOTHING_CHANGES)
        return [msg.MoneyPlayNoted(by=command.by, at=command.at)]

    @_decide.register
    def _log_out(self, command: msg.LogOut) -> Decision:
        session = self.sessions.get(command.token)
        if session is None:
            return []  # it has ended already: that is what was asked for
        return [_ended(command.by, command.at, session, command.why)]

    def _unproved(
        self, command: msg.ChangePassword | msg.SetTotp, member: Member, shown: str
    ) -> Noted | None:
        """Why somebody who is logged in may not change what they log in with: it counts like a login."""
        locked = self._locked_out(command, member.name)
        if locked:
            return locked
        if shown != msg.mark(member.password_hash):
            return self._failed(command, member.name, "password")
        if not isinstance(command, msg.SetTotp) or member.totp is None:
            return None
        if command.old_step is None or command.old_step <= member.totp_step:
            return self._failed(command, member.name, "totp")
        return None

    def _locked_out(self, command: _Attempt, name: str) -> Noted | None:
        """An attempt under a name that is locked where it comes from: on the record, and it lifts nothing."""
        lock = self.attempts.lock(name, _place(command), command.at)
        if lock is None:
            return None
        failed = msg.LoginFailed(by=command.by, at=command.at, name=name, why="locked", **_from(command))
        return Noted([failed], _locked(lock.locked_until))

    def _failed(self, command: _Attempt, name: str, why: msg.FailureReason) -> Noted:
        """A failed attempt, and the lock-out when it was one too many."""
        events: list[HouseEvent] = [
            msg.LoginFailed(by=command.by, at=command.at, name=name, why=why, **_from(command))
        ]
        attempts = self.attempts.at(name, _place(command))
        # A lock-out that has passed leaves nothing behind: counting starts again.
        failures = 1 if attempts.locked else attempts.failures + 1
        refusal = by_house(RefusalCode.LOGIN_FAILED)
        if failures >= self.policy.failures_max:
            minutes = self.policy.lock_minutes
            until = command.at + timedelta(minutes=minutes) if minutes else None
            locked = msg.StaffLocked(
                by=command.by, at=command.at, name=name, failures=failures, until=until, **_from(command)
            )
            events.append(locked)
            refusal = _locked(until)
        return Noted(events, refusal)

    def _known(self, name: str) -> Member | Refusal:
        return self.members.get(name) or by_house(RefusalCode.STAFF_UNKNOWN, name=name)

    def _is_last_administrator(self, member: Member) -> bool:
        """A house without an administrator could never be opened again."""
        others = (other for other in self.members.values() if other.name != member.name and other.enabled)
        return member.role is Role.ADMINISTRATOR and all(
            other.role is not Role.ADMINISTRATOR for other in others
        )

    def _weak(self, facts: msg.PasswordFacts) -> Refusal | None:
        faults = list(password_faults(facts, self.policy))
        return by_house(RefusalCode.PASSWORD_WEAK, faults=faults) if faults else None

    def _endings(
        self, command: HouseCommand, name: str, why: msg.LogoutReason, *, but: str = ""
    ) -> list[HouseEvent]:
        return [
            _ended(command.by, command.at, session, why)
            for session in self.sessions_of(name)
            if session.token != but
        ]


def policy_faults(policy: msg.StaffPolicy) -> list[str]:
    """Everything that keeps a policy from being used."""
    seconds = set(policy.seconds)
    faults = [] if seconds and not seconds & _NO_STAFF_ROLES else ["seconds: expected positions of the staff"]
    return faults + [
        f"{name}: expected {low} to {high}, got {value}"
        for name, (low, high) in _POLICY_RANGES.items()
        if (value := getattr(policy, name)) is not None and not low <= value <= high
    ]


def password_faults(facts: msg.PasswordFacts, policy: msg.StaffPolicy) -> Iterator[str]:
    """What a password lacks."""
    if facts.length < policy.password_length_min:
        yield f"at least {policy.password_length_min} characters"
    if facts.signs < policy.password_signs_min:
        yield f"at least {policy.password_signs_min} different characters"
    if facts.holds_name:
        yield "not the name in it"
    if facts.reused:
        yield "not one of the last passwords"


def staff_desk() -> "DeskKind[StaffState]":
    """The desk of the staff list."""
    return DeskKind(name=STAFF, stream=STAFF, events=msg.AnyStaffEvent, answers=Done, fresh=StaffState)


def _said(command: msg.SecondedCommand) -> dict[str, Any]:
    """Who did it, with whom, when and why."""
    return {"by": command.by, "at": command.at, "second": command.second, "reason": command.reason}


def _from(command: _Attempt) -> dict[str, Any]:
    """Where an attempt comes from."""
    return {"where": command.where, "known": isinstance(command, msg.LogIn) and command.known}


def _place(command: _Attempt) -> str:
    return attempt_place(**_from(command))


def _administers(by: Actor) -> bool:
    return by.role in (Role.ADMINISTRATOR, Role.SYSTEM)


def _login_fault(member: Member | None, command: msg.LogIn) -> msg.FailureReason | None:
    """What is wrong with a login, in the order in which it is checked. The answer never tells."""
    if member is None:
        return "unknown"
    if command.password_mark != msg.mark(member.password_hash):
        return "password"
    if member.totp is not None and command.totp_step is None:
        return "totp"
    if member.totp is not None and command.totp_step is not None and command.totp_step <= member.totp_step:
        return "totp-repeated"
    return None if member.enabled else "disabled"


def _locked(until: datetime | None) -> Refusal:
    facts = {"until": until.isoformat(timespec="seconds")} if until else {}
    return by_house(RefusalCode.LOGIN_LOCKED, **facts)


def _ended(by: Actor, at: datetime, session: Session, why: msg.LogoutReason) -> msg.LoggedOut:
    return msg.LoggedOut(by=by, at=at, name=session.name, token=session.token, why=why)
