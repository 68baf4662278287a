"""`taisai design`: bankroll, stake, limits and odds for what is wanted of them."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from taisai.cli.figures import exactly, percent, show_figures
from taisai.cli.mix import parse_mix
from taisai.cli.numbers import count_option, money_option, share
from taisai.cli.odds import PayTableArgument
from taisai.cli.output import Format, FormatOption, show_rows
from taisai.errors import InputError
from taisai.money import parse_odds, say_odds
from taisai.rulebooks.catalogue import pay_table as find_pay_table

if TYPE_CHECKING:
    from taisai.odds.design.grid import OddsGrid, Priced
    from taisai.odds.design.survival import Found

RiskOption = Annotated[str, typer.Option("--risk", help="The chance that is bearable: 0.05, 1/20 or 5%.")]
StepOption = Annotated[
    str, typer.Option("--step", help="Odds are multiples of this: 1, 1/2 or 0.5; the step can be printed.")
]


def register(app: typer.Typer) -> None:
    design = typer.Typer(
        help="Bankroll, stake, limits and odds for what is wanted of them.", no_args_is_help=True
    )
    design.command()(bankroll)
    design.command()(stake)
    design.command()(limits)
    design.command("odds")(odds_for)
    design.command("pay-table")(pay_table_for)
    app.add_typer(design, name="design")


def bankroll(
    pay_table: PayTableArgument,
    bet: Annotated[list[str], typer.Option(help="BOX=STAKE in minor units; may be given again.")],
    risk: RiskOption,
    rounds: Annotated[int, count_option("Rounds that the bankroll is to last.")],
    goal: Annotated[int | None, money_option("Stop earlier once so much has been won.")] = None,
    unit: Annotated[int | None, money_option("The bankroll is a multiple of this.")] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Find the smallest bankroll with which ruin is no likelier than a given risk.

    Example: taisai design bankroll tai-sai-v6/2 --bet big=100 --rounds 500 --risk 5%
    """
    from taisai.odds.design.survival import bankroll_for

    mix = parse_mix(pay_table, bet)
    found = bankroll_for(
        mix.distribution,
        stake=mix.stake_minor,
        rounds=rounds,
        risk=share(risk),
        goal=goal,
        unit=mix.stake_minor if unit is None else unit,
    )
    _show_found(found, form, "bankroll", title=f"{rounds:,} rounds at a risk of {percent(share(risk), 2)}")


def stake(
    pay_table: PayTableArgument,
    bankroll: Annotated[int, money_option("What the player brings, in minor units.")],
    risk: RiskOption,
    rounds: Annotated[int, count_option("Rounds that the bankroll is to last.")],
    bet: Annotated[str, typer.Option(help="The box that is played.")] = "big",
    unit: Annotated[int, money_option("The stake is a multiple of this.")] = 1,
    form: FormatOption = Format.TABLE,
) -> None:
    """Find the largest stake with which ruin is no likelier than a given risk.

    Example: taisai design stake tai-sai-v6/2 --bankroll 10000 --rounds 300 --risk 10% --unit 5
    """
    from taisai.odds.design.survival import stake_for
    from taisai.odds.exact import box_odds

    net = box_odds(find_pay_table(pay_table).box(bet)).distribution
    found = stake_for(net, bankroll=bankroll, rounds=rounds, risk=share(risk), unit=unit)
    _show_found(found, form, "stake", title=f"{bet}: {rounds:,} rounds of a bankroll of {bankroll:,}")


def _show_found(found: "Found", form: Format, what: str, *, title: str) -> None:
    figures = {what: f"{found.amount:,}", "chance of ruin": percent(found.risk)}
    beside: dict[str, Any] | None = None
    if found.next_amount is not None and found.next_risk is not None:
        figures[f"the next {what} that does not serve"] = (
            f"{found.next_amount:,} ({percent(found.next_risk)})"
        )
        beside = {what: found.next_amount, "ruin": found.next_risk.as_json()}
    document = {what: found.amount, "ruin": found.risk.as_json(), "does_not_serve": beside}
    show_figures(figures, form, title=title, document=document)


def limits(
    pay_table: PayTableArgument,
    bound: Annotated[int, money_option("The most that the house may lose.")],
    rounds: Annotated[int | None, count_option("Also bound what one box wins in so many rounds.")] = None,
    risk: RiskOption = "1%",
    unit: Annotated[int | None, money_option("The chip unit of the limits.")] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Find maxima that bound the house's loss: on one roll with every box full, and on one box over time.

    Example: taisai design limits tai-sai-v6/2 --bound 1000000 --rounds 200 --risk 1%
    """
    from taisai.odds.design.limits import limits_for_loss

    table = find_pay_table(pay_table)
    found = limits_for_loss(table, bound, rounds=rounds, risk=share(risk), unit=unit)
    rows = [
        {
            "group": group.id,
            "pays_to_one": " / ".join(map(say_odds, group.pays)),
            "maximum": found.maxima[group.id],
            "for_one_roll": found.one_roll[group.id],
            "for_the_rounds": found.many_rounds.get(group.id),
        }
        for group in table.groups
    ]
    document = {
        "bound": bound,
        "rounds": rounds,
        "risk": None if rounds is None else str(share(risk)),
        "worst_roll": exactly(found.worst_roll),
        "maxima": rows,
    }
    show_rows(rows, form, title=f"{table.id}: a loss of at most {bound:,}", document=document)


def _grid(step: str, unit: int | None) -> "OddsGrid":
    from taisai.odds.design.grid import OddsGrid

    size = parse_odds(step)
    return OddsGrid(size, size.denominator if unit is None else unit)


def odds_for(
    pay_table: PayTableArgument,
    edge: Annotated[str, typer.Option(help="The least edge that is wanted: 0.03, 3/100 or 3%.")],
    bet: Annotated[str, typer.Option(help="The box that is to be priced.")] = "big",
    step: StepOption = "1/2",
    unit: Annotated[int | None, money_option("The chip unit that must be able to pay the odds.")] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Find the odds of a box that leave at least a wanted edge, among those that can be printed and paid.

    Example: taisai design odds tai-sai-v6/2 --bet sum-9 --edge 3% --step 1/2
    """
    from taisai.odds.design.grid import Priced, odds_for_edge, returns_at

    box = find_pay_table(pay_table).box(bet)
    found, less = odds_for_edge(box, share(edge), _grid(step, unit))
    now = Priced(box.pays, returns_at(box, box.pays))
    figures = {"now": _priced(now), "at least this edge": _priced(found)}
    if less is not None:
        figures["the next better for players"] = _priced(less)
    if len(box.prices) == 1:
        from taisai.odds.design.grid import exact_odds

        figures["odds of exactly this edge"] = f"{float(exact_odds(box, share(edge))):.6f}"
    document = {
        "bet": bet,
        "wanted_edge": str(share(edge)),
        "now": _priced_document(now),
        "found": _priced_document(found),
        "next": None if less is None else _priced_document(less),
    }
    show_figures(figures, form, title=f"{bet} for an edge of {percent(share(edge), 2)}", document=document)


def _priced(offer: "Priced") -> str:
    return f"{' / '.join(map(say_odds, offer.pays))} to 1, edge {percent(offer.edge)}"


def _priced_document(offer: "Priced") -> dict[str, Any]:
    return {"pays_to_one": [str(pays) for pays in offer.pays], "edge": exactly(offer.edge)}


def pay_table_for(
    pay_table: PayTableArgument,
    bet: Annotated[list[str], typer.Option(help="BOX=AMOUNT, how much is staked there; may be given again.")],
    wanted: Annotated[str, typer.Option("--return", help="Of the whole mix: 0.96, 24/25 or 96%.")],
    step: StepOption = "1/2",
    unit: Annotated[int | None, money_option("The chip unit that must be able to pay the odds.")] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Propose odds for a whole pay table, so that a mix of bets returns what is wanted or as little less.

    Example: taisai design pay-table tai-sai-v6/2 --bet big=100 --bet sum-9=20 --return 96%
    """
    from taisai.cli.settle import parse_bets
    from taisai.odds.design.pay_table import pay_table_for as propose

    table = find_pay_table(pay_table)
    returns = share(wanted)
    if not 0 < returns < 1:
        raise InputError(f"expected a return between 0 and 1, got {wanted}")
    found = propose(table, parse_bets(bet), returns, _grid(step, unit))
    rows = [
        {
            "group": each.group.id,
            "of_the_handle": percent(each.handle_share, 2),
            "pays_now": " / ".join(map(say_odds, each.group.pays)),
            "pays": " / ".join(map(say_odds, each.proposed.pays)),
            "edge_now": percent(1 - each.returns_now),
            "edge": percent(each.proposed.edge),
        }
        for each in found.offers
    ]
    document = {
        "wanted_return": str(returns),
        "return": exactly(found.returns),
        "return_now": exactly(found.returns_now),
        "groups": [
            {
                "group": each.group.id,
                "handle_share": str(each.handle_share),
                **_priced_document(each.proposed),
            }
            for each in found.offers
        ],
    }
    title = f"{table.id}: the mix returns {percent(found.returns)} (now {percent(found.returns_now)})"
    show_rows(rows, form, title=title, document=document)
