"""Signed notes (c2sp.org/signed-note): text, an empty line, and a signature in each line after it.

    hoiana.example/log
    3055
    CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

    — hoiana.example/log Az3grlgtzPICa5OS8npVmf1Myq/5IZni…

A public key is written as *vkey*: name, key id in hex and base64 of type and key, joined by `+`.
Type 01 signs the text; type 04 is a witness's cosignature (c2sp.org/tlog-cosignature), which signs
a time before the text.
"""

import base64
import binascii
import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

SIGNS, COSIGNS = 1, 4  # types of Ed25519 keys
DASH = "— "
MAX_NOTE = 1 << 20  # bytes
MAX_SIGNATURES = 100
KEY_SIZE, SIGNATURE_SIZE, ID_SIZE, TIME_SIZE = 32, 64, 4, 8


class NoteWrong(ValueError):
    """A text is no signed note, or no known key signed it."""


class PublicKey(NamedTuple):
    """A public key of a house or of a witness, with the name it signs under."""

    name: str
    kind: int
    key: bytes

    @property
    def id(self) -> bytes:
        """The key id: four bytes that begin each signature."""
        said = self.name.encode() + b"\n" + bytes([self.kind]) + self.key
        return hashlib.sha256(said).digest()[:ID_SIZE]

    @property
    def vkey(self) -> str:
        """The key as text."""
        said = base64.b64encode(bytes([self.kind]) + self.key).decode()
        return f"{self.name}+{self.id.hex()}+{said}"


class NoteSignature(NamedTuple):
    """One signature line."""

    name: str
    key_id: bytes
    signature: bytes

    @property
    def line(self) -> str:
        """The line with its end."""
        return f"{DASH}{self.name} {base64.b64encode(self.key_id + self.signature).decode()}\n"


class SignedNote(NamedTuple):
    """A text and its signatures, not yet verified."""

    text: str
    signatures: tuple[NoteSignature, ...]

    def __str__(self) -> str:
        return self.text + "\n" + "".join(each.line for each in self.signatures)

    def signers(self, keys: Iterable[PublicKey]) -> list[PublicKey]:
        """The keys that signed; NoteWrong where a signature of one of them does not verify."""
        known = {(key.name, key.id): key for key in keys}
        found: list[PublicKey] = []
        for each in self.signatures:
            key = known.get((each.name, each.key_id))
            if key and key not in found:
                require_signature(key, self.text, each.signature)
                found.append(key)
        return found

    def with_signatures(self, more: Iterable[NoteSignature]) -> "SignedNote":
        """The note with further signatures; a key's newer line replaces its older one."""
        lines = {(each.name, each.key_id): each for each in (*self.signatures, *more)}
        return SignedNote(self.text, tuple(lines.values()))


def public_key(vkey: str) -> PublicKey:
    """The key that a vkey names; NoteWrong where it is none."""
    name, key_id, said = ([*vkey.strip().split("+", 2), "", ""])[:3]
    body = _decoded(said, f"key {vkey.strip()[:60]!r}")
    if len(body) != KEY_SIZE + 1 or body[0] not in (SIGNS, COSIGNS):
        raise NoteWrong(f"key {vkey.strip()[:60]!r}: name+id+key of an Ed25519 key expected")
    found = PublicKey(name, body[0], body[1:])
    require_name(name)
    if found.id.hex() != key_id:
        raise NoteWrong(f"key {name}: id {found.id.hex()} expected, {key_id} found")
    return found


def require_name(name: str) -> None:
    """Raise NoteWrong unless a name can stand in a signature line."""
    if not name or "+" in name or any(each.isspace() or not each.isprintable() for each in name):
        raise NoteWrong(f"{name!r}: a name without spaces and + expected, as hoiana.example/log")


def parse(note: str) -> SignedNote:
    """The text and the signatures of a note; NoteWrong where it is none."""
    text, empty, lines = note.rpartition("\n\n")
    bad = any(each < " " and each != "\n" for each in note)
    if not empty or bad or len(note) > MAX_NOTE or not lines.endswith("\n"):
        raise NoteWrong("text, an empty line and signature lines expected, other text found")
    signatures = tuple(_signature(line) for line in lines.removesuffix("\n").split("\n"))
    if len(signatures) > MAX_SIGNATURES:
        raise NoteWrong(f"at most {MAX_SIGNATURES} signatures expected")
    return SignedNote(text + "\n", signatures)


def signatures(lines: str) -> tuple[NoteSignature, ...]:
    """The signatures of some lines, as a witness sends them."""
    return tuple(_signature(line) for line in lines.removesuffix("\n").split("\n"))


def sign(text: str, public: PublicKey, private: Ed25519PrivateKey) -> NoteSignature:
    """The signature of a text by a key of type 01."""
    return NoteSignature(public.name, public.id, private.sign(text.encode()))


def cosign(text: str, public: PublicKey, private: Ed25519PrivateKey, seconds: int) -> NoteSignature:
    """The cosignature of a checkpoint's text by a key of type 04, at a POSIX time."""
    said = seconds.to_bytes(TIME_SIZE, "big") + private.sign(_cosigned(text, seconds))
    return NoteSignature(public.name, public.id, said)


def cosigned_at(signature: bytes) -> int:
    """The POSIX time of a cosignature."""
    return int.from_bytes(signature[:TIME_SIZE], "big")


def require_signature(key: PublicKey, text: str, signature: bytes) -> None:
    """Raise NoteWrong unless the key signed the text."""
    said = text.encode()
    if key.kind == COSIGNS:
        said, signature = _cosigned(text, cosigned_at(signature)), signature[TIME_SIZE:]
    try:
        Ed25519PublicKey.from_public_bytes(key.key).verify(signature, said)
    except InvalidSignature as error:
        raise NoteWrong(f"the signature of {key.name}+{key.id.hex()} does not fit") from error


def _cosigned(text: str, seconds: int) -> bytes:
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


def _signature(line: str) -> NoteSignature:
    name, _, said = line.removeprefix(DASH).partition(" ")
    body = _decoded(said, "signature line")
    if not line.startswith(DASH) or not name or len(body) <= ID_SIZE:
        raise NoteWrong(f"a signature line expected, {line[:40]!r} found")
    return NoteSignature(name, body[:ID_SIZE], body[ID_SIZE:])


def _decoded(said: str, where: str) -> bytes:
    """Base64 in its one canonical form."""
    try:
        body = base64.b64decode(said, validate=True)
    except (binascii.Error, ValueError) as error:
        raise NoteWrong(f"{where}: base64 expected, {said[:40]!r} found") from error
    if base64.b64encode(body).decode() != said:
        raise NoteWrong(f"{where}: base64 in canonical form expected, {said[:40]!r} found")
    return body
