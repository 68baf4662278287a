"""What a witness answers (C2SP tlog-witness): it signs only what extends the checkpoint it signed last."""

import re
from base64 import b64encode
from collections.abc import Mapping
from typing import Final, NamedTuple

from taisai.errors import InputError
from taisai.proof.merkle import EMPTY_ROOT, HASH_BYTES, PROOF_HASHES_MAX, extends
from taisai.proof.notes import (
    LogCheckpoint,
    NoteKey,
    SignedNote,
    Verify,
    is_signed,
    read_checkpoint,
    read_note,
    strict_base64,
)

REQUEST_BYTES_MAX: Final = 32_768
SIZE_TYPE: Final = "text/x.tlog.size"
_OLD: Final = re.compile(r"old (0|[1-9][0-9]{0,15})")


class Latest(NamedTuple):
    """What a witness signed last of a log."""

    size: int = 0
    root: bytes = EMPTY_ROOT


class WitnessRequest(NamedTuple):
    """What a log asks: its checkpoint, the size from which it proves it, and the proof."""

    old: int
    proof: list[bytes]
    note: SignedNote
    checkpoint: LogCheckpoint


class Judged(NamedTuple):
    """An answer: its status, its text, and the checkpoint to be signed where it is one."""

    status: int
    text: str = ""
    checkpoint: LogCheckpoint | None = None


def request_text(old: int, proof: list[bytes], note: SignedNote) -> str:
    """A request to a witness."""
    hashes = "".join(f"{b64encode(each).decode()}\n" for each in proof)
    return f"old {old}\n{hashes}\n{note}"


def read_request(raw: bytes) -> WitnessRequest:
    """A request, or an error that says that it is none."""
    if len(raw) > REQUEST_BYTES_MAX:
        raise InputError("a request has at most 32768 bytes")
    try:
        head, found, rest = raw.decode().partition("\n\n")
    except UnicodeDecodeError:
        raise InputError("a request is text in UTF-8") from None
    first, *hashes = head.split("\n")
    old = _OLD.fullmatch(first)
    proof = [strict_base64(line) for line in hashes]
    if not found or old is None or len(proof) > PROOF_HASHES_MAX:
        raise InputError("expected an old size, a proof, an empty line and a checkpoint")
    known = [each for each in proof if each is not None and len(each) == HASH_BYTES]
    if len(known) != len(proof):
        raise InputError("expected hashes in base64")
    note = read_note(rest)
    return WitnessRequest(int(old[1]), known, note, read_checkpoint(note.text))


def judge(request: WitnessRequest, logs: Mapping[str, NoteKey], latest: Latest, verify: Verify) -> Judged:
    """Whether the checkpoint of a log may be signed after what was signed last."""
    asked = request.checkpoint
    key = logs.get(asked.origin)
    if key is None:
        return Judged(404, "this log is not known here")
    if not is_signed(request.note, key, verify):
        return Judged(403, "the log's signature is not good")
    if request.old > asked.size:
        return Judged(400, "the old size is above the new one")
    if request.old != latest.size:
        return Judged(409, f"{latest.size}\n")
    if asked.size == latest.size and asked.root != latest.root:
        return Judged(409, f"{latest.size}\n")
    if request.old == 0 or asked.size == latest.size:
        good = not request.proof
    else:
        good = extends(request.old, asked.size, latest.root, asked.root, request.proof)
    return Judged(200, "", asked) if good else Judged(422, "the proof does not lead from the old root")


class ShareRequest(NamedTuple):
    """Whose dice a share is asked for (log, table and round), in a note that the house signed."""

    origin: str
    table: str
    number: int
    note: SignedNote


def share_asked(raw: bytes) -> ShareRequest:
    """A request for a share in dice, or an error that says that it is none."""
    try:
        note = read_note(raw.decode())
        title, origin, table, number, committed, root, end = note.text.split("\n")
    except ValueError:
        raise InputError("expected the text of a share in dice, signed by the house") from None
    sizes = [len(found) if (found := strict_base64(each)) is not None else -1 for each in (committed, root)]
    if (
        title != "taisai dice share 1"
        or end
        or sizes != [32, 32]
        or not re.fullmatch("[1-9][0-9]{0,15}", number)
    ):
        raise InputError("expected the text of a share in dice, signed by the house")
    return ShareRequest(origin, table, int(number), note)
