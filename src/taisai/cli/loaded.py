"""`taisai loaded`: dice that are not fair, in money."""

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from taisai.cli.fairness import read_dice
from taisai.cli.figures import ReportOption, amount_of, check_report, exactly, percent
from taisai.cli.numbers import count_option, seed_option
from taisai.cli.odds import PayTableArgument
from taisai.cli.output import Format, FormatOption, err, show_rows
from taisai.cli.settle import parse_bets
from taisai.errors import InputError, brief
from taisai.rulebooks.catalogue import pay_table as find_pay_table

if TYPE_CHECKING:
    from taisai.odds.loaded.faces import LoadedDice
    from taisai.rulebooks.model import PayTable

_CHANCE = re.compile(r"[0-9]{1,20}(\.[0-9]{1,20})?|[0-9]{1,20}/[1-9][0-9]{0,19}")
_WEIGHT_MAX = 10**12


def register(app: typer.Typer) -> None:
    app.command()(loaded)


def loaded(
    pay_table: PayTableArgument,
    faces: Annotated[
        str | None,
        typer.Option(help="Six chances such as 1/6,1/6,1/6,1/6,0.15,11/60; or eighteen, die by die."),
    ] = None,
    rolls: Annotated[
        str | None, typer.Option(help="Recorded rolls: a file, - or a record, as for taisai fairness.")
    ] = None,
    table: Annotated[str | None, typer.Option(help="Only this table's rolls of a record.")] = None,
    turning: Annotated[
        bool, typer.Option("--turning", help="Find the smallest bias that makes each box positive.")
    ] = False,
    bet: Annotated[
        list[str] | None, typer.Option(help="BOX=STAKE: with --faces, the layout's exposure too.")
    ] = None,
    prior: Annotated[
        str, typer.Option(help="The weight of the prior on each face, in rolls of a die.")
    ] = "1",
    draws: Annotated[int, count_option("Draws for intervals and chances.", most=10_000_000)] = 20_000,
    seed: Annotated[int, seed_option("Seed of the draws.")] = 1,
    report: ReportOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Say what dice that are not fair do to every box: by given chances, after recorded rolls, or at worst.

    Examples: taisai loaded tai-sai-v6/2 --faces 1/6,1/6,1/6,1/6,0.15,11/60 --bet big=1000;
    taisai loaded tai-sai-v6/2 --rolls rolls.csv; taisai loaded tai-sai-v6/2 --turning
    """
    asked = [faces is not None, rolls is not None, turning]
    if sum(asked) != 1:
        raise InputError("expected one of --faces, --rolls and --turning")
    if bet and faces is None:
        raise InputError("--bet asks for the exposure under given chances: add --faces")
    check_report(report)
    if report is not None and turning:
        raise InputError("--report draws --faces or --rolls; --turning has no picture")
    box_table = find_pay_table(pay_table)
    if faces is not None:
        _by_faces(box_table, _dice(faces), bet or [], report, form)
    elif rolls is not None:
        _by_rolls(box_table, face_counts_of(rolls, table), _weight(prior), draws, seed, report, form)
    else:
        _turning(box_table, form)


def _number(text: str, what: str) -> Fraction:
    if not _CHANCE.fullmatch(text):
        raise InputError(f"{what} is a number such as 1/6 or 0.17, got {brief(text)}")
    return Fraction(text)


def _weight(text: str) -> Fraction:
    weight = _number(text, "a prior's weight")
    if not 0 < weight <= _WEIGHT_MAX or weight.denominator > _WEIGHT_MAX:
        raise InputError(f"a prior's weight lies above 0 and up to {_WEIGHT_MAX}, got {brief(text)}")
    return weight


def _dice(text: str) -> "LoadedDice":
    from taisai.odds.loaded.faces import LoadedDice

    return LoadedDice.of([_number(each.strip(), "a face's chance") for each in text.split(",")])


def face_counts_of(rolls: str, table: str | None) -> tuple[int, ...]:
    """How often each face came in a file or a record."""
    from taisai.odds.loaded.posterior import face_counts

    return face_counts(read_dice(rolls, table))


def _by_faces(table: "PayTable", dice: "LoadedDice", bet: list[str], report: Any, form: Format) -> None:
    from taisai.odds.loaded.faces import loaded_exposure, loaded_frame

    found = loaded_frame(table, dice).rows()
    document: dict[str, Any] = {"pay_table": table.id, "boxes": [{**row} for row in found]}
    facts: list[tuple[str, object]] = []
    if bet:
        held = loaded_exposure(table, parse_bets(bet), dice)
        document["exposure"] = {
            "expected_win": exactly(held.mean),
            "expected_win_fair": exactly(held.fair_mean),
            "worst": str(held.worst),
            "worst_chance": exactly(held.worst_chance),
            "loss_at_risk_99": str(held.loss_at_risk),
        }
        facts = [
            ("house expects of the layout", amount_of(held.mean)),
            ("with fair dice", amount_of(held.fair_mean)),
            ("worst case", f"{amount_of(held.worst)} with a chance of {percent(held.worst_chance)}"),
            ("loss at risk, 99 %", amount_of(held.loss_at_risk)),
        ]
        for name, value in facts if form is Format.TABLE else []:
            err().print(f"{name}: {value}", markup=False)
    rows = [
        {
            "box": row["box"],
            "wins": percent(row["probability"]),
            "return": percent(row["return"]),
            "edge": percent(row["edge"]),
            "fair_edge": percent(row["fair_edge"]),
            "change": f"{100 * float(row['change']):+.4f}",
        }
        for row in found
    ]
    show_rows(
        rows if form is not Format.CSV else found,
        form,
        title=f"{table.id} with these dice",
        document=document,
    )
    if report is not None:
        from taisai.odds.loaded.report import loaded_page

        pairs = facts + [(str(row["box"]), f"edge {row['edge']}, fair {row['fair_edge']}") for row in rows]
        _write(loaded_page(table, dice, pairs), report)


def _write(page: str, report: Any) -> None:
    from taisai.odds.report.html import write_page

    err().print(f"wrote {write_page(page, report)}", markup=False)


def _by_rolls(
    table: "PayTable",
    counts: tuple[int, ...],
    prior: Fraction,
    draws: int,
    seed: int,
    report: Any,
    form: Format,
) -> None:
    from taisai.odds.loaded.posterior import FacePosterior, edge_posteriors, posterior_frame

    posterior = FacePosterior(counts, prior=prior)
    found = edge_posteriors(table, posterior, draws=draws, seed=seed)
    plain = posterior_frame(found).rows()
    rows = [
        {
            "box": each.box,
            "fair_edge": percent(each.fair_edge, 3),
            "edge": percent(each.mean, 3),
            "95_%_of_the_posterior": f"{percent(each.low, 3)} to {percent(each.high, 3)}",
            "chance_that_none_is_left": f"{percent(each.chance_gone, 2)} "
            f"± {percent(2 * each.chance_error, 2)}",
        }
        for each in found
    ]
    document = {
        "pay_table": table.id,
        "faces": list(counts),
        "prior": str(prior),
        "expected_chances": [str(each) for each in posterior.means],
        "draws": draws,
        "seed": seed,
        "boxes": plain,
    }
    title = f"{table.id} after {sum(counts):,} dice"
    show_rows(rows if form is not Format.CSV else plain, form, title=title, document=document)
    if report is not None:
        from taisai.odds.loaded.report import posterior_page

        pairs = [(str(row["box"]), f"{row['edge']}; gone {row['chance_that_none_is_left']}") for row in rows]
        _write(posterior_page(table, found, pairs), report)


def _turning(table: "PayTable", form: Format) -> None:
    """One line for each group: its boxes differ by the faces they name, and all are asked."""
    from taisai.odds.loaded.turning import turns

    rows = []
    for group in table.groups:
        best = min(
            (each for name in group.boxes for each in turns(table.box(name))[:1]),
            key=lambda each: abs(each.bias),
            default=None,
        )
        rows.append(
            {
                "group": group.id,
                "box": None if best is None else best.box,
                "bias_of": "no face or pair alone" if best is None else best.kind,
                "by": None if best is None else f"{100 * float(best.bias):+.4f} %",
                "chances": None if best is None else " ".join(f"{float(each):.5f}" for each in best.chances),
            }
        )
    show_rows(rows, form, title=f"{table.id}: the smallest bias that leaves the house nothing", document=rows)
