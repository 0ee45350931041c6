"""A witness: it cosigns a house's checkpoint once it saw that the log only grew.

https://c2sp.org/tlog-witness. The house sends the size that the witness cosigned last, a proof of
consistency from there, and its new checkpoint. The witness keeps one checkpoint of each house, in a
file that is on disk before the answer leaves. A checkpoint that the house signed and that does not
extend the kept one proves that the house has two histories: the witness refuses it and keeps it.
"""

import fcntl
import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

from ingest.disk import FILE_MODE, Disk
from ingest.seal import checkpoint, note, tree
from ingest.seal.checkpoint import HeadWrong, TreeHead
from ingest.seal.keys import SigningKey
from ingest.seal.note import NoteWrong, PublicKey, SignedNote

MAX_REQUEST = 1 << 16  # bytes
MAX_HASHES = 63
MAX_FORKS = 1_000  # files of refused checkpoints that are kept
SIZE_TYPE, TEXT_TYPE = "text/x.tlog.size", "text/plain; charset=utf-8"
_OLD = re.compile(r"old (0|[1-9][0-9]{0,18})")


class CosignRequest(NamedTuple):
    """What a house asks a witness."""

    old: int
    path: tuple[bytes, ...]
    note: SignedNote
    head: TreeHead


class WitnessAnswer(NamedTuple):
    """An HTTP status and its body: signature lines, a size, or what is wrong."""

    status: HTTPStatus
    text: str
    kind: str = TEXT_TYPE


class Witness:
    """A witness with its key, the keys of the houses it knows, and its folder."""

    def __init__(self, folder: Path, key: SigningKey, houses: Sequence[PublicKey]) -> None:
        self._folder, self._key, self._houses = folder, key, houses
        self._disk = Disk()
        self._disk.make_folder(folder)

    def add_checkpoint(self, body: bytes, seconds: int) -> WitnessAnswer:
        """The answer to a request at a POSIX time; what it cosigns is on disk already."""
        try:
            asked = parse_request(body)
        except (NoteWrong, HeadWrong, ValueError) as error:
            return _refused(HTTPStatus.BAD_REQUEST, str(error))
        known = [key for key in self._houses if key.name == asked.head.origin]
        if not known:
            return _refused(HTTPStatus.NOT_FOUND, f"the house {asked.head.origin} is not known")
        try:
            signed = asked.note.signers(known)
        except NoteWrong:
            signed = []
        if not signed:
            what = "no signature of a known key of the house"
            return _refused(HTTPStatus.FORBIDDEN, what)
        if asked.old > asked.head.size:
            what = f"old size {asked.old}: at most {asked.head.size} expected"
            return _refused(HTTPStatus.BAD_REQUEST, what)
        with self._alone():
            return self._judged(asked, seconds)

    def latest(self, origin: str) -> SignedNote | None:
        """The checkpoint that was cosigned last for a house."""
        path = self._path(origin)
        return note.parse(path.read_text("utf-8")) if path.exists() else None

    def _judged(self, asked: CosignRequest, seconds: int) -> WitnessAnswer:
        kept = self.latest(asked.head.origin)
        last = checkpoint.parse(kept.text) if kept else TreeHead("", 0, tree.EMPTY_ROOT)
        if asked.old != last.size:
            return WitnessAnswer(HTTPStatus.CONFLICT, f"{last.size}\n", SIZE_TYPE)
        if asked.head.size == last.size and asked.head.root != last.root:
            self._keep_fork(asked)
            return _refused(HTTPStatus.CONFLICT, f"size {last.size} was cosigned with another root")
        try:
            sizes = last.size, last.root, asked.head.size, asked.head.root
            tree.require_consistent(*sizes, asked.path)
        except tree.ProofWrong as error:
            self._keep_fork(asked)
            return _refused(HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
        line = note.cosign(asked.note.text, self._key.public, self._key.private, seconds)
        signed = asked.note.with_signatures([line])
        self._disk.create(self._path(asked.head.origin), str(signed).encode())
        return WitnessAnswer(HTTPStatus.OK, line.line)

    def _keep_fork(self, asked: CosignRequest) -> None:
        """Keep a refused checkpoint: the house's own signature proves its second history."""
        folder = self._folder / "forks"
        self._disk.make_folder(folder)
        name = hashlib.sha256(str(asked.note).encode()).hexdigest()[:16]
        if sum(1 for _ in folder.iterdir()) < MAX_FORKS:
            self._disk.create(folder / f"{asked.head.size}-{name}.note", str(asked.note).encode())

    def _path(self, origin: str) -> Path:
        return self._folder / f"{hashlib.sha256(origin.encode()).hexdigest()[:16]}.note"

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Compare and write without another request between, in this process or another."""
        handle = os.open(self._folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


def parse_request(body: bytes) -> CosignRequest:
    """The parts of a request; NoteWrong, HeadWrong or ValueError where it is none."""
    if len(body) > MAX_REQUEST:
        raise NoteWrong(f"at most {MAX_REQUEST} bytes expected, {len(body)} found")
    proof, empty, said = body.decode("utf-8").partition("\n\n")
    first, *lines = proof.split("\n")
    old = _OLD.fullmatch(first)
    if not old or not empty or len(lines) > MAX_HASHES:
        raise NoteWrong("old size, hashes, an empty line and a checkpoint expected")
    signed = note.parse(said)
    path = tuple(checkpoint.decode_hash(line) for line in lines)
    return CosignRequest(int(old[1]), path, signed, checkpoint.parse(signed.text))


def _refused(status: HTTPStatus, what: str) -> WitnessAnswer:
    return WitnessAnswer(status, f"{what}\n")
