"""The contract of a place for signing keys: on files always, on SoftHSM by `make hsm`."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from taisai.adapters.clock import ManualClock
from taisai.adapters.signing.keys import PublicKeys, key_id, public_keys_in
from taisai.adapters.signing.modules import Token, read_address
from taisai.adapters.signing.places import KeyPlace, key_place, open_signer
from taisai.adapters.sqlite.store import SqliteStore
from taisai.errors import InputError
from taisai.record.verify import verify
from tests.hsm import MODULE_VARIABLE, make_token
from tests.record import START, slip

MEDIA = ["files", *(["softhsm"] if MODULE_VARIABLE in os.environ else [])]


@pytest.fixture(scope="session")
def token(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a token; a module looks for tokens once a process, so all tests share one."""
    return make_token(tmp_path_factory.mktemp("token"))


@pytest.fixture(params=MEDIA)
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    """Where the keys are kept: nothing but files, or a token that is empty."""
    if request.param == "files":
        yield ""
        return
    found: str = request.getfixturevalue("token")
    yield found
    Token(found).ask(lambda session: [each.destroy() for each in session.get_objects()])


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    folder = tmp_path / "keys"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture
def place(address: str, keys: Path) -> KeyPlace:
    return key_place(address, keys)


def test_a_key_is_made_once_and_found_again(address: str, keys: Path, place: KeyPlace) -> None:
    """Before the first there is none; a second of its name is refused; another opening finds the same."""
    assert place.current() is None
    made = place.make()
    with pytest.raises(InputError, match="already there"):
        place.make()
    assert open_signer(address, keys).key_id == made.key_id == key_id(made.public)
    assert len(made.public) == 32


def test_what_it_signs_is_verified_by_its_public_half_alone(place: KeyPlace) -> None:
    """The signature is Ed25519 over the bytes as they are, and over no others."""
    signer = place.make()
    ring = PublicKeys([signer.public])
    assert ring.verifies(signer.key_id, signer.sign(b"message"), b"message")
    assert not ring.verifies(signer.key_id, signer.sign(b"message"), b"massage")
    assert signer.sign(b"message") == signer.sign(b"message"), "Ed25519 has one signature for a message"


def test_the_public_half_is_shown_in_the_folder_of_keys(keys: Path, place: KeyPlace) -> None:
    """Whoever verifies finds it there, wherever the private half is."""
    signer = place.make()
    assert public_keys_in(keys).raw == {signer.key_id: signer.public}


def test_a_successor_waits_until_it_is_promoted(address: str, keys: Path, place: KeyPlace) -> None:
    """Asked for twice it is the same; then it is the key in use, and the one before is known by its half."""
    first = place.make()
    assert place.successor() is None
    waiting = place.make_successor()
    assert place.make_successor().key_id == waiting.key_id != first.key_id
    assert open_signer(address, keys).key_id == first.key_id
    assert place.promote().key_id == waiting.key_id
    again = key_place(address, keys)
    now = again.current()
    assert now is not None
    assert now.key_id == waiting.key_id
    assert again.successor() is None
    assert set(public_keys_in(keys).raw) == {first.key_id, waiting.key_id}
    assert PublicKeys([waiting.public]).verifies(waiting.key_id, now.sign(b"m"), b"m")


def test_nothing_is_promoted_where_nothing_waits(place: KeyPlace) -> None:
    """Neither before there is a key, nor without a successor."""
    with pytest.raises(InputError, match="no key waits"):
        place.promote()
    place.make()
    with pytest.raises(InputError, match="no key waits"):
        place.promote()


def test_two_names_are_two_keys(address: str, keys: Path) -> None:
    """A house signs its commits with one, and other things with others."""
    assert open_signer(address, keys, "signing").key_id != open_signer(address, keys, "log").key_id


async def test_a_record_is_signed_and_verified_with_it(tmp_path: Path, place: KeyPlace) -> None:
    """The store signs every commit with the key, wherever it is."""
    signer = place.make()
    store = await SqliteStore.open(
        tmp_path / "record.db", writer="main", signer=signer, clock=ManualClock(START)
    )
    for number in (1, 2, 3):
        await store.append(slip(number))
    async with store.snapshot() as snapshot:
        findings = await verify(snapshot, PublicKeys([signer.public]))
    await store.close()
    assert (findings.commits, findings.signatures) == (3, 1)


def test_a_promotion_that_was_cut_short_is_finished_by_the_next_look(keys: Path) -> None:
    """The private halves changed places and the process died: the public ones follow."""
    place = key_place("", keys)
    first, waiting = place.make(), place.make_successor()
    (keys / f"signing-{first.key_id[:16]}.pub").write_bytes((keys / "signing.pem.pub").read_bytes())
    (keys / "signing.next.pem").replace(keys / "signing.pem")
    now = key_place("", keys).current()
    assert now is not None
    assert now.key_id == waiting.key_id
    assert set(public_keys_in(keys).raw) == {first.key_id, waiting.key_id}
    assert not (keys / "signing.next.pem.pub").exists()


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("hsm:1", "expected an address such as pkcs11:token=LABEL"),
        ("pkcs11:token=a", "expected an address such as pkcs11:token=LABEL"),
        ("pkcs11:token=a?module-path=m&pin-value=1", "a PIN does not belong in the settings"),
        ("pkcs11:token=a;slot=1?module-path=m&pin-source=p", "unknown slot"),
    ],
)
def test_an_address_that_names_no_place_is_refused(address: str, said: str, keys: Path) -> None:
    """In one line that says how one looks."""
    with pytest.raises(InputError, match=said):
        key_place(address, keys)


def test_an_address_is_read_as_it_is_written() -> None:
    """Labels may carry escapes, and the PIN's file may be named as a file address."""
    read = read_address("pkcs11:token=my%20house?module-path=/lib/m.so&pin-source=file:/etc/pin")
    assert read == ("my house", "/lib/m.so", Path("/etc/pin"))


def test_a_pin_that_others_can_read_is_refused(tmp_path: Path, keys: Path) -> None:
    """Before any module is asked."""
    pin = tmp_path / "pin"
    pin.write_text("1", encoding="ascii")
    pin.chmod(0o644)
    with pytest.raises(InputError, match="can be read by others"):
        key_place(f"pkcs11:token=t?module-path=m&pin-source={pin}", keys)
