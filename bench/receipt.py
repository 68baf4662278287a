"""A receipt of one bet among a million, from a log of ten million entries: its size, and what a proof takes.

Nothing is filled in: both trees of the round and the whole log are made, the house and two witnesses sign
both checkpoints, and the verifier finds that everything fits. The round is in the middle of the log, where
proofs are longest.
"""

import sys
from base64 import b64encode
from collections.abc import Iterator
from functools import partial
from statistics import median
from time import process_time

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bench.proof import ORIGIN, SLIPS_LARGE, notary_of, played
from taisai.adapters.signing.keys import SigningKey, verifies_raw
from taisai.floor.proofs.receipts import slip_proof
from taisai.floor.table.notary import RoundNotary, result_body_of
from taisai.game.state import RoundState
from taisai.proof.checking import check_receipt
from taisai.proof.entries import Closing, Entry, Opening, Result, read_entry, spelled
from taisai.proof.merkle import Tree, consistency, inclusion, leaf_hash
from taisai.proof.notes import (
    COSIGNATURE,
    LogCheckpoint,
    SignedNote,
    cosignature,
    note_key,
    signed,
    with_lines,
)
from taisai.proof.receipt import (
    FORMAT,
    LoggedEntry,
    ProvenResult,
    ProvenSlip,
    Receipt,
    proof_text,
    receipt_bytes,
)
from taisai.rulebooks.catalogue import pay_table_of_digest

ENTRIES = 10_000_000
PLACE = 654_321
NOW = 1_767_225_600
SECRET, DIGEST = bytes(range(32)), "ab" * 32
HOUSE = SigningKey(Ed25519PrivateKey.from_private_bytes(b"\x01" * 32))
HOUSE_KEY = note_key(ORIGIN, HOUSE.public)
WITNESSES = [SigningKey(Ed25519PrivateKey.from_private_bytes(bytes([seed] * 32))) for seed in (2, 3)]
WITNESS_KEYS = [
    note_key(f"witness.example/w{number}", key.public, COSIGNATURE) for number, key in enumerate(WITNESSES, 1)
]


def large_round() -> tuple[RoundState, RoundNotary]:
    """A million slips, closed, thrown and settled, with both trees."""
    state = played(SLIPS_LARGE)
    notary = notary_of(state, SECRET)
    state.notary, state.commitment = notary, notary.name.commitment.hex()
    state.slip_root, state.slips_closed = notary.slips(state).root, len(state.slips)
    state.roll = notary.dice(state)
    notary.results(state)
    return state, notary


def other_rounds(first: int, count: int) -> Iterator[bytes]:
    """The entries of other tables' rounds: opening, closing and result in turn."""
    opened = Opening("C2", 7, NOW * 10**6, DIGEST, DIGEST, DIGEST, 70, DIGEST)
    closed = Closing("C2", 7, NOW * 10**6, first, 100, DIGEST, 80, DIGEST)
    ended = Result(
        "C2", 7, NOW * 10**6, first, 1, None, [3, 5, 6], "4.1.2", DIGEST, "", 100, DIGEST, 90, DIGEST
    )
    forms = [spelled(entry).replace(b'"C2",7,', b'"C2",%d,') for entry in (opened, closed, ended)]
    for index in range(first, first + count):
        yield forms[index % 3] % (index // 3 + 1)


def checkpoint(log: Tree) -> SignedNote:
    """The log as it is now, signed by the house and both witnesses."""
    note = signed(LogCheckpoint(ORIGIN, log.size, log.root()), HOUSE_KEY, HOUSE.sign)
    both = zip(WITNESS_KEYS, WITNESSES, strict=True)
    return with_lines(note, [cosignature(note.text, NOW, key, signer.sign) for key, signer in both])


def receipt_of(state: RoundState, notary: RoundNotary, entries: int) -> bytes:
    """Put the round into the middle of a log so long, and make the receipt of one bet."""
    log, name = Tree(), notary.name
    _grow(log, entries // 2)

    def enter(entry: Entry) -> tuple[str, int]:
        raw = spelled(entry)
        log.extend([leaf_hash(raw)])
        return raw.decode(), log.size - 1

    rules = name.rulebook_digest, name.pay_table_digest, name.commitment.hex()
    opening = enter(Opening("T1", 1, name.opened_at, *rules, 1, DIGEST))
    slips = (len(state.slips), state.slip_root)
    closing = enter(Closing("T1", 1, NOW * 10**6, opening[1], *slips, 2, DIGEST))
    before, first_size = checkpoint(log), log.size
    results = notary.tree(1)
    if results is None or state.roll is None:
        raise RuntimeError("the round has no results")
    ended = (len(state.slips), results.root().hex())
    result = enter(
        Result(
            *("T1", 1, NOW * 10**6, closing[1], 1, None, list(state.roll), "4.1.2", SECRET.hex(), ""),
            *(*ended, 3, DIGEST),
        )
    )
    _grow(log, entries)
    after = checkpoint(log)

    def proof(index: int, size: int) -> str:
        return proof_text(inclusion(log.node, index, size))

    player = list(state.slips)[PLACE]
    slip = slip_proof(state, player)
    body, salt = result_body_of(state, player, PLACE).decode(), b64encode(notary.salt(1, PLACE)).decode()
    path = proof_text(results.inclusion(PLACE))
    made = Receipt(
        FORMAT,
        LoggedEntry(*opening, proof(opening[1], first_size)),
        LoggedEntry(*closing, proof(closing[1], first_size)),
        str(before),
        ProvenSlip(slip.body.decode(), b64encode(slip.salt).decode(), slip.place, proof_text(slip.proof)),
        ProvenResult(*result, proof(result[1], log.size), body, salt, path),
        str(after),
        proof_text(consistency(log.node, first_size, log.size)),
    )
    return receipt_bytes(made)


def _grow(log: Tree, size: int) -> None:
    """Other rounds, until the log is so long."""
    while log.size < size:
        count = min(65_536, size - log.size)
        log.extend([leaf_hash(entry) for entry in other_rounds(log.size, count)])


def main(entries: int = ENTRIES) -> None:
    """Print the figures."""
    read_entry(next(other_rounds(0, 1)))
    state, notary = large_round()
    tree = notary.tree(0)
    if tree is None:
        raise RuntimeError("no tree was made")
    far_apart = range(0, SLIPS_LARGE, SLIPS_LARGE // 99)  # so that none finds what another has made
    seconds = median(_timed(partial(tree.inclusion, each)) for each in far_apart)
    size = sum(map(len, tree.inclusion(PLACE)))
    print(f"  proof among {len(state.slips):,} slips: {seconds * 1e3:.3f} ms, {size} bytes (≤ 1 ms, ≤ 1 kB)")
    raw = receipt_of(state, notary, entries)
    verdict = check_receipt(
        raw, HOUSE_KEY, verifies_raw, now=NOW, witnesses=WITNESS_KEYS, find_pay_table=pay_table_of_digest
    )
    print(f"  its receipt out of {entries:,} entries: {len(raw):,} bytes (≤ 12 kB), exit code {verdict.code}")
    for sentence in verdict.sentences():
        print(f"    {sentence}")


def _timed(work: partial[list[bytes]]) -> float:
    start = process_time()
    work()
    return process_time() - start


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else ENTRIES)
