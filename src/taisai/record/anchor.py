"""What ties a record to the world outside it: its keys, what a witness saw, restores, archives.

All of it stands in one stream, so that whoever verifies a record reads in one place what was lawful.
docs/reference/journal-format.md says the same for outsiders.
"""

import hmac
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

import msgspec

from taisai.errors import StoreConflict
from taisai.record.faults import RecordFault
from taisai.record.journal import Batch, Event, NewEvent, StreamEvents, digest, micros
from taisai.record.ports import KeyRing, RecordCorrupt, Signer, Store

ANCHOR: Final = "anchor"
_TRIES: Final = 5
_CHECK_VALUE_LEN: Final = 8


class AnchorEvent(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type"):
    """Something that a verifier must know to tell what was lawful from what was not."""

    at: datetime


class KeyRotated(AnchorEvent, frozen=True, kw_only=True):
    """A writer signs with another key from here on: both keys have signed that. Bytes are in hex."""

    writer: str
    old: str
    new: str
    public: str
    by_old: str
    by_new: str
    reason: str = ""


class CheckValuesNoted(AnchorEvent, frozen=True, kw_only=True):
    """By these values the house's secrets are known again; nothing of a secret follows from one."""

    values: dict[str, str]


class WitnessMissed(AnchorEvent, frozen=True, kw_only=True):
    """The house opened though its witness could not be asked."""

    why: str


class PaidAfterwards(msgspec.Struct, frozen=True, kw_only=True):
    """A ticket that was paid after the copy was made, and is still to be paid in the copy."""

    ticket: str
    last_four: str
    amount: int


class RestoreDeclared(AnchorEvent, frozen=True, kw_only=True):
    """Two people declare that the record goes on from a copy.

    `ends` is where the copy ended and `seen` how far the witness had seen the record that was lost, both by
    writer: what is between them was lawful and is gone.
    """

    by: str
    second: str
    reason: str
    ends: dict[str, int]
    seen: dict[str, int]
    paid: tuple[PaidAfterwards, ...] = ()
    paid_is_known: bool = False  # whether somebody could look into the record that was lost

    def excuses(self, writer: str, number: int, at: int) -> bool:
        """Whether a commit that a witness saw is one of those that were left behind."""
        after, until = self.ends.get(writer, 0), self.seen.get(writer, 0)
        return after < number <= until and at <= micros(self.at)


Range = tuple[int, int]  # after which, and up to which


class RecordArchived(AnchorEvent, frozen=True, kw_only=True):
    """By two people, bodies of events and answers left the store for an archive; ids and digests stayed.

    `kept` is a digest of what stayed of them and `balances` one of all accounts at the cut. Of the streams
    only events of these types have left.
    """

    by: str
    second: str
    reason: str
    name: str
    digest: str
    until: datetime
    writers: dict[str, Range]
    streams: dict[str, Range]
    types: tuple[str, ...]
    kept: str
    balances: str


AnyAnchorEvent = KeyRotated | CheckValuesNoted | WitnessMissed | RestoreDeclared | RecordArchived

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(AnyAnchorEvent).decode


class AnchorNote(msgspec.Struct, frozen=True, kw_only=True):
    """One sentence about something lawful that a reader of the record should know."""

    code: str
    text: str
    facts: dict[str, str | int] = {}


def anchor_event(stored: Event) -> AnyAnchorEvent:
    """An event of the stream, from its bytes."""
    try:
        event: AnyAnchorEvent = _decode(stored.body)
    except msgspec.MsgspecError as error:
        raise RecordCorrupt(f"{stored.stream} version {stored.version} cannot be read: {error}") from None
    return event


async def batch_of(store: Store, event: AnyAnchorEvent) -> Batch:
    """An event as the next of the stream."""
    head = await store.head(ANCHOR)
    at = max(micros(event.at), head.at if head else 0)
    new = NewEvent(type(event).__name__, at, _encode(event))
    return Batch((StreamEvents(ANCHOR, head.version if head else 0, (new,)),))


async def append(store: Store, event: AnyAnchorEvent) -> None:
    """Put an event on the record; whoever else writes the stream meanwhile is let through first."""
    for attempt in range(1, _TRIES + 1):
        try:
            await store.append(await batch_of(store, event))
        except StoreConflict:
            if attempt == _TRIES:
                raise
        else:
            return


# --- Keys ------------------------------------------------------------------------------------------------


def _rotation(writer: str, old: str, public: bytes, at: datetime) -> bytes:
    """What both keys sign."""
    return digest(b"taisai key rotation 1", writer.encode(), old.encode(), public, b"%d" % micros(at))


def rotation(writer: str, old: Signer, new: Signer, at: datetime, reason: str) -> KeyRotated:
    """The event by which one key hands over to another."""
    message = _rotation(writer, old.key_id, new.public, at)
    return KeyRotated(
        at=at,
        writer=writer,
        old=old.key_id,
        new=new.key_id,
        public=new.public.hex(),
        by_old=old.sign(message).hex(),
        by_new=new.sign(message).hex(),
        reason=reason,
    )


def with_rotation(keys: KeyRing, rotated: KeyRotated) -> KeyRing:
    """The keys that are trusted after a rotation: the old one, if it is trusted, vouches for the new."""
    where = f"rotation of the key of {rotated.writer}"
    try:
        public, by_old, by_new = map(bytes.fromhex, (rotated.public, rotated.by_old, rotated.by_new))
        message = _rotation(rotated.writer, rotated.old, public, rotated.at)
        extended = keys.extended(public)
    except ValueError as error:
        raise RecordFault(where, f"it cannot be read: {error}") from None
    if not keys.knows(rotated.old):
        raise unknown_key(where, rotated.old)
    if not keys.verifies(rotated.old, by_old, message):
        raise RecordFault(where, f"key {rotated.old} has not signed it", "rotation_false", key=rotated.old)
    if not extended.verifies(rotated.new, by_new, message):
        raise RecordFault(where, f"key {rotated.new} has not signed it", "rotation_false", key=rotated.new)
    return extended


def unknown_key(where: str, key: str) -> RecordFault:
    """Something is signed by a key that nobody here trusts: a forged record, or keys that are missing."""
    what = f"the signature is by key {key}, which is not trusted here"
    return RecordFault(where, what, "key_unknown", key=key)


def key_in_use(events: Iterable[AnyAnchorEvent], writer: str) -> str | None:
    """The key to which a writer's last rotation handed over; none where none was, or a restore came since."""
    found: str | None = None
    for each in events:
        if isinstance(each, RestoreDeclared):
            found = None
        elif isinstance(each, KeyRotated) and each.writer == writer:
            found = each.new
    return found


# --- Restores --------------------------------------------------------------------------------------------


def restores_in(events: Iterable[AnyAnchorEvent]) -> int:
    """How often the record has gone on from a copy."""
    return sum(isinstance(event, RestoreDeclared) for event in events)


def origin_after(origin: str, restores: int) -> str:
    """The log's name after so many restores: what was signed before under the old one is not continued."""
    return f"{origin}/restored-{restores}" if restores else origin


# --- Secrets ---------------------------------------------------------------------------------------------


def check_value(name: str, secret: bytes) -> str:
    """By what a secret is known again without being told."""
    return hmac.digest(secret, f"taisai check value 1\n{name}".encode(), "sha256")[:_CHECK_VALUE_LEN].hex()


def noted_values(events: Iterable[AnyAnchorEvent]) -> dict[str, str]:
    """The check values on the record, by the name of the secret."""
    values: dict[str, str] = {}
    for event in events:
        if isinstance(event, CheckValuesNoted):
            values |= event.values
    return values


def compare_secrets(noted: Mapping[str, str], secrets: Mapping[str, bytes]) -> None:
    """Refuse a secret that is not the one with which the record was made."""
    for name, secret in secrets.items():
        found, expected = check_value(name, secret), noted.get(name)
        if expected not in (None, found):
            what = f"it is not the key that the record was made with: check value {found}, not {expected}"
            facts = {"name": f"{name}.key", "found": found, "expected": expected or ""}
            raise RecordFault(f"{name}.key", what, "secret_swapped", **facts)
