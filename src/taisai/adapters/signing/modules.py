"""Signing keys inside a security module, spoken to by PKCS#11: the private half never leaves it.

The module's token and PIN come from the address; labels on the token play the part of file names.
"""

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import parse_qsl, unquote

from taisai.adapters.sealing import load_secret_text
from taisai.adapters.signing.keys import key_id, public_pem
from taisai.adapters.signing.places import SIGNING, retired_public
from taisai.errors import InputError, StoreUnavailable

if TYPE_CHECKING:
    import pkcs11

# The name of the curve as PKCS#11 3.0 writes it, a printable string in DER.
_EDWARDS25519: Final = b"\x13\x0cedwards25519"
_PUBLIC_LEN: Final = 32
_EXAMPLE: Final = "pkcs11:token=LABEL?module-path=FILE&pin-source=FILE"

_T = TypeVar("_T")


def read_address(address: str) -> tuple[str, str, Path]:
    """Token, module and the file of the PIN from an address; a PIN inside the address is refused."""
    path, _, query = address.removeprefix("pkcs11:").partition("?")
    named = {name: unquote(value) for name, _, value in (part.partition("=") for part in path.split(";"))}
    asked = dict(parse_qsl(query))
    if "pin-value" in asked:
        raise InputError("a PIN does not belong in the settings: give pin-source=FILE")
    unknown = sorted({*named, *asked} - {"token", "module-path", "pin-source"} - {""})
    if unknown or not (named.get("token") and asked.get("module-path") and asked.get("pin-source")):
        said = f"unknown {', '.join(unknown)}" if unknown else repr(address)
        raise InputError(f"expected an address such as {_EXAMPLE}, got {said}")
    return named["token"], asked["module-path"], Path(asked["pin-source"].removeprefix("file:"))


class Token:
    """One token of a module, with its session; a session that was lost is opened again."""

    def __init__(self, address: str) -> None:
        self.label, self._module, pin_file = read_address(address)
        self._pin = load_secret_text(pin_file)
        self._session: pkcs11.Session | None = None
        self._lock = Lock()

    def ask(self, work: "Callable[[pkcs11.Session], _T]") -> _T:
        """Do something on the token; whatever its module reports is said as what it is."""
        pkcs11 = _library()
        with self._lock:
            try:
                if self._session is None:
                    self._session = self._opened(pkcs11)
                return work(self._session)
            except (pkcs11.PKCS11Error, RuntimeError) as error:
                self._session = None
                said = str(error) or type(error).__name__
                raise StoreUnavailable(f"the security module {self.label} does not sign: {said}") from error

    def _opened(self, pkcs11: Any) -> Any:
        try:
            token = pkcs11.lib(self._module).get_token(token_label=self.label)
        except pkcs11.NoSuchToken:
            raise InputError(f"the module {self._module} has no token {self.label!r}") from None
        try:
            session: Any = token.open(rw=True, user_pin=self._pin)
        except pkcs11.UserAlreadyLoggedIn:  # a session of this process is open; the login holds for all
            session = token.open(rw=True)
        except (pkcs11.PinIncorrect, pkcs11.PinLenRange, pkcs11.PinLocked) as error:
            raise InputError(f"the token {self.label} refuses the PIN: {type(error).__name__}") from None
        return session


def _library() -> Any:
    try:
        import pkcs11
    except ImportError:
        raise InputError("a security module needs the extra taisai[hsm]; it is not installed") from None
    return pkcs11


class ModuleSigner:
    """A key on a token."""

    def __init__(self, token: Token, label: str, public: bytes) -> None:
        self._token, self._label = token, label
        self._public = public
        self._id = key_id(public)

    @property
    def public(self) -> bytes:
        return self._public

    @property
    def key_id(self) -> str:
        return self._id

    def sign(self, message: bytes) -> bytes:
        def signed(session: "pkcs11.Session") -> bytes:
            pkcs11 = _library()
            key: Any = session.get_key(object_class=pkcs11.ObjectClass.PRIVATE_KEY, label=self._label)
            return bytes(key.sign(message, mechanism=pkcs11.Mechanism.EDDSA))

        return self._token.ask(signed)


class ModuleKeys:
    """The key labelled `NAME` on a token, and `NAME.next`, which waits to take over."""

    def __init__(self, address: str, keys: Path, name: str = SIGNING) -> None:
        self._token = Token(address)
        self._keys, self._name = keys, name
        self._next = f"{name}.next"

    @property
    def where(self) -> str:
        return f"token {self._token.label}, {self._name}"

    def current(self) -> ModuleSigner | None:
        self._finish_promotion()
        return self._found(self._name)

    def make(self) -> ModuleSigner:
        if self._found(self._name) is not None:
            raise InputError(f"{self.where} is already there; a key is never overwritten")
        made = self._made(self._name)
        self._show(made)
        return made

    def successor(self) -> ModuleSigner | None:
        return self._found(self._next)

    def make_successor(self) -> ModuleSigner:
        return self.successor() or self._made(self._next)

    def promote(self) -> ModuleSigner:
        before, after = self.current(), self.successor()
        if before is None or after is None:
            raise InputError(f"no key waits to take over from {self.where}")
        retired_public(self._keys, self._name, before.key_id).write_bytes(public_pem(before.public))
        self._forget(self._name)
        self._finish_promotion()
        return ModuleSigner(self._token, self._name, after.public)

    def _finish_promotion(self) -> None:
        """A process that died after the old key was destroyed left the new one under its waiting name."""
        waiting = self._found(self._next)
        if waiting is not None and self._found(self._name) is None:
            self._rename(self._next, self._name)
            self._show(waiting)

    def _show(self, key: ModuleSigner) -> None:
        (self._keys / f"{self._name}.pem.pub").write_bytes(public_pem(key.public))

    def _objects(self, session: "pkcs11.Session", label: str) -> list[Any]:
        return list(session.get_objects({_library().Attribute.LABEL: label}))

    def _found(self, label: str) -> ModuleSigner | None:
        def look(session: "pkcs11.Session") -> bytes | None:
            pkcs11 = _library()
            for each in self._objects(session, label):
                if each[pkcs11.Attribute.CLASS] == pkcs11.ObjectClass.PUBLIC_KEY:
                    return bytes(each[pkcs11.Attribute.EC_POINT])[-_PUBLIC_LEN:]
            return None

        public = self._token.ask(look)
        return None if public is None else ModuleSigner(self._token, label, public)

    def _made(self, label: str) -> ModuleSigner:
        def make(session: "pkcs11.Session") -> bytes:
            pkcs11 = _library()
            parameters = session.create_domain_parameters(
                pkcs11.KeyType.EC_EDWARDS, {pkcs11.Attribute.EC_PARAMS: _EDWARDS25519}, local=True
            )
            public, _ = parameters.generate_keypair(
                mechanism=pkcs11.Mechanism.EC_EDWARDS_KEY_PAIR_GEN, store=True, label=label
            )
            return bytes(public[pkcs11.Attribute.EC_POINT])[-_PUBLIC_LEN:]

        return ModuleSigner(self._token, label, self._token.ask(make))

    def _rename(self, before: str, after: str) -> None:
        def rename(session: "pkcs11.Session") -> None:
            for each in self._objects(session, before):
                each[_library().Attribute.LABEL] = after

        self._token.ask(rename)

    def _forget(self, label: str) -> None:
        def destroy(session: "pkcs11.Session") -> None:
            for each in self._objects(session, label):
                each.destroy()

        self._token.ask(destroy)
