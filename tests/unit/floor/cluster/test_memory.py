"""What a table remembers between rounds: all that matters, and only when nothing is in play."""

from datetime import timedelta

import msgspec

from taisai.dice import Roll
from taisai.floor.cluster.memory import at_rest, cluster_memory, table_memory
from taisai.floor.cluster.state import ClusterState
from taisai.floor.desks.kind import Acted
from taisai.floor.table.messages import AtRack, OpenTable, StartRound, TakeSeat
from taisai.floor.table.state import TableState
from taisai.game.chips import IssueColour, Sale
from taisai.game.people import Actor, Role
from tests.floor.houses import settings
from tests.unit import cluster_play
from tests.unit.cluster_play import Cluster
from tests.unit.floor.table.test_round_money import AT, DEALER, Evening

LOST, CASHED_AT = Roll(1, 1, 2), cluster_play.AT
LATER = CASHED_AT + timedelta(hours=1)


def test_a_table_is_remembered_after_a_round_and_never_within_one() -> None:
    """Before the first round there is nothing to remember either."""
    cluster = Cluster()
    assert at_rest(cluster.state) is None
    cluster.start()
    assert at_rest(cluster.state) is None
    cluster.finish(LOST)
    assert at_rest(cluster.state) == 1


def test_a_cluster_comes_back_with_its_terminals_and_open_sessions() -> None:
    """Saved and loaded, and saved again, it is the same."""
    cluster = Cluster()
    cluster.cash_in("E1-1", 100)
    cluster.service("E1-2", "door-open")
    cluster.start()
    cluster.finish(LOST)
    memory = cluster_memory(ClusterState("E1", terminals_max=7))
    raw = memory.save(cluster.state)
    found = memory.load(raw)
    assert found.terminals == cluster.state.terminals
    assert (found.terminal_of, found.session_began) == ({"E1-1.1": "E1-1"}, {"E1-1.1": CASHED_AT})
    assert (found.settings, found.number, found.terminals_max) == (cluster.state.settings, 1, 7)
    found.book = cluster.state.book
    assert memory.save(found) == raw


def test_a_session_that_is_over_and_settled_is_forgotten() -> None:
    """One whose money is still there is not, and how many tickets there were stays."""
    cluster = Cluster()
    cluster.cash_in("E1-1", 100)
    cluster.cash_in("E1-2", 100)
    cluster.cash_out("E1-1")
    memory = cluster_memory(ClusterState("E1"))
    found = memory.load(memory.save(cluster.state))
    assert cluster.state.players == {"E1-1.1", "E1-2.1"}
    assert (found.players, found.left, found.ticket_sequence) == ({"E1-2.1"}, set(), 1)
    assert found.terminals["E1-1"].sessions == 1


def test_a_live_table_comes_back_with_seats_guests_and_colours() -> None:
    """A checkpoint of an older release, which counted a colour's chips as well, is read too."""
    evening = Evening("tai-sai-v3/1", limits=settings("tai-sai-v3/1").limits)
    evening.ask(TakeSeat(by=DEALER, at=AT, seat=3))
    issue = IssueColour(by=DEALER, at=AT, colour="red", player="ann", chips=10, value=100)
    evening.ask(AtRack(by=DEALER, at=AT, command=issue))
    evening.ask(StartRound(by=DEALER, at=AT))
    evening.finish(LOST)
    memory = table_memory(TableState("T1"))
    raw = memory.save(evening.table)
    older = msgspec.json.decode(raw)
    older["rack"]["colours"]["red"] = ["ann", 100, 6, 4]
    for found in (memory.load(raw), memory.load(msgspec.json.encode(older))):
        assert (found.seats, found.guests) == ({3: "guest-1@T1"}, 1)
        assert found.sales == {"red": Sale("ann", 100)}
        assert found.players == {"guest-1@T1", "ann"}


def test_a_change_of_rules_that_is_planned_is_remembered() -> None:
    """A start from a checkpoint carries it out at its time; one of an older release has none."""
    cluster = Cluster()
    cluster.start()
    cluster.finish(LOST)
    by, second = Actor("sam", Role.PIT_SUPERVISOR), Actor("mia", Role.PIT_MANAGER)
    planned = OpenTable(
        by=by, at=CASHED_AT, settings=settings("sic-bo-etg-v8/2"), effective=LATER, second=second, reason="x"
    )
    assert isinstance(cluster.state.act(planned, "1"), Acted)
    memory = cluster_memory(ClusterState(cluster.state.name))
    raw = memory.save(cluster.state)
    found = memory.load(raw).planned
    assert found is not None
    assert (found.effective, found.settings.pay_table) == (LATER, "sic-bo-etg-v8/2")
    older = msgspec.json.decode(raw)
    del older["planned"]
    assert memory.load(msgspec.json.encode(older)).planned is None
