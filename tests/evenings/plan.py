"""A plan: everything that an evening is made from, drawn from its seed. Data, to be cut and kept."""

from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from tests.evenings.streams import Streams
from tests.evenings.themes import Theme, theme_of
from tests.exhaustive.naive import TABLES as BOXES


class PersonPlan(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody in the house: what they are, where, how many acts they do, and how much they like each."""

    name: str
    kind: str
    table: str = ""
    acts: int = 30
    weights: dict[str, float] = {}
    pace: float = 1.0
    without: list[int] = []  # acts that are left out, by their number


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """One evening. `without` names single occurrences of faults that are left out."""

    seed: int
    tables: list[dict[str, Any]]
    people: list[PersonPlan]
    faults: dict[str, float] = {}
    seconds: float = 120.0
    shuffled: bool = False
    checkpoints: int = 20_000  # so many events lie between two checkpoints of a desk
    house: dict[str, Any] = {}
    without: dict[str, list[int]] = {}
    struck_at: dict[
        str, list[float]
    ] = {}  # instead of by its rate, a fault strikes as soon as it can after these
    proof: bool = False  # the house keeps a log, and gives receipts
    gateways: int = 0  # processes that serve, where the desks have one of their own
    standby: bool = False  # the record has one, which has each commit before anybody is told
    reserve: bool = False  # a second process for the desks stands by


CLUSTER: dict[str, Any] = {
    "kind": "cluster",
    "pay_table": "sic-bo-etg-v8/1",
    "unit": 100,
    "minimum": 100,
    "maximum": 2_000,
}
LIVE: dict[str, Any] = {"kind": "live", "pay_table": "tai-sai-v6/2", "unit": 100, "minimum": 200}


def _timed(chance: Random) -> dict[str, Any]:
    pay_table = f"sic-bo-etg-v8/{chance.choice('123')}"
    return {
        **CLUSTER,
        "name": "C1",
        "automatic": True,
        "pay_table": pay_table,
        "betting_seconds": chance.randint(3, 12),
        "warn_seconds": 2,
        "tumble_seconds": chance.choice([0.5, 2.0]),
        "result_seconds": chance.choice([0.5, 2.0]),
        **({"box_totals": dict.fromkeys(BOXES[pay_table][0], 1_500)} if chance.random() < 0.3 else {}),
    }


def _untimed(chance: Random) -> dict[str, Any]:
    return {**CLUSTER, "name": "C2", "automatic": True, "tumble_seconds": 0.5, "result_seconds": 1.0}


def _dealt(chance: Random) -> dict[str, Any]:
    betting = chance.choice([None, 8, 20])
    return {
        **CLUSTER,
        "name": "C3",
        "terminals_max": chance.choice([2, 4, 100]),
        "round_seconds_min": chance.choice([0, 0, 15]),
        **({"betting_seconds": betting} if betting else {}),
    }


def _modern(chance: Random) -> dict[str, Any]:
    sides = {"big-small": chance.choice([400, 2_000])} if chance.random() < 0.7 else {}
    return {
        **LIVE,
        "name": "T1",
        "pay_table": chance.choice(["tai-sai-v6/1", "tai-sai-v6/2", "tai-sai-v6/3", "tai-sai-v4/1"]),
        "maximum": chance.choice([400, 800, 2_000]),
        "differential": sides,
        "notice": chance.choice(["by-dealer", "at-placement"]),
        **({"betting_seconds": 15} if chance.random() < 0.5 else {}),
    }


def _coloured(chance: Random) -> dict[str, Any]:
    return {
        **LIVE,
        "name": "T2",
        "pay_table": chance.choice(["tai-sai-v3/1", "tai-sai-open-cover/1", "tai-sai-open-cover/2"]),
        "maximum": chance.choice([800, 5_000]),
        "money": chance.choice(["credits", "chips"]),
    }


def _chips(chance: Random) -> dict[str, Any]:
    return {**LIVE, "name": "T3", "pay_table": "tai-sai-v6/1", "maximum": 3_000, "money": "chips"}


TABLES = {
    "timed": _timed,
    "untimed": _untimed,
    "dealt": _dealt,
    "modern": _modern,
    "coloured": _coloured,
    "chips": _chips,
}

# How often each fault strikes where it can, when an evening has it at all.
FAULTS: dict[str, tuple[float, float]] = {}
# The same where the desks are behind a bus.
BUS_FAULTS: dict[str, tuple[float, float]] = {}
# And where a standby follows the record.
STANDBY_FAULTS: dict[str, tuple[float, float]] = {}
# What each kind of person can do, with how much they usually like it.
LIKES: dict[str, dict[str, float]] = {}


# The part of evenings whose people come by gateways.
_CLUSTERED = 0.15


def draw(seed: int, *, faults: Iterable[str] | None = None, clustered: bool | None = None) -> Plan:
    """The evening of a seed; with `faults`, no others than these; `clustered`: do people come by gateways?"""
    chance = Streams(seed)["plan"]
    theme = theme_of(chance)
    kinds = [kind for kind in TABLES if chance.random() < 0.4] or [chance.choice(list(TABLES))]
    if theme.tables and not set(theme.tables) & set(kinds[:3]):
        kinds = [chance.choice(theme.tables), *kinds]
    tables = [TABLES[kind](chance) for kind in kinds[:3]]
    house = _house(chance)
    people = list(_people(chance, tables, theme, needs_day=any(house["pit"].values())))
    with_faults = chance.random() < 0.85
    struck = {
        kind: chance.uniform(*rates)
        for kind, rates in FAULTS.items()
        if with_faults and chance.random() < 0.35
    }
    cluster, more = _cluster(seed, clustered)
    struck |= more if with_faults else {}
    wanted = struck if faults is None else frozenset(faults)
    return Plan(
        seed=seed,
        tables=tables,
        people=people,
        faults={kind: rate for kind, rate in struck.items() if kind in wanted},
        seconds=chance.choice([40.0, 80.0, 120.0]),
        checkpoints=chance.choice([20_000, 12]),
        house=house,
        proof=chance.random() < 0.15,
        **cluster,
    )


def _cluster(seed: int, wanted: bool | None) -> tuple[dict[str, Any], dict[str, float]]:
    """Drawn apart: the evening is else the same with gateways as without."""
    streams = Streams(seed)
    chance, behind = streams["cluster"], streams["standby"]
    drawn = chance.random() < _CLUSTERED
    if not (drawn if wanted is None else wanted):
        return {}, {}
    found = {kind: chance.uniform(*rates) for kind, rates in BUS_FAULTS.items() if chance.random() < 0.4}
    cluster = {
        "gateways": chance.choice([1, 2, 2]),
        "standby": behind.random() < 0.6,
        "reserve": behind.random() < 0.5,
    }
    if cluster["standby"]:
        found |= {
            kind: behind.uniform(*rates) for kind, rates in STANDBY_FAULTS.items() if behind.random() < 0.7
        }
    return cluster, found


def _house(chance: Random) -> dict[str, Any]:
    needs = ("needs_day", "needs_dealer", "needs_dice", "needs_shaker")
    pit = {name: chance.random() < 0.4 for name in needs}
    return {
        "house": {
            "cut_off_seconds": 1.0,
            "reality_check_minutes": chance.choice([1, 60]),
            "approval_minutes": chance.choice([1, 5]),
            **({"ticket_max_minor": 8_000} if chance.random() < 0.2 else {}),
        },
        "tickets": {
            "identify_from_minor": chance.choice([0, 2_000]),
            "second_from_minor": chance.choice([0, 3_000]),
        },
        "players": {
            "raise_wait_hours": chance.choice([0, 24]),
            "registered_only": chance.random() < 0.05,
        },
        "pit": pit if chance.random() < 0.25 else {},
        "significant": {"win_minor": 5_000, "transaction_minor": 5_000} if chance.random() < 0.3 else {},
    }


def _people(
    chance: Random, tables: list[dict[str, Any]], theme: Theme, *, needs_day: bool
) -> list[PersonPlan]:
    found: list[PersonPlan] = []

    def add(name: str, kind: str, table: str = "", acts: tuple[int, int] = (16, 40)) -> None:
        kept = [act for act in LIKES[kind] if chance.random() < 0.75 or act in theme.likes]
        weights = {
            act: round(LIKES[kind][act] * chance.choice([0.3, 1, 1, 3]) * theme.likes.get(act, 1), 3)
            for act in kept
        }
        pace = chance.choice([0.3, 1.0, 1.0, 2.0]) if name not in theme.people else 0.5
        found.append(
            PersonPlan(
                name=name, kind=kind, table=table, acts=chance.randint(*acts), weights=weights, pace=pace
            )
        )

    for table in tables:
        if table["kind"] == "cluster":
            for number in range(chance.randint(1, 3)):
                add(f"{table['name'].lower()}p{number + 1}", "terminal", table["name"])
        if not table.get("automatic"):
            add(f"dealer-{table['name'].lower()}", "dealer", table["name"], (45, 90))
    for name, kind in (
        ("supervisor", "pit"),
        ("shift-manager", "pit"),
        ("pit-manager", "pit"),
        ("cashier", "cashier"),
        ("auditor", "auditor"),
        ("admin", "administrator"),
        ("casino-manager", "pit"),
    ):
        # Where the pit has a day, somebody is there who can open it.
        needed = name in theme.people or (needs_day and name == "shift-manager")
        if chance.random() < 0.6 or needed:
            add(name, kind, chance.choice(tables)["name"], (9, 27))
    return found


def load_plan(path: Path) -> Plan:
    """A plan that somebody kept."""
    return msgspec.json.decode(path.read_bytes(), type=Plan)


def text_of(plan: Plan) -> str:
    """A plan as it is kept."""
    return msgspec.json.format(msgspec.json.encode(plan), indent=1).decode()
