"""A witness signs one log and no fork of it, over HTTP as C2SP says."""

import threading
import urllib.error
import urllib.request
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import pytest

from taisai.adapters.keys import verifies_raw
from taisai.adapters.witness_service import WitnessBook, witness_server
from taisai.proof.dice import share_text
from taisai.proof.merkle import Tree, consistency, leaf_hash, root_of
from taisai.proof.notes import LogCheckpoint, SignedNote, cosigners, read_note, signed, with_lines
from taisai.proof.witnessing import request_text
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
    first = witness.share(text)
    assert first.status == 200
    assert verifies_raw(WITNESS.public, b64decode(first.text), text)
    assert book(tmp_path).share(text) == first
    assert witness.share(share_text(HOUSE_KEY.name, "T1", 7, roots[0], roots[0])).status == 409
    assert witness.share(share_text("another.house", "T1", 7, roots[0], roots[1])).status == 404
    assert witness.share(b"x").status == 400


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
