"""What every store promises about appending."""

import asyncio
import contextlib

import pytest

from taisai.errors import InputError, StoreConflict
from taisai.ledger import credit, stakes
from taisai.record.journal import Batch, Committed
from taisai.record.ports import BackDated, CommandAltered, CommandRepeated, StreamMoved, TransferRepeated
from taisai.record.verify import verify
from tests.record import KEYS, START_AT, Place, answer, bet, buy_in, events, on, slip


async def test_an_append_is_read_back_as_it_was_given(at: Place) -> None:
    """Events come back in order, with their bytes."""
    store = await at.open()
    receipt = await store.append(Batch((on("table:T1", 0, 3, body=b"\x00\xff raw"),)))
    read = [event async for event in store.events("table:T1")]
    assert [event.version for event in read] == [1, 2, 3]
    assert {event.body for event in read} == {b"\x00\xff raw"}
    assert receipt.heads[0].digest == read[-1].digest
    assert [event.version async for event in store.events("table:T1", after=2)] == [3]
    assert [event async for event in store.events("table:T1", after=3)] == []
    assert [event async for event in store.events("table:T2")] == []


async def test_a_long_stream_is_read_whole(at: Place) -> None:
    """Reading goes on past a page."""
    store = await at.open()
    await store.append(Batch((on("table:T1", 0, 1_100),)))
    assert [event.version async for event in store.events("table:T1")] == list(range(1, 1_101))
    assert [event.version async for event in store.events("table:T1", after=511)] == list(range(512, 1_101))


async def test_two_writers_on_one_stream_have_one_winner(at: Place) -> None:
    """Both decide on the same state; one is recorded, the other is told where the stream stands."""
    store = await at.open()
    outcomes = await asyncio.gather(
        store.append(Batch((on("table:T1", 0),), (), (answer("a"),))),
        store.append(Batch((on("table:T1", 0),), (), (answer("b"),))),
        return_exceptions=True,
    )
    lost = [outcome for outcome in outcomes if isinstance(outcome, StreamMoved)]
    assert len(lost) == 1
    assert (lost[0].expected, lost[0].found) == (0, 1)
    assert len([event async for event in store.events("table:T1")]) == 1
    assert len(await store.answers([("t1", "a"), ("t1", "b")])) == 1


async def test_a_version_ahead_of_the_stream_is_refused(at: Place) -> None:
    """No gap can come into a stream."""
    store = await at.open()
    await store.append(Batch((on("table:T1", 0),)))
    with pytest.raises(StreamMoved):
        await store.append(Batch((on("table:T1", 5),)))
    with pytest.raises(StreamMoved):
        await store.append(Batch((on("table:T2", 1),)))


async def test_several_streams_move_together_or_not_at_all(at: Place) -> None:
    """A batch with one stale stream leaves every stream, the ledger and the answers as they were."""
    store = await at.open()
    await store.append(Batch((on("table:T1", 0), on("ticket:ab", 0))))
    stale = Batch((on("table:T1", 1), on("ticket:ab", 0)), (buy_in("p", 5, "x.1"),), (answer("c"),))
    with pytest.raises(StreamMoved):
        await store.append(stale)
    assert [head.version async for head in store.heads()] == [1, 1]
    assert [transfer async for transfer in store.transfers("cash")] == []
    assert await store.answers([("t1", "c")]) == {}
    await store.append(Batch((on("table:T1", 1), on("ticket:ab", 1)), stale.transfers, stale.answers))
    assert [(head.stream, head.version) async for head in store.heads()] == [
        ("table:T1", 2),
        ("ticket:ab", 2),
    ]
    assert [head.stream async for head in store.heads("ticket:")] == ["ticket:ab"]


@pytest.mark.parametrize("said", [b'{"ok":true}', b'{"refused":"betting_closed"}'])
async def test_a_repeated_command_gets_its_first_answer(at: Place, said: bytes) -> None:
    """Acceptance or refusal: the same id gives the same answer, whatever else the repetition carries."""
    store = await at.open()
    await store.append(Batch((on("table:T1", 0),), (buy_in("p", 5, "x.1"),), (answer("c", said),)))
    for version in (0, 1):
        with pytest.raises(CommandRepeated) as repeated:
            await store.append(
                Batch((on("table:T1", version),), (buy_in("p", 5, "x.2"),), (answer("c", b"other"),))
            )
        assert repeated.value.answer.answer == said
    assert (await store.answers([("t1", "c")]))["t1", "c"].answer == said
    assert len([event async for event in store.events("table:T1")]) == 1


async def test_a_refusal_is_recorded_without_events(at: Place) -> None:
    """An answer alone is a whole batch."""
    store = await at.open()
    receipt = await store.append(Batch(answers=(answer("c", b"refused"),)))
    assert receipt.heads == ()
    assert (await store.answers([("t1", "c"), ("t1", "d")])).keys() == {("t1", "c")}


async def test_a_command_id_with_other_content_is_refused(at: Place) -> None:
    """The id belongs to what was asked first."""
    store = await at.open()
    await store.append(Batch(answers=(answer("c"),)))
    with pytest.raises(CommandAltered):
        await store.append(Batch(answers=(answer("c", asked=b"something else"),)))
    await store.append(Batch(answers=(answer("c", asked=b"something else", sender="t2"),)))


async def test_a_transfer_is_entered_once(at: Place) -> None:
    """A transfer id that is in the books is refused, and nothing of its batch is kept."""
    store = await at.open()
    await store.append(Batch(transfers=(buy_in("p", 5, "x.1"),)))
    with pytest.raises(TransferRepeated):
        await store.append(Batch((on("table:T1", 0),), (buy_in("p", 6, "x.2"), buy_in("p", 5, "x.1"))))
    assert [transfer.id async for transfer in store.transfers("credit:p")] == ["x.1"]
    assert await store.head("table:T1") is None


async def test_events_cannot_be_back_dated(at: Place) -> None:
    """A stream's times never go back."""
    store = await at.open()
    await store.append(Batch((on("table:T1", 0, at=START_AT + 10),)))
    with pytest.raises(BackDated):
        await store.append(Batch((on("table:T1", 1, at=START_AT + 9),)))
    await store.append(Batch((on("table:T1", 1, at=START_AT + 10),)))


async def test_waiting_appends_succeed_and_fail_each_on_its_own(at: Place) -> None:
    """In one group: good ones, a stale stream, a repeated command, an altered one, a repeated transfer."""
    store = await at.open()
    await store.append(slip(1))
    outcomes = await asyncio.gather(
        store.append(slip(2)),
        store.append(Batch((on("table:T1", 0),), (), (answer("stale"),))),
        store.append(Batch(answers=(answer("table:T1/c1"),))),
        store.append(Batch(answers=(answer("table:T1/c1", asked=b"no"),))),
        store.append(Batch(transfers=(buy_in("p", 1, "table:T1.1"),))),
        store.append(Batch((on("table:T9", 0),), (), (answer("good"),))),
        store.append(Batch(answers=(answer("good"),))),
        store.append(slip(3)),
        return_exceptions=True,
    )
    kinds = [type(outcome) for outcome in outcomes]
    assert kinds == [
        Committed,
        StreamMoved,
        CommandRepeated,
        CommandAltered,
        TransferRepeated,
        Committed,
        CommandRepeated,
        Committed,
    ]
    assert [event.version async for event in store.events("table:T1")] == [1, 2, 3]
    assert await store.answers([("t1", "stale")]) == {}


async def test_many_waiting_appends_are_all_kept(at: Place) -> None:
    """Five hundred at once on fifty streams."""
    store = await at.open()
    batches = [slip(n, stream=f"table:T{table}") for n in range(1, 11) for table in range(50)]
    receipts = await asyncio.gather(*(store.append(batch) for batch in batches))
    assert len(receipts) == 500
    assert [head.version async for head in store.heads("table:")] == [10] * 50
    assert len([transfer async for transfer in store.transfers("cash")]) == 500


async def test_an_account_statement_has_each_transfer_in_order(at: Place) -> None:
    """Debits and credits of an account, by time."""
    store = await at.open()
    await store.append(Batch(transfers=(buy_in("p", 500, "x.1"), bet("p", 20, "x.2"), buy_in("q", 5, "x.3"))))
    assert [transfer.id async for transfer in store.transfers("credit:p")] == ["x.1", "x.2"]
    read = [transfer async for transfer in store.transfers("stakes:T1:1")]
    assert read == [bet("p", 20, "x.2")]


@pytest.mark.parametrize(
    "wrong",
    [
        Batch(),
        Batch((on("Table T1", 0),)),
        Batch((on("table:T1", 0), on("table:T1", 1))),
        Batch((on("table:T1", -1),)),
        Batch((on("table:T1", 0, 0),)),
        Batch(transfers=(buy_in("p", 0, "x.1"),)),
        Batch(transfers=(buy_in("p", 2**53, "x.1"),)),
        Batch(transfers=(buy_in("p", 1, "x.1"), buy_in("q", 1, "x.1"))),
        Batch(answers=(answer("c"), answer("c"))),
        Batch(answers=(answer("c", sender="nobody here"),)),
    ],
)
async def test_what_no_store_could_keep_is_refused_at_the_door(at: Place, wrong: Batch) -> None:
    """Bad input is said before anything is written."""
    store = await at.open()
    with pytest.raises(InputError):
        await store.append(wrong)
    assert await store.tips() == {}


async def test_a_conflict_does_not_break_the_store(at: Place) -> None:
    """After a refusal the next append finds the stream where it stands."""
    store = await at.open()
    for number in range(1, 6):
        await store.append(slip(number))
        with pytest.raises(StoreConflict):
            await store.append(Batch((on("table:T1", number - 1),)))
    assert [event.version async for event in store.events("table:T1")] == [1, 2, 3, 4, 5]
    assert events(2)[1].at == START_AT + 1


async def test_closing_lets_what_waits_become_durable(at: Place) -> None:
    """Nobody who was waiting is left without an answer, and what was answered is there."""
    store = await at.open()
    waiting = [asyncio.create_task(store.append(slip(number))) for number in range(1, 21)]
    await asyncio.sleep(0)
    store = await at.reopen(store)
    assert all(isinstance(receipt, Committed) for receipt in await asyncio.gather(*waiting))
    assert len([event async for event in store.events("table:T1")]) == 20


async def test_somebody_who_stops_waiting_does_not_undo_it(at: Place) -> None:
    """A client that goes away while its command is being made durable finds its answer later."""
    store = await at.open()
    waiting = asyncio.create_task(store.append(slip(1)))
    await asyncio.sleep(0)
    waiting.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await waiting
    await store.append(slip(2))
    assert await store.answers([("t1", "table:T1/c1")])


async def test_a_large_batch_stands_or_falls_as_a_small_one(at: Place) -> None:
    """It may be written in another way: nothing of it stays where one part of it is refused."""
    store = await at.open()

    def paid(version: int, name: str, *, last: str = "") -> Batch:
        transfers = [buy_in(f"p{n}", 5, f"{name}.{n}") for n in range(400)]
        if last:
            transfers.append(buy_in("p0", 5, last))
        return Batch((on("table:T1", version),), tuple(transfers), (answer(name),))

    assert (await store.append(paid(0, "one"))).heads[0].version == 1
    with pytest.raises(TransferRepeated, match=r"one\.7"):
        await store.append(paid(1, "two", last="one.7"))
    with pytest.raises(StreamMoved):
        await store.append(paid(0, "three"))
    with pytest.raises(CommandRepeated):
        await store.append(paid(1, "one"))
    assert (await store.append(paid(1, "four"))).heads[0].version == 2
    async with store.snapshot() as snapshot:
        findings = await verify(snapshot, KEYS)
    assert (findings.events, findings.transfers, findings.answers) == (2, 800, 2)


async def test_what_moved_in_a_streams_commits_is_found_by_its_versions(at: Place) -> None:
    """Debits and credits by account, after one version and up to another; nothing of other streams."""
    store = await at.open()
    for number in range(1, 5):
        await store.append(slip(number))
        await store.append(slip(number, stream="table:T2"))
    await store.append(Batch((on("table:T1", 4, at=START_AT + 9),), (bet("p1", 30, "back"),)))

    async def found(after: int, upto: int) -> dict[str, tuple[int, int]]:
        return await store.moved("table:T1", after=after, upto=upto)

    assert await found(1, 3) == {"cash": (205, 0), credit("p2"): (0, 102), credit("p3"): (0, 103)}
    assert await found(3, 5) == {
        "cash": (104, 0),
        credit("p4"): (0, 104),
        credit("p1"): (30, 0),
        stakes("T1", 1): (0, 30),
    }
    assert await found(5, 9) == {}
