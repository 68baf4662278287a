"""Receipts that a house forges: it signs a log of its own making, so that every signature in them is good.

Each of them is consistent but for what is changed, so that exactly one check can find it.
"""

import json
from base64 import b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from taisai.dice import Roll
from taisai.proof.dice import commitment, committed_dice, share_text
from taisai.proof.entries import Closing, Entry, Opening, Result, Tips, spelled
from taisai.proof.merkle import Tree, consistency, inclusion, leaf_hash, root_of
from taisai.proof.notes import LogCheckpoint, NoteKey, NoteLine, SignedNote, cosignature, signed, with_lines
from taisai.proof.receipt import (
    FORMAT,
    LoggedEntry,
    ProvenResult,
    ProvenSlip,
    Receipt,
    proof_text,
    receipt_bytes,
)
from taisai.proof.rounds import RoundName, leaf_of, results_context
from tests.floor.houses import START
from tests.unit.floor.proofs_house import LOG_KEY, LOG_SIGNER
from tests.unit.proof.test_notes import WITNESS, WITNESS_KEY

NOW = int(START.timestamp()) + 120
SECRET, SALT, STRANGE = bytes(range(32)), bytes(16), "ee" * 32
OPENED, CLOSED, ENDED = 3, 5, 8  # where the round is in a log of ten entries
Changes = dict[str, Any]


@dataclass
class Forged:
    """A receipt of one slip of two, and what is changed in it before the log is made and signed."""

    opening: Changes = field(default_factory=dict)
    closing: Changes = field(default_factory=dict)
    result: Changes = field(default_factory=dict)
    body: str = '["A.1",1,{"big":500,"small":1000}]'
    brought: str = '["A.1",1,1000,[500,1000],[1000,0],["4.1.2","4.1.2"]]'
    share: bytes = b""
    dice: tuple[int, ...] | None = None  # those that follow, unless others are declared
    clause: str = "4.1.2"
    secret: bytes = SECRET
    committed: bool = True
    salts: tuple[bytes, bytes] = (SALT, SALT)  # in the receipt; the trees have the right ones
    first: int = CLOSED + 1
    second: int = ENDED + 2
    seen_at: int = NOW - 60
    key: NoteKey = LOG_KEY
    fork: bool = False
    lines: tuple[NoteLine, ...] = ()
    node: str = ""  # which leaf is hashed as an inner node: "slip", "result" or where an entry is in the log

    def name(self) -> RoundName:
        made = commitment(self.key.name, "C1", 1, SECRET) if self.committed else b""
        return RoundName(
            origin=self.key.name,
            table="C1",
            number=1,
            opened_at=NOW * 1_000_000,
            rulebook_digest="1" * 64,
            pay_table_digest="2" * 64,
            commitment=made,
        )

    def share_of(self, number: int = 1) -> bytes:
        """What the witness signs for the round, or for another."""
        root = b64encode(self._slips().root()).decode()
        committed = b64encode(self.name().commitment).decode()
        return WITNESS.sign(share_text(self.key.name, "C1", number, committed, root))

    def _slips(self) -> Tree:
        context = self.name().context()
        other = leaf_of(context, SALT, b'["B.1",1,{}]')
        return Tree.of([self._leaf("slip", context + SALT + self.body.encode()), other])

    def _leaf(self, what: str, data: bytes) -> bytes:
        return sha256(b"\1" + data).digest() if self.node == what else leaf_hash(data)

    def receipt(self) -> bytes:
        name, slips = self.name(), self._slips()
        context, root = name.context(), slips.root()
        follows = committed_dice(SECRET, context, root, self.share) if self.committed else Roll(1, 2, 4)
        kind = self.clause.partition(" ")[0]
        dice = None if kind in ("void", "ruled") else tuple(self.dice or follows)
        said = "-".join(map(str, dice)) if dice else kind
        below = results_context(context, root, 1, said)
        other = leaf_of(below, SALT, b'["B.1",1,0,[],[],[]]')
        results = Tree.of([self._leaf("result", below + SALT + self.brought.encode()), other])
        digests = name.rulebook_digest, name.pay_table_digest, name.commitment.hex()
        opening = Opening("C1", 1, name.opened_at, *digests, 2, STRANGE)._replace(**self.opening)
        closing = Closing("C1", 1, name.opened_at, OPENED, 2, root.hex(), 3, STRANGE)._replace(**self.closing)
        published = self.secret.hex() if self.committed else ""
        after = (published, self.share.hex(), 2, results.root().hex(), 4, STRANGE)
        shown = list(dice) if dice else None
        result = Result("C1", 1, name.opened_at, CLOSED, 1, None, shown, self.clause, *after)
        result = result._replace(**self.result)
        entries: list[Entry] = [Tips([("house", place, STRANGE, STRANGE)]) for place in range(10)]
        entries[OPENED], entries[CLOSED], entries[ENDED] = opening, closing, result
        texts = [spelled(entry) for entry in entries]
        log = Tree.of(self._leaf(str(place), text) for place, text in enumerate(texts))
        # A house that shows two logs has other entries in the first of them.
        forked = [b"x" if self.fork and place == 0 else text for place, text in enumerate(texts)]
        early = Tree.of(self._leaf(str(place), text) for place, text in enumerate(forked))

        def logged(place: int, tree: Tree, size: int) -> LoggedEntry:
            proof = proof_text(inclusion(tree.node, place, size)) if place < size else ""
            return LoggedEntry(texts[place].decode(), place, proof)

        ended = logged(ENDED, log, self.second)
        salts = [b64encode(salt).decode() for salt in self.salts]
        made = Receipt(
            FORMAT,
            logged(OPENED, early, self.first),
            logged(CLOSED, early, self.first),
            str(self.checkpoint(early, self.first)),
            ProvenSlip(self.body, salts[0], 0, proof_text(slips.inclusion(0))),
            ProvenResult(
                ended.entry,
                ended.index,
                ended.proof,
                self.brought,
                salts[1],
                proof_text(results.inclusion(0)),
            ),
            str(self.checkpoint(log, self.second)),
            proof_text(consistency(log.node, self.first, self.second)),
        )
        return receipt_bytes(made)

    def checkpoint(self, log: Tree, size: int) -> SignedNote:
        found = LogCheckpoint(self.key.name, size, root_of(log.node, size))
        note = signed(found, self.key, LOG_SIGNER.sign)
        seen = cosignature(note.text, self.seen_at, WITNESS_KEY, WITNESS.sign)
        return with_lines(note, [seen, *self.lines])


def sound() -> dict[str, tuple[bytes, str]]:
    """What a verifier must take, each with the saying that tells how far it goes."""
    void = '["A.1",1,1500,[0,0],[500,1000],["7.1","7.1"]]'
    line = NoteLine("witness.example/ml-dsa", b"\1\2\3\4", bytes(2_420))
    names = ["\ue000", "\U0001f3b2", "b", "a"]
    odd = tuple(NoteLine(f"witness.example/{name}", bytes(4), bytes(64)) for name in names)
    shared = Forged(share=Forged().share_of())
    return {
        "as it is": (Forged().receipt(), "committed"),
        "a share of the witness": (shared.receipt(), "chosen_by_nobody"),
        "a share of nobody known": (Forged(share=b"\7" * 64).receipt(), "unknown_share"),
        "a share of another round": (Forged(share=Forged().share_of(2)).receipt(), "unknown_share"),
        "no commitment": (Forged(committed=False).receipt(), "declared"),
        "dice that people declared": (
            Forged(clause="corrected 5.1", dice=(6, 6, 6)).receipt(),
            "ruled_dice",
        ),
        "void": (Forged(clause="void 7.1", brought=void).receipt(), "void"),
        "ruled": (Forged(clause="ruled 7.1", brought=void).receipt(), "ruled"),
        "one checkpoint for all": (Forged(first=ENDED + 2).receipt(), "unseen"),
        "ten minutes ahead": (Forged(seen_at=NOW + 600).receipt(), "seen"),
        "a signature of another kind": (Forged(lines=(line,)).receipt(), "others"),
        "names beyond ASCII": (Forged(lines=odd).receipt(), "others"),
        "a clause of one word": (Forged(clause="corrected").receipt(), "committed"),
        "the last moment": (Forged(closing={"at": 2**53 - 1}).receipt(), "committed"),
        "a rounded second": (Forged(closing={"at": 9_007_199_253_999_999}).receipt(), "committed"),
    }


def forgeries() -> dict[str, tuple[bytes, str]]:
    """What must be found, each with the saying that does: every signature is good, and one thing is wrong."""
    other = "".join(reversed(Forged().body))
    no_house = Forged(key=LOG_KEY._replace(name="other.example/taisai")).receipt()
    found = {
        f"{where} of another {what}": (Forged(**{where: {what: value}}).receipt(), "mismatch")
        for where in ("closing", "result")
        for what, value in (("table", "C2"), ("number", 2))
    }
    for wrong in (OPENED - 1, OPENED + 1):
        found[f"opening_index {wrong}"] = (Forged(closing={"opening_index": wrong}).receipt(), "mismatch")
    for at in (CLOSED - 1, CLOSED + 1, None):
        found[f"closing_index {at}"] = (Forged(result={"closing_index": at}).receipt(), "mismatch")
    for slips in (0, 1, 4, 2**53 - 1):
        found[f"{slips} slips"] = (Forged(closing={"slips": slips}).receipt(), "slip")
        found[f"{slips} results"] = (Forged(result={"results": slips}).receipt(), "result")
    for what in ("rulebook", "pay_table"):
        found[f"another {what}"] = (Forged(opening={what: STRANGE}).receipt(), "slip")
    found |= {
        "another house": (no_house, "origin"),
        "another commitment": (Forged(opening={"commitment": STRANGE}).receipt(), "slip"),
        "opened at another time": (Forged(opening={"opened_at": 1}).receipt(), "slip"),
        "another root of slips": (Forged(closing={"root": STRANGE}).receipt(), "slip"),
        "another root of results": (Forged(result={"root": STRANGE}).receipt(), "result"),
        "another attempt": (Forged(result={"attempt": 2}).receipt(), "result"),
        "attempt 0": (Forged(result={"attempt": 0}).receipt(), "result"),
        "another secret": (Forged(secret=bytes(32)).receipt(), "commitment"),
        "no secret": (Forged(secret=b"").receipt(), "commitment"),
        "void without its secret": (Forged(clause="void 7.1", secret=b"").receipt(), "commitment"),
        "other dice": (Forged(dice=(6, 6, 6)).receipt(), "dice"),
        "dice of another share": (Forged(result={"share": "07" * 64}).receipt(), "dice"),
        "a slip's salt": (Forged(salts=(b"\1" * 16, SALT)).receipt(), "slip"),
        "a result's salt": (Forged(salts=(SALT, b"\1" * 16)).receipt(), "result"),
        "a fork": (Forged(fork=True).receipt(), "consistency"),
        "before the closing": (Forged(first=CLOSED).receipt(), "order"),
        "before the result": (Forged(second=ENDED).receipt(), "order"),
        "a clock ahead": (Forged(seen_at=NOW + 601).receipt(), "future"),
        "a body that is no body": (Forged(body=other).receipt(), "malformed"),
        "a box like a number": (Forged(body='["A.1",1,{"10":500,"9":1000}]').receipt(), "malformed"),
        "a box like one number": (Forged(body='["A.1",1,{"1":500}]').receipt(), "malformed"),
        "boxes beyond ASCII": (
            Forged(body='["A.1",1,{"\ue000":500,"\U0001f3b2":1000}]').receipt(),
            "malformed",
        ),
        "boxes in another order": (Forged(body='["A.1",1,{"small":1000,"big":500}]').receipt(), "malformed"),
        "a name with a strange blank": (
            Forged(lines=(NoteLine("a\x85b", bytes(4), bytes(64)),)).receipt(),
            "malformed",
        ),
        "33 signatures": (
            Forged(lines=tuple(NoteLine(f"w{at}", bytes(4), bytes(64)) for at in range(31))).receipt(),
            "malformed",
        ),
    }
    for what, brought in {
        "another player": '["B.1",1,1000,[500,1000],[1000,0],["4.1.2","4.1.2"]]',
        "another version": '["A.1",2,1000,[500,1000],[1000,0],["4.1.2","4.1.2"]]',
        "another sum": '["A.1",1,1001,[500,1000],[1000,0],["4.1.2","4.1.2"]]',
        "a box less": '["A.1",1,1000,[500],[1000],["4.1.2"]]',
        "columns of two lengths": '["A.1",1,1000,[500,1000],[1000],["4.1.2","4.1.2"]]',
        "a sum beyond counting": f'["A.1",1,1,[500,1000],[{2**53 - 1},2],["4.1.2","4.1.2"]]',
    }.items():
        found[f"brought by {what}"] = (Forged(brought=brought).receipt(), "other_slip")
    return found


def nodes() -> dict[str, tuple[bytes, str]]:
    """Inner nodes that are passed off as leaves, each with the saying that finds it.

    The round's name, the salt and a slip of sixteen bytes are as long as two hashes: a node over them is in
    the tree, and the proof leads from it to the root.
    """
    drawn = '["A.1.b.c",1,{}]'
    assert len(Forged(body=drawn).name().context() + SALT + drawn.encode()) == 64
    found = {
        "slip": Forged(node="slip", body=drawn, brought='["A.1.b.c",1,0,[],[],[]]'),
        "result": Forged(node="result"),
    }
    entries = {"opening": OPENED, "closing": CLOSED, "result entry": ENDED}
    said = {what: (forged.receipt(), what) for what, forged in found.items()}
    return said | {what: (Forged(node=str(at)).receipt(), "inclusion") for what, at in entries.items()}


def inner(receipt: dict[str, Any]) -> dict[str, tuple[tuple[str, str], str]]:
    """Entries and bodies, whose members are altered in every way that JSON knows: path and new text."""
    found: dict[str, tuple[tuple[str, str], str]] = {}
    for path in (
        ("opening", "entry"),
        ("closing", "entry"),
        ("result", "entry"),
        ("slip", "body"),
        ("result", "body"),
    ):
        members = json.loads(receipt[path[0]][path[1]])
        spell = [json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in members]
        name = ".".join(path)
        for at, text in enumerate(spell):
            others = {
                "missing": [],
                "doubled": [text, text],
                "null": ["null"],
                "a text": ['"x"'],
                "a list": ["[]"],
            }
            if text.isdigit():
                number = int(text)
                said = (
                    f"{text}.0",
                    f"{text}e2",
                    str(2**53),
                    f"-{text}",
                    f"0{text}",
                    str(number + 1),
                    str(number * 2 + 2),
                )
                others |= {each: [each] for each in said}
                others["one less"] = [str(number - 1)]
            for what, instead in others.items():
                changed = ",".join([*spell[:at], *instead, *spell[at + 1 :]])
                found[f"{name} {at} {what}"] = (path, f"[{changed}]")
        found[f"{name} reordered"] = (path, f"[{','.join(reversed(spell))}]")
        found[f"{name} with one more"] = (path, f"[{','.join([*spell, '0'])}]")
        found[f"{name} with a blank"] = (path, f"[{', '.join(spell)}]")
    return found
