"""What a page refuses by itself it refuses under the clause that the desk would name."""

import pytest

from taisai.client import Refused
from tests.server.houses import Serving


@pytest.mark.parametrize(
    ("slip", "code"),
    [
        ({"nowhere": 100}, "box_unknown"),
        ({"big": 150}, "stake_not_in_units"),
        ({"big": 200_000}, "above_maximum"),
        ({"big": 90_000}, "funds_insufficient"),
        ({"big": 100}, "betting_closed"),
    ],
)
async def test_the_table_tells_the_clauses_by_which_slips_are_refused(
    house: Serving, slip: dict[str, int], code: str
) -> None:
    """By the code of the refusal, so that both sides say the same."""
    console = await house.console("C1")
    terminal = await house.terminal(credit=10_000)
    await console.act("StartRound")
    number = (await terminal.betting()).number
    if code == "betting_closed":
        await console.act("CloseBetting")
    with pytest.raises(Refused) as refused:
        await terminal.place(number, slip)
    assert terminal.snapshot is not None
    assert (refused.value.code, refused.value.clause) == (code, terminal.snapshot.table.clauses[code])
