"""A witness on another machine: tips go there by HTTPS, and the start asks it for them."""

import asyncio
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from taisai.adapters.witnesses.file import FileWitness
from taisai.adapters.witnesses.https import HttpsWitness
from taisai.errors import InputError, StoreUnavailable
from tests.server.test_anchor import Site, swap
from tests.server.test_doctor import certificate


class Keeper(NamedTuple):
    """A running `taisai audit receive`."""

    address: str
    token: Path
    ca: Path
    file: Path

    def witness(self) -> HttpsWitness:
        return HttpsWitness(self.address, str(self.token), str(self.ca))


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[Keeper]:
    chain, private = certificate(tmp_path)
    token, kept = tmp_path / "token", tmp_path / "elsewhere.jsonl"
    token.touch(mode=0o600)
    token.write_text("a long token\n", encoding="ascii")
    options = {"to": kept, "token": token, "certificate": chain, "certificate-key": private}
    arguments = [text for name, value in options.items() for text in (f"--{name}", str(value))]
    command = [sys.executable, "-m", "taisai", "audit", "receive", *arguments, "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        port = said.rstrip("/\n").rpartition(":")[2]
        yield Keeper(f"https://localhost:{port}/", token, chain, kept)
        process.terminate()


async def test_a_house_is_witnessed_by_another_machine(tmp_path: Path, keeper: Keeper) -> None:
    """Its tips stand there, and an older copy does not open."""
    settings = {"witness": keeper.address, "witness_token": str(keeper.token), "witness_ca": str(keeper.ca)}
    site = Site(tmp_path / "house", **settings)
    await site.play()
    (tmp_path / "older.db").write_bytes(site.database.read_bytes())
    await site.play()
    kept = await asyncio.to_thread(keeper.witness().kept)
    assert kept == FileWitness(keeper.file).kept()
    swap(site, tmp_path / "older.db")
    sentence = await site.refused()
    assert "a witness has seen it and it is not in the record" in sentence
    assert (await site.doctor())["witness"]["found"] == sentence
    code, found, _ = await site.verify("--config", str(site.file))
    assert (code, f"{found['where']}: {found['fault']}") == (1, sentence)


async def test_a_stranger_adds_nothing_and_reads_nothing(keeper: Keeper, tmp_path: Path) -> None:
    """Without the token, with a wrong one, and with lines that are no tips."""
    wrong = tmp_path / "wrong"
    wrong.touch(mode=0o600)
    wrong.write_text("another token", encoding="ascii")
    for witness in (
        HttpsWitness(keeper.address, "", str(keeper.ca)),
        HttpsWitness(keeper.address, str(wrong), str(keeper.ca)),
    ):
        with pytest.raises(StoreUnavailable, match="answers 401"):
            await asyncio.to_thread(witness.kept)
    async with httpx.AsyncClient(verify=_trusting(keeper)) as client:
        headers = {"Authorization": "Bearer a long token"}
        for body in (b"", b"{}\n", b"not JSON"):
            answer = await client.post(keeper.address, content=body, headers=headers)
            assert answer.status_code == 400, body
    assert not keeper.file.exists()


def _trusting(keeper: Keeper) -> ssl.SSLContext:

    return ssl.create_default_context(cafile=keeper.ca)


def test_a_witness_is_a_file_or_an_https_address() -> None:
    """Nothing is pushed in the clear."""
    with pytest.raises(InputError, match=r"expected a file or https://"):
        HttpsWitness("http://localhost/")


def test_a_witness_whose_certificate_nobody_trusts_does_not_answer(keeper: Keeper) -> None:
    """The machine's own certificates do not know it."""
    with pytest.raises(StoreUnavailable, match="does not answer"):
        HttpsWitness(keeper.address, str(keeper.token)).kept()
