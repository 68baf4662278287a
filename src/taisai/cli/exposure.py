"""`taisai exposure`: what the bets on a layout can win or cost the house, and limits that bound it."""

import csv
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from taisai.cli.numbers import amount, money_option
from taisai.cli.odds import PayTableArgument
from taisai.cli.output import Format, FormatOption, out, show_rows
from taisai.cli.par import MaximumOption, parse_maxima
from taisai.cli.settle import parse_bet
from taisai.errors import InputError
from taisai.rulebooks.catalogue import pay_table as find_pay_table
from taisai.rulebooks.model import PayTable

if TYPE_CHECKING:
    from taisai.odds.exposure import Exposure


def register(app: typer.Typer) -> None:
    app.command()(exposure)


def exposure(
    pay_table: PayTableArgument,
    bet: Annotated[
        list[str] | None, typer.Option(help="BOX=STAKE in minor units; may be given again.")
    ] = None,
    bets: Annotated[Path | None, typer.Option(help="A CSV file with the columns box and stake.")] = None,
    bound: Annotated[int | None, money_option("The most the house may lose on one roll.")] = None,
    maximum: MaximumOption = None,
    unit: Annotated[int | None, money_option("The chip unit of suggested limits.")] = None,
    level: Annotated[float, typer.Option(help="The level of the value at risk.")] = 0.99,
    form: FormatOption = Format.TABLE,
) -> None:
    """Show the house's result on each of the 56 outcomes, the worst case, and limits under a bound.

    Examples: taisai exposure tai-sai-v6/2 --bet big=1000 --bet triple-6=50;
    taisai exposure macau/1 --bound 100000
    """
    from taisai.odds.exposure import Exposure

    table = find_pay_table(pay_table)
    stakes = read_bets(bets) if bets is not None else {}
    for box, stake in map(parse_bet, bet or []):
        stakes[box] = stakes.get(box, 0) + stake
    limits, general = parse_maxima(maximum)
    if not stakes and bound is None and maximum is None:
        raise InputError("expected bets (--bet big=1000 or --bets FILE.csv), --maximum or --bound, got none")
    found = Exposure(table, stakes)
    document = {**_position(found, level), **_limits(table, limits, general, bound, unit)}
    if bound is not None and stakes:
        document["headroom"] = found.headroom(bound)
    if form is Format.TABLE:
        _show(document)
        if not document["handle"]:
            return
    show_rows(_rows(document, form), form, document=document)


def read_bets(path: Path) -> dict[str, int]:
    """The stakes by box of a CSV file; a fault names its line."""
    stakes: dict[str, int] = {}
    try:
        with path.open(newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            if not {"box", "stake"} <= set(reader.fieldnames or ()):
                raise InputError(f"{path}: expected the columns box and stake, got {reader.fieldnames}")
            for row in reader:
                where = f"{path}, line {reader.line_num}"
                stake = amount((row["stake"] or "").strip(), what=f"{where}: a stake", least=1)
                box = (row["box"] or "").strip()
                stakes[box] = stakes.get(box, 0) + stake
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"cannot read {path}: {error}") from None
    return stakes


def _position(found: "Exposure", level: float) -> dict[str, Any]:
    worst, best = found.worst, found.best
    return {
        "pay_table": found.pay_table.id,
        "handle": found.handle_minor,
        "expected_win": {"exact": str(found.mean), "float": float(found.mean)},
        "worst": {"dice": str(worst.roll), "ways": worst.ways, "house_net": str(worst.house_net)},
        "best": {"dice": str(best.roll), "ways": best.ways, "house_net": str(best.house_net)},
        "value_at_risk": {"level": level, "loss": str(found.value_at_risk(level))},
        "expected_shortfall": {"level": level, "loss": float(found.expected_shortfall(level))},
        "outcomes": [
            {
                "dice": str(each.roll),
                "total": each.roll.total,
                "ways": each.ways,
                "house_net": str(each.house_net),
            }
            for each in found.results
        ],
    }


def _limits(
    table: PayTable, limits: dict[str, int], general: int | None, bound: int | None, unit: int | None
) -> dict[str, Any]:
    from taisai.odds.liability import box_maxima, liabilities, limits_under

    document: dict[str, Any] = {}
    shares: dict[str, int] | None = None
    if limits or general is not None:
        maxima = box_maxima(table, limits, default=general or 0)
        worst = liabilities(table, maxima).worst
        document["under_maxima"] = {
            "maxima": maxima,
            "worst": {"dice": str(worst.roll), "ways": worst.ways, "house_pays": str(worst.house_pays)},
            "within_bound": None if bound is None else worst.house_pays <= bound,
        }
        shares = {
            group.id: int(max(maxima[box] for box in group.boxes) * max(group.pays) * table.unit)
            for group in table.groups
        }
    if bound is not None:
        suggested = limits_under(table, bound, unit=unit, shares=shares)
        worst = liabilities(table, box_maxima(table, suggested)).worst
        document["suggested_maxima"] = {
            "bound": bound,
            "groups": suggested,
            "worst": {"dice": str(worst.roll), "house_pays": str(worst.house_pays)},
        }
    return document


def _show(document: dict[str, Any]) -> None:
    """The lines above the table: what a pit manager asks first."""
    console = out()
    if document["handle"]:
        risk = document["value_at_risk"]
        console.print(f"on the layout: {document['handle']:,}", markup=False)
        console.print(f"house expects to win {document['expected_win']['float']:,.2f}", markup=False)
        console.print(f"worst: {_say(document['worst'])}; best: {_say(document['best'])}", markup=False)
        console.print(
            f"value at risk at {risk['level']:g}: a loss of {_amount(Fraction(risk['loss']))}", markup=False
        )
    if "under_maxima" in document:
        worst = document["under_maxima"]["worst"]
        cost = _amount(Fraction(worst["house_pays"]))
        console.print(f"under the maxima given, {worst['dice']} can cost {cost}", markup=False)
    if "suggested_maxima" in document:
        suggested = document["suggested_maxima"]
        cost = _amount(Fraction(suggested["worst"]["house_pays"]))
        console.print(f"maxima under which no outcome costs more than {cost}:", markup=False)
        words = ", ".join(f"{group} {amount:,}" for group, amount in suggested["groups"].items())
        console.print(f"  {words}", markup=False)


def _say(result: dict[str, Any]) -> str:
    return f"{_amount(Fraction(result['house_net']))} on {result['dice']} ({result['ways']} of 216)"


def _amount(value: Fraction) -> str:
    return f"{int(value):,}" if value.denominator == 1 else f"{float(value):,}"


def _rows(document: dict[str, Any], form: Format) -> list[dict[str, Any]]:
    """The outcomes from worst to best on a screen, and in the order of the dice in files."""
    rows = list(document["outcomes"])
    if form is Format.TABLE:
        rows.sort(key=lambda row: Fraction(row["house_net"]))
    return rows
