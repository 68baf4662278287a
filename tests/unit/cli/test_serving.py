"""What a start says: where the pages are, and how somebody gets in."""

from typing import Any

import pytest

from taisai.cli.serving import say_addresses
from taisai.server.config import load_config

RESET = "taisai staff reset NAME"


def said(capsys: pytest.CaptureFixture[str], logins: dict[str, str], **house: Any) -> str:
    table = {"name": "C1", "kind": "cluster", "pay_table": "sic-bo-etg-v8/1", "unit": 100, "minimum": 100}
    say_addresses(load_config(None, {}, base={"house": house, "table": [table]}), 8400, logins)
    return capsys.readouterr().err


def test_a_start_names_its_own_command_for_phones(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was typed, with the address of the network: a demonstration stays one."""
    monkeypatch.setattr("sys.argv", ["taisai", "demo", "--data", "my house"])
    told = said(capsys, {}, play_money=True)
    assert "taisai demo --data 'my house' --host 0.0.0.0" in " ".join(told.split())


def test_a_start_that_tells_no_password_names_the_way_to_a_new_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Not while passwords are told, and not where each position is one press."""
    assert RESET in said(capsys, {}, play_money=True)
    assert RESET not in said(capsys, {"admin": "a-word"}, play_money=True)
    opened = said(capsys, {}, play_money=True, open_logins=True)
    assert RESET not in opened
    assert "from this computer each position is one press" in opened
    assert "from anyone who reaches it" in said(
        capsys, {}, play_money=True, open_logins=True, open_logins_anywhere=True
    )
