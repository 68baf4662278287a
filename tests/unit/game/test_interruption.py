"""When an outcome is established: every known subset for all ten pay tables, against brute force."""

from itertools import combinations_with_replacement, permutations, product

import pytest

import taisai
from taisai.dice import Roll
from taisai.errors import InputError
from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.acts import Phase
from taisai.game.interruption import outcome_established
from taisai.game.round import Round
from taisai.rulebooks.loader import parse_rulebook
from taisai.rulebooks.model import Ground
from tests.exhaustive.naive import TABLES, hits
from tests.rules.table import ALL_TEN, DEALER, EVENING, SUPERVISOR, voided

SUBSETS = [known for dice in range(4) for known in combinations_with_replacement(range(1, 7), dice)]


def by_asking_every_box(pay_table: str, known: tuple[int, ...]) -> bool:
    """Some box wins with every way to complete the known faces, or with none."""
    completions = [known + rest for rest in product(range(1, 7), repeat=3 - len(known))]
    for box in TABLES[pay_table][0]:
        wins = [bool(hits(box, *dice)) for dice in completions]
        if all(wins) or not any(wins):
            return True
    return False


@pytest.mark.parametrize("pay_table", ALL_TEN)
def test_established_is_what_asking_every_box_says(pay_table: str) -> None:
    """All 84 subsets of known faces, read in any order."""
    assert len(SUBSETS) == 1 + 6 + 21 + 56
    table = taisai.pay_table(pay_table)
    for known in SUBSETS:
        expected = by_asking_every_box(pay_table, known)
        for order in set(permutations(known)):
            assert outcome_established(table, list(order)) == expected
    assert not outcome_established(table, [])
    assert outcome_established(table, [4])


@pytest.mark.parametrize("known", [[0], [7], [1, 2, 3, 4], ["4"], [True]])
def test_faces_that_no_dice_show_are_an_error(known: list[object]) -> None:
    """Not an answer."""
    with pytest.raises(InputError):
        outcome_established(taisai.pay_table("tai-sai-v6/1"), known)


ONLY_BIG_AND_SMALL = """
format = 1
id = "two-boxes"
title = "Big and Small"
version = "1"
source = "made for this test"
approved = false
electronic = false
colour_chips = false
damaged_dice = "round-in-play"

[procedure]
cover = "covered"
tumbles_min = 3
say_open = "Place your bets, please"
say_close = "No more bets"

[limits]
minimum = "refuse"
maximum = "box"
excess = "cut"
notice = ["at-placement"]
differential = false
pro_rata = false

[void]
exposed-early = "house"

[[pay_table]]
number = 1
title = "Two boxes"

[[pay_table.boxes]]
kind = "small"
pays = 1

[[pay_table.boxes]]
kind = "big"
pays = 1
"""


def test_it_is_not_the_number_of_dice_that_counts() -> None:
    """With only Big and Small, a four settles nothing, but a pair of ones makes Big impossible."""
    rulebook = parse_rulebook(ONLY_BIG_AND_SMALL, source="test.toml")
    table = rulebook.pay_table(1)
    assert [outcome_established(table, known) for known in ([4], [1, 1], [6, 6], [3, 4])] == [
        False,
        True,
        True,
        False,
    ]


def test_a_certain_win_establishes_an_outcome_too() -> None:
    """With Big alone, a six and a five win whatever the third die shows; a pair of sixes may be a triple."""
    only_big = ONLY_BIG_AND_SMALL.replace('[[pay_table.boxes]]\nkind = "small"\npays = 1\n', "")
    table = parse_rulebook(only_big, source="test.toml").pay_table(1)
    assert [box.id for box in table.boxes] == ["big"]
    assert [outcome_established(table, known) for known in ([6, 5], [6, 6], [6], [1, 1])] == [
        True,
        False,
        False,
        True,
    ]


def opened() -> Round:
    """A round of a house whose rules give no clause for most grounds, ready to tumble."""
    rulebook = parse_rulebook(ONLY_BIG_AND_SMALL, source="test.toml")
    game = Round(rulebook, rulebook.pay_table(1))
    game.open(by=DEALER, at=EVENING, table="T1", number=1)
    game.do(cmd.CoverTumbler(by=DEALER, at=EVENING))
    return game


def test_where_the_rules_give_no_clause_a_void_is_house_procedure() -> None:
    """Too few tumbles, damaged dice, nothing established: the house voids all the same."""
    game = opened()
    assert voided(game.do(cmd.ActivateTumbler(by=DEALER, at=EVENING, tumbles=2))).clause == "house"
    assert game.state.void_clause == "house"
    damaged = cmd.ReportDamagedDice(by=DEALER, at=EVENING, second=SUPERVISOR, reason="seen", rounds=[1])
    events = opened().do(damaged)
    assert (events[0].clause, voided(events).clause) == ("house", "house")
    assert voided(opened().do(cmd.InterruptRound(by=DEALER, at=EVENING))).clause == "house"


@pytest.mark.parametrize(("known", "established"), [([3, 4], False), ([1, 1], True)])
def test_known_faces_that_decide_nothing_void_after_the_closing(known: list[int], established: bool) -> None:
    """And the ground is that nothing is established, not that dice were seen early."""
    game = opened()
    for command in (
        cmd.CloseBetting(by=DEALER, at=EVENING),
        cmd.ActivateTumbler(by=DEALER, at=EVENING, tumbles=3),
    ):
        game.do(command)
    events = game.do(cmd.InterruptRound(by=DEALER, at=EVENING, known=known))
    if established:
        assert [type(event) for event in events] == [ev.RoundInterrupted]
        game.do(cmd.ResumeRound(by=DEALER, at=EVENING))
        game.do(cmd.DeclareRoll(by=DEALER, at=EVENING, roll=Roll(*known, 2)))
        assert game.state.phase is Phase.DECLARED
    else:
        void = voided(events)
        assert (void.ground, void.clause) == (Ground.NOTHING_ESTABLISHED, "house")
