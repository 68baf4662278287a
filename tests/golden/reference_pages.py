"""Pages of docs/reference that are written from the code's own tables."""

from collections.abc import Callable
from pathlib import Path

from tests.golden.events_page import events_page
from tests.golden.permits_page import permits_page
from tests.rules.acts_table import acts_page, refusals_page

REFERENCE = Path(__file__).parent.parent.parent / "docs" / "reference"

GOLDEN: dict[Path, Callable[[], str]] = {
    REFERENCE / "table-of-acts.md": acts_page,
    REFERENCE / "refusals.md": refusals_page,
    REFERENCE / "acts.md": permits_page,
    REFERENCE / "events.md": events_page,
}
