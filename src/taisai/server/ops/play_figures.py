"""Figures of what is played, counted where the table is run: a sum over all processes of a house is right."""

from collections.abc import Container
from functools import partial
from typing import Any

from taisai.floor.events import is_bet
from taisai.floor.ports import Floor
from taisai.floor.table.messages import RoundEvent
from taisai.game import events as ev
from taisai.server.ops.metrics import METRICS


def count_play(house: Floor) -> None:
    """Count every commit of the tables that this process runs, whichever they are at the time."""
    house.follow(partial(_count, house.dealings))


def _count(run_here: Container[str], table: str, happened: list[Any], version: int) -> None:
    if table not in run_here:
        return  # whoever runs it counts it
    slips = sum(map(is_bet, happened))  # nearly always all there is
    for each in happened if slips < len(happened) else ():
        if not isinstance(each, RoundEvent):
            continue
        match each.event:
            case ev.BetsSettled(effective=effective):
                METRICS.handle.labels(table).inc(effective)
            case ev.RoundConcluded():
                METRICS.rounds.labels(table, "concluded").inc()
            case ev.RoundVoided():
                METRICS.rounds.labels(table, "void").inc()
            case _:
                pass
    if slips:
        METRICS.registered(table, slips)
