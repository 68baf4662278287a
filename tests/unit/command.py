"""Running the `taisai` command in tests: in this process, or as its own."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from taisai.cli.app import app

BIN = Path(sys.executable).parent


def run(*arguments: str, **environment: str) -> Result:
    """The command within this process; standard output and error are kept apart."""
    return CliRunner().invoke(app, arguments, prog_name="taisai", env={"COLUMNS": "100", **environment})


def clean_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """An environment without what a person's terminal adds to output."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")
    }
    return {**kept, "PATH": f"{BIN}{os.pathsep}{kept.get('PATH', '')}", **(extra or {})}


def process(arguments: Sequence[str], **options: Any) -> subprocess.CompletedProcess[str]:
    """A command as its own process, as people run it."""
    extra = options.pop("env", None)
    return subprocess.run(
        arguments, capture_output=True, text=True, encoding="utf-8", timeout=300, check=False,
        env=clean_environment(extra), **options,
    )  # fmt: skip
