"""A table's sign on paper: rows in two languages, as a page that prints on A4, and as a picture."""

from collections.abc import Callable, Iterator
from html import escape
from typing import NamedTuple

from taisai.game.explain import Catalogue
from taisai.game.sign import TableSign, line_name
from taisai.rulebooks.felt_pen import CREAM, GOLD, FeltFrame, tile, write
from taisai.rulebooks.model import HOUSE, PayTable

Money = Callable[[int], str]

_WIDTH, _ROW, _EDGE = 1000.0, 84.0, 40.0


class SignRow(NamedTuple):
    """One row: what it is about in each language, and its figures."""

    names: tuple[str, ...]
    minimum: str
    maximum: str
    total: str = ""


class SignPaper:
    """What is printed, in the words of one or two languages."""

    def __init__(
        self, title: str, pay_table: PayTable, sign: TableSign, money: Money, words: tuple[Catalogue, ...]
    ) -> None:
        self.title, self.pay_table, self.sign = title, pay_table, sign
        self._money, self._words = money, words

    def rows(self) -> Iterator[SignRow]:
        """The limits line by line, then the differentials, which have a maximum alone."""
        for line in self.sign.lines:
            names = tuple(line_name(self.pay_table, line, words) for words in self._words)
            maximum = self.say("none")[0] if line.maximum is None else self._money(line.maximum)
            total = "" if line.total is None else self._money(line.total)
            yield SignRow(names, self._money(line.minimum), maximum, total)
        for pair, limit in self.sign.differential.items():
            names = tuple(
                words["sign"]["differential"].format(pair=words["terms"][pair]) for words in self._words
            )
            yield SignRow(names, "", self._money(limit))

    def say(self, key: str, **facts: str) -> tuple[str, ...]:
        return tuple(words["sign"][key].format(**facts) for words in self._words)

    def notes(self) -> Iterator[tuple[str, ...]]:
        """The chip unit, whose maximum it is, and the clause."""
        yield self.say("unit", unit=self._money(self.sign.unit))
        yield self.say("per_player" if self.sign.per_player else "per_box")
        is_house = self.sign.clause == HOUSE
        yield self.say("house") if is_house else self.say("source", clause=self.sign.clause)

    def html(self) -> str:
        """A page of its own that prints on one sheet."""
        has_total = any(row.total for row in self.rows())
        heads = ["bet", "minimum", "maximum", *(["total"] if has_total else [])]
        head = "".join(f"<th>{_both(self.say(key))}</th>" for key in heads)
        body = "".join(
            f"<tr><th>{_both(row.names)}</th><td>{escape(row.minimum)}</td><td>{escape(row.maximum)}</td>"
            + (f"<td>{escape(row.total)}</td>" if has_total else "")
            + "</tr>"
            for row in self.rows()
        )
        notes = "".join(f"<p>{_both(note)}</p>" for note in self.notes())
        title = escape(f"{self.title} · {self.pay_table.id}")
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            f"<style>{_STYLE}</style></head><body><h1>{_both(self.say('title'))}</h1><h2>{title}</h2>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}</body></html>\n"
        )

    def svg(self) -> str:
        """The same as a picture for a screen at the table."""
        rows = list(self.rows())
        height = 2 * _EDGE + _ROW * (len(rows) + 2) + 34 * 3
        frame = FeltFrame(0, 0, _WIDTH, height)
        drawn = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH:g} {height:g}" role="img" '
            f'text-anchor="middle" font-family="serif"><title>{escape(self.title)}</title>',
            tile(frame.inset(6), "#063322", width=3, radius=18),
            *_two(FeltFrame(_EDGE, _EDGE, _WIDTH - 2 * _EDGE, _ROW), self.say("title"), GOLD, 40),
        ]
        columns = [(0.0, 0.4), (0.4, 0.2), (0.6, 0.2), (0.8, 0.2)]
        heads = [self.say(key) for key in ("bet", "minimum", "maximum", "total")]
        table = [(head, GOLD) for head in heads]
        for number, cells in enumerate([None, *rows]):
            line = FeltFrame(_EDGE, _EDGE + _ROW * (number + 1), _WIDTH - 2 * _EDGE, _ROW)
            here = (
                table
                if cells is None
                else [
                    (cells.names, CREAM),
                    ((cells.minimum,), CREAM),
                    ((cells.maximum,), CREAM),
                    ((cells.total,), CREAM),
                ]
            )
            for (start, share), (texts, colour) in zip(columns, here, strict=True):
                drawn += _two(line.part(start + 0.01, 0.08, share - 0.02, 0.84), texts, colour, 30)
        for number, note in enumerate(self.notes()):
            at = FeltFrame(_EDGE, height - _EDGE - 34 * (3 - number), _WIDTH - 2 * _EDGE, 30)
            drawn.append(write(at, " · ".join(note), 20, CREAM))
        return "\n".join([*drawn, "</svg>"]) + "\n"


def _two(frame: FeltFrame, texts: tuple[str, ...], colour: str, size: float) -> list[str]:
    """One text, or two of them one below the other."""
    share = 1 / len(texts)
    return [
        write(frame.part(0, at * share, 1, share), text, min(size, frame.h * share * 0.8), colour)
        for at, text in enumerate(texts)
        if text
    ]


def _both(texts: tuple[str, ...]) -> str:
    first, *others = map(escape, texts)
    return first + "".join(f"<span>{other}</span>" for other in others)


_STYLE = (
    "@page { size: A4; margin: 18mm } "
    "body { font: 15pt/1.35 Georgia, 'Noto Serif', 'Noto Serif CJK TC', serif; margin: 2rem auto; "
    "max-width: 180mm } "
    "h1 { font-size: 34pt; margin: 0 } h2 { font-weight: 400; margin: 0 0 8mm } "
    "table { width: 100%; border-collapse: collapse } "
    "th, td { border-top: 1px solid #999; padding: 2.5mm 2mm; text-align: right; font-weight: 400 } "
    "th:first-child { text-align: left } thead th { font-weight: 700 } "
    "span { display: block; font-size: .8em; color: #444 } "
    "td { font-variant-numeric: tabular-nums; font-size: 18pt } p { margin: 5mm 0 0; font-size: 12pt }"
)
