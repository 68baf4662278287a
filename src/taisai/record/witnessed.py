"""What a witness saw, held against a record: every tip, and what declared restores left behind."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from taisai.record.anchor import RestoreDeclared
from taisai.record.faults import RecordFault
from taisai.record.journal import Tip, moment, signed_bytes
from taisai.record.ports import KeyRing, RecordSnapshot

_AT_ONCE = 10_000


class Compared(msgspec.Struct):
    """How many tips of a witness were found in the record, and how many restores left behind."""

    found: int = 0
    left_behind: int = 0
    last_at: int = 0  # the newest of them, in microseconds


async def compare(
    snapshot: RecordSnapshot, keys: KeyRing, kept: Iterable[Tip], restores: Sequence[RestoreDeclared]
) -> Compared:
    """Hold every tip that a witness kept against the record; raises at the first that contradicts it.

    Only such a one's signature is looked at. One that the house never signed is told last: it hides no other.
    """
    compared, false = Compared(), list[RecordFault]()
    by_writer: dict[str, list[Tip]] = defaultdict(list)
    for tip in kept:
        by_writer[tip.writer].append(tip)
        compared.last_at = max(compared.last_at, tip.at)
    tips = await snapshot.tips()
    for writer, seen in sorted(by_writer.items()):
        seen.sort(key=lambda tip: tip.number)
        ends = tips[writer].number if writer in tips else 0
        for start in range(0, len(seen), _AT_ONCE):
            part = seen[start : start + _AT_ONCE]
            seals = await snapshot.seals(writer, sorted({tip.number for tip in part}))
            for tip in part:
                if seals.get(tip.number) == (tip.digest, tip.signature):
                    compared.found += 1
                    continue
                if is_excused(tip, restores):
                    compared.left_behind += 1
                    continue
                fault = contradiction(tip, keys, ends=ends, is_there=tip.number in seals)
                if fault.code != "witness_false":
                    raise fault
                false.append(fault)
    if false:
        raise false[0]
    return compared


def is_excused(tip: Tip, restores: Iterable[RestoreDeclared]) -> bool:
    """Whether two people declared that the record goes on without this commit."""
    return any(restore.excuses(tip.writer, tip.number, tip.at) for restore in restores)


def contradiction(tip: Tip, keys: KeyRing, *, ends: int, is_there: bool) -> RecordFault:
    """What a tip that the record does not hold says about it: cut short, or another one."""
    if not keys.verifies(tip.key, tip.signature, signed_bytes(tip.digest)):
        where = f"witness of {tip.writer}/{tip.number}"
        return RecordFault(where, f"its signature is not by key {tip.key}", "witness_false", key=tip.key)
    where, when = f"commit {tip.writer}/{tip.number}", moment(tip.at).isoformat(timespec="seconds")
    facts: dict[str, str | int] = {"commit": f"{tip.writer}/{tip.number}", "when": when}
    if is_there:
        what = f"a witness has seen another of {when}: the record was forked"
        return RecordFault(where, what, "forked", **facts)
    what = f"a witness has seen it and it is not in the record, which ends at {tip.writer}/{ends}"
    return RecordFault(where, what, "rolled_back", ends=f"{tip.writer}/{ends}", **facts)
