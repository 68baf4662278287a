"""A receipt that was altered anywhere is refused by every verifier, and all of them say the same."""

import importlib.util
import json
import random
import re
import subprocess
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from taisai.adapters.signing.keys import verifies_raw
from taisai.errors import InputError
from taisai.proof.checking import check_receipt
from taisai.proof.notes import SMALL_ORDER, NoteKey, cosignature, read_key, read_note, with_lines
from tests.floor.forging import NOW, Forged, forgeries, inner, nodes, sound
from tests.floor.houses import SmallHouse, cluster
from tests.floor.receipts import played_receipt, receipt_at_once
from tests.node import ROOT, run_node
from tests.unit.command import run
from tests.unit.floor.proofs_house import LOG_KEY
from tests.unit.proof.test_notes import WITNESS, WITNESS_KEY

SHORT_FILE = ROOT / "examples" / "verify_receipt.py"
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
    for name, (path, text) in inner(receipt).items():
        found[name] = spelled(_with(receipt, path, text))
    found |= _shapes(raw, receipt)
    found |= _notes(receipt)
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


def _notes(receipt: dict[str, Any]) -> dict[str, bytes]:
    """Checkpoints with other sizes, other lines, and lines of known keys that are spoiled."""
    found: dict[str, bytes] = {}
    for name in ("before", "after"):
        note = read_note(receipt[name])
        house, witness = note.lines
        size = note.text.split("\n")[1]
        for other in (int(size) * 2, int(size) + 1, int(size) - 1, 2**53, f"0{size}", f"{size}.0"):
            text = note.text.replace(f"\n{size}\n", f"\n{other}\n")
            found[f"{name} of size {other}"] = spelled({**receipt, name: str(note._replace(text=text))})
        spoiled = witness._replace(signature=witness.signature[:-1] + bytes([witness.signature[-1] ^ 1]))
        late = witness._replace(signature=bytes(8) + witness.signature[8:])
        short = witness._replace(signature=witness.signature[:-1])
        for what, lines in {
            "no house": (witness,),
            "only a witness twice": (witness, witness),
            "a spoiled witness": (house, spoiled),
            "a spoiled witness beside a good one": (house, witness, spoiled),
            "another time": (house, late),
            "a short signature": (house, short),
            "a house's signature as a witness's": (
                house,
                witness._replace(signature=bytes(8) + house.signature),
            ),
            "a witness's as the house's": (house._replace(signature=witness.signature[8:]), witness),
        }.items():
            found[f"{name} with {what}"] = spelled({**receipt, name: str(note._replace(lines=lines))})
        found[f"{name} with CRLF"] = spelled({**receipt, name: receipt[name].replace("\n", "\r\n")})
        found[f"{name} with a BOM"] = spelled({**receipt, name: "\ufeff" + receipt[name]})
        found[f"{name} with no end"] = spelled({**receipt, name: receipt[name][:-1]})
    return found


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


def short_file() -> Any:
    spec = importlib.util.spec_from_file_location("verify_receipt", SHORT_FILE)
    assert spec is not None
    assert spec.loader is not None
    short = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(short)
    return short


def by_short_file(receipts: list[bytes]) -> list[tuple[int, list[str]]]:
    short = short_file()
    keys = short.read_key(str(LOG_KEY)), [short.read_key(str(WITNESS_KEY))]
    return [short.verdict(raw, *keys, NOW) for raw in receipts]


def asked_of_page(receipts: list[bytes], keys: list[str]) -> dict[str, Any]:
    """The page's own code, in Node."""
    asked = {
        "key": str(LOG_KEY),
        "witnesses": [str(WITNESS_KEY)],
        "now": NOW,
        "receipts": [b64encode(raw).decode() for raw in receipts],
        "keys": keys,
    }
    done = run_node("verify_many.mjs", folder=ROOT / "frontend", given=json.dumps(asked))
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def by_page(receipts: list[bytes]) -> list[tuple[int, list[str]]]:
    return [(code, sentences) for code, sentences in asked_of_page(receipts, [])["verdicts"]]


@pytest.mark.slow
async def test_no_altered_receipt_is_accepted_and_all_verifiers_say_the_same() -> None:
    """The library, the page and the short file, over more than a thousand alterations and every forgery."""
    raw = cosigned(await played_receipt())
    house = SmallHouse(cluster(automatic=True), proofs=True)
    house.entropy.random_bytes(32)
    other = cosigned(await played_receipt(house, player="B.1"))
    wrong = mutants(raw, other)
    assert len(wrong) > 1_000
    note = read_note(json.loads(raw)["before"])
    unseen = spelled({**json.loads(raw), "before": str(note._replace(lines=note.lines[:1]))})
    good = {"it": raw, "unseen": unseen, "at once": cosigned(await receipt_at_once())}
    good |= {name: receipt for name, (receipt, _) in sound().items()}
    forged = {name: receipt for name, (receipt, _) in forgeries().items()}
    receipts = {**good, **wrong, **forged}
    assert len(receipts) == len(good) + len(wrong) + len(forged)
    library = dict(zip(receipts, by_library(list(receipts.values())), strict=True))
    assert {name: library[name][0] for name in good} == dict.fromkeys(good, 0)
    assert any("saw the closing" in sentence for sentence in library["it"][1])
    assert "That the closing came before the dice is the house's word." in library["unseen"][1]
    for name in (*wrong, *forged):
        code, sentences = library[name]
        if code == 0:  # a cosignature under another name is a dropped one, and is said to be unknown
            assert "Keys that are not known signed too" in " ".join(sentences), name
            assert name not in forged
        else:
            assert len(sentences) == 1
    for verifier in (by_short_file, by_page):
        said = zip(receipts, verifier(list(receipts.values())), strict=True)
        differing = [(name, library[name], found) for name, found in said if library[name] != tuple(found)]
        assert differing[:3] == [], verifier.__name__


def test_no_verifier_takes_an_inner_node_for_a_leaf(tmp_path: Path) -> None:
    """Each is in its tree, under the house's signature, and the proof leads from it to the root."""
    wrong = nodes()
    receipts = [raw for raw, _ in wrong.values()]
    verdicts = [check_receipt(raw, LOG_KEY, verifies_raw, now=NOW) for raw in receipts]
    assert [[said.id for said in verdict.said] for verdict in verdicts] == [[id] for _, id in wrong.values()]
    library = by_library(receipts)
    assert {code for code, _ in library} == {1}
    for verifier in (by_short_file, by_page):
        assert [(code, list(said)) for code, said in verifier(receipts)] == library, verifier.__name__
    for place, (raw, (code, sentences)) in enumerate(zip(receipts, library, strict=True)):
        path = tmp_path / f"{place}.json"
        path.write_bytes(raw)
        done = run("receipt", "verify", str(path), "--key", str(LOG_KEY))
        assert (done.exit_code, done.stderr.splitlines()) == (code, sentences)


@pytest.mark.parametrize("kind", [sound, forgeries])
def test_each_forgery_is_found_by_the_check_that_is_meant_to(kind: Callable[[], dict[str, Any]]) -> None:
    """And what is sound says how far it goes, never more."""
    for name, (raw, expected) in kind().items():
        verdict = check_receipt(raw, LOG_KEY, verifies_raw, now=NOW, witnesses=[WITNESS_KEY])
        said = [saying.id for saying in verdict.said]
        code = 0 if kind is sound else 2 if expected == "malformed" else 1
        assert (verdict.code, expected in said) == (code, True), f"{name}: {verdict.sentences()}"


def test_the_command_has_the_verdict_and_the_code_of_the_library(tmp_path: Path) -> None:
    """Exit codes 0, 1 and 2, sentences on the right stream, and the payment where the pay table is known."""
    for place, (raw, expected) in enumerate([*sound().values(), *forgeries().values()]):
        if expected in ("seen", "future"):
            continue  # these ask the clock of the machine
        path = tmp_path / f"{place}.json"
        path.write_bytes(raw)
        asked = ("receipt", "verify", str(path), "--key", str(LOG_KEY), "--witness", str(WITNESS_KEY))
        done = run(*asked)
        verdict = check_receipt(raw, LOG_KEY, verifies_raw, now=NOW, witnesses=[WITNESS_KEY])
        shown = done.stdout if verdict.code == 0 else done.stderr
        assert (done.exit_code, shown.splitlines()) == (verdict.code, verdict.sentences())


def bad_keys() -> dict[str, str]:
    """Keys that prove nothing, each under a hash that fits, and keys that are none."""
    small = sorted(SMALL_ORDER)
    found = {f"small order {raw.hex()}": str(NoteKey(LOG_KEY.name, 1, raw)) for raw in small}
    key = str(LOG_KEY)
    name, hint, encoded = key.split("+", 2)
    return found | {
        "nothing": "",
        "a word": "key",
        "another hash": f"{name}+{'0' * 8}+{encoded}",
        "another name": f"x{key}",
        "a name with a blank": f"a b+{hint}+{encoded}",
        "spare bits": f"{name}+{hint}+{encoded[:-1]}/",
        "a short key": str(NoteKey(name, 1, LOG_KEY.public[:-1])),
        "another kind": str(NoteKey(name, 6, LOG_KEY.public)),
        "no name": f"+{hint}+{encoded}",
    }


def test_no_verifier_takes_a_key_that_proves_nothing(tmp_path: Path) -> None:
    """Points of small order in all their encodings: some libraries would take their signatures."""
    wrong, short, path = bad_keys(), short_file(), tmp_path / "receipt.json"
    path.write_bytes(Forged().receipt())
    for name, key in wrong.items():
        with pytest.raises(InputError):
            read_key(key)
        with pytest.raises(short.Malformed):
            short.read_key(key)
        done = run("receipt", "verify", str(path), "--key", key)
        assert (done.exit_code, len(done.stderr.splitlines())) == (2, 1), name
    good = [str(LOG_KEY), str(WITNESS_KEY), f" {LOG_KEY}\n"]
    assert [str(read_key(key)) for key in good] == [key.strip() for key in good]
    read = asked_of_page([], [*wrong.values(), *good])["keys"]
    assert read == [False] * len(wrong) + [True] * len(good)


def test_the_short_file_says_one_sentence_whatever_it_is_given(tmp_path: Path) -> None:
    """As its users run it: codes 0, 1 and 2, and never a traceback."""
    receipt, other = tmp_path / "receipt.json", tmp_path / "other.json"
    receipt.write_bytes(Forged().receipt())
    other.write_bytes(Forged(dice=(6, 6, 6)).receipt())
    key = str(LOG_KEY)
    for code, lines, *asked in (
        (0, 8, receipt, key, str(WITNESS_KEY)),
        (1, 1, other, key),
        (2, 1, SHORT_FILE, key),
        (2, 1, tmp_path / "missing", key),
        (2, 1, receipt, "nonsense"),
        (2, 1, receipt, key, "nonsense"),
        (2, 1, receipt),
        (2, 1),
    ):
        done = subprocess.run(
            [sys.executable, SHORT_FILE, *asked], capture_output=True, text=True, check=False
        )
        assert (done.returncode, len(done.stdout.splitlines()), done.stderr) == (code, lines, ""), asked
