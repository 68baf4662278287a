"""Who is at the door: logins, sessions, and the token that shows a page is ours."""

import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from taisai.adapters.clock import SystemEntropy
from taisai.adapters.people.passwords import Passwords
from taisai.adapters.people.totp import TOTP_ABOUT, matching_step, new_secret
from taisai.adapters.sealing import Sealer
from taisai.errors import InputError, UnknownName
from taisai.floor.approvals.asked import StaffAct
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.door.answers import Answer
from taisai.floor.ports import Floor
from taisai.floor.reading.people import Credentials
from taisai.floor.staff.acts import plain_name
from taisai.floor.staff.messages import ChangePassword, LogIn, LogOut, RenewHash, SetTotp, mark, token_digest
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode
from taisai.server.access.hashing import Hashing
from taisai.server.access.slow_down import SlowDown

# Secrets of second factors that are being set up, by session; none of them leaves its process unsealed.
_OFFERS: Final = "second factors"
_OFFER_ABOUT: Final = "a second factor that is being set up in {session}"
_OFFER_SECONDS: Final = 3_600.0
DEVICE_ABOUT: Final = "a device that logged in"
# In whose name somebody who is not known yet logs in, and a session is ended.
_DOORS: Final = Actor("doors", Role.SYSTEM)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who has logged in, in the position they act in."""

    actor: Actor
    token: str  # the digest: what the record knows
    csrf: str
    dues: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Admitted:
    """A new session: the token goes into the cookie and nowhere else."""

    token: str
    person: Person


@dataclass(frozen=True, slots=True)
class TotpProof:
    """What somebody shows who sets up a second factor."""

    password: str
    code: str
    old_code: str


@dataclass
class Doors:
    """Lets staff in and keeps track of who is there."""

    house: Floor
    passwords: Passwords
    sealer: Sealer

    def __post_init__(self) -> None:
        self.presence = self.house.staff_presence
        self._csrf_key = self.sealer.derived("pages")  # a page is ours at every gateway
        self._hashing = Hashing()
        self._slow = SlowDown(self.house.timer, self.house.keeping)

    def admit(self, token: str, now: datetime, *, acted: bool) -> Person | Refusal:
        """The person that a cookie belongs to, kept awake if they acted; or why they are not let in."""
        digest = token_digest(token)
        staff = self.house.read.staff()
        session = self.presence.admit(staff, digest, now, acted=acted)
        if isinstance(session, Refusal):
            return session
        return self._person(token, session.actor, staff.dues(session.name, now))

    def _person(self, token: str, actor: Actor, dues: tuple[str, ...]) -> Person:
        csrf = hmac.digest(self._csrf_key, token.encode(), "sha256").hex()
        return Person(actor, token_digest(token), csrf, dues)

    async def log_in(
        self, name: str, password: str, *, totp: str, acting: Role | None, where: str, device: str = ""
    ) -> Admitted | Refusal:
        """Verify outside of the desk, then let the staff list decide."""
        house, plain = self.house, plain_name(name)
        known = self.is_known(device, plain)
        if not known:
            await self._slow.turn(plain, where)
        member = house.read.staff().credentials(plain)
        stored = member.password_hash if member else None
        right = await self._verify(plain, stored, password, known=known)
        token = secrets.token_urlsafe(32)
        command = LogIn(
            by=SYSTEM,
            at=house.now(),
            name=name,
            password_mark=mark(stored) if right and stored else "",
            token=token_digest(token),
            totp_step=self._totp_step(plain, totp),
            acting=acting,
            where=where,
            known=known,
        )
        answer = await house.do(StaffAct(command), _DOORS, secrets.token_hex(16))
        if isinstance(answer, Refusal):
            if not known and answer.code is RefusalCode.LOGIN_FAILED:
                await self._slow.failed(plain)
            return answer
        if stored and self.passwords.needs_rehash(plain, stored):
            await self._renew(plain, stored, password)
        person = self.admit(token, house.now(), acted=True)
        return person if isinstance(person, Refusal) else Admitted(token, person)

    async def log_in_openly(self, name: str, *, where: str) -> Admitted | Refusal:
        """A press in a house where anyone may be anyone: the staff list decides whether it still is one."""
        token = secrets.token_urlsafe(32)
        digest = token_digest(token)
        at = self.house.now()
        command = LogIn(by=SYSTEM, at=at, name=name, password_mark="", token=digest, where=where, open=True)
        answer = await self.house.do(StaffAct(command), _DOORS, secrets.token_hex(16))
        if isinstance(answer, Refusal):
            return answer
        person = self.admit(token, self.house.now(), acted=True)
        return person if isinstance(person, Refusal) else Admitted(token, person)

    def _totp_step(self, name: str, code: str) -> int | None:
        member = self.house.read.staff().credentials(name)
        if member is None or member.totp is None or not code:
            return None
        secret = self.sealer.open(member.totp, about=TOTP_ABOUT.format(name=name))
        return matching_step(secret, code, self.house.now(), after=member.totp_step)

    def device(self, name: str) -> str:
        """What a browser keeps after a login, to be known again: it opens nothing by itself."""
        return self.sealer.seal(plain_name(name), about=DEVICE_ABOUT)

    def is_known(self, device: str, name: str) -> bool:
        """Whether a browser has logged in under this name before."""
        try:
            return self.sealer.open(device, about=DEVICE_ABOUT) == name
        except InputError:
            return False

    async def _verify(self, name: str, stored: str | None, password: str, *, known: bool) -> bool:
        return await self._hashing.run(self.passwords.verify, name, stored, password, known=known)

    async def hashed(self, name: str, password: str) -> str:
        """A password as the staff list keeps it."""
        return await self._hashing.run(self.passwords.hash, name, password, known=True)

    async def _renew(self, name: str, stored: str, password: str) -> None:
        renewed = RenewHash(
            by=SYSTEM,
            at=self.house.now(),
            name=name,
            old_mark=mark(stored),
            password_hash=await self.hashed(name, password),
        )
        await self.house.do(StaffAct(renewed), _DOORS, secrets.token_hex(16))

    async def log_out(self, person: Person) -> None:
        command = LogOut(by=person.actor, at=self.house.now(), token=person.token)
        await self.house.do(StaffAct(command), person.actor, secrets.token_hex(16))

    async def change_password(self, person: Person, old: str, new: str, *, where: str) -> Answer:
        """A person's own password; the session that asks goes on, all others end."""
        name = person.actor.name
        member = self._credentials(name)
        right = await self._verify(name, member.password_hash, old, known=True)
        earlier = (member.password_hash, *member.earlier_hashes)
        facts = await self._hashing.run(self.passwords.facts, name, new, earlier, known=True)
        command = ChangePassword(
            by=person.actor,
            at=self.house.now(),
            old_mark=mark(member.password_hash) if right else "",
            password_hash=await self.hashed(name, new),
            facts=facts,
            token=person.token,
            where=where,
        )
        return await self.house.do(StaffAct(command), person.actor, secrets.token_hex(16))

    def _credentials(self, name: str) -> Credentials:
        """Of somebody who is logged in."""
        found = self.house.read.staff().credentials(name)
        if found is None:
            raise UnknownName("person on the staff list", name, [])
        return found

    async def offer_totp(self, person: Person) -> str:
        """The secret of a second factor that is being set up: ours alone to make, the same until it holds."""
        offered = await self._offered(person)
        if offered is None:
            offered = new_secret(SystemEntropy())
            sealed = self.sealer.seal(offered, about=_OFFER_ABOUT.format(session=person.token))
            await self.house.keeping.keep(_OFFERS, person.token, sealed, seconds=_OFFER_SECONDS)
        return offered

    async def _offered(self, person: Person) -> str | None:
        sealed = await self.house.keeping.kept(_OFFERS, person.token)
        return sealed and self.sealer.open(sealed, about=_OFFER_ABOUT.format(session=person.token))

    async def set_totp(self, person: Person, proof: TotpProof, *, where: str) -> Answer:
        """A person's own second factor: with the password, and with a code of the old one if there is one."""
        secret, now, name = await self._offered(person), self.house.now(), person.actor.name
        if secret is None:
            raise InputError("expected a code of the secret that was offered, and none was in this session")
        step = matching_step(secret, proof.code, now)
        if step is None:
            raise InputError("the code does not belong to the secret")
        stored = self._credentials(name).password_hash
        right = await self._verify(name, stored, proof.password, known=True)
        command = SetTotp(
            by=person.actor,
            at=now,
            name=name,
            secret=self.sealer.seal(secret, about=TOTP_ABOUT.format(name=name)),
            step=step,
            password_mark=mark(stored) if right else "",
            old_step=self._totp_step(name, proof.old_code),
            where=where,
        )
        answer = await self.house.do(StaffAct(command), person.actor, secrets.token_hex(16))
        if not isinstance(answer, Refusal):
            await self.house.keeping.take(_OFFERS, person.token)
        return answer

    async def sweep(self) -> None:
        """End sessions whose time has passed."""
        staff, now = self.house.read.staff(), self.house.now()
        for session, why in self.presence.overdue(staff, now):
            command = LogOut(by=SYSTEM, at=now, token=session.token, why=why)
            await self.house.do(StaffAct(command), _DOORS, secrets.token_hex(16))

    def origin_is_ours(self, headers: Any) -> bool:
        """Browsers say where a request comes from; one from another site is not ours."""
        origin = headers.get("origin")
        return origin is None or origin.partition("://")[2] == headers.get("host", "")
