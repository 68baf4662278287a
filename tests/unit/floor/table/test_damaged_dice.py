"""Damaged dice: a report voids every round that it names, or none."""

from taisai.dice import Roll
from taisai.floor.table.damaged_dice import ROUNDS_AT_ONCE_MAX, rounds_of
from taisai.floor.table.messages import Accepted, InRound, StartRound
from taisai.game import commands as cmd
from taisai.game.acts import Phase
from taisai.game.refusals import Refusal, RefusalCode
from taisai.ledger.accounts import credit
from tests.unit.floor.table.test_round_money import AT, DEALER, SUPERVISOR, Evening, evening_with_players


def report(*rounds: int) -> cmd.ReportDamagedDice:
    return cmd.ReportDamagedDice(by=DEALER, at=AT, second=SUPERVISOR, reason="chipped", rounds=list(rounds))


def played(rounds: int) -> Evening:
    """Ann has won 100 in each of so many rounds."""
    evening = evening_with_players()
    for number in range(rounds):
        if number:
            evening.ask(StartRound(by=DEALER, at=AT))
        evening.bet("ann", {"big": 100})
        evening.finish(Roll(4, 4, 3))
    assert evening.balance(credit("ann")) == 2000 + 100 * rounds
    return evening


def phases(evening: Evening) -> list[Phase]:
    return [state.phase for state in evening.table.rounds.values()]


def test_one_report_voids_all_its_rounds_and_takes_their_money_back() -> None:
    """Named twice or out of order, a round is voided once."""
    evening = played(3)
    [answer] = evening.play(report(3, 1, 3))
    assert isinstance(answer, Accepted)
    assert (answer.rounds, answer.skipped, answer.round) == ([1, 3], [], 3)
    assert phases(evening) == [Phase.VOID, Phase.CONCLUDED, Phase.VOID]
    assert evening.balance(credit("ann")) == 2100


def test_rounds_that_were_void_before_are_told_and_left_alone() -> None:
    """Their money went back once; a report of nothing but void rounds is refused."""
    evening = played(2)
    evening.play(report(1))
    [answer] = evening.play(report(1, 2))
    assert isinstance(answer, Accepted)
    assert (answer.rounds, answer.skipped) == ([2], [1])
    assert evening.balance(credit("ann")) == 2000
    [again] = evening.play(report(1, 2))
    assert isinstance(again, Refusal)
    assert again.facts["round"] == 1
    assert evening.balance(credit("ann")) == 2000


def test_one_round_that_cannot_be_voided_refuses_the_whole_report() -> None:
    """An unknown round, no round at all, or too many: nothing is changed."""
    evening = played(2)
    for rounds, code in (
        ((1, 2, 3), RefusalCode.ROUND_UNKNOWN),
        ((), RefusalCode.ROUND_UNKNOWN),
        (range(1, ROUNDS_AT_ONCE_MAX + 2), RefusalCode.TOO_MANY_ROUNDS),
    ):
        [answer] = evening.play(report(*rounds))
        assert isinstance(answer, Refusal)
        assert answer.code is code
    assert phases(evening) == [Phase.CONCLUDED, Phase.CONCLUDED]
    assert evening.balance(credit("ann")) == 2200


def test_only_a_report_speaks_of_rounds_and_of_no_more_than_are_read() -> None:
    """Each once and in order; so a report of very many brings only so many from the journal."""
    asked = InRound(by=DEALER, at=AT, command=report(5, 2, 5))
    assert rounds_of(asked) == [2, 5]
    assert rounds_of(asked.command) == []
    many = InRound(by=DEALER, at=AT, command=report(*range(ROUNDS_AT_ONCE_MAX + 50)))
    assert rounds_of(many) == list(range(ROUNDS_AT_ONCE_MAX))
