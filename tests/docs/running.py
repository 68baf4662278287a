"""Runs the blocks of a page as a reader would: in order, in an empty folder, and compares what they print."""

import ast
import asyncio
import contextlib
import difflib
import doctest
import importlib.util
import inspect
import io
import json
import re
import shlex
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.docs.blocks import ROOT, Block
from tests.unit.command import clean_environment

COLUMNS = "100"


class DocsError(AssertionError):
    """A page that promises what does not happen."""


def run_python(block: Block, namespace: dict[str, Any]) -> None:
    """Execute a block after those before it; what it prints must be what the page shows."""
    if ">>>" in block.text:
        _run_doctest(block, namespace)
        return
    printed = io.StringIO()
    code = compile(block.text, str(block), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    with contextlib.redirect_stdout(printed):
        if code.co_flags & inspect.CO_COROUTINE:
            asyncio.run(eval(code, namespace))
        else:
            exec(code, namespace)
    if block.shown is not None:
        compare(block, block.shown, printed.getvalue())


def _run_doctest(block: Block, namespace: dict[str, Any]) -> None:
    test = doctest.DocTestParser().get_doctest(block.text, namespace, str(block), str(block.page), block.line)
    report = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=report.write, clear_globs=False)
    namespace.update(test.globs)
    if runner.failures:
        raise DocsError(f"{block}\n{report.getvalue()}")


def run_console(block: Block, folder: Path) -> None:
    """Run each `$` line and compare its output with the lines below it."""
    for command, expected in commands(block):
        program = shlex.split(command)[0]
        if program in CHECKED:
            complaint = CHECKED[program](shlex.split(command))
            if complaint:
                raise DocsError(f"{block}: {command}: {complaint}")
            continue
        if program != "taisai":
            raise DocsError(f"{block}: {command}: pages run taisai, or what tests/docs/running.py lists")
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=folder,
            env=clean_environment({"COLUMNS": COLUMNS, "NO_COLOR": "1"}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        compare(block, expected, done.stdout, command)


def commands(block: Block) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output that the page shows for it."""
    found: list[tuple[str, str]] = []
    lines = iter(block.text.splitlines())
    for line in lines:
        if line.startswith("$ "):
            command = line[2:]
            while command.endswith("\\"):
                command = f"{command[:-1].rstrip()} {next(lines).removeprefix('>').strip()}"
            found.append((command, ""))
        elif not found:
            raise DocsError(f"{block}: a console block begins with a line '$ command'")
        else:
            command, shown = found[-1]
            found[-1] = command, f"{shown}{line}\n"
    return found


def compare(block: Block, expected: str, printed: str, command: str = "") -> None:
    """Line by line, trailing blanks aside; a line `...` stands for any lines."""
    wanted = [line.rstrip() for line in expected.rstrip("\n").split("\n")]
    came = [line.rstrip() for line in printed.rstrip("\n").split("\n")]
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in wanted)
    if not re.fullmatch(pattern, "".join(f"{line}\n" for line in came)):
        difference = "\n".join(difflib.unified_diff(wanted, came, "shown", "printed", lineterm=""))
        raise DocsError(f"{block} {command}\n{difference}")


# --- commands that are checked to exist and not run ----------------------------------------------------


def _check_make(words: list[str]) -> str | None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in words[1:]:
        if "=" not in target and not re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE):
            return f"the Makefile has no target {target!r}"
    return None


def _check_pip(words: list[str]) -> str | None:
    """Only `pip install taisai[extra,…]` or `pip install .`, with extras that there are."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    if words[1:2] != ["install"]:
        return "only `pip install` is shown"
    wanted = re.fullmatch(r"(?:\.|taisai)(?:\[(.*)\])?", words[-1])
    if not wanted:
        return f"expected taisai or ., got {words[-1]!r}"
    unknown = set(filter(None, (wanted[1] or "").split(","))) - set(project["optional-dependencies"])
    return f"no such extra: {unknown}" if unknown else None


def _check_python(words: list[str]) -> str | None:
    """`python -m module`, of a module that there is."""
    if words[1:2] != ["-m"]:
        return "only `python -m module` is shown"
    return None if importlib.util.find_spec(words[2]) else f"no module {words[2]!r}"


def _check_git(words: list[str]) -> str | None:
    return None if words[1] in ("clone", "diff", "add", "commit", "status") else "not a git command we show"


def _check_curl(words: list[str]) -> str | None:
    """A request that the interface answers: its path and method stand in the OpenAPI file."""
    address = next((word for word in words[1:] if re.match(r"https?://|\$HOUSE", word)), None)
    if address is None:
        return "an address begins with http:// or $HOUSE"
    path = re.sub(r"^(?:https?://[^/]+|\$HOUSE)", "", address).partition("?")[0]
    method = words[words.index("-X") + 1].lower() if "-X" in words else "post" if "--json" in words else "get"
    if path in ("/metrics", "/openapi.json", "/asyncapi.json"):
        return None
    schema = json.loads((ROOT / "docs" / "reference" / "openapi.json").read_text(encoding="utf-8"))
    for known, methods in schema["paths"].items():
        if re.fullmatch(re.sub(r"\{[^}]+\}", "[^/]+", known), path) and method in methods:
            return None
    return f"the interface has no {method.upper()} {path}"


def _check_sudo(words: list[str]) -> str | None:
    """Whatever is done as somebody else is looked up like the rest."""
    rest = words[3:] if words[1] == "-u" else words[1:]
    program = rest[0]
    if Path(program).name == "taisai":
        return _check_taisai(rest)
    return CHECKED[program](rest) if program in CHECKED else f"pages do not show {program!r}"


def _check_taisai(words: list[str]) -> str | None:
    """A verb with options that it has; it is not run because it is somebody else's house."""
    from tests.golden.pages import verbs

    known = dict(verbs())
    verb = next((known[name] for name in (" ".join(words[1:3]), words[1]) if name in known), None)
    if verb is None:
        return f"there is no verb {words[1]!r}"
    options = {option for parameter in verb.params for option in (*parameter.opts, *parameter.secondary_opts)}
    unknown = [word for word in words if word.startswith("--") and word not in options]
    return f"it has no option {unknown[0]}" if unknown else None


def _check_files(words: list[str]) -> str | None:
    """Files of this repository that a command names are there."""
    named = [word for word in words if word.startswith(("packaging/", "docs/", "examples/"))]
    missing = [word for word in named if not (ROOT / word).exists()]
    return f"there is no {missing[0]}" if missing else None


def _nothing(_: list[str]) -> None:
    return None


# Everything a page may show besides taisai itself. A command that is in neither fails the test.
CHECKED: dict[str, Callable[[list[str]], str | None]] = {
    "make": _check_make,
    "pip": _check_pip,
    "python": _check_python,
    "python3": _check_python,
    ".venv/bin/python": _check_python,
    "git": _check_git,
    "cd": _nothing,
    "curl": _check_curl,
    "sudo": _check_sudo,
    "/opt/taisai/bin/taisai": _check_taisai,
    "/opt/taisai/bin/pip": _check_pip,
    "install": _check_files,
    "cp": _check_files,
    "podman": _check_files,
    **dict.fromkeys(
        (
            *("systemctl", "systemd-sysusers", "journalctl", "createuser", "createdb", "mv", "touch"),
            "pg_basebackup",
        ),
        _nothing,
    ),
}
