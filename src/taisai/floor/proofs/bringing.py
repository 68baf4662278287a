"""What a table needs from the journal before it decides: earlier rounds, and what their proofs begin with."""

from collections.abc import Awaitable
from dataclasses import replace

from taisai.errors import InvariantBroken
from taisai.floor.events import table_event
from taisai.floor.streams import table_stream
from taisai.floor.table.damaged_dice import rounds_of
from taisai.floor.table.messages import InRound, RecordDraw, RoundEvent
from taisai.floor.table.notary import Notarising, RoundNotary, hash_apart
from taisai.floor.table.state import FindRules, TableState
from taisai.floor.views.round_reading import load_round, round_row
from taisai.game import commands as cmd
from taisai.game.state import RoundState
from taisai.record.journal import Event
from taisai.record.ports import Store


def bring(store: Store, state: TableState, command: object, find_rules: FindRules) -> Awaitable[None] | None:
    """What is read before a command is decided: earlier rounds that it speaks of, and what proofs need."""
    if isinstance(command, InRound):
        if isinstance(command.command, cmd.PlaceBets) and command.round in (None, state.number):
            return None
    elif not isinstance(command, RecordDraw):
        return None
    numbers = state.wants_rounds(command)
    if not numbers and state.notarising is None:
        return None
    return _bring(store, state, command, numbers, find_rules)


async def _bring(
    store: Store,
    state: TableState,
    command: InRound | RecordDraw,
    numbers: list[int],
    find_rules: FindRules,
) -> None:
    wanted = rounds_of(command) or numbers
    for number in numbers:
        state.keep_round(number, await load_round(store, state.name, number, find_rules), wanted)
    own = command.round if command.round is not None else state.number
    for number in wanted or [own]:
        await bring_notary(store, state, number)
        current = state.rounds.get(number)
        if current is not None and isinstance(command, InRound):
            await hash_apart(current, command.command)


async def bring_notary(store: Store, state: TableState, number: int) -> None:
    """Give a round whoever makes its proofs, if it has nobody yet."""
    current, notarising = state.rounds.get(number), state.notarising
    if notarising is None or current is None or current.notary is not None:
        return
    opening = await _opening(store, state.name, number, state.openings.get(number))
    if current.notary is not None:
        return  # somebody else brought one meanwhile, which may have made trees
    sealed = state.sealed.sealed if state.sealed and state.sealed.round == number else ""
    notary = notarising.notary(current, opening.digest, sealed)
    if state.draw and state.draw.round == number:
        notary.share = bytes.fromhex(state.draw.share)
    current.notary = notary


async def notary_to_read(store: Store, notarising: Notarising, played: RoundState) -> RoundNotary:
    """Who knows the salts of a round that is only read; it has no secret, so the round never gets it.

    After a restore that is whoever the house was when the round was closed: its salts have that name in them.
    """
    known = played.notary if isinstance(played.notary, RoundNotary) else None
    if known is not None and not notarising.former:
        return known
    opening = await _opening(store, played.table, played.number)
    now = known or notarising.notary(played, opening.digest, "")
    if not played.slip_root:
        return now
    formers = (replace(notarising, origin=name) for name in notarising.former)
    all_of_them = (now, *(house.notary(played, opening.digest, "") for house in formers))
    return next((notary for notary in all_of_them if notary.closed(played)), now)


async def _opening(store: Store, table: str, number: int, version: int | None = None) -> Event:
    """The event with which a round began."""
    if version is None:
        row = await round_row(store, table, number)
        version = row.first if row else 0
    async for stored in store.events(table_stream(table), after=version - 1):
        event = table_event(stored)
        if isinstance(event, RoundEvent) and event.round == number:
            return stored
        break
    raise InvariantBroken(f"{table}/{number} does not begin at version {version}")
