"""One audit of a record, for the command, the doctor, the audit page and the start: the same sentences.

A record is tied to the world outside it by its keys, by its witness and by the house's secrets. These ties
are quick to look at; the whole audit looks at them first and then reads every commit.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import msgspec

from taisai.adapters.copies.archives import filled
from taisai.adapters.scratch import Scratch
from taisai.adapters.signing.trust import Trust
from taisai.floor.audit.whole import Report, audit
from taisai.record import witnessed
from taisai.record.anchor import (
    ANCHOR,
    AnchorNote,
    AnyAnchorEvent,
    KeyRotated,
    RecordArchived,
    RestoreDeclared,
    anchor_event,
    compare_secrets,
    noted_values,
    unknown_key,
    with_rotation,
)
from taisai.record.faults import RecordFault
from taisai.record.journal import Tip, signed_bytes
from taisai.record.ports import KeyRing, RecordSnapshot
from taisai.record.witnessed import Compared

Kept = Callable[[], Iterable[Tip]]
Prove = Callable[[RecordSnapshot, KeyRing, Sequence[Tip]], Awaitable[Report]]


async def anchor_events(snapshot: RecordSnapshot) -> list[AnyAnchorEvent]:
    """What the record itself says of its keys, restores and archives."""
    return [anchor_event(stored) async for stored in snapshot.events(ANCHOR)]


def trusted_keys(trust: Trust, events: Sequence[AnyAnchorEvent]) -> KeyRing:
    """The keys that are trusted, and those to which they handed over."""
    keys: KeyRing = trust.keys
    for event in events:
        if isinstance(event, KeyRotated):
            keys = with_rotation(keys, event)
    return keys


def check_keys(tips: Iterable[Tip], keys: KeyRing, *, quick: bool = True) -> None:
    """The last commits are signed by keys that are trusted; a whole audit looks at every signature itself."""
    for tip in tips:
        where = f"commit {tip.writer}/{tip.number}"
        if not keys.knows(tip.key):
            raise unknown_key(where, tip.key)
        if quick and not keys.verifies(tip.key, tip.signature, signed_bytes(tip.digest)):
            raise RecordFault(where, f"the signature is not by key {tip.key}", "signature_false", key=tip.key)


async def check_witness(
    snapshot: RecordSnapshot, keys: KeyRing, kept: Iterable[Tip], events: Sequence[AnyAnchorEvent]
) -> Compared:
    """Every tip that the witness kept is in the record, or was left behind by a declared restore."""
    restores = [event for event in events if isinstance(event, RestoreDeclared)]
    return await witnessed.compare(snapshot, keys, kept, restores)


async def check_ties(
    snapshot: RecordSnapshot, trust: Trust, kept: Iterable[Tip] = (), *, quick: bool = True
) -> list[AnchorNote]:
    """Look at all that ties a record to the outside; raises the first fault, tells what else there is."""
    events = await anchor_events(snapshot)
    keys = trusted_keys(trust, events)
    check_keys((await snapshot.tips()).values(), keys, quick=quick)
    await check_witness(snapshot, keys, kept, events)
    compare_secrets(noted_values(events), trust.secrets)
    return notes_on(trust, events)


async def _alone(snapshot: RecordSnapshot, keys: KeyRing, seen: Sequence[Tip]) -> Report:
    return await audit(snapshot, keys, witnessed=seen, scratch=Scratch)


async def audited(
    read_record: Callable[[], AbstractAsyncContextManager[RecordSnapshot]],
    trust: Trust,
    kept: Kept | None = None,
    archives: Sequence[Path] = (),
    prove: Prove | None = None,
) -> Report:
    """Audit a record with all that is known of it from outside; raises the first fault.

    Together with its archives everything is recomputed as if nothing had left the store. `prove` reads every
    commit; it is this process alone unless somebody shares the work out.
    """
    seen = list(kept()) if kept else []
    async with read_record() as stored:
        snapshot = await filled(stored, archives)
        notes = await check_ties(snapshot, trust, seen, quick=False)
        report = await (prove or _alone)(snapshot, trust.keys, seen)
    return msgspec.structs.replace(report, notes=(*notes, *report.notes))


# --- Sentences -------------------------------------------------------------------------------------------


def notes_on(trust: Trust, events: Sequence[AnyAnchorEvent]) -> list[AnchorNote]:
    """What is lawful, and what somebody who reads the record should know."""
    notes = [_beside(trust)] if trust.is_beside else []
    for event in events:
        match event:
            case KeyRotated():
                notes.append(_rotated(event))
            case RestoreDeclared():
                notes.append(_restored(event))
            case RecordArchived():
                notes.append(_archived(event))
    return notes


def _beside(trust: Trust) -> AnchorNote:
    where = ", ".join(sorted({source.where for source in trust.sources}))
    text = f"the keys are beside the record ({where}), where a forger would put his own: pin the house's"
    return AnchorNote(code="keys_beside", text=text, facts={"where": where})


def _rotated(event: KeyRotated) -> AnchorNote:
    when = event.at.isoformat(timespec="seconds")
    text = f"key {event.old} of {event.writer} handed over to {event.new} on {when}, and both signed that"
    facts: dict[str, str | int] = {
        "writer": event.writer,
        "old": event.old,
        "new": event.new,
        "when": when,
    }
    return AnchorNote(code="rotated", text=text, facts=facts)


def _archived(event: RecordArchived) -> AnchorNote:
    until = event.until.isoformat(timespec="seconds")
    text = (
        f"bodies of events and answers up to {until} are in {event.name} of SHA-256 {event.digest}, "
        f"put there by {event.by} and {event.second}"
    )
    facts: dict[str, str | int] = {
        "until": until,
        "name": event.name,
        "digest": event.digest,
        "by": event.by,
        "second": event.second,
    }
    return AnchorNote(code="archived", text=text, facts=facts)


def _restored(event: RestoreDeclared) -> AnchorNote:
    when = event.at.isoformat(timespec="seconds")
    lost = sum(max(0, seen - event.ends.get(writer, 0)) for writer, seen in event.seen.items())
    ends = ", ".join(f"{writer}/{number}" for writer, number in sorted(event.ends.items()))
    amount = sum(ticket.amount for ticket in event.paid)
    text = (
        f"restored on {when} from a copy that ended at {ends}, declared by {event.by} and {event.second}: "
        f"{lost} commits that the witness had seen are left behind, "
    )
    if event.paid_is_known:
        text += f"and {len(event.paid)} tickets of {amount} in all were paid after the copy"
    else:
        text += "and which tickets were paid after the copy is not known"
    facts: dict[str, str | int] = {
        "when": when,
        "ends": ends,
        "by": event.by,
        "second": event.second,
        "lost": lost,
        "tickets": len(event.paid),
        "amount": amount,
    }
    return AnchorNote(code="restored" if event.paid_is_known else "restored_unknown", text=text, facts=facts)
