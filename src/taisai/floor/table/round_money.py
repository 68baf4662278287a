"""From a round's events to transfers: the one place where game and ledger meet.

Before settlement a player's bets are in `stakes:TABLE:ROUND`. Settlement empties that account to the players
and the house. What changes a round afterwards is brought to each player net, never by touching stakes: from
what is unclaimed in the player's name, then from free credit, the rest a receivable.
"""

from collections.abc import Iterable, Sequence

import msgspec

from taisai.errors import InvariantBroken
from taisai.floor.table.paying import Holders, home_of, paid_out
from taisai.game import events as ev
from taisai.game.acts import Phase
from taisai.game.colours import coloured_on
from taisai.game.evolve import evolve, place
from taisai.game.state import RoundState
from taisai.ledger import Book, Occasion, Reason, Transfer, settle_up
from taisai.ledger.accounts import colour_chips, house, stakes

_SETTLED = (Phase.SETTLED, Phase.CONCLUDED)
_CREDIT = "credit:"


class RoundBooks(msgspec.Struct, eq=False, gc=False):
    """Applies the events of one command to a round and enters what they mean into the book."""

    state: RoundState
    book: Book
    holders: Holders
    occasion: Occasion
    transfers: list[Transfer] = []
    _reversed: dict[str, int] | None = None  # what each player had gained when the settlement was undone
    _was_settled: bool = False  # and whether it had paid everyone, so that nothing was on the felt any more

    def apply(self, happened: Iterable[ev.AnyEvent]) -> list[Transfer]:
        """Evolve the round and return the transfers, already entered."""
        for event in happened:
            self._apply(event)
        if self._reversed is not None:
            self._settle_differences(self._reversed)
        return self.transfers

    def _apply(self, event: ev.AnyEvent) -> None:
        match event:
            case ev.BetsPlaced() if self._is_plain(event):
                self._place(event)
            case ev.SettlementReversed():
                on_felt = self.state.stakes_by_player()
                self._was_settled = self.state.phase is not Phase.DECLARED
                self._reversed = {
                    player: paid - on_felt.get(player, 0) for player, paid in event.payouts.items()
                }
                evolve(self.state, event)
            case ev.PayoutsMade():
                evolve(self.state, event)
                if self._reversed is None:
                    self._pay(event.payouts)
            case ev.RoundVoided():
                for player in event.returned:
                    if self._still_on_felt(player):
                        self._return(player, self._on_felt(player))
                evolve(self.state, event)
            case _:
                self._move_stakes(event)

    def _still_on_felt(self, player: str) -> bool:
        """Whether a player's stake is in the stakes account: no settlement that is undone now had paid it."""
        return self._reversed is None or (player not in self._reversed and not self._was_settled)

    def _move_stakes(self, event: ev.AnyEvent) -> None:
        """An event before settlement: what is staked changes by the difference it makes for its players."""
        players = _players_of(event)
        if players and self._reversed is None and self.state.phase in _SETTLED:
            self._reversed, self._was_settled = {}, True  # nobody had bet, so there was nothing to undo
        before = {}
        for player in players:
            if self._still_on_felt(player):
                before[player] = self._on_felt(player)
        evolve(self.state, event)
        for player in sorted(before) if len(before) > 1 else before:
            was, now = before[player], self._on_felt(player)
            moved = was | now
            for account in sorted(moved) if len(moved) > 1 else moved:
                change = now.get(account, 0) - was.get(account, 0)
                if change > 0:
                    self._stake(player, account, change)
                elif change < 0:
                    self._enter(self._stakes, account, -change, _way_back(event))

    def _is_plain(self, event: ev.BetsPlaced) -> bool:
        """Whether a slip moves one account's money and nothing else, as nearly all do."""
        if event.chips is not None or self._reversed is not None or self.state.phase is not Phase.BETTING:
            return False
        slip = self.state.slips.get(event.player)
        return slip is None or slip.chips is None

    def _place(self, event: ev.BetsPlaced) -> None:
        """A slip without colours, by the shortest way."""
        player, before = event.player, self.state.slips.get(event.player)
        was = 0 if before is None else sum(before.amounts.values())
        place(self.state, event)
        change = sum(event.slip.values()) - was
        if change > 0:
            self._stake(player, self.holders.base(player), change)
        elif change < 0:
            self._enter(self._stakes, self.holders.base(player), -change, Reason.STAKE_WITHDRAWN)

    def _stake(self, player: str, account: str, amount: int) -> None:
        """What was on the felt counts, also where it is more than there is: then the rest is owed."""
        there = amount
        if account.startswith(_CREDIT) and (free := self.book.balance(account)) < amount:
            there = free
        self._enter(account, self._stakes, there, Reason.STAKE)
        if there < amount:
            self._enter(self.holders.purse(player).owed, self._stakes, amount - there, Reason.STAKE)

    def _on_felt(self, player: str) -> dict[str, int]:
        """What a player has on the felt, by the account that it came from."""
        slip = self.state.slips.get(player)
        if slip is None:
            return {}
        total = slip.total()
        if slip.chips is None:
            return {self.holders.base(player): total} if total else {}
        coloured = coloured_on(slip.chips, slip.amounts)
        parts = {
            colour_chips(self.state.table, slip.chips.colour): coloured,
            self.holders.base(player): total - coloured,
        }
        return {account: amount for account, amount in parts.items() if amount}

    def _pay(self, payouts: dict[str, int]) -> None:
        """The first settlement: stakes go back where they came from or to the house; winnings on top."""
        debts = self.book.with_balance("receivable:")
        made, sums = paid_out(self.state, self.holders, self.occasion, payouts, debts)
        self.book.apply(made, sums)
        self.transfers += made

    def _return(self, player: str, on_felt: dict[str, int]) -> None:
        for account, amount in on_felt.items():
            home = home_of(self.state, self.holders, player, account)
            self._enter(self._stakes, home, amount, Reason.STAKE_RETURNED)

    def _settle_differences(self, gained: dict[str, int]) -> None:
        """Bring every player from what the undone settlement gave to what is right now."""
        state = self.state
        on_felt = state.stakes_by_player()
        is_void, is_settled = state.phase is Phase.VOID, bool(state.paid)
        for player in sorted({*gained, *on_felt}):
            if self._still_on_felt(player):
                continue
            staked = on_felt.get(player, 0)
            if is_void:
                right = 0
            elif is_settled:
                right = state.paid.get(player, 0) - staked
            else:  # still to be settled: the stake is on the felt again
                right = -staked
                self._enter(self._house, self._stakes, staked, Reason.REVERSAL)
            due = right - gained.get(player, 0)
            made = settle_up(
                self.book, self.holders.purse(player), due, house=self._house, occasion=self.occasion
            )
            self.book.apply(made)
            self.transfers += made

    @property
    def _stakes(self) -> str:
        return stakes(self.state.table, self.state.number)

    @property
    def _house(self) -> str:
        return house(self.state.table)

    def _enter(self, debit: str, credit: str, amount: int, reason: Reason) -> None:
        if amount < 0:
            raise InvariantBroken(f"a transfer of {amount} from {debit} to {credit}")
        if not amount:
            return
        occasion = self.occasion
        made = Transfer(occasion.next_id(), debit, credit, amount, reason, occasion.at, occasion.ref)
        self.book.enter(made)
        self.transfers.append(made)


def _players_of(event: ev.AnyEvent) -> Sequence[str]:
    """The players whose bets an event changes."""
    match event:
        case ev.BetsPlaced() | ev.BetsCorrected():
            return (event.player,)
        case ev.ExcessRejected() | ev.BetsReturned():
            return [taken.player for taken in event.taken]
        case _:
            return ()


def _way_back(event: ev.AnyEvent) -> Reason:
    """A player takes a bet back; the house returns one."""
    return Reason.STAKE_WITHDRAWN if isinstance(event, ev.BetsPlaced) else Reason.STAKE_RETURNED
