"""`taisai play`: a pleasant table in the terminal, by the rulebook."""

import secrets
import sys
from collections.abc import Callable
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.text import Text

from taisai.cli.numbers import money_option, seed_option
from taisai.cli.odds import PayTableArgument
from taisai.cli.output import out
from taisai.cli.playing import PlayedRound, PracticeTable
from taisai.dice import Roll
from taisai.errors import InputError
from taisai.game.explain import LANGUAGES, catalogue, explain
from taisai.game.limits import Limit, Limits
from taisai.game.refusals import Refused
from taisai.rulebooks.catalogue import pay_table as find_pay_table
from taisai.rulebooks.catalogue import rulebook_of
from taisai.rulebooks.felt_text import felt_lines

_FACES: Final = "⚀⚁⚂⚃⚄⚅"
_HELP: Final = """\
  big 50, or sum-9     bet on a box (without an amount: one chip of the size in hand)
  big -50              take chips away
  chip 25              choose the size of a chip
  roll, or Enter       no more bets: tumble the dice
  undo clear rebet double
  felt odds history help quit"""


def register(app: typer.Typer) -> None:
    app.command()(play)


def play(
    pay_table: PayTableArgument = "tai-sai-v6/2",
    bankroll: Annotated[int, money_option("What you start with.")] = 1000,
    chip: Annotated[int, money_option("The size of a chip.")] = 10,
    maximum: Annotated[int, money_option("The most on one box.")] = 10_000,
    seed: Annotated[int | None, seed_option("Play an earlier evening again.")] = None,
    language: Annotated[str, typer.Option(help=f"One of {', '.join(LANGUAGES)}.")] = "en",
) -> None:
    """Play for play money at a table in the terminal; type help there.

    Example: taisai play tai-sai-v6/2 --seed 7
    """
    catalogue(language)  # an unknown language is an error before the first round, not during it
    table, book = find_pay_table(pay_table), rulebook_of(pay_table)
    unit = table.unit
    limits = Limits(unit=unit, default=Limit(unit, maximum - maximum % unit))
    practice = PracticeTable(
        book, table, limits, bankroll, seed if seed is not None else secrets.randbelow(10**9)
    )
    CommandPlayer(practice, chip, language, out()).run()


class CommandPlayer:
    """Reads what is typed and shows what follows."""

    def __init__(self, table: PracticeTable, chip: int, language: str, console: Console) -> None:
        self.table, self.chip, self.language, self.console = table, chip, language, console
        self.words: dict[str, Callable[[], None]] = {
            "roll": self.roll,
            "undo": self._slip(table.undo),
            "clear": self._slip(table.clear),
            "rebet": self._slip(table.rebet),
            "double": self._slip(table.double),
            "felt": self.felt,
            "odds": self.odds,
            "history": self.history,
            "help": lambda: console.print(_HELP, markup=False),
        }

    def run(self) -> None:
        """Play until the player leaves, the input ends or the money is gone."""
        book = self.table.rulebook
        self.console.print(f"[bold]{book.title}[/] by {book.source}, {self.table.pay_table.id}")
        self.console.print(f"Play money. Seed {self.table.seed}: give it with --seed to play this again.")
        self.felt()
        self.console.print(_HELP, markup=False)
        self.console.print(f"\n[bold green]{book.procedure.say_open}[/]")
        while self.table.bankroll > 0:
            line = self._ask()
            if line is None or line in ("quit", "exit", "q"):
                break
            try:
                self._obey(line)
            except Refused as error:
                self.console.print(f"[yellow]{explain(error.refusal, self.language)[0]}[/]")
            except InputError as error:
                self.console.print(Text(str(error), style="yellow"))
        verdict = "The bankroll is gone." if not self.table.bankroll else "Thank you for playing."
        self.console.print(f"\n{verdict} {self.table.number} round(s), {self.table.bankroll:,} left.")

    def _ask(self) -> str | None:
        prompt = f"[{self.table.bankroll - self.table.staked:,} free, {self.table.staked:,} on the felt] > "
        try:
            line = self.console.input(Text(prompt)).strip().lower()
        except EOFError:
            return None
        if not sys.stdin.isatty():
            self.console.print(Text(line))
        return line

    def _obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if not line:
            self.roll()
        elif word == "chip":
            self.chip = abs(_whole(rest))
        elif word in self.words:
            self.words[word]()
        else:
            self.table.bet(word, _whole(rest) if rest else self.chip)
            self._show_slip()

    def _slip(self, change: Callable[[], None]) -> Callable[[], None]:
        def act() -> None:
            change()
            self._show_slip()

        return act

    def _show_slip(self) -> None:
        bets = ", ".join(f"{box} {amount:,}" for box, amount in self.table.slip.items())
        self.console.print(Text(f"on the felt: {bets or 'nothing'}", style="cyan"))

    def roll(self) -> None:
        played = self.table.roll()
        self.console.print(f"[bold red]{self.table.rulebook.procedure.say_close}[/]")
        self.felt(highlight=self.table.pay_table.winning_boxes(played.roll), played=played)
        self.console.print(self._called(played))
        for result in played.results:
            for sentence in explain(result, self.language):
                self.console.print(Text(f"  {sentence}", style="green" if result.award.won else "dim"))
        self.history()
        self.console.print(f"\n[bold green]{self.table.rulebook.procedure.say_open}[/]")

    def _called(self, played: PlayedRound) -> Text:
        roll = played.roll.called()
        dice = " ".join(_FACES[face - 1] for face in roll)
        kind = "a triple" if roll.is_triple else "big" if roll.total > 10 else "small"
        text = Text(f"Round {played.number}: {dice}  {roll}, {roll.total}, {kind}. ", style="bold")
        if played.staked:
            text.append(f"You {'win' if played.net > 0 else 'lose' if played.net < 0 else 'are even on'} ")
            text.append(f"{abs(played.net) if played.net else played.staked:,}.")
        return text

    def felt(self, highlight: tuple[str, ...] = (), played: PlayedRound | None = None) -> None:
        stakes = {result.box: result.stake for result in played.results} if played else self.table.slip
        text = Text(no_wrap=True)
        for line in felt_lines(
            self.table.pay_table, max(self.console.width, 80), highlight=highlight, stakes=stakes
        ):
            for segment in line:
                text.append(segment.text, _style(segment.box, highlight, stakes))
            text.append("\n")
        self.console.print(text, soft_wrap=True)

    def odds(self) -> None:
        from taisai.cli.odds import odds

        odds(self.table.pay_table.id)

    def history(self) -> None:
        last = self.table.history[-12:]
        self.console.print(
            Text("last results: " + "  ".join(map(_short, last)) if last else "no results yet")
        )


def _style(box: str | None, highlight: tuple[str, ...], stakes: dict[str, int]) -> str:
    if box in highlight:
        return "bold black on bright_yellow" if box in stakes else "bold yellow"
    return "bold cyan" if box in stakes else "green"


def _short(roll: Roll) -> str:
    mark = "T" if roll.is_triple else "B" if roll.total > 10 else "S"
    return f"{roll.called()}={roll.total}{mark}"


def _whole(text: str) -> int:
    try:
        return int(text.replace(",", ""))
    except ValueError:
        raise InputError(f"expected a whole amount, got {text!r}; type help for what can be said") from None
