"""The reference pages on acts and refusals, written from the data that the code itself reads."""

import inspect
import re
from collections.abc import Iterator

import taisai
from taisai.game.acts import ACTS, WHERE_IT_STANDS, Act, Cell, Phase, cell
from taisai.game.explain import catalogue, numbered
from taisai.game.refusals import RefusalCode
from taisai.rulebooks.model import Rulebook
from tests.rules.table import RULEBOOKS

_ACTS_INTRODUCTION = """\
# The table of acts

Made from `taisai.game.acts` by `make golden`; do not edit. For every rulebook: which act is legal in which
phase of a round, and the clause that says so. `house` stands where a rulebook has no clause: the act, or its
refusal, is then the house's own procedure.

- **✓ 3.4** the act is legal, by clause 3.4.
- **void 5.5.3** the act is taken down as it happened, and voids the round by clause 5.5.3.
- **· 5.7** the act is refused, by clause 5.7, with the code that stands under the phase in the second row.
- **– 1.7** the game has no such act: it is refused in every phase, with `not_in_this_rulebook`.
"""

_WHO_INTRODUCTION = """\
## Who may act

A person may act in a lower position than their own. The system is the Game Console acting by itself, as in an
automatic game. Where it takes two, both are pit employees with different names, one of them has at least the
position named, and a reason is given. [Acts and permits](acts.md) says in which cases some acts take two.

| act | who | the system too |
| --- | --- | --- |
"""

_REFUSALS_INTRODUCTION = """\
# Refusals

Made from `taisai.game.refusals` by `make golden`; do not edit. A refusal has a code from this closed list,
the clause that it follows (or `house`), and facts. When several faults meet in one act, the refusal names the
one that stands first here. The meaning is what a person reads in English; the words in braces are facts of
the refusal.
"""


def acts_page() -> str:
    """docs/reference/table-of-acts.md."""
    parts = [_ACTS_INTRODUCTION, _WHO_INTRODUCTION + "\n".join(_who()) + "\n"]
    parts += ["\n".join(_grid(taisai.rulebook(name))) + "\n" for name in RULEBOOKS]
    return "\n".join(parts)


def _who() -> Iterator[str]:
    for act, rule in ACTS.items():
        if rule.two_people:
            who = f"two people, at least one of them {_position(rule.least)}"
        elif rule.two_least:
            who = (
                f"{_position(rule.least)}; in some cases two people, one of them {_position(rule.two_least)}"
            )
        elif act is Act.PLACE_BETS:
            who = "the player, for themselves"
        else:
            who = f"{_position(rule.least)}"
        yield f"| {act} | {who} | {'yes' if rule.by_system else 'no'} |"


def _position(role: str) -> str:
    return f"a {role.replace('-', ' ')} or above"


def _grid(rulebook: Rulebook) -> Iterator[str]:
    yield f"## {rulebook.id}\n"
    yield f"| act | {' | '.join(str(phase).replace('-', ' ') for phase in Phase)} |"
    yield "| --- |" + " --- |" * len(Phase)
    yield f"| *refused with* | {' | '.join(f'`{WHERE_IT_STANDS[phase]}`' for phase in Phase)} |"
    for act in Act:
        cells = [cell(rulebook, act, phase) for phase in Phase]
        yield f"| {act} | {' | '.join(map(_said, cells))} |"


def _said(here: Cell) -> str:
    if here.voids:
        return f"void {here.clause}"
    if here.refusal is RefusalCode.NOT_IN_THIS_RULEBOOK:
        return f"– {here.clause}"
    return f"✓ {here.clause}" if here.legal else f"· {here.clause}"


def refusals_page() -> str:
    """docs/reference/refusals.md: every code in order of precedence, under its heading in the list."""
    lines = [_REFUSALS_INTRODUCTION]
    sentences = catalogue("en")["refusals"]
    place = 0
    for heading, codes in _sections():
        lines += [
            f"## {heading}\n",
            "| | code | meaning | facts in the sentence |",
            "| ---: | --- | --- | --- |",
        ]
        for code in codes:
            place += 1
            sentence = sentences[code]
            facts = ", ".join(f"`{fact}`" for fact in dict.fromkeys(re.findall(r"{(\w+)}", sentence)))
            meaning = numbered(sentence, {}).removeprefix("Refused: ")
            lines.append(f"| {place} | `{code}` | {meaning} | {facts} |")
        lines.append("")
    return "\n".join(lines)


def _sections() -> list[tuple[str, list[RefusalCode]]]:
    """The list as it stands in the code: a comment begins a section."""
    sections: list[tuple[str, list[RefusalCode]]] = []
    for line in inspect.getsource(RefusalCode).splitlines():
        if heading := re.fullmatch(r"    # (.+)", line):
            sections.append((heading[1], []))
        elif code := re.match(r"    ([A-Z_]+) = ", line):
            sections[-1][1].append(RefusalCode[code[1]])
    listed = [code for _, codes in sections for code in codes]
    assert listed == list(RefusalCode), "the list is read from its source, a line for each code"
    return sections
