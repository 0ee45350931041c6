"""The seal of a house: its keys, sealing its log, and the sealed house for proofs."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from ingest.archive.store import ArchiveLog, IndexedArchive
from ingest.local.log import RECORD_OF, LocalLog
from ingest.local.resumed import ResumedLog
from ingest.log import CHECKPOINTS, EVENTS, HOUSE, Lane, LogReader
from ingest.seal import keys, note
from ingest.seal.ask_witness import Ask, cosignatures, known_signatures
from ingest.seal.house import STATE, SealedHouse
from ingest.seal.keys import SigningKey
from ingest.seal.note import COSIGNS, NoteSignature
from ingest.seal.proof import NotSealed, Proofs
from ingest.seal.sealing import Sealer, Sealing

# Every stream is sealed but the seal itself.
SEALED_STREAMS = tuple(stream for stream in RECORD_OF if stream != CHECKPOINTS)


def sealed(home: Path) -> SealedHouse:
    """What was sealed of a house so far, for reading."""
    return SealedHouse(home / "seal", LocalLog(home / "log"))


def proofs(home: Path, at: int | None = None) -> Proofs:
    """Proofs at a checkpoint of the house, by default the newest."""
    return Proofs(sealed(home), at)


def key_folder(home: Path) -> Path:
    """Where a house keeps its keys."""
    return home / "keys"


def signing_key(home: Path) -> SigningKey:
    """The key that the house signs with."""
    return keys.load(key_folder(home))


def seal_now(home: Path, now: int) -> Sealing:
    """Seal everything that the house's log holds; it reads what is new and one record before."""
    key = signing_key(home)
    with LocalLog(home / "log", (CHECKPOINTS,)) as log:
        sealer = Sealer(home / "seal", log, key)
        source = ResumedLog(log, home / "seal" / "places.json")
        done = sealer.seal(source, list(lanes(log)), now)
        if done.damaged:  # perhaps only the remembered place is wrong
            for lane in done.damaged:
                source.forget(lane)
            again = sealer.seal(source, list(done.damaged), now)
            done = Sealing(again.head, {**done.grown, **again.grown}, again.damaged)
        source.save()
        return done


def seal_archive(home: Path, now: int) -> Sealing:
    """Seal what the house's archive holds beyond what was sealed."""
    key, source = signing_key(home), IndexedArchive(home / "archive")
    with LocalLog(home / "log", (CHECKPOINTS,)) as log:
        sealer = Sealer(home / "seal", log, key)
        return sealer.seal(source, list(lanes(source)), now, lags=True)


def cosign_now(home: Path, ask: Ask, now: int) -> str:
    """Ask a witness for its signature of the newest checkpoint, and keep it; the note with it."""
    known = keys.trusted(key_folder(home), COSIGNS)
    text, found = cosignatures(sealed(home), known, ask)
    return _added(home, text, found, now)


def add_cosignatures(home: Path, lines: str, now: int) -> str:
    """Keep signature lines that a witness gave for the newest checkpoint; the note with them."""
    known, state = keys.trusted(key_folder(home), COSIGNS), sealed(home).state()
    if state.head is None:
        raise NotSealed("nothing was sealed yet")
    found = known_signatures(state.note, lines, known)
    return _added(home, note.parse(state.note).text, found, now)


def _added(home: Path, text: str, found: Sequence[NoteSignature], now: int) -> str:
    with LocalLog(home / "log", (CHECKPOINTS,)) as log:
        return Sealer(home / "seal", log, signing_key(home)).add_signatures(text, found, now)


def forget_trees(home: Path) -> None:
    """Remove the tree files; the next sealing makes them again and compares them with the seal.

    The hashes of records that were trimmed stay: the log cannot give them again.
    """
    with LocalLog(home / "log", (CHECKPOINTS,)) as log:
        for stream, name in lanes(log):
            if not log.start(stream, name):
                shutil.rmtree(home / "seal" / stream / name, ignore_errors=True)
        shutil.rmtree(home / "seal" / HOUSE, ignore_errors=True)
        (home / "seal" / STATE).unlink(missing_ok=True)


def lanes(log: LogReader) -> Iterator[Lane]:
    """The lanes of a log that are sealed; an archive holds events alone."""
    streams = (EVENTS,) if isinstance(log, ArchiveLog) else SEALED_STREAMS
    return ((stream, name) for stream in streams for name in log.partitions(stream))
