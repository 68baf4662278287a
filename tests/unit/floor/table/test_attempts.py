"""What is kept of a refused bet: what was asked, when it came, by how much it was late, and how often."""

from datetime import timedelta
from typing import Any

import msgspec

from taisai.floor.desks.kind import Acted
from taisai.floor.table.attempts import BetAttempts, KeptRefusal, kept_refusal
from taisai.floor.table.messages import BuyIn, InRound, StartRound, WindowSet
from taisai.floor.table.state import TableState
from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.refusals import Refusal, RefusalCode, by_house
from taisai.record.journal import micros
from tests.unit.floor.table.test_round_money import AT, DEALER
from tests.unit.floor.table.test_state import opening

LATE = by_house(RefusalCode.BETTING_CLOSED, phase="closed")


def table() -> TableState:
    """A table whose first round is open."""
    state = TableState("T1")
    for place, command in enumerate((opening(), StartRound(by=DEALER, at=AT)), start=1):
        assert not isinstance(state.act(command, f"T1.{place}"), Refusal)
    return state


def bet(player: str = "ann", *, after: timedelta = timedelta(), number: int | None = None) -> InRound:
    at = AT + after
    placing = cmd.PlaceBets(by=DEALER, at=at, player=player, slip={"big": 50}, version=1)
    return InRound(by=DEALER, at=at, command=placing, round=number)


def close(state: TableState) -> None:
    closing = InRound(by=DEALER, at=AT, command=cmd.CloseBetting(by=DEALER, at=AT))
    assert not isinstance(state.act(closing, "T1.9"), Refusal)


def test_a_refused_bet_is_kept_with_what_was_asked() -> None:
    """As it came, and with the reason; the round in play is meant where none is named."""
    kept = kept_refusal(table(), bet(after=timedelta(microseconds=7)), by_house(RefusalCode.BOX_UNKNOWN))
    assert kept is not None
    tried = kept.attempt
    assert tried is not None
    assert (kept.code, kept.clause) == (RefusalCode.BOX_UNKNOWN, "house")
    assert (tried.table, tried.round, tried.player, tried.slip) == ("T1", 1, "ann", {"big": 50})
    assert (tried.at, tried.by, tried.late_ms) == (micros(AT) + 7, DEALER, None)


def test_what_came_after_the_closing_says_by_how_much() -> None:
    """In whole milliseconds, never below none, and only where the closing is why it was refused."""
    state = table()
    close(state)

    def late(refusal: Refusal, **after: float) -> Any:
        kept = kept_refusal(state, bet(after=timedelta(**after)), refusal)
        assert kept is not None
        assert kept.attempt is not None
        return kept.attempt.late_ms

    assert late(LATE, microseconds=1_999) == 1
    assert late(LATE, seconds=2) == 2_000
    assert late(LATE, seconds=-1) == 0
    assert late(by_house(RefusalCode.BOX_UNKNOWN), seconds=2) is None
    unknown = kept_refusal(state, bet(after=timedelta(seconds=2), number=8), LATE)
    assert unknown is not None
    assert unknown.attempt is not None
    assert (unknown.attempt.round, unknown.attempt.late_ms) == (8, None)


def test_a_bet_after_the_deadline_is_late_though_the_closing_was_not_written() -> None:
    """Its commit may fail: what waited behind it must not find betting open again."""
    state = table()
    closes_at = AT + timedelta(seconds=10)
    state.evolve(WindowSet(by=DEALER, at=AT, round=1, opens_at=AT, closes_at=closes_at))
    bought = state.act(BuyIn(by=DEALER, at=AT, player="ann", amount=500), "T1.4")
    assert not isinstance(bought, Refusal)
    late = bet(after=timedelta(seconds=10, milliseconds=29))
    refused = state.act(late, "T1.5")
    assert isinstance(refused, Refusal)
    close(state)
    assert refused == state.act(late, "T1.7")
    again = table()
    again.evolve(state.window)
    kept = kept_refusal(again, late, refused)
    assert kept is not None
    assert kept.attempt is not None
    assert kept.attempt.late_ms == 29


def test_a_bet_before_the_deadline_is_in_time() -> None:
    """To the last microsecond."""
    state = table()
    closes_at = AT + timedelta(seconds=10)
    state.evolve(WindowSet(by=DEALER, at=AT, round=1, opens_at=AT, closes_at=closes_at))
    assert not isinstance(state.act(BuyIn(by=DEALER, at=AT, player="ann", amount=500), "T1.4"), Refusal)
    in_time = bet(after=timedelta(seconds=10) - timedelta(microseconds=1))
    assert not isinstance(state.act(in_time, "T1.5"), Refusal)


def test_attempts_are_counted_by_player_and_anew_in_each_round() -> None:
    """What the record recalls is never counted twice, nor back."""
    state = table()
    refusal = by_house(RefusalCode.BOX_UNKNOWN)
    kept = [kept_refusal(state, bet(player), refusal) for player in ("ann", "bob", "ann")]
    tries = [each.attempt for each in kept if each is not None and each.attempt is not None]
    assert [tried.nth for tried in tries] == [1, 1, 2]
    again = BetAttempts()
    for tried in reversed(tries):
        again.recall(tried)
    assert again.tries == {"ann": 2, "bob": 1}
    assert again.count("ann") == 3
    again.follow(1, ev.BettingClosed(by=DEALER, at=AT, clause="3.5", players=2, staked=0))
    assert again.tries["ann"] == 3
    again.follow(2, next_opening(state))
    assert again.tries == {}
    assert again.closed_at == {1: AT}


def next_opening(state: TableState) -> ev.AnyEvent:
    """With what the next round of a table begins."""
    state.rounds.clear()  # as if it were over and let go
    outcome = state.act(StartRound(by=DEALER, at=AT + timedelta(minutes=1)), "T1.4")
    assert isinstance(outcome, Acted)
    event: ev.AnyEvent = outcome.events[0].event
    assert isinstance(event, ev.BettingOpened)
    return event


def test_nothing_is_kept_of_an_act_that_is_no_bet() -> None:
    """Neither of another act in a round nor of one at the table."""
    state = table()
    buying = BuyIn(by=DEALER, at=AT, player="ann", amount=0)
    closing = InRound(by=DEALER, at=AT, command=cmd.CloseBetting(by=DEALER, at=AT))
    assert kept_refusal(state, buying, LATE) is None
    assert kept_refusal(state, closing, LATE) is None
    assert state.attempts.tries == {}


def test_a_kept_refusal_is_read_as_the_refusal_that_was_answered() -> None:
    """Whoever asks again under the same id hears the same."""
    kept = kept_refusal(table(), bet(), LATE)
    raw = msgspec.json.encode(kept)
    assert msgspec.json.decode(raw, type=Refusal) == LATE
    assert msgspec.json.decode(raw, type=KeptRefusal) == kept
    old = msgspec.json.encode(LATE)
    assert msgspec.json.decode(old, type=KeptRefusal).attempt is None
