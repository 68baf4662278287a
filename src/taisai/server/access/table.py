"""Who may use which address: one table, read by the guard and walked by the tests."""

from typing import Final

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
    "new_terminal": SUPERVISORS,
    "list_terminals": PIT | AUDIT,
    "set_service": PIT,
    "hand_pay": PIT | {Role.CASHIER},
    # Acts
    "act_at_table": PIT,
    "list_approvals": PIT | {Role.CASHIER} | AUDIT,
    "get_approval": PIT | {Role.CASHIER} | AUDIT,
    "decide_approval": PIT | {Role.CASHIER},
    "console_socket": PIT,
    # The cage
    "list_drawers": CAGE | AUDIT,
    "open_drawer": CAGE,
    "close_drawer": CAGE,
    "sell_ticket": CAGE,
    "get_issued": CAGE,
    "print_ticket": CAGE,
    "reprint_ticket": CAGE,
    "get_ticket": CAGE | AUDIT,
    "list_tickets": CAGE | AUDIT,
    "get_liability": CAGE | AUDIT,
    "redeem_ticket": CAGE,
    "ask_payment": CAGE,
    "void_ticket": CAGE,
    # Debts and unclaimed money
    "list_owed": PIT | CAGE | AUDIT,
    "get_owed_day": CAGE | AUDIT,
    "decide_owed": PIT | CAGE,
    # The pit
    "list_incidents": WATCH | ADMINISTRATION,
    "get_pit": WATCH,
    "get_day": PIT | AUDIT,
    "get_hold": WATCH,
    "act_in_pit": PIT | {Role.CASHIER},
    "seat_dealer": PIT,
    "get_settings": PIT | AUDIT,
    "change_settings": SUPERVISORS,
    "get_round": PIT | AUDIT,
    "get_meters": WATCH,
    # Players
    "find_players": CAGE,
    "register_player": PIT | {Role.CASHIER},
    "get_player": PIT | {Role.CASHIER},
    "exclude_player": PIT | {Role.CASHIER},
    "end_exclusion": SUPERVISORS,
    "set_player_limits": PIT | {Role.CASHIER},
    "confirm_player_limits": PIT | {Role.CASHIER},
    "seat_player": PIT | {Role.CASHIER},
    "erase_name": frozenset({Role.SHIFT_MANAGER, Role.CASINO_MANAGER, Role.ADMINISTRATOR}),
    # Audit
    "audit_verify": AUDIT,
    "audit_export": AUDIT,
    "list_significant": WATCH,
    "get_par": STAFF,
    # Staff
    "login": ANYONE,
    "logout": STAFF,
    "me": STAFF,
    "change_password": STAFF,
    "offer_totp": STAFF,
    "set_totp": STAFF,
    "list_staff": ADMINISTRATION,
    "add_staff": ADMINISTRATION,
    "change_staff": ADMINISTRATION,
    "reset_password": ADMINISTRATION,
    "get_policy": ADMINISTRATION,
    "set_policy": ADMINISTRATION,
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
}

# What somebody whose password or second factor is due may do all the same.
DUES_ALLOWED: Final = frozenset({"me", "logout", "change_password", "offer_totp", "set_totp"})
