"""`taisai mix`: what a mix of bets nets in a round, in many rounds, and in an hour."""

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from taisai.cli.figures import amount_of, percent
from taisai.cli.numbers import count_option
from taisai.cli.output import Format, FormatOption, show_rows
from taisai.cli.settle import parse_bet
from taisai.errors import InputError
from taisai.rulebooks.catalogue import pay_table as find_pay_table

if TYPE_CHECKING:
    from taisai.odds.bets.nets import NetAfter
    from taisai.odds.mix import Mix

_QUANTILES = (1, 5, 25, 50, 75, 95, 99)


def register(app: typer.Typer) -> None:
    app.command()(mix)


def parse_mix(pay_table: str | None, texts: list[str]) -> "Mix":
    """Bets such as `big=100`, or `tai-sai-v6/2:big=100` where they are on another pay table."""
    from taisai.odds.mix import Mix

    stakes: dict[str, dict[str, int]] = {}
    for text in texts:
        named, colon, rest = text.rpartition(":")
        table = named if colon else pay_table
        if table is None:
            raise InputError(f"on which pay table is {text!r}? Name one first, or write tai-sai-v6/2:{text}")
        box, stake = parse_bet(rest)
        if box in stakes.setdefault(table, {}):
            raise InputError(f"two bets on {box} of {table}: give its whole stake once")
        stakes[table][box] = stake
    if not stakes:
        raise InputError("a mix needs at least one bet such as --bet big=100, got none")
    (first, its_stakes), *others = stakes.items()
    found = Mix.on(find_pay_table(first), its_stakes)
    for table, more in others:
        found = found.also(find_pay_table(table), more)
    return found


def mix(
    pay_table: Annotated[
        str | None, typer.Argument(metavar="[PAYTABLE]", help="For example tai-sai-v6/2.")
    ] = None,
    bet: Annotated[
        list[str] | None,
        typer.Option(help="BOX=STAKE in minor units, or PAYTABLE:BOX=STAKE; may be given again."),
    ] = None,
    rounds: Annotated[int, count_option("Rounds to look ahead.")] = 100,
    pace: Annotated[int, count_option("Rounds an hour.")] = 45,
    form: FormatOption = Format.TABLE,
) -> None:
    """Show what bets made together net: chance to be ahead, quantiles, expected loss an hour. Exact.

    Example: taisai mix tai-sai-v6/2 --bet big=100 --bet sum-9=20 --rounds 100 --pace 45
    """
    bets = parse_mix(pay_table, bet or [])
    loss = bets.loss_per_hour(pace)
    after = bets.after(rounds)
    document, nets = _document(bets, after, pace), list(bets.distribution)
    if form is Format.CSV:
        show_rows(after.frame().rows(), form)
        return
    figures = [
        ("staked a round", f"{bets.stake_minor:,}"),
        ("house edge", f"{percent(bets.edge)} ({bets.edge})"),
        ("expected net of a round", amount_of(bets.mean)),
        ("standard deviation of a round", f"{bets.standard_deviation:,.2f}"),
        ("best and worst of a round", f"{amount_of(nets[-1])} and {amount_of(nets[0])}"),
        ("ahead after one round", percent(bets.chance_ahead.approx)),
        (f"ahead after {rounds:,} rounds", percent(after.chance_ahead.approx)),
        (f"even after {rounds:,} rounds", percent(after.chance_even.approx)),
        *((f"{level} % quantile of the net", amount_of(net)) for level, net in _quantiles(after)),
        (f"expected loss an hour at {pace} rounds", amount_of(loss)),
        ("standard deviation of an hour", f"{bets.swing_per_hour(pace):,.2f}"),
        ("method", "exact" if after.is_exact else f"Fourier transform, to within {after.error:.0e}"),
    ]
    title = ", ".join(f"{each.box.id}={each.stake_minor}" for each in bets.bets)
    rows = [{"figure": name, "value": value} for name, value in figures]
    show_rows(rows, form, title=title, document=document)


def _quantiles(after: "NetAfter") -> list[tuple[int, Fraction]]:
    return [(level, after.quantile(Fraction(level, 100))) for level in _QUANTILES]


def _document(bets: "Mix", after: "NetAfter", pace: int) -> dict[str, Any]:
    return {
        "bets": [
            {"pay_table": each.pay_table, "box": each.box.id, "stake": each.stake_minor} for each in bets.bets
        ],
        "stake": bets.stake_minor,
        "edge": {"exact": str(bets.edge), "float": float(bets.edge)},
        "round": {
            "mean": {"exact": str(bets.mean), "float": float(bets.mean)},
            "variance": {"exact": str(bets.variance), "float": float(bets.variance)},
            "standard_deviation": bets.standard_deviation,
            "skewness": bets.skewness,
            "ahead": bets.chance_ahead.as_json(),
            "nets": [
                {"net": str(net), "probability": str(chance)} for net, chance in bets.distribution.items()
            ],
        },
        "after": {
            "rounds": after.rounds,
            "method": "exact" if after.is_exact else "transform",
            "error": after.error,
            "possible_nets": len(after),
            "ahead": after.chance_ahead.as_json(),
            "even": after.chance_even.as_json(),
            "quantiles": {str(level): str(net) for level, net in _quantiles(after)},
        },
        "hour": {
            "pace": pace,
            "expected_loss": {
                "exact": str(bets.loss_per_hour(pace)),
                "float": float(bets.loss_per_hour(pace)),
            },
            "standard_deviation": bets.swing_per_hour(pace),
        },
    }
