"""Significant events: what a regulator wants to find at once, each with a code, its time and its device.

They are read out of the journal, so the list can be made again and nothing in it can be left out.
"""

from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from typing import Any, Final

import msgspec

from taisai.floor.streams import table_stream
from taisai.floor.views.attempts import refused_in
from taisai.record.journal import Commit, Event
from taisai.record.ports import InArchive, Store
from taisai.record.views import Rows

Body = dict[str, Any]


class Code(IntEnum):
    """One number for each kind of event; the hundreds are its class."""

    # Power and the system
    SYSTEM_STARTED = 101
    INCIDENT = 102
    # Money
    HAND_PAY = 201
    LARGE_WIN = 202
    LARGE_WAGER = 203
    LARGE_TRANSACTION = 204
    TICKET_VOIDED = 205
    COUNT_DIFFERS = 206
    TICKET_REPRINTED = 207
    # Terminals
    DOOR_OPENED = 301
    PRINTER_FAULT = 302
    OUT_OF_SERVICE = 303
    IN_SERVICE = 304
    TERMINAL_ENROLLED = 305
    TERMINAL_CUT_OFF = 306
    # Rounds
    ROUND_VOIDED = 401
    RESULT_CORRECTED = 402
    BETS_CORRECTED = 403
    RULING_MADE = 404
    DAMAGED_DICE = 405
    INTERRUPTED = 406
    DISPLAY_FAULT = 407
    READING_DIFFERED = 408
    BETS_REFUSED = 409
    # People
    LOGIN_FAILED = 501
    LOCKED_OUT = 502
    STAFF_CHANGED = 503
    PASSWORD_RESET = 504
    SECOND_FACTOR_REMOVED = 505
    STAFF_INCIDENT = 506
    # Settings
    TABLE_SETTINGS_CHANGED = 601
    STAFF_POLICY_CHANGED = 602
    DICE_CHANGED = 603
    INSPECTION_FAILED = 604
    # Players
    PLAYER_EXCLUDED = 701
    NAME_ERASED = 702
    # What ties the record to the outside
    KEY_ROTATED = 801
    WITNESS_MISSED = 802
    RESTORE_DECLARED = 803
    RECORD_ARCHIVED = 804


class Thresholds(msgspec.Struct, frozen=True, kw_only=True):
    """From which amounts on, in minor units, a win, a slip or a payment counts as large; none for never.

    `attempts` is how many refused bets of one player in one round are significant.
    """

    win: int | None = None
    wager: int | None = None
    transaction: int | None = None
    attempts: int | None = 10


class SignificantEvent(msgspec.Struct, frozen=True, kw_only=True):
    """One event. `device` is a terminal, a table or a stream; `at` is in microseconds since 1970 (UTC)."""

    code: Code
    name: str
    at: int
    device: str
    by: str = ""
    what: str = ""
    amount: int | None = None
    stream: str
    version: int


Found = tuple[Code, dict[str, Any]]
Reader = Callable[[Body, Thresholds], Iterator[Found]]


def _always(code: Code, *facts: str, device: str = "") -> Reader:
    """An event that always counts, with the fields that say what it was about."""

    def read(body: Body, thresholds: Thresholds) -> Iterator[Found]:
        said = ", ".join(str(body[name]) for name in facts if body.get(name) not in (None, ""))
        yield code, {"what": said, **({"device": body[device]} if device else {})}

    return read


def _is_large(amount: int, threshold: int | None) -> bool:
    return threshold is not None and amount >= threshold


def _payouts(body: Body, thresholds: Thresholds) -> Iterator[Found]:
    for player, paid in body["payouts"].items():
        if _is_large(paid, thresholds.win):
            yield Code.LARGE_WIN, {"what": player, "amount": paid}


def _copy(body: Body, thresholds: Thresholds) -> Iterator[Found]:
    if body["copy"] > 1:
        yield Code.TICKET_REPRINTED, {"what": body["reason"]}


def _slip(body: Body, thresholds: Thresholds) -> Iterator[Found]:
    staked = sum(body["slip"].values())
    if _is_large(staked, thresholds.wager):
        yield Code.LARGE_WAGER, {"what": body["player"], "amount": staked}


def _payment(body: Body, thresholds: Thresholds) -> Iterator[Found]:
    amount = body["amount"]
    device = {"device": body["terminal"]} if "terminal" in body else {}
    if body["type"] == "CreditsPaidOut" and body["ticket"] is None:
        yield Code.HAND_PAY, {"what": body["session"], "amount": amount, **device}
    if _is_large(amount, thresholds.transaction):
        who = body.get("session") or body.get("player") or body.get("ticket") or ""
        yield Code.LARGE_TRANSACTION, {"what": who, "amount": amount, **device}


_SERVICE: Final = {
    "door-open": Code.DOOR_OPENED,
    "printer-fault": Code.PRINTER_FAULT,
    "out-of-service": Code.OUT_OF_SERVICE,
    "in-service": Code.IN_SERVICE,
}


def _service(body: Body, thresholds: Thresholds) -> Iterator[Found]:
    yield _SERVICE[body["service"]], {"device": body["terminal"]}


def _absent(body: Body, thresholds: Thresholds) -> Iterator[Found]:
    if body["cut_off"]:
        yield Code.TERMINAL_CUT_OFF, {"what": body["player"]}


def _count(body: Body, thresholds: Thresholds) -> Iterator[Found]:
    difference = body.get("difference", body.get("variance_minor"))
    if difference:
        facts = {"what": body.get("box", "float"), "amount": difference}
        yield Code.COUNT_DIFFERS, {**facts, **({"device": body["table"]} if "table" in body else {})}


def _inspection(body: Body, thresholds: Thresholds) -> Iterator[Found]:
    if not body["passed"]:
        yield Code.INSPECTION_FAILED, {"what": body["note"], "device": body["table"]}


def _password(body: Body, thresholds: Thresholds) -> Iterator[Found]:
    if body.get("reset"):
        yield Code.PASSWORD_RESET, {"what": body["name"]}


def _second_factor(body: Body, thresholds: Thresholds) -> Iterator[Found]:
    if body["secret"] is None:
        yield Code.SECOND_FACTOR_REMOVED, {"what": body["name"]}


_READERS: Final[dict[str, Reader]] = {
    "DeskTaken": _always(Code.SYSTEM_STARTED),
    "IncidentNoted": _always(Code.INCIDENT, "number", "act", "error", device="desk"),
    "PayoutsMade": _payouts,
    "BetsPlaced": _slip,
    "PlayerPaidIn": _payment,
    "PlayerCashedOut": _payment,
    "CreditsBought": _payment,
    "CreditsPaidOut": _payment,
    "TicketSold": _payment,
    "TicketPaid": _payment,
    "CopyPrinted": _copy,
    "TicketCancelled": _always(Code.TICKET_VOIDED, "reason"),
    "FloatCounted": _count,
    "DropCounted": _count,
    "DrawerClosed": _count,
    "ServiceChanged": _service,
    "TerminalEnrolled": _always(Code.TERMINAL_ENROLLED, "label", device="terminal"),
    "PlayerAbsent": _absent,
    "RoundVoided": _always(Code.ROUND_VOIDED, "ground"),
    "ResultCorrected": _always(Code.RESULT_CORRECTED, "before", "after", "reason"),
    "BetsCorrected": _always(Code.BETS_CORRECTED, "player", "reason"),
    "RulingMade": _always(Code.RULING_MADE, "decision", "reason"),
    "DamagedDiceReported": _always(Code.DAMAGED_DICE, "dice_set", "reason"),
    "RoundInterrupted": _always(Code.INTERRUPTED),
    "SupervisorCalled": _always(Code.READING_DIFFERED, "declared", "read", "source"),
    "DisplayFaultRecorded": _always(Code.DISPLAY_FAULT, "what"),
    "LoginFailed": _always(Code.LOGIN_FAILED, "name", "why", "where"),
    "StaffLocked": _always(Code.LOCKED_OUT, "name"),
    "StaffAdded": _always(Code.STAFF_CHANGED, "name", "role"),
    "RoleChanged": _always(Code.STAFF_CHANGED, "name", "role"),
    "StaffDisabled": _always(Code.STAFF_CHANGED, "name", "reason"),
    "StaffEnabled": _always(Code.STAFF_CHANGED, "name"),
    "StaffUnlocked": _always(Code.STAFF_CHANGED, "name"),
    "PasswordSet": _password,
    "TotpChanged": _second_factor,
    "StaffIncidentDeclared": _always(Code.STAFF_INCIDENT, "operator", "act", "about", "reason"),
    "StaffPolicySet": _always(Code.STAFF_POLICY_CHANGED),
    "TableOpened": _always(Code.TABLE_SETTINGS_CHANGED),
    "ChangePlanned": _always(Code.TABLE_SETTINGS_CHANGED, "effective", "reason"),
    "ChangeCancelled": _always(Code.TABLE_SETTINGS_CHANGED, "reason"),
    "DicePutIn": _always(Code.DICE_CHANGED, "dice_set", device="table"),
    "DiceTakenOut": _always(Code.DICE_CHANGED, "dice_set", "why", device="table"),
    "DiceInspected": _inspection,
    "ShakerInspected": _inspection,
    "PlayerExcluded": _always(Code.PLAYER_EXCLUDED, "player"),
    "NameErased": _always(Code.NAME_ERASED, "player"),
    "KeyRotated": _always(Code.KEY_ROTATED, "old", "new", "reason", device="writer"),
    "WitnessMissed": _always(Code.WITNESS_MISSED, "why"),
    "RestoreDeclared": _always(Code.RESTORE_DECLARED, "by", "second", "reason"),
    "RecordArchived": _always(Code.RECORD_ARCHIVED, "by", "second", "reason", "name"),
}


def significant(stored: Event, thresholds: Thresholds) -> list[SignificantEvent]:
    """What is significant about an event of the journal, if anything."""
    reader = _READERS.get(stored.type)
    if reader is None:
        return []
    if not stored.body:
        raise InArchive(f"{stored.stream} version {stored.version}")
    body = msgspec.json.decode(stored.body)
    body = body.get("event", body)  # an event of a round travels inside the table's
    by = body.get("by") or {}
    name = by if isinstance(by, str) else by.get("name", "")
    return [
        SignificantEvent(
            code=code,
            name=code.name.lower(),
            at=stored.at,
            by=name,
            stream=stored.stream,
            version=stored.version,
            **{"device": stored.stream.partition(":")[2] or stored.stream, **facts},
        )
        for code, facts in reader(body, thresholds)
    ]


def refused_often(commit: Commit, thresholds: Thresholds) -> Iterator[SignificantEvent]:
    """Players whose refused bets in a round have just become as many as the threshold says."""
    for refused in refused_in(commit):
        tried = refused.attempt
        if tried.nth == thresholds.attempts:
            late = "" if tried.late_ms is None else f", {tried.late_ms} ms late"
            yield SignificantEvent(
                code=Code.BETS_REFUSED,
                name=Code.BETS_REFUSED.name.lower(),
                at=tried.at,
                device=tried.table,
                by=tried.by.name,
                what=f"{tried.player} in round {tried.round}: {tried.nth} refused, {refused.code}{late}",
                amount=sum(tried.slip.values()),
                stream=table_stream(tried.table),
                version=0,
            )


_encode = msgspec.json.Encoder(order="deterministic").encode
_decode = msgspec.json.Decoder(SignificantEvent).decode


# Time counts down in the keys, so that the newest event stands first.
_LATEST: Final = 10**20 - 1
# The row that says by which thresholds the others were chosen; it follows all of them.
_THRESHOLDS: Final = "thresholds"


class SignificantEvents:
    """The list as a read model of the journal, newest first."""

    name = "significant"

    def __init__(self, thresholds: Thresholds | None = None) -> None:
        self.thresholds = thresholds or Thresholds()

    def keys(self, commit: Commit) -> Iterable[str]:
        return [_THRESHOLDS, *(key for key, _ in self._found(commit))]

    def apply(self, commit: Commit, rows: Rows) -> None:
        rows[_THRESHOLDS] = _encode(self.thresholds)
        rows.update({key: _encode(found) for key, found in self._found(commit)})

    def _found(self, commit: Commit) -> Iterator[tuple[str, SignificantEvent]]:
        for stored in commit.events:
            for place, found in enumerate(significant(stored, self.thresholds)):
                yield f"{_LATEST - found.at:020d}/{stored.stream}/{stored.version:010d}/{place}", found
        for found in refused_often(commit, self.thresholds):
            yield f"{_LATEST - found.at:020d}/{found.stream}/{0:010d}/{found.what}", found


async def kept_thresholds(store: Store) -> Thresholds | None:
    """The thresholds by which a store's list was made; none where there is no list."""
    rows = await store.view_get(SignificantEvents.name, [_THRESHOLDS])
    return msgspec.json.decode(rows[_THRESHOLDS], type=Thresholds) if _THRESHOLDS in rows else None


async def agree_on_thresholds(store: Store, view: SignificantEvents) -> None:
    """Let a list that was made by other thresholds be made again."""
    if await kept_thresholds(store) not in (None, view.thresholds):
        await store.view_clear(view.name)


async def newest_significant(
    store: Store, *, after: str = "", limit: int, code: Code | None = None, device: str = ""
) -> tuple[list[SignificantEvent], str | None]:
    """A page of the list, and where the next one begins, if there is one."""
    found: list[SignificantEvent] = []
    last = after
    async for key, row in store.view_rows(SignificantEvents.name, after=after):
        if key == _THRESHOLDS:
            continue
        if len(found) == limit:
            return found, last
        last = key
        event = _decode(row)
        if code in (None, event.code) and device in ("", event.device):
            found.append(event)
    return found, None
