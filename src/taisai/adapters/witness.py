"""A witness that is a file: a line for each tip, kept where those who keep the store cannot write."""

import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

import msgspec

from taisai.errors import InputError
from taisai.floor.journal import Tip, micros


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    kept_at: int
    writer: str
    number: int
    at: int
    key: str
    digest: str
    signature: str


class FileWitness:
    """Appends tips to a file and reads them back. Each is signed, so the file need not be trusted."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def keep(self, at: datetime, tips: Iterable[Tip]) -> None:
        lines = [_line(at, tip) for tip in tips]
        try:
            with self._path.open("ab") as file:
                file.write(b"".join(lines))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise InputError(f"cannot write the witness {self._path}: {error.strerror}") from None

    def kept(self) -> list[Tip]:
        try:
            raw = self._path.read_bytes()
        except OSError as error:
            raise InputError(f"cannot read the witness {self._path}: {error.strerror}") from None
        return [self._read(number, line) for number, line in enumerate(raw.splitlines(), 1) if line.strip()]

    def _read(self, number: int, line: bytes) -> Tip:
        try:
            read = msgspec.json.decode(line, type=_Line)
            digest, signature = bytes.fromhex(read.digest), bytes.fromhex(read.signature)
        except ValueError as error:
            raise InputError(f"{self._path} line {number}: {error}") from None
        return Tip(read.writer, read.number, read.at, read.key, digest, signature)


def _line(at: datetime, tip: Tip) -> bytes:
    line = _Line(micros(at), tip.writer, tip.number, tip.at, tip.key, tip.digest.hex(), tip.signature.hex())
    return msgspec.json.encode(line) + b"\n"
