"""What a house is set up as: its tables, its money, and how long things may take."""

from datetime import datetime
from typing import Literal

import msgspec

from taisai.floor.cluster.messages import TERMINALS_MAX
from taisai.floor.identity import CagePolicy
from taisai.floor.players.acts import PlayersPolicy
from taisai.floor.table.dealing import AutoPace
from taisai.floor.table.messages import TableSettings


class TablePlan(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the house set it up. What two people change later stands in the journal and wins."""

    name: str
    title: str
    # The title in other languages, by language.
    titles: dict[str, str] = {}
    kind: Literal["live", "cluster"]
    settings: TableSettings
    automatic: bool = False
    pace: AutoPace = AutoPace()
    terminals_max: int = TERMINALS_MAX
    # One of the pool at which visitors try the game: no part of the floor that the pit looks after.
    practice: bool = False
    # Where a live picture of the tumbler is found, for the eye alone.
    video: str = ""


class HousePlan(msgspec.Struct, frozen=True, kw_only=True):
    """What a house is: its name, its one currency, its tables."""

    name: str
    currency: str
    currency_exponent: int
    play_money: bool
    tables: tuple[TablePlan, ...]
    ticket_days: int = 182
    ticket_max_minor: int | None = None
    reality_check_minutes: int = 60
    approval_minutes: int = 5
    cut_off_seconds: float = 3.0
    players: PlayersPolicy = PlayersPolicy()
    cage: CagePolicy = CagePolicy()
    chips: tuple[int, ...] = ()  # the values of the chips that it hands out; none: the usual ones
    rulebooks_until: dict[str, datetime] = {}  # when the house lets a rulebook end, by its id
