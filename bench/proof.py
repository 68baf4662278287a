"""Proofs: what each tree costs a slip, one bet's proof in a round of a million, and the size of a receipt.

The baseline is SHA-256 itself over as many bytes: a tree needs some five hashes a slip.
"""

from base64 import b64encode
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from statistics import median
from time import process_time

from taisai.dice import Roll
from taisai.floor.table.notary import RoundNotary
from taisai.game import events as ev
from taisai.game.evolve import evolve
from taisai.game.limits import house_limits
from taisai.game.people import Actor, Role
from taisai.game.round import shipped_rules
from taisai.game.state import RoundState
from taisai.proof.entries import Closing, Opening, Result, spelled
from taisai.proof.merkle import includes
from taisai.proof.notes import NoteLine, SignedNote
from taisai.proof.receipt import (
    FORMAT,
    LoggedEntry,
    ProvenResult,
    ProvenSlip,
    Receipt,
    proof_text,
    receipt_bytes,
)
from taisai.proof.rounds import SLIPS, RoundName, Salts, slip_body

SLIPS_TIMED, SLIPS_LARGE = 50_000, 1_000_000
PASSES = 5
LOG_LEVELS = 24  # of a log of ten million entries
AT = datetime(2026, 1, 1, tzinfo=UTC)
BY = Actor("bench", Role.SYSTEM)


def played(slips: int) -> RoundState:
    """A round with four bets on every slip, closed and declared."""
    rulebook, pay_table = shipped_rules("sic-bo-etg-v8/1")
    state = RoundState(rulebook, pay_table)
    opened = ev.BettingOpened(
        by=BY,
        at=AT,
        clause="",
        table="T1",
        number=1,
        rulebook=rulebook.id,
        rulebook_digest=rulebook.digest,
        pay_table=pay_table.id,
        pay_table_digest=pay_table.digest,
        limits=house_limits(pay_table),
    )
    evolve(state, opened)
    boxes = [box.id for box in pay_table.boxes]
    for number in range(slips):
        slip = {boxes[(number + each * 7) % len(boxes)]: 100 * (1 + number % 9) for each in range(4)}
        placed = ev.BetsPlaced(
            by=BY, at=AT, clause="", player=f"C1-{number:07}.1", version=1, slip=slip, asked=slip
        )
        evolve(state, placed)
    return state


def notary_of(state: RoundState) -> RoundNotary:
    """Who makes the trees of the round."""
    name = RoundName(
        origin="house.example/taisai",
        table="T1",
        number=1,
        opened_at=0,
        rulebook_digest=state.rulebook.digest,
        pay_table_digest=state.pay_table.digest,
    )
    return RoundNotary(name, Salts(bytes(32), name, bytes(32)))


def main() -> None:
    """Print the figures."""
    state = played(SLIPS_TIMED)
    notary = notary_of(state)
    hashed = min(_timed(lambda: [sha256(b"x" * 120).digest() for _ in range(SLIPS_TIMED)]) for _ in range(3))
    print(f"one SHA-256                {hashed / SLIPS_TIMED * 1e6:6.2f} µs")
    slips = min(_timed(lambda: notary_of(state).slips(state)) for _ in range(PASSES))
    state.slip_root, state.slips_closed = notary.slips(state).root, len(state.slips)
    state.roll = Roll(3, 5, 6)
    results = min(_results(state) for _ in range(PASSES))
    for what, seconds in (("tree of slips", slips), ("tree of results", results)):
        each = seconds / SLIPS_TIMED * 1e6
        print(f"{what:24}   {each:6.2f} µs a slip, {seconds / hashed:.1f} hashes (at most 3)")
    large = played(SLIPS_LARGE)
    keeper = notary_of(large)
    proven = keeper.slips(large)
    tree = keeper.tree(SLIPS)
    if tree is None:
        raise RuntimeError("no tree was made")
    place = 654_321
    far_apart = range(0, SLIPS_LARGE, SLIPS_LARGE // 99)  # so that none finds what another has made
    seconds = median(_timed(partial(tree.inclusion, each)) for each in far_apart)
    proof = tree.inclusion(place)
    size = sum(map(len, proof))
    good = includes(tree.leaf(place), place, proven.leaves, proof, bytes.fromhex(proven.root))
    print(f"proof among a million      {seconds * 1e3:6.3f} ms, {size} bytes, good: {good} (≤ 1 ms, 1 kB)")
    whole = receipt_size(slip_body("C1-0654321.1", 1, {}), proof)
    print(f"receipt of such a bet      {whole:6} bytes (≤ 12 kB)")


def receipt_size(body: bytes, proof: list[bytes]) -> int:
    """A receipt out of a log of ten million entries, with two witnesses under both checkpoints."""
    log = [sha256(b"%d" % level).digest() for level in range(LOG_LEVELS)]
    name = "house.example/taisai"
    line = NoteLine("witness.example/w1", bytes(4), bytes(72))
    note = str(SignedNote(f"{name}\n10000000\n{b64encode(bytes(32)).decode()}\n", (line, line, line)))
    opening = Opening("C1", 1, 2**50, "1" * 64, "2" * 64, "3" * 64, 2**30, "4" * 64)
    closing = Closing("C1", 1, 2**50, 9_999_999, 10**6, "5" * 64, 2**30, "6" * 64)
    result = Result(
        *(
            "C1",
            1,
            2**50,
            9_999_999,
            1,
            None,
            [3, 5, 6],
            "4.1.2",
            "7" * 64,
            "8" * 128,
            10**6,
            "9" * 64,
            1,
            "a" * 64,
        )
    )
    entries = [
        LoggedEntry(spelled(entry).decode(), 9_999_999, proof_text(log)) for entry in (opening, closing)
    ]
    salt, path = b64encode(bytes(16)).decode(), proof_text(proof)
    slip = ProvenSlip(body.decode() + "x" * 80, salt, 654_321, path)
    outcome = ProvenResult(spelled(result).decode(), 9_999_999, proof_text(log), "x" * 160, salt, path)
    return len(receipt_bytes(Receipt(FORMAT, *entries, note, slip, outcome, note, proof_text(log))))


def _results(state: RoundState) -> float:
    """The second tree as a round makes it: after the first, from whose salts its own are the other halves."""
    notary = notary_of(state)
    notary.slips(state)
    return _timed(lambda: notary.results(state))


def _timed(work: object) -> float:
    start = process_time()
    work()  # type: ignore[operator]  # whatever is timed is called
    return process_time() - start
