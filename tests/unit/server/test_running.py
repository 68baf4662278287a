"""What a server has done before it takes its first bet."""

import subprocess
import sys

A_MULTITUDE = """
import sys
from taisai.game.state import RoundState
from taisai.dice import Roll
from taisai.game.evolve import replace_slip
from taisai.game.settling import settlement_totals
from taisai.rulebooks.catalogue import pay_table, rulebook_of
from taisai.server.running import tune
tune()
before = set(sys.modules)
state = RoundState(rulebook_of("sic-bo-etg-v8/1"), pay_table("sic-bo-etg-v8/1"))
for player in range(3000):
    replace_slip(state, f"p{player}", {"big": 100})
settled = settlement_totals(state, Roll(5, 6, 4))
print(settled.bets, sorted(set(sys.modules) - before))
"""


def test_the_first_multitude_waits_for_no_import() -> None:
    """Bets by columns need NumPy, whose import takes a fifth of a second: it is there before the first."""
    done = subprocess.run([sys.executable, "-c", A_MULTITUDE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split(maxsplit=1) == ["3000", "[]\n"]
