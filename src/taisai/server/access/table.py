"""Who may use which address: one table, read by the guard and walked by the tests.

Where an address does an act its positions are those of the table of permits; the others only read.
"""

from typing import Final

from taisai.floor.permits import ActPlace, names_at, staff_for
from taisai.game.people import Role

Roles = frozenset[Role] | None

# Nobody has to say who they are.
ANYONE: Final[Roles] = None
STAFF: Final = frozenset(Role) - {Role.PLAYER, Role.SYSTEM}
PIT: Final = frozenset(
    {Role.DEALER, Role.PIT_SUPERVISOR, Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.CASINO_MANAGER}
)
SUPERVISORS: Final = PIT - {Role.DEALER}
CAGE: Final = SUPERVISORS | {Role.CASHIER}
AUDIT: Final = frozenset({Role.AUDITOR, Role.CASINO_MANAGER})
WATCH: Final = SUPERVISORS | AUDIT
ADMINISTRATION: Final = frozenset({Role.ADMINISTRATOR})
# The cashier's part in what is owed and paid by hand has addresses of its own.
AT_TABLES: Final = staff_for(*names_at(ActPlace.LIVE, ActPlace.CLUSTER)) - {Role.CASHIER}

# By the name of the handler.
ACCESS: Final[dict[str, Roles]] = {
    # The house
    "get_house": ANYONE,
    "list_tables": ANYONE,
    "get_table": ANYONE,
    "get_felt": ANYONE,
    "get_rules": ANYONE,
    "list_rounds": ANYONE,
    "get_roads": ANYONE,
    "follow_table": ANYONE,
    # Terminals: these identify themselves by a code or a key
    "enrol_terminal": ANYONE,
    "demo_terminal": ANYONE,
    "terminal_socket": ANYONE,
    "new_terminal": staff_for("EnrolTerminal"),
    "list_terminals": PIT | AUDIT,
    "set_service": staff_for("SetService"),
    "hand_pay": staff_for("HandPay"),
    # Acts
    "act_at_table": AT_TABLES,
    "list_approvals": STAFF,
    "get_approval": STAFF,
    "get_effects": PIT | {Role.CASHIER} | AUDIT,
    "decide_approval": staff_for("ApproveRequest"),
    "console_socket": AT_TABLES,
    # The cage
    "list_drawers": CAGE | AUDIT,
    "open_drawer": staff_for("OpenDrawer"),
    "close_drawer": staff_for("CloseDrawer"),
    "sell_ticket": staff_for("SellTicket"),
    "get_issued": CAGE,
    "print_ticket": staff_for("PrintTicket"),
    "reprint_ticket": staff_for("PrintTicket"),
    "get_ticket": CAGE | AUDIT,
    "get_ticket_receipts": CAGE,
    "list_tickets": CAGE | AUDIT,
    "get_liability": CAGE | AUDIT,
    "redeem_ticket": staff_for("RedeemTicket"),
    "ask_payment": staff_for("RedeemTicket"),
    "void_ticket": staff_for("VoidTicket"),
    # Debts and unclaimed money
    "list_owed": PIT | CAGE | AUDIT,
    "get_owed_day": CAGE | AUDIT,
    "decide_owed": staff_for("CollectOwed", "PayUnclaimed"),
    # The pit
    "list_incidents": WATCH | ADMINISTRATION,
    "get_pit": WATCH,
    "get_day": PIT | AUDIT,
    "get_hold": WATCH,
    "get_takings": WATCH,
    "act_in_pit": staff_for(*names_at(ActPlace.PIT)),
    "seat_dealer": staff_for("SeatDealer"),
    "get_settings": PIT | AUDIT,
    "get_table_rules": PIT | AUDIT,
    "change_settings": staff_for("OpenTable"),
    "get_round": PIT | AUDIT,
    "get_pay_list": PIT | AUDIT,
    "get_meters": WATCH,
    "list_dice": PIT | AUDIT,
    "get_dice_rounds": PIT | AUDIT,
    # Players
    "find_players": CAGE,
    "register_player": staff_for("RegisterPlayer"),
    "get_player": PIT | {Role.CASHIER},
    "exclude_player": staff_for("ExcludePlayer"),
    "end_exclusion": staff_for("EndExclusion"),
    "set_player_limits": staff_for("SetPlayLimits"),
    "confirm_player_limits": staff_for("ConfirmPlayLimits"),
    "seat_player": staff_for("BeginPlay"),
    "erase_name": staff_for("RecordNameErased"),
    # Audit
    "audit_verify": AUDIT,
    "audit_export": AUDIT,
    "find_rounds": AUDIT,
    "list_refused": AUDIT,
    "list_significant": WATCH,
    "get_par": STAFF,
    # Staff
    "login": ANYONE,
    "open_login": ANYONE,
    "logout": staff_for("LogOut"),
    "me": STAFF,
    "change_password": staff_for("ChangePassword"),
    "offer_totp": STAFF,
    "set_totp": staff_for("SetTotp"),
    "list_staff": ADMINISTRATION,
    "add_staff": staff_for("AddStaff"),
    "change_staff": staff_for("ChangeRole"),
    "reset_password": staff_for("ResetPassword"),
    "get_policy": ADMINISTRATION,
    "set_policy": staff_for("SetStaffPolicy"),
    # Operations
    "livez": ANYONE,
    "readyz": ANYONE,
    "metrics": ANYONE,
    "openapi_file": ANYONE,
    "asyncapi_file": ANYONE,
    "docs_page": ANYONE,
    # Pages
    "index_page": ANYONE,
    "page": ANYONE,
    "web_manifest_file": ANYONE,
    "static_file": ANYONE,
    # Proofs: the log is everybody's, and a receipt is opened by its salt
    "log_file": ANYONE,
    "receipt_file": ANYONE,
    "verify_page": ANYONE,
}

# What somebody whose password or second factor is due may do all the same.
DUES_ALLOWED: Final = frozenset({"me", "logout", "change_password", "offer_totp", "set_totp"})
