"""A house that other processes run, as one that only looks has it."""

from typing import Any

import pytest

from taisai.adapters.memory import MemoryStore
from taisai.errors import StoreUnavailable, UnknownName
from taisai.floor.approvals.asked import StaffAct
from taisai.floor.desks.copy import Carried, carried_by
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.followed import FollowedHouse
from taisai.floor.staff.messages import AddStaff, PasswordFacts, SetStaffPolicy, StaffPolicy
from taisai.game.people import Role
from taisai.record.journal import Batch
from tests.floor.houses import TESTS, SmallHouse, cluster, live, settle_down, start_round
from tests.record import SIGNER


def followed_of(small: SmallHouse) -> FollowedHouse:
    store = MemoryStore(small.disk, writer="elsewhere", signer=SIGNER, clock=small.clock)
    followed = FollowedHouse(small.plan, store, small.clock)

    def carry(batch: Batch) -> None:
        for carried in carried_by(batch, followed.streams):
            followed.hear(carried)

    small.carry = carry
    return followed


async def test_the_same_questions_have_the_same_answers_as_where_the_desks_are() -> None:
    """Staff, the day, requests, drawers and tables."""
    small = SmallHouse(live(), cluster())
    followed = followed_of(small)
    async with small.open(dealing=False) as house:
        await followed.start()
        heard: list[list[Any]] = []
        followed.follow_staff(lambda happened, version: heard.append(happened))
        at = house.now()
        policy = SetStaffPolicy(by=SYSTEM, at=at, policy=StaffPolicy(), reason="first start")
        await house.do(StaffAct(policy), TESTS, "policy")
        facts = PasswordFacts(length=20, signs=12)
        dora = {"name": "dora", "role": Role.DEALER, "password_hash": "h", "must_change": False}
        added = AddStaff(by=SYSTEM, at=at, facts=facts, reason="first start", **dora)
        await house.do(StaffAct(added), TESTS, "dora")
        await start_round(house, "T1")
        assert heard
        assert followed.read.staff().members(at) == house.read.staff().members(at)
        assert followed.read.day() == house.read.day()
        assert followed.read.waiting() == house.read.waiting() == []
        assert followed.read.drawers() == house.read.drawers()
        assert followed.read.faults() == []
        seen = followed.read.table("T1")
        assert followed.read.is_still(seen)
        assert seen.version == house.read.table("T1").version
        assert followed.read.named_otherwise("T1") is None
        with pytest.raises(UnknownName, match="C1"):
            followed.read.table("C9")
    await followed.stop()


async def test_it_is_awake_once_every_copy_is_there() -> None:
    """A stream of no desk, and a copy that is being made again."""
    small = SmallHouse(live())
    followed = followed_of(small)
    async with small.open(dealing=False):
        assert not followed.is_awake
        with pytest.raises(StoreUnavailable, match="no table be shown"):
            await followed.awake()
        await followed.start()
        assert followed.is_awake
        followed.hear(Carried("ticket:1", 0, (b"{}",)))
        followed.stands_at("ticket:1", 7)
        version = followed.table("T1").version
        followed.hear(Carried("table:T1", version, (b"{}",)))
        assert not followed.is_awake
        await settle_down()
        assert followed.table("T1").has_state
    await followed.stop()
