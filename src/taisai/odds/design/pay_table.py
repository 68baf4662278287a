"""A whole pay table for a wanted return on a mix of bets, with odds on a grid."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final

from taisai.errors import InputError
from taisai.odds.cost import TooCostly
from taisai.odds.design.grid import OddsGrid, Priced, choices, returns_at
from taisai.odds.results.frame import Frame
from taisai.rulebooks.model import BoxGroup, PayTable

# How many odds of each group are tried, and how many sums are kept at once.
TRIED: Final = 5
_SUMS_MAX: Final = 300_000


@dataclass(frozen=True, slots=True)
class GroupOffer:
    """One group's present odds and the proposed ones."""

    group: BoxGroup
    handle_share: Fraction
    returns_now: Fraction
    proposed: Priced


@dataclass(frozen=True)
class Proposal:
    """A pay table's odds, group by group, and what the mix returns under them."""

    pay_table: PayTable
    wanted: Fraction
    offers: tuple[GroupOffer, ...]

    @property
    def returns(self) -> Fraction:
        """What the mix returns under the proposed odds."""
        return sum((each.handle_share * each.proposed.returns for each in self.offers), Fraction(0))

    @property
    def returns_now(self) -> Fraction:
        return sum((each.handle_share * each.returns_now for each in self.offers), Fraction(0))

    def frame(self) -> Frame:
        """One row for each group."""
        return Frame.from_rows(
            [
                {
                    "group": each.group.id,
                    "handle_share": each.handle_share,
                    "pays_now": " / ".join(map(str, each.group.pays)),
                    "pays": " / ".join(map(str, each.proposed.pays)),
                    "edge_now": 1 - each.returns_now,
                    "edge": each.proposed.edge,
                }
                for each in self.offers
            ]
        )


def pay_table_for(
    pay_table: PayTable, handle: Mapping[str, int], returns: Fraction, grid: OddsGrid
) -> Proposal:
    """Odds for every group, such that the mix returns what is wanted, or as little less as the grid allows.

    `handle` says how much is staked on boxes or groups; groups outside it get the odds nearest to the wanted
    return. Of mixes that return the same, the one whose groups lie nearest to it is taken.
    """
    if not 0 < returns < 1:
        raise InputError(f"a wanted return lies between 0 and 1, got {returns}")
    shares = handle_shares(pay_table, handle)
    tried = {group.id: _tried(pay_table, group, grid, returns) for group in pay_table.groups}
    inside = [group for group in pay_table.groups if shares.get(group.id)]
    chosen = _best_sum(inside, shares, tried, returns)
    offers = []
    for group in pay_table.groups:
        box = pay_table.box(group.boxes[0])
        proposed = chosen.get(group.id, tried[group.id][0])
        now = returns_at(box, box.pays)
        offers.append(GroupOffer(group, shares.get(group.id, Fraction(0)), now, proposed))
    return Proposal(pay_table, returns, tuple(offers))


def handle_shares(pay_table: PayTable, handle: Mapping[str, int]) -> dict[str, Fraction]:
    """The share of the handle on each group."""
    groups = {group.id for group in pay_table.groups}
    sums: dict[str, int] = {}
    for name, stake in handle.items():
        group = name if name in groups else pay_table.box(name).group
        sums[group] = sums.get(group, 0) + stake
    total = sum(sums.values())
    if not total:
        raise InputError("a mix needs at least one bet such as big=100, got none")
    return {name: Fraction(stake, total) for name, stake in sums.items()}


def _tried(pay_table: PayTable, group: BoxGroup, grid: OddsGrid, returns: Fraction) -> list[Priced]:
    """The odds worth trying: those nearest to the wanted return, and of each return only one."""
    boxes = [pay_table.box(name) for name in group.boxes]
    if len({tuple(price.rolls.bit_count() for price in box.prices) for box in boxes}) > 1:
        raise InputError(
            f"the boxes of {group.id} win in different numbers of ways: they need odds of their own"
        )
    found: dict[Fraction, Priced] = {}
    for each in choices(boxes[0], grid, returns):
        if each.returns < 1:
            found.setdefault(each.returns, each)
        if len(found) == TRIED:
            break
    if not found:
        raise InputError(f"no odds on this grid leave the house an edge on {group.id}: take a smaller step")
    return list(found.values())


def _best_sum(
    groups: list[BoxGroup],
    shares: Mapping[str, Fraction],
    tried: Mapping[str, list[Priced]],
    returns: Fraction,
) -> dict[str, Priced]:
    """One of the offers of each group, so that the mix comes nearest from below: all sums, kept once each."""
    scale = lcm(
        returns.denominator,
        *((shares[group.id] * each.returns).denominator for group in groups for each in tried[group.id]),
    )
    wanted = int(returns * scale)
    sums: dict[int, tuple[Fraction, tuple[Priced, ...]]] = {0: (Fraction(0), ())}
    for group in groups:
        after: dict[int, tuple[Fraction, tuple[Priced, ...]]] = {}
        for reached, (strayed, chosen) in sums.items():
            for each in tried[group.id]:
                to = reached + int(shares[group.id] * each.returns * scale)
                cost = strayed + abs(each.returns - returns)
                if to not in after or cost < after[to][0]:
                    after[to] = cost, (*chosen, each)
        if len(after) > _SUMS_MAX:
            raise TooCostly(
                f"{len(groups)} groups of bets have more than {_SUMS_MAX:,} different returns: "
                "name fewer boxes in the mix, or take a larger step of odds"
            )
        sums = after
    below = [reached for reached in sums if reached <= wanted]
    best = max(below) if below else min(sums)
    return {group.id: each for group, each in zip(groups, sums[best][1], strict=True)}
