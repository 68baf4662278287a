"""docs/reference/python.md, from the docstrings and signatures of what `import taisai` offers."""

import inspect
import re
from collections.abc import Callable
from enum import EnumType
from pathlib import Path
from typing import Any

import msgspec

import taisai

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "python.md"
HEAD = """# Python

Everything that `import taisai` offers; `taisai.__all__` lists the same names. They are imported when first
used, so that the import stays light. Money is an `int` of minor units, odds are exact fractions to one.
"""
# In the order in which a reader needs them.
PARTS = {
    "Rules": ["rulebook", "pay_table", "shipped_rulebooks", "load_rulebook", "Rulebook", "PayTable", "Box"],
    "A bet": ["Roll", "settle", "Award", "explain"],
    "A round": [
        "Round", "Limits", "Limit", "Actor", "Role", "apportion", "outcome_established",
    ],
    "Mathematics": [
        "box_odds", "BoxOdds", "Mix", "risk_of_ruin", "Exposure", "par_sheet", "simulate", "fairness",
        "FairnessMonitor",
    ],
    "Errors and refusals": [
        "TaisaiError", "InputError", "UnknownName", "RulebookError", "Refused", "Refusal", "RefusalCode",
    ],
}  # fmt: skip
_MODULES = re.compile(r"\b(?:[a-z_]+\.)+(?=[A-Z])")


def python_page() -> str:
    """A section for each subject, an entry for each name."""
    parts = [HEAD]
    for title, names in PARTS.items():
        parts.append(f"## {title}\n")
        parts += [_entry(name, getattr(taisai, name)) for name in names]
    rest = sorted(set(taisai.__all__) - {name for names in PARTS.values() for name in names})
    if rest:
        parts.append("## More\n")
        parts += [_entry(name, getattr(taisai, name)) for name in rest]
    return "\n".join(parts)


def _entry(name: str, what: Any) -> str:
    text = inspect.getdoc(what) or ""
    lines = [
        f"### `{name}`\n",
        f"```text\n{_form(name, what)}\n```\n",
        f"{text.partition('>>>')[0].strip()}\n",
    ]
    if ">>>" in text:
        lines.append(f"```text\n{text[text.index('>>>') :].strip()}\n```\n")
    if isinstance(what, type) and not isinstance(what, EnumType):
        lines += [f"{row}" for row in _members(what)]
    return "\n".join(lines)


def _form(name: str, what: Any) -> str:
    """How it is called, with the names of modules left out."""
    if isinstance(what, EnumType):
        return f"{name}: " + ", ".join(str(member.value) for member in what)
    if isinstance(what, type) and issubclass(what, Exception):
        return f"class {name}({', '.join(base.__name__ for base in what.__bases__)})"
    signature = _MODULES.sub("", str(inspect.signature(what))).replace("<factory>", "…")
    signature = re.sub(r"<function (\w+) at 0x[0-9a-f]+>", r"\1", signature)  # an address is of one run only
    text = f"{'class ' if isinstance(what, type) else ''}{name}{signature.removesuffix(' -> None')}"
    return (
        text if len(text) <= 110 else re.sub(r", (?=\*|[a-z_]+:)", ",\n    ", text.replace("(", "(\n    ", 1))
    )


def _members(what: type) -> list[str]:
    """Methods and properties of its own, each with its first sentence."""
    rows = []
    fields = (
        {field.name for field in msgspec.structs.fields(what)} if issubclass(what, msgspec.Struct) else set()
    )
    for name, member in vars(what).items():
        text = inspect.getdoc(member)
        is_own = callable(member) or isinstance(member, property | classmethod | staticmethod)
        if not name.startswith("_") and name not in fields and is_own and text:
            rows.append(f"- `{name}`: {text.splitlines()[0]}")
    return [*rows, ""] if rows else []


GOLDEN: dict[Path, Callable[[], str]] = {PAGE: python_page}
