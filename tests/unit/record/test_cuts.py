"""What a record says of its archives: which bodies may be missing, and what stayed."""

from typing import Any

import msgspec
import pytest

from taisai.adapters.memory import MemoryDisk, MemoryStore, without_bodies
from taisai.record.anchor import RecordArchived
from taisai.record.cuts import ArchiveCheck, Claims, Kept
from taisai.record.faults import RecordFault
from taisai.record.journal import Commit, is_cut
from taisai.record.ports import BodiesCut
from tests.record import SIGNER, START, Place, slip

CUT = BodiesCut({"main": (0, 3)}, {"table:T1": (1, 3)}, ("BetsPlaced",))


async def commits() -> list[Commit]:
    """Five slips."""
    store = MemoryStore(MemoryDisk(), writer="main", signer=SIGNER, clock=Place(MemoryDisk()).clock)
    for number in range(1, 6):
        await store.append(slip(number))
    return await store.commits("main", after=0, limit=9)


def claim(kept: Kept, /, **more: Any) -> RecordArchived:
    said: dict[str, Any] = {
        "at": START,
        "by": "ann",
        "second": "bob",
        "reason": "a closed month",
        "name": "archive.jsonl",
        "digest": "00" * 32,
        "until": START,
        "writers": dict(CUT.writers),
        "streams": dict(CUT.streams),
        "types": tuple(CUT.types),
        "kept": kept.kept(),
        "balances": kept.balances(),
    }
    return RecordArchived(**said | more)


async def test_a_claim_covers_what_it_names_and_nothing_else() -> None:
    """By stream, version and type, and by writer and number: after the first, up to the last."""
    found = await commits()
    claims = Claims([claim(Kept(CUT))])
    assert [claims.covers(each.events[0]) for each in found] == [False, True, True, False, False]
    assert [claims.covers_answers(each) for each in found] == [True, True, True, False, False]
    assert not claims.covers(msgspec.structs.replace(found[1].events[0], type="BettingOpened"))
    assert not claims.covers(msgspec.structs.replace(found[1].events[0], stream="table:T2"))


async def test_what_stayed_has_one_digest_before_and_after_the_bodies_left() -> None:
    """So that whoever verifies later needs no archive for it."""
    before, after = Kept(CUT), Kept(CUT)
    for commit in await commits():
        before.feed(commit)
        cut = without_bodies(commit, CUT, answers=commit.number <= 3)
        assert is_cut(cut) is (commit.number <= 3)
        after.feed(cut)
    assert (before.kept(), before.balances()) == (after.kept(), after.balances())


@pytest.mark.parametrize("altered", ["kept", "balances"])
async def test_a_claim_that_does_not_fit_what_stayed_is_a_fault(altered: str) -> None:
    """Of the rows as of the balances at the cut."""
    kept, found = Kept(CUT), await commits()
    for commit in found:
        kept.feed(commit)
    for expected, event in ((False, claim(kept)), (True, claim(kept, **{altered: "00" * 32}))):
        check = ArchiveCheck(Claims([event]))
        for commit in found:
            check.feed(commit)
        if not expected:
            check.finish()
            continue
        with pytest.raises(RecordFault) as fault:
            check.finish()
        assert (fault.value.code, fault.value.where) == ("archive_altered", "archive archive.jsonl")
