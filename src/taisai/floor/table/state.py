"""A table's state and what becomes of each command: rounds, players' money, colour chips.

`act` decides and, when the rules allow it, applies: it returns the events, the transfers and the answer that
the desk must make durable before anyone hears of them. A desk whose commit fails throws this state away.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import singledispatchmethod
from itertools import repeat
from typing import Any

from taisai.errors import InputError, InvariantBroken
from taisai.floor.desks.kind import Acted, Outcome
from taisai.floor.permits import not_permitted
from taisai.floor.table.answers import answer_in_round, retold_slip
from taisai.floor.table.attempts import BetAttempts, after_deadline
from taisai.floor.table.changes import cancel_change, carry_out_change, open_table
from taisai.floor.table.damaged_dice import report_damaged_dice, rounds_of
from taisai.floor.table.messages import (
    Accepted,
    AnyTableCommand,
    AnyTableEvent,
    CallSupervisor,
    CancelChange,
    CarryOutChange,
    ChangeCancelled,
    ChangePlanned,
    DiceDrawn,
    DiceRead,
    DiceSealed,
    ExtendBetting,
    InRound,
    OpenTable,
    OwedSettled,
    PlayerCashedOut,
    PlayerLeft,
    PlayerPaidIn,
    RackEvent,
    ReadDice,
    RecordDraw,
    RoundEvent,
    SeatLeft,
    SeatTaken,
    StartRound,
    SupervisorCalled,
    TableClosed,
    TableCommand,
    TableOpened,
    TableReopened,
    TableSettings,
    UnclaimedPaid,
    WindowSet,
)
from taisai.floor.table.notary import Notarising, RoundNotary
from taisai.floor.table.openings import record_draw, start_round, undeclarable
from taisai.floor.table.people import act_of_people
from taisai.floor.table.rack import rack_of, spelled, unaffordable
from taisai.floor.table.readings import call_supervisor, read_dice, reading_differs
from taisai.floor.table.round_money import RoundBooks
from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.acts import Act, Phase
from taisai.game.chips import ColourIssued, ColourRack, Sale
from taisai.game.decide import decide
from taisai.game.evolve import evolve, place
from taisai.game.refusals import Refusal, RefusalCode, by_house
from taisai.game.round import Rules, shipped_rules
from taisai.game.state import RoundState
from taisai.ledger import Book, Occasion, Purse, Transfer, numbered
from taisai.ledger.accounts import CASH_CHIPS, colour_chips, credit, purse_accounts, stakes
from taisai.ledger.transfers import NextId
from taisai.record.journal import micros

ROUNDS_KEPT, ROUNDS_KEPT_LEAST = 64, 12
# Rounds with very many players are let go sooner.
SLIPS_KEPT = 50_000
EXTENSION_SECONDS_MAX = 600

_ENDS = (ev.RoundConcluded, ev.RoundVoided)
_SLIPS = (ev.BetsPlaced, ev.BetsCorrected)

FindRules = Callable[[str], Rules]


@dataclass
class TableState:
    """One table. `rounds` holds the current round and the last ones before it, by number."""

    name: str
    find_rules: FindRules = shipped_rules
    settings: TableSettings | None = None
    planned: ChangePlanned | None = None
    number: int = 0
    rounds: "OrderedDict[int, RoundState]" = field(default_factory=OrderedDict)
    players: set[str] = field(default_factory=set)
    left: set[str] = field(default_factory=set)
    book: Book = field(default_factory=Book)
    sales: dict[str, Sale] = field(default_factory=dict)  # of colour chips: the last one of each colour
    window: WindowSet | None = None
    draw: DiceDrawn | None = None
    sealed: DiceSealed | None = None
    reading: DiceRead | None = None
    called: SupervisorCalled | None = None
    seats: dict[int, str] = field(default_factory=dict)
    guests: int = 0
    closed: bool = False
    attempts: BetAttempts = field(default_factory=BetAttempts)
    notarising: Notarising | None = field(default=None, compare=False, repr=False)
    # Where the openings of the last rounds are on the stream.
    openings: dict[int, int] = field(default_factory=dict, compare=False, repr=False)

    @property
    def current(self) -> RoundState | None:
        return self.rounds.get(self.number)

    @property
    def rack(self) -> ColourRack | None:
        """The colours that are out, and where their chips are."""
        return rack_of(self)

    def wants_rounds(self, command: object) -> list[int]:
        """Earlier rounds that must be brought from the journal before the command can be decided."""
        if not isinstance(command, InRound):
            return []
        asked = [] if command.round is None else [command.round]  # almost always the round in play
        if isinstance(command.command, cmd.ReportDamagedDice):
            asked = rounds_of(command) or asked
        return [number for number in asked if 0 < number <= self.number and number not in self.rounds]

    def keep_round(self, number: int, state: RoundState, wanted: Sequence[int] = ()) -> None:
        """Hold a round; the oldest ones that nobody asked for lately are let go, but for those `wanted`."""
        self.rounds[number] = state
        self.rounds.move_to_end(number)
        slips = sum(len(kept.slips) for kept in self.rounds.values())
        while len(self.rounds) > (ROUNDS_KEPT if slips <= SLIPS_KEPT else ROUNDS_KEPT_LEAST):
            oldest = next((kept for kept in self.rounds if kept != self.number and kept not in wanted), None)
            if oldest is None:
                return
            slips -= len(self.rounds.pop(oldest).slips)

    def act(self, command: AnyTableCommand, act_id: str) -> Outcome:
        """Decide and apply. `act_id` is unique for the table and names the transfers."""
        _check_player(command)
        if isinstance(command, InRound):  # almost all there is, so it goes by the shortest way
            return self.in_round(command, act_id)
        return self._act(command, act_id)

    @singledispatchmethod
    def _act(self, command: AnyTableCommand, act_id: str) -> Outcome:
        return act_of_people(self, command, act_id)

    @_act.register
    def _open_table(self, command: OpenTable, act_id: str) -> Outcome:
        return open_table(self, command)

    @_act.register
    def _carry_out_change(self, command: CarryOutChange, act_id: str) -> Outcome:
        return carry_out_change(self, command)

    @_act.register
    def _cancel_change(self, command: CancelChange, act_id: str) -> Outcome:
        return cancel_change(self, command)

    @_act.register
    def _start_round(self, command: StartRound, act_id: str) -> Outcome:
        return start_round(self, command, act_id)

    @_act.register
    def _extend(self, command: ExtendBetting, act_id: str) -> Outcome:
        refusal = not_permitted(command)
        if refusal:
            return refusal
        window, state = self.window, self.current
        if state is None or window is None:
            return self.refuse(RefusalCode.ROUND_NOT_OPEN, act="extend", phase=self.standing)
        if state.phase is not Phase.BETTING:  # more time for bets is forbidden by what forbids the bets
            return state.refuse_act(Act.PLACE_BETS) or self.refuse(RefusalCode.BETTING_CLOSED)
        if window.closes_at is None:
            return self.refuse(RefusalCode.NOTHING_CHANGES, act="extend", phase=self.standing)
        if not 0 < command.seconds <= EXTENSION_SECONDS_MAX:
            return self.refuse(RefusalCode.AMOUNT_INVALID, amount=command.seconds)
        closes_at = max(window.closes_at, command.at) + timedelta(seconds=command.seconds)
        return self.done([self._window_again(command, closes_at)], [])

    def _window_again(self, command: TableCommand, closes_at: datetime) -> WindowSet:
        opens_at = self.window.opens_at if self.window else command.at
        return WindowSet(
            by=command.by, at=command.at, round=self.number, opens_at=opens_at, closes_at=closes_at
        )

    @property
    def in_play(self) -> bool:
        return self.current is not None and self.current.phase not in (Phase.CONCLUDED, Phase.VOID)

    @property
    def standing(self) -> str:
        """Where the table's round is, in a word."""
        return str(self.current.standing) if self.current else str(Phase.NOT_OPEN)

    @_act.register
    def _record_draw(self, command: RecordDraw, act_id: str) -> Outcome:
        return record_draw(self, command)

    @_act.register
    def _read_dice(self, command: ReadDice, act_id: str) -> Outcome:
        return read_dice(self, command)

    @_act.register
    def _call_supervisor(self, command: CallSupervisor, act_id: str) -> Outcome:
        return call_supervisor(self, command)

    @_act.register
    def in_round(self, command: InRound, act_id: str) -> Outcome:
        asked = command.command
        if isinstance(asked, cmd.ReportDamagedDice):
            return report_damaged_dice(self, command, act_id)
        number = command.round if command.round is not None else self.number
        state = self.rounds.get(number)
        if state is None or isinstance(asked, cmd.OpenBetting):
            return self.refuse(RefusalCode.ROUND_UNKNOWN, round=number)
        asked = spelled(self, asked)
        decision = decide(state, asked)
        if isinstance(decision, Refusal):
            return decision
        refusal = self._against(state, asked, decision)
        if refusal is not None:
            return refusal
        transfers = self.enter_round(number, decision, asked.at, numbered(act_id))
        if len(decision) == 1 and isinstance(decision[0], ev.BetsPlaced):
            slip = RoundEvent(round=number, event=decision[0])
            return Acted([slip], transfers, retold_slip(slip), retold=True)
        happened: list[Any] = [RoundEvent(round=number, event=event) for event in decision]
        if isinstance(asked, cmd.ResumeRound):
            happened += self._resumed_window(command, state)
        return Acted(happened, transfers, answer_in_round(number, decision, asked, state))

    def _against(
        self, state: RoundState, asked: cmd.AnyCommand, decision: list[ev.AnyEvent]
    ) -> Refusal | None:
        """What the table, its money and its dice have against what the round would allow."""
        if isinstance(asked, cmd.PlaceBets):
            late = after_deadline(self, state.number, asked)
            return late if late is not None else unaffordable(self, state, decision)
        if isinstance(asked, cmd.DeclareRoll):
            return reading_differs(self, asked) or undeclarable(state, asked)
        return unaffordable(self, state, decision)

    def enter_round(
        self, number: int, decision: list[ev.AnyEvent], at: datetime, next_id: NextId
    ) -> list[Transfer]:
        """Apply what was decided for a round, to the round and to the book."""
        occasion = Occasion(f"{self.name}/{number}", micros(at), next_id)
        try:
            transfers = RoundBooks(self.rounds[number], self.book, self, occasion).apply(decision)
        except InputError as error:  # half of it is applied, so this is no longer the caller's mistake
            raise InvariantBroken(f"{self.name}/{number}: {error}") from error
        for event in decision:
            if isinstance(event, _SLIPS):
                self.players.add(event.player)
                continue
            if isinstance(event, ev.SettlementReversed):
                self.players.update(event.payouts)
            elif isinstance(event, _ENDS):
                self.book.conclude(self.name, number)
            self.attempts.follow(number, event)
        return transfers

    def _resumed_window(self, command: InRound, state: RoundState) -> list[WindowSet]:
        """A round that goes on while it takes bets has enough time left for them."""
        if state.phase is not Phase.BETTING or self.settings is None:
            return []
        window = self.window
        if window is None or window.closes_at is None:
            return []
        closes_at = self.settings.timing.resumed_until(window.at, window.closes_at, command.at)
        if closes_at == window.closes_at:
            return []
        event = self._window_again(command, closes_at)
        self.evolve(event)
        return [event]

    def done(
        self,
        events: Sequence[Any],
        transfers: list[Transfer],
        *,
        amount: int | None = None,
        player: str | None = None,
    ) -> Acted:
        """Apply what a command brings about, and answer it."""
        self.book.apply(transfers)
        for event in events:
            self.evolve(event)
        answer = Accepted(
            happened=[type(getattr(event, "event", event)).__name__ for event in events],
            round=self.number,
            amount=amount,
            player=player,
        )
        return Acted(list(events), transfers, answer)

    @property
    def seats_max(self) -> int:
        """How many seats there are."""
        return self.settings.seats if self.settings else 0

    def refuse(self, code: RefusalCode, **facts: object) -> Refusal:
        return by_house(code, **facts)

    @property
    def uses_chips(self) -> bool:
        return self.settings is not None and self.settings.money == "chips"

    def base(self, player: str) -> str:
        """Where a player's bets come from: credit, or chips that nobody can take back."""
        return CASH_CHIPS if self.uses_chips else credit(player)

    def bases(self, players: Iterable[str]) -> Iterator[str]:
        """The same for many; the book that they are entered in finds out whether they are names."""
        return repeat(CASH_CHIPS) if self.uses_chips else map("credit:".__add__, players)

    def purse(self, player: str) -> Purse:
        """What pays and owes for a player's corrections."""
        return Purse(player, None if self.uses_chips else credit(player), self.has_left(player))

    def has_left(self, player: str) -> bool:
        """Whether what is owed to a player from now on waits unclaimed."""
        return player in self.left

    def owned_accounts(self) -> list[str]:
        """The accounts that this table's desk alone debits: its players', its stakes, its colours."""
        accounts = [account for player in sorted(self.players) for account in purse_accounts(player)]
        if self.number:
            accounts.append(stakes(self.name, self.number))
        return accounts + [colour_chips(self.name, colour) for colour in self.sales]

    def evolve(self, event: AnyTableEvent) -> None:
        """Apply one event of the table's stream, without its money."""
        match event:
            case RoundEvent():
                self._evolve_round(event)
            case TableOpened() | ChangePlanned() | ChangeCancelled():
                self._evolve_settings(event)
            case RackEvent():
                self.players.add(event.event.player)
                if isinstance(event.event, ColourIssued):  # where the chips are, money and slips say
                    self.sales[event.event.colour] = Sale(event.event.player, event.event.value)
                    self.left.discard(event.event.player)
            case PlayerPaidIn():
                self.players.add(event.player)
                self.left.discard(event.player)
            case WindowSet():
                self.window = event
            case DiceDrawn() | DiceSealed():
                self._evolve_dice(event)
            case DiceRead():
                self.reading = event
            case SupervisorCalled():
                self.called = event
            case TableClosed() | TableReopened():
                self.closed = isinstance(event, TableClosed)
            case PlayerCashedOut() | OwedSettled() | UnclaimedPaid():
                pass  # only money
            case _:
                self._evolve_seats(event)

    def _evolve_settings(self, event: TableOpened | ChangePlanned | ChangeCancelled) -> None:
        if not isinstance(event, TableOpened):
            self.planned = event if isinstance(event, ChangePlanned) else None
            return
        self.settings = event.settings
        if event.planned:
            self.planned = None

    def _evolve_dice(self, event: DiceDrawn | DiceSealed) -> None:
        if isinstance(event, DiceSealed):
            self.sealed = event
            return
        self.draw = event
        notary = self.rounds[event.round].notary if event.round in self.rounds else None
        if isinstance(notary, RoundNotary):
            notary.share = bytes.fromhex(event.share)

    def _evolve_seats(self, event: SeatTaken | SeatLeft | PlayerLeft) -> None:
        match event:
            case SeatTaken():
                self.seats[event.seat], self.guests = event.player, event.guests
                self.players.add(event.player)
                self.left.discard(event.player)
            case SeatLeft():
                self.seats.pop(event.seat, None)
            case PlayerLeft():
                self.left.add(event.player)
                self.seats = {seat: who for seat, who in self.seats.items() if who != event.player}

    def _evolve_round(self, event: RoundEvent) -> None:
        happened, state = event.event, self.rounds.get(event.round)
        if isinstance(happened, ev.BetsPlaced):  # nearly all that a start reads
            self.players.add(happened.player)
            if state is not None:
                place(state, happened)
            return
        self.attempts.follow(event.round, happened)
        match happened:
            case ev.BettingOpened():
                self.number, state = event.round, RoundState(*self.find_rules(happened.pay_table))
                self.keep_round(event.round, state)
            case ev.BetsCorrected():
                self.players.add(happened.player)
            case ev.SettlementReversed():
                self.players.update(happened.payouts)
            case _:
                pass
        if state is not None:
            evolve(state, happened)


def _check_player(command: object) -> None:
    """A player's name becomes the names of accounts, also after a restart: one that cannot is refused."""
    for part in (command, getattr(command, "command", None)):
        player = getattr(part, "player", None)
        if isinstance(player, str):
            credit(player)
