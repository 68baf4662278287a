"""How a house asks its witnesses: plain HTTP, with an end to waiting."""

import asyncio
import urllib.error
import urllib.request
from base64 import b64decode
from typing import Final

from taisai.adapters.signing.keys import verifies_raw
from taisai.errors import InputError, StoreUnavailable
from taisai.floor.proofs.cosigning import LogWitness
from taisai.floor.proofs.log_keeping import AskShare
from taisai.proof.notes import NoteKey, Sign, read_key, signed_text

_SECONDS: Final = 5
_ANSWER_BYTES_MAX: Final = 16_384


def log_witness(named: str) -> LogWitness:
    """A witness from its setting: an address and a key."""
    address, _, key = named.partition(" ")

    async def post(text: str) -> tuple[int, str]:
        return await _post(f"{address.rstrip('/')}/add-checkpoint", text.encode())

    return LogWitness(read_key(key), post)


def dice_witness(named: str, house: NoteKey, sign: Sign) -> AskShare:
    """How whoever has a share in the dice is asked for it, from the setting; the house signs what it asks."""
    address, _, text = named.partition(" ")
    key = read_key(text)

    async def ask(table: str, number: int, said: bytes) -> bytes:
        asked = str(signed_text(said.decode(), house, sign))
        status, answer = await _post(f"{address.rstrip('/')}/dice-share", asked.encode())
        if status != 200:
            raise StoreUnavailable(f"{key.name} gives no share in {table}/{number}: {answer.strip()}")
        try:
            share = b64decode(answer.strip(), validate=True)
        except ValueError:
            share = b""
        if not verifies_raw(key.public, share, said):
            raise StoreUnavailable(f"the share of {key.name} in {table}/{number} is not good")
        return share

    return ask


async def _post(address: str, body: bytes) -> tuple[int, str]:
    return await asyncio.to_thread(_post_now, address, body)


def _post_now(address: str, body: bytes) -> tuple[int, str]:
    if not address.startswith(("http://", "https://")):
        raise InputError(f"expected an http or https address, got {address!r}")
    request = urllib.request.Request(address, data=body, method="POST")  # noqa: S310 - the scheme was checked
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310 - the scheme was checked
            return answer.status, answer.read(_ANSWER_BYTES_MAX).decode("utf-8", "replace")
    except urllib.error.HTTPError as error:
        return error.code, error.read(_ANSWER_BYTES_MAX).decode("utf-8", "replace")
    except OSError as error:
        raise StoreUnavailable(f"{address} cannot be reached: {error}") from None
