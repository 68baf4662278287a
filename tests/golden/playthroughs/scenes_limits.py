"""Rounds in which a limit matters: excess that is cut, rejected or shared pro rata, and bets too small."""

import msgspec

from taisai.game import commands as cmd
from taisai.game.limits import Limit, Limits
from tests.golden.playthroughs.scenes import AT_PLACEMENT, LIVE, scene
from tests.golden.playthroughs.script import Script
from tests.rules.table import V4, V6

WITH_PRO_RATA = (V4, V6)

BY_DEALER = Limits(unit=5, default=Limit(50, 1000), notice="by-dealer")
DIFFERENTIAL = Limits(
    unit=10, default=Limit(50, 10_000), notice="by-dealer", differential={"big-small": 3000}
)


@scene("Excess at placement: a box is cut to what is left under its maximum.", LIVE)
def cut_at_placement(pay_table: str) -> list[Script]:
    table = Script(pay_table, AT_PLACEMENT)
    table.bet("Ann", {"big": 700})
    table.bet("Bob", {"big": 500, "small": 100})
    table.bet("Cyd", {"big": 100})
    table.bet_refused("Cyd", {"big": 100, "small": 100}, all_or_nothing=True)
    table.bet("Ann", {"big": 600})
    table.bet("Cyd", {"big": 100})
    table.conclude("456")
    return [table]


@scene("Excess noticed by the dealer before the closing: rejected, the latest chips first.", WITH_PRO_RATA)
def excess_rejected(pay_table: str) -> list[Script]:
    table = Script(pay_table, BY_DEALER)
    table.bet("Ann", {"big": 600})
    table.bet("Bob", {"big": 300})
    table.bet("Ann", {"big": 700})
    table.bet("Cyd", {"big": 150})
    table.do(cmd.RejectExcess, on="big")
    table.refused(cmd.RejectExcess, on="big")
    table.conclude("456")
    return [table]


@scene(
    "Closing with excess on the screen: the console asks, and it is rejected with the closing.", WITH_PRO_RATA
)
def excess_rejected_with_the_closing(pay_table: str) -> list[Script]:
    table = Script(pay_table, msgspec.structs.replace(BY_DEALER, differential={"big-small": 500}))
    table.bet("Ann", {"big": 800})
    table.bet("Bob", {"big": 400, "small": 100})
    table.refused(cmd.CloseBetting)
    table.do(cmd.CloseBetting, excess="reject")
    table.conclude("566")
    return [table]


@scene("Excess that nobody noticed: the box's maximum is shared pro rata.", WITH_PRO_RATA)
def pro_rata(pay_table: str) -> list[Script]:
    table = Script(pay_table, BY_DEALER)
    table.bet("Ann", {"big": 300})
    table.bet("Bob", {"big": 600})
    table.bet("Cyd", {"big": 400})
    table.conclude("566")
    return [table]


@scene("Pro rata with floors: no share below the minimum, and small bets stand in full.", WITH_PRO_RATA)
def pro_rata_floors(pay_table: str) -> list[Script]:
    table = Script(pay_table, Limits(unit=5, default=Limit(50, 500), notice="by-dealer"))
    table.bet("Ann", {"small": 1000})
    table.bet("Bob", {"small": 60})
    table.bet("Cyd", {"small": 40})
    table.conclude("566")
    return [table]


@scene("Big against Small beyond the differential: the heavier side is shared pro rata.", WITH_PRO_RATA)
def differential(pay_table: str) -> list[Script]:
    table = Script(pay_table, DIFFERENTIAL)
    table.bet("Ann", {"big": 3000})
    table.bet("Bob", {"big": 2000})
    table.bet("Cyd", {"small": 1000})
    table.conclude("566")
    return [table]


@scene("The lighter side is above its own maximum: the heavier is measured from it as placed.", WITH_PRO_RATA)
def differential_as_placed(pay_table: str) -> list[Script]:
    small = {"small": Limit(50, 1500)}
    table = Script(pay_table, msgspec.structs.replace(DIFFERENTIAL, boxes=small))
    table.bet("Ann", {"big": 5010})
    table.bet("Bob", {"small": 2000})
    table.conclude("566")
    return [table]


@scene("A differential that the dealer calls, and one that heals by itself.", WITH_PRO_RATA)
def differential_rejected(pay_table: str) -> list[Script]:
    table = Script(pay_table, DIFFERENTIAL)
    table.bet("Ann", {"big": 3500})
    table.bet("Cyd", {"small": 1000})
    table.refused(cmd.RejectExcess, on="big-small")
    table.bet("Bob", {"big": 1000})
    table.do(cmd.RejectExcess, on="big-small")
    table.conclude("566")
    return [table]


@scene("Below the minimum: one player acts on the advice, one does not, one is overlooked.", WITH_PRO_RATA)
def below_minimum(pay_table: str) -> list[Script]:
    table = Script(pay_table, AT_PLACEMENT)
    for name in ("Ann", "Bob", "Cyd"):
        table.bet(name, {"big": 20})
    table.refused(cmd.ReturnBelowMinimum, player="Bob", box="big")
    table.do(cmd.AdviseMinimum, player="Ann", box="big")
    table.bet("Ann", {"big": 50})
    table.do(cmd.AdviseMinimum, player="Bob", box="big")
    table.do(cmd.ReturnBelowMinimum, player="Bob", box="big")
    table.conclude("566")
    return [table]
