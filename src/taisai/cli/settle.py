"""`taisai settle`: what bets bring on given dice."""

import re
from typing import Annotated

import typer

from taisai.cli.odds import PayTableArgument
from taisai.cli.output import Format, FormatOption, out, show_rows
from taisai.dice import Roll
from taisai.errors import InputError, brief
from taisai.game.awards import settle as settle_bets
from taisai.money import check_stake, say_odds
from taisai.rulebooks.catalogue import pay_table as find_pay_table

# No more digits than any amount of money has: the interpreter refuses to read thousands of them.
_WHOLE = re.compile(r"-?[0-9]{1,20}")


def register(app: typer.Typer) -> None:
    app.command()(settle)


def parse_bet(text: str) -> tuple[str, int]:
    """A bet from `big=100`: the box and a whole number of minor units."""
    box, equals, raw_stake = text.partition("=")
    if not box or not equals:
        raise InputError(f"expected a bet such as big=100, got {brief(text)}")
    if not _WHOLE.fullmatch(raw_stake):
        raise InputError(f"a stake is a whole number of minor units, got {brief(raw_stake)} in {brief(text)}")
    return box, check_stake(int(raw_stake))


def parse_bets(texts: list[str]) -> dict[str, int]:
    """Several bets; the same box twice is a mistake, not an addition."""
    bets: dict[str, int] = {}
    for box, stake in map(parse_bet, texts):
        if box in bets:
            raise InputError(f"two bets on {box}: give its whole stake once")
        bets[box] = stake
    return bets


def settle(
    pay_table: PayTableArgument,
    dice: Annotated[str, typer.Option(help="The three dice: 1,1,3.")],
    bet: Annotated[
        list[str] | None, typer.Option(help="BOX=STAKE in minor units; may be given again.")
    ] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Settle bets on a roll, exactly.

    Example: taisai settle tai-sai-v6/2 --dice 1,1,3 --bet big=100 --bet pair-113=50
    """
    table, roll = find_pay_table(pay_table), Roll.parse(dice)
    awards = settle_bets(table, roll, parse_bets(bet or []))
    winning = table.winning_boxes(roll)
    bets = {
        box: {
            "stake": award.stake,
            "won": award.won,
            "pays_to_one": None if award.pays_to_one is None else str(award.pays_to_one),
            "returned": award.returned,
        }
        for box, award in awards.items()
    }
    document = {
        "pay_table": table.id,
        "digest": table.digest,
        "dice": list(roll),
        "total": roll.total,
        "triple": roll.is_triple,
        "winning_boxes": winning,
        "bets": bets,
        "staked": sum(award.stake for award in awards.values()),
        "returned": sum(award.returned for award in awards.values()),
    }
    say = str if form is Format.CSV else say_odds
    rows = [
        {
            "box": box,
            "stake": award.stake,
            "won": award.won,
            "pays_to_one": None if award.pays_to_one is None else say(award.pays_to_one),
            "returned": award.returned,
        }
        for box, award in awards.items()
    ]
    if form is Format.TABLE:
        triple = ", a triple" if roll.is_triple else ""
        out().print(f"[bold]{roll}[/], total {roll.total}{triple}; winning boxes: {', '.join(winning)}")
        if not rows:
            return
    show_rows(rows, form, document=document)
