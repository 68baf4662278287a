"""What the first settlement of a round pays: its transfers, and what they add up to.

Stakes go back where they came from or to the house, and winnings come on top. A multitude comes by here, so
whoever is there and has bet nothing but money, as nearly all have, is paid on the spot.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from taisai.errors import InvariantBroken
from taisai.game.colours import Shares, coloured_on, shares
from taisai.game.settlement import BetResult
from taisai.game.settling import settled_bets
from taisai.game.state import PlayerSlip, RoundState
from taisai.ledger import Occasion, Purse, Reason, Transfer
from taisai.ledger.accounts import CASH_CHIPS, colour_chips, house, receivable, stakes
from taisai.ledger.sums import Sums

# Debit, credit, amount and reason of what is to be entered.
Move = tuple[str, str, int, Reason]


class Holders(Protocol):
    """Where players' bets come from, and the purses that pay and owe for corrections."""

    def base(self, player: str) -> str: ...

    def bases(self, players: Iterable[str]) -> Iterator[str]: ...

    def purse(self, player: str) -> Purse: ...


class Paid(NamedTuple):
    """Transfers in the order of the payouts; their sums where nothing but money was bet, else none."""

    transfers: list[Transfer]
    sums: Sums | None


def home_of(state: RoundState, holders: Holders, player: str, account: str) -> str:
    """Where a player's money goes back to. Cash chips of one who has walked away wait in their name."""
    if state.slips[player].absent == "walked-away" and account == CASH_CHIPS:
        return holders.purse(player).waiting
    return account


def paid_out(
    state: RoundState,
    holders: Holders,
    occasion: Occasion,
    payouts: Mapping[str, int],
    debts: Mapping[str, int],
) -> Paid:
    """What is to be entered for these payouts. `debts` are the accounts of whoever owes something."""
    felt, till, slips = stakes(state.table, state.number), house(state.table), state.slips
    next_id, at, ref = occasion.next_id, occasion.at, occasion.ref
    back, lost, more = Reason.STAKE_WON, Reason.STAKE_LOST, Reason.WINNINGS
    special: _Special | None = None
    made: list[Transfer] = []
    enter = made.append
    gained: dict[str, int] = {}
    staked_in_all = won = net = low = high = 0  # the last three: what the house has won, on the way
    for player, paid, home in zip(payouts, payouts.values(), holders.bases(payouts), strict=False):
        slip = slips.get(player)
        staked = 0 if slip is None else sum(slip.amounts.values())
        if debts or (slip is not None and (slip.absent or slip.chips is not None)):
            if special is None:
                special = _Special(state, holders, payouts, debts)
            made += _transfers(special.moves(player, slip, paid, staked, home), occasion)
            continue
        if paid > staked:
            if staked:
                enter(Transfer(next_id(), felt, home, staked, back, at, ref))
            enter(Transfer(next_id(), till, home, paid - staked, more, at, ref))
            won += paid - staked
        else:
            if paid:
                enter(Transfer(next_id(), felt, home, paid, back, at, ref))
            if staked > paid:
                enter(Transfer(next_id(), felt, till, staked - paid, lost, at, ref))
        if paid:
            gained[home] = gained.get(home, 0) + paid
        staked_in_all += staked
        net += staked - paid
        if net < low:
            low = net
        elif net > high:
            high = net
    if special is not None:
        return Paid(made, None)
    sums: dict[str, Sequence[int]] = {home: (0, paid, 0, paid) for home, paid in gained.items()}
    sums[felt] = (staked_in_all, 0, -staked_in_all, 0)
    sums[till] = (won, won + net, low, high)
    return Paid(made, sums)


def _transfers(moves: Iterable[Move], occasion: Occasion) -> Iterator[Transfer]:
    for debit, credit, amount, reason in moves:
        if amount < 0:
            raise InvariantBroken(f"a transfer of {amount} from {debit} to {credit}")
        if amount:
            yield Transfer(occasion.next_id(), debit, credit, amount, reason, occasion.at, occasion.ref)


class _Special:
    """Those who were paid otherwise than in money alone: in colour chips, in their absence, or owing."""

    def __init__(
        self, state: RoundState, holders: Holders, payouts: Mapping[str, int], debts: Mapping[str, int]
    ) -> None:
        self._state, self._holders, self._payouts, self._debts = state, holders, payouts, debts
        self._stakes, self._house = stakes(state.table, state.number), house(state.table)
        self._in_colour: dict[str, Shares] | None = None  # nobody's, until somebody has bet colour chips

    def moves(
        self, player: str, slip: PlayerSlip | None, paid: int, staked: int, base: str
    ) -> Iterator[Move]:
        """What one of them gets."""
        home = base
        if slip is not None and slip.absent:
            home = home_of(self._state, self._holders, player, base)
        if slip is not None and slip.chips is not None and self._in_colour is None:
            self._in_colour = self._paid_in_colour()
        if self._in_colour and player in self._in_colour:
            yield from self._paid_by_colour(player, self._in_colour[player], home)
        else:
            back = min(paid, staked)
            yield self._stakes, home, back, Reason.STAKE_WON
            yield self._stakes, self._house, staked - back, Reason.STAKE_LOST
            yield self._house, home, paid - back, Reason.WINNINGS
        if debt := self._debts.get(receivable(player)):
            yield self._repaid(player, debt, home)

    def _repaid(self, player: str, debt: int, home: str) -> Move:
        """Stakes come back in full; what the bets that won brought beside them pays what is owed first."""
        own = (each for each in settled_bets(self._state) if each.player == player)
        won = sum(max(0, each.returned - each.stake) for each in own)
        return home, receivable(player), min(debt, won), Reason.COLLECTED

    def _paid_in_colour(self) -> dict[str, Shares]:
        """How the payouts of those who bet colour chips are made up: chips that lost do not come back."""
        slips = {
            player: slip
            for player in self._payouts
            if (slip := self._state.slips.get(player))
            and slip.chips is not None
            and coloured_on(slip.chips, slip.amounts)
        }
        if not slips:
            return {}
        results: dict[str, list[BetResult]] = {player: [] for player in slips}
        for result in settled_bets(self._state):
            if result.player in results:
                results[result.player].append(result)
        return {
            player: shares(slip, results[player], self._payouts[player]) for player, slip in slips.items()
        }

    def _paid_by_colour(self, player: str, parts: Shares, money: str) -> Sequence[Move]:
        """Chips that won go back to the hand, those that lost to the rack; the rest is money."""
        chips = self._state.slips[player].chips
        if chips is None:
            where = f"{self._state.table}/{self._state.number}"
            raise InvariantBroken(f"{player} has no colour chips in {where}")
        colour = colour_chips(self._state.table, chips.colour)
        return (
            (self._stakes, colour, parts.coloured, Reason.STAKE_WON),
            (self._stakes, money, parts.plain, Reason.STAKE_WON),
            (self._stakes, self._house, parts.lost, Reason.STAKE_LOST),
            (self._house, money, parts.winnings, Reason.WINNINGS),
        )
