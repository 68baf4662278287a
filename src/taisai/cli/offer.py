"""`taisai offer`: what a house's offers cost it, and what the best player makes of them."""

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from taisai.cli.figures import ReportOption, amount_of, check_report, exactly, percent, show_figures
from taisai.cli.mix import parse_mix
from taisai.cli.numbers import count_option, money_option, share
from taisai.cli.odds import PayTableArgument
from taisai.cli.output import Format, FormatOption
from taisai.rulebooks.catalogue import pay_table as find_pay_table

if TYPE_CHECKING:
    from taisai.odds.mix import Mix
    from taisai.odds.offers.rebate import BestPlay, RebatePrice

BetsOption = Annotated[list[str], typer.Option("--bet", help="BOX=STAKE in minor units; may be given again.")]
BoxOption = Annotated[str, typer.Option("--bet", help="The box that the chip is bet on, such as big.")]


def register(app: typer.Typer) -> None:
    offer = typer.Typer(help="Price rebates, match play, chips and comps, exactly.", no_args_is_help=True)
    offer.command()(rebate)
    offer.command("match-play")(match_play)
    offer.command("free-chip")(free_chip)
    offer.command()(bonus)
    offer.command()(comps)
    app.add_typer(offer, name="offer")


def rebate(
    pay_table: PayTableArgument,
    bet: BetsOption,
    share_: Annotated[str, typer.Option("--share", help="Of the loss, given back: 0.1, 1/10 or 10%.")],
    rounds: Annotated[int, count_option("Rounds of a session, at the most.")] = 100,
    threshold: Annotated[int, money_option("The least loss that earns a rebate.", least=0)] = 0,
    beyond: Annotated[
        bool, typer.Option("--beyond", help="Pay only on what lies beyond the threshold.")
    ] = False,
    quit_win: Annotated[int | None, money_option("Players leave once they have won so much.")] = None,
    quit_loss: Annotated[int | None, money_option("Players leave once they have lost so much.")] = None,
    bankroll: Annotated[int | None, money_option("What the best player brings.")] = None,
    report: ReportOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Price a rebate on losses: its cost, the share at which nothing is left, and the best play against it.

    Example: taisai offer rebate tai-sai-v6/2 --bet big=100 --share 10% --rounds 200 --threshold 1000
    """
    from taisai.odds.offers.rebate import Rebate, best_play, price_rebate
    from taisai.odds.offers.report import rebate_page

    check_report(report)
    mix = parse_mix(pay_table, bet)
    terms = Rebate(share(share_), threshold, beyond)
    price = price_rebate(mix.distribution, terms, rounds=rounds, quit_win=quit_win, quit_loss=quit_loss)
    best = best_play(mix.distribution, terms, rounds=rounds, bankroll=bankroll)
    show_figures(
        _rebate_figures(mix, price, best),
        form,
        title=f"{percent(terms.share, 2)} of losses on {_bets(mix)}",
        document=_rebate_document(mix, price, best),
        report=report,
        page=lambda rows: rebate_page(mix, price, best, rows),
    )


def _bets(mix: "Mix") -> str:
    return ", ".join(f"{each.box.id}={each.stake_minor}" for each in mix.bets)


def _rebate_figures(mix: "Mix", price: "RebatePrice", best: "BestPlay") -> dict[str, str]:
    low, high = best.stop.bounds()
    normal = price.normal
    paid = price.loss_counted.approx > 0
    return {
        "house expects before the rebate": amount_of(price.theo),
        "cost of the rebate": amount_of(price.cost),
        "house keeps": amount_of(price.house_keeps),
        "rounds played": f"{price.rounds.approx:,.2f}",
        "chance that a rebate is paid": percent(price.chance_paid),
        "break-even share": percent(price.break_even_share) if paid else "never paid",
        "half of the win goes back at": percent(price.equivalent_share(Fraction(1, 2))) if paid else "",
        "cost by the normal formula": f"{normal.cost:,.2f} ({_off(normal.cost, price.cost.approx)})",
        "break-even by the normal formula": percent(normal.break_even_share),
        "best play gains the player": amount_of(best.value),
        "best play stops at": _stops(low, high),
        "best play lasts, rounds": f"{best.stop.ended.rounds.approx:,.2f}",
        "no play gains below a share of": percent(best.break_even_share),
        "method": price.method + (f", to within {price.error:.0e}" if price.error else ""),
    }


def _off(found: float, exact: float) -> str:
    return f"{100 * (found / exact - 1):+.2f} %" if exact else "no cost"


def _stops(low: Fraction | None, high: Fraction | None) -> str:
    if low == high == 0:
        return "once: not playing is best"
    lost = "never below" if low is None else f"{amount_of(-low)} lost"
    return f"{lost}, {'never above' if high is None else f'{amount_of(high)} won'}"


def _rebate_document(mix: "Mix", price: "RebatePrice", best: "BestPlay") -> dict[str, Any]:
    low, high = best.stop.bounds()
    paid = price.loss_counted.approx > 0
    return {
        "bets": {each.box.id: each.stake_minor for each in mix.bets},
        "share": str(price.rebate.share),
        "threshold": price.rebate.threshold_minor,
        "beyond": price.rebate.beyond,
        "theo": price.theo.as_json(),
        "cost": price.cost.as_json(),
        "house_keeps": price.house_keeps.as_json(),
        "rounds": price.rounds.as_json(),
        "chance_paid": price.chance_paid.as_json(),
        "break_even_share": price.break_even_share.as_json() if paid else None,
        "normal": {"cost": price.normal.cost, "break_even_share": price.normal.break_even_share},
        "method": price.method,
        "error": price.error,
        "best_play": {
            "value": best.value.as_json(),
            "stops_below": None if low is None else str(low),
            "stops_above": None if high is None else str(high),
            "rounds": best.stop.ended.rounds.as_json(),
            "house_keeps": best.price.house_keeps.as_json(),
            "break_even_share": best.break_even_share,
        },
    }


def match_play(
    pay_table: PayTableArgument,
    coupon: Annotated[int, money_option("What is printed on the coupon, in minor units.")],
    bet: BoxOption = "big",
    stake: Annotated[
        int | None, money_option("The stake beside it; as much as the coupon if left out.")
    ] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Price a match-play coupon: bet beside a stake, paid like it, taken after one round.

    Example: taisai offer match-play tai-sai-v6/2 --coupon 2500 --bet big
    """
    from taisai.odds.exact import box_odds
    from taisai.odds.offers.chips import match_play as price

    odds = box_odds(find_pay_table(pay_table).box(bet))
    beside = coupon if stake is None else stake
    found = price(odds.distribution, stake=beside, coupon=coupon)
    figures = {
        "cost to the house": amount_of(found.worth),
        "share of its face": percent(found.share_of_face),
        "coupon and stake together": amount_of(found.with_own_stake),
        "edge of the player on the stake": percent(found.with_own_stake / beside),
        "edge of the house without it": percent(odds.edge),
        "rounds until the house has it back": f"{float(found.worth / (odds.edge * beside)):,.1f}"
        if odds.edge > 0
        else "never",
    }
    document = {
        "bet": bet,
        "coupon": coupon,
        "stake": beside,
        "cost": exactly(found.worth),
        "share_of_face": exactly(found.share_of_face),
        "with_own_stake": exactly(found.with_own_stake),
    }
    show_figures(figures, form, title=f"match play of {coupon:,} on {bet}", document=document)


def free_chip(
    pay_table: PayTableArgument,
    face: Annotated[int, money_option("The chip's face, in minor units.")],
    bet: BoxOption = "big",
    form: FormatOption = Format.TABLE,
) -> None:
    """Price a promotional chip: taken after its one bet, or only when it loses.

    Example: taisai offer free-chip tai-sai-v6/2 --face 1000 --bet triple-6
    """
    from taisai.odds.exact import box_odds
    from taisai.odds.offers.chips import free_chip as price

    net = box_odds(find_pay_table(pay_table).box(bet)).distribution
    once = price(net, face=face, taken="always")
    until = price(net, face=face, taken="on a loss")
    figures = {
        "cost, taken after one bet": f"{amount_of(once.worth)} ({percent(once.share_of_face)})",
        "cost, played until it loses": f"{amount_of(until.worth)} ({percent(until.share_of_face)})",
        "rounds until it loses": f"{float(until.plays):,.3f}",
    }
    document = {
        "bet": bet,
        "face": face,
        "one_bet": {"cost": exactly(once.worth), "share_of_face": exactly(once.share_of_face)},
        "until_lost": {
            "cost": exactly(until.worth),
            "share_of_face": exactly(until.share_of_face),
            "rounds": exactly(until.plays),
        },
    }
    show_figures(figures, form, title=f"a chip of {face:,} on {bet}", document=document)


def bonus(
    pay_table: PayTableArgument,
    bet: BetsOption,
    credit: Annotated[int, money_option("The credit that is given, in minor units.")],
    turnover: Annotated[int, money_option("What must be staked before it is money.")],
    form: FormatOption = Format.TABLE,
) -> None:
    """Price credit that must be staked so many times: with the chance that it is lost on the way.

    Example: taisai offer bonus tai-sai-v6/2 --bet big=100 --credit 2000 --turnover 20000
    """
    from taisai.odds.offers.chips import bonus_with_turnover

    mix = parse_mix(pay_table, bet)
    found = bonus_with_turnover(mix.distribution, bonus=credit, stake=mix.stake_minor, turnover=turnover)
    off = _off(float(found.simple), found.worth.approx)
    figures = {
        "cost to the house": amount_of(found.worth),
        "share of the credit": percent(found.worth.approx / credit),
        "chance that it is lost on the way": percent(found.ruin),
        "rounds played": f"{found.rounds.approx:,.2f}",
        "by the rule of thumb": f"{amount_of(found.simple)} ({off})",
    }
    document = {
        "bets": {each.box.id: each.stake_minor for each in mix.bets},
        "credit": credit,
        "turnover": turnover,
        "cost": found.worth.as_json(),
        "ruin": found.ruin.as_json(),
        "rounds": found.rounds.as_json(),
        "rule_of_thumb": exactly(found.simple),
        "error": found.error,
    }
    show_figures(figures, form, title=f"{credit:,} to be staked to {turnover:,}", document=document)


def comps(
    pay_table: PayTableArgument,
    bet: BetsOption,
    share_: Annotated[str, typer.Option("--share", help="Of the theoretical win: 0.3, 3/10 or 30%.")],
    pace: Annotated[int, count_option("Rounds an hour.")] = 45,
    minutes: Annotated[int, count_option("Minutes of play.")] = 60,
    form: FormatOption = Format.TABLE,
) -> None:
    """Price comps that give back a share of the theoretical win, and what they leave of the edge.

    Example: taisai offer comps tai-sai-v6/2 --bet big=1000 --share 30% --minutes 240
    """
    from taisai.odds.offers.comps import comps as price

    mix = parse_mix(pay_table, bet)
    found = price(mix, share=share(share_), pace=pace, minutes=minutes)
    figures = {
        "handle": amount_of(found.handle),
        "theoretical win": amount_of(found.theo),
        "cost of the comps": amount_of(found.cost),
        "house keeps": amount_of(found.house_keeps),
        "edge before": percent(mix.edge),
        "edge after": percent(found.edge_left),
    }
    document = {
        "bets": {each.box.id: each.stake_minor for each in mix.bets},
        "pace": pace,
        "minutes": minutes,
        "share": str(found.share),
        "handle": exactly(found.handle),
        "theo": exactly(found.theo),
        "cost": exactly(found.cost),
        "house_keeps": exactly(found.house_keeps),
        "edge_left": exactly(found.edge_left),
    }
    show_figures(
        figures, form, title=f"comps of {percent(found.share, 2)} on {_bets(mix)}", document=document
    )
