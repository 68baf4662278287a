"""Does it see? Each of these breaks the house in one place, in the evening's own process and nowhere else.

A sabotage has fallen when an evening of some seed finds a violation that the sound house does not give.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from taisai.dice import ROLLS
from taisai.floor import cage, contacts, permits, tickets
from taisai.floor.approvals import acts as approvals
from taisai.floor.cluster import state as cluster
from taisai.floor.desks import answers, checkpoints, desk
from taisai.floor.desks.batch import Draft
from taisai.floor.door import door, second
from taisai.floor.door.cash_chips import CashChips
from taisai.floor.players.state import PlayersList
from taisai.floor.staff.acts import StaffState
from taisai.floor.table import changes, dealing, round_money
from taisai.floor.table import state as table
from taisai.game import acts, betting, decide, settlement, settling, state
from taisai.game.people import Actor
from taisai.record import group_commit
from taisai.server.live import feed, outbox, sessions
from taisai.server.sockets import terminal

SABOTAGES: dict[str, Callable[[], None]] = {}


def sabotage(make: Callable[[], None]) -> Callable[[], None]:
    SABOTAGES[make.__name__.replace("_", " ")] = make
    return make


@sabotage
def answer_before_the_commit() -> None:
    append = desk.Desk._append

    async def early(self: Any, draft: Draft) -> None:
        for each, reply in draft.waiting:
            each.succeed(reply)
        await append(self, draft)

    desk.Desk._append = early


@sabotage
def fence_off() -> None:
    rebuild = desk.Desk._rebuild

    async def unfenced(self: Any) -> None:
        taken, self._taken = self._taken, 0
        try:
            await rebuild(self)
        finally:
            self._taken = taken

    desk.Desk._rebuild = unfenced


@sabotage
def idempotency_off() -> None:
    ask, count = desk.Desk.ask, [0]

    async def anew(self: Any, sender: str, command_id: str, command: Any, **more: Any) -> Any:
        count[0] += 1
        return await ask(self, sender, command_id and f"{command_id}.{count[0]}", command, **more)

    desk.Desk.ask = anew


@sabotage
def altered_command_accepted() -> None:
    answers.request_digest = lambda command, key=b"": b"" if command is None else bytes(32)


@sabotage
def one_unit_too_much() -> None:
    right = settlement.payouts
    settling.payouts = lambda results: {
        player: paid + 1 if paid else 0 for player, paid in right(results).items()
    }


@sabotage
def big_wins_on_a_triple() -> None:
    award = settlement.award

    def wrong(box: Any, roll: Any, stake: int) -> Any:
        dice = list(roll)
        if box.id == "big" and len(set(dice)) == 1 and sum(dice) > 10:
            roll = next(each for each in ROLLS if sorted(each) == [4, 5, 6])
        return award(box, roll, stake)

    settlement.award = wrong


@sabotage
def excess_kept() -> None:
    settling.payouts = lambda results: _sums(
        (each.player, each.returned - (each.stake - each.effective)) for each in results
    )


def _sums(parts: Any) -> dict[str, int]:
    found: dict[str, int] = {}
    for player, amount in parts:
        found[player] = found.get(player, 0) + amount
    return found


@sabotage
def pro_rata_off() -> None:
    settlement.apportion = lambda bets, **limits: list(bets)


@sabotage
def ticket_paid_twice() -> None:
    for module in (cage, cluster):
        module.unredeemable = lambda ticket, at: None if ticket else tickets.unredeemable(ticket, at)


@sabotage
def money_of_a_ticket_forgotten() -> None:
    done = cage.CageState._done

    def forgetful(self: Any, event: Any, answer: Any, transfers: Any = None, also: Any = ()) -> Any:
        return done(self, event, answer, None, also)

    cage.CageState._done = forgetful


def _nothing_against(*asked: Any, **more: Any) -> None:
    """In the place of a rule that would refuse."""


@sabotage
def second_person_skipped_on_the_staff_list() -> None:
    StaffState.takes_two = lambda self, command: False
    StaffState.not_theirs = _nothing_against


@sabotage
def second_person_skipped_in_rounds() -> None:
    decide.lacking = _nothing_against
    waits = second.waits
    door.waits = lambda house, act: False if _name(act) in _ROUND_ACTS else waits(house, act)


_ROUND_ACTS = ("CorrectResult", "CorrectBets", "ReportDamagedDice", "MakeRuling")


@sabotage
def second_person_skipped_at_the_cage() -> None:
    cage.not_by_two = _nothing_against
    waits = second.waits
    door.waits = lambda house, act: False if type(act).__name__ == "CageAct" else waits(house, act)
    cage.CageState.unpayable = lambda self, command, amount, asking=False: None


@sabotage
def second_person_skipped_for_hand_pay() -> None:
    cluster.not_by_two = _nothing_against
    waits = second.waits
    door.waits = lambda house, act: False if "Pay" in _name(act) else waits(house, act)


def _name(act: Any) -> str:
    return type(getattr(act.command, "command", act.command)).__name__


@sabotage
def second_person_skipped_for_settings() -> None:
    changes.not_by_two = _nothing_against
    waits = second.waits
    door.waits = lambda house, act: False if _name(act) == "OpenTable" else waits(house, act)


@sabotage
def one_person_agrees_with_themselves() -> None:
    Actor.is_same_person = lambda self, other: False


@sabotage
def anybody_agrees() -> None:
    approvals.ApprovalsState._may_agree = lambda self, request, by: None
    permits.SecondRule.lack = lambda self, by, second, *, reason=None: None
    decide.lacking = _nothing_against


@sabotage
def approvals_carried_out_twice() -> None:
    numbers = [0]

    async def twice(house: Any, request: Any) -> Any:
        numbers[0] += 1
        act = request.to_do(house.now())
        await house.do(act, second.AGREED, f"{request.id}.{numbers[0]}")
        return await house.do(act, second.AGREED, request.id)

    second.carry_out = twice


@sabotage
def cut_off_lost() -> None:
    async def nothing(self: Any, table: str, terminal: str) -> None:
        return

    contacts.Contacts._cut_off = nothing


def _at_any_time() -> None:
    """The table's own look at the deadline would stop most of these, whatever the round allows."""
    table.after_deadline = lambda table, number, asked: None


@sabotage
def bets_after_the_deadline() -> None:
    dealing.Dealing.is_past_deadline = lambda self, now: False
    _at_any_time()
    close = dealing.Dealing.close

    async def late(self: Any) -> None:
        await self.timer.sleep_until(self._now() + dealing.timedelta(seconds=2))
        await close(self)

    dealing.Dealing.close = late


@sabotage
def bets_after_the_closing() -> None:
    rule = acts.ACTS[acts.Act.PLACE_BETS]
    wide = rule.phases | {acts.Phase.CLOSED}
    acts.ACTS[acts.Act.PLACE_BETS] = acts.ActRule(rule.topic, wide, rule.least)
    _at_any_time()


@sabotage
def dice_drawn_again() -> None:
    evolve = table.TableState.evolve

    def forgetful(self: Any, event: Any) -> None:
        evolve(self, event)
        if type(event).__name__ == "DiceDrawn" and not getattr(self, "_again", False):
            self._again, self.draw = True, None

    table.TableState.evolve = forgetful


@sabotage
def other_dice_than_those_drawn() -> None:
    right = dealing.Dealing._in_round

    async def other(self: Any, command: Any) -> None:
        if type(command).__name__ == "DeclareRoll":
            command = msgspec.structs.replace(command, roll=ROLLS[0])
        await right(self, command)

    dealing.Dealing._in_round = other


@sabotage
def cash_out_with_bets_on_the_felt() -> None:
    payable = cluster.ClusterState._payable

    def easy(self: Any, terminal: str) -> Any:
        number, self.number = self.number, -1
        try:
            return payable(self, terminal)
        finally:
            self.number = number

    cluster.ClusterState._payable = easy


@sabotage
def outbox_drops_silently() -> None:
    put, count = outbox.Outbox.put, [0]

    def lossy(self: Any, message: str) -> None:
        count[0] += 1
        if count[0] % 23:
            put(self, message)

    outbox.Outbox.put = lossy


@sabotage
def checkpoint_off_by_one() -> None:
    taken = checkpoints.Checkpoints._taken

    async def off(self: Any, stored: Any, load: Any) -> Any:
        resumed = await taken(self, stored, load)
        return msgspec.structs.replace(resumed, version=resumed.version + 1)

    checkpoints.Checkpoints._taken = off


@sabotage
def journal_time_back() -> None:
    group_commit._Draft.refuse = _without_times(group_commit._Draft.refuse)

    def stamped(self: Any, event: Any) -> Any:
        at = desk.micros(getattr(event, "event", event).at)
        return desk.new_event(event, at - 5_000_000 if self._version % 17 == 16 else at)

    desk.Desk._stamped = stamped


def _without_times(refuse: Callable[..., Any]) -> Callable[..., Any]:
    def easy(self: Any, batch: Any) -> Any:
        found = refuse(self, batch)
        return None if type(found).__name__ == "BackDated" else found

    return easy


@sabotage
def own_limits_not_checked() -> None:
    door.over_limit = lambda *facts: None


@sabotage
def losses_not_counted() -> None:
    PlayersList._count = lambda self, event: None


@sabotage
def maxima_not_checked() -> None:
    betting._within_limits = lambda *facts, **more: None


@sabotage
def chips_taken_by_two_tables() -> None:
    async def easy(self: Any, table: str, command: Any, ask: Any, **more: Any) -> Any:
        return await ask(None)

    CashChips.ask = easy


@sabotage
def void_keeps_a_stake() -> None:
    back = round_money.RoundBooks._return

    def less(self: Any, player: str, lying: dict[str, int]) -> None:
        back(self, player, {account: amount - 100 for account, amount in lying.items()})

    round_money.RoundBooks._return = less


@sabotage
def corrections_move_no_money() -> None:
    round_money.RoundBooks._settle_differences = lambda self, gained: None


@sabotage
def earliest_chips_rejected_first() -> None:
    latest = betting._latest_chips

    def earliest(state: Any, breach: Any) -> Any:
        for slip in (turned := state.copy()).slips.values():
            if lying := slip.chips_on(breach.box):
                turn = [chip._replace(order=state.order - chip.order) for chip in lying]
                slip.laid, slip.moments = -1, {**slip.first, breach.box: turn[0].order}
                slip.later[breach.box] = turn[1:]
        return latest(turned, breach)

    betting._latest_chips = earliest


@sabotage
def net_told_wrong() -> None:
    net = sessions.SessionBoard.net.fget
    sessions.SessionBoard.net = property(lambda self: net(self) + 100)


@sabotage
def numbers_begin_anew_after_a_restart() -> None:
    start = feed.Feed.start

    async def anew(self: Any) -> None:
        await start(self)
        self.seq = self._ring.begin(1)

    feed.Feed.start = anew


@sabotage
def the_slip_told_is_the_one_asked_for() -> None:
    asked = terminal.TerminalLink._asked

    async def as_asked(self: Any, message: Any, received: Any, by: Any) -> Any:
        answer = await asked(self, message, received, by)
        if getattr(answer, "slip", None) is not None:
            shown = {box: amount + 100 for box, amount in message.slip.items()}
            return msgspec.structs.replace(answer, slip=shown)
        return answer

    terminal.TerminalLink._asked = as_asked


@sabotage
def a_round_opens_while_one_is_in_play() -> None:
    table.TableState.in_play = property(lambda self: False)


@sabotage
def a_desk_that_never_comes_back() -> None:
    come_back = desk.Desk._come_back

    async def stuck(self: Any) -> None:
        if self._taken and self._state is None:
            await dealing.asyncio.get_running_loop().create_future()
        await come_back(self)

    desk.Desk._come_back = stuck


@sabotage
def automatic_dealing_ends_at_the_first_fault() -> None:
    run = dealing.Dealing._run

    async def once(self: Any) -> None:
        wake = self.desk.wake

        async def fragile() -> None:
            try:
                await wake()
            except Exception:
                await dealing.asyncio.get_running_loop().create_future()

        self.desk.wake = fragile
        await run(self)

    dealing.Dealing._run = once


@sabotage
def settles_a_void_round() -> None:
    state.RoundState.stakes_by_player = _half(state.RoundState.stakes_by_player)


def _half(right: Callable[[Any], dict[str, int]]) -> Callable[[Any], dict[str, int]]:
    def wrong(self: Any) -> dict[str, int]:
        found = right(self)
        return {player: stake for player, stake in found.items() if player != min(found)}

    return wrong
