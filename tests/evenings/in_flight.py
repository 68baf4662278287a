"""What somebody has asked for and not been answered when a fault strikes, in groups of what people do."""

# Acts of people, by what is under way in the house meanwhile.
IN_FLIGHT: dict[str, tuple[str, ...]] = {
    "a bet": (
        "bet", "bet_wrong", "take_back", "bet_twice", "bet_and_go", "slip_twice", "altered", "again",
    ),
    "money at a terminal or a table": ("cash_in", "cash_out", "ticket_in", "buy_in"),
    "an act of the round": (
        "next", "by_http", "out_of_order", "early", "remark", "extend", "reading", "excess", "round_acts",
    ),
    "an irregularity": (
        "void", "interrupt", "ask_second", "correct", "rule", "leave_owing", "walk_off", "owed",
    ),
    "seats and colour chips": ("seat", "colour", "missing"),
    "an approval": ("decide",),
    "settings of a table": ("settings", "close_table"),
    "terminals": ("hand_pay", "service", "terminal"),
    "the cage": ("drawer", "sell", "redeem", "ask_payment", "void_ticket", "print", "reprint", "guess"),
    "the pit's day": ("pit_acts", "prepare", "whole_day", "alarm"),
    "players and their limits": ("player", "limits", "confirm"),
    "the staff list": (
        "add", "change", "policy", "reset", "newcomer", "second_factor", "wrong_login", "forbidden",
        "log_out",
    ),
    "the audit": ("verify", "export", "significant", "search"),
    "a look": ("look", "rounds", "tickets", "dice", "receipt"),
    "a word without an answer": ("ping", "attendant", "hang_up", "nonsense", "ready"),
}  # fmt: skip
# Said, and nobody waits: nothing is in flight.
NO_WAIT = ("a word without an answer",)
GROUP_OF = {act: group for group, acts in IN_FLIGHT.items() for act in acts}
