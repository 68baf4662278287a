"""What the docstrings of the mathematics show is what happens."""

import doctest
from importlib import import_module

import pytest


@pytest.mark.parametrize("name", ["exposure", "results.frame", "mix", "risk"])
def test_the_examples_in_docstrings_are_true(name: str) -> None:
    """Each has at least one, and prints what it says."""
    done = doctest.testmod(import_module(f"taisai.odds.{name}"))
    assert done.attempted > 0
    assert done.failed == 0
