"""A live player's two names: there and back, once."""

import pytest

from taisai.floor.table.player_names import NameBook, plain_player, player_at


@pytest.mark.parametrize("name", ["Amy", "guest-1", "Amy@T2", "a@b"])
def test_a_name_of_the_record_reads_back_and_is_made_once(name: str) -> None:
    """Asked twice it is the same name, and people see what they said."""
    recorded = player_at(name, "T1")
    assert recorded == f"{name}@T1"
    assert player_at(recorded, "T1") == recorded
    assert plain_player(recorded, "T1") == name
    assert plain_player(name, "T1") == name


def test_a_book_shows_names_while_it_is_open() -> None:
    """Closed, it knows nobody, and closing it twice is no fault."""
    book = NameBook()
    book.call("n-1", "Amy")
    assert plain_player("n-1@T1", "T1") == "n-1"
    book.open()
    assert plain_player("n-1@T1", "T1") == "Amy"
    book.forget("n-1")
    assert plain_player("n-1@T1", "T1") == "n-1"
    book.call("n-1", "Amy")
    book.close()
    book.close()
    assert plain_player("n-1@T1", "T1") == "n-1"
    assert book.name_of("n-1") is None


def test_one_person_at_two_tables_has_two_names() -> None:
    """A table whose name ends like another's is another table."""
    assert len({player_at("Amy", table) for table in ("T1", "T2", "XT1")}) == 3
    assert plain_player("Amy@XT1", "T1") == "Amy@XT1"
