"""Every ticket followed: issued once, ended once, and worth what the books say."""

import msgspec
import pytest

from taisai.floor.audit.tickets import TicketCheck, TicketFindings
from taisai.record.faults import RecordFault
from taisai.record.journal import Commit
from tests.unit.floor.kept_evening import kept_evening


async def commits_with(kind: str) -> list[Commit]:
    """The commits of the evening that have such an event."""
    every = await (await kept_evening()).commits("main", after=0, limit=1_000)
    return [commit for commit in every if any(event.type == kind for event in commit.events)]


async def test_what_is_issued_is_owed_until_it_ends() -> None:
    """Four tickets go out and come back; between them the findings say what is owed."""
    check = TicketCheck()
    issued = (await commits_with("TicketIssued"))[0]
    check.feed(issued)
    assert check.findings == TicketFindings(issued=1, ended=0, outstanding_minor=7_000)
    every = await (await kept_evening()).commits("main", after=0, limit=1_000)
    for commit in every[every.index(issued) + 1 :]:
        check.feed(commit)
    check.finish()
    assert check.findings == TicketFindings(issued=4, ended=4, outstanding_minor=0)


async def test_a_ticket_that_was_never_issued_does_not_end() -> None:
    """Whatever the books say."""
    with pytest.raises(RecordFault, match="it ends a ticket that is not out"):
        TicketCheck().feed((await commits_with("TicketRedeemed"))[0])


async def test_a_ticket_is_issued_as_the_first_that_happens_to_it() -> None:
    """A second issue on its stream is none."""
    commit = (await commits_with("TicketIssued"))[0]
    second = tuple(msgspec.structs.replace(event, version=2) for event in commit.events)
    with pytest.raises(RecordFault, match="a ticket is issued once"):
        TicketCheck().feed(msgspec.structs.replace(commit, events=second))


async def test_books_and_tickets_move_by_the_same_in_every_commit() -> None:
    """Money without a ticket and a ticket without money are both found."""
    commit = (await commits_with("TicketIssued"))[0]
    for altered, said in (
        (msgspec.structs.replace(commit, transfers=()), "move by 0, the tickets themselves by 7000"),
        (msgspec.structs.replace(commit, events=()), "move by 7000, the tickets themselves by 0"),
    ):
        with pytest.raises(RecordFault, match=said):
            TicketCheck().feed(altered)
