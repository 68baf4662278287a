"""Tables that any data-frame library can read."""

import csv
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from taisai.errors import InputError
from taisai.odds.results import frame as frames
from taisai.odds.results.frame import Frame


def a_frame() -> Frame:
    return Frame(
        {"box": ["big", "sum-9"], "edge": [Fraction(1, 36), Fraction(2, 27)], "ways": np.array([105, 25])}
    )


def test_a_frame_is_read_through_the_arrow_interface() -> None:
    """PyArrow takes it as it is; fractions become text, which loses nothing, with numbers beside them."""
    table = pa.table(a_frame())
    assert table.to_pylist() == [
        {"box": "big", "edge": "1/36", "edge_float": 1 / 36, "ways": 105},
        {"box": "sum-9", "edge": "2/27", "edge_float": 2 / 27, "ways": 25},
    ]


def test_a_frame_gives_rows_of_plain_values() -> None:
    """Python callers keep exact fractions and whole numbers."""
    rows = a_frame().rows()
    assert rows[0] == {"box": "big", "edge": Fraction(1, 36), "ways": 105}
    assert type(rows[0]["ways"]) is int
    assert len(a_frame()) == 2
    assert Frame.from_rows(rows).to_rows() == rows


@pytest.mark.parametrize("ending", ["csv", "json", "parquet"])
def test_a_frame_is_written_by_its_files_ending(ending: str, tmp_path: Path) -> None:
    """The same rows come back from each kind of file."""
    path = a_frame().write(tmp_path / f"frame.{ending}")
    if ending == "csv":
        with path.open(encoding="utf-8") as file:
            boxes = [row["box"] for row in csv.DictReader(file)]
    elif ending == "json":
        boxes = [row["box"] for row in json.loads(path.read_text(encoding="utf-8"))]
    else:
        boxes = pq.read_table(path)["box"].to_pylist()
    assert boxes == ["big", "sum-9"]


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_a_long_frame_is_written_in_parts(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many parts, it is one header and every row once; no rows at all are written too."""
    whole = Frame({"n": list(range(7)), "half": [Fraction(n, 2) for n in range(7)]})
    at_once = whole.write(tmp_path / f"whole.{ending}").read_text(encoding="utf-8")
    monkeypatch.setattr(frames, "_ROWS_AT_ONCE", 3)
    assert whole.write(tmp_path / f"parts.{ending}").read_text(encoding="utf-8") == at_once
    nothing = Frame({"n": []}).write(tmp_path / f"nothing.{ending}").read_text(encoding="utf-8")
    assert nothing == {"csv": "n\n", "json": "[]\n"}[ending]


def test_a_frame_refuses_what_it_cannot_be(tmp_path: Path) -> None:
    """Ragged columns, unknown endings, missing columns and unwritable places each get one clear line."""
    with pytest.raises(InputError, match="expected columns of one length, got a 1, b 2"):
        Frame({"a": [1], "b": [1, 2]})
    with pytest.raises(InputError, match=r"expected a file ending in .csv, .json, .parquet, got 'x.txt'"):
        a_frame().write(tmp_path / "x.txt")
    with pytest.raises(InputError, match="no column 'odds'"):
        a_frame()["odds"]
    with pytest.raises(InputError, match="cannot write"):
        a_frame().write(tmp_path / "no" / "x.csv")
