"""Rows that are made again on disk are the rows that were put there, in the order of their keys."""

import pytest

from taisai.adapters import scratch
from taisai.adapters.scratch import Scratch


@pytest.fixture(params=[3, 100])
def rows(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Scratch:
    """Three rows stay at hand, or all; three places tell which keys were ever written."""
    monkeypatch.setattr(scratch, "_HOT_MAX", request.param)
    monkeypatch.setattr(scratch, "_MARKS", 3)
    return Scratch()


def test_what_cooled_is_found_again_and_what_was_never_written_is_not(rows: Scratch) -> None:
    """Places that several keys share cost a look at the disk and nothing else."""
    kept = {f"k{number}": b"%d" % number for number in range(20)}
    rows.update(kept)
    rows["k3"] = b"again"
    assert {key: rows[key] for key in kept} == kept | {"k3": b"again"}
    assert rows.get("k99") is None
    assert rows.get("k99", b"none") == b"none"
    with pytest.raises(KeyError):
        rows["k99"]
    with pytest.raises(KeyError):
        del rows["k99"]


def test_items_come_by_key_and_with_rows_that_were_deleted_as_none(rows: Scratch) -> None:
    """A verifier reads them beside the rows of a store, which come by key as well."""
    for key in ("b", "d", "a", "c", "e"):
        rows[key] = key.encode()
    rows["c"] = None
    del rows["d"]
    assert list(rows.items()) == [("a", b"a"), ("b", b"b"), ("c", None), ("e", b"e")]
    assert list(rows) == ["a", "b", "c", "e"]
    assert len(rows) == 4
