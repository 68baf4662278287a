"""Acts that may have to wait for a second person: a typed command, with the desk that it is meant for."""

from datetime import datetime
from typing import Any

import msgspec

from taisai.errors import InputError
from taisai.floor.cage import AnyCageCommand
from taisai.floor.cluster.messages import AnyClusterCommand
from taisai.floor.pit.messages import AnyPitCommand
from taisai.floor.staff.messages import AnyStaffCommand
from taisai.floor.streams import CAGE, PIT, STAFF, table_of, table_stream
from taisai.floor.table.messages import AtRack, InRound
from taisai.game.people import Actor


class TableAct(msgspec.Struct, frozen=True, tag="table", tag_field="desk", gc=False):
    """Something asked of a live table or a cluster."""

    table: str
    command: AnyClusterCommand


class CageAct(msgspec.Struct, frozen=True, tag="cage", tag_field="desk"):
    """Something asked of the cage."""

    command: AnyCageCommand


class PitAct(msgspec.Struct, frozen=True, tag="pit", tag_field="desk"):
    """Something asked of the pit's day."""

    command: AnyPitCommand


class StaffAct(msgspec.Struct, frozen=True, tag="staff", tag_field="desk"):
    """Something asked of the staff list."""

    command: AnyStaffCommand


AskedAct = TableAct | CageAct | PitAct | StaffAct


def inner(act: AskedAct) -> Any:
    """The command that says what is done: an act of a round or with colour chips travels inside another."""
    command = act.command
    return command.command if isinstance(command, InRound | AtRack) else command


def act_name(act: AskedAct) -> str:
    """The name under which people ask for an act."""
    return type(inner(act)).__name__


def target_of(act: AskedAct) -> str:
    """The stream whose desk does it."""
    match act:
        case TableAct():
            return table_stream(act.table)
        case CageAct():
            return CAGE
        case PitAct():
            return PIT
        case StaffAct():
            return STAFF


def agreed(act: AskedAct, *, second: Actor, reason: str, at: datetime) -> AskedAct:
    """The act as two people ask for it, at the moment at which it is done."""
    said = {"second": second, "reason": reason, "at": at}
    command: Any = act.command
    if isinstance(command, InRound | AtRack):
        within: Any = msgspec.structs.replace(command.command, **said)
        command = msgspec.structs.replace(command, command=within, at=at)
    else:
        command = msgspec.structs.replace(command, **said)
    return msgspec.structs.replace(act, command=command)


def recalled(target: str, command: dict[str, Any], at: datetime) -> AskedAct:
    """An act as the record before version 0.2 has it: plain values without a time."""
    raw = {**command, "at": at}
    if isinstance(raw.get("command"), dict):
        raw["command"] = {**raw["command"], "at": at}
    act: dict[str, Any] = {"desk": target, "command": raw}
    if (table := table_of(target)) is not None:
        act = {"desk": "table", "table": table, "command": raw}
    try:
        read: AskedAct = msgspec.convert(act, AskedAct)
    except msgspec.ValidationError as error:
        raise InputError(f"a request to {target} cannot be read: {error}") from None
    return read
