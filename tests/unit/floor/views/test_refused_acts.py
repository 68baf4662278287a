"""Every act that was refused, of players and of staff, from the answers of the journal."""

from datetime import timedelta

import pytest

from taisai.floor.approvals.asked import TableAct
from taisai.floor.table.messages import InRound
from taisai.floor.views import refused_acts
from taisai.floor.views.refused_acts import newest_refused
from taisai.game import commands as cmd
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal
from tests.floor.houses import DEALER, SmallHouse, cluster, seat, start_round


async def test_refused_acts_of_staff_and_players_are_listed_newest_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A bet names its table and round; who asked and which clause forbade it are looked for."""
    small = SmallHouse(cluster())
    async with small.open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 5_000)
        await start_round(house, "C1")
        player = Actor("C1-1", Role.PLAYER)
        slip = cmd.PlaceBets(by=player, at=house.now(), player=session, slip={"big": 10**9}, version=1)
        asked = TableAct("C1", InRound(by=player, at=house.now(), command=slip))
        assert isinstance(await house.do(asked, player, "bet-1"), Refusal)
        small.clock.move(house.now() + timedelta(seconds=1))
        settle = cmd.SettleBets(by=DEALER, at=house.now())
        asked = TableAct("C1", InRound(by=DEALER, at=house.now(), command=settle))
        early = await house.do(asked, DEALER, "act-1")
        assert isinstance(early, Refusal)
        found, following = await newest_refused(house.store, limit=10)
        assert [(each.by, each.table, each.round) for each in found] == [
            (DEALER.name, "", None),
            ("C1-1", "C1", 1),
        ]
        assert (following, found[0].code, found[0].clause) == (None, str(early.code), early.clause)
        mine, _ = await newest_refused(house.store, limit=10, by="C1-1")
        assert [each.table for each in mine] == ["C1"]
        cited, _ = await newest_refused(house.store, limit=10, clause=mine[0].clause)
        assert mine[0] in cited
        first, following = await newest_refused(house.store, limit=1)
        assert first == found[:1]
        assert following is not None
        assert await newest_refused(house.store, limit=1, after=following) == (found[1:], None)
        monkeypatch.setattr(refused_acts, "LOOKED_AT_MAX", 1)
        none, onwards = await newest_refused(house.store, limit=1, by="C1-1")
        assert none == []
        assert onwards == following
