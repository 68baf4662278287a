"""A witness signs one log and no fork of it, over HTTP as C2SP says."""

import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from base64 import b64decode, b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import pytest

from taisai.adapters.signing.keys import verifies_raw
from taisai.adapters.witnesses.service import WitnessBook, witness_server
from taisai.proof.dice import share_text
from taisai.proof.merkle import Tree, consistency, leaf_hash, root_of
from taisai.proof.notes import (
    LogCheckpoint,
    NoteKey,
    Sign,
    SignedNote,
    cosigners,
    read_note,
    signed,
    signed_text,
    with_lines,
)
from taisai.proof.witnessing import request_text
from tests.node import ROOT
from tests.unit.proof.test_notes import HOUSE, HOUSE_KEY, WITNESS, WITNESS_KEY

TREE = Tree.of(leaf_hash(b"%d" % place) for place in range(9))
FORK = Tree.of(leaf_hash(b"fork %d" % place) for place in range(9))


def note(size: int, tree: Tree = TREE, origin: str = HOUSE_KEY.name) -> SignedNote:
    return signed(LogCheckpoint(origin, size, root_of(tree.node, size)), HOUSE_KEY, HOUSE.sign)


def asked(old: int, size: int, tree: Tree = TREE) -> bytes:
    return request_text(old, consistency(tree.node, old, size), note(size, tree)).encode()


def book(folder: Path) -> WitnessBook:
    logs = {HOUSE_KEY.name: HOUSE_KEY}
    return WitnessBook(folder / "signed.db", WITNESS_KEY, WITNESS, logs, lambda: 1_767_225_600)


def test_a_witness_signs_what_extends_what_it_signed(tmp_path: Path) -> None:
    """And remembers it when it is started again."""
    answer = book(tmp_path).add_checkpoint(asked(0, 3))
    assert answer.status == 200
    lines = read_note("-\n\n" + answer.text).lines
    assert cosigners(with_lines(note(3), lines), [WITNESS_KEY], verifies_raw) == [
        ("witness.example/w1", 1_767_225_600)
    ]
    assert book(tmp_path).add_checkpoint(asked(3, 9)).status == 200


def test_a_witness_refuses_a_fork_a_rollback_and_what_is_not_signed(tmp_path: Path) -> None:
    """Each with its own answer."""
    witness = book(tmp_path)
    assert witness.add_checkpoint(asked(0, 5)).status == 200
    assert witness.add_checkpoint(asked(5, 9, FORK)).status == 422
    assert witness.add_checkpoint(asked(5, 5, FORK)).status == 409
    rolled_back = witness.add_checkpoint(asked(0, 3))
    assert (rolled_back.status, rolled_back.text) == (409, "5\n")
    assert witness.add_checkpoint(request_text(7, [], note(5)).encode()).status == 400
    unsigned = note(6)._replace(lines=note(5).lines)
    assert witness.add_checkpoint(request_text(5, [], unsigned).encode()).status == 403
    other = signed(LogCheckpoint("another.house", 6, b"\0" * 32), HOUSE_KEY, HOUSE.sign)
    assert witness.add_checkpoint(request_text(5, [], other).encode()).status == 404
    assert witness.add_checkpoint(b"nonsense").status == 400


def test_a_share_is_given_for_one_root_of_a_round(tmp_path: Path) -> None:
    """The same one again is the same share; another root of the round is refused."""
    witness = book(tmp_path)
    roots = [b64encode(bytes([fill]) * 32).decode() for fill in (1, 2)]
    text = share_text(HOUSE_KEY.name, "T1", 7, roots[0], roots[1])
    first = witness.share(share_request(text))
    assert first.status == 200
    assert verifies_raw(WITNESS.public, b64decode(first.text), text)
    assert book(tmp_path).share(share_request(text)) == first
    for origin, root, status in ((HOUSE_KEY.name, roots[0], 409), ("another.house", roots[1], 404)):
        other = share_text(origin, "T1", 7, roots[0], root)
        assert witness.share(share_request(other)).status == status
    for raw in (b"x", text, share_request(b"x\n"), b"\xff"):
        assert witness.share(raw).status == 400


def share_request(text: bytes, key: NoteKey = HOUSE_KEY, sign: Sign = HOUSE.sign) -> bytes:
    return str(signed_text(text.decode(), key, sign)).encode()


def test_nobody_but_the_house_is_given_a_share_in_its_dice(tmp_path: Path) -> None:
    """A stranger who asks first would else keep the house from its dice: nothing of it is kept."""
    witness = book(tmp_path)
    root, other = (b64encode(bytes([fill]) * 32).decode() for fill in (1, 2))
    strange = share_text(HOUSE_KEY.name, "T1", 7, root, other)
    right = share_text(HOUSE_KEY.name, "T1", 7, root, root)
    strangers = NoteKey(HOUSE_KEY.name, HOUSE_KEY.kind, WITNESS.public)
    moved = SignedNote(strange.decode(), read_note(share_request(right).decode()).lines)
    for raw in (
        share_request(strange, strangers, WITNESS.sign),  # a key of the same name
        share_request(strange, HOUSE_KEY, WITNESS.sign),
        share_request(strange, WITNESS_KEY, WITNESS.sign),
        str(moved).encode(),
    ):
        assert witness.share(raw).status == 403
    assert witness.share(share_request(right)).status == 200


def test_of_two_checkpoints_at_once_one_is_signed(tmp_path: Path) -> None:
    """By two processes on one book, too: the other log hears how far the witness is, whoever was first."""
    size, meeting = 0, threading.Barrier(2)

    def post(address: str, raw: bytes) -> tuple[int, str, str]:
        meeting.wait()
        return _post(f"{address}/add-checkpoint", raw)

    with serving(book(tmp_path)) as one, serving(book(tmp_path)) as two, ThreadPoolExecutor(2) as pool:
        for both in ((one, one), (one, two), (one, one), (one, two)):
            raw = [asked(size, size + 1), asked(size, size + 2)]
            answers = list(pool.map(post, both, raw))
            statuses = [status for status, _, _ in answers]
            assert sorted(statuses) == [200, 409]
            size += 1 + statuses.index(200)
            assert answers[statuses.index(409)][1:] == ("text/x.tlog.size", f"{size}\n")


@pytest.mark.parametrize("kept", [False, True])
def test_a_witness_that_dies_before_its_answer_never_signs_two_roots_of_a_size(
    tmp_path: Path, *, kept: bool
) -> None:
    """Killed before or after what it signs is kept: the same log gets its answer, a fork never does."""
    died = subprocess.run([sys.executable, "-c", DYING, str(tmp_path), str(kept)], cwd=ROOT, check=False)
    assert died.returncode == -signal.SIGKILL
    witness = book(tmp_path)
    again = witness.add_checkpoint(asked(0, 5))
    if kept:  # it signed this size, and the log did not hear it: it asks once more from there
        assert (again.status, again.text) == (409, "5\n")
        assert witness.add_checkpoint(asked(5, 5, FORK)).status == 409
        again = witness.add_checkpoint(asked(5, 5))
    assert again.status == 200
    lines = read_note("-\n\n" + again.text).lines
    assert cosigners(with_lines(note(5), lines), [WITNESS_KEY], verifies_raw) is not None
    for old in (0, 5):
        assert witness.add_checkpoint(asked(old, 5, FORK)).status == 409


DYING = """
import os, signal, sys
from pathlib import Path
from taisai.adapters.witnesses.service import WitnessBook
from tests.unit.proof.test_witnessing import HOUSE_KEY, WITNESS, WITNESS_KEY, asked

def die():
    os.kill(os.getpid(), signal.SIGKILL)

now = (lambda: 1) if sys.argv[2] == "True" else die
signed = Path(sys.argv[1]) / "signed.db"
WitnessBook(signed, WITNESS_KEY, WITNESS, {HOUSE_KEY.name: HOUSE_KEY}, now).add_checkpoint(asked(0, 5))
die()
"""


@contextmanager
def serving(witness: WitnessBook) -> Iterator[str]:
    server = witness_server(witness, "127.0.0.1", 0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_the_protocol_over_http(tmp_path: Path) -> None:
    """Requests, statuses, content types, and the last checkpoint for whoever asks."""
    with serving(book(tmp_path)) as address:
        assert _post(f"{address}/add-checkpoint", asked(0, 5))[0] == 200
        status, kind, body = _post(f"{address}/add-checkpoint", asked(0, 6))
        assert (status, kind, body) == (409, "text/x.tlog.size", "5\n")
        named = sha256(HOUSE_KEY.name.encode()).hexdigest()
        with urllib.request.urlopen(f"{address}/{named}/checkpoint") as answer:
            assert answer.read().decode().startswith(note(5).text)
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{address}/{'0' * 64}/checkpoint")
        with urllib.request.urlopen(f"{address}/key") as answer:
            assert answer.read().decode().strip() == str(WITNESS_KEY)


def _post(address: str, body: bytes) -> tuple[int, str, str]:
    request = urllib.request.Request(address, data=body, method="POST")
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.headers["Content-Type"], answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers["Content-Type"], error.read().decode()
