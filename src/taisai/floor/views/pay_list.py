"""What the dealer hands over: who gets how much for which box, and what a correction or void changes.

Told from a round's events alone, so it is the same before the settlement, after it and on another day.
"""

from collections.abc import AsyncIterator, Callable, Iterable
from datetime import datetime

import msgspec

from taisai.floor.table.messages import RoundEvent
from taisai.floor.table.player_names import plain_player
from taisai.floor.table.state import FindRules
from taisai.floor.views.timeline import OfRound
from taisai.game import events as ev
from taisai.game.acts import Phase
from taisai.game.evolve import evolve
from taisai.game.round import shipped_rules
from taisai.game.settlement import BetResult, results_of
from taisai.game.state import RoundState
from taisai.ledger import Reason, Transfer
from taisai.ledger.accounts import receivable
from taisai.money import say_odds

SETTLED = (Phase.SETTLED, Phase.CONCLUDED)


class PayLine(msgspec.Struct, frozen=True, kw_only=True):
    """One bet on the pay list: `pay` comes on top of `back`, the part of the stake that is the player's."""

    box: str
    stake: int
    odds: str
    pay: int
    back: int


class PlayerPay(msgspec.Struct, frozen=True, kw_only=True):
    """What one player gets. `withheld` of the pay goes to what the player owes."""

    player: str
    absent: str
    colour: str
    lines: list[PayLine]
    staked: int
    back: int
    pay: int
    withheld: int


class PayChange(msgspec.Struct, frozen=True, kw_only=True):
    """What a player had from the round, has now, and so still gets or, below zero, gives back."""

    player: str
    before: int
    after: int
    difference: int


class Correction(msgspec.Struct, frozen=True, kw_only=True):
    """Something that changed a round after people had been paid, and what it means for each of them."""

    at: datetime
    by: str
    act: str
    players: list[PayChange]


class PayList(msgspec.Struct, frozen=True, kw_only=True):
    """A round's pay list: nobody is on it before the dice are declared."""

    state: str
    players: list[PlayerPay]
    corrections: list[Correction]


def net_of(state: RoundState) -> dict[str, int]:
    """What a round has brought each player so far: stakes on the felt are away, a void round is nothing."""
    staked = state.stakes_by_player()
    if state.phase is Phase.VOID:
        return dict.fromkeys(staked, 0)
    return {player: state.paid.get(player, 0) - stake for player, stake in staked.items()}


def changes(table: str, before: dict[str, int], after: dict[str, int]) -> list[PayChange]:
    """For whom something changed, and by how much."""
    found = []
    for player in {*before, *after}:
        was, now = before.get(player, 0), after.get(player, 0)
        if was != now:
            name = plain_player(player, table)
            found.append(PayChange(player=name, before=was, after=now, difference=now - was))
    return sorted(found, key=lambda change: change.player)


def pay_list(
    table: str,
    happened: Iterable[OfRound],
    withheld: dict[str, int] | None = None,
    find_rules: FindRules = shipped_rules,
) -> PayList:
    """The list of a round from its events; `withheld` is what of each player's pay goes to a debt."""
    events = [event.event for event in happened if isinstance(event, RoundEvent)]
    state, points = _replayed(events, find_rules)
    nets = [net for _, net in points] + [net_of(state)]
    return PayList(
        state=str(state.phase),
        players=_players(table, state, withheld or {}),
        corrections=[
            Correction(at=event.at, by=event.by.name, act=type(event).__name__, players=found)
            for place, (event, net) in enumerate(points)
            if (found := changes(table, net, nets[place + 1]))
        ],
    )


def _replayed(
    events: list[ev.AnyEvent], find_rules: FindRules
) -> tuple[RoundState, list[tuple[ev.AnyEvent, dict[str, int]]]]:
    """The round as it stands, and before each change of what was paid: the event that says what was wrong."""
    opened = events[0]
    if not isinstance(opened, ev.BettingOpened):
        raise TypeError(f"a round's first event is BettingOpened, got {type(opened).__name__}")
    state = RoundState(*find_rules(opened.pay_table))
    points: list[tuple[ev.AnyEvent, dict[str, int]]] = []
    undone = False
    for place, event in enumerate(events):
        if isinstance(event, ev.SettlementReversed):
            why = events[place + 1] if place + 1 < len(events) else event
            points.append((why, net_of(state)))
            undone = True
        elif isinstance(event, ev.BetsCorrected) and not undone and state.phase in SETTLED:
            points.append((event, net_of(state)))  # nobody had bet, so nothing had to be undone
            undone = True
        elif isinstance(event, ev.PayoutsMade | ev.RoundVoided):
            undone = False
        evolve(state, event)
    return state, points


def _players(table: str, state: RoundState, withheld: dict[str, int]) -> list[PlayerPay]:
    by_player: dict[str, list[BetResult]] = {}
    for result in results_of(state):
        by_player.setdefault(result.player, []).append(result)
    found = [_player(table, state, player, bets, withheld) for player, bets in by_player.items()]
    return sorted(found, key=lambda each: each.player)


def _player(
    table: str, state: RoundState, player: str, bets: list[BetResult], withheld: dict[str, int]
) -> PlayerPay:
    slip = state.slips[player]
    lines = [_line(bet) for bet in bets]
    return PlayerPay(
        player=plain_player(player, table),
        absent=slip.absent,
        colour=slip.chips.colour if slip.chips else "",
        lines=lines,
        staked=sum(line.stake for line in lines),
        back=sum(line.back for line in lines),
        pay=sum(line.pay for line in lines),
        withheld=min(withheld.get(player, 0), sum(line.pay for line in lines)),
    )


def _line(bet: BetResult) -> PayLine:
    won = bet.award.won
    back = bet.excess + (bet.effective if won else 0)
    odds = say_odds(bet.award.pays_to_one) if bet.award.pays_to_one is not None else ""
    return PayLine(box=bet.box, stake=bet.stake, odds=odds, pay=bet.returned - back, back=back)


async def withheld_in(
    transfers: Callable[[str], AsyncIterator[Transfer]], table: str, number: int, happened: Iterable[OfRound]
) -> dict[str, int]:
    """What of a round's pay went, or would go, to a debt, by player: as the ledger has it.

    Before the settlement it is what is owed then; the list never says more than the pay.
    """
    played = [event.event for event in happened if isinstance(event, RoundEvent)]
    paid = {player for event in played if isinstance(event, ev.PayoutsMade) for player in event.payouts}
    players = {event.player for event in played if isinstance(event, ev.BetsPlaced | ev.BetsCorrected)}
    found: dict[str, int] = {}
    for player in players:
        account, owed, taken = receivable(player), 0, 0
        async for made in transfers(account):
            owed += made.amount_minor if made.debit == account else -made.amount_minor
            if made.ref == f"{table}/{number}" and made.reason == Reason.COLLECTED:
                taken += made.amount_minor
        found[player] = taken if player in paid else owed
    return found
