"""What is handed over after a round, and what an act that waits for a second person would change."""

from typing import Annotated, Any

import msgspec
from litestar import get
from litestar.params import FromPath, PathParameter

from taisai.floor.approvals.effects import BetsChanged, effects_of
from taisai.floor.views.pay_list import PayChange, PayList, PlayerPay, pay_list, withheld_in
from taisai.floor.views.timeline import round_in_store
from taisai.game.refusals import RefusalCode, by_house
from taisai.server import wire
from taisai.server.http.dependencies import TheHub
from taisai.server.http.problems import refusal_problem
from taisai.server.live.hub import Hub
from taisai.server.live.table_view import millis


class CorrectionView(msgspec.Struct, frozen=True, kw_only=True):
    """A change of a round after people had been paid: what each of them still gets or gives back."""

    at: int
    by: str
    act: str
    players: list[PayChange]


class PayListView(msgspec.Struct, frozen=True, kw_only=True):
    """What a round pays whom, box by box. With chips it is handed over; else it goes to the credit."""

    table: str
    round: int
    state: str
    money: str
    players: list[PlayerPay]
    corrections: list[CorrectionView]


class RoundEffectView(msgspec.Struct, frozen=True, kw_only=True):
    """What an act would do to one round; `sentences` say why it would not be done, as things stand."""

    table: str
    round: int
    state_before: str
    state_after: str
    dice_before: list[int] | None
    dice_after: list[int] | None
    bets: list[BetsChanged]
    money: list[PayChange]
    sentences: wire.Sentences


@get("/api/v1/tables/{table:str}/rounds/{number:int}/pay-list", tags=["acts"])
async def get_pay_list(
    hub: TheHub,
    table: FromPath[str],
    number: Annotated[int, PathParameter(ge=1, le=2**53)],
) -> PayListView:
    """What a round pays whom, from the declared roll on; after a correction, what changes for whom."""
    hub.feed(table)
    settings = hub.house.read.table(table).settings
    told = await _told(hub, table, number)
    return PayListView(
        table=table,
        round=number,
        state=told.state,
        money=settings.money if settings else "credits",
        players=told.players,
        corrections=[
            CorrectionView(at=millis(one.at), by=one.by, act=one.act, players=one.players)
            for one in told.corrections
        ],
    )


async def _told(hub: Hub, table: str, number: int) -> PayList:
    happened = await round_in_store(hub.house.store, table, number)
    return pay_list(table, happened, await withheld_in(hub.house.store.transfers, table, number, happened))


@get("/api/v1/approvals/{approval:str}/effects", tags=["acts"])
async def get_effects(hub: TheHub, approval: FromPath[str]) -> list[RoundEffectView]:
    """What a request would change about rounds: dice, bets, and whose money by how much."""
    request = hub.house.read.request(approval)
    if request is None:
        unknown = by_house(RefusalCode.APPROVAL_UNKNOWN, approval=approval)
        raise refusal_problem(unknown, hub.voice)
    found = await effects_of(request, hub.house.store, hub.house.now())
    return [
        RoundEffectView(
            table=one.table,
            round=one.round,
            state_before=one.state_before,
            state_after=one.state_after,
            dice_before=one.dice_before,
            dice_after=one.dice_after,
            bets=one.bets,
            money=one.money,
            sentences=hub.refused("", one.refusal).sentences if one.refusal else {},
        )
        for one in found
    ]


HANDLERS: list[Any] = [get_pay_list, get_effects]
