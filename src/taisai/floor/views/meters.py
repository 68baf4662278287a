"""Meters of each Player Terminal, from the transfers that touch its sessions' credits.

Every transfer turns exactly one meter, and a transfer that no meter is for is a bug. So at every step

    credit = (cash in + tickets in + promo in + wins + corrections in)
             - (tickets out + hand-pays + turnover + corrections out)

where turnover is what was staked less what was withdrawn while bets were open or returned from the round.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec

from taisai.errors import InvariantBroken
from taisai.floor.streams import table_of
from taisai.ledger import Reason, Transfer
from taisai.record.journal import Commit
from taisai.record.views import Rows, moved_in

DISPLAY_DIGITS: Final = 10
_CREDIT = "credit:"


class Meters(msgspec.Struct, kw_only=True):
    """What a terminal has counted since it was enrolled, in minor units and in times."""

    cash_in: int = 0
    tickets_in: int = 0
    promo_in: int = 0
    staked: int = 0
    withdrawn: int = 0
    returned: int = 0
    wins: int = 0
    corrections_in: int = 0
    corrections_out: int = 0
    tickets_out: int = 0
    hand_pays: int = 0
    games: int = 0
    games_won: int = 0
    door_opens: int = 0
    printer_faults: int = 0
    credit: int = 0
    last_rounds: dict[str, int] = msgspec.field(default_factory=dict)

    @property
    def turnover(self) -> int:
        """All wagers that stood ("coin in")."""
        return self.staked - self.withdrawn - self.returned

    @property
    def total_in(self) -> int:
        return self.cash_in + self.tickets_in + self.promo_in

    @property
    def total_out(self) -> int:
        return self.tickets_out + self.hand_pays

    @property
    def drop(self) -> int:
        """What a count of the terminal's cash box must find."""
        return self.cash_in + self.tickets_in

    @property
    def win(self) -> int:
        """What the terminal has won for the house."""
        return self.turnover + self.corrections_out - self.wins - self.corrections_in

    @property
    def audited_credit(self) -> int:
        """The credit that the other meters imply."""
        into = self.total_in + self.wins + self.corrections_in
        return into - self.total_out - self.turnover - self.corrections_out

    def assert_audit(self, credit_minor: int | None = None) -> None:
        """The self-audit: the meters explain the credit, here and (if given) in the ledger's book."""
        for found in (self.credit, credit_minor):
            if found is not None and found != self.audited_credit:
                raise InvariantBroken(f"the meters explain a credit of {self.audited_credit}, not {found}")

    def figures(self) -> dict[str, int]:
        """Every meter by its name, those that follow from others too."""
        counted = [name for name in self.__struct_fields__ if name != "last_rounds"]
        derived = ("turnover", "total_in", "total_out", "drop", "win")
        return {name: getattr(self, name) for name in (*counted, *derived)}

    def rows(self) -> list[dict[str, object]]:
        """Every meter with its name and value, for a report."""
        return [{"meter": name, "value": value} for name, value in self.figures().items()]


# Which meter a transfer turns, by its reason: when it brings credit, and when it takes it.
_BRINGS: Final[dict[str, str]] = {
    Reason.BUY_IN: "cash_in",
    Reason.TICKET_REDEEMED: "tickets_in",
    Reason.PROMO: "promo_in",
    Reason.STAKE_WITHDRAWN: "withdrawn",
    Reason.STAKE_RETURNED: "returned",
    Reason.STAKE_WON: "wins",
    Reason.WINNINGS: "wins",
    Reason.COMPENSATED: "corrections_in",
    Reason.CLAIMED: "corrections_in",
    Reason.REVERSAL: "corrections_in",
}
_TAKES: Final[dict[str, str]] = {
    Reason.STAKE: "staked",
    Reason.TICKET_ISSUED: "tickets_out",
    Reason.CASH_OUT: "hand_pays",
    Reason.RECLAIMED: "corrections_out",
    Reason.COLLECTED: "corrections_out",
    Reason.REVERSAL: "corrections_out",
}


def terminal_of(session: str) -> str | None:
    """The terminal of a session, which is named after it; a player at a live table has none."""
    terminal, _, number = session.rpartition(".")
    return terminal if terminal and number.isascii() and number.isdecimal() else None


def displayed(value: int, *, digits: int = DISPLAY_DIGITS) -> str:
    """A meter as a display of so many digits shows it: it rolls over, and the value behind it does not."""
    return f"{value % 10**digits:0{digits}d}"


class MeterBank:
    """The meters of many terminals."""

    def __init__(self, meters: Mapping[str, Meters] | None = None) -> None:
        self.meters: dict[str, Meters] = dict(meters or {})

    def of(self, terminal: str) -> Meters:
        return self.meters.setdefault(terminal, Meters())

    def enter(self, transfers: Iterable[Transfer]) -> set[str]:
        """Turn the meters, audit each that moved, and return the terminals."""
        moved = set()
        for transfer in transfers:
            for account, turns, sign in (
                (transfer.credit, _BRINGS, 1),
                (transfer.debit, _TAKES, -1),
            ):
                terminal = _terminal_of_account(account)
                if terminal is None:
                    continue
                name = turns.get(transfer.reason)
                if name is None:
                    raise InvariantBroken(
                        f"no meter for {transfer.reason} at {account}: transfer {transfer.id}"
                    )
                meters = self.of(terminal)
                setattr(meters, name, getattr(meters, name) + transfer.amount_minor)
                meters.credit += sign * transfer.amount_minor
                moved.add(terminal)
        for terminal in moved:
            self.of(terminal).assert_audit()
        return moved

    def played(self, table: str, round_number: int, payouts: Mapping[str, int]) -> set[str]:
        """A round was paid: a game for each of its sessions, once however often it is settled again."""
        moved = set()
        for session, paid in payouts.items():
            terminal = terminal_of(session)
            if terminal is None:
                continue
            meters = self.of(terminal)
            if round_number > meters.last_rounds.get(table, 0):
                meters.last_rounds[table] = round_number
                meters.games += 1
                meters.games_won += paid > 0
                moved.add(terminal)
        return moved

    def serviced(self, terminal: str, service: str) -> None:
        """A terminal's condition changed."""
        meters = self.of(terminal)
        meters.door_opens += service == "door-open"
        meters.printer_faults += service == "printer-fault"


# The same accounts move in commit after commit.
@lru_cache(maxsize=16_384)
def _terminal_of_account(account: str) -> str | None:
    return terminal_of(account.removeprefix(_CREDIT)) if account.startswith(_CREDIT) else None


class _Payouts(msgspec.Struct):
    payouts: dict[str, int]


class _PaidRound(msgspec.Struct):
    round: int
    event: _Payouts


class _Service(msgspec.Struct):
    terminal: str
    service: str


_decode_paid = msgspec.json.Decoder(_PaidRound).decode
_decode_service = msgspec.json.Decoder(_Service).decode
_decode_meters = msgspec.json.Decoder(Meters).decode
_encode = msgspec.json.Encoder(order="deterministic").encode


class MetersView:
    """The meters as a read model of the journal, one row a terminal."""

    name = "meters"

    def keys(self, commit: Commit) -> Collection[str]:
        found = {_terminal_of_account(account) for account in moved_in(commit)}
        for _, decoded in _metered(commit):
            if isinstance(decoded, _Service):
                found.add(decoded.terminal)
            else:
                found.update(map(terminal_of, decoded.event.payouts))
        return {terminal for terminal in found if terminal is not None}

    def apply(self, commit: Commit, rows: Rows) -> None:
        keys = self.keys(commit)
        if not keys:
            return
        kept = {key: _decode_meters(row) for key in keys if (row := rows.get(key))}
        bank = MeterBank(kept)
        bank.enter(commit.transfers)
        for table, decoded in _metered(commit):
            if isinstance(decoded, _Service):
                bank.serviced(decoded.terminal, decoded.service)
            else:
                bank.played(table, decoded.round, decoded.event.payouts)
        rows.update({terminal: _encode(meters) for terminal, meters in bank.meters.items()})


METERS = MetersView()


def read_meters(row: bytes | None) -> Meters:
    """The meters of a row of the view."""
    return _decode_meters(row) if row else Meters()


def _metered(commit: Commit) -> Iterator[tuple[str, Any]]:
    """The events that turn meters, with their tables."""
    for stored in commit.events:
        decode = _DECODERS.get(stored.type)
        if decode and (table := table_of(stored.stream)):
            yield table, decode(stored.body)


_DECODERS: Final[dict[str, Any]] = {"PayoutsMade": _decode_paid, "ServiceChanged": _decode_service}
