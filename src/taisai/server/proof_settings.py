"""Settings of the proofs: the house's name in its log, where its tiles are, and who else signs."""

import re
from typing import Final

import msgspec

_ORIGIN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,127}")
_NOT_IN_ORIGIN: Final = re.compile(r"[^A-Za-z0-9]+")


class ProofConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How others can prove what the house did.

    `origin` names the house's log and never changes; without one it follows from the house's name. The log's
    tiles are files in the folder `log`. `witnesses` cosign its checkpoints, each as `ADDRESS KEY`;
    `dice_witness` has a share in committed dice.
    """

    origin: str = ""
    log: str = ""
    checkpoint_seconds: float = 1.0
    witnesses: tuple[str, ...] = ()
    dice_witness: str = ""

    def origin_of(self, house: str) -> str:
        """The log's name."""
        return self.origin or f"{_NOT_IN_ORIGIN.sub('-', house).strip('-').lower() or 'house'}/taisai"


def proof_faults(config: ProofConfig) -> list[str]:
    """What cannot be a log's name, and what no checkpoint can wait for."""
    faults = []
    if config.origin and not _ORIGIN.fullmatch(config.origin):
        faults.append(f"proof.origin: expected a name such as house.example/taisai, got {config.origin!r}")
    if not 0 <= config.checkpoint_seconds <= 60:
        faults.append(f"proof.checkpoint_seconds: expected 0 to 60, got {config.checkpoint_seconds}")
    for named in (*config.witnesses, *filter(None, [config.dice_witness])):
        address, _, key = named.partition(" ")
        if not address.startswith(("http://", "https://")) or key.count("+") < 2:
            faults.append(f"proof.witnesses: expected an address and a key, got {named!r}")
    return faults
