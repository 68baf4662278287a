"""A round's events as entries of the log, each with where the one before is."""

from typing import Any

import msgspec

from taisai.dice import Roll
from taisai.floor.proofs.log_state import RoundPlaces
from taisai.floor.proofs.round_entries import LOGGED, Places, Secrets, entry_of
from taisai.floor.streams import table_stream
from taisai.floor.table.messages import RoundEvent
from taisai.floor.views.round_reading import round_events
from taisai.game import events as ev
from taisai.proof.entries import Closing, Entry, Opening, Result
from taisai.record.journal import Event, micros
from tests.unit.floor.kept_evening import kept_evening

ROOT = "cd" * 32


async def happened(kind: type, number: int = 1) -> Any:
    """The first event of a kind in a round of the evening, with a root where it may have one."""
    store = await kept_evening()
    found = [each.event async for each in round_events(store, "T1", number) if isinstance(each.event, kind)]
    return found[0]


def entry(event: Any, places: Places, index: int = 7, secrets: Secrets | None = None) -> Entry | None:
    stored = Event(table_stream("T1"), 42, micros(event.at), type(event).__name__, b"", b"\x05" * 32)
    return entry_of("T1", RoundEvent(round=1, event=event), stored, places, index, secrets or {})


async def test_an_opening_is_always_entered_and_its_place_is_known() -> None:
    """With the rules that it names, and where it is on its table's stream."""
    opened = await happened(ev.BettingOpened)
    places: dict[tuple[str, int], RoundPlaces] = {}
    made = entry(opened, places)
    assert isinstance(made, Opening)
    assert (made.table, made.number, made.opened_at) == ("T1", 1, micros(opened.at))
    assert (made.rulebook, made.pay_table) == (opened.rulebook_digest, opened.pay_table_digest)
    assert (made.version, made.stream_digest) == (42, "05" * 32)
    assert places == {("T1", 1): RoundPlaces(7)}


async def test_what_has_no_tree_or_no_opening_in_the_log_makes_no_entry() -> None:
    """The round is in the record all the same, and its places stay as they were."""
    closed = await happened(ev.BettingClosed)
    rooted = msgspec.structs.replace(closed, root=ROOT, slips=4)
    places = {("T1", 1): RoundPlaces(3)}
    assert entry(closed, places) is None
    assert entry(rooted, {}) is None
    assert entry(await happened(ev.RollDeclared), places) is None
    assert places == {("T1", 1): RoundPlaces(3)}
    made = entry(rooted, places)
    assert isinstance(made, Closing)
    assert (made.opening_index, made.slips, made.root) == (3, 4, ROOT)
    assert places["T1", 1].closing == 7


async def test_a_second_result_names_the_first_and_keeps_the_secret() -> None:
    """The secret was published with the first, so that a correction needs it no more."""
    settled = await happened(ev.BetsSettled)
    places = {("T1", 1): RoundPlaces(3, closing=5)}
    attempts = [msgspec.structs.replace(settled, root=ROOT, attempt=at, results=4) for at in (1, 2)]
    first = entry(attempts[0], places, 7, {("T1", 1): ("aa", "bb")})
    second = entry(attempts[1], places, 9)
    assert isinstance(first, Result)
    assert isinstance(second, Result)
    assert [(each.closing_index, each.attempt, each.previous_index) for each in (first, second)] == [
        (5, 1, None),
        (5, 2, 7),
    ]
    assert (first.secret, first.share) == (second.secret, second.share) == ("aa", "bb")
    assert (first.dice, first.results) == (list(settled.roll), 4)
    assert (places["T1", 1].result, places["T1", 1].attempt) == (9, 2)


async def test_a_result_says_what_it_rests_on() -> None:
    """The clause of the dice, a ruling that settled without them, or the ground of a void."""
    settled, voided = await happened(ev.BetsSettled), await happened(ev.RoundVoided, 3)

    def clause(event: Any) -> tuple[list[int] | None, str]:
        made = entry(msgspec.structs.replace(event, root=ROOT), {("T1", 1): RoundPlaces(3)})
        assert isinstance(made, Result)
        return made.dice, made.clause

    by_dice = msgspec.structs.replace(settled, roll=Roll(1, 2, 3), dice_clause="3.8")
    assert clause(by_dice) == ([1, 2, 3], "3.8")
    assert clause(msgspec.structs.replace(by_dice, dice_clause="")) == ([1, 2, 3], settled.clause)
    ruled = msgspec.structs.replace(settled, roll=None, dice_clause="")
    assert clause(ruled) == (None, f"ruled {settled.clause}")
    assert clause(voided) == (None, f"void {voided.clause}")


def test_the_log_hears_of_every_event_that_makes_an_entry_or_publishes_a_secret() -> None:
    """And of the secret before the result that needs it."""
    with_root = {kind for kind in LOGGED if "root" in kind.__struct_fields__}
    with_secret = {kind for kind in LOGGED if "secret" in kind.__struct_fields__}
    assert with_root == {ev.BettingClosed, ev.BetsSettled, ev.RoundVoided}
    assert with_secret == {ev.RollDeclared, ev.KnownFacesDeclared, ev.RoundVoided}
    every = [kind for kind in vars(ev).values() if isinstance(kind, type) and kind.__module__ == ev.__name__]
    told = {kind for kind in every if {"root", "secret"} & set(getattr(kind, "__struct_fields__", ()))}
    assert told <= set(LOGGED)
