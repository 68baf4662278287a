"""The table of permits, cell by cell: every act for every position at every kind of table."""

from typing import Any, get_args

import msgspec
import pytest

from taisai.floor.approvals.asked import TableAct
from taisai.floor.approvals.messages import AnyApprovalCommand
from taisai.floor.cage import AnyCageCommand
from taisai.floor.cluster.messages import AnyClusterCommand
from taisai.floor.permits import (
    PERMITS,
    ActPlace,
    names_at,
    not_permitted,
    permit_of,
    second_rule,
)
from taisai.floor.pit.messages import AnyPitCommand
from taisai.floor.players.messages import AnyPlayersCommand
from taisai.floor.staff.messages import AnyStaffCommand
from taisai.floor.table.messages import AtRack, InRound
from taisai.game.chips import AnyChipsCommand
from taisai.game.commands import AnyCommand, OneOrTwo, OpenBetting, PlaceBets, TwoPeople
from taisai.game.people import Actor, Role
from taisai.game.refusals import RefusalCode
from taisai.server.access.table import ACCESS, DOES
from tests.floor.houses import SmallHouse, cluster, live
from tests.server.houses import the_app
from tests.server.test_access import routes

# Typed from the design, not from the code: d dealer, s supervisor, m pit manager, h shift manager, c casino
# manager, k cashier, a auditor, r administrator, p player, y system.
WHO = """
dsmhcy   StartRound ExtendBetting CloseBetting CoverTumbler ActivateTumbler ExposeDice DeclareRoll SettleBets
dsmhcy   ConcludeRound RecordCutOff SuspendRound ResumeRound RecordDisplayFault ReadDice CallSupervisor
dsmhcy   BuyIn CashOut TakeSeat LeaveSeat LeaveTable SeatDealer RecordPlays
dsmhcp   PlaceBets
dsmhcpy  SetService
dsmhc    RejectExcess AdviseMinimum ReturnBelowMinimum RecordWalkAway VoidRound InterruptRound
dsmhc    ReportDamagedDice CorrectResult CorrectBets MakeRuling
dsmhc    IssueColour ChangeBack PayInColour CollectColour
dsmhck   CollectOwed HandPay FillTable CreditTable CountFloat CountDrop PayUnclaimed
dsmhckar RequestApproval ApproveRequest DenyRequest WithdrawRequest
smhc     DeclareMissing CancelChange
smhcy    OpenTable CloseTable ReopenTable BuyIn/promo EnrolTerminal
smhcy    AcknowledgeAlarm PutInDice InspectDice TakeOutDice InspectShaker
smhcky   OpenDrawer CloseDrawer SellTicket RedeemTicket PrintTicket VoidTicket TakeDrop
mhcy     StartShift
hcy      OpenDay CloseDay ExcludePlayer/house EndExclusion
hcry     RecordNameErased
dsmhcky  RegisterPlayer
dsmhckpy ExcludePlayer SetPlayLimits ConfirmPlayLimits BeginPlay EndPlay ConfirmRealityCheck
py       CreditIn CashOutToTicket
y        MoveDrawer RecordDraw RecordFigures RenewHash LogIn NoteMoneyPlay ExpireRequests RecordCarriedOut
y        DeclareStaffIncident CarryOutChange AllotPlay ReturnPlay AllotChips ClaimDice
ry       SetStaffPolicy AddStaff ChangeRole DisableStaff EnableStaff UnlockStaff ResetPassword
dsmhckary ChangePassword SetTotp LogOut
"""
LETTERS = {
    "d": Role.DEALER,
    "s": Role.PIT_SUPERVISOR,
    "m": Role.PIT_MANAGER,
    "h": Role.SHIFT_MANAGER,
    "c": Role.CASINO_MANAGER,
    "k": Role.CASHIER,
    "a": Role.AUDITOR,
    "r": Role.ADMINISTRATOR,
    "p": Role.PLAYER,
    "y": Role.SYSTEM,
}
# Chips, seats, buy-in and cash-out by the dealer belong to live tables; terminals to clusters.
LIVE_ALONE = set(
    "BuyIn BuyIn/promo CashOut TakeSeat LeaveSeat LeaveTable IssueColour ChangeBack PayInColour CollectColour"
    " DeclareMissing".split()
)
CLUSTER_ALONE = {"EnrolTerminal", "CreditIn", "CashOutToTicket", "HandPay", "SetService"}
SECONDS = {
    Role.PIT_SUPERVISOR: "ReportDamagedDice CorrectResult CorrectBets VoidRound InterruptRound HandPay"
    " SetService PayUnclaimed CashOut RedeemTicket PrintTicket VoidTicket FillTable CreditTable CountFloat"
    " CountDrop",
    Role.PIT_MANAGER: "OpenTable CancelChange",
    Role.SHIFT_MANAGER: "MakeRuling CollectOwed",
    Role.ADMINISTRATOR: "SetStaffPolicy AddStaff ChangeRole EnableStaff ResetPassword SetTotp",
}
DESKS: dict[ActPlace, Any] = {
    ActPlace.CAGE: AnyCageCommand,
    ActPlace.PIT: AnyPitCommand,
    ActPlace.PLAYERS: AnyPlayersCommand,
    ActPlace.STAFF: AnyStaffCommand,
    ActPlace.APPROVALS: AnyApprovalCommand,
}
AT_TABLES = {
    kind.__name__
    for union in (AnyCommand, AnyChipsCommand, AnyClusterCommand)
    for kind in get_args(union)
    if kind not in (InRound, AtRack, OpenBetting)
} | {"BuyIn/promo"}


def wanted() -> dict[str, set[Role]]:
    found = {}
    for line in WHO.strip().splitlines():
        letters, *names = line.split()
        found |= {name: {LETTERS[letter] for letter in letters} for name in names}
    return found


def test_every_act_has_one_row_and_every_row_is_an_act() -> None:
    """Nothing can be asked for that the table does not know."""
    desks = {kind.__name__ for union in DESKS.values() for kind in get_args(union)}
    assert set(PERMITS) == AT_TABLES | desks | {"ExcludePlayer/house"}
    assert set(PERMITS) == set(wanted())


@pytest.mark.parametrize("name", sorted(PERMITS))
def test_every_position_may_do_what_the_design_says_and_no_more(name: str) -> None:
    """Each cell of the row, held against one that was typed by hand."""
    for role in Role:
        assert (role in PERMITS[name].who) == (role in wanted()[name]), role


@pytest.mark.parametrize("name", sorted(PERMITS))
def test_every_act_exists_where_it_belongs(name: str) -> None:
    """A cluster has no table money; a live table has no terminals; a desk has its own acts."""
    if name in AT_TABLES:
        places = {ActPlace.LIVE, ActPlace.CLUSTER}
        places -= {ActPlace.CLUSTER} if name in LIVE_ALONE else set()
        places -= {ActPlace.LIVE} if name in CLUSTER_ALONE else set()
    else:
        plain = name.partition("/")[0]
        places = {
            place for place, union in DESKS.items() if plain in {each.__name__ for each in get_args(union)}
        }
    assert PERMITS[name].at == places
    assert all(name in names_at(place) for place in places)


def test_who_seconds_what() -> None:
    """The least position of one of the two; what is not listed is one person's."""
    listed = {name: least for least, names in SECONDS.items() for name in names.split()}
    assert {name: permit.second.least for name, permit in PERMITS.items() if permit.second} == listed
    named = {name for name, permit in PERMITS.items() if permit.second and permit.second.seconds}
    assert named == set(SECONDS[Role.ADMINISTRATOR].split())
    for kind in (*TwoPeople.__subclasses__(), *OneOrTwo.__subclasses__()):
        rule = second_rule(kind.__name__)
        assert rule is not None
        assert bool(rule.when) == issubclass(kind, OneOrTwo)


@pytest.mark.parametrize("name", sorted(set(PERMITS) - {"BuyIn/promo", "ExcludePlayer/house"}))
@pytest.mark.parametrize("role", list(Role))
def test_a_position_without_its_mark_is_refused(name: str, role: Role) -> None:
    """By house procedure, with the least position that may."""
    unions = (*DESKS.values(), AnyCommand, AnyChipsCommand, AnyClusterCommand)
    kinds = {kind.__name__: kind for union in unions for kind in get_args(union)}
    said = {"by": Actor("x", role), "source": "cash", "own": True}
    command = _hollow(kinds[name], said)
    refusal = not_permitted(command)
    if role in permit_of(command).who:
        assert refusal is None
    else:
        assert refusal is not None
        assert (refusal.code, refusal.clause) == (RefusalCode.ROLE_NOT_ALLOWED, "house")
        assert refusal.facts["role"] == role


def _hollow(kind: type, said: dict[str, Any]) -> Any:
    """A command with nothing in it but what its permit depends on."""
    fields = {field.name: said.get(field.name) for field in msgspec.structs.fields(kind)}
    return kind(**fields)


@pytest.mark.parametrize("address", sorted(DOES))
def test_an_address_lets_in_whoever_may_do_its_acts(address: str) -> None:
    """Every cell of addresses and positions, held against the positions that were typed by hand."""
    may = {role for name in DOES[address] for role in wanted()[name]} - {Role.PLAYER, Role.SYSTEM}
    for role in Role:
        assert (role in (ACCESS[address] or ())) == (role in may), role


def test_every_address_that_writes_does_an_act() -> None:
    """The others open and end sessions, ask in a body, or do whichever act of a table they are told."""
    writing = {name for name, method, _ in routes(the_app()[0]) if method != "GET"}
    others = {"login", "open_login", "enrol_terminal", "demo_terminal", "audit_verify"}
    others |= {"get_ticket", "get_ticket_receipts"}
    assert writing - set(DOES) == others | {"act_at_table"}
    at_tables = {role for name in AT_TABLES for role in wanted()[name]} - {Role.PLAYER, Role.SYSTEM}
    assert ACCESS["act_at_table"] == ACCESS["console_socket"] == at_tables - {Role.CASHIER}


@pytest.mark.parametrize("place", [ActPlace.LIVE, ActPlace.CLUSTER])
async def test_every_act_of_every_position_at_each_kind_of_table(place: ActPlace) -> None:
    """Each cell as the door decides it: not at this table, not for this position, or let through."""
    unions = (AnyCommand, AnyChipsCommand, AnyClusterCommand)
    kinds = {kind.__name__: kind for union in unions for kind in get_args(union)}
    alone = CLUSTER_ALONE if place is ActPlace.LIVE else LIVE_ALONE
    table, plan = ("T1", live()) if place is ActPlace.LIVE else ("C1", cluster())
    async with SmallHouse(plan).open(dealing=False) as house:
        for name in sorted(AT_TABLES - {"BuyIn/promo"}):
            for role in Role:
                command = _hollow(kinds[name], {"by": Actor("x", role), "source": "cash", "at": house.now()})
                refusal = house._door._may_not(TableAct(table, command), command, permit_of(command))
                refusal = refusal or not_permitted(command)
                expected = None if role in wanted()[name] else RefusalCode.ROLE_NOT_ALLOWED
                if name in alone:
                    expected = RefusalCode.NOT_AT_THIS_TABLE
                assert (refusal.code if refusal else None) == expected, (name, role)


def test_of_a_slip_the_permits_leave_nothing_to_ask_at_the_door() -> None:
    """Every table takes slips, nobody seconds them and no table deals them: the door goes by that."""
    permit = PERMITS["PlaceBets"]
    assert permit.at == {ActPlace.LIVE, ActPlace.CLUSTER}
    assert (permit.second, permit.deals) == (None, False)
    assert "second" not in PlaceBets.__struct_fields__
