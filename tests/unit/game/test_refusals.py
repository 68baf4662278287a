"""Refusals: one fault is named at a time, in the order of the list; each row here repairs one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

import taisai
from taisai.dice import Roll
from taisai.game import commands as cmd
from taisai.game.chips import ChangeBack, Colour, ColourRack, IssueColour, decide_chips
from taisai.game.limits import Limit, Limits
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode, Refused
from taisai.rulebooks.model import Ground
from tests.rules.table import DEALER, EVENING, SHIFT, SUPERVISOR, Table, limits, player

C = RefusalCode


@dataclass
class Ladder:
    """An act with many faults, and the repairs that bring one after the other to light."""

    kind: type[cmd.Command]
    start: Callable[[], Table]
    faulty: dict[str, Any]
    rows: list[tuple[RefusalCode, str, dict[str, Any] | Callable[[Table], Table | None]]]

    def climb(self) -> list[tuple[RefusalCode, RefusalCode]]:
        """For each row, the code expected and the code found; at the end nothing is in the way."""
        table, facts, found = self.start(), dict(self.faulty), []
        for expected, _, repair in self.rows:
            decision = table.round.ask(table.command(self.kind, **facts))
            assert isinstance(decision, Refusal), f"expected {expected}, but it was accepted"
            found.append((expected, decision.code))
            if callable(repair):
                table = repair(table) or table
            else:
                facts |= repair
        decision = table.round.ask(table.command(self.kind, **facts))
        assert not isinstance(decision, Refusal), decision
        return found


def opened_with_ann(table: Table) -> None:
    table.open()
    table.bet("Ann", {"big": 50}, version=5)


def etg() -> Table:
    table = Table("sic-bo-etg-v8/2", limits(50, 500, box_totals={"odd": 600}))
    table.bet("Bob", {"odd": 500})
    return table


def closed(pay_table: str = "tai-sai-v6/2", *, known: list[int] | None = None, tumbled: bool = True) -> Table:
    table = Table(pay_table)
    table.bet("Ann", {"big": 50})
    table.close()
    if tumbled:
        table.tumble()
    if known:
        table.do(cmd.InterruptRound, known=known)
        table.do(cmd.ResumeRound)
    return table


def declared(table: Table | None = None) -> Table:
    table = closed(known=[1])
    table.declare("113")
    return table


def covered(table: Table | None = None, *, tumbled: bool = False) -> Table:
    table = Table()
    table.do(cmd.CoverTumbler)
    if tumbled:
        table.tumble()
    return table


def by_dealer(table: Table) -> Table:
    return Table(limits=limits(notice="by-dealer"), opened=False)


def red(value: int, on_big: int) -> dict[str, Any]:
    return {"chips": cmd.ColourChips("red", value, {"big": on_big})}


def advised(table: Table) -> None:
    table.do(cmd.AdviseMinimum, player="Ann", box="small")


def small_bet() -> Table:
    table = Table(limits=limits())
    table.bet("Ann", {"small": 10, "big": 100})
    return table


PEOPLE = {"by": player("Pia"), "second": None, "reason": " "}
TO_RIGHT_PEOPLE = [
    (C.ROLE_NOT_ALLOWED, "a dealer asks", {"by": DEALER}),
    (C.SECOND_PERSON_MISSING, "someone joins", {"second": Actor("Dana", Role.DEALER)}),
    (C.SECOND_PERSON_IS_FIRST, "someone else joins", {"second": Actor("Eve", Role.DEALER)}),
    (C.SECOND_PERSON_NOT_ALLOWED, "someone above joins", {"second": SHIFT}),
    (C.REASON_MISSING, "the reason is given", {"reason": "seen"}),
]
ETG = Table("sic-bo-etg-v8/1", opened=False).opening()
A_HALF_UNIT = Limits(unit=5, default=Limit(50, 100))

LADDERS = {
    "open betting": Ladder(
        cmd.OpenBetting,
        lambda: Table("sic-bo-etg-v8/1"),
        {**ETG, "by": player("Pia"), "rulebook_digest": "0",
         "pay_table_digest": "0", "limits": Limits(unit=5, default=Limit(52))},
        [
            (C.BETTING_OPEN, "a new round", lambda _: Table("sic-bo-etg-v8/1", opened=False)),
            (C.ROLE_NOT_ALLOWED, "a dealer opens it", {"by": DEALER}),
            (C.DIGEST_DIFFERS, "the rulebook of the table", {"rulebook_digest": ETG["rulebook_digest"]}),
            (C.DIGEST_DIFFERS, "its pay table", {"pay_table_digest": ETG["pay_table_digest"]}),
            (C.LIMITS_INVALID, "limits in units", {"limits": A_HALF_UNIT}),
            (C.UNIT_UNPAYABLE, "an even unit", {"limits": Limits(unit=10, default=Limit(50, 100))}),
        ],
    ),
    "place bets": Ladder(
        cmd.PlaceBets,
        lambda: Table(opened=False, limits=limits()),
        {"by": player("Bob"), "player": "Ann", "version": 4, "all_or_nothing": True,
         "chips": cmd.ColourChips("red", 7, {"big": 5000}),
         "slip": {"big": 5000, "odd": 105, "small": -5, "pair-112": 10}},
        [
            (C.ROUND_NOT_OPEN, "the round is opened", opened_with_ann),
            (C.ROLE_NOT_ALLOWED, "it is Ann who asks", {"by": player("Ann")}),
            (C.SLIP_STALE, "the version she last sent", {"version": 5}),
            (C.SLIP_DIFFERS, "a new version", {"version": 6}),
            (C.COLOUR_CHIPS_NOT_USED, "cash chips", {"chips": None}),
            (C.BOX_UNKNOWN, "only boxes of the layout", {"slip": {"big": 5000, "odd": 105, "small": -5}}),
            (C.STAKE_INVALID, "stakes above zero", {"slip": {"big": 5000, "odd": 105}}),
            (C.STAKE_NOT_IN_UNITS, "stakes in chips", {"slip": {"big": 5000, "odd": 100}}),
            (C.ABOVE_MAXIMUM, "less will do", {"all_or_nothing": False}),
        ],
    ),
    "place bets in colour": Ladder(
        cmd.PlaceBets,
        lambda: Table("tai-sai-v3/1", limits()),
        {"by": player("Ann"), "player": "Ann", "version": 1, "slip": {"big": 60, "sum-9": 7, "small": 40},
         "chips": cmd.ColourChips("red", 25, {"big": 50})},
        [
            (C.STAKE_NOT_IN_UNITS, "stakes in chips", {"slip": {"big": 60, "small": 40}}),
            (C.STAKE_NOT_IN_UNITS, "a value in units", red(40, 50)),
            (C.STAKE_NOT_IN_UNITS, "whole colour chips", red(20, 80)),
            (C.STAKE_NOT_IN_UNITS, "no more than the stake", red(20, 40)),
            (C.BELOW_MINIMUM, "the minimum", {"slip": {"big": 60, "small": 50}}),
        ],
    ),
    "place bets on a terminal": Ladder(
        cmd.PlaceBets,
        etg,
        {"by": DEALER, "player": "Ann", "version": 1, "slip": {"odd": 150, "big": 600, "small": 40}},
        [
            (C.NOT_IN_THIS_RULEBOOK, "Ann at her terminal", {"by": player("Ann")}),
            (C.BELOW_MINIMUM, "the minimum", {"slip": {"odd": 150, "big": 600, "small": 50}}),
            (C.ABOVE_MAXIMUM, "the maximum", {"slip": {"odd": 150, "big": 500, "small": 50}}),
            (C.BOX_FULL, "what is left", {"slip": {"odd": 100, "big": 500, "small": 50}}),
        ],
    ),
    "reject excess": Ladder(
        cmd.RejectExcess,
        lambda: Table("tai-sai-v3/1", opened=False),
        {"by": player("Pia"), "on": "big"},
        [
            (C.NOT_IN_THIS_RULEBOOK, "another game", by_dealer),
            (C.ROUND_NOT_OPEN, "the round is opened", lambda table: table.open() and None),
            (C.ROLE_NOT_ALLOWED, "the dealer asks", {"by": DEALER}),
            (C.NO_EXCESS, "there is some", lambda table: table.bet("Ann", {"big": 1010}) and None),
        ],
    ),
    "return a bet below the minimum": Ladder(
        cmd.ReturnBelowMinimum,
        small_bet,
        {"player": "Ann", "box": "smallish"},
        [
            (C.BOX_UNKNOWN, "a box of the layout", {"box": "big"}),
            (C.NOT_BELOW_MINIMUM, "a small bet", {"box": "small"}),
            (C.PLAYER_NOT_ADVISED, "Ann is told", advised),
        ],
    ),
    "cover": Ladder(
        cmd.CoverTumbler,
        lambda: covered(tumbled=True),
        {},
        [
            (C.ALREADY_TUMBLED, "before the tumble", covered),
            (C.ALREADY_COVERED, "before the cover", lambda _: Table()),
        ],
    ),
    "activate": Ladder(
        cmd.ActivateTumbler,
        lambda: covered(tumbled=True),
        {"uncovered": True, "tumbles": -1},
        [
            (C.ALREADY_TUMBLED, "before the tumble", covered),
            (C.ALREADY_COVERED, "before the cover", lambda _: Table()),
            (C.DICE_INVALID, "a count", {"tumbles": 3}),
        ],
    ),
    "activate without saying so": Ladder(
        cmd.ActivateTumbler,
        Table,
        {"tumbles": -1},
        [
            (C.NOT_COVERED, "with the cover", covered),
            (C.DICE_INVALID, "a count", {"tumbles": 3}),
        ],
    ),
    "expose": Ladder(
        cmd.ExposeDice,
        lambda: closed(known=[1]),
        {},
        [
            (C.ALREADY_EXPOSED, "before it", lambda _: closed(tumbled=False)),
            (C.NOT_COVERED, "with the cover", lambda table: table.do(cmd.CoverTumbler) and None),
            (C.NOT_TUMBLED, "after a tumble", lambda table: table.tumble() and None),
        ],
    ),
    "declare": Ladder(
        cmd.DeclareRoll,
        Table,
        {"roll": Roll(1, 1, 1), "by": player("Pia")},
        [
            (C.BETTING_OPEN, "after the closing", lambda table: table.close() and None),
            (C.ROLE_NOT_ALLOWED, "the dealer", {"by": DEALER}),
            (C.NOT_TUMBLED, "after a tumble", lambda table: table.tumble() and None),
            (C.NOT_EXPOSED, "with faces read", lambda _: closed(known=[2])),
            (C.CONTRADICTS_KNOWN_FACES, "what was read", {"roll": Roll(1, 2, 1)}),
        ],
    ),
    "interrupt": Ladder(
        cmd.InterruptRound,
        lambda: closed(tumbled=False),
        {"known": [7]},
        [
            (C.NOT_TUMBLED, "after a tumble", lambda _: closed(known=[2])),
            (C.DICE_INVALID, "faces of a die", {"known": [1]}),
            (C.CONTRADICTS_KNOWN_FACES, "what was read", {"known": [2]}),
        ],
    ),
    "void": Ladder(
        cmd.VoidRound,
        lambda: Table(opened=False),
        {"by": player("Pia"), "ground": Ground.ACTIVATED_EARLY},
        [
            (C.ROUND_NOT_OPEN, "the round is opened", lambda table: table.open() and None),
            (C.ROLE_NOT_ALLOWED, "the dealer", {"by": DEALER}),
            (C.GROUND_NOT_HERE, "a ground of the rules", {"ground": Ground.NOT_FLAT}),
            (C.NOT_TUMBLED, "after a tumble", lambda table: table.tumble() and None),
        ],
    ),
    "report damaged dice": Ladder(
        cmd.ReportDamagedDice,
        lambda: Table(opened=False),
        {**PEOPLE, "rounds": [2]},
        [
            (C.ROUND_NOT_OPEN, "the round is opened", lambda table: table.open() and None),
            *TO_RIGHT_PEOPLE,
            (C.ROUND_NOT_AFFECTED, "the round is named", {"rounds": [1, 2]}),
        ],
    ),
    "correct the result": Ladder(
        cmd.CorrectResult,
        lambda: closed(known=[1]),
        {**PEOPLE, "roll": Roll(2, 2, 2)},
        [
            (C.BETTING_CLOSED, "after the declaration", declared),
            *TO_RIGHT_PEOPLE,
            (C.CONTRADICTS_KNOWN_FACES, "what was read", {"roll": Roll(3, 1, 1)}),
            (C.SAME_RESULT, "another result", {"roll": Roll(3, 2, 1)}),
        ],
    ),
    "correct the bets": Ladder(
        cmd.CorrectBets,
        Table,
        {**PEOPLE, "player": "Ann", "slip": {"big": 0, "biggest": 10}},
        [
            (C.BETTING_OPEN, "after the closing", lambda _: closed()),
            *TO_RIGHT_PEOPLE,
            (C.BOX_UNKNOWN, "boxes of the layout", {"slip": {"big": 0}}),
            (C.STAKE_INVALID, "stakes above zero", {"slip": {"big": 50}}),
            (C.NOTHING_CHANGES, "something else", {"slip": {"big": 60}}),
        ],
    ),
    "rule": Ladder(
        cmd.MakeRuling,
        Table,
        {**PEOPLE, "decision": "declare", "roll": None},
        [
            (C.BETTING_OPEN, "after the closing", declared),
            *TO_RIGHT_PEOPLE,
            (C.DICE_INVALID, "dice", {"roll": Roll(1, 1, 3)}),
            (C.SAME_RESULT, "other dice", {"roll": Roll(2, 2, 2)}),
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("act", LADDERS)
def test_one_fault_is_named_at_a_time_in_the_order_of_the_list(act: str) -> None:
    """Each row repairs the fault that was named, and the next one in the list comes to light."""
    found = LADDERS[act].climb()
    assert [code for _, code in found] == [expected for expected, _ in found]
    places = [list(RefusalCode).index(code) for _, code in found]
    assert places == sorted(places)


def test_colour_chips_follow_the_same_order() -> None:
    """At the rack: who asks, then the game, the amounts, and whose colour it is."""
    rack = ColourRack(taisai.rulebook("tai-sai-v3"), 10, {"red": Colour("Ann", 20, hand=5)})
    other = ColourRack(taisai.rulebook("tai-sai-v6"), 10)
    faulty = {"by": player("Bob"), "at": EVENING, "colour": "red", "player": "Bob", "chips": 0, "value": 15}
    rows: list[tuple[RefusalCode, ColourRack, dict[str, Any]]] = [
        (C.ROLE_NOT_ALLOWED, other, {"by": DEALER}),
        (C.COLOUR_CHIPS_NOT_USED, other, {}),
        (C.STAKE_INVALID, rack, {"chips": 9}),
        (C.STAKE_NOT_IN_UNITS, rack, {"value": 40}),
        (C.COLOUR_TAKEN, rack, {"player": "Ann"}),
        (C.VALUE_FIXED, rack, {"value": 20}),
    ]
    places = []
    for expected, where, repair in rows:
        decision = decide_chips(where, IssueColour(**faulty))
        assert isinstance(decision, Refusal)
        assert decision.code is expected
        places.append(list(RefusalCode).index(decision.code))
        faulty |= repair
    assert places == sorted(places)
    assert not isinstance(decide_chips(rack, IssueColour(**faulty)), Refusal)
    back = {"by": DEALER, "at": EVENING, "colour": "red", "player": "Bob", "chips": 6}
    for expected, repair in ((C.COLOUR_NOT_YOURS, {"player": "Ann"}), (C.TOO_MANY_CHIPS, {"chips": 5})):
        decision = decide_chips(rack, ChangeBack(**back))
        assert isinstance(decision, Refusal)
        assert decision.code is expected
        back |= repair
    assert not isinstance(decide_chips(rack, ChangeBack(**back)), Refusal)


def test_at_the_edge_a_refusal_is_raised_with_its_clause_and_facts() -> None:
    """`Round.do` raises; what it says can be read, and what it carries can be sent."""
    table = Table(limits=limits())
    with pytest.raises(Refused) as caught:
        table.round.do(table.command(cmd.RejectExcess, on="big"))
    assert str(caught.value) == "no_excess (5.1): on big"
    refusal = caught.value.refusal
    assert msgspec.json.decode(msgspec.json.encode(refusal), type=Refusal) == refusal
    table.close()
    with pytest.raises(Refused, match=r"^betting_closed \(3\.6\): act close betting, phase closed$"):
        table.round.do(table.command(cmd.CloseBetting))
    bare = Refused(Refusal(code=RefusalCode.NOT_COVERED, clause="3.7"))
    assert str(bare) == "not_covered (3.7)"


def test_a_second_person_is_known_by_name_not_by_position() -> None:
    """The same name in two positions is one person."""
    table = declared()
    refusal = table.refused(
        cmd.CorrectResult,
        by=SUPERVISOR,
        second=Actor(SUPERVISOR.name, Role.SHIFT_MANAGER),
        roll=Roll(1, 1, 4),
    )
    assert refusal.code is C.SECOND_PERSON_IS_FIRST
    assert refusal.facts == {"act": "correct the result", "least": "pit-supervisor", "name": "Sam"}
