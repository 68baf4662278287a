"""The recomputing of settlements, fed commit by commit."""

import msgspec
import pytest

from taisai.floor.audit.rounds import RoundFindings, SettlementCheck, check_revisited
from taisai.game.round import shipped_rules
from taisai.ledger import Transfer
from taisai.record.faults import RecordFault
from taisai.record.journal import Commit
from tests.unit.floor.kept_evening import empty_store, kept_evening


async def commits() -> list[Commit]:
    return await (await kept_evening()).commits("main", after=0, limit=1_000)


async def test_an_evening_is_recomputed_and_counted() -> None:
    """Every settlement of it, those that were corrected too: its sums are those that the events say."""
    check, every = SettlementCheck(), await commits()
    for commit in every:
        check.feed(commit)
    check.finish()
    events = [event for commit in every for event in commit.events if event.type == "BetsSettled"]
    said = [msgspec.json.decode(event.body)["event"] for event in events]
    assert len(said) == 7
    found = check.findings
    assert (found.rounds, found.voided, found.corrected, found.bets) == (5, 2, 3, 48)
    assert found.staked_minor == sum(each["staked"] for each in said) == 2 * 900 + 3 * 1_750 + 2 * 1_600
    assert found.paid_minor == sum(each["paid"] for each in said)
    assert check.revisit == {}


async def test_a_commit_that_is_fed_twice_is_a_round_opened_again() -> None:
    """What happened once is not told twice."""
    check = SettlementCheck()
    opening = next(
        commit for commit in await commits() if any(event.type == "BettingOpened" for event in commit.events)
    )
    check.feed(opening)
    with pytest.raises(RecordFault, match=r"round [CT]1/1 is opened again"):
        check.feed(opening)


async def test_money_for_a_round_in_which_nothing_happened_is_a_fault() -> None:
    """Money that names no round is not this check's to judge."""
    commit = (await commits())[0]
    moved = Transfer("T1.1.1", "cash", "credit:ann", 5, "winnings", 1, "T1")
    check = SettlementCheck()
    check.feed(msgspec.structs.replace(commit, transfers=(moved,)))
    strange = msgspec.structs.replace(moved, ref="T1/9")
    with pytest.raises(RecordFault, match="nothing happened in round T1/9"):
        check.feed(msgspec.structs.replace(commit, transfers=(strange,)))


async def test_a_second_pass_looks_at_the_rounds_it_is_asked_for_and_counts_none_twice() -> None:
    """Of a round that was let go only what came from the named version on is new."""
    store = await kept_evening()
    first = SettlementCheck()
    first.revisit = {"T1/1": 60}
    await check_revisited(store, first, shipped_rules)
    assert (first.findings.rounds, first.findings.corrected, first.findings.bets) == (0, 1, 7)
    nothing = SettlementCheck()
    await check_revisited(empty_store(), nothing, shipped_rules)
    assert nothing.findings == RoundFindings()


def test_findings_add_up_field_by_field() -> None:
    """None is left out."""
    fields = range(1, 1 + len(RoundFindings.__struct_fields__))
    one = RoundFindings(*fields)
    one.add(RoundFindings(*(10 * number for number in fields)))
    assert msgspec.structs.astuple(one) == tuple(11 * number for number in fields)
