"""Refused bets by round, from the answers that the journal keeps."""

import msgspec

from taisai.floor.views.attempts import REFUSED_BETS, refused_in, refused_in_record, refused_in_store
from taisai.floor.views.rounds import round_key
from taisai.record.order import in_order
from taisai.record.views import Rows, catch_up
from tests.unit.floor.kept_evening import empty_store, kept_evening

replace = msgspec.structs.replace


async def test_a_rounds_refused_bets_are_told_as_they_came() -> None:
    """With who asked for what, how often, and why it was refused."""
    first, second = await refused_in_store(await kept_evening(), "T1", 3)
    assert (first.sender, first.code, first.clause) == ("bob", "round_void", "1.9")
    assert (first.attempt.slip, first.attempt.nth) == ({"big": 100}, 1)
    assert (second.attempt.slip, second.attempt.nth) == ({"no-such-box": 100}, 2)
    assert first.attempt.at < second.attempt.at


async def test_a_round_has_its_own_refusals_and_no_others() -> None:
    """The same bet that was refused in two rounds is told once in each; a good round has none."""
    store = await kept_evening()
    needed = [
        [(each.id, each.facts["needed"]) for each in await refused_in_store(store, "T1", number)]
        for number in (1, 2)
    ]
    assert needed == [[("c25", 899_450)], [("c52", 899_450)]]
    assert await refused_in_store(store, "C1", 1) == []
    assert await refused_in_store(empty_store(), "T1", 1) == []


async def test_the_view_and_the_whole_record_tell_the_same() -> None:
    """However often the view is brought up to date."""
    store = await kept_evening()
    for number in (1, 2, 3):
        expected = await refused_in_record(store, "T1", number)
        assert expected
        assert await refused_in_store(store, "T1", number) == expected
        await catch_up(store, REFUSED_BETS)
        assert await refused_in_store(store, "T1", number) == expected


async def test_only_refused_bets_are_found_among_the_answers() -> None:
    """Other refusals are in the same commits, and every answer without an attempt is passed over."""
    store = await kept_evening()
    commits = [commit async for commit in in_order(store)]
    refused = [
        (answer.sender, answer.id)
        for commit in commits
        for answer in commit.answers
        if msgspec.json.decode(answer.answer)["type"] == "Refusal"
    ]
    bets = [(each.sender, each.id) for commit in commits for each in refused_in(commit)]
    assert sorted(bets) == [("bob", "c91"), ("bob", "c92"), ("cat", "c25"), ("cat", "c52")]
    assert set(bets) < set(refused)


async def test_the_order_is_that_of_their_coming_whatever_their_ids_are() -> None:
    """Ids are the senders' own, and say nothing of the time."""
    rows: Rows = {}
    async for commit in in_order(await kept_evening()):
        answers = [replace(each, id="z") if each.id == "c91" else each for each in commit.answers]
        renamed = replace(commit, answers=answers)
        REFUSED_BETS.apply(renamed, rows)
        assert set(REFUSED_BETS.keys(renamed)) <= set(rows)
    in_round = [key for key in sorted(rows) if key.startswith(f"{round_key('T1', 3)}/")]
    assert [key.rpartition("/")[2] for key in in_round] == ["z", "c92"]
