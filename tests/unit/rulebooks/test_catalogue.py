"""The shipped rulebooks: what each document is, and what is particular to it."""

from datetime import date, datetime
from itertools import pairwise

import pytest

import taisai
from taisai.errors import InputError, UnknownName
from taisai.rulebooks.catalogue import rulebook_of
from taisai.rulebooks.model import TOPICS, Ground

APPROVED = ["sic-bo-etg-v8", "tai-sai-open-cover", "tai-sai-v3", "tai-sai-v4", "tai-sai-v6"]
EXAMPLES = ["atlantic-city", "australia", "macau"]
every_rulebook = pytest.mark.parametrize("name", APPROVED + EXAMPLES)


def test_five_approved_rulebooks_and_three_examples_are_shipped() -> None:
    """The approved ones come first, and only they say that they are."""
    assert list(taisai.shipped_rulebooks()) == APPROVED + EXAMPLES
    assert [name for name in taisai.shipped_rulebooks() if taisai.rulebook(name).approved] == APPROVED


def test_the_five_documents_have_184_clauses() -> None:
    """Every numbered clause is there, in our words."""
    counts = {name: len(taisai.rulebook(name).clauses) for name in APPROVED}
    assert counts == {
        "sic-bo-etg-v8": 49,
        "tai-sai-open-cover": 16,
        "tai-sai-v3": 14,
        "tai-sai-v4": 51,
        "tai-sai-v6": 54,
    }
    assert sum(counts.values()) == 184


@every_rulebook
def test_clauses_stand_in_the_order_of_their_numbers(name: str) -> None:
    """5.2 before 5.10, and under each number no gap: 5.1.1, 5.1.2, …"""
    numbers = [tuple(map(int, number.split("."))) for number in taisai.rulebook(name).clauses]
    assert numbers == sorted(set(numbers))
    for before, after in pairwise(numbers):
        if len(before) == len(after) and before[:-1] == after[:-1]:
            assert after[-1] == before[-1] + 1
        elif len(after) > len(before):
            assert after[-1] == 1


def test_v4_and_v6_number_their_clauses_alike() -> None:
    """v6 adds only the three pay tables of 4.1."""
    v4, v6 = taisai.rulebook("tai-sai-v4"), taisai.rulebook("tai-sai-v6")
    assert set(v6.clauses) - set(v4.clauses) == {"4.1.1", "4.1.2", "4.1.3"}
    assert set(v4.clauses) <= set(v6.clauses)


@pytest.mark.parametrize(
    ("name", "effective", "electronic", "colour_chips", "damaged_dice", "cover"),
    [
        ("tai-sai-v3", date(2013, 10, 22), False, True, "round-in-play", "covered"),
        ("tai-sai-open-cover", None, False, True, "round-in-play", "open"),
        ("tai-sai-v4", None, False, False, "affected-rounds", "covered"),
        ("tai-sai-v6", datetime(2023, 10, 6, 8), False, False, "affected-rounds", "covered"),  # noqa: DTZ001 - as printed, without a zone
        ("sic-bo-etg-v8", datetime(2021, 5, 24, 8), True, False, "affected-rounds", "covered"),  # noqa: DTZ001 - as printed, without a zone
    ],
)
def test_what_is_particular_to_each_document(
    name: str, effective: date | None, electronic: bool, colour_chips: bool, damaged_dice: str, cover: str
) -> None:
    """Date, terminals, chips, damaged dice and the tumbler's cover are as approved; three tumbles always."""
    book = taisai.rulebook(name)
    assert (book.effective, book.electronic, book.colour_chips) == (effective, electronic, colour_chips)
    assert (book.damaged_dice, book.procedure.cover) == (damaged_dice, cover)
    assert book.procedure.tumbles_min == 3


@pytest.mark.parametrize(
    ("name", "differential", "pro_rata", "maximum", "notice"),
    [
        ("tai-sai-v3", False, False, "box", ("at-placement",)),
        ("tai-sai-open-cover", False, False, "box", ("at-placement",)),
        ("tai-sai-v4", True, True, "box", ("at-placement", "by-dealer")),
        ("tai-sai-v6", True, True, "box", ("at-placement", "by-dealer")),
        ("sic-bo-etg-v8", False, False, "player", ("at-placement",)),
    ],
)
def test_which_limits_a_rulebook_knows(
    name: str, differential: bool, pro_rata: bool, maximum: str, notice: tuple[str, ...]
) -> None:
    """Differential and pro rata are v4's and v6's alone; on terminals the maximum is each player's own."""
    limits = taisai.rulebook(name).limits
    assert (limits.differential, limits.pro_rata, limits.maximum, limits.notice) == (
        differential,
        pro_rata,
        maximum,
        notice,
    )


@every_rulebook
def test_dice_out_of_their_cover_void_by_the_ground_that_fits_the_tumbler(name: str) -> None:
    """Where the tumbler is never covered there is nothing to expose, only to set off too early."""
    book = taisai.rulebook(name)
    early = {Ground.EXPOSED_EARLY, Ground.ACTIVATED_EARLY} & set(book.void)
    assert early == {Ground.ACTIVATED_EARLY if book.procedure.cover == "open" else Ground.EXPOSED_EARLY}


@every_rulebook
def test_every_topic_is_answered_with_a_clause_or_the_house(name: str) -> None:
    """Nothing is cited that the rulebook does not have."""
    book = taisai.rulebook(name)
    for topic in TOPICS:
        assert book.cite(topic) in {*book.clauses, "house"}
    if not book.approved:
        assert not book.clauses


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: taisai.rulebook("tai-sai-v7"), "unknown rulebook 'tai-sai-v7': did you mean 'tai-sai-v6'?"),
        (lambda: taisai.rulebook("../errors"), "unknown rulebook '../errors': "),
        (lambda: taisai.rulebook(""), "unknown rulebook '': "),
        (lambda: taisai.rulebook("TAI-SAI-V6"), "unknown rulebook 'TAI-SAI-V6': did you mean 'tai-sai-v6'?"),
        (
            lambda: taisai.pay_table("tai-sai-v6/9"),
            "unknown pay table 'tai-sai-v6/9': did you mean 'tai-sai-v6/",
        ),
        (lambda: taisai.pay_table("tai-sai-v6/02"), "unknown pay table 'tai-sai-v6/02': did you mean"),
        (
            lambda: taisai.pay_table("tai-sai-v6"),
            "expected a pay table such as 'tai-sai-v6/2', got 'tai-sai-v6'",
        ),
        (
            lambda: rulebook_of("tai-sai-v6/"),
            "expected a pay table such as 'tai-sai-v6/2', got 'tai-sai-v6/'",
        ),
        (
            lambda: taisai.rulebook("tai-sai-v6").clause("5.1.9"),
            "unknown clause of tai-sai-v6 '5.1.9': did you mean",
        ),
        (
            lambda: taisai.rulebook("tai-sai-v6").pay_table(4),
            "unknown pay table of tai-sai-v6 '4': there is: 1, 2, 3",
        ),
        (lambda: taisai.rulebook("tai-sai-v6").cite("weather"), "unknown topic 'weather': "),
    ],
)
def test_a_name_that_stands_for_nothing_is_answered_with_the_nearest(call: object, message: str) -> None:
    """One line says what was asked for and what there is."""
    with pytest.raises(InputError) as caught:
        call()
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_an_unknown_name_carries_what_was_meant() -> None:
    """A program can offer the nearest name without reading the sentence."""
    with pytest.raises(UnknownName) as caught:
        taisai.rulebook("tai-sai-v5")
    assert (caught.value.what, caught.value.name) == ("rulebook", "tai-sai-v5")
    assert caught.value.nearest in APPROVED


def test_the_same_rulebook_is_loaded_once() -> None:
    """Asking again costs nothing and gives the same object."""
    assert taisai.rulebook("tai-sai-v6") is taisai.rulebook("tai-sai-v6")
    assert taisai.pay_table("tai-sai-v6/2") is taisai.rulebook("tai-sai-v6").pay_table(2)
    assert rulebook_of("tai-sai-v6/2") is taisai.rulebook("tai-sai-v6")


def test_a_box_knows_whether_it_is_offered() -> None:
    """Table 3 of v6 has no doubles, and no table has the pair 1 1 2."""
    assert "double-1" in taisai.pay_table("tai-sai-v6/2")
    assert "double-1" not in taisai.pay_table("tai-sai-v6/3")
    assert "pair-112" not in taisai.pay_table("tai-sai-v6/3")
