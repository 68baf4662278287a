"""What a terminal knows of its player's session."""

from fractions import Fraction
from functools import partial

import msgspec

from taisai.floor.players.messages import PlayLimits
from taisai.floor.players.state import Player
from taisai.game.awards import Award
from taisai.game.round import shipped_rules
from taisai.game.settlement import BetResult
from taisai.game.state import PlayerSlip, RoundState
from taisai.ledger import Reason, Transfer
from taisai.ledger.accounts import CASH, credit, stakes
from taisai.server.live.sessions import (
    RECALL_MAX,
    STAKES_KEPT,
    Recalled,
    SaidBets,
    SessionBoard,
    SessionRound,
    bet_view,
    own_limits,
    rebuilt_session,
    statement_of,
)
from taisai.server.live.table_view import millis
from taisai.server.words.say import Voice
from tests.unit.house import START

SESSION = "C1-1.1"


def board(amount: int = 1_000) -> SessionBoard:
    made = SessionBoard(SESSION, "C1-1", millis(START))
    made.buy("cash", amount)
    return made


def result(stake: int, returned: int) -> BetResult:
    award = Award(stake, returned > 0, Fraction(1) if returned else None, returned)
    return BetResult(SESSION, "big", stake, stake, award, ())


def played(
    number: int, stake: int, returned: int, *, before: int = 1_000, void: bool = False
) -> SessionRound:
    dice = None if void else [4, 5, 6]
    return SessionRound(number, dice, void, before, before + returned - stake, 0, [result(stake, returned)])


def move(number: int, debit: str, to: str, amount: int, reason: Reason, ref: str) -> Transfer:
    return Transfer(str(number), debit, to, amount, reason, number * 1_000_000, ref)


def test_a_changed_slip_takes_only_the_difference() -> None:
    """Bets in play still count as the player's, so nobody is up or down before the result."""
    own = board()
    own.bet(1, 1, {"big": 300})
    assert (own.credit, own.on_felt, own.net) == (700, 300, 0)
    own.bet(1, 2, {"big": 100})
    assert (own.credit, own.on_felt, own.net) == (900, 100, 0)
    own.bet(1, 3, {})
    assert (own.credit, own.on_felt, own.before) == (1_000, 0, 1_000)


def test_a_round_that_is_settled_again_takes_its_own_place() -> None:
    """A correction changes the recall and the wagers, and adds nothing to either."""
    own = board()
    own.bet(1, 1, {"big": 300})
    own.settle(played(1, 300, 600))
    assert (own.last_win, own.wagered, own.on_felt) == (300, 300, 0)
    own.settle(played(1, 300, 0))
    assert [each.returned for each in own.recall] == [0]
    assert (own.last_win, own.wagered) == (0, 300)


def test_a_void_round_is_no_wager() -> None:
    """What went back was never risked; it stands in the recall without dice."""
    own = board()
    own.bet(1, 1, {"big": 300})
    own.settle(played(1, 300, 300, void=True))
    assert (own.wagered, own.last_win) == (0, 0)
    assert [(each.void, each.dice) for each in own.recall] == [(True, None)]


def test_the_recall_keeps_the_last_rounds_and_the_wagers_all() -> None:
    """The eleventh round puts the first out of the recall, and out of no sum."""
    own = board()
    for number in range(1, RECALL_MAX + 2):
        own.bet(number, 1, {"big": 10})
        own.settle(played(number, 10, 0))
    assert [each.round for each in own.recall] == list(range(2, RECALL_MAX + 2))
    assert own.wagered == 10 * (RECALL_MAX + 1)


def test_a_session_of_any_length_keeps_the_stakes_of_its_last_rounds_alone() -> None:
    """Some 90 bytes a round and session grew without an end; the sum of all rounds stays what it was."""
    own = SessionBoard(SESSION, "C1-1", 0)
    for number in range(1, 3 * STAKES_KEPT):
        own.stake(number, 10)
    assert (len(own.stakes), own.wagered) == (STAKES_KEPT, 10 * (3 * STAKES_KEPT - 1))
    own.stake(3 * STAKES_KEPT - 1, 0)  # void after all
    own.stake(1, 0)  # too long ago to be told apart
    assert own.wagered == 10 * (3 * STAKES_KEPT - 2)


def test_another_visitor_begins_with_what_there_is() -> None:
    """At a practice seat nothing of the visitor before is shown."""
    own = board()
    own.bet(1, 1, {"big": 300})
    own.settle(played(1, 300, 0))
    own.begin_anew(77)
    assert (own.started_at, own.net, own.wagered, own.last_win) == (77, 0, 0, 0)
    assert (list(own.recall), own.credit) == ([], 700)


def test_an_account_tells_what_was_there_before_each_round() -> None:
    """Credits are counted by their source and by the play they came before; another table's round is
    none of this one's."""
    own, table = credit(SESSION), stakes("C1", 3)
    statement = statement_of(
        SESSION,
        "C1",
        [
            move(1, CASH, own, 1_000, Reason.BUY_IN, "C1"),
            move(2, own, table, 400, Reason.STAKE, "C1/3"),
            move(3, table, own, 100, Reason.STAKE_WITHDRAWN, "C1/3"),
            move(4, CASH, own, 50, Reason.BUY_IN, "C1"),
            move(5, own, stakes("C2", 9), 10, Reason.STAKE, "C2/9"),
        ],
    )
    assert (statement.credit, statement.bought) == (740, 1_050)
    assert (statement.before, statement.staked) == ({3: 1_000}, {3: 300})
    assert (statement.added, statement.adding) == ({3: {"cash": 1_000}}, {"cash": 50})
    assert statement.moved_at == {3: 3_000}
    assert statement.rounds == [3]


def test_an_empty_account_makes_an_empty_session() -> None:
    """A session that has just begun has nothing, and nobody who set no limits is shown any."""
    made = rebuilt_session(SESSION, "C1-1", START, statement_of(SESSION, "C1", []), {})
    assert made == SessionBoard(SESSION, "C1-1", millis(START))
    assert (made.net, made.wagered) == (0, 0)
    assert own_limits(None) is None


def test_a_slip_that_was_empty_from_the_first_keeps_its_version() -> None:
    """It moved no money, so the account says nothing of it; the terminal's next one must be later."""
    state = RoundState(*shipped_rules("sic-bo-etg-v8/1"))
    state.slips[SESSION] = PlayerSlip(version=3)
    made = rebuilt_session(SESSION, "C1-1", START, statement_of(SESSION, "C1", []), {7: Recalled(state)})
    assert (made.slip, made.slip_version, made.slip_round, made.on_felt) == ({}, 3, 7, 0)


def test_a_players_own_limits_stand_as_they_were_set() -> None:
    """A looser limit that waits is shown with its moment; nothing is shown where nothing waits."""
    player = Player("mei", PlayLimits(loss_session=500))
    stand = own_limits(player)
    assert stand is not None
    assert (stand.now.loss_session, stand.later, stand.later_from) == (500, None, None)
    player.later, player.later_from = PlayLimits(loss_session=900), START
    stand = own_limits(player)
    assert stand is not None
    assert stand.later is not None
    assert (stand.now.loss_session, stand.later.loss_session, stand.later_from) == (500, 900, millis(START))


def test_a_settlement_that_is_said_once_for_many_is_what_each_would_have_been_told() -> None:
    """Encoded beforehand or not: the same bytes, also for bets that differ in one thing alone."""
    voice = Voice(2)
    said, own = SaidBets(voice), board()
    for stake, returned in ((300, 600), (300, 0), (300, 600), (400, 800)):
        part = played(1, stake, returned)
        told = own.settled(7, part, said)
        alone = own.settled(7, part, partial(bet_view, voice=voice))
        assert msgspec.json.encode(told) == msgspec.json.encode(alone)


def test_equal_bets_of_one_round_are_put_into_words_once() -> None:
    """They share their award and their reasons; a bet of its own is said by itself."""
    one = result(300, 600)
    other = BetResult("C1-2.1", one.box, one.stake, one.effective, one.award, one.notes)
    said = SaidBets(Voice(2))
    assert said(one) is said(other)
    assert said(one) is not said(result(300, 0))
