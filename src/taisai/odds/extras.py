"""Libraries that an extra brings, asked for by name when a computation needs them."""

from importlib import import_module
from typing import Any

from taisai.errors import InputError


def needs(module: str, extra: str = "maths") -> Any:
    """Import a library of an optional extra, or say in one line what to install."""
    try:
        return import_module(module)
    except ImportError:
        library = module.partition(".")[0]
        raise InputError(f"this needs {library}: install taisai[{extra}]") from None
