"""Group commit without a store: what becomes of each batch, and of the writer's chain."""

import msgspec
import pytest

from taisai.adapters.memory import MemoryDisk
from taisai.errors import InputError
from taisai.record.group_commit import Known, Planner
from taisai.record.journal import Batch, Committed
from taisai.record.ports import BackDated, CommandAltered, CommandRepeated, StreamMoved, TransferRepeated
from tests.record import SIGNER, START_AT, Place, answer, buy_in, on, planner, slip


def test_a_plan_that_the_store_did_not_take_changes_nothing() -> None:
    """The same group can be planned again; only an accepted plan moves the chain."""
    own = planner()
    first = own.plan([slip(1)], Known())
    again = own.plan([slip(1)], Known())
    assert first.commit == again.commit
    own.accept(first)
    second = own.plan([slip(2)], Known()).commit
    assert second is not None
    assert second.number == 2


def test_news_of_other_writers_is_told_until_it_is_durable() -> None:
    """Once, in the next commit that stands."""
    own = planner()
    own.observe("other", 4)
    own.observe("other", 3)
    own.observe("main", 9)
    lost = own.plan([slip(1)], Known()).commit
    kept = own.plan([slip(1)], Known())
    assert lost is not None
    assert kept.commit is not None
    assert lost.after == kept.commit.after == {"other": 4}
    own.accept(kept)
    after = own.plan([slip(2)], Known()).commit
    assert after is not None
    assert after.after == {}


def test_a_refused_batch_leaves_those_behind_it_as_if_it_had_never_come() -> None:
    """The second batch is late; the third follows the first, in the same commit and the same span."""
    own = planner()
    plan = own.plan([slip(1), slip(3, version=0), slip(2)], Known())
    first, late, behind = plan.outcomes
    assert isinstance(late, StreamMoved)
    assert (late.expected, late.found) == (0, 1)
    assert isinstance(first, Committed)
    assert isinstance(behind, Committed)
    assert (first.number, first.heads[0].version) == (1, 1)
    assert (behind.number, behind.heads[0].version) == (1, 2)
    assert plan.commit is not None
    assert [(span.first, span.last) for span in plan.commit.spans] == [(1, 2)]
    assert [transfer.id for transfer in plan.commit.transfers] == ["table:T1.1", "table:T1.2"]


def test_a_group_of_which_nothing_stands_makes_no_commit() -> None:
    """Each batch has its own reason; the repeated command brings its first answer."""
    own = planner()
    first = own.plan([slip(1)], Known())
    own.accept(first)
    known = Known({("t1", "c"): answer("c", b"first")}, {"x"})
    plan = own.plan(
        [
            Batch(answers=(answer("c", b"second"),)),
            Batch(answers=(answer("c", asked=b"something else"),)),
            Batch((on("table:T1", 1, at=START_AT),)),
            Batch(transfers=(buy_in("p", 5, "x"),)),
        ],
        known,
    )
    repeated, altered, early, again = plan.outcomes
    assert isinstance(repeated, CommandRepeated)
    assert repeated.answer.answer == b"first"
    assert isinstance(altered, CommandAltered)
    assert isinstance(early, BackDated)
    assert (early.at, early.last) == (START_AT, START_AT + 1)
    assert isinstance(again, TransferRepeated)
    assert (plan.commit, plan.heads) == (None, {})
    tip = own.tip
    own.accept(plan)
    assert own.tip == tip


def test_only_a_stream_that_should_exist_is_looked_up() -> None:
    """Once each, until it is known; what was forgotten is asked for again."""
    own = planner()
    batches = [slip(1), slip(2), slip(3), slip(1, stream="table:T2")]
    assert own.unknown(batches) == ["table:T1"]
    own.accept(own.plan([slip(1)], Known()))
    assert own.unknown(batches) == []
    own.forget(["table:T1", "table:T9"])
    assert own.unknown(batches) == ["table:T1"]


def test_a_commit_is_never_older_than_the_one_before_it() -> None:
    """A clock that stands behind the chain's last commit does not turn time back."""
    own = planner()
    own.accept(own.plan([slip(1)], Known()))
    assert own.tip is not None
    ahead = msgspec.structs.replace(own.tip, at=own.tip.at + 1_000)
    own.start({"main": ahead})
    commit = own.plan([slip(1, stream="table:T2")], Known()).commit
    assert commit is not None
    assert (commit.number, commit.at) == (2, ahead.at)


def test_a_writer_has_a_plain_name() -> None:
    """It stands in every commit and file name."""
    with pytest.raises(InputError, match="writer's name"):
        Planner("a b", SIGNER, Place(MemoryDisk()).clock)
