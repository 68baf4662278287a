"""The report on a rebate: cost by share, and how the normal formula strays as sessions grow."""

from collections.abc import Iterable
from fractions import Fraction

from taisai.odds.mix import Mix
from taisai.odds.offers.rebate import BestPlay, RebatePrice, price_rebate
from taisai.odds.report.html import page_html
from taisai.odds.report.page import Drawing, figures_page
from taisai.odds.report.plots import curves, money_plot

_LENGTHS = (5, 10, 20, 40, 60, 80, 120, 160, 240, 320)


def rebate_page(mix: Mix, price: RebatePrice, best: BestPlay, rows: Iterable[tuple[str, object]]) -> str:
    """One page: what the house keeps, where sessions end under the best play, and both formulas over time."""
    bets = ", ".join(f"{each.box.id}={each.stake_minor}" for each in mix.bets)
    share = f"{100 * float(price.rebate.share):g} %"
    page = figures_page(
        f"Rebate of {share} on losses",
        f"{bets}: at most {best.rounds:,} rounds",
        large=[
            (f"{price.cost.approx:,.2f}", "cost of the rebate, a session"),
            (f"{price.house_keeps.approx:,.2f}", "what the house keeps of it"),
            (f"{100 * best.break_even_share:.2f} %", "the share below which no play gains"),
            (f"{best.value.approx:,.2f}", "what the best play gains the player"),
        ],
        pictures=[
            Drawing("ends", "Where the best play ends", "Who knows stops at the quit points."),
            Drawing("normal", "The normal formula", "How far off it is, by the length of a session."),
        ],
        rows=rows,
        notes="Computed on the distribution of the net itself, not on a normal curve; money in minor units.",
    )
    return page_html(page, {"ends": _ends(best), "normal": _over_time(mix, price, best.rounds)})


def _ends(best: BestPlay) -> str:
    ended = best.stop.ended
    total = ended.total
    points = [
        (float(ended.walk.net(at)), float(Fraction(int(weight), total)) if ended.is_exact else float(weight))
        for at, weight in enumerate(ended.weights.tolist())
        if weight
    ]
    return money_plot(
        points, title="net of the best play, before the rebate", says="Where the best play ends"
    )


def _over_time(mix: Mix, price: RebatePrice, rounds: int) -> str:
    lengths = sorted({length for length in _LENGTHS if length < rounds} | {rounds})
    exact, normal = [], []
    for length in lengths:
        found = price_rebate(mix.distribution, price.rebate, rounds=length)
        exact.append((float(length), found.cost.approx))
        normal.append((float(length), found.normal.cost))
    return curves(
        {"exact": exact, "normal formula": normal},
        titles=("rounds, without quit points", "cost of the rebate"),
        says="Cost of the rebate by the length of a session, exact and by the normal formula",
    )
