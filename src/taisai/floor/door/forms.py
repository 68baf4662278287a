"""Acts as people send them, by name with fields of their own, made into typed commands."""

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import msgspec

from taisai.dice import FACES
from taisai.errors import InputError, UnknownName
from taisai.floor.approvals.asked import PitAct, TableAct
from taisai.floor.door.answers import Answer
from taisai.floor.pit.messages import AnyPitCommand
from taisai.floor.players.live_names import fields_in_record, shown_player
from taisai.floor.table.messages import (
    Accepted,
    AnyTableCommand,
    AtRack,
    BuyIn,
    CancelChange,
    CashOut,
    CloseTable,
    CollectOwed,
    ExtendBetting,
    InRound,
    LeaveSeat,
    LeaveTable,
    OpenTable,
    PayUnclaimed,
    ReadDice,
    ReopenTable,
    StartRound,
    TakeSeat,
)
from taisai.floor.table.player_names import plain_player
from taisai.game import chips, people
from taisai.game import commands as cmd
from taisai.game.refusals import Refusal, RefusalCode

if TYPE_CHECKING:
    from taisai.floor.ports import Floor

_ROUND_ACTS: Final[dict[str, type[cmd.Command]]] = {
    kind.__name__: kind for kind in cmd.AnyCommand.__args__ if kind is not cmd.OpenBetting
}
_RACK_ACTS: Final[dict[str, type[chips.ChipsCommand]]] = {
    kind.__name__: kind for kind in chips.AnyChipsCommand.__args__
}
_TABLE_ACTS: Final[dict[str, Any]] = {
    kind.__name__: kind
    for kind in (
        StartRound,
        ExtendBetting,
        OpenTable,
        CancelChange,
        CloseTable,
        ReopenTable,
        BuyIn,
        CashOut,
        TakeSeat,
        LeaveSeat,
        LeaveTable,
        CollectOwed,
        PayUnclaimed,
        ReadDice,
    )
}
PIT_ACTS: Final[dict[str, Any]] = {kind.__name__: kind for kind in AnyPitCommand.__args__}
ACT_NAMES: Final = (*_ROUND_ACTS, *_TABLE_ACTS, *_RACK_ACTS)
TABLE_ACTS: Final[dict[str, Any]] = {**_ROUND_ACTS, **_TABLE_ACTS, **_RACK_ACTS}
# Who acts and when, and whose drawer it is, is never the asker's to say.
_OURS: Final = frozenset({"by", "at", "second", "drawer", "type", "v"})


def own_fields(kind: Any) -> frozenset[str]:
    """The fields of an act that are the asker's to say."""
    return frozenset(kind.__struct_fields__) - _OURS


def table_command(
    act: str, fields: dict[str, Any], *, by: people.Actor, at: datetime, number: int | None = None
) -> AnyTableCommand:
    """The command of an act, from its own fields."""
    if act in _TABLE_ACTS:
        made: AnyTableCommand = filled(_TABLE_ACTS[act], fields, by, at)
        return made
    if act in _RACK_ACTS:
        return AtRack(by=by, at=at, command=filled(_RACK_ACTS[act], fields, by, at))
    if act in _ROUND_ACTS:
        return InRound(by=by, at=at, command=filled(_ROUND_ACTS[act], fields, by, at), round=number)
    raise UnknownName("act", act, ACT_NAMES)


def filled(kind: Any, fields: dict[str, Any], by: people.Actor, at: datetime) -> Any:
    """A command of one kind; fields that it does not have are refused, and so is saying who or when."""
    known = own_fields(kind)
    for name in fields:
        if name not in known:
            raise UnknownName(f"field of {kind.__name__}", name, known)
    raw = {**fields, "type": kind.__name__, "by": msgspec.to_builtins(by), "at": at}
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise InputError(f"{kind.__name__}: {error}") from None


async def do_at_table(
    house: "Floor",
    table: str,
    act: str,
    fields: dict[str, Any],
    *,
    by: people.Actor,
    key: str,
    number: int | None = None,
) -> Answer:
    """Do an act at a table by its name, as consoles and the API send it."""
    impossible = _impossible_faces(house, table, fields)
    if impossible:
        return impossible
    if house.plans[table].kind == "live":
        fields = await fields_in_record(house, fields, table)
    command = table_command(act, fields, by=by, at=house.now(), number=number)
    answer = await house.do(TableAct(table, command), by, key)
    if isinstance(answer, Refusal) and isinstance(answer.facts.get("player"), str):
        known = plain_player(answer.facts["player"], table)
        answer = msgspec.structs.replace(answer, facts={**answer.facts, "player": known})
    if isinstance(answer, Accepted) and answer.player is not None:
        answer = msgspec.structs.replace(answer, player=shown_player(answer.player, table))
    return answer


def _impossible_faces(house: "Floor", table: str, fields: dict[str, Any]) -> Refusal | None:
    """Three numbers that no dice show: refused by the clause on dice, where a form could only be wrong."""
    roll, round_ = fields.get("roll"), house.read.table(table).current
    if not (isinstance(roll, list) and len(roll) == 3 and all(type(face) is int for face in roll)):
        return None
    if round_ is None or all(face in FACES for face in roll):
        return None
    clause = round_.rulebook.cite_first("dice", "result")
    return Refusal(code=RefusalCode.DICE_INVALID, clause=clause, facts={"known": roll})


def pit_act(act: str, fields: dict[str, Any], *, by: people.Actor, at: datetime) -> PitAct:
    """An act of the pit's day, from its own fields."""
    if act not in PIT_ACTS:
        raise UnknownName("act of the pit", act, PIT_ACTS)
    return PitAct(filled(PIT_ACTS[act], fields, by, at))
