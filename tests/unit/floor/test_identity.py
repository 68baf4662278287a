"""Whose money it is: what is kept of a document, and from which amount on it is asked for."""

import msgspec
import pytest

from taisai.floor.identity import CagePolicy, Identity


def read(**facts: object) -> Identity:
    return msgspec.convert(facts, Identity)


@pytest.mark.parametrize("last", ["", "12", "12345", "1 2", "12-4", "１２３", "123\n", "1234\n", "\n123"])
def test_a_document_is_kept_by_three_or_four_plain_characters(last: str) -> None:
    """Fewer find nobody, more could be misused, and other signs are no document's."""
    assert read(document="passport", last="12A").last == "12A"
    with pytest.raises(msgspec.ValidationError):
        read(document="passport", last=last)


@pytest.mark.parametrize("more", [{"document": "library-card"}, {"number": "E1234567"}])
def test_another_sort_of_document_and_its_whole_number_are_refused(more: dict[str, str]) -> None:
    """Nothing that was not asked for gets on the record."""
    with pytest.raises(msgspec.ValidationError):
        read(**{"document": "passport", "last": "1234", **more})


def test_an_amount_needs_more_from_the_very_limit_on_and_never_without_one() -> None:
    """One cent below it nothing is asked; 0 is no limit, not one that everything exceeds."""
    policy = CagePolicy(identify_from_minor=500, second_from_minor=1_000)
    amounts = (499, 500, 999, 1_000)
    assert [policy.needs_identity(amount) for amount in amounts] == [False, True, True, True]
    assert [policy.needs_second(amount) for amount in amounts] == [False, False, False, True]
    assert not CagePolicy().needs_identity(10**12)
    assert not CagePolicy().needs_second(0)
