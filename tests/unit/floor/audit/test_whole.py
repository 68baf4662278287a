"""What an audit finds in a record that was signed with the right key and is wrong all the same."""

import re
from collections.abc import Awaitable, Callable

import msgspec
import pytest

from taisai.adapters.clock import ManualClock
from taisai.adapters.memory import MemoryDisk, MemoryStore
from taisai.adapters.scratch import Scratch
from taisai.dice import ROLLS, Roll
from taisai.floor.audit.whole import Report, audit
from taisai.floor.table import messages as table
from taisai.floor.views.house_views import VIEWS
from taisai.floor.views.round_reading import load_round
from taisai.game import commands as cmd
from taisai.ledger import Transfer
from taisai.record.faults import RecordFault
from taisai.record.journal import Batch, NewEvent
from taisai.record.ports import RecordCorrupt
from taisai.record.views import catch_up
from tests.audits import in_shares
from tests.evening import DEALER, LIVE, SUPERVISOR, Script, Step, batches_of, evening, steps
from tests.record import KEYS, SIGNER, START

Alter = Callable[[Batch], Batch]


async def recorded(alter: Alter) -> MemoryStore:
    """The evening with something wrong in it, properly signed."""
    store = MemoryStore(MemoryDisk(), writer="main", signer=SIGNER, clock=ManualClock(START))
    for batch in await batches_of(steps(evening())):
        await store.append(alter(batch))
    return store


async def report_of(store: MemoryStore) -> Report:
    """By one process; and in shares the same, sound or not."""
    async with store.snapshot() as snapshot:
        one = await found_by(audit(snapshot, KEYS, scratch=Scratch))
        for processes in (2, 3):
            shared = await found_by(in_shares(snapshot, processes, KEYS, scratch=Scratch))
            assert (type(shared), str(shared)) == (type(one), str(one))
    if isinstance(one, RecordFault):
        raise one
    return one


async def found_by(audited: Awaitable[Report]) -> Report | RecordFault:
    try:
        return await audited
    except RecordFault as fault:
        return fault


async def fault_of(alter: Alter) -> str:
    store = await recorded(alter)
    with pytest.raises(RecordFault) as found:
        await report_of(store)
    return str(found.value)


def altering(pattern: str, new: str, *, type_: str, once: bool = True) -> Alter:
    """Rewrite the bodies of events of a type; only the first that matches, unless told otherwise."""
    left = [1 if once else 1_000]

    def rewritten(event: NewEvent) -> NewEvent:
        body, count = re.subn(pattern, new, event.body.decode(), count=1)
        if event.type != type_ or not count or not left[0]:
            return event
        left[0] -= 1
        return msgspec.structs.replace(event, body=body.encode())

    def alter(batch: Batch) -> Batch:
        streams = tuple(
            msgspec.structs.replace(part, events=tuple(map(rewritten, part.events))) for part in batch.streams
        )
        return msgspec.structs.replace(batch, streams=streams)

    return alter


def moving(change: Callable[[Transfer], Transfer | None], *, reason: str, nth: int = 1) -> Alter:
    """Change, or leave out, the n-th transfer with a reason."""
    seen = 0

    def alter(batch: Batch) -> Batch:
        nonlocal seen
        kept: list[Transfer] = []
        for transfer in batch.transfers:
            seen += transfer.reason == reason
            new = change(transfer) if transfer.reason == reason and seen == nth else transfer
            if new is not None:
                kept.append(new)
        return msgspec.structs.replace(batch, transfers=tuple(kept))

    return alter


async def test_an_evening_as_it_was_played_is_sound_and_counted() -> None:
    """Rounds, bets, cents and tickets: the report says how much was looked at."""
    store = await recorded(lambda batch: batch)
    for view in VIEWS:
        await catch_up(store, view)
    report = await report_of(store)
    assert (report.rounds.rounds, report.rounds.voided, report.rounds.corrected) == (5, 2, 3)
    assert report.rounds.bets == 48
    assert (report.tickets.issued, report.tickets.ended, report.tickets.outstanding_minor) == (4, 4, 0)


@pytest.mark.parametrize(
    ("alter", "said"),
    [
        # What players and house got, by the game.
        (altering('"ann":[0-9]+', '"ann":99999', type_="PayoutsMade"), "ann was paid 99999"),
        (altering('"bets":[0-9]+', '"bets":3', type_="BetsSettled"), "sums are not those of its bets"),
        (altering('"ann":200', '"ann":195', type_="RoundVoided"), "a void does not return what was bet"),
        (altering(r'"roll":\[[^]]*\]', '"roll":[6,6,6]', type_="RollDeclared"), "was paid"),
        (altering('"pay_table_digest":".', '"pay_table_digest":"x', type_="BettingOpened"), "is not at hand"),
        (
            altering('"pay_table":"tai-sai-v6/2"', '"pay_table":"macau/9"', type_="BettingOpened"),
            "not at hand",
        ),
        (altering('"round":2', '"round":1', type_="BettingOpened"), "round T1/1 is opened again"),
        (altering('"round":1', '"round":7', type_="BetsPlaced"), "round T1/7 was never opened"),
        (altering('"type":"RoundEvent"', '"type":"Nonsense"', type_="BettingClosed"), "cannot be read"),
    ],
)
async def test_a_round_that_does_not_follow_from_its_events_is_found(alter: Alter, said: str) -> None:
    """Every settlement is computed again from the bets, the roll and the pay table."""
    assert said in await fault_of(alter)


def _to(account: str) -> Callable[[Transfer], Transfer]:
    return lambda transfer: msgspec.structs.replace(transfer, credit=account)


def _more(transfer: Transfer) -> Transfer:
    return msgspec.structs.replace(transfer, amount_minor=transfer.amount_minor + 5)


@pytest.mark.parametrize(
    ("alter", "said"),
    [
        (moving(_to("credit:bob"), reason="winnings"), "in the books"),
        (moving(lambda transfer: None, reason="stake_lost"), "round T1/1"),
        (moving(_to("unclaimed:bob"), reason="stake_returned"), "in the books"),
        (moving(_more, reason="stake_lost"), "would be below zero"),
        (moving(_more, reason="compensated"), "the house's books have"),
        (moving(lambda transfer: None, reason="stake", nth=2), "would be below zero|gained 0 in the books"),
        (moving(_more, reason="stake", nth=2), "in the books"),
        (moving(_to("stakes:T1:9"), reason="stake_lost"), "round T1/1"),
        (
            moving(lambda t: msgspec.structs.replace(t, ref="T1/9"), reason="winnings"),
            "nothing happened in round",
        ),
    ],
)
async def test_money_that_does_not_follow_from_the_game_is_found(alter: Alter, said: str) -> None:
    """A cent too much, a cent too little, and the right cents in the wrong purse."""
    assert re.search(said, await fault_of(alter))


@pytest.mark.parametrize(
    ("alter", "said"),
    [
        (altering('"amount":7000', '"amount":8000', type_="TicketIssued"), "move by 7000, the tickets"),
        (moving(_more, reason="ticket_redeemed"), "the books of tickets move by"),
        (moving(lambda transfer: None, reason="ticket_issued"), "the books of tickets move by"),
        (
            altering('"type":"TicketRedeemed"', '"type":"TicketIssued"', type_="TicketRedeemed"),
            "cannot be read",
        ),
    ],
)
async def test_a_ticket_that_is_not_worth_what_the_books_say_is_found(alter: Alter, said: str) -> None:
    """Each ticket is followed from its issue to its end."""
    assert said in await fault_of(alter)


async def test_a_ticket_that_is_redeemed_twice_is_found() -> None:
    """Also where the books agree with it."""
    again: list[Batch] = []

    def alter(batch: Batch) -> Batch:
        if not again and any(part.events[0].type == "TicketRedeemed" for part in batch.streams):
            again.append(batch)
        return batch

    store = await recorded(alter)
    twice = [
        msgspec.structs.replace(part, expected_version=2)
        for part in again[0].streams
        if part.stream.startswith("ticket:")
    ]
    moved = [
        msgspec.structs.replace(transfer, id=f"{transfer.id}.again", credit="cash")
        for transfer in again[0].transfers
    ]
    await store.append(Batch(tuple(twice), tuple(moved)))
    with pytest.raises(RecordFault, match="it ends a ticket that is not out"):
        await report_of(store)


async def test_an_event_of_another_release_is_said_when_the_views_are_made() -> None:
    """Not a traceback, but which event it is."""
    store = await recorded(altering('"type":"RoundEvent"', '"type":"Nonsense"', type_="BettingClosed"))
    for view in VIEWS[1:3]:
        with pytest.raises(RecordCorrupt, match="table:T1 version 14 cannot be read"):
            await catch_up(store, view)


def long_evening(rounds: int) -> list[Step]:
    """Many rounds, and then the second of them is corrected."""
    script = Script()
    script.wave(script.ask("T1", "pit", table.OpenTable, SUPERVISOR, settings=LIVE))
    script.wave(script.ask("T1", "pit", table.BuyIn, DEALER, player="ann", amount=1_000_000))
    for number in range(rounds):
        script.wave(script.ask("T1", "console-T1", table.StartRound, DEALER))
        script.wave(script.bet("T1", "ann", {"big": 100, "sum-9": 50}))
        script.deal("T1", ROLLS[number % 216])
    late = {"second": SUPERVISOR, "reason": "film", "roll": Roll(4, 4, 3)}
    script.wave(script.act("T1", cmd.CorrectResult, on=2, **late))
    return steps(script.waves)


@pytest.mark.parametrize("rounds", [20, 300])
async def test_a_round_that_is_corrected_long_after_it_ended_is_computed_again(rounds: int) -> None:
    """Also when the auditor has let go of it: in a second reading, with nothing counted twice."""
    store = MemoryStore(MemoryDisk(), writer="main", signer=SIGNER, clock=ManualClock(START))
    for batch in await batches_of(long_evening(rounds)):
        await store.append(batch)
    report = await report_of(store)
    assert (report.rounds.rounds, report.rounds.corrected) == (rounds, 1)
    assert report.rounds.bets == 2 * rounds + 2
    assert (await load_round(store, "T1", 2)).roll == Roll(4, 4, 3)


async def test_a_late_correction_that_pays_too_much_is_found() -> None:
    """In the second reading."""
    batches = await batches_of(long_evening(300))
    batches[-1] = altering('"ann":[0-9]+', '"ann":205', type_="PayoutsMade")(batches[-1])
    store = MemoryStore(MemoryDisk(), writer="main", signer=SIGNER, clock=ManualClock(START))
    for batch in batches:
        await store.append(batch)
    with pytest.raises(RecordFault, match="ann was paid 205, and 200 is right"):
        await report_of(store)
