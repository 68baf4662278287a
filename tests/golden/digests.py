"""The digests of all that is shipped. They stand in journals for ever: a change here is a change of rules."""

from collections.abc import Callable
from pathlib import Path

import taisai


def digests() -> str:
    """Each rulebook and pay table with its digest."""
    lines = ["# SHA-256 of the meaning of each shipped rulebook and pay table"]
    for name in taisai.shipped_rulebooks():
        book = taisai.rulebook(name)
        lines += [f"{each.id:<22} {each.digest}" for each in (book, *book.pay_tables)]
    return "\n".join(lines) + "\n"


GOLDEN: dict[Path, Callable[[], str]] = {Path(__file__).parent / "rulebooks.digests": digests}
