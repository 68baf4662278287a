"""Every message that a terminal or a console may send, made up: always an answer, never a break."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
import pytest_asyncio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from taisai.client import Refused, Terminal, TerminalKey, Unanswered
from taisai.floor.door.forms import ACT_NAMES
from taisai.server import wire
from tests.server import houses
from tests.server.houses import CLUSTER, LIVE, Serving, serving
from tests.server.times import TIMES

pytestmark = pytest.mark.slow

WORDS = st.text(max_size=20) | st.sampled_from(["C1", "T1", "big", "sum-9", "in-service"])
NUMBERS = st.integers(-(2**70), 2**70) | st.integers(-3, 2_000)
PLAIN = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)


def fields_of(kind: type[wire.Wire]) -> st.SearchStrategy[dict[str, Any]]:
    """A message of a kind whose fields hold what they should, or anything else."""
    named = {name: st.one_of(fitting(name), PLAIN) for name in kind.__struct_fields__}
    return st.fixed_dictionaries({"type": st.just(kind.__name__)}, optional=named)


def fitting(name: str) -> st.SearchStrategy[Any]:
    return {
        "id": st.text(min_size=1, max_size=64) | st.sampled_from(["a", "b"]),
        "round": st.integers(0, 3),
        "version": st.integers(0, 5),
        "slip": st.dictionaries(
            st.sampled_from(["big", "small", "sum-9", "single-1", "nowhere"]),
            st.sampled_from([0, 100, 150, 500, -100, 10**9]),
            max_size=4,
        ),
        "amount": st.sampled_from([0, -1, 100, 5_000, 10**12, 10**20]),
        "number": st.text("0123456789", min_size=17, max_size=19),
        "state": st.sampled_from(["in-service", "door-open"]),
        "wanted": st.booleans(),
        "act": st.sampled_from(ACT_NAMES),
        "fields": st.dictionaries(
            st.sampled_from("player amount slip version roll tumbles reason by at seconds".split()),
            PLAIN | st.sampled_from(["ann", 100, 3, [1, 2, 3], {"big": 100}]),
            max_size=4,
        ),
    }.get(name, PLAIN)


def messages(union: Any) -> st.SearchStrategy[dict[str, Any]]:
    return st.one_of([fields_of(kind) for kind in union.__args__ if kind is not wire.Hello])


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def open_house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Serving]:
    folder = tmp_path_factory.mktemp("fuzz")
    async with serving(houses.settings(folder, CLUSTER, LIVE)) as house:
        yield house
        LEFT.clear()


async def seated(house: Serving, credit: int) -> Terminal:
    """A terminal with so much more credit: one that was left before, as long as it is of use to anybody.

    A cluster has a thousand terminals, and a long run has many times as many examples.
    """
    while LEFT:
        terminal = Terminal(house.address, LEFT.pop())
        await terminal.open()
        try:
            if credit:
                await terminal.cash_in(credit)
            return terminal
        except Refused:  # its door is open, or its player has reached a limit
            await terminal.close()
    return await house.terminal(credit=credit)


async def left(terminal: Terminal) -> None:
    await terminal.close()
    LEFT.append(terminal.key)


LEFT: list[TerminalKey] = []
EXAMPLES = settings(max_examples=60 * TIMES, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.asyncio(loop_scope="module")
@EXAMPLES
@given(batch=st.lists(messages(wire.FromTerminal), min_size=1, max_size=12))
async def test_whatever_a_terminal_sends_is_answered_or_refused(
    open_house: Serving, batch: list[Any]
) -> None:
    """The connection lives, or ends with a goodbye; the desk never stops, and the books are sound."""
    terminal = await seated(open_house, 10_000)
    try:
        for message in batch:
            await terminal.send_text(msgspec.json.encode(message).decode())
        await terminal.send(wire.Ping(t=1))
        await terminal.receive(wire.Pong)
    except Unanswered:
        assert terminal.bye == "too-many-faults"
    await left(terminal)
    check_alive(open_house)


@pytest.mark.asyncio(loop_scope="module")
@EXAMPLES
@given(batch=st.lists(messages(wire.FromConsole), min_size=1, max_size=12))
async def test_whatever_a_console_sends_is_answered_or_refused(open_house: Serving, batch: list[Any]) -> None:
    """Any act with any fields: done, refused, or waiting; never an error of ours."""
    console = (await open_house.person("dealer")).console("T1")
    await console.open()
    try:
        for message in batch:
            await console.send_text(msgspec.json.encode(message).decode())
        await console.send(wire.Ping(t=1))
        await console.receive(wire.Pong)
    except Unanswered:
        assert console.bye == "too-many-faults"
    await console.close()
    check_alive(open_house)


@pytest.mark.asyncio(loop_scope="module")
@EXAMPLES
@given(raw=st.text(max_size=200) | st.binary(max_size=200).map(lambda data: data.decode("latin-1")))
async def test_any_text_at_all_is_refused(open_house: Serving, raw: str) -> None:
    """What is no message gets an answer that says so."""
    terminal = await seated(open_house, 0)
    await terminal.send_text(raw)
    refused = await terminal.receive(wire.Refused)
    assert refused.code == "input_invalid"
    await left(terminal)


def check_alive(house: Serving) -> None:
    for name, desk in house.parts.house.tables.items():
        assert not desk.stopped, name
        # A desk that had to begin anew knows its own accounts only: none of them is below zero.
        assert all(desk.state.book.balance(account) >= 0 for account in desk.state.owned_accounts()), name
