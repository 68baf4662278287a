"""Two people who sign in against a record's own staff list, with the house stopped."""

from dataclasses import dataclass
from datetime import datetime

import msgspec

from taisai.adapters.people.passwords import Passwords
from taisai.adapters.people.totp import TOTP_ABOUT, matching_step
from taisai.adapters.sealing import Sealer
from taisai.errors import InputError
from taisai.floor.desks.kind import OwnerEvent
from taisai.floor.staff.messages import AnyStaffEvent
from taisai.floor.staff.state import Member, StaffList, plain_name
from taisai.floor.streams import STAFF
from taisai.game.people import Actor, Role
from taisai.game.two_people import lacking
from taisai.record.ports import Store


@dataclass(frozen=True)
class SigningIn:
    """What somebody shows of themselves."""

    name: str
    password: str
    totp: str = ""


async def two_signed_in(
    store: Store,
    sealer: Sealer,
    people: tuple[SigningIn, SigningIn],
    reason: str,
    at: datetime,
    what: str,
) -> tuple[Actor, Actor]:
    """Both people of an act, one of them a shift manager or above; `what` says what is done."""
    staff, passwords = await _staff_of(store), Passwords(sealer)
    by, second = (_signed_in(staff, passwords, sealer, each, at) for each in people)
    lack = lacking(by, second, least=Role.SHIFT_MANAGER, reason=reason)
    if lack is not None:
        said = ", ".join(f"{name} {value}" for name, value in lack.facts.items())
        raise InputError(
            f"{what} by two people of the floor, one of them a shift manager or above: "
            f"{lack.code}{' ' + said if said else ''}"
        )
    return by, second


async def _staff_of(store: Store) -> StaffList:
    """The staff list as the record has it."""
    staff, decode = StaffList(), msgspec.json.Decoder(AnyStaffEvent | OwnerEvent).decode
    async for stored in store.events(STAFF):
        event = decode(stored.body)
        if not isinstance(event, OwnerEvent):
            staff.evolve(event)
    return staff


def _signed_in(
    staff: StaffList, passwords: Passwords, sealer: Sealer, shown: SigningIn, now: datetime
) -> Actor:
    """Somebody of the list, by password and second factor; what is wrong is not told apart."""
    name = plain_name(shown.name)
    member = staff.members.get(name)
    right = passwords.verify(name, member.password_hash if member else None, shown.password)
    if member is None or not right or not member.enabled or not _second_factor(member, sealer, shown, now):
        raise InputError(f"{shown.name} cannot sign in against the record's staff list")
    return Actor(member.name, member.role)


def _second_factor(member: Member, sealer: Sealer, shown: SigningIn, now: datetime) -> bool:
    if member.totp is None:
        return True
    secret = sealer.open(member.totp, about=TOTP_ABOUT.format(name=member.name))
    return matching_step(secret, shown.totp, now, after=member.totp_step) is not None
