"""The marks printed on a layout (2.1.1): what each box says about triples, totals and odds, as it is printed.

Three appendices of the approved documents survive with their text, and one more that differs from them in a
word. A felt whose appendix is lost in the scans takes the marks of the nearest that survives.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from taisai.money import say_odds
from taisai.rulebooks.kinds import Kind
from taisai.rulebooks.model import Box


@dataclass(frozen=True)
class Marks:
    """What a layout prints, and the appendix that it is printed in. `{n}` stands for the odds."""

    appendix: str
    triples: str
    totals: Mapping[Kind, str]
    singles: tuple[str, str, str]
    odds: str = "1 WINS {n}"
    odds_of: Mapping[Kind, str] = field(default_factory=dict)
    # The Chinese lines of big and small, below the English ones: total, odds, triples.
    chinese: Mapping[Kind, tuple[str, ...]] = field(default_factory=dict)

    def odds_on(self, box: Box) -> str:
        """The odds of a box as it prints them: `1 WINS 8½`, or `1:62`."""
        return self._said(box.kind, " / ".join(map(say_odds, box.pays)))

    def odds_strip(self, kind: Kind, pays: tuple[Fraction, ...]) -> str:
        """The odds that a strip prints for its boxes; single dice have one for each number of dice."""
        if len(pays) > 1:
            return " ... ".join(
                mark.format(n=say_odds(price)) for mark, price in zip(self.singles, pays, strict=False)
            )
        return self._said(kind, say_odds(pays[0]))

    def lines_on(self, box: Box) -> list[str]:
        """What big, small, odd and even print besides their name and odds, line by line."""
        if box.kind not in (Kind.BIG, Kind.SMALL, Kind.ODD, Kind.EVEN):
            return []
        return [self.totals.get(box.kind, ""), self.triples, *self.chinese.get(box.kind, ())]

    def _said(self, kind: Kind, figure: str) -> str:
        return self.odds_of.get(kind, self.odds).format(n=figure)


_COLON: Final = "1:{n}"
LOSE: Final = "LOSE IF ANY TRIPLE APPEARS"
EXCEPT: Final = "EXCEPT FOR ANY TRIPLE"

V3_A: Final = Marks(
    "Appendix A of tai-sai-v3",
    LOSE,
    {Kind.BIG: "ARE NUMBER 11 TO 17", Kind.SMALL: "ARE NUMBER 4 TO 10"},
    ("{n} TO 1 ON ONE DICE", "{n} TO 1 ON TWO DICE", "{n} TO 1 ON THREE DICE"),
    chinese={
        Kind.BIG: ("11点至17", "一翻一", "围骰通吃"),
        Kind.SMALL: ("4点至10", "一翻一", "围骰通吃"),
    },
)
ETG_A: Final = Marks(
    "Appendix A of sic-bo-etg-v8",
    EXCEPT,
    {Kind.BIG: "11 - 17", Kind.SMALL: "4 - 10"},
    ("1 WINS {n} ON ONE DIE", "1 WINS {n} ON TWO DICE", "1 WINS {n} ON THREE DICE"),
)
ETG_B: Final = Marks(
    "Appendix B of sic-bo-etg-v8",
    EXCEPT,
    ETG_A.totals,
    ("1 WINS {n} FOR ONE DIE", "1 WINS {n} FOR TWO DICE", "1 WINS {n} FOR THREE DICE"),
)
ETG_C: Final = Marks(
    "Appendix C of sic-bo-etg-v8",
    LOSE,
    {Kind.BIG: "NUMBERS 11 TO 17", Kind.SMALL: "NUMBERS 4 TO 10"},
    ("1:{n} ON ONE DICE", "1:{n} ON TWO DICE", "1:{n} ON THREE DICE"),
    odds_of=dict.fromkeys(
        (Kind.BIG, Kind.SMALL, Kind.ODD, Kind.EVEN, Kind.SUM, Kind.FOUR, Kind.TRIPLE, Kind.SINGLE), _COLON
    ),
)

EVERY_MARKS: Final = (V3_A, ETG_A, ETG_B, ETG_C)

# By layout. The felts of v4, v6 and open cover with 50 boxes are nearest to v3's, and those with every
# combination to Appendix C, which has the same boxes at the same odds.
_MARKS: Final = {
    "felt-50": V3_A,
    "felt-104": ETG_C,
    "felt-107": ETG_C,
    "terminal-56": ETG_A,
    "terminal-104": ETG_B,
    "terminal-104-c": ETG_C,
}


def marks_of(layout_id: str) -> Marks:
    """The marks of a layout; one that a house made itself has those of the oldest felt."""
    return _MARKS.get(layout_id, V3_A)
