"""Verify an export of a record with nothing of taisai: a public key, hashlib and an Ed25519 library.

    python verify_export.py EXPORT.jsonl [--key PUBLIC_KEY.pem ...] [--witness WITNESS.jsonl]

The format is described in docs/reference/journal-format.md. Without --key the keys inside the export are
used: that proves that the file is whole, not whose it is.
"""

import argparse
import base64
import hashlib
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key


class Fault(Exception):
    """The export is not what was recorded."""


def digest(*fields: bytes) -> bytes:
    """SHA-256 over the fields, each preceded by its length as eight bytes, most significant first."""
    return hashlib.sha256(b"".join(len(f).to_bytes(8, "big") + f for f in fields)).digest()


def number(value: int) -> bytes:
    return str(value).encode()


# What each part of a line needs; everything else may be left out where it is empty.
NEEDED = {
    "journal": ("format", "keys"),
    "commit": ("writer", "number", "at", "key", "digest", "signature"),
    "events": ("stream", "version", "at", "type", "digest"),
    "streams": ("stream", "first", "last", "digest"),
    "answers": ("sender", "id", "request"),
}
WHOLE = {"number", "at", "version", "first", "last", "exported_at"}
HEX = {"digest", "signature", "request"}


def formed(name: str, value: Any) -> bool:
    """Numbers are whole and bytes have one spelling: what two programs read differently is no export."""
    if name in ("events", "streams", "answers", "transfers"):
        return isinstance(value, list) and all(
            isinstance(each, list) if name == "transfers" else is_part(name, each) for each in value
        )
    if name in ("after", "keys"):
        kind = "number" if name == "after" else "digest"
        return isinstance(value, dict) and all(formed(kind, each) for each in value.values())
    if name in WHOLE:
        return type(value) is int and abs(value) < 2**53
    if not isinstance(value, str):
        return False
    if name in HEX:
        return re.fullmatch("[0-9a-f]+", value) is not None and len(value) == (
            128 if name == "signature" else 64
        )
    try:
        return not name.endswith("_base64") or base64.b64encode(base64.b64decode(value)).decode() == value
    except ValueError:
        return False


def is_part(kind: str, part: Any) -> bool:
    return (
        isinstance(part, dict)
        and all(name in part for name in NEEDED[kind])
        and all(formed(name, value) for name, value in part.items())
    )


def raw_bytes(form: dict[str, Any], name: str) -> bytes:
    """Bytes stand as text, or in base64 where they are no text."""
    if f"{name}_base64" in form:
        return base64.b64decode(form[f"{name}_base64"])
    return str(form.get(name, "")).encode()


def transfer_line(transfer: list[Any]) -> bytes:
    return json.dumps(transfer, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


class Verifier:
    """Follows the chains of all streams and of all writers."""

    def __init__(self, keys: dict[str, Ed25519PublicKey]) -> None:
        self.keys = keys
        self.streams: dict[str, tuple[int, bytes, int]] = {}
        self.writers: dict[str, tuple[int, bytes, bytes]] = {}
        self.seen: dict[tuple[str, int], str] = {}
        self.counts = dict.fromkeys(("commits", "spans", "events", "transfers", "answers"), 0)

    def commit(self, form: dict[str, Any]) -> None:
        where = f"commit {form['writer']}/{form['number']}"
        last, before, signature = self.writers.get(form["writer"], (0, b"", b""))
        if form["number"] != last + 1:
            raise Fault(f"{where}: expected number {last + 1}")
        for writer, follows in form.get("after", {}).items():
            if self.writers.get(writer, (0,))[0] < follows:
                raise Fault(f"{where}: it follows {writer}/{follows}, which does not come before it")
        self.events(form)
        found = digest(
            b"taisai commit 1",
            before,
            signature,
            form["writer"].encode(),
            number(form["number"]),
            number(form["at"]),
            form["key"].encode(),
            ",".join(f"{w}={n}" for w, n in sorted(form.get("after", {}).items())).encode(),
            self.spans(form.get("streams", [])),
            digest(b"taisai transfers 1", b"".join(map(transfer_line, form.get("transfers", [])))),
            self.answers(form.get("answers", [])),
        )
        if found.hex() != form["digest"]:
            raise Fault(f"{where}: its streams, transfers, answers or time are not those that were sealed")
        self.check_signature(where, form["key"], bytes.fromhex(form["signature"]), found)
        self.writers[form["writer"]] = (form["number"], found, bytes.fromhex(form["signature"]))
        self.seen[form["writer"], form["number"]] = form["digest"]
        self.counts["commits"] += 1

    def events(self, form: dict[str, Any]) -> None:
        for event in form.get("events", []):
            stream, version = event["stream"], event["version"]
            start = digest(b"taisai stream 1", stream.encode())
            last, before, at = self.streams.get(stream, (0, start, event["at"]))
            if version != last + 1:
                raise Fault(f"{stream} version {last + 1}: the event is missing")
            if event["at"] < at:
                raise Fault(f"{stream} version {version}: it is back-dated")
            body = raw_bytes(event, "body")
            kind = event["type"].encode()
            found = digest(b"taisai event 1", before, number(version), number(event["at"]), kind, body)
            if found.hex() != event["digest"]:
                raise Fault(f"{stream} version {version}: the event or one before it was altered")
            self.streams[stream] = (version, found, event["at"])
            self.counts["events"] += 1

    def spans(self, spans: list[dict[str, Any]]) -> bytes:
        fields = [b"taisai spans 1"]
        for span in spans:
            version, head, _ = self.streams.get(span["stream"], (0, b"", 0))
            if (version, head.hex()) != (span["last"], span["digest"]):
                raise Fault(f"{span['stream']}: expected version {span['last']}, found {version}")
            fields += [span["stream"].encode(), number(span["first"]), number(span["last"]), head]
            self.counts["spans"] += 1
        return digest(*fields)

    def answers(self, answers: list[dict[str, Any]]) -> bytes:
        fields = [b"taisai answers 1"]
        for form in answers:
            request, said = bytes.fromhex(form["request"]), raw_bytes(form, "answer")
            fields += [form["sender"].encode(), form["id"].encode(), request, said]
            self.counts["answers"] += 1
        return digest(*fields)

    def check_signature(self, where: str, key: str, signature: bytes, commit: bytes) -> None:
        if key not in self.keys:
            raise Fault(f"{where}: signed by key {key}, which is not among those given")
        try:
            self.keys[key].verify(signature, b"taisai signature 1\n" + commit)
        except InvalidSignature:
            raise Fault(f"{where}: the signature is wrong") from None


def load_keys(paths: Iterable[Path]) -> dict[str, Ed25519PublicKey]:
    keys = {}
    for path in paths:
        key = load_pem_public_key(path.read_bytes())
        if not isinstance(key, Ed25519PublicKey):
            raise Fault(f"{path} is no Ed25519 key")
        raw = key.public_bytes(Encoding.Raw, PublicFormat.Raw)
        keys[hashlib.sha256(raw).hexdigest()[:32]] = key
    return keys


def counts_agree(end, verifier):
    """Before 0.2.0 `streams` counted the streams of each commit anew; since then that is `spans`."""
    expected = {**end, "spans": end.get("spans", end.get("streams"))}
    if any(expected.get(name) != count for name, count in verifier.counts.items()):
        return False
    return "spans" not in end or end.get("streams") == len(verifier.streams)


def verify(
    lines: Iterable[bytes], keys: dict[str, Ed25519PublicKey], witness: Iterable[bytes] = ()
) -> Verifier:
    """Check every line; raises Fault at the first that is wrong."""
    verifier = Verifier(keys)
    end: dict[str, Any] | None = None
    for place, raw in enumerate(lines, 1):
        fractions: list[str] = []  # 1.0 and 1e0 are no spellings of 1
        form = json.loads(raw, parse_float=fractions.append)
        kind = form.get("line")
        if (place == 1) != (kind == "journal") or end is not None or kind not in ("journal", "commit", "end"):
            raise Fault(f"line {place}: expected a header, commits, an end")
        if fractions or (kind in NEEDED and not is_part(kind, form)):
            raise Fault(f"line {place}: not in the form of an export")
        if form["line"] == "journal":
            if form["format"] != "taisai journal 1":
                raise Fault(f"unknown format {form['format']}")
            if not keys:
                verifier.keys = {
                    name: Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
                    for name, key in form["keys"].items()
                }
        elif form["line"] == "commit":
            verifier.counts["transfers"] += len(form.get("transfers", []))
            verifier.commit(form)
        else:
            end = form
    if end is None or not counts_agree(end, verifier):
        raise Fault("the file was cut short")
    for raw in witness:
        tip = json.loads(raw)
        if verifier.seen.get((tip["writer"], tip["number"])) != tip["digest"]:
            raise Fault(f"commit {tip['writer']}/{tip['number']}: a witness has seen another")
    return verifier


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Verify an export of a taisai record.")
    parser.add_argument("export", type=Path)
    parser.add_argument("--key", type=Path, action="append", default=[])
    parser.add_argument("--witness", type=Path)
    given = parser.parse_args(arguments)
    try:
        witness = given.witness.read_bytes().splitlines() if given.witness else []
        with given.export.open("rb") as lines:
            verifier = verify(lines, load_keys(given.key), witness)
    except (Fault, OSError, ValueError, KeyError) as fault:
        print(f"fault: {fault}")
        return 1
    print("sound: " + ", ".join(f"{count} {name}" for name, count in verifier.counts.items()))
    if not given.key:
        print("the keys were taken from the export itself: give --key to know whose it is")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
