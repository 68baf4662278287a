"""A witness on another machine: tips go to it by HTTPS, and it is asked for them at the start."""

import ssl
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Final

import httpx

from taisai.adapters.sealing import load_secret_text
from taisai.adapters.witnesses.file import read_lines, witness_lines
from taisai.errors import InputError, StoreUnavailable
from taisai.record.journal import Tip

_SECONDS: Final = 10.0
LINES: Final = "application/x-ndjson"


class HttpsWitness:
    """Posts tips to an address and reads them back. `token` and `ca` are files."""

    def __init__(self, address: str, token: str = "", ca: str = "") -> None:
        if not address.startswith("https://"):
            raise InputError(f"expected a file or https://… as the witness, got {address!r}")
        self._address = address
        self._headers = {"Authorization": f"Bearer {load_secret_text(Path(token))}"} if token else {}
        try:
            self._trusted = ssl.create_default_context(cafile=ca or None)
        except OSError as error:
            raise InputError(f"cannot read the certificates {ca}: {error.strerror or error}") from None

    def keep(self, at: datetime, tips: Iterable[Tip]) -> None:
        self._ask("POST", witness_lines(at, tips))

    def kept(self) -> list[Tip]:
        return read_lines(self._ask("GET", None), self._address)

    def _ask(self, method: str, lines: bytes | None) -> bytes:
        headers = {**self._headers, **({"Content-Type": LINES} if lines is not None else {})}
        try:
            with httpx.Client(verify=self._trusted, timeout=_SECONDS) as client:
                answer = client.request(method, self._address, content=lines, headers=headers)
        except httpx.HTTPError as error:
            said = str(error) or type(error).__name__
            raise StoreUnavailable(f"the witness {self._address} does not answer: {said}") from None
        if not answer.is_success:
            raise StoreUnavailable(f"the witness {self._address} answers {answer.status_code}")
        return answer.content
