"""Whole rounds, one scene each: what people at the table do, act by act."""

from collections.abc import Callable
from dataclasses import dataclass

import taisai
from taisai.dice import Roll
from taisai.game import commands as cmd
from taisai.game.limits import Limit, Limits
from taisai.rulebooks.model import Ground
from tests.golden.playthroughs.script import Script
from tests.rules.table import CONSOLE, DEALER, ETG, OPEN, RULEBOOKS, SHIFT, SUPERVISOR, V3, V4, V6

LIVE = (V3, OPEN, V4, V6)
COVERED = (V3, V4, V6, ETG)
AFFECTED_ROUNDS = (V4, V6, ETG)


AT_PLACEMENT = Limits(unit=10, default=Limit(50, 1000))


@dataclass(frozen=True)
class Scene:
    """A round worth reading, and the rulebooks under which it is played."""

    name: str
    about: str
    play: Callable[[str], list[Script]]
    rulebooks: tuple[str, ...] = RULEBOOKS


SCENES: list[Scene] = []


def scene(about: str, rulebooks: tuple[str, ...] = RULEBOOKS) -> Callable[..., Callable[[str], list[Script]]]:
    """Make a function of a pay table into a scene; its name is the scene's."""

    def add(play: Callable[[str], list[Script]]) -> Callable[[str], list[Script]]:
        SCENES.append(Scene(play.__name__.replace("_", "-"), about, play, rulebooks))
        return play

    return add


def seated(pay_table: str, limits: Limits | None = None, **more: object) -> Script:
    """A round with two players who bet for themselves."""
    table = Script(pay_table, limits, **more)
    table.bet("Ann", {"big": 100, "any-triple": 50})
    table.bet("Bob", {"small": 300})
    return table


def tumbled(pay_table: str) -> Script:
    table = seated(pay_table)
    table.close()
    table.tumble()
    return table


# --- the ordinary course -------------------------------------------------------------------------------


@scene("An ordinary round: bets change until the closing, and not after it.")
def ordinary(pay_table: str) -> list[Script]:
    table = Script(pay_table)
    table.bet("Ann", {"big": 100})
    table.bet("Bob", {"small": 50, "domino-35": 20})
    table.bet("Ann", {"big": 200, "sum-11": 10})
    table.bet("Bob", {"domino-35": 20})
    table.close()
    table.bet_refused("Bob", {"small": 500})
    table.conclude("335")
    return [table]


@scene("A triple: only the bets that the rules name can win.")
def triple(pay_table: str) -> list[Script]:
    table = Script(pay_table)
    table.bet("Ann", {"small": 100, "triple-2": 10, "any-triple": 10})
    table.bet("Bob", {"single-2": 50, "sum-6": 20, "domino-12": 20})
    table.conclude("222")
    return [table]


@scene("The dice tumble under the cover while bets are still open, which is in order.", COVERED)
def early_tumble(pay_table: str) -> list[Script]:
    table = Script(pay_table)
    table.bet("Ann", {"big": 100})
    table.tumble()
    table.bet("Bob", {"big": 100})
    table.conclude("456")
    return [table]


@scene("Bets placed on request, bets registered from the felt, and a player who leaves before the end.", LIVE)
def on_behalf_and_walk_away(pay_table: str) -> list[Script]:
    table = Script(pay_table)
    table.bet("Ann", {"big": 100}, by=SUPERVISOR, on_request=True)
    table.bet("Cyd", {"big": 50}, by=DEALER)
    table.bet("Bob", {"small": 50})
    table.do(cmd.RecordWalkAway, player="Ann")
    table.conclude("456")
    return [table]


@scene("Colour chips beside cash chips.", (V3, OPEN))
def colour_chips(pay_table: str) -> list[Script]:
    table = Script(pay_table, Limits(unit=10, default=Limit(10)))
    table.bet(
        "Ann", {"big": 100, "single-4": 40}, chips=cmd.ColourChips("red", 20, {"big": 60, "single-4": 40})
    )
    table.bet("Bob", {"small": 50})
    table.bet_refused("Cyd", {"big": 50}, chips=cmd.ColourChips("blue", 20, {"big": 50}))
    table.conclude("446")
    return [table]


@scene("The console runs the round, a bet comes twice, and a terminal is cut off.", (ETG,))
def terminal_cut_off(pay_table: str) -> list[Script]:
    table = Script(pay_table, AT_PLACEMENT)
    table.bet("Ann", {"sum-8": 100})
    table.bet("Bob", {"double-2": 50})
    table.bet_refused("Bob", {"double-2": 20})
    table.bet_refused("Bob", {"double-2": 5000})
    table.bet_refused("Cyd", {"big": 100}, by=DEALER)
    table.do(cmd.RecordCutOff, by=CONSOLE, player="Ann")
    table.close()
    table.bet_refused("Cyd", {"big": 100})
    table.conclude("224")
    return [table]


@scene("A chip unit that could not pay every price keeps the table shut.", (ETG,))
def unpayable_unit(pay_table: str) -> list[Script]:
    table = Script(pay_table, Limits(unit=5, default=Limit(5)), opened=False)
    table.refused(cmd.OpenBetting, **table.opening())
    table.limits = Limits(unit=10, default=Limit(10))
    table.open()
    return [table]


# --- voids ---------------------------------------------------------------------------------------------


@scene("Void: the tumbler tumbled only twice.")
def void_too_few_tumbles(pay_table: str) -> list[Script]:
    table = seated(pay_table)
    table.close()
    table.tumble(2)
    table.refused(cmd.DeclareRoll, roll=Roll(1, 2, 3))
    return [table]


@scene("Void: a die leans against the wall of the tumbler.")
def void_not_flat(pay_table: str) -> list[Script]:
    table = seated(pay_table)
    table.close()
    if table.state.rulebook.id == OPEN:
        table.do(cmd.ActivateTumbler, tumbles=3, flat=False)
    else:
        table.tumble()
        table.do(cmd.ExposeDice, flat=False)
    return [table]


@scene("Void: the cover is lifted before the closing.", COVERED)
def void_exposed_early(pay_table: str) -> list[Script]:
    table = seated(pay_table)
    table.tumble()
    table.do(cmd.ExposeDice)
    return [table]


@scene("Void: the tumbler is set off without its cover before the closing.", COVERED)
def void_uncovered_early(pay_table: str) -> list[Script]:
    table = seated(pay_table)
    table.refused(cmd.ActivateTumbler, tumbles=3)
    table.do(cmd.ActivateTumbler, tumbles=3, uncovered=True)
    return [table]


@scene("Void: the open tumbler is set off before the closing.", (OPEN,))
def void_activated_early(pay_table: str) -> list[Script]:
    table = seated(pay_table)
    table.do(cmd.ActivateTumbler, tumbles=3)
    return [table]


@scene("Void after settlement: the dealer saw too late how the dice had tumbled, but before the conclusion.")
def void_after_settlement(pay_table: str) -> list[Script]:
    table = seated(pay_table)
    table.settle("456")
    table.do(cmd.VoidRound, ground=Ground.TOO_FEW_TUMBLES)
    return [table]


@scene("Damaged dice while the round is in play.")
def void_damaged_dice(pay_table: str) -> list[Script]:
    table = seated(pay_table)
    table.close()
    table.do(cmd.ReportDamagedDice, rounds=[1], reason="a corner is chipped")
    return [table]


@scene(
    "Damaged dice found later: every round played with the set is void, settled ones too.", AFFECTED_ROUNDS
)
def damaged_dice_over_rounds(pay_table: str) -> list[Script]:
    first, second = seated(pay_table, dice_set="A"), seated(pay_table, number=2, dice_set="A")
    third = seated(pay_table, number=3, dice_set="B")
    first.conclude("456")
    second.settle("124")
    third.close()
    report = {"rounds": [1, 2, 3], "dice_set": "A", "reason": "a corner is chipped"}
    for table in (first, second):
        table.do(cmd.ReportDamagedDice, **report)
    third.refused(cmd.ReportDamagedDice, **report)
    return [first, second, third]


@scene("Damaged dice found later: a game that is over stands.", (V3, OPEN))
def damaged_dice_too_late(pay_table: str) -> list[Script]:
    table = seated(pay_table)
    table.conclude("456")
    table.refused(cmd.ReportDamagedDice, rounds=[1])
    table.refused(cmd.VoidRound, ground=Ground.NOT_FLAT)
    return [table]


# --- interruptions ---------------------------------------------------------------------------------------


@scene("The power fails; one die can be read, so that an outcome is established, and the round goes on.")
def interruption_established(pay_table: str) -> list[Script]:
    table = tumbled(pay_table)
    table.do(cmd.InterruptRound, known=[4])
    table.refused(cmd.DeclareRoll, roll=Roll(4, 5, 6))
    table.do(cmd.ResumeRound)
    table.refused(cmd.DeclareRoll, roll=Roll(5, 5, 6))
    table.do(cmd.DeclareRoll, roll=Roll(4, 5, 6))
    table.do(cmd.SettleBets)
    table.do(cmd.ConcludeRound)
    return [table]


@scene("The power fails and no die can be read: nothing is established, and the round is void.")
def interruption_void(pay_table: str) -> list[Script]:
    table = tumbled(pay_table)
    table.do(cmd.InterruptRound, known=[])
    return [table]


@scene("Dice are read during an interruption while bets are open: void.", COVERED)
def interruption_seen_early(pay_table: str) -> list[Script]:
    table = seated(pay_table)
    table.tumble()
    table.do(cmd.InterruptRound, known=[4, 5])
    return [table]


@scene("An outcome is established but the other dice can never be read: the round waits for a ruling.")
def interruption_ruled(pay_table: str) -> list[Script]:
    table = tumbled(pay_table)
    table.do(cmd.InterruptRound, known=[4, 4], readable=False)
    table.refused(cmd.ResumeRound)
    ruling = {"decision": "declare", "roll": Roll(4, 4, 5), "reason": "the camera shows the third die"}
    table.refused(cmd.MakeRuling, by=SUPERVISOR, second=DEALER, **ruling)
    table.do(cmd.MakeRuling, by=SHIFT, **ruling)
    table.do(cmd.SettleBets)
    table.do(cmd.ConcludeRound)
    return [table]


@scene("The other dice never can be read: what two of them decide is settled, and the rest goes back.")
def interruption_settled_on_known_faces(pay_table: str) -> list[Script]:
    table = Script(pay_table)
    table.bet("Ann", {"single-4": 100, "any-triple": 50})
    table.bet("Bob", {"small": 300, "domino-46": 20, "domino-12": 20})
    table.bet("Cyd", {"sum-12": 50})
    table.close()
    table.tumble()
    ruling = {"decision": "settle-known", "reason": "the third die fell under the table"}
    table.refused(cmd.MakeRuling, by=SHIFT, **ruling)
    table.do(cmd.InterruptRound, known=[4, 6], readable=False)
    table.do(cmd.MakeRuling, by=SHIFT, **ruling)
    table.do(cmd.SettleBets)
    table.do(cmd.ConcludeRound)
    return [table]


@scene("A restart of the software: the round is held in its phase and goes on.")
def suspension(pay_table: str) -> list[Script]:
    table = seated(pay_table)
    table.do(cmd.SuspendRound, by=CONSOLE)
    table.bet_refused("Ann", {"big": 200})
    table.do(cmd.ResumeRound)
    table.bet("Ann", {"big": 200})
    table.conclude("456")
    return [table]


# --- corrections and rulings -----------------------------------------------------------------------------


@scene("A wrong result is found after the conclusion, and the correction is corrected again.")
def correction_of_the_result(pay_table: str) -> list[Script]:
    table = seated(pay_table)
    table.conclude("124")
    table.refused(cmd.CorrectResult, roll=Roll(4, 5, 6), second=None)
    table.refused(cmd.CorrectResult, roll=Roll(4, 2, 1))
    table.do(cmd.CorrectResult, roll=Roll(4, 5, 6), reason="typed from the wrong tumbler")
    table.do(cmd.CorrectResult, roll=Roll(4, 4, 4), reason="the camera was looked at once more")
    return [table]


@scene("The register differs from the felt, before and after settlement.", LIVE)
def correction_of_the_bets(pay_table: str) -> list[Script]:
    table = seated(pay_table)
    table.close()
    table.do(cmd.CorrectBets, player="Bob", slip={"big": 300}, reason="the chips lay on Big")
    table.conclude("456")
    table.do(cmd.CorrectBets, player="Cyd", slip={"double-4": 20, "sum-15": 10}, reason="not registered")
    return [table]


@scene("The lamps are wrong: that decides nothing.")
def display_fault(pay_table: str) -> list[Script]:
    table = seated(pay_table)
    table.declare("456")
    table.do(cmd.RecordDisplayFault, kind="lamps", what="Small is lit")
    table.do(cmd.RecordDisplayFault, kind="display", what="the board shows 1-2-4")
    table.do(cmd.SettleBets)
    table.do(cmd.ConcludeRound)
    return [table]


@scene("Rulings: bets returned, and a decision that is only put on record.")
def ruling(pay_table: str) -> list[Script]:
    table = seated(pay_table)
    table.close()
    named = [cmd.BetRef("Bob", "small")]
    table.do(cmd.MakeRuling, by=SHIFT, decision="return-bets", bets=named, reason="pushed by another player")
    table.conclude("456")
    table.do(cmd.MakeRuling, by=SHIFT, decision="record", reason="Bob was told why")
    return [table]


def pay_table_of(rulebook: str) -> str:
    """The pay table that a rulebook's scenes are played on: the last but one shows most kinds of box."""
    tables = taisai.rulebook(rulebook).pay_tables
    return tables[min(1, len(tables) - 1)].id
