"""What `taisai doctor` finds out about what ties a record to the outside: keys, secrets, witness.

The sentences are those of `taisai audit verify`: both ask the same functions.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from taisai.adapters.stores import is_postgres, sqlite_path
from taisai.checkup.network import mode_of, not_checked
from taisai.errors import InputError, StoreError
from taisai.floor import health as checkup
from taisai.floor.health import Finding, failed, ok, warning
from taisai.record.faults import RecordFault
from taisai.record.journal import Tip, moment
from taisai.server.config import Config

if TYPE_CHECKING:
    from taisai.adapters.signing.trust import Trust
    from taisai.record.ports import KeyRing, RecordSnapshot

_T = TypeVar("_T")

SECRETS: Final = {
    "tickets.key": "no ticket that is out could be redeemed",
    "sealing.key": "no password and no second factor of the staff would be known",
}
_OURS: Final = "the key that signed the record, which only its owner can read"
_SWAPPED: Final = (
    "put the copy of the keys back; if the record itself was replaced, stop and call the auditors"
)
_CUT: Final = (
    "stop: the record was cut short or replaced; after a lawful restore two people declare it "
    "(taisai incident restore)"
)


def look_at_keys(config: Config, tips: list[Tip] | None) -> list[Finding]:
    """The folder of keys, the secrets in it, and whether they are those that the record was made with."""
    folder = Path(config.server.keys)
    begun = tips is None or bool(tips)
    if not folder.is_dir():
        said = f"{folder} is not there"
        if begun:
            return [_lost("keys", said, "the record would go on under a new key")]
        advice = "start the house, which makes them; then keep a copy in a safe place"
        return [warning("keys", said, expected="the house's keys", advice=advice)]
    found = [checkup.judge_secret("keys", mode_of(folder), owned=_is_ours(folder))]
    found += [
        checkup.judge_secret(name, mode_of(folder / name), owned=_is_ours(folder / name))
        if (folder / name).exists()
        else _lost(name, "it is not there", loss)
        for name, loss in SECRETS.items()
        if begun or (folder / name).exists()
    ]
    try:
        return [*found, *_signing_key(config, folder, tips or [], begun=begun)]
    except ImportError as error:
        return [*found, not_checked("signing key", error)]


def _lost(check: str, said: str, loss: str) -> Finding:
    advice = f"put the copy of the keys back before the house starts: with a new one {loss}"
    return failed(check, said, expected="what the record was made with", advice=advice)


def _is_ours(path: Path) -> bool:
    return path.stat().st_uid == os.geteuid()


def _signing_key(config: Config, folder: Path, tips: list[Tip], *, begun: bool) -> list[Finding]:
    """The key can be used, the record is signed by it or by one before it, and its secrets are at hand."""
    from taisai.adapters.signing.places import key_place

    advice = "start the house, which makes it"
    nothing = warning("signing key", "there is none yet", expected="an Ed25519 key", advice=advice)
    try:
        key = key_place(config.server.signer, folder).current()
        if key is None:
            lost = _lost("signing key", "it is not there", "the record would go on under a new key")
            return [lost] if begun else [nothing]
        if not tips:
            return [ok("signing key", key.key_id)]
        notes = asyncio.run(_asked(config, _look_at_keys))
    except (InputError, StoreError) as error:
        advice = "chmod 600 it, or put the copy of the keys back"
        return [failed("signing key", str(error), expected=_OURS, advice=advice)]
    except RecordFault as fault:
        check = fault.where if fault.code == "secret_swapped" else "signing key"
        return [failed(check, str(fault), expected=_OURS, advice=_SWAPPED)]
    return [ok("signing key", f"{key.key_id}; it fits the record"), *(ok("record", said) for said in notes)]


async def _asked(config: Config, look: "Callable[[Config, RecordSnapshot], Awaitable[_T]]") -> _T:
    from taisai.adapters.auditing.record_facts import untouched_snapshot

    async with untouched_snapshot(config.server.database) as snapshot:
        return await look(config, snapshot)


async def _look_at_keys(config: Config, snapshot: "RecordSnapshot") -> list[str]:
    from taisai.adapters.auditing.whole import check_ties

    return [note.text for note in await check_ties(snapshot, _trust(config))]


def _trust(config: Config) -> "Trust":
    from taisai.adapters.signing.trust import trust_house

    return trust_house(Path(config.server.keys), config.server.trusted_keys, config.server.database)


def look_at_witness(config: Config, tips: list[Tip] | None) -> list[Finding]:
    """Whether everything that the witness kept is still in the record, every tip of it."""
    server = config.server
    if not server.witness:
        if config.house.play_money:
            return [ok("witness", "none; play money needs none")]
        advice = "set `witness` to a file or an address that those who keep the record cannot change"
        said = "none: a record that is cut short goes unseen"
        return [warning("witness", said, expected="one", advice=advice)]
    if "://" not in server.witness:
        fault = _cannot_add(Path(server.witness))
        if fault is not None:
            return [fault]
    try:
        kept = _kept(config)
        if tips is None:
            return [ok("witness", f"{server.witness}, not compared with the record")]
        return [_compared(config, kept, tips)]
    except (InputError, StoreError) as error:
        advice = "see that it can be reached; keep a file that cannot be read, and begin a new one"
        return [failed("witness", str(error), expected="a witness's lines", advice=advice)]
    except RecordFault as fault:
        return [failed("witness", str(fault), expected="a record that still holds it", advice=_CUT)]


def _cannot_add(path: Path) -> Finding | None:
    if path.parent.is_dir() and (not path.exists() or os.access(path, os.W_OK)):
        return None
    advice = "see that its disk is mounted and that this user may add to the file"
    return failed("witness", f"{path} cannot be written", expected="a file to add to", advice=advice)


def _kept(config: Config) -> list[Tip]:
    from taisai.adapters.witnesses.file import witness_at

    server = config.server
    if "://" not in server.witness and not Path(server.witness).exists():
        return []
    return list(witness_at(server.witness, server.witness_token, server.witness_ca).kept())


def _compared(config: Config, kept: list[Tip], tips: list[Tip]) -> Finding:
    if not kept:
        advice = "start the house, which writes to it every minute, or run `taisai audit witness`"
        return warning("witness", "it has seen nothing yet", expected="a tip of the record", advice=advice)

    async def look(config: Config, snapshot: "RecordSnapshot") -> str:
        from taisai.adapters.auditing.whole import anchor_events, check_witness, trusted_keys

        events = await anchor_events(snapshot)
        keys: KeyRing = trusted_keys(_trust(config), events)
        compared = await check_witness(snapshot, keys, kept, events)
        left = f", {compared.left_behind} left behind by a restore" if compared.left_behind else ""
        when = moment(compared.last_at).isoformat(timespec="seconds")
        return f"it has seen the record as of {when}; all of its {len(kept)} tips were compared{left}"

    if (
        not tips
        and is_postgres(config.server.database) is False
        and not sqlite_path(config.server.database).exists()
    ):
        raise RecordFault("record", "a witness has seen it and it is not there")
    said = asyncio.run(_asked(config, look))
    beside = (
        "://" not in config.server.witness
        and not is_postgres(config.server.database)
        and Path(config.server.witness).parent.resolve()
        == sqlite_path(config.server.database).parent.resolve()
    )
    if beside:
        advice = "keep it on another machine: who can cut the record short can cut this too"
        return warning("witness", "it is kept beside the record", expected="another place", advice=advice)
    return ok("witness", said)
