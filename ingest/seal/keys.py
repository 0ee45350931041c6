"""The signing keys of a house or a witness, as files, and how one key hands over to the next.

    <role>.pem         the private key, PKCS#8, mode 0400: nobody but its owner may read it
    <role>.vkey        the public key as vkey, the newest in the last line
    <role>.rotations   the notes by which each key names its successor

The role is `house` or `witness`. A rotation is a note with two signatures, of the old key and of
the new one. Whoever trusts the first key follows the notes to the newest.
"""

import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from ingest.disk import Disk
from ingest.seal import note
from ingest.seal.note import COSIGNS, SIGNS, NoteWrong, PublicKey, SignedNote

HOUSE, WITNESS = "house", "witness"
KINDS = {HOUSE: SIGNS, WITNESS: COSIGNS}
TRUSTED = {SIGNS: "houses.vkey", COSIGNS: "witnesses.vkey"}
PRIVATE_MODE = 0o400
ROTATION = "roundproof key rotation v1"


class NoKey(LookupError):
    """There is no signing key yet."""


class KeyUnsafe(Exception):
    """A private key that others may read, or a file in its place that is no key."""


class KeyExists(Exception):
    """There is a signing key already; it is replaced by a rotation only."""


class SigningKey(NamedTuple):
    """A key that can sign."""

    public: PublicKey
    private: Ed25519PrivateKey

    @property
    def name(self) -> str:
        """The name it signs under: of a house's key its origin."""
        return self.public.name

    def signed(self, text: str) -> SignedNote:
        """A text as a signed note."""
        return SignedNote(text, (note.sign(text, self.public, self.private),))

    def signature(self, body: bytes) -> bytes:
        """The plain Ed25519 signature of some bytes, as OpenSSL verifies it."""
        return self.private.sign(body)


def create(folder: Path, role: str, name: str) -> SigningKey:
    """Make the first key of a role; KeyExists where there is one."""
    note.require_name(name)
    if _private(folder, role).exists() or _public(folder, role).exists():
        raise KeyExists(f"{_private(folder, role)}: there is a key of the {role} already")
    Disk().make_folder(folder)
    made = _new(name, role)
    _write_public(folder, role, [made.public])
    _write_private(folder, role, made.private)
    return made


def load(folder: Path, role: str = HOUSE) -> SigningKey:
    """The key in force; KeyUnsafe unless its owner alone may read it."""
    path = _private(folder, role)
    try:
        mode = path.lstat()
        body = path.read_bytes()
    except FileNotFoundError as error:
        raise NoKey(f"{path}: a signing key expected, no file found") from error
    if not stat.S_ISREG(mode.st_mode) or mode.st_mode & 0o077 or mode.st_uid != os.geteuid():
        found = f"{stat.filemode(mode.st_mode)} of user {mode.st_uid}"
        raise KeyUnsafe(f"{path}: mode 0400 and its own user expected, {found} found")
    try:
        private = serialization.load_pem_private_key(body, None)
    except (ValueError, TypeError) as error:
        raise KeyUnsafe(f"{path}: a private key in PEM expected, other bytes found") from error
    if not isinstance(private, Ed25519PrivateKey):
        raise KeyUnsafe(f"{path}: an Ed25519 key expected, another kind found")
    return _matched(folder, role, private)


def public_keys(folder: Path, role: str = HOUSE) -> list[PublicKey]:
    """Every public key of a role, the first first."""
    try:
        lines = _public(folder, role).read_text("utf-8").splitlines()
    except FileNotFoundError as error:
        what = f"{_public(folder, role)}: a public key expected, no file found"
        raise NoKey(what) from error
    return [note.public_key(line) for line in lines]


def rotations(folder: Path, role: str = HOUSE) -> list[SignedNote]:
    """The notes of every rotation, the first first."""
    path = folder / f"{role}.rotations"
    text = path.read_text("utf-8") if path.exists() else ""
    return [note.parse(each) for each in _notes(text)]


def rotate(folder: Path, role: str, since: str = "") -> SignedNote:
    """Replace the key; the note in which the old key names the new one.

    The files are written so that a crash leaves the old key in force, or both keys known.
    """
    old = load(folder, role)
    new = _new(old.name, role)
    text = f"{ROTATION}\n{old.name}\nold {old.public.vkey}\nnew {new.public.vkey}\n{since}"
    plain = [key._replace(kind=SIGNS) for key in (old.public, new.public)]
    lines = (
        note.sign(text, plain[0], old.private),
        note.sign(text, plain[1], new.private),
    )
    made = SignedNote(text, lines)
    said = "\n".join(str(each) for each in (*rotations(folder, role), made))
    known = public_keys(folder, role)
    Disk().create(folder / f"{role}.rotations", said.encode())
    _write_public(folder, role, [*known, new.public])
    _write_private(folder, role, new.private)
    return made


def trusted(folder: Path, kind: int) -> list[PublicKey]:
    """The public keys of others that were entered as trusted: houses (01) or witnesses (04)."""
    path = folder / TRUSTED[kind]
    lines = path.read_text("utf-8").splitlines() if path.exists() else ()
    return [note.public_key(line) for line in lines if line.strip()]


def trust(folder: Path, key: PublicKey) -> None:
    """Enter the key of another house or witness as trusted."""
    known = trusted(folder, key.kind)
    if key not in known:
        Disk().make_folder(folder)
        lines = "".join(f"{each.vkey}\n" for each in (*known, key))
        Disk().create(folder / TRUSTED[key.kind], lines.encode())


def followed(trusted: PublicKey, notes: Iterable[SignedNote]) -> list[PublicKey]:
    """The trusted key and its successors; NoteWrong where a rotation is not signed by both."""
    found = [trusted]
    for each in notes:
        old, new = rotated(each)
        if old not in found:
            continue
        signs = [key._replace(kind=SIGNS) for key in (old, new)]
        if each.signers(signs) != signs:
            raise NoteWrong(f"the rotation of {old.name}: signatures of both keys expected")
        found.append(new)
    return found


def rotated(said: SignedNote) -> tuple[PublicKey, PublicKey]:
    """The old key and the new one that a rotation names."""
    lines = said.text.split("\n")
    if len(lines) < 5 or lines[0] != ROTATION:
        raise NoteWrong(f"a rotation of keys expected, {said.text[:40]!r} found")
    old, new = (
        note.public_key(line.removeprefix(word))
        for line, word in zip(lines[2:4], ("old ", "new "), strict=True)
    )
    if {old.name, new.name} != {lines[1]} or old.kind != new.kind:
        raise NoteWrong(f"two keys of {lines[1]!r} expected, {old.name} and {new.name} found")
    return old, new


def pem(key: PublicKey) -> str:
    """A public key in PEM, as OpenSSL reads it."""
    said = Ed25519PublicKey.from_public_bytes(key.key).public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return said.decode()


def _matched(folder: Path, role: str, private: Ed25519PrivateKey) -> SigningKey:
    """The private key with its public key from the list."""
    raw = private.public_key().public_bytes_raw()
    for known in reversed(public_keys(folder, role)):
        if known.key == raw:
            return SigningKey(known, private)
    raise KeyUnsafe(f"{_public(folder, role)}: the public key of {role}.pem expected, others found")


def _new(name: str, role: str) -> SigningKey:
    private = Ed25519PrivateKey.generate()
    public = PublicKey(name, KINDS[role], private.public_key().public_bytes_raw())
    return SigningKey(public, private)


def _private(folder: Path, role: str) -> Path:
    return folder / f"{role}.pem"


def _public(folder: Path, role: str) -> Path:
    return folder / f"{role}.vkey"


def _write_private(folder: Path, role: str, private: Ed25519PrivateKey) -> None:
    body = private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    Disk().create(_private(folder, role), body, PRIVATE_MODE)


def _write_public(folder: Path, role: str, found: Sequence[PublicKey]) -> None:
    lines = "".join(f"{key.vkey}\n" for key in found)
    Disk().create(_public(folder, role), lines.encode())


def _notes(text: str) -> Iterable[str]:
    """The notes of a file; each begins with the word of a rotation."""
    parts = text.split(f"{ROTATION}\n")
    return [f"{ROTATION}\n{part.rstrip()}\n" for part in parts[1:]]
