"""The report on a table's day: the win, the year, and how the float was found."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

from taisai.odds.bets.nets import net_after
from taisai.odds.cost import TooCostly
from taisai.odds.day.table_day import TableDay, WinFigures
from taisai.odds.report.html import page_html
from taisai.odds.report.page import Drawing, figures_page
from taisai.odds.report.plots import curves, money_plot

_LEVELS = (Fraction(1, 100), Fraction(1, 2), Fraction(99, 100))


def day_page(
    day: TableDay,
    win: WinFigures,
    title: str,
    large: Iterable[tuple[str, str]],
    rows: Iterable[tuple[str, object]],
    days: int,
) -> str:
    """One page: the day's win, and how hold narrows as days add up."""
    page = figures_page(
        title,
        f"{day.rounds:,} rounds a day; {float(win.handle):,.0f} staked",
        large=large,
        pictures=[
            Drawing("win", "The day's win", "In red where the table loses."),
            Drawing("hold", "Hold over time", "98 of 100 tables lie between the outer curves."),
        ],
        rows=rows,
        notes="Money in minor units. Each figure says how it was found and what it may be off by.",
    )
    return page_html(page, {"win": _win(day, win), "hold": _hold(day, days)})


def _win(day: TableDay, win: WinFigures) -> str:
    marks = {"expected": float(win.theo)}
    return money_plot(_points(day, win), title="the house's win of a day", says="The day's win", marks=marks)


def _points(day: TableDay, win: WinFigures) -> list[tuple[float, float]]:
    try:
        found = net_after(day.house_net, day.rounds).frame()
        return list(zip(found["net"], found["chance"], strict=True))
    except TooCostly:
        normal = NormalDist(float(win.theo), win.standard_deviation)
        ends = [normal.inv_cdf(place / 400) for place in range(1, 400)]
        return [(end, 1 / 399) for end in ends]


def _hold(day: TableDay, days: int) -> str:
    """Hold by the number of days, by the normal: a picture, not a figure."""
    one: Mapping[Fraction, Fraction] = day.house_net
    mean = sum((net * chance for net, chance in one.items()), Fraction(0))
    variance = sum((net**2 * chance for net, chance in one.items()), Fraction(0)) - mean**2
    lengths = sorted({max(1, round(days * place / 40)) for place in range(1, 41)} | {1, 2, 3, 5})
    series: dict[str, list[tuple[float, float]]] = {"1 %": [], "expected": [], "99 %": []}
    for length in lengths:
        rounds = length * day.rounds
        hold = float(mean / day.handle)
        spread = sqrt(variance * rounds) / float(day.handle * rounds)
        for name, level in zip(series, _LEVELS, strict=True):
            series[name].append((float(length), hold + NormalDist().inv_cdf(float(level)) * spread))
    return curves(series, titles=("days", "hold on handle"), says="Hold on handle by the number of days")
