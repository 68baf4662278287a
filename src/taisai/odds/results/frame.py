"""A table of columns that any data-frame library can read without our depending on one.

`Frame` speaks the Arrow PyCapsule interface, so Polars, pandas, DuckDB and PyArrow take it as it is.
Fractions become text there, because no Arrow type holds them exactly; a column of numbers, with `_float`
after its name, stands beside each so that one can compute and draw at once.
"""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from taisai.errors import InputError
from taisai.odds.extras import needs

_ROWS_AT_ONCE: Final = 100_000


class Frame:
    """Named columns of one length: NumPy arrays or plain sequences.

    >>> frame = Frame({"box": ["big", "small"], "ways": [105, 105]})
    >>> frame.rows()[0]
    {'box': 'big', 'ways': 105}
    """

    def __init__(self, columns: Mapping[str, Sequence[Any] | Any]) -> None:
        lengths = {name: len(column) for name, column in columns.items()}
        if len(set(lengths.values())) > 1:
            said = ", ".join(f"{name} {length}" for name, length in lengths.items())
            raise InputError(f"expected columns of one length, got {said}")
        self.columns: dict[str, Any] = dict(columns)

    @classmethod
    def from_rows(cls, rows: Sequence[Mapping[str, Any]]) -> "Frame":
        """A frame from rows that all have the keys of the first."""
        names = list(rows[0]) if rows else []
        return cls({name: [row[name] for row in rows] for name in names})

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()))) if self.columns else 0

    def __getitem__(self, name: str) -> Any:
        try:
            return self.columns[name]
        except KeyError:
            raise InputError(f"no column {name!r}: there is {', '.join(self.columns) or 'none'}") from None

    def __iter__(self) -> Iterator[dict[str, Any]]:
        names = list(self.columns)
        for values in zip(*map(_as_python, self.columns.values()), strict=True):
            yield dict(zip(names, values, strict=True))

    def __repr__(self) -> str:
        return f"Frame({len(self)} rows: {', '.join(self.columns)})"

    def rows(self) -> list[dict[str, Any]]:
        """Each row as a mapping of plain Python values."""
        return list(self)

    to_rows = rows

    def to_arrow(self) -> Any:
        """The same as a PyArrow table."""
        arrow = needs("pyarrow")
        return arrow.table({name: _for_arrow(column) for name, column in self._written().items()})

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def write(self, path: str | Path) -> Path:
        """Write to a file whose ending says how: .csv, .json or .parquet."""
        path = Path(path)
        writers = {".csv": self._write_csv, ".json": self._write_json, ".parquet": self._write_parquet}
        writer = writers.get(path.suffix.lower())
        if writer is None:
            raise InputError(f"expected a file ending in {', '.join(writers)}, got {path.name!r}")
        try:
            writer(path)
        except OSError as error:
            raise InputError(f"cannot write {path}: {error.strerror or error}") from None
        return path

    def _written(self) -> dict[str, Any]:
        """The columns as files and other libraries get them: exact fractions with numbers beside them."""
        written: dict[str, Any] = {}
        for name, column in self.columns.items():
            written[name] = column
            if not hasattr(column, "dtype") and any(isinstance(value, Fraction) for value in column):
                written[f"{name}_float"] = [
                    float(value) if isinstance(value, Fraction) else value for value in column
                ]
        return written

    def _chunks(self) -> Iterator[tuple[list[str], Iterator[tuple[Any, ...]]]]:
        """Names and rows, some rows at a time: millions of players are never plain Python objects at once."""
        written = self._written()
        for start in range(0, max(1, len(self)), _ROWS_AT_ONCE):
            part = [_as_python(column[start : start + _ROWS_AT_ONCE]) for column in written.values()]
            yield list(written), zip(*part, strict=True)

    def _write_csv(self, path: Path) -> None:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            for place, (names, rows) in enumerate(self._chunks()):
                if not place:
                    writer.writerow(names)
                writer.writerows(rows)

    def _write_json(self, path: Path) -> None:
        with path.open("w", encoding="utf-8") as file:
            mark = "["
            for names, rows in self._chunks():
                for row in rows:
                    plain = {name: _plain(value) for name, value in zip(names, row, strict=True)}
                    file.write(mark + json.dumps(plain, ensure_ascii=False))
                    mark = ", "
            file.write("]\n" if mark == ", " else "[]\n")

    def _write_parquet(self, path: Path) -> None:
        table = self.to_arrow()
        needs("pyarrow.parquet").write_table(table, path)


def _as_python(column: Any) -> Sequence[Any]:
    """NumPy scalars become int, float and str, which JSON and CSV know how to write."""
    return column.tolist() if hasattr(column, "tolist") else column  # type: ignore[no-any-return] # NumPy's tolist has no type


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Fraction) else value


def _for_arrow(column: Any) -> Any:
    return column if hasattr(column, "dtype") else [_plain(value) for value in column]
