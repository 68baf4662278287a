"""An act is known again by a person's own words, whatever the house would add to them now."""

import pytest

from taisai.floor.approvals.asked import TableAct
from taisai.floor.cluster.messages import CashOutToTicket, CreditIn, HandPay, NewTicket
from taisai.floor.door.acts import PlayersAct
from taisai.floor.door.answers import Answer, Waiting
from taisai.floor.house import House
from taisai.floor.players.messages import (
    BeginPlay,
    ConfirmRealityCheck,
    PlayLimits,
    RegisterPlayer,
    SetPlayLimits,
)
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode
from taisai.record.ports import CommandAltered
from tests.floor.houses import SUPERVISOR, SmallHouse, cluster, decide_request, seat

TERMINAL = Actor("C1-1", Role.PLAYER)
BOSS = Actor("bea", Role.SHIFT_MANAGER)


async def limit(house: House, wager: int, key: str) -> Answer:
    limits = PlayLimits(wager_session=wager)
    asked = SetPlayLimits(by=TERMINAL, at=house.now(), player=TERMINAL.name, limits=limits)
    return await house.do(PlayersAct(asked), TERMINAL, key)


async def confirm(house: House, key: str) -> Answer:
    asked = ConfirmRealityCheck(by=TERMINAL, at=house.now(), player=TERMINAL.name)
    return await house.do(PlayersAct(asked), TERMINAL, key)


async def cash_out(house: House, key: str, session: str | None = None) -> Answer:
    ticket = NewTicket(name=f"ticket-{key}", last_four="0000", days=1)
    asked = CashOutToTicket(
        by=TERMINAL, at=house.now(), terminal=TERMINAL.name, ticket=ticket, session=session
    )
    return await house.do(TableAct("C1", asked), TERMINAL, key)


async def hand_pay(house: House, key: str) -> Answer:
    asked = HandPay(by=SUPERVISOR, at=house.now(), terminal=TERMINAL.name, reason="the printer")
    return await house.do(TableAct("C1", asked), SUPERVISOR, key)


def code(answer: Answer) -> RefusalCode:
    assert isinstance(answer, Refusal)
    return answer.code


async def test_limits_and_checks_asked_again_after_the_session_have_their_first_answer() -> None:
    """Neither the end of the session nor another one at the same terminal changes what was answered."""
    small = SmallHouse(cluster())
    async with small.open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 10_000)
        limited, confirmed = await limit(house, 500, "l"), await confirm(house, "c")
        assert house.players.state.players[session].limits.wager_session == 500
        await cash_out(house, "out")
        assert (await limit(house, 500, "l"), await confirm(house, "c")) == (limited, confirmed)
        other = await seat(house, "C1", "C1-1", 10_000)
        assert await limit(house, 500, "l") == limited
        assert other not in house.players.state.players  # nobody was registered for what was done before
    async with small.open(dealing=False) as house:
        assert await confirm(house, "c") == confirmed
        with pytest.raises(CommandAltered):
            await limit(house, 900, "l")


async def test_a_terminal_without_a_session_is_refused_for_good_under_that_id() -> None:
    """Another id is judged by what holds then."""
    async with SmallHouse(cluster()).open(dealing=False) as house:
        await seat(house, "C1", "C1-1", 10_000)
        await cash_out(house, "out")
        assert code(await limit(house, 500, "l")) is RefusalCode.SESSION_UNKNOWN
        assert code(await hand_pay(house, "h")) is RefusalCode.SESSION_UNKNOWN
        await seat(house, "C1", "C1-1", 10_000)
        assert code(await limit(house, 500, "l")) is RefusalCode.SESSION_UNKNOWN
        assert code(await hand_pay(house, "h")) is RefusalCode.SESSION_UNKNOWN
        assert not isinstance(await limit(house, 500, "m"), Refusal)


async def test_the_days_limits_stand_when_those_of_a_session_are_set_at_a_terminal() -> None:
    """They are set where a player is known by name."""
    async with SmallHouse(cluster()).open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 10_000)
        player = await house.seated_player(session)
        by = Actor(player, Role.PLAYER)
        day = SetPlayLimits(by=by, at=house.now(), player=player, limits=PlayLimits(loss_day=700))
        await house.do(PlayersAct(day), by, "day")
        await limit(house, 500, "l")
        assert house.players.state.players[player].limits == PlayLimits(loss_day=700, wager_session=500)


async def test_a_hand_pay_asked_again_waits_as_before_though_the_credits_have_changed() -> None:
    """The amount that the second person is shown is the house's to say, and no part of what was asked."""
    async with SmallHouse(cluster()).open(dealing=False) as house:
        await seat(house, "C1", "C1-1", 10_000)
        first = await hand_pay(house, "h")
        assert isinstance(first, Waiting)
        more = CreditIn(by=TERMINAL, at=house.now(), terminal="C1-1", source="cash", amount=500)
        await house.do(TableAct("C1", more), TERMINAL, "more")
        assert await hand_pay(house, "h") == first
        decided = await decide_request(house, first.approval, approve=True, by=BOSS, key="agrees")
        assert code(decided) is RefusalCode.AMOUNT_INVALID  # they had agreed to 10,000
        assert await hand_pay(house, "h") == first


async def test_a_cash_out_of_another_session_is_refused_and_stays_so() -> None:
    """The terminal names the session that its page shows."""
    async with SmallHouse(cluster()).open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 10_000)
        refused = await cash_out(house, "one", "C1-1.77")
        assert code(refused) is RefusalCode.SESSION_UNKNOWN
        assert not isinstance(await cash_out(house, "two", session), Refusal)
        assert await cash_out(house, "one", "C1-1.77") == refused


async def test_a_player_is_seated_at_the_session_of_a_terminal_once() -> None:
    """Asked again after that session has ended, the answer is the same and nobody is seated again."""
    async with SmallHouse(cluster()).open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 10_000)
        at = house.now()
        await house.do(PlayersAct(RegisterPlayer(by=SUPERVISOR, at=at, player="p-ann")), SUPERVISOR, "known")
        sits = PlayersAct(BeginPlay(by=SUPERVISOR, at=at, player="p-ann", place="C1-1"))
        first = await house.do(sits, SUPERVISOR, "sits")
        assert house.players.state.player_at == {session: "p-ann"}
        await cash_out(house, "out")
        await seat(house, "C1", "C1-1", 10_000)
        assert await house.do(sits, SUPERVISOR, "sits") == first
        nowhere = PlayersAct(BeginPlay(by=SUPERVISOR, at=at, player="p-ann", place="C1-9"))
        assert code(await house.do(nowhere, SUPERVISOR, "nowhere")) is RefusalCode.SESSION_UNKNOWN
