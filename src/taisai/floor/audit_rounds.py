"""Recomputes every settlement in a record from its round's own events and the pay table of its digest.

Reads along with the verifier, commit by commit. For each payout it asks the game what should have been paid;
for each round it asks the ledger whether the house won or lost exactly that. Memory stays flat: of the rounds
that have ended only the last few are kept, and one that is corrected long afterwards is checked in a second
pass over the record, in which only such rounds are played.
"""

from collections import OrderedDict, defaultdict
from collections.abc import Collection

import msgspec

from taisai.errors import InvariantBroken, TaisaiError
from taisai.floor.cluster_messages import AnyClusterEvent
from taisai.floor.desk import DeskTaken
from taisai.floor.journal import Commit, Event
from taisai.floor.journal_order import in_order
from taisai.floor.journal_verify import RecordFault
from taisai.floor.messages import RoundEvent
from taisai.floor.ports import CommitSource
from taisai.floor.table import FindRules
from taisai.game import events as ev
from taisai.game.acts import Phase
from taisai.game.evolve import evolve
from taisai.game.round import shipped_rules
from taisai.game.settling import settlement_totals
from taisai.game.state import RoundState

_decode = msgspec.json.Decoder(AnyClusterEvent | DeskTaken).decode

# Ended rounds that are kept for a correction that may soon follow.
_KEPT = 256


class RoundFindings(msgspec.Struct):
    """How much of the game was recomputed."""

    rounds: int = 0
    voided: int = 0
    corrected: int = 0
    bets: int = 0
    staked_minor: int = 0
    paid_minor: int = 0


class SettlementCheck:
    """A `Check` for the verifier."""

    def __init__(self, find_rules: FindRules = shipped_rules, only: Collection[str] | None = None) -> None:
        self.findings = RoundFindings()
        self.revisit: set[str] = set()
        self._find_rules, self._only = find_rules, only
        self._last: dict[str, int] = {}
        self._rounds: dict[str, RoundState] = {}
        self._ended: OrderedDict[str, RoundState] = OrderedDict()
        self._house: defaultdict[str, int] = defaultdict(int)
        self._touched: set[str] = set()

    def feed(self, commit: Commit) -> None:
        """Play a commit's events and enter its transfers; then the rounds it touched must agree."""
        self._touched.clear()
        for event in commit.events:
            if event.stream.startswith("table:"):
                self._play(event)
        for transfer in commit.transfers:
            if "/" in transfer.ref:
                if transfer.credit.startswith("house:"):
                    self._house[transfer.ref] += transfer.amount_minor
                if transfer.debit.startswith("house:"):
                    self._house[transfer.ref] -= transfer.amount_minor
        for ref in self._touched:
            self._check_house(ref)
        self._let_go()

    def finish(self) -> None:
        """Nothing remains to be seen at the end: each round was checked when it changed."""

    def _play(self, stored: Event) -> None:
        try:
            wrapped = _decode(stored.body)
        except msgspec.DecodeError as error:
            raise RecordFault(
                f"{stored.stream} version {stored.version}", f"cannot be read: {error}"
            ) from None
        if not isinstance(wrapped, RoundEvent):
            return
        where = f"{stored.stream} version {stored.version}"
        ref = f"{stored.stream.removeprefix('table:')}/{wrapped.round}"
        if ref in self.revisit or (self._only is not None and ref not in self._only):
            return
        event = wrapped.event
        state = self._state(stored.stream, wrapped, where)
        if state is None:
            self.revisit.add(ref)
            return
        if isinstance(event, ev.PayoutsMade | ev.BetsSettled):
            self._check_settlement(state, event, where)
        if isinstance(event, ev.ResultCorrected | ev.BetsCorrected):
            self.findings.corrected += 1
        self._check_void(state, event, where)
        try:
            evolve(state, event)
        except (TaisaiError, InvariantBroken, KeyError) as error:
            raise RecordFault(where, f"the event does not follow: {error}") from None
        self._touched.add(ref)

    def _state(self, stream: str, wrapped: RoundEvent, where: str) -> RoundState | None:
        """The round of an event; None when it ended too long ago to be at hand."""
        event = wrapped.event
        ref = f"{stream.removeprefix('table:')}/{wrapped.round}"
        if isinstance(event, ev.BettingOpened):
            if wrapped.round <= self._last.get(stream, 0):
                raise RecordFault(where, f"round {ref} is opened again")
            self._last[stream] = wrapped.round
            state = RoundState(*self._find_rules(event.pay_table))
            if (event.pay_table_digest, event.rulebook_digest) != (
                state.pay_table.digest,
                state.rulebook.digest,
            ):
                raise RecordFault(
                    where, f"{event.pay_table} of digest {event.pay_table_digest} is not at hand"
                )
            self._rounds[ref] = state
            self.findings.rounds += 1
            return state
        if ref in self._ended:
            self._rounds[ref] = self._ended.pop(ref)
        elif ref not in self._rounds and wrapped.round > self._last.get(stream, 0):
            raise RecordFault(where, f"round {ref} was never opened")
        return self._rounds.get(ref)

    def _check_settlement(
        self, state: RoundState, event: ev.PayoutsMade | ev.BetsSettled, where: str
    ) -> None:
        if state.roll is None:
            raise RecordFault(where, "a settlement without a result")
        right = settlement_totals(state, state.roll)
        if isinstance(event, ev.PayoutsMade):
            for player, paid in event.payouts.items():
                due = right.paid.get(player)
                if due != paid:
                    raise RecordFault(where, f"{player} was paid {paid}, and {due} is right")
            return
        said = (event.roll, event.players, event.bets, event.staked, event.effective, event.paid)
        if said != (
            state.roll,
            len(right.paid),
            right.bets,
            right.staked,
            right.effective,
            sum(right.paid.values()),
        ):
            raise RecordFault(where, "the settlement's sums are not those of its bets")
        if state.paid != right.paid:
            raise RecordFault(where, "the settlement does not pay every player")
        self.findings.bets += right.bets
        self.findings.staked_minor += right.staked
        self.findings.paid_minor += sum(right.paid.values())

    def _check_void(self, state: RoundState, event: ev.AnyEvent, where: str) -> None:
        if isinstance(event, ev.RoundVoided):
            if event.returned != state.stakes_by_player():
                raise RecordFault(where, "a void does not return what was bet")
            self.findings.voided += 1

    def _check_house(self, ref: str) -> None:
        """What the transfers gave the house for a round is what its bets brought."""
        state = self._rounds[ref]
        won = 0
        if state.phase in (Phase.SETTLED, Phase.CONCLUDED):
            won = state.staked() - sum(state.paid.values())
        elif state.paid:
            return  # paid in parts: the sum is checked when the last part is
        if self._house[ref] != won:
            raise RecordFault(f"round {ref}", f"the house's books have {self._house[ref]}, its bets {won}")

    def _let_go(self) -> None:
        for ref in self._touched:
            if self._rounds[ref].phase in (Phase.CONCLUDED, Phase.VOID):
                self._ended[ref] = self._rounds.pop(ref)
        if self._only is None:
            while len(self._ended) > _KEPT:
                self._ended.popitem(last=False)


async def check_revisited(source: CommitSource, first: SettlementCheck, find_rules: FindRules) -> None:
    """Play the rounds that were corrected long after they ended, from their beginning."""
    if first.revisit:
        again = SettlementCheck(find_rules, only=first.revisit)
        async for commit in in_order(source):
            again.feed(commit)
        first.findings.corrected += again.findings.corrected
