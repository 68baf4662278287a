"""What tells two commands with one id apart, and that an upgrade makes no other command of one."""

import hmac
from typing import Any, Literal

import msgspec
import pytest

from taisai.floor.desks.requests import is_same_request, request_digest
from taisai.floor.players.messages import BeginPlay
from taisai.floor.table.messages import InRound, StartRound
from taisai.game import commands as cmd
from taisai.game.people import Actor, Role
from tests.unit.house import SYSTEM, minutes

KEY = b"k" * 32
PLAYER, DEALER = Actor("C1-1.1", Role.PLAYER), Actor("ann", Role.DEALER)


def sits(player: str = "p-1", place: str = "T1", minute: int = 0) -> BeginPlay:
    return BeginPlay(by=SYSTEM, at=minutes(minute), player=player, place=place)


def places(minute: int = 0, **more: Any) -> InRound:
    slip = {"sum-8": 100, "big": 500}
    asked: dict[str, Any] = {"player": PLAYER.name, "slip": slip, "version": 2} | more
    placing = cmd.PlaceBets(by=PLAYER, at=minutes(minute), **asked)
    return InRound(by=PLAYER, at=minutes(minute), round=3, command=placing)


CLOSES = InRound(by=DEALER, at=minutes(0), command=cmd.CloseBetting(by=DEALER, at=minutes(0)))
STARTS = StartRound(by=DEALER, at=minutes(0))
# Each command with its digest on a record of 0.1.0, and on one that was written with a key and all members.
RECORDED = [
    (
        places(),
        "fffa657a50bab3445b55c9543837eb9e066e22ced208ece4941b0c5d513f5c9e",
        "8486c175f3528eecce22ba309c12fdfac3d29871a04683f6e07abcdf905facb7",
    ),
    (
        CLOSES,
        "16e69628170e84836cdda3d93183ee28dbc8c434a66379bcdf9a4f72cdee6ac6",
        "9dd38c6f8bbcfe9af4273d682d526e0bd4991d77e2302d46518e5fee6989c11b",
    ),
    (
        STARTS,
        "9db000074f2a6b9248bf02f60ab45e4e593bb52a299d369f969a0f105d63cd53",
        "446b93d133d5f7333ad15fa96bc21f3fce74ad09f5330d18996c7da6c457179b",
    ),
]


def test_the_time_of_arrival_makes_no_other_command_and_everything_else_does() -> None:
    """What is sent again later is the same; another player or place is not, and nothing has no digest."""
    assert request_digest(sits()) == request_digest(sits(minute=5))
    assert len({request_digest(each) for each in (sits(), sits(player="p-2"), sits(place="T2"))}) == 3
    assert request_digest(None) == b""
    others = (places(), places(version=3), places(all_or_nothing=True), places(slip={"big": 500}), CLOSES)
    assert len({request_digest(each, KEY) for each in others}) == 5


def test_the_order_of_a_slip_is_only_its_spelling() -> None:
    """The same boxes and amounts, said the other way around."""
    assert request_digest(places(), KEY) == request_digest(places(slip={"big": 500, "sum-8": 100}), KEY)


def test_a_digest_with_the_houses_key_cannot_be_tried_out() -> None:
    """Another key, another digest; the same command has the same, whenever it comes."""
    other = b"o" * 32
    assert request_digest(sits(), KEY) == request_digest(sits(minute=5), KEY)
    assert len({request_digest(sits(), key) for key in (KEY, other, b"")}) == 3
    assert request_digest(None, KEY) == b""


@pytest.mark.parametrize("key", [b"k", KEY, b"k" * 64, b"k" * 65])
def test_it_is_the_hmac_of_what_was_said(key: bytes) -> None:
    """Of the members that somebody said, in their order, without the time, and with its form's name."""
    by = '"by":{"name":"C1-1.1","role":"player"},"at":'
    said = (
        f'taisai request 2\n{{"type":"InRound",{by},"command":{{"type":"PlaceBets",{by},'
        '"player":"C1-1.1","slip":{"big":500,"sum-8":100},"version":2},"round":3}'
    )
    assert request_digest(places(), key) == hmac.digest(key, said.encode(), "sha256")


@pytest.mark.parametrize(("command", "first", "keyed"), RECORDED, ids=["slip", "close", "start"])
def test_a_command_that_an_earlier_release_answered_is_known_again(
    command: Any, first: str, keyed: str
) -> None:
    """Also where it has members now that it did not have then; another command's is not taken for it."""
    asked = request_digest(command, KEY)
    for known in (first, keyed):
        assert is_same_request(bytes.fromhex(known), command, asked, KEY)
        assert not is_same_request(bytes.fromhex(known), places(version=3), asked, KEY)
    assert is_same_request(asked, command, asked, KEY)
    assert not is_same_request(bytes.fromhex(keyed), command, asked, b"o" * 32)
    assert not is_same_request(bytes.fromhex(first), None, b"", KEY)


def test_a_member_that_a_later_release_adds_changes_nothing_until_it_is_said() -> None:
    """Whatever kind of value it has; and a number that only begins like the usual one is another."""

    class Now(msgspec.Struct, tag="Sit", kw_only=True):
        by: Actor
        player: str

    class Later(msgspec.Struct, tag="Sit", kw_only=True):
        by: Actor
        count: int = 1
        player: str
        note: str = ""
        boxes: list[str] = []
        second: Actor | None = None
        kind: Literal["a", "b"] = "a"

    now = request_digest(Now(by=PLAYER, player="p"), KEY)
    assert request_digest(Later(by=PLAYER, player="p"), KEY) == now
    said: list[dict[str, Any]] = [{"count": 12}, {"note": ',"kind":"a"'}, {"boxes": [""]}, {"kind": "b"}]
    assert len({now, *(request_digest(Later(by=PLAYER, player="p", **each), KEY) for each in said)}) == 5
