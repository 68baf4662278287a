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
_BEGIN: Final = (
    b'{"type":"InRound","by":%b,"at":,"command":{"type":"PlaceBets","by":%b,"at":,"player":%b,"slip":'
)
_FORM: Final = b'%b%b,"version":%d},"round":%d}'
# The beginnings of what was said last for each player, with who asked: a session asks again and again.
_BEGUN_MAX: Final = 10_000
_begun: dict[str, tuple[Actor, bytes]] = {}


def plain_slip(placing: PlaceBets, by: Actor, number: int) -> bytes | None:
    """What is said by it, or none where it says more; a box of the name of a member is unusual, too."""
    slip, player = placing.slip, placing.player
    if placing.all_or_nothing or placing.on_request or placing.chips is not None or "v" in slip:
        return None
    begun = _begun.get(player)
    if begun is None or begun[0] is not by or placing.by is not by:
        if placing.by != by:
            return None
        begun = _begin(player, by)
    return _FORM % (begun[1], _encode_ordered(slip), placing.version, number)


def _begin(player: str, by: Actor) -> tuple[Actor, bytes]:
    asker = _encode(by)
    if len(_begun) >= _BEGUN_MAX:
        _begun.clear()
    begun = _begun[player] = by, _BEGIN % (asker, asker, _encode(player))
    return begun
