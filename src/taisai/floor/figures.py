"""What the ledger says of a table since its shift began: the figures that counts are held against."""

from datetime import datetime

import msgspec

from taisai.floor.cluster_messages import AnyClusterEvent, CreditsBought, CreditsPaidOut
from taisai.floor.desk import DeskTaken
from taisai.floor.house import SYSTEM, House
from taisai.floor.journal import micros
from taisai.floor.messages import PlayerCashedOut, PlayerPaidIn, RackEvent, RoundEvent
from taisai.floor.moneyless import Done
from taisai.floor.pit_messages import RecordFigures
from taisai.floor.ports import Store
from taisai.floor.tables import stream_of
from taisai.game import events as ev
from taisai.game.chips import ColourIssued
from taisai.game.refusals import Refusal
from taisai.ledger.accounts import house as house_account

_decode = msgspec.json.Decoder(AnyClusterEvent | DeskTaken).decode


class Figures(msgspec.Struct, frozen=True):
    """Money changed into chips or credits, net; what was in play; what the table won."""

    drop: int
    handle: int
    win: int


async def record_figures(house: House, table: str, command_id: str) -> Done | Refusal | None:
    """Put the ledger's figures of a table on the pit's record, if a shift is open."""
    since = house.pit.state.shift_since
    if house.pit.state.shift is None or since is None:
        return None
    found = await ledger_figures(house.store, table, since)
    command = RecordFigures(
        by=SYSTEM, at=house.now(), table=table, drop=found.drop, handle=found.handle, win=found.win
    )
    answer: Done | Refusal = await house.pit.ask("house", command_id, command)
    return answer


async def ledger_figures(store: Store, table: str, since: datetime) -> Figures:
    """A table's figures from a moment on, from nothing but the record."""
    start, drop, win = micros(since), 0, 0
    handle: dict[int, int] = {}
    async for stored in store.events(stream_of(table)):
        if stored.at >= start:
            event = _decode(stored.body)
            drop += _changed(event)
            _played(event, handle)
    account = house_account(table)
    async for transfer in store.transfers(account):
        if transfer.at >= start:
            win += transfer.amount_minor if transfer.credit == account else -transfer.amount_minor
    return Figures(drop, sum(handle.values()), win)


def _changed(event: object) -> int:
    """Cash, or what is as good as cash, that an event brought to the table."""
    match event:
        case PlayerPaidIn(source="cash") | CreditsBought(source="cash" | "ticket"):
            return event.amount
        case PlayerCashedOut() | CreditsPaidOut():
            return -event.amount
        case RackEvent(event=ColourIssued() as issued):
            return issued.chips * issued.value
        case _:
            return 0


def _played(event: object, handle: dict[int, int]) -> None:
    """What was in play in each round; a round that was settled again counts once, a void one not at all."""
    if isinstance(event, RoundEvent):
        if isinstance(event.event, ev.BetsSettled):
            handle[event.round] = event.event.effective
        elif isinstance(event.event, ev.RoundVoided):
            handle[event.round] = 0
