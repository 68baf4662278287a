"""One-time codes by time, against the vectors of RFC 6238 and RFC 4226."""

import base64
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taisai.adapters.people.totp import code_at, matching_step, new_secret, provisioning_uri, step_at
from taisai.errors import InputError

RFC_SECRET = base64.b32encode(b"12345678901234567890").decode()
NOW = datetime(2026, 3, 2, 12, 0, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "code"),
    [
        (59, "94287082"),
        (1111111109, "07081804"),
        (1111111111, "14050471"),
        (1234567890, "89005924"),
        (2000000000, "69279037"),
        (20000000000, "65353130"),
    ],
)
def test_codes_are_those_of_rfc_6238(seconds: int, code: str) -> None:
    """Appendix B, SHA-1, eight digits."""
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    assert code_at(RFC_SECRET, step_at(moment), digits=8) == code


def test_codes_are_those_of_rfc_4226() -> None:
    """Appendix D, six digits, counters 0 to 9."""
    expected = "755224 287082 359152 969429 338314 254676 287922 162583 399871 520489".split()
    assert [code_at(RFC_SECRET, counter) for counter in range(10)] == expected


@pytest.mark.parametrize(("off", "accepted"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_a_clock_may_be_off_by_one_step(off: int, accepted: bool) -> None:
    """The step before and the step after are right too, no other is."""
    step = step_at(NOW) + off
    assert matching_step(RFC_SECRET, code_at(RFC_SECRET, step), NOW) == (step if accepted else None)


def test_a_code_works_once() -> None:
    """Codes up to the last one used are refused."""
    step = step_at(NOW)
    code = code_at(RFC_SECRET, step)
    assert matching_step(RFC_SECRET, code, NOW, after=step - 1) == step
    assert matching_step(RFC_SECRET, code, NOW, after=step) is None


@given(code=st.text("0123456789 é", max_size=12))
def test_other_texts_are_no_codes(code: str) -> None:
    """Whatever is typed, only the codes of the window match."""
    step = step_at(NOW)
    right = {code_at(RFC_SECRET, each) for each in (step - 1, step, step + 1)}
    assert (matching_step(RFC_SECRET, code, NOW) is not None) == (code.replace(" ", "") in right)


def test_a_secret_is_random_and_can_be_scanned() -> None:
    """160 bits in base 32, and an address that apps understand."""

    class Zeros:
        def random_bytes(self, count: int) -> bytes:
            return bytes(count)

    secret = new_secret(Zeros())
    assert secret == "A" * 32
    uri = provisioning_uri(secret, "mia", "Play House")
    assert uri.startswith(f"otpauth://totp/Play%20House:mia?secret={secret}&issuer=Play%20House")


def test_a_time_without_zone_and_a_broken_secret_are_refused() -> None:
    """One clear line each."""
    with pytest.raises(InputError, match="with its zone"):
        step_at(NOW.replace(tzinfo=None))
    with pytest.raises(InputError, match="base 32"):
        code_at("not base 32!", 1)
