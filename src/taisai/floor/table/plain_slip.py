"""A slip of which nothing unusual is said, spelled as the digest of what was asked covers it.

Nearly all that a house is asked for are such slips. `floor/desks/requests.py` comes to the same bytes member
by member, for this command and any other; a test holds the two equal.
"""

from typing import Final

import msgspec

from taisai.game.commands import PlaceBets
from taisai.game.people import Actor

_encode = msgspec.json.Encoder().encode
_encode_ordered = msgspec.json.Encoder(order="deterministic").encode
_FORM: Final = (
    b'{"type":"InRound","by":%b,"at":,"command":{"type":"PlaceBets","by":%b,"at":,"player":%b,"slip":%b,'
    b'"version":%d},"round":%d}'
)


def plain_slip(placing: PlaceBets, by: Actor, number: int) -> bytes | None:
    """What is said by it, or none where it says more; a box of the name of a member is unusual, too."""
    if (
        placing.all_or_nothing
        or placing.on_request
        or placing.chips is not None
        or "v" in placing.slip
        or placing.by != by
    ):
        return None
    asker, slip = _encode(by), _encode_ordered(placing.slip)
    return _FORM % (asker, asker, _encode(placing.player), slip, placing.version, number)
