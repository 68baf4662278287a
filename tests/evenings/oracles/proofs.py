"""Receipts are checked as a player would, by the printed verifier; and no checkpoint is ever taken back."""

import importlib.util
import json
from base64 import b64decode
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taisai.proof.notes import note_key
from tests.evenings.log_files import LogSigner, ShownLog
from tests.evenings.process import OPENED_AT

if TYPE_CHECKING:
    from tests.evenings.world import World


def _printed_verifier() -> Any:
    """The verifier that shares no code with the house."""
    path = Path(__file__).parents[3] / "examples" / "verify_receipt.py"
    spec = importlib.util.spec_from_file_location("verify_receipt", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_verifier = _printed_verifier()


class Proofs:
    """Holds receipts and checkpoints of an evening's house against its record and against one another."""

    def __init__(self, world: "World", log: ShownLog | None) -> None:
        self._world, self._log = world, log
        origin = world.config.proof.origin_of(world.config.house.name)
        self._key = _verifier.read_key(str(note_key(origin, LogSigner().public)))

    def receipt(self, who: str, address: str, raw: bytes) -> None:
        """Somebody was given a receipt for the slip behind an address."""
        self._world.figures["receipts"] += 1
        now = OPENED_AT + timedelta(seconds=self._world.loop.time())
        code, said = _verifier.verdict(raw, self._key, [], int(now.timestamp()))
        if code:
            self._world.violate(f"{who} has a receipt that does not hold: {said[0]}")
            return
        _, _, table, number, *_ = address.split("/")
        player, version, _ = json.loads(json.loads(raw)["slip"]["body"])
        returned = json.loads(json.loads(raw)["result"]["body"])[2]
        reader = self._world.rounds.rounds[table, int(number)]
        if reader.naive.asked.get(player, (0, {}))[0] != version:
            self._world.violate(f"{who} has a receipt for a slip {version} of {player} that never was")
        if reader.naive.phase == "concluded" and not reader.corrected:
            paid = reader.naive.paid.get(player)
            if returned != paid:
                self._world.violate(f"{who} has a receipt over {returned}, and {paid} was paid")

    def check_log(self) -> None:
        """At the end: the log begins with each that anybody was ever shown."""
        if self._log is None:
            return
        leaves = _leaves(self._log)
        for shown in self._log.shown:
            _, size, root = shown.decode().splitlines()[:3]
            if int(size) > len(leaves) or _root(leaves[: int(size)]) != b64decode(root):
                self._world.violate(f"a checkpoint of {size} entries was shown, and the log is another")


def _leaves(log: ShownLog) -> list[bytes]:
    """All hashes of entries, by the tiles as anybody reads them; of a part the longest one."""
    tiles: dict[str, bytes] = {}
    for path, body in log.files.items():
        if path.startswith("tile/0/"):
            place = path.partition(".p/")[0]
            tiles[place] = max(tiles.get(place, b""), body, key=len)
    whole = b"".join(tiles[place] for place in sorted(tiles))
    return [whole[at : at + 32] for at in range(0, len(whole), 32)]


def _root(leaves: list[bytes]) -> bytes:
    """The root of a tree, as its definition says (RFC 9162, 2.1.1)."""
    if len(leaves) <= 1:
        return leaves[0] if leaves else sha256().digest()
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\1" + _root(leaves[:split]) + _root(leaves[split:])).digest()
