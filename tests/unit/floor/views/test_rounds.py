"""Rounds, plays and tickets as views of the short evening."""

from typing import Any

import msgspec

from taisai.floor.views.rounds import PLAYS, ROUNDS, TICKETS, PlayRow, RoundRow, TicketRow, round_key
from taisai.record.views import View, catch_up
from tests.unit.floor.kept_evening import empty_store, kept_evening


async def rows_of(view: View, kind: Any) -> dict[str, Any]:
    store = await kept_evening()
    await catch_up(store, view)
    await catch_up(store, view)
    return {key: msgspec.json.decode(row, type=kind) async for key, row in store.view_rows(view.name)}


async def test_a_round_is_listed_as_it_ended_corrections_and_voids_included() -> None:
    """Dice and sums are those after the last correction; a void pays back what was staked and says why."""
    rounds: dict[str, RoundRow] = await rows_of(ROUNDS, RoundRow)
    assert list(rounds) == [f"C1/{n:010d}" for n in (1, 2)] + [f"T1/{n:010d}" for n in (1, 2, 3)]
    first, second, third = (rounds[round_key("T1", number)] for number in (1, 2, 3))
    assert (first.state, first.corrected, first.dice) == ("concluded", True, [1, 2, 3])
    assert (first.players, first.bets, first.staked, first.paid) == (4, 7, 1_600, 1_300)
    assert (second.state, second.ground, second.staked, second.paid) == ("void", "damaged-dice", 1_750, 1_750)
    assert (third.state, third.ground, third.dice) == ("void", "too-few-tumbles", None)
    assert first.first < second.first < third.first < third.last < second.last < first.last


async def test_a_play_is_what_one_player_staked_and_got_back() -> None:
    """The corrected slip counts, not the one before it, and a refused one never."""
    plays: dict[str, PlayRow] = await rows_of(PLAYS, PlayRow)
    assert plays["dan/T1/0000000001"] == PlayRow(staked=500, paid=1_000, state="settled")
    assert plays["cat/T1/0000000001"] == PlayRow(staked=550, paid=0, state="settled")
    assert plays["bob/T1/0000000003"] == PlayRow(staked=200, paid=200, state="void")
    assert "cat/T1/0000000003" not in plays


async def test_a_ticket_says_how_it_ended() -> None:
    """One was void and took another's place; the others were paid."""
    tickets: dict[str, TicketRow] = await rows_of(TICKETS, TicketRow)
    found = sorted((ticket.where, ticket.amount, ticket.status) for ticket in tickets.values())
    assert found == [
        ("cage", 7_000, "redeemed"),
        ("cage", 7_200, "redeemed"),
        ("s1", 9_200, "redeemed"),
        ("s3", 7_200, "void"),
    ]
    assert all(ticket.ended_at and ticket.ended_at > ticket.issued_at for ticket in tickets.values())


async def test_rounds_stand_in_their_order_and_an_empty_record_has_none() -> None:
    """The tenth comes after the ninth, as text too."""
    assert round_key("T1", 9) < round_key("T1", 10) < round_key("T1", 10**9)
    store = empty_store()
    for view in (ROUNDS, PLAYS, TICKETS):
        await catch_up(store, view)
        assert [row async for row in store.view_rows(view.name)] == []
