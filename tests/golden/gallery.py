"""The pictures of the guides and the gallery, drawn from the figures themselves."""

from fractions import Fraction
from pathlib import Path

import taisai
from taisai.odds.bets.nets import net_after
from taisai.odds.day.table_day import TableDay
from taisai.odds.design.survival import bankroll_for, ruin_within
from taisai.odds.layers.progressive import ProgressiveValue
from taisai.odds.loaded.faces import LoadedDice, loaded_frame, one_face
from taisai.odds.mix import Mix
from taisai.odds.offers.rebate import Rebate, price_rebate
from taisai.odds.report.plots import alone, bars, curves, money_plot
from taisai.rulebooks.catalogue import load_rulebook

TABLE = taisai.pay_table("tai-sai-v6/2")
LIT = Path(__file__).parents[1] / "unit" / "files" / "lit.toml"


def rebate() -> str:
    """What a rebate on a long shot costs, exactly and by the normal formula."""
    one, offer = Mix.on(TABLE, {"triple-6": 100}).distribution, Rebate(Fraction(1, 10), 1000)
    found = [(rounds, price_rebate(one, offer, rounds=rounds)) for rounds in range(10, 201, 10)]
    return curves(
        {
            "exact": [(float(rounds), price.cost.approx) for rounds, price in found],
            "normal formula": [(float(rounds), price.normal.cost) for rounds, price in found],
        },
        titles=("rounds on triple-6", "cost of 10 % back from 1,000 on"),
        says="Cost of a rebate by the length of a session, exact and by the normal formula",
    )


def bankroll() -> str:
    """The chance of ruin by the bankroll, and the one that was asked for."""
    one = Mix.on(TABLE, {"big": 100}).distribution
    enough = bankroll_for(one, stake=100, rounds=500, risk=Fraction(1, 20), unit=100).amount
    points = [
        (float(amount), ruin_within(one, bankroll=amount, stake=100, rounds=500).ruin.approx)
        for amount in range(500, 10_001, 500)
    ]
    return curves(
        {"ruin": points},
        titles=("bankroll for 500 rounds of 100 on big", "chance of ruin"),
        says="Chance of ruin by the bankroll",
        marks={f"5 % at {enough:,}": float(enough)},
    )


def loaded() -> str:
    """The boxes that a heavy six favours."""
    rows = sorted(
        loaded_frame(TABLE, LoadedDice.of(one_face(6, Fraction(1, 100)))), key=lambda row: row["edge"]
    )
    return bars(
        [(row["box"], float(row["edge"]), "f-triple" if row["edge"] < 0 else "bar") for row in rows[:16]],
        title="house edge with sixes likelier by one in a hundred",
        says="House edge of sixteen boxes with a heavy six, lowest first",
    )


def day() -> str:
    """The win of a table's day."""
    mix = Mix.on(TABLE, {"big": 300, "sum-9": 60, "small": 500, "triple-1": 10})
    found = TableDay.of([mix], 450)
    frame = net_after(found.house_net, 450).frame()
    return money_plot(
        list(zip(frame["net"], frame["chance"], strict=True)),
        title="the house's win of a day",
        says="Distribution of a table's win in a day of 450 rounds",
        marks={"expected": float(found.win().theo)},
    )


def meter() -> str:
    """What a bet on a progressive returns while its meter grows."""
    value = ProgressiveValue.of(load_rulebook(LIT).pay_table(1), 100)
    points = [(float(shown), float(value.returns(shown))) for shown in range(0, 8_001, 400)]
    return curves(
        {"return": points},
        titles=("meter", "return of a unit"),
        says="Return of a bet by the progressive's meter",
        marks={"break-even": float(value.break_even_meter)},
    )


PICTURES = {
    "offer-rebate.svg": lambda: alone(rebate()),
    "design-bankroll.svg": lambda: alone(bankroll()),
    "loaded-edges.svg": lambda: alone(loaded()),
    "day-win.svg": lambda: alone(day()),
    "layers-meter.svg": lambda: alone(meter()),
}
