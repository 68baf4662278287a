"""What a table remembers between rounds, for its checkpoints. Its last rounds come from events."""

from datetime import datetime
from typing import Final

import msgspec

from taisai.floor.cluster.messages import ServiceState
from taisai.floor.cluster.state import ClusterState, TerminalState
from taisai.floor.desks.kind import Memory
from taisai.floor.table.messages import ChangePlanned, DiceDrawn, TableSettings, WindowSet
from taisai.floor.table.state import ROUNDS_KEPT, TableState
from taisai.game.acts import Phase
from taisai.game.chips import Sale
from taisai.ledger import Purse
from taisai.ledger.accounts import credit

_OVER: Final = (Phase.CONCLUDED, Phase.VOID)


class RackMemory(msgspec.Struct, frozen=True, kw_only=True):
    """The colours that are out: of each who holds it and its value; older ones count chips after that."""

    colours: dict[str, tuple[str | int, ...]]


class TerminalMemory(msgspec.Struct, frozen=True, kw_only=True):
    """One terminal, and since when its session lasts."""

    key_digest: str
    label: str
    service: ServiceState
    held: bool
    session: str | None
    sessions: int
    began: datetime | None


class TableMemory(msgspec.Struct, frozen=True, kw_only=True):
    """A table between two rounds."""

    settings: TableSettings | None
    number: int
    players: list[str]
    left: list[str]
    seats: dict[int, str]
    guests: int
    closed: bool
    window: WindowSet | None
    draw: DiceDrawn | None
    rack: RackMemory | None
    terminals: dict[str, TerminalMemory] = {}
    ticket_sequence: int = 0
    planned: ChangePlanned | None = None


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(TableMemory).decode


def table_memory(fresh: TableState) -> Memory[TableState]:
    """How tables are remembered; `fresh` says which table, and by which rules."""

    def load(raw: bytes) -> TableState:
        state = TableState(fresh.name, fresh.find_rules, notarising=fresh.notarising)
        _recall(state, _decode(raw))
        return state

    return Memory(mark=at_rest, save=lambda state: _encode(_of(state)), load=load, apart=ROUNDS_KEPT)


def cluster_memory(fresh: ClusterState) -> Memory[ClusterState]:
    """How clusters are remembered, with their terminals and the sessions that are open."""

    def load(raw: bytes) -> ClusterState:
        state = ClusterState(
            fresh.name, fresh.find_rules, notarising=fresh.notarising, terminals_max=fresh.terminals_max
        )
        memory = _decode(raw)
        _recall(state, memory)
        state.ticket_sequence = memory.ticket_sequence
        for name, kept in memory.terminals.items():
            state.terminals[name] = TerminalState(
                kept.key_digest, kept.label, kept.service, kept.held, kept.session, kept.sessions
            )
            if kept.session is not None and kept.began is not None:
                state.terminal_of[kept.session] = name
                state.session_began[kept.session] = kept.began
        return state

    return Memory(mark=at_rest, save=lambda state: _encode(_of_cluster(state)), load=load, apart=ROUNDS_KEPT)


def at_rest(state: TableState) -> int | None:
    """The number of the last round, when nothing is in play: only then is there little to remember."""
    return state.number if state.current is not None and state.current.phase in _OVER else None


def _of(state: TableState) -> TableMemory:
    rack = state.rack
    return TableMemory(
        settings=state.settings,
        number=state.number,
        players=sorted(state.players),
        left=sorted(state.left),
        seats=state.seats,
        guests=state.guests,
        closed=state.closed,
        window=state.window,
        draw=state.draw,
        planned=state.planned,
        rack=RackMemory(colours={name: (held.holder, held.value) for name, held in rack.colours.items()})
        if rack
        else None,
    )


def _of_cluster(state: ClusterState) -> TableMemory:
    """Sessions that are over and settled are of the past: only the journal remembers them."""
    terminals = {
        name: TerminalMemory(
            key_digest=terminal.key_digest,
            label=terminal.label,
            service=terminal.service,
            held=terminal.held,
            session=terminal.session,
            sessions=terminal.sessions,
            began=state.session_began[terminal.session] if terminal.session else None,
        )
        for name, terminal in state.terminals.items()
    }
    matter = {player for player in state.players if _matters(state, player)}
    return msgspec.structs.replace(
        _of(state),
        players=sorted(matter),
        left=sorted(state.left & matter),
        terminals=terminals,
        ticket_sequence=state.ticket_sequence,
    )


def _matters(state: ClusterState, session: str) -> bool:
    accounts = Purse(session, credit(session)).accounts()
    return not state.has_left(session) or any(state.book.balance(account) for account in accounts)


def _recall(state: TableState, memory: TableMemory) -> None:
    state.settings, state.number, state.planned = memory.settings, memory.number, memory.planned
    state.players, state.left = set(memory.players), set(memory.left)
    state.seats, state.guests = dict(memory.seats), memory.guests
    state.window, state.draw, state.closed = memory.window, memory.draw, memory.closed
    if memory.rack is not None:
        state.sales = {
            name: Sale(str(holder), int(value)) for name, (holder, value, *_) in memory.rack.colours.items()
        }
