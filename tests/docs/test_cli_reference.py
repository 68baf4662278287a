"""The command line documents itself: what is undocumented fails."""

import pytest

from taisai.cli.output import Exit
from tests.golden.pages import EXIT_CODES, cli_reference, verbs

VERBS = dict(verbs())


def test_every_exit_code_is_explained() -> None:
    """A script can rely on each of them."""
    assert set(EXIT_CODES) == set(Exit)


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_and_option_says_what_it_is_for(name: str) -> None:
    """A sentence for the verb, and words for each argument and option."""
    verb = VERBS[name]
    assert verb.help
    for parameter in verb.params:
        assert getattr(parameter, "help", None) or parameter.metavar, (
            f"taisai {name}: {parameter.name} has no help"
        )


def test_every_verb_stands_on_the_page() -> None:
    """The reference is whole."""
    page = cli_reference()
    for name in VERBS:
        assert f"## taisai {name}\n" in page
        assert f"Usage: taisai {name} " in page
