"""The ports themselves; what keeps to them is under contract in tests/contract."""

import msgspec

from taisai.floor.ports import Asked, Contact, Undisputed
from taisai.game.people import Actor, Role


async def test_a_record_that_nobody_else_can_reach_is_never_overdue() -> None:
    """And it is not lost either, until a desk finds that it was taken."""
    ours = Undisputed()
    await ours.acquire()
    assert (ours.runs_out, ours.is_overdue(), ours.lost.is_set()) == (False, False, False)
    await ours.release()


def test_what_crosses_a_port_is_a_value() -> None:
    """A connection is known by table, terminal, gateway, life and number: two of the same are one."""
    one = Contact("C1", "C1-1", "g1", 1, 7)
    assert one == msgspec.msgpack.decode(msgspec.msgpack.encode(one), type=Contact)
    assert hash(one) == hash(Contact("C1", "C1-1", "g1", 1, 7))
    assert Asked.__struct_fields__ == ("act", "by", "key")
    assert Actor("a", Role.SYSTEM) == Actor("a", Role.SYSTEM)
