"""A table as interfaces see it: its rounds, who is there with how much, its terminals; nothing to write with.

A round (`RoundState`) follows from its events alone: whoever follows a table elsewhere has the same one. What
only the desk has, its book, its rack and its seats, is answered here as values.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final

from taisai.floor.cluster.messages import ServiceState
from taisai.floor.cluster.state import ClusterState
from taisai.floor.table.messages import ChangePlanned, SupervisorCalled, TableSettings, WindowSet
from taisai.floor.table.readings import standing_call
from taisai.floor.table.state import TableState
from taisai.game.state import PlayerSlip, RoundState
from taisai.ledger.accounts import credit, receivable, unclaimed

# What may be somebody's, by the kind of its account; a name as it was typed may be no account at all.
_PURSE: Final = ("credit", "unclaimed", "receivable")


@dataclass(frozen=True, slots=True)
class PlayerMoney:
    """What a player has at a table, owes there, and what waits there unclaimed."""

    credit: int
    owed: int
    unclaimed: int


@dataclass(frozen=True, slots=True)
class PlayerAtTable:
    """Somebody who has a seat, bets, money or a colour at a table, though they may have left."""

    player: str
    money: PlayerMoney
    slip: PlayerSlip | None
    absent: str


@dataclass(frozen=True, slots=True)
class ColourOut:
    """A colour of the table's own chips that somebody holds."""

    colour: str
    holder: str
    value: int
    chips: int
    hand: int


@dataclass(frozen=True, slots=True)
class TerminalReading:
    """A terminal of a cluster and the session that is open at it, if one is."""

    key_digest: str
    service: ServiceState
    sessions: int
    session: str | None
    began: datetime | None


class TableReading:
    """One table at this moment."""

    __slots__ = ("_state", "version")

    def __init__(self, state: TableState, version: int) -> None:
        self._state = state
        self.version = version  # of the table's stream

    @property
    def name(self) -> str:
        return self._state.name

    @property
    def settings(self) -> TableSettings | None:
        """What the table plays by from its next round on; none before it was opened."""
        return self._state.settings

    @property
    def planned(self) -> ChangePlanned | None:
        """What the table plays by from a time on, if that is planned."""
        return self._state.planned

    @property
    def closed(self) -> bool:
        return self._state.closed

    @property
    def number(self) -> int:
        """The number of the newest round."""
        return self._state.number

    @property
    def current(self) -> RoundState | None:
        """The newest round."""
        return self._state.current

    @property
    def rounds(self) -> Mapping[int, RoundState]:
        """The newest round and those before it that are still held, by number."""
        return MappingProxyType(self._state.rounds)

    @property
    def window(self) -> WindowSet | None:
        """Until when the newest round takes bets."""
        return self._state.window

    @property
    def seats(self) -> Mapping[int, str]:
        """Who sits where."""
        return MappingProxyType(self._state.seats)

    @property
    def seats_max(self) -> int:
        return self._state.seats_max

    @property
    def uses_chips(self) -> bool:
        return self._state.uses_chips

    def standing_call(self) -> SupervisorCalled | None:
        """The call for a supervisor that nobody has answered yet."""
        return standing_call(self._state)

    def money(self, player: str) -> PlayerMoney:
        """A player's money here, as the desk's book has it, which is as the record has it."""
        book = self._state.book
        return PlayerMoney(
            credit=book.balance(credit(player)),
            owed=book.balance(receivable(player)),
            unclaimed=book.balance(unclaimed(player)),
        )

    def is_on_record(self, player: str, *, new: bool) -> bool:
        """Whether anything here is known under a player's very name; a new one is looked for everywhere."""
        state = self._state
        if player in state.seats.values() or (state.current is not None and player in state.current.slips):
            return True
        if new:
            return any(account.endswith(f":{player}") for account in state.book.accounts())
        return any(state.book.totals(f"{kind}:{player}") != (0, 0) for kind in _PURSE)

    def free_and_owed(self, player: str) -> tuple[int, int]:
        """Of a player's money what a terminal shows after every slip."""
        book, owed = self._state.book, receivable(player)
        return book.balance(credit(player)), book.balance(owed) if book.has(owed) else 0

    def colours(self) -> list[ColourOut]:
        """The colours that are out, by name."""
        rack = self._state.rack
        return [
            ColourOut(name, held.holder, held.value, held.out, held.hand)
            for name, held in sorted(rack.colours.items() if rack else ())
        ]

    def people(self, played: RoundState | None) -> list[PlayerAtTable]:
        """Everyone who has anything at the table, with their slips in a round."""
        state, slips = self._state, played.slips if played else {}
        here = set(state.seats.values()) | {colour.holder for colour in self.colours()}
        found = []
        for player in sorted(state.players | set(slips) | here):
            slip, money = slips.get(player), self.money(player)
            has_money = money.credit or money.owed or money.unclaimed
            if has_money or (slip and slip.amounts) or player in here:
                absent = (slip.absent if slip else "") or ("left" if state.has_left(player) else "")
                found.append(PlayerAtTable(player, money, slip, absent))
        return found

    def seated(self) -> int:
        """How many people play here now: each once, on however many seats, and nobody who has left."""
        state = self._state
        if isinstance(state, ClusterState):
            return sum(terminal.session is not None for terminal in state.terminals.values())
        here = set(state.seats.values())
        for one in self.people(self.current):
            if not one.absent and (one.money.credit or (one.slip and one.slip.amounts)):
                here.add(one.player)
        return len(here)

    def session_at(self, terminal: str) -> str | None:
        """The session that is open at a terminal."""
        known = self._state.terminals.get(terminal) if isinstance(self._state, ClusterState) else None
        return known.session if known else None

    def terminals(self) -> dict[str, TerminalReading]:
        """The terminals that are enrolled, by name; a live table has none."""
        state = self._state
        if not isinstance(state, ClusterState):
            return {}
        return {
            name: TerminalReading(
                key_digest=terminal.key_digest,
                service=terminal.service,
                sessions=terminal.sessions,
                session=terminal.session,
                began=state.session_began[terminal.session] if terminal.session else None,
            )
            for name, terminal in state.terminals.items()
        }
