"""What processes say to one another: every act, answer and error arrives as it was sent."""

from datetime import UTC, datetime

import msgspec
import pytest

from taisai.adapters.bus import messages as msg
from taisai.errors import InputError, InvariantBroken, StoreUnavailable, TaisaiError, UnknownName, WireError
from taisai.floor.approvals.asked import CageAct, PitAct, StaffAct, TableAct
from taisai.floor.approvals.messages import DenyRequest
from taisai.floor.cage import CageAnswer, OpenDrawer
from taisai.floor.desks.copy import Carried
from taisai.floor.desks.decider import Done
from taisai.floor.desks.endings import Fenced, OperatorNeeded
from taisai.floor.desks.incidents import OurFault
from taisai.floor.door.acts import ApprovalAct, PlayersAct, desk_of
from taisai.floor.door.answers import Waiting
from taisai.floor.pit.messages import SeatDealer
from taisai.floor.players.messages import RegisterPlayer
from taisai.floor.ports import Asked
from taisai.floor.staff.messages import LogOut
from taisai.floor.table.messages import Accepted, InRound
from taisai.game import commands as cmd
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode
from taisai.ledger import Transfer
from taisai.record.ports import AnswerArchived, CommandAltered, InArchive, RecordCorrupt, StreamMoved

AT = datetime(2026, 5, 4, 20, 0, 0, 123456, tzinfo=UTC)
BY = Actor("dora", Role.DEALER)
PLACED = cmd.PlaceBets(by=BY, at=AT, player="C1-1.1", slip={"small": 1_000}, version=1)


@pytest.mark.parametrize(
    ("act", "desk"),
    [
        (TableAct("T.1", InRound(by=BY, at=AT, command=PLACED, round=7)), "table:T.1"),
        (CageAct(OpenDrawer(by=BY, at=AT, float_minor=5)), "cage"),
        (PitAct(SeatDealer(by=BY, at=AT, table="T1", dealer="dora")), "pit"),
        (StaffAct(LogOut(by=BY, at=AT, token="t")), "staff"),
        (PlayersAct(RegisterPlayer(by=BY, at=AT, player="p")), "players"),
        (ApprovalAct(DenyRequest(by=BY, at=AT, approval="a", reason="no")), "approvals"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_act_of_every_desk_arrives_as_it_was_sent(act: object, desk: str) -> None:
    """With who sent it, to the microsecond, and it is known whose it is."""
    asked = Asked(act, BY, "key")
    assert msg.unpack_asked(msg.pack_asked(asked)) == asked
    assert desk_of(act) == desk


@pytest.mark.parametrize(
    "answer",
    [
        Accepted(happened=["BetsPlaced"], round=7, slip={"small": 1_000}, slip_version=1),
        Done(happened=["x"], id="1"),
        CageAnswer(happened=["x"], amount=5),
        Waiting(approval="a1", expires_at=AT),
        Refusal(code=RefusalCode.FUNDS_INSUFFICIENT, clause="3.1", facts={"needed": 5, "boxes": ["small"]}),
    ],
    ids=lambda answer: type(answer).__name__,
)
def test_an_answer_arrives_as_it_was_given(answer: object) -> None:
    """Each of its kind."""
    assert msg.unpack_answer(msg.pack_answer(answer)) == answer


@pytest.mark.parametrize(
    "error",
    [
        InputError("expected 1, got 2"),
        UnknownName("table", "T9", ["T1"]),
        StoreUnavailable("the disk is full"),
        Fenced("taken"),
        OperatorNeeded("look"),
        RecordCorrupt("version 7"),
        CommandAltered("C1-1", "7"),
        AnswerArchived("C1-1", "7"),
        InArchive("round 7"),
        OurFault("ab12"),
        InvariantBroken("never"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_is_met_as_if_it_had_been_met_here(error: Exception) -> None:
    """Of the same kind, with the same text and what it knows."""
    met = msg.unpack_answer(msg.pack_answer(error))
    assert type(met) is type(error)
    assert (str(met), vars(met)) == (str(error), vars(error))


def test_an_error_of_no_known_kind_is_its_parent_and_a_bug_is_a_bug() -> None:
    """Nothing arrives as success; what another version calls an error is named."""
    moved = msg.unpack_answer(msg.pack_answer(StreamMoved("s", expected=1, found=2)))
    assert isinstance(moved, InvariantBroken | TaisaiError)
    assert isinstance(msg.unpack_answer(msg.pack_answer(ZeroDivisionError("x"))), InvariantBroken)
    other = msgspec.Raw(msgspec.msgpack.encode(msg.Failed("Hiccup", "hic")))
    assert str(msg.unpack_answer(other)) == "unknown error 'Hiccup': hic"
    unknown = msg.unpack_answer(msgspec.Raw(msgspec.msgpack.encode({"type": "Perhaps"})))
    assert isinstance(unknown, WireError)
    assert "Perhaps" in str(unknown)


def test_a_commit_arrives_with_its_money() -> None:
    """And says where its stream stands with it."""
    moved = Transfer("1", "house:cash", "credit:p", 5, "buy_in", 7)
    carried = Carried("table:T1", 7, (b"{}", b"{}"), (moved,))
    assert msg.unpack(msg.pack(carried)) == carried
    assert carried.version == 9


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "expected a message with kind and version, got 0 bytes"),
        (msgspec.msgpack.encode(["Wish", 1, []]), "unknown kind of message 'Wish': there are AskMany"),
        (msgspec.msgpack.encode(["Stands", 2, []]), "Stands: expected version 1, got 2"),
        (msgspec.msgpack.encode(["Stands", 1, [7]]), "Stands: "),
    ],
)
def test_what_is_not_understood_is_named(raw: bytes, said: str) -> None:
    """Never taken for something else."""
    with pytest.raises(WireError) as met:
        msg.unpack(raw)
    assert str(met.value).startswith(said)


def test_an_act_that_no_wire_can_carry_is_the_askers_fault() -> None:
    """A text with half a character, as a broken client may send."""
    broken = Asked(PlayersAct(RegisterPlayer(by=BY, at=AT, player="\ud800")), BY, "key")
    with pytest.raises(InputError, match="cannot be sent"):
        msg.pack_asked(broken)


def test_a_name_is_one_part_of_an_address_whatever_is_in_it() -> None:
    """Dots and stars are the bus's own signs."""
    assert msg.subject("ask", "table:T.1*>~ x") == "ts.ask.table%3AT%2E1%2A%3E%7E%20x"


# Version 1, as processes of 0.2.0 speak it: what stands here never changes.
VERSION_1 = {
    "AskMany": "asked",
    "AnswerMany": "answers versions",
    "NotTaken": "why again",
    "Stands": "owner versions at_ms asked release oldest newest",
    "Where": "asked",
    "Enquire": "what about",
    "ToldOne": "answer failed",
    "StaffActed": "seen",
    "Gathered": "table connected attendants waiting_round ready waits_for rolls_at",
    "NameSaid": "pseudonym name",
    "Carried": "stream after events transfers",
    "Here": "table gateway epoch contacts",
    "Replaced": "contact",
}


def test_a_process_of_the_release_before_is_understood_and_understands() -> None:
    """Fields of a version keep their places, and newer ones may be missing; else it is another version."""
    kinds = {kind.__name__: msgspec.structs.fields(kind) for kind in msg.AnyMessage.__args__}
    for name, fields in VERSION_1.items():
        known = fields.split()
        assert [field.name for field in kinds[name]][: len(known)] == known
        assert not any(field.required for field in kinds[name][len(known) :])


def test_fields_of_a_newer_release_are_left_and_those_of_an_older_one_are_done_without() -> None:
    """At the end of a message, and by their names in acts."""
    newer = msgspec.msgpack.encode(["Stands", 1, ["desk-01", {"pit": 7}, 5, 0, "0.3.0", 1, 2, "more", [8]]])
    assert msg.unpack(newer) == msg.Stands("desk-01", {"pit": 7}, 5, 0, "0.3.0", 1, 2)
    older = msgspec.msgpack.encode(["Stands", 1, ["desk-01", {"pit": 7}]])
    assert msg.unpack(older) == msg.Stands("desk-01", {"pit": 7})
    asked = Asked(TableAct("T1", InRound(by=BY, at=AT, command=PLACED, round=7)), BY, "key")
    plain = msgspec.msgpack.decode(bytes(msg.pack_asked(asked)))
    plain["act"]["command"]["mood"] = plain["mood"] = "good"
    assert msg.unpack_asked(msgspec.Raw(msgspec.msgpack.encode(plain))) == asked
