"""The record's commands for auditors: verify, export, witness, replay, ledger."""

import json
import re
from pathlib import Path

import apsw
import msgspec
import pytest

from taisai.adapters.signing.keys import generate_key
from tests.unit.command import run
from tests.unit.record_cli import fails, kept, ok, rows_of, spoil, store

__all__ = ["kept", "store"]  # fixtures
FORMATS = ["table", "json", "csv", "md"]


# --- audit -----------------------------------------------------------------------------------------------


def test_a_sound_record_is_said_to_be_with_what_was_checked(store: str) -> None:
    """Commits, rounds, bets, cents and tickets, for people and for programs."""
    said = ok("audit", "verify", store)
    assert "sound: " in said
    assert "recomputed 5 rounds (2 void, 3 corrections) with 48 bets: 10,250 staked, 10,100 paid back" in said
    assert "followed 4 tickets, 4 of them to the end" in said
    assert "no witness was asked" in said
    report = json.loads(ok("audit", "verify", store, "--format", "json"))
    assert report["sound"] is True
    assert report["rounds"]["bets"] == 48
    assert report["tickets"]["issued"] == 4
    for form in ("csv", "md"):
        rows = rows_of(form, ok("audit", "verify", store, "-f", form))
        assert {"part": "rounds", "what": "bets", "checked": "48"} in rows


@pytest.mark.parametrize("form", FORMATS)
def test_a_fault_is_exit_code_1_with_its_place(store: str, form: str) -> None:
    """The event that was altered is named, in every format."""
    spoil(
        store,
        "UPDATE events SET body = CAST(replace(CAST(body AS TEXT), '20000', '90000') AS BLOB) "
        "WHERE stream = 'table:T1' AND version = 4",
    )
    said = fails(1, "fault: table:T1 version 4: ", "audit", "verify", store, "-f", form)
    if form == "json":
        assert json.loads(said)["where"] == "table:T1 version 4"
    else:
        assert said == ""


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            "UPDATE transfers SET amount_minor = amount_minor + 1 WHERE rowid_ = 3",
            "not those that were sealed",
        ),
        (
            "UPDATE view_rows SET value = CAST('[0,1]' AS BLOB) WHERE key = 'credit:bob'",
            "balances of credit:bob",
        ),
        ("DELETE FROM view_rows WHERE view = 'rounds' AND key LIKE 'T1%3'", "rounds of T1/0000000003"),
    ],
)
def test_other_faults_are_named_too(store: str, statement: str, said: str) -> None:
    """Transfers, balances and histories."""
    statement = statement.replace("rowid_ = 3", "id = (SELECT id FROM transfers ORDER BY id LIMIT 1)")
    spoil(store, statement)
    fails(1, said, "audit", "verify", store)


def test_an_answer_that_was_taken_away_is_missed(store: str) -> None:
    """Alone in its part of a commit or with others, as the desk had time: the part is missing, or altered."""
    spoil(store, "DELETE FROM answers WHERE id = 'c20'")
    result = run("audit", "verify", store)
    assert result.exit_code == 1
    assert re.search(r"fault: .*(is missing|not those that were sealed)", result.stderr), result.stderr


def test_a_forgers_markup_is_only_text(store: str) -> None:
    """What stands in a spoiled store cannot colour or hide the verdict."""
    said = "CAST('[red]all is well[/]' AS BLOB)"
    spoil(store, f"UPDATE view_rows SET value = {said} WHERE key = 'credit:bob'")
    fails(1, "found [red]all is well[/]", "audit", "verify", store)


def test_another_key_does_not_verify(store: str, tmp_path: Path) -> None:
    """The signature is the house's or it is none."""
    generate_key(tmp_path / "other.key")
    fails(1, "which is not trusted here", "audit", "verify", store, "--key", f"{tmp_path}/other.key.pub")
    both = ["--key", f"{tmp_path}/other.key.pub", "--key", f"{store}.key.pub"]
    ok("audit", "verify", store, *both)


def test_what_is_missing_or_no_record_is_said(store: str, tmp_path: Path) -> None:
    """Exit code 2 for a file that is not there, 5 for one that is something else."""
    gone = str(tmp_path / "gone.db")
    for arguments in (
        ("audit", "verify", gone, "--key", f"{store}.key.pub"),
        ("audit", "export", gone, "--key", f"{store}.key.pub", "--out", f"{tmp_path}/x"),
        ("audit", "witness", gone, "--to", f"{tmp_path}/w"),
        ("replay", gone, "--round", "T1/1"),
        ("ledger", "balance", gone),
        ("ledger", "statement", gone, "cash"),
        ("ledger", "report", gone, "tables"),
        ("rebuild", gone),
        ("backup", gone, "--out", f"{tmp_path}/y"),
    ):
        fails(2, f"there is no record at {gone}", *arguments)
    assert not Path(gone).exists()
    text = tmp_path / "text.db"
    text.write_text("not a database, but long enough to be looked at " * 40)
    fails(5, "text.db: file is not a database", "audit", "verify", str(text), "--key", f"{store}.key.pub")
    Path(f"{store}.key.pub").unlink()
    fails(2, "cannot read the key", "audit", "verify", store)
    fails(2, "expected a file, sqlite:///PATH or postgresql://", "audit", "verify", "mysql://x")


def test_a_witness_finds_a_record_that_was_cut_short(store: str, tmp_path: Path) -> None:
    """Without one, a clean cut shows nothing."""
    witness = str(tmp_path / "witness.jsonl")
    assert "kept 1 tip in" in run("audit", "witness", store, "--to", witness).stderr
    assert "a witness has seen 1 tip of it" in ok("audit", "verify", store, "--witness", witness)
    last = apsw.Connection(store).execute("SELECT max(number) FROM commits").get
    spoil(
        store,
        "DELETE FROM events WHERE (stream, version) IN "
        f"(SELECT stream, last_version FROM spans WHERE number = {last})",
        *(
            f"DELETE FROM {table} WHERE number = {last}"
            for table in ("commits", "spans", "transfers", "answers", "commands")
        ),
        "DELETE FROM view_rows",
        "DELETE FROM view_positions",
    )
    ok("audit", "verify", store)
    fails(1, f"commit main/{last}: a witness has seen it", "audit", "verify", store, "--witness", witness)
    (tmp_path / "bad").write_text("nonsense\n")
    fails(2, "bad line 1", "audit", "verify", store, "--witness", f"{tmp_path}/bad")
    fails(2, "cannot read the witness", "audit", "verify", store, "--witness", f"{tmp_path}/none")
    fails(2, "cannot write the witness", "audit", "witness", store, "--to", f"{tmp_path}/none/w")


def test_an_export_holds_every_commit_and_overwrites_nothing(store: str, tmp_path: Path) -> None:
    """A line for the format, a line for each commit, a line that counts them."""
    out = tmp_path / "house.jsonl"
    ok("audit", "export", store, "--out", str(out))
    lines = [json.loads(line) for line in out.read_bytes().splitlines()]
    assert [lines[0]["line"], lines[-1]["line"]] == ["journal", "end"]
    assert lines[-1]["commits"] == len(lines) - 2
    fails(2, "already there", "audit", "export", store, "--out", str(out))


# --- replay ----------------------------------------------------------------------------------------------


def test_a_round_is_told_again_with_clauses_and_reasons(store: str) -> None:
    """Every act with who did it, every bet with why, corrections of later included."""
    said = ok("replay", store, "--round", "T1/1")
    assert "T1/1, tai-sai-v6/2: concluded" in said
    assert said.count("ResultCorrected") == 2
    assert "Mei (dealer)" in said
    assert "dan on small: 500" in said
    timeline = json.loads(ok("replay", store, "--round", "T1/1", "--format", "json"))
    assert timeline["dice"] == [1, 2, 3]
    assert all(bet["why"] and bet["clauses"] for bet in timeline["bets"])
    for form in ("csv", "md"):
        rows = rows_of(form, ok("replay", store, "--round", "T1/1", "-f", form))
        assert any(row["by"] == "dan" and row["what"].startswith("dan on small: 500") for row in rows)
    other = ok("replay", store, "--round", "T1/1", "--language", "zh-Hant")
    assert other != said


def test_a_void_round_is_told_with_what_went_back(store: str) -> None:
    """The ground, the clause, and each player's money."""
    said = ok("replay", store, "--round", "T1/3")
    assert "T1/3, tai-sai-v6/2: void" in said
    assert "RoundVoided: ground too few tumbles" in said or "RoundVoided: ground too-few-tumbles" in said
    assert "ann on odd: 200 → 200" in said
    timeline = json.loads(ok("replay", store, "--round", "T1/3", "--format", "json"))
    assert [(bet["player"], bet["returned"]) for bet in timeline["bets"]] == [("ann", 200), ("bob", 200)]
    assert all(bet["clauses"] and bet["why"] for bet in timeline["bets"])
    rows = rows_of("csv", ok("replay", store, "--round", "T1/3", "-f", "csv"))
    assert any(row["by"] == "bob" and row["what"].startswith("bob on odd: 200 → 200") for row in rows)


def test_a_round_that_never_was_is_said(store: str) -> None:
    """Bad input, exit code 2."""
    fails(2, "the record has no round T1/99", "replay", store, "--round", "T1/99")
    fails(2, "expected a round such as T1/17", "replay", store, "--round", "T1")
    fails(2, "unknown language", "replay", store, "--round", "T1/1", "--language", "xx")


# --- ledger ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["csv", "md"])
def test_the_trial_balance_balances_in_every_format(store: str, form: str) -> None:
    """Debits equal credits, and the total is the last row."""
    rows = rows_of(form, ok("ledger", "balance", store, "-f", form))
    assert rows[-1]["account"] == "total"
    assert rows[-1]["debits_minor"] == rows[-1]["credits_minor"]
    whole = json.loads(ok("ledger", "balance", store, "-f", "json"))
    assert [row["account"] for row in whole] == [row["account"] for row in rows]
    only = json.loads(ok("ledger", "balance", store, "--account", "house:", "-f", "json"))
    assert {row["account"] for row in only} == {"house:C1", "house:T1"}
    assert "house:T1" in ok("ledger", "balance", store)


def test_a_statement_ends_with_the_balance(store: str) -> None:
    """Each transfer with what was there after it."""
    rows = json.loads(ok("ledger", "statement", store, "credit:bob", "-f", "json"))
    balances = {
        row["account"]: row["balance_minor"]
        for row in json.loads(ok("ledger", "balance", store, "-f", "json"))
    }
    assert rows[-1]["balance_minor"] == balances["credit:bob"]
    assert rows[0]["reason"] == "buy_in"
    for form in ("csv", "md", "table"):
        assert "2024-05-04T20:0" in ok("ledger", "statement", store, "credit:bob", "-f", form)
    fails(2, "unknown account", "ledger", "statement", store, "purse:bob")


def test_reports_say_what_tables_won_and_what_tickets_owe(store: str) -> None:
    """Exact fractions for hold, and the liability of tickets."""
    tables = {row["table"]: row for row in json.loads(ok("ledger", "report", store, "tables", "-f", "json"))}
    assert tables["T1"]["drop_minor"] == 80_000
    assert "/" in str(tables["T1"]["hold"])
    tickets = json.loads(ok("ledger", "report", store, "tickets", "-f", "json"))[0]
    assert tickets["issued_minor"] - tickets["redeemed_minor"] == tickets["outstanding_minor"] == 0
    for form in ("csv", "md", "table"):
        assert "handle" in ok("ledger", "report", store, "tables", "-f", form)


def test_books_that_do_not_add_up_are_a_fault(store: str) -> None:
    """Exit code 1, and which account."""
    spoil(store, "UPDATE transfers SET debit = 'credit:eve' WHERE reason = 'buy_in'")
    fails(1, "credit:eve would be below zero", "ledger", "balance", store)


def test_the_report_has_a_documented_form(store: str) -> None:
    """Programs rely on these names."""
    report = json.loads(ok("audit", "verify", store, "-f", "json"))
    assert set(report) == {"store", "sound", "record", "rounds", "tickets", "keys", "notes"}
    assert msgspec.json.encode(report["tickets"]) == b'{"issued":4,"ended":4,"outstanding_minor":0}'
