"""Values that no option takes: what is no number, no share, no bet, no file, made at random."""

import random
from collections.abc import Callable
from typing import Final

# What is not text comes from the system as lone surrogates.
NOT_TEXT: Final = "\udcff\udcfe"

Values = Callable[[random.Random], str]


def digits(rng: random.Random) -> str:
    return rng.choice("123456789") + "0" * rng.choice((19, 40, 400, 5_000))


def garbage(rng: random.Random) -> str:
    length = rng.randint(1, 12)
    return "x" + "".join(rng.choice("abcxyz!?%,;:[]{}()<>|'\"\\ \t~^é中🎲") for _ in range(length))


NO_NUMBER: Final = (
    "",
    " ",
    "nan",
    "inf",
    "-inf",
    "1e3",
    "1e999999999",
    "0x10",
    "1_000",
    "1,000",
    "1/0",
    "½",
    "٣",
)


def whole(rng: random.Random) -> str:
    """No whole number above zero within any bound."""
    return rng.choice([*NO_NUMBER, "-1", "1.5", "--", "-" + digits(rng), digits(rng), NOT_TEXT, garbage(rng)])


def chance(rng: random.Random) -> str:
    """No chance between 0 and 1."""
    return rng.choice(
        ["", "nan", "inf", "-inf", "0", "1", "-0.1", "2", "1e400", "1/2", NOT_TEXT, garbage(rng)]
    )


def share(rng: random.Random) -> str:
    """No share: beyond 100 %, with an exponent, or no number at all."""
    return rng.choice(
        ["", "1e999999999", "-1", "101", "3/0", "nan", "1e-5", digits(rng), NOT_TEXT, garbage(rng)]
    )


def bias(rng: random.Random) -> str:
    """No bias of a die."""
    return rng.choice(["", "0", "nan", "inf", "-0.2", "0.9", "1e400", "1e-300", NOT_TEXT, garbage(rng)])


def odds(rng: random.Random) -> str:
    """No odds to one."""
    return rng.choice(["", "0", "-1", "1e3", "1/0", "1/3/5", "nan", digits(rng), NOT_TEXT, garbage(rng)])


def pay_table(rng: random.Random) -> str:
    """No pay table."""
    known = ["tai-sai-v6/4", "tai-sai-v6", "/", "macau/0", "macau/-1", "../x/1", "macau/" + digits(rng)]
    return rng.choice([*known, "", NOT_TEXT + "/1", "macau/" + NOT_TEXT, garbage(rng)])


def box(rng: random.Random) -> str:
    """No box."""
    return rng.choice(["bigg", "", "sum-3", "pair-112", "Big", "triple-7", NOT_TEXT, garbage(rng)])


def bet(rng: random.Random) -> str:
    """No bet."""
    faulty = [f"big={whole(rng)}", f"{box(rng)}=5", "big", "=", "=5", "big=0", "big==5"]
    return rng.choice(faulty)


def maximum(rng: random.Random) -> str:
    """No maximum."""
    return rng.choice([f"big={whole(rng)}", f"{box(rng)}=5", "=5", "big=", whole(rng)])


def dice(rng: random.Random) -> str:
    """No roll."""
    return rng.choice(["1,1", "1,1,7", "0,1,1", "1,1,1,1", "", "1,1," + digits(rng), NOT_TEXT, garbage(rng)])


def missing(rng: random.Random) -> str:
    """A file that is not there, a folder, or bytes that are no text."""
    return rng.choice(["no-such-file", ".", "no/such/file.csv", "bytes.csv", "bytes.toml", NOT_TEXT])


def no_store(rng: random.Random) -> str:
    """No record: nothing is there, or a folder is."""
    return rng.choice(["no-such-file", ".", "sqlite:///no/such/file.db", "mysql://x", NOT_TEXT])


def unwritable(rng: random.Random) -> str:
    """Nothing can be written there."""
    return rng.choice(["no/such/folder/x.svg", "no/such/folder/x.csv", "x.pdf", "x", ".", NOT_TEXT])


def no_folder(rng: random.Random) -> str:
    """A folder that is not there, or one in the place of a file."""
    return rng.choice(["no/such/folder/x.svg", "."])


def strategy(rng: random.Random) -> str:
    """A strategy that is not there or misbehaves."""
    names = ("absent", "number", "raises", "exits", "greedy", "odd", "deep", "late", "keys", "huge", "broken")
    return rng.choice([f"mine.py:{rng.choice(names)}", "none.py:x", "wrong.py:x", "bytes.py:x"])


def word(rng: random.Random) -> str:
    """No word that is known."""
    return rng.choice(["", "xml", "tables", NOT_TEXT, garbage(rng)])


def command_line(rng: random.Random) -> str:
    """No option of any command."""
    return rng.choice(["--no-such-option", "-z", "--format", "---", "--" + NOT_TEXT])
