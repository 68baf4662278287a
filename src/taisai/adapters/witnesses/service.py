"""A witness over HTTP: cosigns checkpoints of other houses' logs and gives its share in their dice.

What it signed is durable before it answers, so that it never signs two logs as one, nor two roots of a round.
"""

import logging
import sqlite3
from base64 import b64encode
from collections.abc import Callable, Mapping
from contextlib import closing
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from typing import Any, Final

from taisai.adapters.signing.keys import SigningKey, verifies_raw
from taisai.errors import InputError
from taisai.proof.notes import NoteKey, cosignature, is_signed
from taisai.proof.witnessing import (
    REQUEST_BYTES_MAX,
    SIZE_TYPE,
    Judged,
    Latest,
    judge,
    read_request,
    share_asked,
)

log = logging.getLogger("taisai.witness")

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS logs (origin TEXT PRIMARY KEY, size INTEGER NOT NULL, root BLOB NOT NULL,
                                 note TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS shares (origin TEXT, place TEXT, round INTEGER, text BLOB NOT NULL,
                                   PRIMARY KEY (origin, place, round));
"""


class WitnessBook:
    """What a witness signed, in a file."""

    def __init__(
        self,
        path: Path,
        key: NoteKey,
        signer: SigningKey,
        logs: Mapping[str, NoteKey],
        now: Callable[[], int],
    ) -> None:
        self.key, self._signer, self._logs, self._now = key, signer, logs, now
        self._path, self._lock = path, Lock()
        with closing(self._open()) as store:
            store.executescript(_TABLES)

    def _open(self) -> sqlite3.Connection:
        store = sqlite3.connect(self._path, isolation_level=None, timeout=30)
        store.execute("PRAGMA synchronous=FULL")
        return store

    def add_checkpoint(self, raw: bytes) -> Judged:
        """Answer a log; what is signed is compared and kept in one transaction."""
        try:
            request = read_request(raw)
        except InputError as error:
            return Judged(400, str(error))
        with self._lock, closing(self._open()) as store:
            store.execute("BEGIN IMMEDIATE")
            origin = request.checkpoint.origin
            row = store.execute("SELECT size, root FROM logs WHERE origin = ?", (origin,)).fetchone()
            judged = judge(request, self._logs, Latest(*row) if row else Latest(), verifies_raw)
            if judged.checkpoint is None:
                store.execute("ROLLBACK")
                return judged
            line = cosignature(request.note.text, self._now(), self.key, self._signer.sign)
            kept = (origin, judged.checkpoint.size, judged.checkpoint.root, f"{request.note}{line}")
            store.execute("INSERT OR REPLACE INTO logs VALUES (?, ?, ?, ?)", kept)
            store.execute("COMMIT")
        return Judged(200, str(line))

    def share(self, raw: bytes) -> Judged:
        """Sign the closing of a round as its house asks for it, one root for each round."""
        try:
            origin, table, number, note = share_asked(raw)
        except InputError as error:
            return Judged(400, str(error))
        house, text = self._logs.get(origin), note.text.encode()
        if house is None:
            return Judged(404, "this log is not known here")
        if not is_signed(note, house, verifies_raw):
            return Judged(403, "the house's signature is not good")
        with self._lock, closing(self._open()) as store:
            store.execute("BEGIN IMMEDIATE")
            store.execute("INSERT OR IGNORE INTO shares VALUES (?, ?, ?, ?)", (origin, table, number, text))
            named = "SELECT text FROM shares WHERE origin = ? AND place = ? AND round = ?"
            first = store.execute(named, (origin, table, number)).fetchone()[0]
            store.execute("COMMIT")
        if first != text:
            return Judged(409, "another root of this round was signed before")
        return Judged(200, b64encode(self._signer.sign(text)).decode() + "\n")

    def checkpoint(self, named: str) -> str | None:
        """The last checkpoint of a log, by the hash of its name."""
        with closing(self._open()) as store:
            rows = store.execute("SELECT origin, note FROM logs").fetchall()
        return next((note for origin, note in rows if sha256(origin.encode()).hexdigest() == named), None)


def witness_server(book: WitnessBook, host: str, port: int) -> ThreadingHTTPServer:
    """The server of a witness, not serving yet."""

    class Handler(BaseHTTPRequestHandler):
        """Answers logs."""

        def do_POST(self) -> None:
            """A checkpoint to be signed, or a closing."""
            size = self.headers.get("Content-Length", "")
            if not size.isdigit() or int(size) > REQUEST_BYTES_MAX:
                self._say(Judged(413, "a request has at most 32768 bytes"))
                return
            raw = self.rfile.read(int(size))
            match self.path.rstrip("/").rpartition("/")[2]:
                case "add-checkpoint":
                    self._say(book.add_checkpoint(raw))
                case "dice-share":
                    self._say(book.share(raw))
                case _:
                    self._say(Judged(404, "nothing is here"))

        def do_GET(self) -> None:
            """The last checkpoint of a log, or the witness's own key."""
            *_, named, last = ("", "", *self.path.strip("/").split("/"))
            if last == "key":
                self._say(Judged(200, f"{book.key}\n"))
                return
            note = book.checkpoint(named) if last == "checkpoint" else None
            self._say(Judged(404, "nothing is here") if note is None else Judged(200, note))

        def _say(self, judged: Judged) -> None:
            body = judged.text.encode()
            kind = SIZE_TYPE if judged.status == 409 and body[:1].isdigit() else "text/plain; charset=utf-8"
            self.send_response(judged.status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # the name that the library gives it
            log.info(format, *args)

    return ThreadingHTTPServer((host, port), Handler)
