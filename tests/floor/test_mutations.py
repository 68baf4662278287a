"""A receipt that was altered anywhere is refused by every verifier, and all of them say the same."""

import importlib.util
import json
import random
import re
from base64 import b64decode, b64encode
from typing import Any

import pytest

from taisai.adapters.keys import verifies_raw
from taisai.proof.checking import check_receipt
from taisai.proof.notes import cosignature, read_note, with_lines
from tests.floor.houses import START, SmallHouse, cluster
from tests.floor.receipts import played_receipt, receipt_at_once
from tests.node import ROOT, run_node
from tests.unit.floor.proofs_house import LOG_KEY
from tests.unit.proof.test_notes import WITNESS, WITNESS_KEY

NOW = int(START.timestamp()) + 120
_B64 = re.compile(r"[A-Za-z0-9+/]{22,}={0,2}")


def spelled(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def cosigned(raw: bytes) -> bytes:
    """The receipt with a witness under both of its checkpoints."""
    receipt = json.loads(raw)
    for name in ("before", "after"):
        note = read_note(receipt[name])
        line = cosignature(note.text, NOW - 60, WITNESS_KEY, WITNESS.sign)
        receipt[name] = str(with_lines(note, [line]))
    return spelled(receipt)


def mutants(raw: bytes, other: bytes) -> dict[str, bytes]:
    """Altered receipts of every class, a fixed sample of each."""
    dice, found = random.Random(18), dict[str, bytes]()
    for at in dice.sample(range(len(raw) * 8), 1_000):
        found[f"bit {at}"] = _flipped(raw, at)
    for at in dice.sample(range(len(raw)), 120):
        found[f"cut at {at}"] = raw[:at]
    receipt, strange = json.loads(raw), json.loads(other)
    for path, value in _leaves(receipt):
        name = ".".join(path)
        found[f"{name} missing"] = spelled(_with(receipt, path, None, drop=True))
        if isinstance(value, int):
            for wrong in (value + 1, value - 1, value * 2 + 2, 2**53):
                found[f"{name} is {wrong}"] = spelled(_with(receipt, path, wrong))
            for text in (f"{value}.0", f"{value}e0", f"0{value}", f"-{value}"):
                found[f"{name} as {text}"] = spelled(_with(receipt, path, "@")).replace(b'"@"', text.encode())
        else:
            found[f"{name} of another round"] = spelled(_with(receipt, path, _at(strange, path)))
            found[f"{name} with a blank"] = spelled(_with(receipt, path, value + " "))
            found[f"{name} empty"] = spelled(_with(receipt, path, ""))
        if path[-1] in ("proof", "path", "consistency") and value:
            hashes = b64decode(value)
            for what, part in (
                ("short", hashes[:-32]),
                ("long", hashes + hashes[:32]),
                ("turned", hashes[::-1]),
            ):
                found[f"{name} {what}"] = spelled(_with(receipt, path, b64encode(part).decode()))
    found |= _shapes(raw, receipt)
    return {name: mutant for name, mutant in found.items() if mutant != raw}


def _shapes(raw: bytes, receipt: dict[str, Any]) -> dict[str, bytes]:
    swapped = {**receipt, "before": receipt["after"], "after": receipt["before"]}
    text = raw.decode()
    spare = [match for match in _B64.finditer(text) if match.group().endswith("=")]
    shapes = {
        "BOM": b"\xef\xbb\xbf" + raw,
        "newline": raw + b"\n",
        "CRLF": raw.replace(b"\\n", b"\\r\\n"),
        "blank": raw.replace(b",", b", ", 1),
        "escape": raw.replace(b"taisai receipt", b"taisai\\u0020receipt"),
        "doubled": raw.replace(b'{"format"', b'{"format":"taisai receipt 1","format"', 1),
        "extra": raw[:-1] + b',"more":1}',
        "reordered": spelled(dict(reversed(receipt.items()))),
        "checkpoints swapped": spelled(swapped),
        "array": b"[]",
        "nothing": b"",
        "deep": b"[" * 5_000,
        "huge": raw + b" " * 70_000,
    }
    for match in spare[:40]:
        last = match.end() - match.group().count("=") - 1
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        other = letters[letters.index(text[last]) ^ 1]
        shapes[f"spare bits at {last}"] = (text[:last] + other + text[last + 1 :]).encode()
    order = 2**252 + 27742317777372353535851937790883648493
    note = read_note(receipt["before"])
    line = note.lines[0]
    scalar = (int.from_bytes(line.signature[32:], "little") + order).to_bytes(32, "little")
    more = note._replace(lines=(line._replace(signature=line.signature[:32] + scalar), *note.lines[1:]))
    shapes["S plus L"] = spelled({**receipt, "before": str(more)})
    return shapes


def _flipped(raw: bytes, at: int) -> bytes:
    byte = raw[at // 8] ^ 1 << at % 8
    return raw[: at // 8] + bytes([byte]) + raw[at // 8 + 1 :]


def _leaves(value: dict[str, Any], path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    found: list[tuple[tuple[str, ...], Any]] = []
    for name, member in value.items():
        found += _leaves(member, (*path, name)) if isinstance(member, dict) else [((*path, name), member)]
    return found


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        value = value[name]
    return value


def _with(
    receipt: dict[str, Any], path: tuple[str, ...], member: Any, *, drop: bool = False
) -> dict[str, Any]:
    changed: dict[str, Any] = json.loads(json.dumps(receipt))
    inside = _at(changed, path[:-1])
    if drop:
        del inside[path[-1]]
    else:
        inside[path[-1]] = member
    return changed


def by_library(receipts: list[bytes]) -> list[tuple[int, list[str]]]:
    verdicts = [
        check_receipt(raw, LOG_KEY, verifies_raw, now=NOW, witnesses=[WITNESS_KEY]) for raw in receipts
    ]
    return [(verdict.code, verdict.sentences()) for verdict in verdicts]


def by_short_file(receipts: list[bytes]) -> list[tuple[int, list[str]]]:
    spec = importlib.util.spec_from_file_location("verify_receipt", ROOT / "examples" / "verify_receipt.py")
    assert spec is not None
    assert spec.loader is not None
    short = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(short)
    keys = short.read_key(str(LOG_KEY)), [short.read_key(str(WITNESS_KEY))]
    return [short.verdict(raw, *keys, NOW) for raw in receipts]


def by_page(receipts: list[bytes]) -> list[tuple[int, list[str]]]:
    """The page's own code, in Node."""
    asked = {
        "key": str(LOG_KEY),
        "witnesses": [str(WITNESS_KEY)],
        "now": NOW,
        "receipts": [b64encode(raw).decode() for raw in receipts],
    }
    done = run_node("verify_many.mjs", folder=ROOT / "frontend", given=json.dumps(asked))
    assert done.returncode == 0, done.stderr
    return [(code, sentences) for code, sentences in json.loads(done.stdout)]


@pytest.mark.slow
async def test_no_altered_receipt_is_accepted_and_all_verifiers_say_the_same() -> None:
    """The library, the page and the short file, over more than a thousand alterations."""
    raw = cosigned(await played_receipt())
    house = SmallHouse(cluster(automatic=True), proofs=True)
    house.entropy.random_bytes(32)
    other = cosigned(await played_receipt(house, player="B.1"))
    wrong = mutants(raw, other)
    assert len(wrong) > 1_000
    receipt = json.loads(raw)
    unseen = {
        **receipt,
        "before": str(read_note(receipt["before"])._replace(lines=read_note(receipt["before"]).lines[:1])),
    }
    at_once = cosigned(await receipt_at_once())
    receipts = [raw, spelled(unseen), at_once, *wrong.values()]
    library = by_library(receipts)
    assert library[0][0] == 0, library[0]
    assert any("saw the closing" in sentence for sentence in library[0][1])
    assert library[1][0] == 0
    assert "That the closing came before the dice is the house's word." in library[1][1]
    assert library[2][0] == 0, library[2]
    for name, (code, sentences) in zip(wrong, library[3:], strict=True):
        if code == 0:  # a cosignature under another name is a dropped one, and is said to be unknown
            assert "Keys that are not known signed too" in " ".join(sentences), name
        else:
            assert len(sentences) == 1
    for verifier in (by_short_file, by_page):
        said = verifier(receipts)
        differing = [
            (name, ours, theirs)
            for name, ours, theirs in zip(["it", "unseen", "at once", *wrong], library, said, strict=True)
            if ours != tuple(theirs)
        ]
        assert differing[:3] == [], verifier.__name__
