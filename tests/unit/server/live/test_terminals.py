"""The terminals of a cluster as they are on the record, and who is connected."""

from taisai.floor.cluster.messages import CreditIn, CreditsPaidOut, ServiceChanged, TerminalEnrolled
from taisai.floor.desks.decider import SYSTEM
from taisai.server.live.terminals import TerminalSeats
from tests.floor.houses import SmallHouse, ask, bet, cluster, seat, start_round
from tests.unit.house import START
from tests.unit.server.live.listening import hub_of


async def test_what_was_followed_is_what_is_rebuilt() -> None:
    """A session from its events and one from its account after a restart are the same."""
    small = SmallHouse(cluster())
    async with hub_of(small) as hub:
        house, followed = hub.house, hub.feed("C1").seats
        session = await seat(house, "C1", "C1-1", 10_000)
        await start_round(house, "C1")
        await bet(house, "C1", session, {"big": 1_000})
        again = CreditIn(by=SYSTEM, at=house.now(), terminal="C1-1", source="cash", amount=500)
        await ask(house, "C1", again)
        rebuilt = TerminalSeats()
        await rebuilt.rebuild(house.store, house.read.table("C1"))
        assert followed.boards["C1-1"].credit == 9_500
        assert rebuilt.boards == followed.boards
        assert rebuilt.key_digests == followed.key_digests == {"C1-1": "k"}
        assert rebuilt.began == followed.began == {"C1-1": 1}


async def test_a_session_is_found_only_while_it_is_open() -> None:
    """After the pay-out there is none, though the terminal still knows that it had one."""
    async with hub_of(SmallHouse(cluster())) as hub:
        seats = hub.feed("C1").seats
        session = await seat(hub.house, "C1", "C1-1", 10_000)
        found = seats.of_session(session)
        assert found is not None
        assert found.session == session
        assert seats.of_session("C1-1.99") is None
        assert seats.of_session("") is None
        assert [each.session for each in seats.of_players(["nobody", session])] == [session]
        paid = CreditsPaidOut(
            by=SYSTEM, at=START, terminal="C1-1", session=session, amount=10_000, ticket=None, sequence=1
        )
        assert seats.follow(paid) is None
        assert seats.follow(paid) is None
        assert seats.of_session(session) is None
        assert seats.began["C1-1"] == 1


def test_the_sessions_before_the_last_are_named_newest_first_and_not_for_ever() -> None:
    """A terminal without any has none; one with many names the last fifty, with the one that is here."""
    seats = TerminalSeats(began={"C1-1": 60})
    assert list(seats.sessions_before("C1-2")) == []
    names = list(seats.sessions_before("C1-1"))
    assert (len(names), names[0], names[-1]) == (49, "C1-1.59", "C1-1.11")


def test_keys_and_conditions_are_the_last_that_were_told() -> None:
    """A terminal that is enrolled again has its new key alone."""
    seats = TerminalSeats()
    for digest in ("old", "new"):
        seats.follow(TerminalEnrolled(by=SYSTEM, at=START, terminal="C1-1", key_digest=digest, label=""))
    seats.follow(ServiceChanged(by=SYSTEM, at=START, terminal="C1-1", service="door-open"))
    assert (seats.key_digests, seats.services) == ({"C1-1": "new"}, {"C1-1": "door-open"})
    assert seats.owing() == {}
