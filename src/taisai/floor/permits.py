"""The table of permits: which act exists where, who may do it, and who seconds it.

This table is data. The door and the desks read it, the guard of the API takes its positions from it, the
documentation prints it, and the tests walk every cell of it. Acts of a round take their positions from the
table of acts, which also knows their phases and clauses.
"""

from enum import StrEnum
from typing import Any, Final

import msgspec

from taisai.floor.desks.decider import two_people
from taisai.game.acts import ACTS, Act, ActRule
from taisai.game.commands import AnyCommand, OpenBetting
from taisai.game.decide import ACT_OF
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode, by_house


class ActPlace(StrEnum):
    """Where an act is asked for: at a kind of table, or at a desk of the house."""

    LIVE = "live table"
    CLUSTER = "cluster"
    CAGE = "cage"
    PIT = "pit"
    PLAYERS = "players"
    STAFF = "staff list"
    APPROVALS = "approvals"


class SecondRule(msgspec.Struct, frozen=True):
    """Who agrees to an act: pit employees (or `also`), one of the two `least` or above.

    `first` is the least position of whoever asks, and `when` says in which cases, if not always. Where
    `seconds` are named, whoever agrees has one of those positions. A request waits for `minutes`, or as long
    as the house says.
    """

    least: Role
    first: Role = Role.DEALER
    also: frozenset[Role] = frozenset()
    when: str = ""
    seconds: frozenset[Role] = frozenset()
    minutes: int | None = None

    def lack(self, by: Actor, second: Actor | None, *, reason: str | None = None) -> Refusal | None:
        """Why an act of this rule is not these two people's, or none."""
        return two_people(by, second, least=self.least, also=self.also, seconds=self.seconds, reason=reason)


class Permit(msgspec.Struct, frozen=True):
    """One row. `deals`: at a table that deals itself it is the system's alone."""

    at: frozenset[ActPlace]
    who: frozenset[Role]
    second: SecondRule | None = None
    deals: bool = False


_LINE: Final = (
    Role.DEALER,
    Role.PIT_SUPERVISOR,
    Role.PIT_MANAGER,
    Role.SHIFT_MANAGER,
    Role.CASINO_MANAGER,
)


def _from(role: Role, *also: Role) -> frozenset[Role]:
    """A position of the gaming floor and those above it, and some others."""
    return frozenset({*_LINE[_LINE.index(role) :], *also})


_SYSTEM, _PLAYER, _CASHIER = Role.SYSTEM, Role.PLAYER, Role.CASHIER
_TABLES = frozenset({ActPlace.LIVE, ActPlace.CLUSTER})
_LIVE, _CLUSTER = frozenset({ActPlace.LIVE}), frozenset({ActPlace.CLUSTER})
_BY_CASHIER = SecondRule(Role.PIT_SUPERVISOR, also=frozenset({_CASHIER}))
_ALL_STAFF = frozenset(Role) - {_PLAYER, _SYSTEM}
# Nobody changes the staff list alone; a house may name other positions for the second (`StaffPolicy`).
_ON_STAFF = SecondRule(
    Role.ADMINISTRATOR,
    first=Role.ADMINISTRATOR,
    also=frozenset({Role.ADMINISTRATOR}),
    seconds=frozenset({Role.CASINO_MANAGER, Role.AUDITOR}),
    minutes=60,
)
_AT_PLAYERS = _from(Role.DEALER, _CASHIER, _SYSTEM)
_OWN = _AT_PLAYERS | {_PLAYER}
_TWO_AT_PIT = _from(Role.DEALER, _CASHIER)

# When an act of a round takes two people that mostly takes one.
_SOMETIMES: Final = {
    "VoidRound": "after the declaration, where the record says otherwise, or at a table that deals itself",
    "InterruptRound": "at a table that deals itself",
}
_DICE: Final = frozenset({"CoverTumbler", "ActivateTumbler", "ExposeDice", "DeclareRoll"})


def _of_round(name: str, rule: ActRule) -> Permit:
    who = _from(Role.DEALER) if rule.two_people else _from(max(rule.least, Role.DEALER, key=_rank))
    if rule.by_system:
        who |= {_SYSTEM}
    if name == "PlaceBets":
        who |= {_PLAYER}
    second = SecondRule(rule.least) if rule.two_people else None
    if name in _SOMETIMES:
        second = SecondRule(rule.two_least or rule.least, when=_SOMETIMES[name])
    return Permit(_TABLES, who, second, deals=name in _DICE)


def _rank(role: Role) -> int:
    return _LINE.index(role) if role in _LINE else -1


def _at_table() -> dict[str, Permit]:
    dealer, supervisor = _from(Role.DEALER), _from(Role.PIT_SUPERVISOR)
    to_sell = Permit(_LIVE, dealer | {_SYSTEM})
    by_pit_manager = SecondRule(Role.PIT_MANAGER, first=Role.PIT_SUPERVISOR)
    return {
        "StartRound": Permit(_TABLES, dealer | {_SYSTEM}),
        "ExtendBetting": Permit(_TABLES, dealer | {_SYSTEM}),
        "OpenTable": Permit(_TABLES, supervisor | {_SYSTEM}, by_pit_manager),
        "CarryOutChange": Permit(_TABLES, frozenset({_SYSTEM})),
        "CancelChange": Permit(_TABLES, supervisor, by_pit_manager),
        "CloseTable": Permit(_TABLES, supervisor | {_SYSTEM}),
        "ReopenTable": Permit(_TABLES, supervisor | {_SYSTEM}),
        "RecordDraw": Permit(_TABLES, frozenset({_SYSTEM})),
        "ReadDice": Permit(_TABLES, dealer | {_SYSTEM}),
        "CallSupervisor": Permit(_TABLES, dealer | {_SYSTEM}),
        "CollectOwed": Permit(
            _TABLES,
            dealer | {_CASHIER},
            SecondRule(Role.SHIFT_MANAGER, also=frozenset({_CASHIER})),
        ),
        "PayUnclaimed": Permit(_TABLES, dealer | {_CASHIER}, _BY_CASHIER),
        # Chips, seats and money by the dealer belong to live tables.
        "BuyIn": to_sell,
        "BuyIn/promo": Permit(_LIVE, supervisor | {_SYSTEM}),
        "CashOut": Permit(
            _LIVE, dealer | {_SYSTEM}, SecondRule(Role.PIT_SUPERVISOR, when="from the house's amount on")
        ),
        "TakeSeat": to_sell,
        "LeaveSeat": to_sell,
        "LeaveTable": to_sell,
        "IssueColour": Permit(_LIVE, dealer),
        "ChangeBack": Permit(_LIVE, dealer),
        "PayInColour": Permit(_LIVE, dealer),
        "CollectColour": Permit(_LIVE, dealer),
        "DeclareMissing": Permit(_LIVE, supervisor),
        # A cluster's money moves at its terminals, at the cage, and by hand-pay of two people.
        "EnrolTerminal": Permit(_CLUSTER, supervisor | {_SYSTEM}),
        "CreditIn": Permit(_CLUSTER, frozenset({_PLAYER, _SYSTEM})),
        "CashOutToTicket": Permit(_CLUSTER, frozenset({_PLAYER, _SYSTEM})),
        "HandPay": Permit(_CLUSTER, dealer | {_CASHIER}, _BY_CASHIER),
        "SetService": Permit(
            _CLUSTER,
            dealer | {_PLAYER, _SYSTEM},
            SecondRule(Role.PIT_SUPERVISOR, when="to put a terminal in service again"),
        ),
    }


def _at_cage() -> dict[str, Permit]:
    at, cashier = frozenset({ActPlace.CAGE}), _from(Role.PIT_SUPERVISOR, _CASHIER, _SYSTEM)

    def when(said: str) -> SecondRule:
        return msgspec.structs.replace(_BY_CASHIER, when=said)

    return {
        "OpenDrawer": Permit(at, cashier),
        "CloseDrawer": Permit(at, cashier),
        "SellTicket": Permit(at, cashier),
        "RedeemTicket": Permit(at, cashier, when("from the house's amount on")),
        "PrintTicket": Permit(at, cashier, when("for every copy but the first")),
        "VoidTicket": Permit(at, cashier, _BY_CASHIER),
        "MoveDrawer": Permit(at, frozenset({_SYSTEM})),
    }


def _at_pit() -> dict[str, Permit]:
    at = frozenset({ActPlace.PIT})
    supervisor = Permit(at, _from(Role.PIT_SUPERVISOR, _SYSTEM))
    two = Permit(at, _TWO_AT_PIT, _BY_CASHIER)
    return {
        "OpenDay": Permit(at, _from(Role.SHIFT_MANAGER, _SYSTEM)),
        "CloseDay": Permit(at, _from(Role.SHIFT_MANAGER, _SYSTEM)),
        "StartShift": Permit(at, _from(Role.PIT_MANAGER, _SYSTEM)),
        "SeatDealer": Permit(at, _from(Role.DEALER, _SYSTEM)),
        "FillTable": two,
        "CreditTable": two,
        "CountFloat": two,
        "CountDrop": two,
        "RecordFigures": Permit(at, frozenset({_SYSTEM})),
        "AllotChips": Permit(at, frozenset({_SYSTEM})),
        "ClaimDice": Permit(at, frozenset({_SYSTEM})),
        "TakeDrop": Permit(at, _from(Role.PIT_SUPERVISOR, _CASHIER, _SYSTEM)),
        "PutInDice": supervisor,
        "InspectDice": supervisor,
        "TakeOutDice": supervisor,
        "InspectShaker": supervisor,
        "AcknowledgeAlarm": supervisor,
    }


def _at_players() -> dict[str, Permit]:
    at = frozenset({ActPlace.PLAYERS})
    return {
        "RegisterPlayer": Permit(at, _AT_PLAYERS),
        "ExcludePlayer": Permit(at, _OWN),
        "ExcludePlayer/house": Permit(at, _from(Role.SHIFT_MANAGER, _SYSTEM)),
        "EndExclusion": Permit(at, _from(Role.SHIFT_MANAGER, _SYSTEM)),
        "SetPlayLimits": Permit(at, _OWN),
        "ConfirmPlayLimits": Permit(at, _OWN),
        "BeginPlay": Permit(at, _OWN),
        "EndPlay": Permit(at, _OWN),
        "RecordPlays": Permit(at, _from(Role.DEALER, _SYSTEM)),
        "AllotPlay": Permit(at, frozenset({_SYSTEM})),
        "ReturnPlay": Permit(at, frozenset({_SYSTEM})),
        "ConfirmRealityCheck": Permit(at, _OWN),
        "RecordNameErased": Permit(at, _from(Role.SHIFT_MANAGER, Role.ADMINISTRATOR, _SYSTEM)),
    }


def _at_staff() -> dict[str, Permit]:
    at = frozenset({ActPlace.STAFF})
    administrator = Permit(at, frozenset({Role.ADMINISTRATOR, _SYSTEM}))
    two = msgspec.structs.replace(administrator, second=_ON_STAFF)

    def when(said: str, permit: Permit = administrator) -> Permit:
        return msgspec.structs.replace(permit, second=msgspec.structs.replace(_ON_STAFF, when=said))

    system, anyone = Permit(at, frozenset({_SYSTEM})), Permit(at, _ALL_STAFF | {_SYSTEM})
    return {
        "SetStaffPolicy": two,
        "AddStaff": two,
        "ChangeRole": when("unless it is to a lower position of the gaming floor"),
        "DisableStaff": administrator,
        "EnableStaff": two,
        "UnlockStaff": administrator,
        "ResetPassword": two,
        "DeclareStaffIncident": system,
        "ChangePassword": anyone,
        "RenewHash": system,
        "SetTotp": when("to remove another person's", anyone),
        "LogIn": system,
        "NoteMoneyPlay": system,
        "LogOut": anyone,
    }


def _at_approvals() -> dict[str, Permit]:
    at, system = frozenset({ActPlace.APPROVALS}), frozenset({_SYSTEM})
    # Who asks for what, and who agrees to it, says the row of the act itself.
    anyone = Permit(at, _ALL_STAFF)
    return {
        "RequestApproval": anyone,
        "ApproveRequest": anyone,
        "DenyRequest": anyone,
        "WithdrawRequest": anyone,
        "ExpireRequests": Permit(at, system),
        "RecordCarriedOut": Permit(at, system),
    }


# By the command's name; a case of it that is for others has a row of its own.
PERMITS: Final[dict[str, Permit]] = {
    **{
        kind.__name__: _of_round(kind.__name__, ACTS[ACT_OF.get(kind, Act.PLACE_ON_BEHALF)])
        for kind in AnyCommand.__args__
        if kind is not OpenBetting
    },
    **_at_table(),
    **_at_cage(),
    **_at_pit(),
    **_at_players(),
    **_at_staff(),
    **_at_approvals(),
}


def permit_of(command: Any) -> Permit:
    """The row of a command."""
    name = type(command).__name__
    if name == "BuyIn" and command.source == "promo":
        name = "BuyIn/promo"
    elif name == "ExcludePlayer" and not command.own:
        name = "ExcludePlayer/house"
    return PERMITS[name]


def not_permitted(command: Any) -> Refusal | None:
    """Why a command's person may not ask for it in their position, or none."""
    by: Actor = command.by
    permit = permit_of(command)
    if by.role in permit.who:
        return None
    least = next((role for role in _LINE if role in permit.who), next(iter(sorted(permit.who))))
    return by_house(RefusalCode.ROLE_NOT_ALLOWED, least=str(least), role=str(by.role))


def not_by_two(command: Any, *, reason: str | None = None) -> Refusal | None:
    """Why a command that takes two people is not theirs yet, or none."""
    rule = permit_of(command).second
    if rule is None:
        return None
    return rule.lack(command.by, command.second, reason=reason)


def second_rule(name: str) -> SecondRule | None:
    """Who agrees to an act, if it ever takes two people."""
    return PERMITS[name].second if name in PERMITS else None


def staff_for(*names: str) -> frozenset[Role]:
    """The positions of staff that may ask for one of these acts."""
    return frozenset(role for name in names for role in PERMITS[name].who) & _ALL_STAFF


def names_at(*places: ActPlace) -> tuple[str, ...]:
    """The acts that exist at one of these places."""
    return tuple(name for name, permit in PERMITS.items() if permit.at & set(places))
