"""Recomputes every settlement in a record from its round's own events and the pay table of its digest.

Reads along with the verifier, commit by commit. For each payout it asks the game what should have been paid;
for each round it asks the ledger whether the house and each player won or lost exactly that. Memory stays
flat: of the rounds that have ended only the last few are kept, and one that is corrected long afterwards is
checked in a second pass over the record, in which only such rounds are played.
"""

from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter

import msgspec

from taisai.errors import InvariantBroken, TaisaiError
from taisai.floor.streams import table_of
from taisai.floor.table.messages import RackEvent, RoundEvent, TableOpened
from taisai.floor.table.state import FindRules
from taisai.floor.views.rounds import table_events
from taisai.game import events as ev
from taisai.game.acts import Phase
from taisai.game.chips import ColourIssued
from taisai.game.evolve import evolve, place
from taisai.game.round import shipped_rules
from taisai.game.settling import settlement_totals
from taisai.game.state import RoundState
from taisai.ledger import Transfer
from taisai.ledger.accounts import CASH_CHIPS, colour_chips
from taisai.record.faults import RecordFault
from taisai.record.journal import Commit, Event, is_cut
from taisai.record.order import in_order
from taisai.record.ports import CommitSource, RecordCorrupt

# Ended rounds, and slips in them, that are kept for a correction that may soon follow.
_ROUNDS_KEPT = 256
_SLIPS_KEPT = 5_000
_OVER = (Phase.CONCLUDED, Phase.VOID)
_SETTLED = (Phase.SETTLED, Phase.CONCLUDED, Phase.VOID)
# The accounts that are one player's own.
_PLAYERS = ("credit", "unclaimed", "receivable")
_CHIPS = "chips:"
_ref = attrgetter("ref")


class RoundFindings(msgspec.Struct):
    """How much of the game was recomputed."""

    rounds: int = 0
    voided: int = 0
    corrected: int = 0
    bets: int = 0
    staked_minor: int = 0
    paid_minor: int = 0
    archived: int = 0  # rounds that could not be recomputed: their bets are in archives

    def add(self, other: "RoundFindings") -> None:
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(slots=True)
class _Played:
    """A round as its events make it, and what the ledger moved for it."""

    state: RoundState
    by_credit: bool
    house: int = 0
    stakes: int = 0
    gained: dict[str, int] = field(default_factory=dict)
    # Whose money moved since it was looked at last, in that order: the first fault is the same every time.
    touched: dict[str, None] = field(default_factory=dict)

    def enter(self, sums: Mapping[str, int]) -> None:
        """What came to each account, or left it when below zero."""
        gained, touched = self.gained, self.touched
        for account, amount in sums.items():
            kind, _, who = account.partition(":")
            if kind in _PLAYERS:
                gained[who] = gained.get(who, 0) + amount
                touched[who] = None
            elif kind == "stakes":
                self.stakes += amount
            elif kind == "house":
                self.house += amount

    def check_gains(self, ref: str) -> None:
        """Whoever's money moved gained what is right: bets are on the felt, were settled, or went back."""
        state, gained = self.state, self.gained
        is_void, slips, paid = state.phase is Phase.VOID, state.slips, state.paid
        for player in self.touched:
            slip = slips.get(player)
            due = 0 if is_void else paid.get(player, 0) - (sum(slip.amounts.values()) if slip else 0)
            if gained.get(player, 0) != due:
                what = f"{player} gained {gained.get(player, 0)} in the books, and {due} is right"
                raise RecordFault(f"round {ref}", what)

    def house_due(self) -> int | None:
        """What the house should have won by now; none while the round is paid in parts."""
        state = self.state
        if state.phase in (Phase.SETTLED, Phase.CONCLUDED):
            return state.staked() - sum(state.paid.values())
        return None if state.paid else 0


class SettlementCheck:
    """A `Check` for the verifier."""

    def __init__(self, find_rules: FindRules = shipped_rules, only: Mapping[str, int] | None = None) -> None:
        self.findings = RoundFindings()
        # Rounds that changed long after they ended, with the version of the first event that was passed over.
        self.revisit: dict[str, int] = {}
        self._find_rules, self._only = find_rules, only
        self._last: dict[str, int] = {}
        self._by_credit: dict[str, bool] = {}
        # By account of colour chips: from which version of the table's stream on they are whose.
        self._holders: dict[str, list[tuple[int, str]]] = {}
        self._rounds: dict[str, _Played] = {}
        self._ended: OrderedDict[str, _Played] = OrderedDict()
        self._slips = 0
        self._archived: dict[str, int] = {}  # by table, the last round of which something is in an archive
        self._touched: dict[str, None] = {}
        self._is_new = True  # whether no earlier pass has counted what is being looked at

    def feed(self, commit: Commit) -> None:
        """Play a commit's events and enter its transfers; then the rounds it touched must agree."""
        self._touched.clear()
        whole = commit
        if is_cut(commit):
            whole = self._leave_out(commit)
        try:
            events = table_events(whole)
        except RecordCorrupt as corrupt:
            raise RecordFault(f"commit {commit.writer}/{commit.number}", str(corrupt)) from None
        played, here = None, ("", 0)
        for table, stored, event in events:
            if isinstance(event, RoundEvent):
                where = (table, event.round)
                if played is not None and isinstance(event.event, ev.BetsPlaced) and here == where:
                    _place_bets(played, event.event, stored)  # one more slip in the same round
                else:
                    played, here = self._play(table, stored, event), where
            elif isinstance(event, TableOpened):
                self._by_credit[table] = event.settings.money == "credits"
            elif isinstance(event, RackEvent) and isinstance(event.event, ColourIssued):
                account = colour_chips(table, event.event.colour)
                self._holders.setdefault(account, []).append((stored.version, event.event.player))
        self._enter(commit.transfers)
        for ref in self._touched:
            _check_money(ref, self._rounds[ref])
        self._let_go()

    def _leave_out(self, commit: Commit) -> Commit:
        """Without what is in archives; a round of which something is there is left out whole."""
        for stream in {event.stream for event in commit.events if not event.body}:
            table = table_of(stream) or stream
            last = self._last.get(table, 0)
            self._archived[table] = last
            for ref in [each for each in self._rounds if _is_up_to(each, table, last)]:
                del self._rounds[ref]
                if self._only is None:
                    self.findings.rounds -= 1
                    self.findings.archived += 1
        return msgspec.structs.replace(commit, events=tuple(event for event in commit.events if event.body))

    def _is_checked(self, ref: str) -> bool:
        table = ref.rpartition("/")[0]
        if table in self._archived and _is_up_to(ref, table, self._archived[table]):
            return False
        return ref not in self.revisit and (self._only is None or ref in self._only)

    def _enter(self, transfers: Iterable[Transfer]) -> None:
        """Add a commit's transfers up by round and account, and enter the sums."""
        for ref, group in groupby(transfers, _ref):
            if "/" not in ref or not self._is_checked(ref):
                continue
            moved = list(group)
            if ref not in self._rounds:
                where = f"transfer {moved[0].id}"
                raise RecordFault(where, f"nothing happened in round {ref} that would explain it")
            self._touched[ref] = None
            self._rounds[ref].enter(self._sums(moved))

    def _sums(self, moved: Sequence[Transfer]) -> Mapping[str, int]:
        """What came to each account by one round's transfers; colour chips come to whoever has them."""
        sums: dict[str, int] = defaultdict(int)
        for transfer in moved:
            amount = transfer.amount_minor
            sums[transfer.debit] -= amount
            sums[transfer.credit] += amount
        if not any(account.startswith(_CHIPS) and account != CASH_CHIPS for account in sums):
            return sums
        sums.clear()
        for transfer in moved:
            sums[self._of_holder(transfer, transfer.debit)] -= transfer.amount_minor
            sums[self._of_holder(transfer, transfer.credit)] += transfer.amount_minor
        return sums

    def _of_holder(self, transfer: Transfer, account: str) -> str:
        """Whose colour chips a transfer moves: the last sale before its act, which its id numbers."""
        if account == CASH_CHIPS or not account.startswith(_CHIPS):
            return account
        sales, act = self._holders.get(account, []), transfer.id.rsplit(".", 2)[1:2]
        if not sales or not act or not act[0].isdecimal():
            raise RecordFault(f"transfer {transfer.id}", f"nobody bought the chips of {account}")
        before = [player for version, player in sales if version <= int(act[0])]
        del sales[: max(0, len(before) - 1)]
        return f"credit:{before[-1]}" if before else account

    def finish(self) -> None:
        """Nothing remains to be seen at the end: each round was checked when it changed."""

    def _play(self, table: str, stored: Event, wrapped: RoundEvent) -> _Played | None:
        """Check an event and apply it to its round; none if that is not looked at, or not now."""
        event, ref = wrapped.event, f"{table}/{wrapped.round}"
        if not self._is_checked(ref):
            return None
        played = self._played(table, ref, wrapped, _place(stored))
        if played is None:
            self.revisit[ref] = stored.version
            return None
        self._is_new = self._only is None or stored.version >= self._only[ref]
        self._touched[ref] = None
        if isinstance(event, ev.BetsPlaced):
            _place_bets(played, event, stored)
        else:
            self._check_event(played.state, event, _place(stored))
            _evolve(played, event, stored)
        return played

    def _played(self, table: str, ref: str, wrapped: RoundEvent, where: str) -> _Played | None:
        """The round of an event; None when it ended too long ago to be at hand."""
        event = wrapped.event
        if isinstance(event, ev.BettingOpened):
            if wrapped.round <= self._last.get(table, 0):
                raise RecordFault(where, f"round {ref} is opened again")
            self._last[table] = wrapped.round
            self._rounds[ref] = _Played(self._opened(event, where), self._by_credit.get(table, True))
            self.findings.rounds += self._only is None
        elif ref in self._ended:
            self._rounds[ref] = self._ended.pop(ref)
            self._slips -= len(self._rounds[ref].state.slips)
        elif ref not in self._rounds and wrapped.round > self._last.get(table, 0):
            raise RecordFault(where, f"round {ref} was never opened")
        return self._rounds.get(ref)

    def _opened(self, event: ev.BettingOpened, where: str) -> RoundState:
        """A round under the very rules that it was opened with."""
        try:
            state = RoundState(*self._find_rules(event.pay_table))
        except TaisaiError as error:
            raise RecordFault(where, f"its rules are not at hand: {error}") from None
        digests = (event.pay_table_digest, event.rulebook_digest)
        if digests != (state.pay_table.digest, state.rulebook.digest):
            raise RecordFault(where, f"{event.pay_table} of digest {event.pay_table_digest} is not at hand")
        return state

    def _check_event(self, state: RoundState, event: ev.AnyEvent, where: str) -> None:
        """What can be said of an event by the round that it comes to."""
        if isinstance(event, ev.PayoutsMade | ev.BetsSettled):
            self._check_settlement(state, event, where)
        elif isinstance(event, ev.ResultCorrected | ev.BetsCorrected):
            self.findings.corrected += self._is_new
        elif isinstance(event, ev.RoundVoided):
            if event.returned != state.stakes_by_player():
                raise RecordFault(where, "a void does not return what was bet")
            self.findings.voided += self._is_new

    def _check_settlement(
        self, state: RoundState, event: ev.PayoutsMade | ev.BetsSettled, where: str
    ) -> None:
        if state.outcome is None:
            raise RecordFault(where, "a settlement without a result")
        right = settlement_totals(state, state.outcome)
        if isinstance(event, ev.PayoutsMade):
            if event.payouts.items() <= right.paid.items():
                return
            for player, paid in event.payouts.items():
                due = right.paid.get(player)
                if due != paid:
                    raise RecordFault(where, f"{player} was paid {paid}, and {due} is right")
            return
        paid_minor = sum(right.paid.values())
        said = (event.roll, event.players, event.bets, event.staked, event.effective, event.paid)
        if said != (state.roll, len(right.paid), right.bets, right.staked, right.effective, paid_minor):
            raise RecordFault(where, "the settlement's sums are not those of its bets")
        if state.paid != right.paid:
            raise RecordFault(where, "the settlement does not pay every player")
        if self._is_new:
            self.findings.bets += right.bets
            self.findings.staked_minor += right.staked
            self.findings.paid_minor += paid_minor

    def _let_go(self) -> None:
        for ref in self._touched:
            if self._rounds[ref].state.phase in _OVER:
                self._ended[ref] = self._rounds.pop(ref)
                self._slips += len(self._ended[ref].state.slips)
        if self._only is None:
            while len(self._ended) > _ROUNDS_KEPT or self._slips > _SLIPS_KEPT:
                _, gone = self._ended.popitem(last=False)
                self._slips -= len(gone.state.slips)


def _place(stored: Event) -> str:
    return f"{stored.stream} version {stored.version}"


def _is_up_to(ref: str, table: str, last: int) -> bool:
    of, _, number = ref.rpartition("/")
    return of == table and number.isdecimal() and int(number) <= last


def _place_bets(played: _Played, event: ev.BetsPlaced, stored: Event) -> None:
    try:
        place(played.state, event)
    except (TaisaiError, InvariantBroken, KeyError) as error:
        raise _does_not_follow(stored, error) from None
    played.touched[event.player] = None


def _evolve(played: _Played, event: ev.AnyEvent, stored: Event) -> None:
    try:
        evolve(played.state, event)
    except (TaisaiError, InvariantBroken, KeyError) as error:
        raise _does_not_follow(stored, error) from None
    for player in _players_of(event):
        played.touched[player] = None


def _does_not_follow(stored: Event, error: Exception) -> RecordFault:
    return RecordFault(_place(stored), f"the event does not follow: {error}")


def _players_of(event: ev.AnyEvent) -> Iterable[str]:
    """The players whose money an event moves."""
    match event:
        case ev.BetsCorrected():
            return (event.player,)
        case ev.PayoutsMade() | ev.SettlementReversed():
            return event.payouts
        case ev.RoundVoided():
            return event.returned
        case ev.ExcessRejected() | ev.BetsReturned():
            return [taken.player for taken in event.taken]
    return ()


def _check_money(ref: str, played: _Played) -> None:
    """What the transfers gave the house and the players for a round is what its bets brought them."""
    won = played.house_due()
    if won is not None and played.house != won:
        raise RecordFault(f"round {ref}", f"the house's books have {played.house}, its bets {won}")
    if played.state.phase in _SETTLED and played.stakes:
        raise RecordFault(f"round {ref}", f"it is settled and {played.stakes} is still on it")
    if played.by_credit:  # chips are nobody's in particular
        played.check_gains(ref)
    played.touched.clear()


async def check_revisited(source: CommitSource, first: SettlementCheck, find_rules: FindRules) -> None:
    """Play the rounds that were corrected long after they ended, from their beginning."""
    if first.revisit:
        again = SettlementCheck(find_rules, only=first.revisit)
        async for commit in in_order(source):
            again.feed(commit)
        first.findings.add(again.findings)
