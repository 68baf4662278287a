"""The tables of the house: each pay table, a closing time, a box with little room, and a live table."""

from typing import Any, Final

from taisai.rulebooks.catalogue import rulebook, shipped_rulebooks
from tests.browser.floor import MAXIMUM, MINIMUM, UNIT, cluster

PAY_TABLES: Final = [table.id for name in shipped_rulebooks() for table in rulebook(name).pay_tables]
PLAIN: Final = "sic-bo-etg-v8/1"
OPEN_COVER: Final = "tai-sai-open-cover/1"
LIVE: Final = "L1"
COLOURS: Final = "L2"
# A sign with everything on it: two groups of their own and two differentials.
SIGNED: Final = "D1"
# Tables that the pit looks at, so that their figures are the tests' own.
WATCHED: Final = ("P1", "P2", "P3")
TIMED, BRIEF, COUNTED = "W1", "W2", "W3"
# Deals itself, when its players say so.
UNTIMED: Final = "U1"
# A studio shows its tumbler, at an address that only the tests answer for.
FILMED, VIDEO = "F1", "http://studio.invalid/whep/f1"
# From a small minimum to a large maximum: more chips than a rail has room for.
WIDE_LIMITS: Final = "S3"
# A box that has room for all players together: what goes above it is refused, or cut, as the rulebook says.
TOTALLED: Final = "S1"
# Changes its pay table in a test, and its visitors see another felt from then on.
CHANGING: Final = "R1"
SHARED, SHARED_PAY_TABLE = "S2", "tai-sai-v6/1"


def at(pay_table: str) -> str:
    """The table where a pay table is played."""
    return "T" + str(PAY_TABLES.index(pay_table))


# From where on the cashier asks who is paid, and for a second person.
IDENTIFY_FROM, SECOND_FROM = 1_500_00, 2_500_00
TICKETS: Final = {"identify_from_minor": IDENTIFY_FROM, "second_from_minor": SECOND_FROM}

TABLES: Final[list[dict[str, Any]]] = [
    *(cluster(at(pay_table), pay_table) for pay_table in PAY_TABLES),
    cluster(TIMED, PLAIN, betting_seconds=600),
    cluster(BRIEF, PLAIN, betting_seconds=5),
    cluster(COUNTED, PLAIN, betting_seconds=12),
    cluster(UNTIMED, PLAIN, automatic=True, tumble_seconds=0.1, result_seconds=1.0),
    cluster(FILMED, PLAIN, video=VIDEO),
    cluster(WIDE_LIMITS, PLAIN, minimum=5_00, maximum=100_000_00),
    cluster(CHANGING, PLAIN),
    cluster(TOTALLED, PLAIN, box_totals={"big": 20_00}),
    cluster(SHARED, SHARED_PAY_TABLE, boxes={"big": {"minimum": MINIMUM, "maximum": 20_00}}),
    {
        "name": LIVE,
        "title": "Live",
        "kind": "live",
        "pay_table": "tai-sai-v6/2",
        "unit": UNIT,
        "minimum": MINIMUM,
        "maximum": MAXIMUM,
        "differential": {"big-small": 2_000},
        "notice": "by-dealer",
    },
    {
        "name": COLOURS,
        "title": "Table L2",
        "kind": "live",
        "pay_table": "tai-sai-v3/1",
        "money": "chips",
        "unit": UNIT,
        "minimum": MINIMUM,
        "maximum": MAXIMUM,
    },
    {
        "name": SIGNED,
        "title": "Tai Sai",
        "kind": "live",
        "pay_table": "tai-sai-v6/2",
        "unit": UNIT,
        "minimum": MINIMUM,
        "maximum": MAXIMUM,
        "differential": {"big-small": 600_00, "odd-even": 400_00},
        "groups": {
            "triple": {"minimum": 500, "maximum": 50_00},
            "any-triple": {"minimum": 500, "maximum": 200_00},
        },
    },
    *(
        {
            "name": name,
            "title": f"Table {name}",
            "kind": "live",
            "pay_table": "tai-sai-v6/2",
            "unit": UNIT,
            "minimum": MINIMUM,
            "maximum": MAXIMUM,
        }
        for name in WATCHED
    ),
]
