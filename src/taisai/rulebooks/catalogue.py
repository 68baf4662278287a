"""Finds rulebooks and pay tables by name: the shipped ones, and files that a house brings."""

from functools import cache
from importlib.resources import files
from pathlib import Path

from taisai.errors import InputError, UnknownName
from taisai.rulebooks.loader import parse_rulebook
from taisai.rulebooks.model import PayTable, Rulebook

_DATA = files("taisai.rulebooks") / "data"


@cache
def shipped_rulebooks() -> tuple[str, ...]:
    """The names of all shipped rulebooks: the approved five first, then the examples."""
    names = sorted(
        entry.name.removesuffix(".toml") for entry in _DATA.iterdir() if entry.name.endswith(".toml")
    )
    return tuple(sorted(names, key=lambda name: (not rulebook(name).approved, name)))


@cache
def rulebook(rulebook_id: str) -> Rulebook:
    """A shipped rulebook by its id, for example `tai-sai-v6`."""
    entry = _DATA / f"{rulebook_id}.toml"
    if not rulebook_id.replace("-", "").isalnum() or not entry.is_file():
        names = [path.name.removesuffix(".toml") for path in _DATA.iterdir() if path.name.endswith(".toml")]
        raise UnknownName("rulebook", rulebook_id, names)
    return parse_rulebook(entry.read_text(encoding="utf-8"), source=f"{rulebook_id}.toml")


def rulebook_of(pay_table_id: str) -> Rulebook:
    """The rulebook that a pay table named `RULEBOOK/N` belongs to."""
    name, slash, number = pay_table_id.partition("/")
    if not slash or not number:
        raise InputError(f"expected a pay table such as 'tai-sai-v6/2', got {pay_table_id!r}")
    return rulebook(name)


def pay_table(pay_table_id: str) -> PayTable:
    """A shipped pay table by its name, for example `tai-sai-v6/2`."""
    book = rulebook_of(pay_table_id)
    number = pay_table_id.partition("/")[2]
    for table in book.pay_tables:
        if str(table.number) == number:
            return table
    raise UnknownName("pay table", pay_table_id, (table.id for table in book.pay_tables))


def pay_table_of_digest(digest: str) -> PayTable | None:
    """The shipped pay table with this digest, if there is one."""
    tables = (table for name in shipped_rulebooks() for table in rulebook(name).pay_tables)
    return next((table for table in tables if table.digest == digest), None)


def load_rulebook(path: str | Path) -> Rulebook:
    """A rulebook from a house's own file."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"cannot read {path}: it is no UTF-8 text") from None
    return parse_rulebook(text, source=str(path))
