"""Password hashes and sealed secrets."""

from pathlib import Path

import pytest
from argon2 import PasswordHasher

from taisai.adapters.people.passwords import PASSWORD_LEN_MAX, Passwords, one_time_password
from taisai.adapters.sealing import Sealer, load_or_make_secret
from taisai.errors import InputError

SEALER = Sealer(b"k" * 32)
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


def passwords() -> Passwords:
    return Passwords(SEALER, QUICK)


def test_a_password_is_right_for_its_name_only() -> None:
    """A hash moved to another name is of no use."""
    kept = passwords().hash("mia", "correct horse battery")
    assert passwords().verify("mia", kept, "correct horse battery")
    assert not passwords().verify("mia", kept, "correct horse batter")
    with pytest.raises(InputError, match="password of dora"):
        passwords().verify("dora", kept, "correct horse battery")


def test_what_is_kept_shows_neither_password_nor_hash() -> None:
    """The record holds a sealed hash, different each time."""
    first, second = (passwords().hash("mia", "correct horse battery") for _ in range(2))
    assert first != second
    assert "argon2" not in first
    assert first.startswith("sealed1:")


def test_a_name_that_nobody_has_is_never_right_and_costs_a_hash() -> None:
    """The same work is done, so that the time taken tells nothing."""
    verified = []

    class Counting(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> bool:
            verified.append(password)
            return super().verify(hash, password)

    some = Passwords(SEALER, Counting(time_cost=1, memory_cost=8, parallelism=1))
    assert not some.verify("nobody", None, "anything")
    assert len(verified) == 1


def test_signs_of_several_forms_are_one_password() -> None:
    """Full-width and composed letters match their plain forms."""
    kept = passwords().hash("mia", "ｐａｓｓ e\u0301lan vital")
    assert passwords().verify("mia", kept, "pass élan vital")


def test_a_password_has_a_longest_length() -> None:
    """Nobody can make the server hash a book."""
    with pytest.raises(InputError, match=f"at most {PASSWORD_LEN_MAX}"):
        passwords().hash("mia", "x" * (PASSWORD_LEN_MAX + 1))
    assert not passwords().verify("mia", passwords().hash("mia", "y" * 20), "x" * 1_000_000)


def test_hashes_of_other_settings_are_due_for_renewal() -> None:
    """Stronger settings are noticed at the next login."""
    kept = passwords().hash("mia", "correct horse battery")
    assert not passwords().needs_rehash("mia", kept)
    stronger = Passwords(SEALER, PasswordHasher(time_cost=2, memory_cost=16, parallelism=1))
    assert stronger.needs_rehash("mia", kept)


def test_the_facts_of_a_password_say_what_the_policy_asks() -> None:
    """Length, different signs, the name in it, and whether it was used before."""
    used = passwords().hash("mia", "correct horse battery")
    facts = passwords().facts("mia", "correct horse battery", [used])
    assert (facts.length, facts.signs, facts.holds_name, facts.reused) == (21, 11, False, True)
    assert passwords().facts("mia", "xXMIAXx-and-more", [used]).holds_name


def test_one_time_passwords_differ_and_satisfy_the_policy() -> None:
    """They are printed once, so they must be readable."""
    some = {one_time_password() for _ in range(100)}
    assert len(some) == 100
    assert all(len(each) == 23 and len(set(each)) >= 5 for each in some)


def test_a_sealed_secret_opens_only_unaltered_with_its_key_and_about_its_thing() -> None:
    """Every altered sign is noticed."""
    sealed = SEALER.seal("secret", about="totp of mia")
    assert SEALER.open(sealed, about="totp of mia") == "secret"
    for place in range(len("sealed1:"), len(sealed), 7):
        altered = sealed[:place] + ("A" if sealed[place] != "A" else "B") + sealed[place + 1 :]
        with pytest.raises(InputError):
            SEALER.open(altered, about="totp of mia")
    with pytest.raises(InputError):
        Sealer(b"o" * 32).open(sealed, about="totp of mia")
    with pytest.raises(InputError):
        SEALER.open(sealed, about="totp of dora")
    with pytest.raises(InputError, match="32 bytes"):
        Sealer(b"short")


def test_a_secret_file_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    """The same bytes the next time; a file that others can read is refused."""
    path = tmp_path / "seal.key"
    made = load_or_make_secret(path)
    assert (len(made), path.stat().st_mode & 0o777) == (32, 0o600)
    assert load_or_make_secret(path) == made
    path.chmod(0o644)
    with pytest.raises(InputError, match="read by others"):
        load_or_make_secret(path)
    path.chmod(0o600)
    path.write_bytes(b"short")
    with pytest.raises(InputError, match="expected 32 bytes"):
        load_or_make_secret(path)
    with pytest.raises(InputError, match="cannot write"):
        load_or_make_secret(tmp_path / "nowhere" / "key")
