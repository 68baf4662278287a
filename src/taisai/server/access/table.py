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

# The acts that an address does: whoever may do one of them may use it.
DOES: Final[dict[str, tuple[str, ...]]] = {
    "new_terminal": ("EnrolTerminal",),
    "set_service": ("SetService",),
    "hand_pay": ("HandPay",),
    "decide_approval": ("ApproveRequest",),
    "open_drawer": ("OpenDrawer",),
    "close_drawer": ("CloseDrawer",),
    "sell_ticket": ("SellTicket",),
    "print_ticket": ("PrintTicket",),
    "reprint_ticket": ("PrintTicket",),
    "redeem_ticket": ("RedeemTicket",),
    "ask_payment": ("RedeemTicket",),
    "void_ticket": ("VoidTicket",),
    "decide_owed": (
        "CollectOwed",
        "PayUnclaimed",
    ),
    "seat_dealer": ("SeatDealer",),
    "change_settings": ("OpenTable",),
    "register_player": ("RegisterPlayer",),
    "exclude_player": ("ExcludePlayer",),
    "end_exclusion": ("EndExclusion",),
    "set_player_limits": ("SetPlayLimits",),
    "confirm_player_limits": ("ConfirmPlayLimits",),
    "seat_player": ("BeginPlay",),
    "erase_name": ("RecordNameErased",),
    "logout": ("LogOut",),
    "change_password": ("ChangePassword",),
    "set_totp": ("SetTotp",),
    "add_staff": ("AddStaff",),
    "change_staff": ("ChangeRole",),
    "reset_password": ("ResetPassword",),
    "set_policy": ("SetStaffPolicy",),
    "act_in_pit": names_at(ActPlace.PIT),
}

# By the name of the handler.
ACCESS: Final[dict[str, Roles]] = {
    **{name: staff_for(*acts) for name, acts in DOES.items()},
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
    "list_terminals": PIT | AUDIT,
    # Acts
    "act_at_table": AT_TABLES,
    "list_approvals": STAFF,
    "get_approval": STAFF,
    "get_effects": PIT | {Role.CASHIER} | AUDIT,
    "console_socket": AT_TABLES,
    # The cage
    "list_drawers": CAGE | AUDIT,
    "get_issued": CAGE,
    "get_ticket": CAGE | AUDIT,
    "get_ticket_receipts": CAGE,
    "list_tickets": CAGE | AUDIT,
    "get_liability": CAGE | AUDIT,
    # Debts and unclaimed money
    "list_owed": PIT | CAGE | AUDIT,
    "get_owed_day": CAGE | AUDIT,
    # The pit
    "list_incidents": WATCH | ADMINISTRATION,
    "get_pit": WATCH,
    "get_day": PIT | AUDIT,
    "get_hold": WATCH,
    "get_takings": WATCH,
    "get_settings": PIT | AUDIT,
    "get_table_rules": PIT | AUDIT,
    "get_round": PIT | AUDIT,
    "get_pay_list": PIT | AUDIT,
    "get_meters": WATCH,
    "list_dice": PIT | AUDIT,
    "get_dice_rounds": PIT | AUDIT,
    # Players
    "find_players": CAGE,
    "get_player": PIT | {Role.CASHIER},
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
    "me": STAFF,
    "offer_totp": STAFF,
    "list_staff": ADMINISTRATION,
    "get_policy": ADMINISTRATION,
    "get_installation": ADMINISTRATION,
    "get_health": ADMINISTRATION,
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
