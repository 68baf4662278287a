"""Why an act is refused: a closed list of codes in order of precedence, each with clause and facts.

When several faults meet in one act, the refusal names the one that stands first in `RefusalCode`.
"""

from enum import StrEnum
from typing import Any

import msgspec

from taisai.errors import TaisaiError
from taisai.rulebooks.model import HOUSE


class RefusalCode(StrEnum):
    """What stands in the way. The order of this list is the order in which acts are checked."""

    # The table, what its rulebook has, and where the round stands
    TABLE_CLOSED = "table_closed"
    ROUND_UNKNOWN = "round_unknown"
    ROUND_TOO_SOON = "round_too_soon"
    NOT_IN_THIS_RULEBOOK = "not_in_this_rulebook"
    NOT_AT_THIS_TABLE = "not_at_this_table"
    ROUND_NOT_OPEN = "round_not_open"
    BETTING_OPEN = "betting_open"
    BETTING_CLOSED = "betting_closed"
    ROLL_DECLARED = "roll_declared"
    ROUND_SETTLED = "round_settled"
    ROUND_CONCLUDED = "round_concluded"
    ROUND_VOID = "round_void"
    ROUND_INTERRUPTED = "round_interrupted"
    AWAITING_RULING = "awaiting_ruling"
    # Who asks
    ROLE_NOT_ALLOWED = "role_not_allowed"
    SECOND_PERSON_MISSING = "second_person_missing"
    SECOND_PERSON_IS_FIRST = "second_person_is_first"
    SECOND_PERSON_NOT_ALLOWED = "second_person_not_allowed"
    REASON_MISSING = "reason_missing"
    # Opening
    RULES_NOT_IN_FORCE = "rules_not_in_force"
    DIGEST_DIFFERS = "digest_differs"
    LIMITS_INVALID = "limits_invalid"
    UNIT_UNPAYABLE = "unit_unpayable"
    # Bets
    SLIP_STALE = "slip_stale"
    SLIP_DIFFERS = "slip_differs"
    PLAYER_UNKNOWN = "player_unknown"
    COLOUR_CHIPS_NOT_USED = "colour_chips_not_used"
    BOX_UNKNOWN = "box_unknown"
    STAKE_INVALID = "stake_invalid"
    STAKE_NOT_IN_UNITS = "stake_not_in_units"
    BELOW_MINIMUM = "below_minimum"
    ABOVE_MAXIMUM = "above_maximum"
    BOX_FULL = "box_full"
    NO_EXCESS = "no_excess"
    EXCESS_UNDECIDED = "excess_undecided"
    NOT_BELOW_MINIMUM = "not_below_minimum"
    PLAYER_NOT_ADVISED = "player_not_advised"
    # Irregularities
    GROUND_NOT_HERE = "ground_not_here"
    ROUND_NOT_AFFECTED = "round_not_affected"
    TOO_MANY_ROUNDS = "too_many_rounds"
    # Dice
    ALREADY_TUMBLED = "already_tumbled"
    ALREADY_EXPOSED = "already_exposed"
    ALREADY_COVERED = "already_covered"
    NOT_COVERED = "not_covered"
    NOT_TUMBLED = "not_tumbled"
    NOT_EXPOSED = "not_exposed"
    DICE_INVALID = "dice_invalid"
    CONTRADICTS_KNOWN_FACES = "contradicts_known_faces"
    READING_DIFFERS = "reading_differs"
    SAME_RESULT = "same_result"
    NOTHING_CHANGES = "nothing_changes"
    # Colour chips
    COLOUR_TAKEN = "colour_taken"
    COLOUR_NOT_YOURS = "colour_not_yours"
    VALUE_FIXED = "value_fixed"
    TOO_MANY_CHIPS = "too_many_chips"
    NOTHING_TO_COLLECT = "nothing_to_collect"
    # Money
    AMOUNT_INVALID = "amount_invalid"
    FUNDS_INSUFFICIENT = "funds_insufficient"
    BETS_LYING = "bets_lying"
    PLAYER_GONE = "player_gone"
    OWED_FIRST = "owed_first"
    UNCLAIMED_WAITS = "unclaimed_waits"
    # Seats at a live table
    SEAT_UNKNOWN = "seat_unknown"
    SEAT_TAKEN = "seat_taken"
    # Terminals, tickets and the cage
    TERMINALS_FULL = "terminals_full"
    TERMINAL_UNKNOWN = "terminal_unknown"
    TERMINAL_OUT_OF_SERVICE = "terminal_out_of_service"
    SESSION_UNKNOWN = "session_unknown"
    TICKET_UNKNOWN = "ticket_unknown"
    TICKET_REDEEMED = "ticket_redeemed"
    TICKET_EXPIRED = "ticket_expired"
    TICKET_VOID = "ticket_void"
    TICKET_PENDING = "ticket_pending"
    TICKET_TOO_LARGE = "ticket_too_large"
    IDENTITY_MISSING = "identity_missing"
    DRAWER_NOT_OPEN = "drawer_not_open"
    DRAWER_OPEN = "drawer_open"
    # Staff and their sessions
    LOGIN_FAILED = "login_failed"
    LOGIN_LOCKED = "login_locked"
    SESSION_ENDED = "session_ended"
    PASSWORD_DUE = "password_due"  # noqa: S105 - a code, not a password
    PASSWORD_WEAK = "password_weak"  # noqa: S105 - a code, not a password
    NAME_INVALID = "name_invalid"
    STAFF_UNKNOWN = "staff_unknown"
    STAFF_EXISTS = "staff_exists"
    LAST_ADMINISTRATOR = "last_administrator"
    SETTING_INVALID = "setting_invalid"
    # Approvals by a second person
    APPROVAL_UNKNOWN = "approval_unknown"
    APPROVAL_CLOSED = "approval_closed"
    APPROVAL_EXPIRED = "approval_expired"
    APPROVALS_FULL = "approvals_full"
    ASKER_GONE = "asker_gone"
    SECOND_IS_THERE = "second_is_there"
    # Players' exclusions and limits
    PLAYER_NOT_REGISTERED = "player_not_registered"
    PLAYER_REGISTERED = "player_registered"
    PLAYER_EXCLUDED = "player_excluded"
    EXCLUSION_STANDS = "exclusion_stands"
    LIMITS_WAIT = "limits_wait"
    PLAY_LIMIT_REACHED = "play_limit_reached"
    PLAY_TIME_REACHED = "play_time_reached"
    REALITY_CHECK_DUE = "reality_check_due"
    # The pit's day
    DAY_NOT_OPEN = "day_not_open"
    DAY_OPEN = "day_open"
    SHIFT_NOT_OPEN = "shift_not_open"
    COUNT_MISSING = "count_missing"
    DEALER_MISSING = "dealer_missing"
    INSPECTION_MISSING = "inspection_missing"
    DICE_SET_MISSING = "dice_set_missing"
    DICE_SET_IN_USE = "dice_set_in_use"
    DICE_SET_FAILED = "dice_set_failed"
    DICE_IN_PLAY = "dice_in_play"


class Refusal(msgspec.Struct, frozen=True, kw_only=True, tag="Refusal", tag_field="type"):
    """An act that a clause (or `house` procedure) forbids, with the facts that a person needs."""

    code: RefusalCode
    clause: str
    facts: dict[str, Any] = {}
    v: int = 1


def by_house(code: RefusalCode, **facts: Any) -> Refusal:
    """A refusal by the house's own procedure, of which no clause speaks."""
    return Refusal(code=code, clause=HOUSE, facts=facts)


class Refused(TaisaiError):
    """A refusal, raised at the library's edge."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        facts = ", ".join(f"{name} {value}" for name, value in refusal.facts.items())
        super().__init__(f"{refusal.code} ({refusal.clause}){': ' if facts else ''}{facts}")
