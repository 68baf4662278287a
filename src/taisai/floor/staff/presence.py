"""Who is there now: idle time-outs of staff sessions, in memory. The record holds logins and logouts."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Protocol

from taisai.floor.staff.messages import LogoutReason, StaffPolicy
from taisai.floor.staff.state import Session
from taisai.game.refusals import Refusal, RefusalCode, by_house


class OpenSessions(Protocol):
    """The logins that have not ended, and how long they may last."""

    @property
    def policy(self) -> StaffPolicy: ...
    @property
    def sessions(self) -> Mapping[str, Session]: ...


class StaffPresence:
    """When each session's person last acted. After a restart a session counts from its login."""

    def __init__(self) -> None:
        self._seen: dict[str, datetime] = {}
        self._news: dict[str, datetime] = {}

    def admit(self, staff: OpenSessions, token: str, now: datetime, *, acted: bool) -> Session | Refusal:
        """The session of a token's digest, kept awake when its person acted; or why it has ended.

        What a page asks for by itself, again and again, is nobody's act.
        """
        session = staff.sessions.get(token)
        if session is None:
            self._seen.pop(token, None)
            return by_house(RefusalCode.SESSION_ENDED, why="logged-out")
        why = self._overdue(staff, session, now)
        if why:
            return by_house(RefusalCode.SESSION_ENDED, why=why)
        if acted:
            self._seen[token] = self._news[token] = now
        return session

    def news(self) -> dict[str, datetime]:
        """Who acted since this was asked last, for processes that let the same people in."""
        news, self._news = self._news, {}
        return news

    def heard(self, seen: Mapping[str, datetime]) -> None:
        """Who acted at another process."""
        for token, at in seen.items():
            self._seen[token] = max(at, self._seen.get(token, at))

    def overdue(self, staff: OpenSessions, now: datetime) -> list[tuple[Session, LogoutReason]]:
        """Sessions to be logged out, and why; also forgets those that have ended."""
        self._seen = {token: seen for token, seen in self._seen.items() if token in staff.sessions}
        self._news = {token: seen for token, seen in self._news.items() if token in staff.sessions}
        found = ((session, self._overdue(staff, session, now)) for session in staff.sessions.values())
        return [(session, why) for session, why in found if why]

    def _overdue(self, staff: OpenSessions, session: Session, now: datetime) -> LogoutReason | None:
        seen = self._seen.get(session.token, session.since)
        if now - seen >= timedelta(minutes=staff.policy.idle_minutes):
            return "idle"
        if now - session.since >= timedelta(hours=staff.policy.session_hours_max):
            return "too-long"
        return None
