"""`taisai day`: what a table wins in a day and in a year, its float, its drawdown, and its players' worth."""

import asyncio
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from taisai.cli.audit import no_folder
from taisai.cli.figures import ReportOption, amount_of, check_report, exactly, percent, show_figures
from taisai.cli.numbers import count_option, money_option, seed_option, share, whole_number
from taisai.cli.output import Format, FormatOption, show_rows
from taisai.cli.par import MaximumOption, parse_maxima
from taisai.cli.settle import parse_bets
from taisai.errors import InputError
from taisai.rulebooks.catalogue import pay_table as find_pay_table
from taisai.rulebooks.catalogue import rulebook_of

if TYPE_CHECKING:
    from taisai.floor.pit.bets_made import BetsMade, RoundBets
    from taisai.odds.day.extremes import Fall
    from taisai.odds.day.simulated import Estimate, SimulatedDays
    from taisai.odds.day.table_day import TableDay, WinFigures
    from taisai.odds.mix import Mix

_RISK = Fraction(1, 1000)


def register(app: typer.Typer) -> None:
    app.command()(day)


def day(
    pay_table: Annotated[
        str | None, typer.Argument(metavar="[PAYTABLE]", help="For example tai-sai-v6/2.")
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(help="A player's slip, big=100,sum-9=20; *3 at its end stands for three players."),
    ] = None,
    record: Annotated[
        str | None, typer.Option(help="Take the rounds of a record: a file, sqlite:///… or postgresql://…")
    ] = None,
    table: Annotated[str | None, typer.Option(help="Only this table of the record.")] = None,
    pace: Annotated[int, count_option("Rounds an hour.")] = 45,
    hours: Annotated[int, count_option("Hours of play a day.")] = 10,
    days: Annotated[int, count_option("Days of the year that are asked for.")] = 365,
    maximum: MaximumOption = None,
    minimum: Annotated[int, money_option("The minimum of every box.")] = 1,
    unit: Annotated[int | None, money_option("The chip unit; the pay table's own if left out.")] = None,
    buy_in: Annotated[int | None, money_option("What each player buys in for, to know the drop.")] = None,
    simulated: Annotated[int, count_option("Days to simulate.", least=2)] = 10_000,
    seed: Annotated[int, seed_option("Seed of the simulation.")] = 1,
    comps: Annotated[str, typer.Option(help="Share of the theoretical win that goes back as comps.")] = "0",
    report: ReportOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Say what a table wins in a day and a year, which float it needs, and what its players are worth.

    Limits cut the bets as the rulebook says, pro rata where it does. Win is exact by convolution; float and
    drawdown too where that is quick, else simulated, with their error; the drop is simulated.

    Examples: taisai day tai-sai-v6/2 --player big=100,sum-9=20*3 --player small=500 --buy-in 5000;
    taisai day --record house.db --table T1 --comps 30%
    """
    from taisai.odds.day.simulated import simulate_days
    from taisai.odds.day.table_day import TableDay

    check_report(report)
    if (record is None) == (not player):
        raise InputError("expected --player with a pay table, or --record; one of the two")
    rounds = whole_number(str(pace * hours), what="pace times hours is", least=1, most=10**9)
    worth: list[dict[str, Any]] = []
    left_out: dict[str, int] = {}
    if record is not None:
        if maximum or buy_in is not None:
            raise InputError("recorded rounds had limits of their own: leave out --maximum and --buy-in")
        made = _recorded(no_folder(record), table)
        played, left_out = made.rounds, dict(made.left_out)
        mixes, worth = _mixes_of(played), _worth(played, share(comps))
        title = f"{len(played):,} recorded rounds"
    elif pay_table is None:
        raise InputError("on which pay table are these slips? Name one first, such as tai-sai-v6/2")
    else:
        slips = [slip for text in player or [] for slip in _slips(text)]
        counted = _counted(pay_table, slips, parse_maxima(maximum), minimum, unit)
        mixes = [counted]
        worth = _worth_of_slips(counted, rounds, share(comps))
        title = f"{len(slips)} players at {pay_table}"
    found = TableDay.of((_together(each) for each in mixes), rounds)
    runs = simulate_days(mixes, rounds=rounds, days=simulated, seed=seed, buy_in=buy_in)
    today, year = found.win(), found.win(days)
    falls = (found.float_needed(_RISK), found.drawdown(_RISK))
    document = _document(today, year, days, falls, runs, worth) | {"left_out": left_out}
    show_figures(
        _figures(today, year, days, falls, runs) + ([("left out", _said(left_out))] if left_out else []),
        form,
        title=title,
        document=document,
        report=report,
        page=_page(found, today, title, document, days),
    )
    if worth and form is Format.TABLE:
        show_rows(worth, form, title="players")


def _page(
    found: "TableDay", today: "WinFigures", title: str, document: dict[str, Any], days: int
) -> "Callable[[list[tuple[str, object]]], str]":
    from taisai.odds.day.report import day_page

    large = [
        (f"{float(today.theo):,.0f}", "expected win of a day"),
        (percent(today.theo / today.handle, 2), "hold on handle"),
        (percent(today.chance_of_loss, 2), "chance of a losing day"),
        (f"{document['float_999']['amount']:,.0f}", "float for 99.9 % of days"),
    ]
    return lambda rows: day_page(found, today, title, large, rows, days)


def _slips(text: str) -> list[dict[str, int]]:
    """One or more players of one slip."""
    slip, star, times = text.partition("*")
    count = whole_number(times, what="a number of players is", least=1, most=1000) if star else 1
    return [parse_bets([each.strip() for each in slip.split(",")])] * count


def _counted(
    pay_table: str,
    slips: list[dict[str, int]],
    maxima: tuple[dict[str, int], int | None],
    minimum: int,
    unit: int | None,
) -> "list[Mix]":
    """What of each player's bets counts under the limits, as the rulebook settles it."""
    from taisai.cli.counted import counted_slips, limits_of
    from taisai.odds.mix import Mix

    table, book = find_pay_table(pay_table), rulebook_of(pay_table)
    limits = limits_of(book, table, maxima, minimum=minimum, unit=unit)
    return [Mix.on(table, slip) for slip in counted_slips(book, table, limits, slips) if slip]


def _together(mixes: "list[Mix]") -> "Mix":
    from taisai.odds.mix import Mix

    return Mix(tuple(bet for mix in mixes for bet in mix.bets))


def _said(left_out: Mapping[str, int]) -> str:
    """How many rounds have no figures here, and why."""
    tables = ", ".join(f"{count:,} on {name}" for name, count in sorted(left_out.items()))
    return f"settled rounds whose rules are not at hand: {tables}"


def _recorded(store: str, table: str | None) -> "BetsMade":
    from taisai.adapters.stores import read_store
    from taisai.floor.pit.bets_made import recorded_bets

    async def read() -> "BetsMade":
        async with read_store(store) as snapshot:
            return await recorded_bets(snapshot, table)

    found = asyncio.run(read())
    if not found.rounds:
        left_out = f"; left out: {_said(found.left_out)}" if found.left_out else ""
        where = f" at the table {table}" if table else ""
        raise InputError(f"{store} has no settled bets{where} yet{left_out}")
    return found


def _mixes_of(played: "list[RoundBets]") -> "list[list[Mix]]":
    from taisai.odds.mix import Mix

    return [
        [Mix.on(find_pay_table(each.pay_table), stakes) for stakes in each.stakes.values()] for each in played
    ]


def _worth(played: "list[RoundBets]", comp_share: Fraction) -> list[dict[str, Any]]:
    """Theo, average bet and comps of every player in the record."""
    from taisai.odds.day.players import players_worth
    from taisai.odds.theory import BetMade

    bets = [
        # A table may have changed its pay table: each is a table of its own here.
        BetMade(f"{each.table} {each.pay_table}", each.round, player, box, stake)
        for each in played
        for player, stakes in each.stakes.items()
        for box, stake in stakes.items()
    ]
    tables = {f"{each.table} {each.pay_table}": find_pay_table(each.pay_table) for each in played}
    return [
        {
            "player": each.player,
            "table": each.table,
            "rounds": each.rounds,
            "handle": each.handle_minor,
            "average_bet": amount_of(each.average_bet),
            "theo": amount_of(each.theo),
            "comps": amount_of(each.comps),
        }
        for each in players_worth(bets, tables, comp_share=comp_share)
    ]


def _worth_of_slips(mixes: "list[Mix]", rounds: int, comp_share: Fraction) -> list[dict[str, Any]]:
    """The same for players who are planned."""
    return [
        {
            "player": f"{number} of {len(mixes)}",
            "bets": ", ".join(f"{bet.box.id}={bet.stake_minor}" for bet in mix.bets),
            "rounds": rounds,
            "handle": mix.stake_minor * rounds,
            "average_bet": amount_of(Fraction(mix.stake_minor)),
            "theo": amount_of(-mix.mean * rounds),
            "comps": amount_of(-mix.mean * rounds * comp_share),
        }
        for number, mix in enumerate(mixes, 1)
    ]


def _figures(
    today: "WinFigures",
    year: "WinFigures",
    days: int,
    falls: "tuple[Fall | None, Fall | None]",
    runs: "SimulatedDays",
) -> list[tuple[str, str]]:
    figures = [
        ("handle of a day", amount_of(today.handle)),
        ("theoretical win of a day", amount_of(today.theo)),
        ("hold on handle, expected", percent(today.theo / today.handle)),
        ("standard deviation of a day", f"{today.standard_deviation:,.2f}"),
        ("chance of a losing day", percent(today.chance_of_loss)),
        *_quantiles("a day", today),
        ("float for 99.9 % of days", _fall(falls[0], runs, runs.lowest)),
        ("drawdown of 99.9 % of days", _fall(falls[1], runs, runs.drawdown)),
    ]
    if runs.drop is not None and runs.hold_on_drop is not None:
        figures += [
            ("drop of a day", _estimate(runs.mean(runs.drop))),
            ("hold on drop", _estimate(runs.mean(runs.hold_on_drop), as_percent=True)),
        ]
    figures += [
        (f"theoretical win of {days:,} days", amount_of(year.theo)),
        *_quantiles(f"{days:,} days", year),
        (f"chance of a loss in {days:,} days", f"{year.chance_of_loss:.3g}"),
        ("method", f"{_method(today)}; {days:,} days: {_method(year)}; {runs.days:,} simulated days"),
    ]
    return figures


def _quantiles(what: str, figures: "WinFigures") -> list[tuple[str, str]]:
    return [
        (f"win of {what}, {percent(level, 0)} quantile", f"{win:,.0f} (hold {percent(figures.hold(win), 2)})")
        for level, win in figures.quantiles.items()
    ]


def _method(figures: "WinFigures") -> str:
    names = {"exact": "exact convolution", "transform": "Fourier transform", "normal": "normal"}
    return names[figures.method] + (f", chances to within {figures.error:.1g}" if figures.error else "")


def _fall(exact: "Fall | None", runs: "SimulatedDays", column: Any) -> str:
    if exact is not None:
        return f"{amount_of(exact.amount)} (exact)"
    return _estimate(runs.quantile(column, 1 - float(_RISK)))


def _estimate(found: "Estimate", *, as_percent: bool = False) -> str:
    values = (found.value, found.low, found.high)
    value, low, high = (percent(each, 2) if as_percent else f"{each:,.0f}" for each in values)
    return f"{value} ({low} to {high}, simulated)"


def _estimate_document(found: "Estimate") -> dict[str, Any]:
    """An end that so few days cannot tell is null."""
    low, high = (each if abs(each) != float("inf") else None for each in (found.low, found.high))
    return {"value": found.value, "low_95": low, "high_95": high}


def _fall_document(exact: "Fall | None", runs: "SimulatedDays", column: Any) -> dict[str, Any]:
    estimate = runs.quantile(column, 1 - float(_RISK))
    return {
        "amount": estimate.value if exact is None else float(exact.amount),
        "method": "simulated" if exact is None else "exact",
        "chance_beyond": None if exact is None else exact.chance_beyond,
        "simulated": _estimate_document(estimate),
    }


def _document(
    today: "WinFigures",
    year: "WinFigures",
    days: int,
    falls: "tuple[Fall | None, Fall | None]",
    runs: "SimulatedDays",
    worth: list[dict[str, Any]],
) -> dict[str, Any]:
    def win(figures: "WinFigures") -> dict[str, Any]:
        return {
            "rounds": figures.rounds,
            "handle": exactly(figures.handle),
            "theo": exactly(figures.theo),
            "standard_deviation": figures.standard_deviation,
            "chance_of_loss": figures.chance_of_loss,
            "quantiles": {str(level): value for level, value in figures.quantiles.items()},
            "method": figures.method,
            "error": figures.error,
        }

    hold = runs.hold_on_drop
    return {
        "day": win(today),
        "year": {"days": days, **win(year)},
        "float_999": _fall_document(falls[0], runs, runs.lowest),
        "drawdown_999": _fall_document(falls[1], runs, runs.drawdown),
        "drop": None if runs.drop is None else _estimate_document(runs.mean(runs.drop)),
        "hold_on_drop": None if hold is None else _estimate_document(runs.mean(hold)),
        "simulated": {"days": runs.days, "seed": runs.seed},
        "players": worth,
    }
