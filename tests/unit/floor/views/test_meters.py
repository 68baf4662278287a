"""Meters of terminals: the self-audit holds after every step, and nothing turns the wrong one."""

from collections.abc import AsyncIterator

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from taisai.adapters.memory import MemoryDisk
from taisai.dice import ROLLS, Roll
from taisai.errors import InvariantBroken
from taisai.floor.cluster.messages import CreditIn, EnrolTerminal, HandPay, SetService
from taisai.floor.desks.kind import Acted
from taisai.floor.opening import cluster_desk
from taisai.floor.table.messages import InRound, OpenTable, RoundEvent, StartRound
from taisai.floor.views.meters import METERS, MeterBank, Meters, displayed, read_meters, terminal_of
from taisai.floor.views.significant import (
    Code,
    SignificantEvents,
    Thresholds,
    agree_on_thresholds,
    kept_thresholds,
    newest_significant,
)
from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.ledger import Transfer
from taisai.ledger.accounts import credit
from taisai.record.ports import Store
from taisai.record.views import catch_up
from tests.record import Place, place
from tests.unit.cluster_play import AT, SETTINGS, TERMINALS, Cluster, correction, damaged, finishing, void
from tests.unit.house import DEALER, SHIFT_MANAGER, SUPERVISOR, SYSTEM


def metered(cluster: Cluster) -> MeterBank:
    """The meters after all that a cluster did."""
    bank = MeterBank()
    for outcome in cluster.outcomes:
        turn(bank, outcome)
    return bank


def turn(bank: MeterBank, outcome: Acted) -> None:
    bank.enter(outcome.transfers)
    for event in outcome.events:
        if isinstance(event, RoundEvent) and isinstance(event.event, ev.PayoutsMade):
            bank.played("E1", event.round, event.event.payouts)


def test_an_evening_turns_each_meter_by_what_it_is_for() -> None:
    """Cash, a gift and a ticket come in; bets win and lose; a ticket goes out, and a hand-pay."""
    cluster = Cluster()
    cluster.cash_in("E1-1", 1_000)
    cluster.cash_in("E1-1", 50, "promo")
    cluster.ticket_in("E1-1", 200)
    cluster.start()
    cluster.bet("E1-1", {"big": 300, "small": 20})
    cluster.bet("E1-1", {"big": 100, "small": 20})
    cluster.finish(Roll(4, 4, 3))
    cluster.cash_out("E1-1")
    cluster.cash_in("E1-1", 70)
    cluster.hand_pay("E1-1")
    meters = metered(cluster).of("E1-1")
    assert (meters.cash_in, meters.promo_in, meters.tickets_in) == (1_070, 50, 200)
    assert (meters.staked, meters.withdrawn, meters.turnover, meters.wins) == (320, 200, 120, 200)
    assert (meters.tickets_out, meters.hand_pays, meters.credit) == (1_330, 70, 0)
    assert (meters.games, meters.games_won, meters.win, meters.drop) == (1, 1, -80, 1_270)


def test_a_void_round_returns_what_was_staked() -> None:
    """The turnover of a void round is nothing."""
    cluster = Cluster()
    cluster.cash_in("E1-2", 500)
    cluster.start()
    cluster.bet("E1-2", {"odd": 40})
    cluster.in_round(void())
    meters = metered(cluster).of("E1-2")
    assert (meters.staked, meters.returned, meters.turnover, meters.credit) == (40, 40, 0, 500)
    assert meters.games == 0


def test_a_corrected_round_is_one_game_and_its_difference_a_correction() -> None:
    """From a loss to a win and back, on the meters for corrections."""
    cluster = Cluster()
    cluster.cash_in("E1-1", 500)
    cluster.start()
    cluster.bet("E1-1", {"big": 100})
    cluster.finish(Roll(1, 2, 3))
    cluster.in_round(correction(Roll(6, 5, 4)), 1)
    cluster.in_round(correction(Roll(1, 2, 3)), 1)
    meters = metered(cluster).of("E1-1")
    assert (meters.games, meters.games_won, meters.wins) == (1, 0, 0)
    assert (meters.corrections_in, meters.corrections_out) == (200, 200)
    assert (meters.credit, meters.win) == (400, 100)


def test_a_transfer_that_no_meter_is_for_is_a_bug() -> None:
    """Nothing moves credit behind the meters' back."""
    strange = Transfer("x.1", "house:E1", "credit:E1-1.1", 5, "waived", 1, "E1")
    with pytest.raises(InvariantBroken, match="no meter for waived"):
        MeterBank().enter([strange])


def test_meters_that_do_not_explain_the_credit_are_a_bug() -> None:
    """Here, or in the ledger's book."""
    meters = Meters(cash_in=100, credit=100)
    meters.assert_audit(100)
    with pytest.raises(InvariantBroken, match="not 99"):
        meters.assert_audit(99)
    with pytest.raises(InvariantBroken, match="not 100"):
        Meters(cash_in=101, credit=100).assert_audit()


def test_a_session_is_named_after_its_terminal() -> None:
    """A player at a live table has no terminal, and no meters."""
    assert terminal_of("E1-1.27") == "E1-1"
    assert terminal_of("a.b.3") == "a.b"
    assert terminal_of("p-anna") is None
    assert MeterBank().enter([Transfer("x.1", "cash", "credit:p-anna", 5, "buy_in", 1, "T1")]) == set()


def test_a_display_rolls_over_and_the_meter_does_not() -> None:
    """Ten digits, and eight at least wherever a rule asks."""
    assert displayed(12) == "0000000012"
    assert displayed(10**10 + 7) == "0000000007"
    assert displayed(123_456_789, digits=8) == "23456789"


def test_the_rows_of_a_report_name_every_meter() -> None:
    """The derived ones too."""
    rows = {row["meter"]: row["value"] for row in Meters(cash_in=5, staked=3, credit=2).rows()}
    assert {"cash_in", "games", "turnover", "total_in", "drop", "win", "door_opens"} <= rows.keys()
    assert (rows["total_in"], rows["turnover"]) == (5, 3)


class Evening(RuleBasedStateMachine):
    """Anything in any order: the meters explain the ledger's credits after every step."""

    def __init__(self) -> None:
        super().__init__()
        self.cluster = Cluster()
        self.bank = metered(self.cluster)
        self.done = len(self.cluster.outcomes)

    terminals = st.sampled_from(TERMINALS)
    slips = st.dictionaries(
        st.sampled_from(["big", "small", "any-triple", "single-1"]), st.sampled_from([2, 20, 50])
    )

    @rule(terminal=terminals, amount=st.integers(1, 300), source=st.sampled_from(["cash", "promo", "ticket"]))
    def credit_in(self, terminal: str, amount: int, source: str) -> None:
        if source == "ticket":
            self.cluster.ticket_in(terminal, amount)
        else:
            self.cluster.cash_in(terminal, amount, source)

    @rule()
    def start(self) -> None:
        self.cluster.start()

    @rule(terminal=terminals, slip=slips)
    def bet(self, terminal: str, slip: dict[str, int]) -> None:
        self.cluster.bet(terminal, slip)

    @rule(roll=st.sampled_from(ROLLS), steps=st.integers(1, 7))
    def go_on(self, roll: Roll, steps: int) -> None:
        for command in finishing(roll)[:steps]:
            self.cluster.in_round(command)

    @rule()
    def void(self) -> None:
        self.cluster.in_round(void())

    @rule(roll=st.sampled_from(ROLLS), back=st.integers(0, 2))
    def correct(self, roll: Roll, back: int) -> None:
        self.cluster.in_round(correction(roll), self.cluster.state.number - back)

    @rule(back=st.integers(0, 2))
    def report_damage(self, back: int) -> None:
        number = self.cluster.state.number - back
        self.cluster.in_round(damaged(number), number)

    @rule(terminal=terminals, by_hand=st.booleans())
    def leave(self, terminal: str, by_hand: bool) -> None:
        (self.cluster.hand_pay if by_hand else self.cluster.cash_out)(terminal)

    @invariant()
    def meters_explain_the_credits(self) -> None:
        outcomes = self.cluster.outcomes
        for outcome in outcomes[self.done :]:
            turn(self.bank, outcome)
        self.done = len(outcomes)
        state = self.cluster.state
        for name in TERMINALS:
            sessions = [session for session, terminal in state.terminal_of.items() if terminal == name]
            held = sum(state.book.balance(credit(session)) for session in sessions)
            self.bank.of(name).assert_audit(held)


TestEvening = Evening.TestCase
TestEvening.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)


@pytest.fixture
async def at() -> AsyncIterator[Place]:
    """A record in memory."""
    async with place(MemoryDisk()) as found:
        yield found


async def evening(at: Place) -> Store:
    """A short evening on a desk: a win, an opened door, a hand-pay."""
    store = await at.open()
    desk = cluster_desk("E1", store, at.clock)
    await desk.start()
    bet = cmd.PlaceBets(
        by=msgspec.convert({"name": "E1-1.1", "role": "player"}, cmd.Actor),
        at=AT,
        player="E1-1.1",
        slip={"big": 100},
        version=1,
    )
    commands = [
        OpenTable(by=SUPERVISOR, at=AT, settings=SETTINGS),
        EnrolTerminal(by=SUPERVISOR, at=AT, terminal="E1-1", key_digest="k", label="by the door"),
        CreditIn(by=SYSTEM, at=AT, terminal="E1-1", source="cash", amount=1_000),
        StartRound(by=DEALER, at=AT),
        *(InRound(by=each.by, at=AT, command=each) for each in (bet, *finishing(Roll(4, 4, 3)))),
        SetService(by=SYSTEM, at=AT, terminal="E1-1", service="door-open"),
        SetService(by=SYSTEM, at=AT, terminal="E1-1", service="in-service"),
        HandPay(by=SHIFT_MANAGER, at=AT, terminal="E1-1", second=DEALER, reason="by hand"),
    ]
    for number, command in enumerate(commands):
        answer = await desk.ask("test", f"c{number}", command)
        assert "Refusal" not in type(answer).__name__, answer
    await desk.stop()
    return store


async def test_the_meters_are_a_view_of_the_journal(at: Place) -> None:
    """Made from commits alone, and the same when they are made again."""
    store = await evening(at)
    await catch_up(store, METERS)
    rows = {key: row async for key, row in store.view_rows(METERS.name)}
    meters = read_meters(rows["E1-1"])
    assert (meters.cash_in, meters.wins, meters.hand_pays, meters.credit) == (1_000, 200, 1_100, 0)
    assert (meters.games, meters.games_won, meters.door_opens) == (1, 1, 1)
    assert read_meters(None) == Meters()


async def test_significant_events_are_found_in_the_journal_in_their_order(at: Place) -> None:
    """Each with its code, its device and who was there; what is large is the house's to say."""
    store = await evening(at)
    view = SignificantEvents(Thresholds(win=200, wager=101, transaction=1_000))
    await catch_up(store, view)
    found, following = await newest_significant(store, limit=100)
    assert following is None
    assert [event.at for event in found] == sorted((event.at for event in found), reverse=True)
    assert {(event.code, event.device, event.amount) for event in found} == {
        (Code.SYSTEM_STARTED, "E1", None),
        (Code.TABLE_SETTINGS_CHANGED, "E1", None),
        (Code.TERMINAL_ENROLLED, "E1-1", None),
        (Code.LARGE_TRANSACTION, "E1-1", 1_000),
        (Code.LARGE_WIN, "E1", 200),
        (Code.DOOR_OPENED, "E1-1", None),
        (Code.IN_SERVICE, "E1-1", None),
        (Code.HAND_PAY, "E1-1", 1_100),
        (Code.LARGE_TRANSACTION, "E1-1", 1_100),
    }
    assert {event.by for event in found if event.code is Code.HAND_PAY} == {SHIFT_MANAGER.name}


async def test_significant_events_come_in_pages_and_by_code_or_device(at: Place) -> None:
    """Page after page gives each of them once."""
    store = await evening(at)
    await catch_up(store, SignificantEvents(Thresholds(win=200)))
    every, _ = await newest_significant(store, limit=100)
    paged: list[object] = []
    after: str | None = ""
    while after is not None:
        found, after = await newest_significant(store, after=after, limit=2)
        paged += found
    assert paged == every
    doors, _ = await newest_significant(store, limit=9, code=Code.DOOR_OPENED)
    assert [event.device for event in doors] == ["E1-1"]
    at_table, _ = await newest_significant(store, limit=9, device="E1")
    assert {event.device for event in at_table} == {"E1"}


async def test_a_list_by_other_thresholds_is_made_again(at: Place) -> None:
    """What counts as large is a setting, and the list knows by which one it was made."""
    store = await evening(at)
    assert await kept_thresholds(store) is None
    few, many = SignificantEvents(Thresholds()), SignificantEvents(Thresholds(win=200))
    for view, large in ((few, 0), (many, 1), (few, 0)):
        await agree_on_thresholds(store, view)
        await catch_up(store, view)
        assert await kept_thresholds(store) == view.thresholds
        found, _ = await newest_significant(store, limit=100, code=Code.LARGE_WIN)
        assert len(found) == large
