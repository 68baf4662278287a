"""Checking a receipt, in a fixed order, and saying what was proved and no more."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from taisai.dice import Roll
from taisai.errors import InputError
from taisai.game.awards import award
from taisai.proof.dice import commitment, committed_dice, share_text
from taisai.proof.entries import INTEGER_MAX, Closing, Opening, Result, read_entry
from taisai.proof.merkle import extends, includes, leaf_hash
from taisai.proof.notes import (
    LogCheckpoint,
    NoteKey,
    SignedNote,
    Verify,
    cosigners,
    is_by,
    is_signed,
    read_checkpoint,
    read_note,
)
from taisai.proof.receipt import (
    NoReceipt,
    ReadResult,
    Receipt,
    read_bytes,
    read_proof,
    read_receipt,
    read_result,
    read_slip,
)
from taisai.proof.rounds import RoundName, leaf_of, results_context
from taisai.rulebooks.model import PayTable

LANGUAGES: Final = ("en", "zh-Hant", "zh-Hans")
_FUTURE_SECONDS: Final = 600
_WHICH: Final = {
    "en": {
        "first": "first",
        "second": "second",
        "opening": "opening",
        "closing": "closing",
        "result": "result",
    },
    "zh-Hant": {
        "first": "第一個",
        "second": "第二個",
        "opening": "開局",
        "closing": "截止",
        "result": "結果",
    },
    "zh-Hans": {
        "first": "第一个",
        "second": "第二个",
        "opening": "开局",
        "closing": "截止",
        "result": "结果",
    },
}

FindPayTable = Callable[[str], PayTable | None]


@cache
def sayings() -> dict[str, dict[str, str]]:
    """The sentences of all verifiers, by language."""
    raw = (files("taisai.proof") / "sayings.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = json.loads(raw)
    return found


class Saying(NamedTuple):
    """One thing that is said: which, and its facts."""

    id: str
    facts: dict[str, Any]

    def text(self, language: str = "en") -> str:
        """The sentence."""
        facts = dict(self.facts)
        if "which" in facts:
            facts["which"] = _WHICH[language][facts["which"]]
        if facts.get("stakes") == "":
            facts["stakes"] = sayings()[language]["withdrawn"]
        return sayings()[language][self.id].format(**facts)


class Verdict(NamedTuple):
    """What came of a check: 0 proved, 1 something does not fit, 2 no receipt; and what is said of it."""

    code: int
    said: list[Saying]

    def sentences(self, language: str = "en") -> list[str]:
        return [saying.text(language) for saying in self.said]


class _Wrong(Exception):
    """Something does not fit."""

    def __init__(self, name: str, **facts: Any) -> None:
        self.saying = Saying(name, facts)


@dataclass
class _Read:
    """A receipt with all its parts read."""

    opening: Opening
    closing: Closing
    result: Result
    before: SignedNote
    after: SignedNote
    first: LogCheckpoint
    second: LogCheckpoint
    slip: tuple[str, int, dict[str, int]]
    outcome: ReadResult
    proofs: dict[str, list[bytes]] = field(default_factory=dict)
    salts: tuple[bytes, bytes] = (b"", b"")


def check_receipt(
    raw: bytes,
    key: NoteKey,
    verify: Verify,
    *,
    now: int,
    witnesses: Sequence[NoteKey] = (),
    find_pay_table: FindPayTable = lambda digest: None,
) -> Verdict:
    """Check a receipt by the house's key; `now` is in seconds since 1970."""
    try:
        receipt = read_receipt(raw)
        read = _parts(receipt)
    except (NoReceipt, InputError):
        return Verdict(2, [Saying("malformed", {})])
    try:
        said = list(_checked(receipt, read, key, verify, now, witnesses, find_pay_table))
    except _Wrong as wrong:
        return Verdict(1, [wrong.saying])
    return Verdict(0, said)


def _parts(receipt: Receipt) -> _Read:
    """Check 1: everything has its form."""
    opening, closing = _entry(receipt.opening.entry, Opening), _entry(receipt.closing.entry, Closing)
    result = _entry(receipt.result.entry, Result)
    _hex(opening.commitment, {0, 32})
    _hex(result.secret, {0, 32})
    _hex(result.share, {0, 64})
    for text in (closing.root, result.root):
        _hex(text, {32})
    if result.dice is not None and (len(result.dice) != 3 or not all(1 <= die <= 6 for die in result.dice)):
        raise NoReceipt
    if result.dice is None and not result.clause.startswith(("void ", "ruled ")):
        raise NoReceipt
    before, after = read_note(receipt.before), read_note(receipt.after)
    read = _Read(
        opening,
        closing,
        result,
        before,
        after,
        read_checkpoint(before.text),
        read_checkpoint(after.text),
        read_slip(receipt.slip.body),
        read_result(receipt.result.body),
    )
    read.proofs = {
        "opening": read_proof(receipt.opening.proof),
        "closing": read_proof(receipt.closing.proof),
        "result": read_proof(receipt.result.proof),
        "slip": read_proof(receipt.slip.proof),
        "path": read_proof(receipt.result.path),
        "consistency": read_proof(receipt.consistency),
    }
    read.salts = (read_bytes(receipt.slip.salt, 16), read_bytes(receipt.result.salt, 16))
    return read


def _entry(text: str, kind: type) -> Any:
    entry = read_entry(text.encode())
    if not isinstance(entry, kind):
        raise NoReceipt
    numbers = [value for value in entry if type(value) is int]
    if not all(0 <= value <= INTEGER_MAX for value in numbers):
        raise NoReceipt
    return entry


def _hex(text: str, sizes: set[int]) -> None:
    try:
        raw = bytes.fromhex(text)
    except ValueError:
        raise NoReceipt from None
    if len(raw) not in sizes or raw.hex() != text:
        raise NoReceipt


def _checked(
    receipt: Receipt,
    read: _Read,
    key: NoteKey,
    verify: Verify,
    now: int,
    witnesses: Sequence[NoteKey],
    find_pay_table: FindPayTable,
) -> Iterator[Saying]:
    for which, signed in (("first", read.first), ("second", read.second)):
        if signed.origin != key.name:
            raise _Wrong("origin", found=signed.origin, expected=key.name)
        if not is_signed(read.before if which == "first" else read.after, key, verify):
            raise _Wrong("house_signature", which=which)
    seen = cosigners(read.before, witnesses, verify)
    if seen is None:
        raise _Wrong("witness_signature", which="first")
    later = cosigners(read.after, witnesses, verify)
    if later is None:
        raise _Wrong("witness_signature", which="second")
    _in_log(receipt, read)
    name, context = _one_round(read, key.name)
    _slip_in_tree(receipt, read, context)
    dice = _dice(read, name, context, witnesses, verify)
    yield _registered(receipt, read)
    _result_in_tree(receipt, read, context)
    pay_table = find_pay_table(read.opening.pay_table)
    _payment(read, pay_table)
    if any(each.time > now + _FUTURE_SECONDS for each in (*seen, *later)):
        raise _Wrong("future")
    if read.outcome.corrected is not None:
        yield Saying("corrected", {"stakes": _stakes(read.outcome.corrected)})
    # A checkpoint that holds the result too shows nothing of what came first.
    before_dice = seen if read.first.size <= receipt.result.index else []
    for each in before_dice:
        yield Saying("seen", {"witness": each.name, "time": _time(each.time)})
    if not before_dice:
        yield Saying("unseen", {})
    others = _others(read, key, witnesses)
    if others:
        yield Saying("others", {"names": ", ".join(others)})
    yield dice
    yield from _paid(read)
    if read.result.dice is not None:
        yield Saying("recomputed" if pay_table else "not_recomputed", {})
    yield Saying(
        "as_of",
        {
            "entry": receipt.result.index,
            "size": read.second.size,
            "origin": key.name,
            "attempt": read.result.attempt,
        },
    )


def _in_log(receipt: Receipt, read: _Read) -> None:
    """Check 5: three entries in their order, in two checkpoints of one log."""
    opening, closing, result = receipt.opening.index, receipt.closing.index, receipt.result.index
    first, second = read.first, read.second
    if not (opening < closing < first.size and closing < result < second.size):
        raise _Wrong("order")
    for which, place, signed in (
        ("opening", receipt.opening, first),
        ("closing", receipt.closing, first),
        ("result", receipt.result, second),
    ):
        leaf = leaf_hash(place.entry.encode())
        if not includes(leaf, place.index, signed.size, read.proofs[which], signed.root):
            raise _Wrong("inclusion", which=which)
    if not extends(first.size, second.size, first.root, second.root, read.proofs["consistency"]):
        raise _Wrong("consistency")


def _one_round(read: _Read, origin: str) -> tuple[RoundName, bytes]:
    """Check 6: the entries name each other."""
    opening, closing, result = read.opening, read.closing, read.result
    where = (opening.table, opening.number)
    if (closing.table, closing.number) != where or (result.table, result.number) != where:
        raise _Wrong("mismatch")
    name = RoundName(
        origin=origin,
        table=opening.table,
        number=opening.number,
        opened_at=opening.opened_at,
        rulebook_digest=opening.rulebook,
        pay_table_digest=opening.pay_table,
        commitment=bytes.fromhex(opening.commitment),
    )
    return name, name.context()


def _slip_in_tree(receipt: Receipt, read: _Read, context: bytes) -> None:
    """Checks 6 and 7: the indices that entries name, and the slip under the closing's root."""
    if (
        read.closing.opening_index != receipt.opening.index
        or read.result.closing_index != receipt.closing.index
    ):
        raise _Wrong("mismatch")
    leaf = leaf_of(context, read.salts[0], receipt.slip.body.encode())
    root, size = bytes.fromhex(read.closing.root), read.closing.slips
    if not includes(leaf, receipt.slip.index, size, read.proofs["slip"], root):
        raise _Wrong("slip")


def _dice(
    read: _Read, name: RoundName, context: bytes, witnesses: Sequence[NoteKey], verify: Verify
) -> Saying:
    """Check 8: the secret is the committed one, and the dice follow unless people declared them."""
    result, clause = read.result, read.result.clause
    secret, share = bytes.fromhex(result.secret), bytes.fromhex(result.share)
    if name.commitment and commitment(name.origin, name.table, name.number, secret) != name.commitment:
        raise _Wrong("commitment")
    if result.dice is None:
        kind, _, by = clause.partition(" ")
        return Saying(kind, {"clause": by})
    roll = Roll(*result.dice)
    if clause.startswith("corrected "):
        return Saying("ruled_dice", {"dice": str(roll), "clause": clause.partition(" ")[2]})
    if not name.commitment:
        return Saying("declared", {"dice": str(roll)})
    if committed_dice(secret, context, bytes.fromhex(read.closing.root), share) != roll:
        raise _Wrong("dice")
    if not share:
        return Saying("committed", {"dice": str(roll)})
    text = _share_text(read, name)
    for witness in witnesses:
        if verify(witness.public, share, text):
            return Saying("chosen_by_nobody", {"dice": str(roll), "witness": witness.name})
    return Saying("unknown_share", {"dice": str(roll)})


def _share_text(read: _Read, name: RoundName) -> bytes:
    from base64 import b64encode

    root = b64encode(bytes.fromhex(read.closing.root)).decode()
    return share_text(name.origin, name.table, name.number, b64encode(name.commitment).decode(), root)


def _result_in_tree(receipt: Receipt, read: _Read, context: bytes) -> None:
    """Check 9: what the slip brought is under the result's root, and is that of the same slip."""
    result, outcome = read.result, read.outcome
    said = "-".join(map(str, result.dice)) if result.dice else result.clause.partition(" ")[0]
    context = results_context(context, bytes.fromhex(read.closing.root), result.attempt, said)
    leaf = leaf_of(context, read.salts[1], receipt.result.body.encode())
    root = bytes.fromhex(result.root)
    if not includes(leaf, receipt.slip.index, result.results, read.proofs["path"], root):
        raise _Wrong("result")
    player, version, stakes = read.slip
    boxes = stakes if outcome.corrected is None else outcome.corrected
    sizes = {len(boxes), len(outcome.effective), len(outcome.back), len(outcome.clauses)}
    if (outcome.player, outcome.version) != (player, version) or len(sizes) != 1:
        raise _Wrong("other_slip")
    if sum(outcome.back) != outcome.returned:
        raise _Wrong("other_slip")


def _payment(read: _Read, pay_table: PayTable | None) -> None:
    """Check 10: what came back is what the pay table gives for what counted."""
    if pay_table is None or read.result.dice is None:
        return
    roll, outcome = Roll(*read.result.dice), read.outcome
    stakes = read.slip[2] if outcome.corrected is None else outcome.corrected
    for (box, stake), counted, back in zip(stakes.items(), outcome.effective, outcome.back, strict=True):
        known = pay_table.by_id.get(box)
        if known is None or counted > stake or back != stake - counted + award(known, roll, counted).returned:
            raise _Wrong("payment", box=box)


def _registered(receipt: Receipt, read: _Read) -> Saying:
    player, _, stakes = read.slip
    return Saying(
        "registered",
        {
            "place": receipt.slip.index + 1,
            "slips": read.closing.slips,
            "round": read.opening.number,
            "table": read.opening.table,
            "player": player,
            "stakes": _stakes(stakes),
            "time": _time(read.closing.at // 1_000_000),
        },
    )


def _paid(read: _Read) -> Iterator[Saying]:
    outcome = read.outcome
    stakes = read.slip[2] if outcome.corrected is None else outcome.corrected
    for (box, stake), clauses, back in zip(stakes.items(), outcome.clauses, outcome.back, strict=True):
        yield Saying("paid", {"bet": f"{box} {stake}", "clauses": clauses, "returned": back})
    yield Saying("got", {"returned": outcome.returned})


def _others(read: _Read, key: NoteKey, witnesses: Sequence[NoteKey]) -> list[str]:
    """Names of lines by keys that are not known."""
    lines = (*read.before.lines, *read.after.lines)
    known = (key, *witnesses)
    return sorted({line.name for line in lines if not any(is_by(line, each) for each in known)})


def _stakes(stakes: dict[str, int]) -> str:
    return ", ".join(f"{box} {stake}" for box, stake in stakes.items())


def _time(seconds: int) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (ValueError, OverflowError, OSError):
        return f"{seconds} s"
