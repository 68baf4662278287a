"""A house: its desks from one record, what a restart keeps, and what people ask for by name."""

import msgspec
import pytest

from taisai.errors import InputError, UnknownName
from taisai.floor.desks.decider import Done
from taisai.floor.door.answers import Waiting
from taisai.floor.door.forms import do_at_table, table_command
from taisai.floor.door.second import carry_out_what_is_left
from taisai.floor.pit.acts import PitPolicy
from taisai.floor.players.messages import PlayLimits, SetPlayLimits
from taisai.floor.table.messages import Accepted
from taisai.game.acts import Phase
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode
from tests.floor.houses import (
    DEALER,
    MANAGER,
    START,
    SUPERVISOR,
    SmallHouse,
    bet,
    cluster,
    decide_request,
    live,
    seat,
    settings,
    settle_down,
    start_round,
)


async def test_two_tables_of_one_name_are_refused() -> None:
    """A name stands for one table."""
    with pytest.raises(InputError, match="one name"):
        async with SmallHouse(live(), live()).open():
            pass


async def test_an_unknown_table_is_named() -> None:
    """The error says which tables there are."""
    async with SmallHouse(live()).open() as house:
        with pytest.raises(UnknownName, match="T1"):
            house.table("T9")


async def test_settings_that_were_changed_in_the_pit_outlive_a_restart() -> None:
    """The plan opens a table once; from then on the record decides."""
    small = SmallHouse(live())
    async with small.open() as house:
        fields = {"settings": msgspec.to_builtins(settings("tai-sai-v4/1")), "reason": "another layout"}
        asked = await do_at_table(house, "T1", "OpenTable", fields, by=SUPERVISOR, key="a")
        assert isinstance(asked, Waiting)
        await decide_request(house, asked.approval, approve=True, by=MANAGER, key="b")
    async with small.open() as house:
        assert house.table("T1").state.settings.pay_table == "tai-sai-v4/1"


async def test_an_act_of_one_person_is_done_at_once() -> None:
    """No second person is asked for what one may do."""
    async with SmallHouse(live()).open() as house:
        answer = await do_at_table(house, "T1", "StartRound", {}, by=DEALER, key="a")
        assert isinstance(answer, Accepted)
        assert answer.happened == ["BettingOpened", "WindowSet"]


async def test_an_act_of_two_people_waits_for_the_second() -> None:
    """It is done when somebody else agrees, and both are on the record."""
    small = SmallHouse(live())
    async with small.open() as house:
        await start_round(house, "T1")
        fields = {"decision": "void", "reason": "a chair fell onto the table"}
        asked = await do_at_table(house, "T1", "MakeRuling", fields, by=DEALER, key="a")
        assert isinstance(asked, Waiting)
        assert house.table("T1").state.current.phase is Phase.BETTING
        boss = Actor("bea", Role.SHIFT_MANAGER)
        done = await decide_request(house, asked.approval, approve=True, by=boss, key="b")
        assert isinstance(done, Accepted)
        assert house.table("T1").state.current.phase is Phase.VOID
        assert house.approvals.state.find(asked.approval).status == "done"


async def test_nobody_is_their_own_second_person() -> None:
    """One name is one person, whatever position it acts in."""
    async with SmallHouse(live()).open() as house:
        await start_round(house, "T1")
        fields = {"decision": "void", "reason": "x"}
        asked = await do_at_table(house, "T1", "MakeRuling", fields, by=DEALER, key="a")
        assert isinstance(asked, Waiting)
        same = Actor("dora", Role.SHIFT_MANAGER)
        answer = await decide_request(house, asked.approval, approve=True, by=same, key="b")
        assert isinstance(answer, Refusal)
        assert answer.code is RefusalCode.SECOND_PERSON_IS_FIRST
        assert house.table("T1").state.current.phase is Phase.BETTING


async def test_a_denied_act_is_not_done() -> None:
    """The second person says no, and that is on the record."""
    async with SmallHouse(live()).open() as house:
        await start_round(house, "T1")
        fields = {"decision": "void", "reason": "x"}
        asked = await do_at_table(house, "T1", "MakeRuling", fields, by=DEALER, key="a")
        assert isinstance(asked, Waiting)
        boss = Actor("bea", Role.SHIFT_MANAGER)
        answer = await decide_request(house, asked.approval, approve=False, reason="no", by=boss, key="b")
        assert isinstance(answer, Done)
        assert house.table("T1").state.current.phase is Phase.BETTING


async def test_what_was_approved_before_a_crash_is_done_after_it_and_once() -> None:
    """The approval is durable, the act was not sent: the next start sends it, and the one after does not."""
    from taisai.floor.approvals import messages as approvals

    small = SmallHouse(live())
    boss = Actor("bea", Role.SHIFT_MANAGER)
    async with small.open() as house:
        await start_round(house, "T1")
        fields = {"decision": "record", "reason": "noted"}
        asked = await do_at_table(house, "T1", "MakeRuling", fields, by=DEALER, key="a")
        assert isinstance(asked, Waiting)
        agreed = approvals.ApproveRequest(by=boss, at=house.now(), approval=asked.approval)
        await house.approvals.ask("staff:bea", "b", agreed)
    for _ in range(2):
        async with small.open() as house:
            await carry_out_what_is_left(house)
    rulings = [event for event in small.disk.streams["table:T1"] if event.type == "RulingMade"]
    assert len(rulings) == 1


async def test_the_same_request_again_has_the_same_answer() -> None:
    """An approval is asked for once, however often the message comes."""
    async with SmallHouse(live()).open() as house:
        await start_round(house, "T1")
        fields = {"decision": "void", "reason": "x"}
        answers = [await do_at_table(house, "T1", "MakeRuling", fields, by=DEALER, key="a") for _ in range(3)]
        assert len({answer.approval for answer in answers if isinstance(answer, Waiting)}) == 1
        assert len(house.approvals.state.requests) == 1


@pytest.mark.parametrize(
    ("act", "fields", "message"),
    [
        ("Dance", {}, "unknown act"),
        ("CloseBetting", {"by": "me"}, "unknown field"),
        ("CloseBetting", {"at": "2020-01-01"}, "unknown field"),
        ("MakeRuling", {"decision": "void", "second": {"name": "x", "role": "dealer"}}, "unknown field"),
        ("ActivateTumbler", {"tumbles": "three"}, "Expected `int`"),
        ("ActivateTumbler", {}, "missing required field"),
        ("DeclareRoll", {"roll": [1, 2, 7]}, "1 to 6"),
    ],
)
def test_an_act_that_makes_no_sense_is_refused_with_what_was_expected(
    act: str, fields: dict[str, object], message: str
) -> None:
    """Who acts and when is never the asker's to say; other fields must be the act's own."""
    with pytest.raises(InputError, match=message):
        table_command(act, fields, by=DEALER, at=START)


async def test_a_house_may_ask_for_a_dealer_and_dice_before_a_round() -> None:
    """What the pit has not prepared does not open."""
    async with SmallHouse(live()).open() as house:
        house.pit_policy = PitPolicy(needs_dealer=True)
        answer = await do_at_table(house, "T1", "StartRound", {}, by=DEALER, key="a")
        assert isinstance(answer, Refusal)
        assert answer.code is RefusalCode.DEALER_MISSING


async def test_a_players_own_limit_holds_at_the_table() -> None:
    """What would go over the limit is refused; taking back and repeating is not."""
    small = SmallHouse(cluster())
    async with small.open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 10_000)
        player = await house.seated_player(session)
        limits = PlayLimits(wager_session=300)
        by = Actor(player, Role.PLAYER)
        await house.players.ask("x", "1", SetPlayLimits(by=by, at=house.now(), player=player, limits=limits))
        await start_round(house, "C1")
        over = await bet(house, "C1", session, {"big": 400})
        assert isinstance(over, Refusal)
        assert over.code is RefusalCode.PLAY_LIMIT_REACHED
        assert isinstance(await bet(house, "C1", session, {"big": 300}, 1), Accepted)
        assert isinstance(await bet(house, "C1", session, {"big": 100}, 2), Accepted)


async def test_what_a_player_staked_counts_for_the_session() -> None:
    """After a settled round the limit is nearer by what was staked."""
    small = SmallHouse(cluster(automatic=True))
    async with small.open() as house:
        session = await seat(house, "C1", "C1-1", 10_000)
        await house.seated_player(session)
        await bet(house, "C1", session, {"big": 300})
        await small.pass_time(27)
        await settle_down()
        standing = house.players.state.standing(session, house.now())
        assert standing is not None
        assert standing.session_wagered == 300
