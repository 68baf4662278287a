"""The key of the log: made once, and never anew where the log has begun."""

from pathlib import Path

import pytest

from taisai.adapters.witnesses.proof_parts import log_key
from taisai.errors import InputError


def test_a_log_that_has_begun_is_given_no_other_key(tmp_path: Path) -> None:
    """A process to which the office comes must have the key that the log was begun with."""
    with pytest.raises(InputError, match=r"log\.pem is not there, and the log was begun with it"):
        log_key(tmp_path, begun=True)
    made = log_key(tmp_path, begun=False)
    assert log_key(tmp_path, begun=True).public == made.public
