"""What a terminal knows of its player's session, kept from what a cluster's desk has published."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, partial
from typing import Any, cast

import msgspec

from taisai.floor.proofs.receipts import receipt_address
from taisai.floor.reading.people import PlayerReading
from taisai.game.acts import Phase
from taisai.game.notary import Notary
from taisai.game.settlement import BetResult
from taisai.game.settlement import results_of as bet_results
from taisai.game.state import RoundState
from taisai.ledger import Reason, Transfer
from taisai.ledger.accounts import credit
from taisai.server import wire
from taisai.server.live.table_view import millis
from taisai.server.words.say import Voice, sentences

RECALL_MAX = 10
# Rounds of a session whose stake a correction still changes in the sum; of those before only the sum is kept.
STAKES_KEPT = 64
# What brings credits from outside, by the source that a player knows.
_SOURCES = {Reason.BUY_IN: "cash", Reason.TICKET_REDEEMED: "ticket", Reason.PROMO: "promo"}
# What a stake is made of before its round is settled.
_STAKES = {Reason.STAKE: 1, Reason.STAKE_WITHDRAWN: -1, Reason.STAKE_RETURNED: -1}

Results = dict[str, list[BetResult]]  # by player

_encode = msgspec.json.Encoder().encode


def results_of(state: RoundState) -> Results:
    """Every player's bets with what became of them, once there is a result or the round is void."""
    found: Results = {}
    for result in bet_results(state):
        found.setdefault(result.player, []).append(result)
    return found


@dataclass(slots=True)
class SessionRound:
    """One round of a session, for its recall."""

    round: int
    dice: list[int] | None
    void: bool
    before: int
    after: int
    at: int
    results: list[BetResult]
    added: dict[str, int] = field(default_factory=dict)  # credits since the play before, by source
    repaid: int = 0  # of what it brought, what went to a debt
    known: list[int] | None = None  # the faces on which a ruling settled it
    receipt: str = ""  # where the proof of the slip is

    @property
    def staked(self) -> int:
        return sum(result.stake for result in self.results)

    @property
    def returned(self) -> int:
        return sum(result.returned for result in self.results)

    def view(self, say: "SayBet") -> wire.PlayedRoundView:
        return wire.PlayedRoundView(
            round=self.round,
            dice=self.dice,
            void=self.void,
            staked=self.staked,
            returned=self.returned,
            credit_before=self.before,
            credit_after=self.after,
            bets=[say(result) for result in self.results],
            at=self.at,
            added=self.added,
            repaid=self.repaid,
            known=self.known,
            receipt=self.receipt,
        )


# What became of a bet, as it is told.
SayBet = Callable[[BetResult], wire.BetView]


class SaidBets:
    """Says what became of bets in a form that is encoded already, once for all who made the same bet."""

    def __init__(self, voice: Voice) -> None:
        self._voice = voice
        self._said: dict[tuple[str, int, int, int, int], tuple[BetResult, Any]] = {}

    def __call__(self, result: BetResult) -> wire.BetView:
        # Equal bets of a round share their award and their reasons, which are kept here and so stay the same.
        key = (result.box, result.stake, result.effective, id(result.award), id(result.notes))
        known = self._said.get(key)
        if known is None:
            encoded = msgspec.Raw(_encode(bet_view(result, self._voice)))
            known = self._said[key] = (result, encoded)
        return cast("wire.BetView", known[1])  # what is encoded stands for it wherever it is only sent


def bet_view(result: BetResult, voice: Voice) -> wire.BetView:
    """What became of a bet, with the reasons in each language."""
    return wire.BetView(
        box=result.box,
        stake=result.stake,
        effective=result.effective,
        returned=result.returned,
        won=result.award.won,
        clauses=list(result.clauses),
        sentences=sentences(result, voice),
    )


@dataclass(slots=True)
class SessionBoard:
    """One session as it is on the record."""

    session: str
    terminal: str
    started_at: int
    credit: int = 0
    bought: int = 0
    slip: dict[str, int] = field(default_factory=dict)
    slip_version: int = 0
    slip_round: int | None = None
    on_felt: int = 0
    owed: int = 0
    before: int = 0
    last_win: int = 0
    adding: dict[str, int] = field(default_factory=dict)  # credits since the last play began, by source
    added: dict[str, int] = field(default_factory=dict)  # and those before it
    recall: deque[SessionRound] = field(default_factory=lambda: deque(maxlen=RECALL_MAX))
    stakes: dict[int, int] = field(default_factory=dict)  # of the last rounds that were settled
    staked_before: int = 0  # in rounds up to the last one that was let go
    let_go: int = 0
    # The player's own, as they were seen last. Not of this table's record.
    limits: wire.OwnLimitsStand | None = field(default=None, compare=False)

    @property
    def wagered(self) -> int:
        """All that was staked since the session began; what went back from a void round is no wager."""
        return self.staked_before + sum(self.stakes.values())

    def stake(self, number: int, amount: int) -> None:
        """What was staked in a round, in the place of what was said of it before."""
        if number <= self.let_go:
            return
        self.stakes[number] = amount
        while len(self.stakes) > STAKES_KEPT:
            self.let_go = min(self.stakes)
            self.staked_before += self.stakes.pop(self.let_go)

    @property
    def net(self) -> int:
        """What the player is up or down since the session began.

        What is on the felt counts as theirs, a debt against them.
        """
        return self.credit + self.on_felt - self.bought - self.owed

    def begin_anew(self, at: int) -> None:
        """Another visitor plays on at a practice seat: for them it begins here, with what there is."""
        self.started_at, self.last_win, self.before = at, 0, self.credit
        self.bought = self.credit + self.on_felt
        self.recall.clear()
        self.stakes.clear()
        self.staked_before = 0
        self.adding, self.added = {}, {}

    def buy(self, source: str, amount: int) -> None:
        """Credits came in."""
        self.credit += amount
        self.bought += amount
        self.adding[source] = self.adding.get(source, 0) + amount

    def bet(self, number: int, version: int, slip: dict[str, int]) -> None:
        """A slip was registered."""
        if self.slip_round != number:
            self.before, self.on_felt = self.credit, 0
            self.added, self.adding = self.adding, {}
        on_felt = sum(slip.values())
        self.credit -= on_felt - self.on_felt
        self.slip, self.slip_version, self.slip_round, self.on_felt = slip, version, number, on_felt

    def around(self, number: int, gain: int) -> tuple[int, int]:
        """The credit before a round and after it; one that is corrected later keeps what it began with.

        Credits that were bought meanwhile are not the round's: they stand with the next play.
        """
        if self.slip_round == number:
            return self.before, self.before + gain
        known = [played.before for played in self.recall if played.round == number]
        before = known[0] if known else self.credit - gain
        return before, before + gain

    def settle(self, played: SessionRound) -> None:
        """A round brought this; one that was settled before is settled anew."""
        again = [old for old in self.recall if old.round == played.round]
        played.repaid = again[0].repaid if again else played.repaid
        played.after -= played.repaid
        played.added = again[0].added if again else self.added
        if again:
            self.recall[self.recall.index(again[0])] = played
        else:
            self.recall.append(played)
        self.stake(played.round, 0 if played.void else played.staked)
        if played.round == self.slip_round:
            self.on_felt = 0
            self.last_win = max(0, played.returned - played.staked)

    def settled(self, seq: int, played: SessionRound, say: SayBet) -> wire.Settled:
        """What a round brought, as it is told, with all that the player has after it."""
        return wire.Settled(
            seq=seq,
            played=played.view(say),
            credit=self.credit,
            net=self.net,
            wagered=self.wagered,
            owed=self.owed,
        )

    def view(self, voice: Voice, *, service: wire.ServiceState, minutes: int) -> wire.SessionView:
        return wire.SessionView(
            session=self.session,
            credit=self.credit,
            slip=self.slip,
            slip_version=self.slip_version,
            slip_round=self.slip_round,
            staked=self.on_felt,
            last_win=self.last_win,
            net=self.net,
            wagered=self.wagered,
            started_at=self.started_at,
            reality_check_minutes=minutes,
            recall=[played.view(partial(bet_view, voice=voice)) for played in self.recall],
            service=service,
            limits=self.limits,
            owed=self.owed,
        )


def own_limits(player: PlayerReading | None) -> wire.OwnLimitsStand | None:
    """How a player's own limits stand; none for somebody who never set any."""
    if player is None:
        return None
    waits = player.later
    return wire.OwnLimitsStand(
        now=wire.OwnLimitsView(**msgspec.structs.asdict(player.limits)),
        later=wire.OwnLimitsView(**msgspec.structs.asdict(waits)) if waits else None,
        later_from=millis(player.later_from) if waits and player.later_from else None,
        checked_at=millis(player.checked_at) if player.checked_at else None,
    )


@dataclass(eq=False)
class Recalled:
    """A round and what became of its bets, computed once for all who played in it."""

    state: RoundState
    notary: Notary | None = None  # who knows the salts of its slips

    @cached_property
    def results(self) -> Results:
        return results_of(self.state)


@dataclass(frozen=True, slots=True)
class Statement:
    """What a session's account says: its credit, what was bought, and the credit before each round."""

    credit: int
    bought: int
    before: dict[int, int]
    moved_at: dict[int, int]  # when the last transfer of each round was made
    added: dict[int, dict[str, int]]  # by the round that they were there for
    adding: dict[str, int]
    staked: dict[int, int]
    repaid: dict[int, int]  # what each round's winnings paid of a debt

    @property
    def rounds(self) -> list[int]:
        """The rounds that a recall needs, and one that may still be in play."""
        return sorted(self.before)[-RECALL_MAX - 1 :]


def statement_of(session: str, table: str, transfers: Iterable[Transfer]) -> Statement:
    """Read the transfers of a session's account."""
    account, balance, bought = credit(session), 0, 0
    before: dict[int, int] = {}
    moved_at: dict[int, int] = {}
    added: dict[int, dict[str, int]] = {}
    adding: dict[str, int] = {}
    staked: dict[int, int] = {}
    repaid: dict[int, int] = {}
    for transfer in transfers:
        where, _, number = transfer.ref.partition("/")
        in_round = where == table and bool(number)
        if in_round and int(number) not in before:
            before[int(number)], added[int(number)], adding = balance, adding, {}
        balance += transfer.amount_minor if transfer.credit == account else -transfer.amount_minor
        if transfer.reason in _SOURCES and transfer.credit == account:
            source = _SOURCES[Reason(transfer.reason)]
            bought += transfer.amount_minor
            adding[source] = adding.get(source, 0) + transfer.amount_minor
        if in_round:
            moved_at[int(number)] = transfer.at // 1000
            part = _STAKES.get(Reason(transfer.reason), 0) * transfer.amount_minor
            staked[int(number)] = staked.get(int(number), 0) + part
            if transfer.reason == Reason.COLLECTED and transfer.debit == account:
                repaid[int(number)] = repaid.get(int(number), 0) + transfer.amount_minor
    return Statement(balance, bought, before, moved_at, added, adding, staked, repaid)


def rebuilt_session(
    session: str, terminal: str, began: datetime, statement: Statement, rounds: "Mapping[int, Recalled]"
) -> SessionBoard:
    """A session from its account and the rounds it played, as after a restart."""
    board = SessionBoard(session, terminal, millis(began), statement.credit, statement.bought)
    board.adding = dict(statement.adding)
    for number, stake in statement.staked.items():
        if number not in statement.rounds:
            board.stake(number, stake)
    for number in statement.rounds:
        if number not in rounds or session not in rounds[number].state.slips:
            continue
        played = rounds[number].state
        slip = played.slips[session]
        board.before, board.added = statement.before[number], statement.added[number]
        board.slip, board.slip_version, board.slip_round = slip.slip(), slip.version, number
        board.on_felt = slip.total()
        if session in played.paid or played.phase is Phase.VOID:
            bets = rounds[number].results.get(session, [])
            after = board.before + sum(bet.returned - bet.stake for bet in bets)
            at = statement.moved_at[number]
            part = made_of(played, bets, before=board.before, after=after, at=at)
            part.repaid = statement.repaid.get(number, 0)
            part.receipt = receipt_address(played, session, rounds[number].notary) if bets else ""
            board.settle(part)
    _recall_empty_slip(board, rounds)
    return board


def _recall_empty_slip(board: SessionBoard, rounds: "Mapping[int, Recalled]") -> None:
    """A slip that was empty from the first moved no money, and its version counts all the same."""
    for number in sorted(rounds):
        slip = rounds[number].state.slips.get(board.session)
        if slip is not None and number > (board.slip_round or 0) and not slip.total():
            board.bet(number, slip.version, {})


def made_of(state: RoundState, bets: list[BetResult], *, before: int, after: int, at: int) -> SessionRound:
    """One player's part of a round."""
    void = state.phase is Phase.VOID
    dice = list(state.roll) if state.roll and not void else None
    known = list(state.known) if state.settles_known and not void else None
    receipt = receipt_address(state, bets[0].player) if bets else ""
    return SessionRound(state.number, dice, void, before, after, at, bets, known=known, receipt=receipt)
