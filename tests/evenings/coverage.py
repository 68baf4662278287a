"""Which cells do many evenings reach? One that none does fails, unless it stands here with its reason.

The cells come from the product's own tables: acts of a round by phase and by what the rulebooks' tables of
acts say of them there, kinds of events, codes of refusals, addresses, faults and what they interrupt.
"""

from collections.abc import Iterable, Iterator

from taisai.floor.approvals.messages import AnyApprovalEvent
from taisai.floor.cage import AnyCageEvent
from taisai.floor.cluster.messages import AnyClusterEvent
from taisai.floor.pit.messages import AnyPitEvent
from taisai.floor.players.messages import AnyPlayersEvent
from taisai.floor.staff.messages import AnyStaffEvent
from taisai.floor.table.messages import RackEvent, RoundEvent
from taisai.floor.tickets import AnyTicketEvent
from taisai.game import chips, events
from taisai.game.acts import Phase, table_of_acts
from taisai.game.refusals import RefusalCode
from taisai.rulebooks.catalogue import rulebook, shipped_rulebooks
from taisai.server.access.table import ACCESS
from tests.evenings.in_flight import IN_FLIGHT, NO_WAIT
from tests.evenings.plan import BUS_FAULTS, FAULTS, STANDBY_FAULTS

Row = tuple[str, ...]
ENOUGH = 2_000  # evenings

# What no evening reaches, and why. A row stands for all that begin with it.
NEVER: dict[Row, str] = {
    ("act", "open betting"): "opens a round that is not there yet: decided outside of any phase",
    ("route", "asyncapi_file"): "a page of the documents: no part of an evening",
    ("route", "openapi_file"): "a page of the documents: no part of an evening",
    ("route", "docs_page"): "a page of the documents: no part of an evening",
    ("route", "get_par"): "a simulation of a million rounds: tests/unit/odds and tests/server play it",
    (
        "route",
        "get_health",
    ): "looks after files on a disk, and an evening has none: tests/server/test_admin.py",
    ("route", "page"): "pages are the browser tests'",
    ("route", "verify_page"): "pages are the browser tests'",
    ("route", "index_page"): "pages are the browser tests'",
    ("route", "static_file"): "pages are the browser tests'",
    ("route", "follow_table"): "an endless stream: tests/server and tests/browser follow it",
    ("refusal", "digest_differs"): "a table opens rounds with the rules that it has just looked up",
    ("refusal", "unit_unpayable"): "settings are refused before an evening begins",
    ("event", "ColourCollected"): "an act of its own before version 0.2; settlement collects",
    ("event", "StaffIncidentDeclared"): "an operator's, with the server stopped: tests/unit/floor/staff",
    ("refusal", "second_is_there"): "an operator's, with the server stopped: tests/unit/floor/staff",
    ("refusal", "asker_gone"): "nobody who asks is taken off the staff list: they could not go on",
    ("refusal", "rules_not_in_force"): "for money alone: tests/unit/floor/door/test_rules_of_tables.py",
    ("event", "MoneyPlayNoted"): "for money alone: tests/server/test_open_logins.py",
    ("refusal", "ticket_expired"): "tickets are good for days, and an evening has minutes",
    ("refusal", "approvals_full"): "forty requests of one person at once: tests/unit/floor/approvals",
    ("event", "PlayAllotted"): "desks of several processes, and here they have one: tests/unit/floor/door",
    ("event", "PlayReturned"): "desks of several processes, and here they have one: tests/unit/floor/door",
    ("event", "ChipsAllotted"): "desks of several processes, and here they have one: tests/unit/floor/door",
    ("event", "DiceClaimed"): "desks of several processes, and here they have one: tests/unit/floor/door",
    ("refusal", "player_registered"): "the house draws the pseudonyms, each once",
}


def cells() -> Iterator[Row]:
    """Everything that there is to reach."""
    yield from _acts()
    kinds = (
        AnyClusterEvent, AnyCageEvent, AnyTicketEvent, AnyApprovalEvent, AnyPlayersEvent, AnyPitEvent,
        AnyStaffEvent, events.AnyEvent, chips.AnyChipsEvent,
    )  # fmt: skip
    for event in dict.fromkeys(kind for union in kinds for kind in union.__args__):
        if event not in (RoundEvent, RackEvent):
            yield ("event", event.__name__)
    for code in RefusalCode:
        yield ("refusal", str(code))
    for handler in ACCESS:
        yield ("route", handler)
    for fault in (*FAULTS, *BUS_FAULTS, *STANDBY_FAULTS):
        yield ("fault", fault)
        for doing in IN_FLIGHT:
            if doing not in NO_WAIT:
                yield ("fault", fault, doing)


def _acts() -> Iterator[Row]:
    """Each act in each phase, taken or refused with the code that some approved rulebook's table says."""
    books = [rulebook(name) for name in shipped_rulebooks() if rulebook(name).approved]
    said = (
        ("act", str(here.act), str(here.phase), str(here.refusal or "taken"))
        for book in books
        for here in table_of_acts(book)
        if here.phase is not Phase.NOT_OPEN
    )
    yield from dict.fromkeys(said)


def unreached(marks: Iterable[Row]) -> list[Row]:
    """The cells that no mark begins with and that have no reason."""
    seen = {row[:length] for row in marks for length in range(1, len(row) + 1)}
    excused = set(NEVER)
    return [
        cell
        for cell in cells()
        if cell not in seen and not any(cell[:length] in excused for length in range(1, len(cell) + 1))
    ]


def report(marks: Iterable[Row], evenings: int) -> tuple[str, bool]:
    """What was never reached, in lines; and whether that is a failure after so many evenings."""
    missing = unreached(marks)
    total = sum(1 for _ in cells())
    lines = [f"never reached: {' / '.join(cell)}" for cell in missing]
    lines.append(f"{total - len(missing)} of {total} cells reached or excused in {evenings} evenings")
    return "\n".join(lines), bool(missing) and evenings >= ENOUGH
