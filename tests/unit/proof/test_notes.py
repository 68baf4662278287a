"""Signed notes against the values of C2SP and of the design."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from taisai.adapters.signing.keys import SigningKey, verifies_raw
from taisai.errors import InputError
from taisai.proof.notes import (
    COSIGNATURE,
    LogCheckpoint,
    SignedNote,
    cosignature,
    cosigners,
    is_signed,
    note_key,
    read_checkpoint,
    read_key,
    read_note,
    signed,
    with_lines,
)

EXAMPLE_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
EXAMPLE = (
    "This is an example message.\n\n\u2014 example.com/foo "
    "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
)
HOUSE = SigningKey(Ed25519PrivateKey.from_private_bytes(b"\x01" * 32))
WITNESS = SigningKey(Ed25519PrivateKey.from_private_bytes(b"\x02" * 32))
HOUSE_KEY = note_key("house.example/taisai", HOUSE.public)
WITNESS_KEY = note_key("witness.example/w1", WITNESS.public, COSIGNATURE)
ROOT = bytes.fromhex("5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328")
COSIGNED = """house.example/taisai
8
XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=

\u2014 house.example/taisai 9xS/F0V20mC+Eo3wjduA2WxNt37h77I0wz6TShsJmwbNoZBH/ZORES/UHsdmUC1qYgG/6ENukVqzWQPf8B0sM5gRxQk=
\u2014 witness.example/w1 3xwKNQAAAABpVbkAw11YbrgMThKJlDyYLmwf+/TvmKNTTDioIt8Dk2zaNBwVmYVY0yOYEmgB+M2FYDXh2ngWUEYU7it8r6te9WnMBg==
"""  # noqa: E501 - as long as they are


def test_the_example_of_c2sp() -> None:
    """Its key and its signature are good, and every other text is not."""
    key = read_key(EXAMPLE_KEY)
    assert str(key) == EXAMPLE_KEY
    note = read_note(EXAMPLE)
    assert is_signed(note, key, verifies_raw)
    assert not is_signed(SignedNote("This is another message.\n", note.lines), key, verifies_raw)


def test_the_checkpoint_of_the_design_byte_for_byte() -> None:
    """Signed by the house and cosigned by the witness."""
    checkpoint = LogCheckpoint("house.example/taisai", 8, ROOT)
    note = signed(checkpoint, HOUSE_KEY, HOUSE.sign)
    line = cosignature(note.text, 1_767_225_600, WITNESS_KEY, WITNESS.sign)
    assert str(with_lines(note, [line])) == COSIGNED
    assert str(WITNESS_KEY) == "witness.example/w1+df1c0a35+BIE5dw6ofRdfVqNUZsNMfszLjYqRtO43ol32D1uPybOU"
    read = read_note(COSIGNED)
    assert read_checkpoint(read.text) == checkpoint
    assert cosigners(read, [WITNESS_KEY], verifies_raw) == [("witness.example/w1", 1_767_225_600)]


def test_a_bad_line_of_a_known_witness_rejects_all() -> None:
    """Of an unknown one it says nothing."""
    spoiled = read_note(COSIGNED)._replace(text=COSIGNED.partition("\n\n")[0].replace("8", "9") + "\n")
    assert cosigners(spoiled, [WITNESS_KEY], verifies_raw) is None
    assert cosigners(spoiled, [], verifies_raw) == []


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "text",
        "text\n\n",
        "text\n\n- name AAAA\n",
        EXAMPLE[:-1],
        EXAMPLE.replace("\n", "\r\n"),
        "\ufeff" + EXAMPLE,
        EXAMPLE.replace("aQM=", "aQN="),
        "x" * 20_000 + EXAMPLE,
    ],
)
def test_what_is_no_note_is_refused(wrong: str) -> None:
    """In one spelling only."""
    with pytest.raises(InputError):
        read_note(wrong)


@pytest.mark.parametrize("size", ["01", "-1", "1.0", "", "9007199254740992", "1e3"])
def test_a_size_is_spelled_one_way(size: str) -> None:
    """And is never above what every language can count."""
    with pytest.raises(InputError):
        read_checkpoint(f"house\n{size}\nXcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=\n")


@pytest.mark.parametrize("public", ["00" * 32, "01" + "00" * 31, "ec" + "ff" * 30 + "7f", "ed" + "ff" * 31])
def test_a_key_of_small_order_proves_nothing(public: str) -> None:
    """Anybody could sign with it, so that no library decides."""
    with pytest.raises(InputError, match="proves"):
        note_key("house", bytes.fromhex(public))


def test_a_key_that_does_not_fit_its_hash_is_refused() -> None:
    """A key that was mistyped is not taken for another."""
    with pytest.raises(InputError, match="hash"):
        read_key(EXAMPLE_KEY.replace("530d903a", "530d903b"))
    with pytest.raises(InputError, match="NAME"):
        read_key("nonsense")
