"""A house of any size for the benches: one simulated day of four games, its tables copied.

A copy has a name as long as the first table's, so the bytes of its events are those of the first
with another name and another previous hash in them: the chain is made anew and every reader accepts
it, at a few microseconds an event.
"""

import hashlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from ingest.gateway import Gateway
from ingest.local.log import LocalLog
from ingest.log import EVENTS, GATEWAY_STREAMS
from replay.batch import log_memory, source
from replay.simulate.game_play import TableSetup
from replay.simulate.house import DayRequest, SeededHouse
from replay.tables import name_index, parquet
from schemas import codec

DAY, BEGUN = "2026-03-01", 1_772_334_000_000_000
GAMES = {"T1": "RO", "T2": "TB", "T3": "SA-SB", "T4": "SA-BC"}
HASH = len(codec.NO_HASH)
WRITTEN = 50_000  # events that are put into the log at a time


class Sealed(NamedTuple):
    """An event as it lies in the log, and the byte after the hash of the one before it."""

    body: bytes
    hash_end: int


def table(place: str, n: int = 0) -> str:
    """The name of a table's nth copy; number 0 was really played."""
    return f"{place}-{n:05d}"


def grown(home: Path, copies: int, rounds: int) -> int:
    """Fill the house's log with copies of a simulated day; how many events it has then."""
    with unforced(), LocalLog(home / "log", GATEWAY_STREAMS) as log:
        if not log.partitions(EVENTS):
            seats = tuple(TableSetup(table(place), game) for place, game in GAMES.items())
            door = Gateway(log, lambda: BEGUN, trusts_received_at=True)
            door.take(SeededHouse(DayRequest("7", seats, rounds, DAY)).readings(), "a bench")
        events = 0
        for place in GAMES:
            first = [_sealed(each.body) for each in log.read(EVENTS, table(place))]
            for n in range(1, copies):
                if log.end(EVENTS, table(place, n)) == 0:
                    copied = list(_copied(first, table(place), table(place, n)))
                    for start in range(0, len(copied), WRITTEN):
                        part = copied[start : start + WRITTEN]
                        log.append(EVENTS, table(place, n), part)
            events += len(first) * copies
        return events


def as_replayed(home: Path) -> None:
    """Leave of each copy what a replay would leave: its days, its names, the hashes of its log."""
    with unforced():
        _as_replayed(home)


@contextmanager
def unforced() -> Iterator[None]:
    """Wait for no disk: a bench's house need not outlive the machine."""
    with patch.object(os, "fsync", lambda _: None):
        yield


def _as_replayed(home: Path) -> None:
    log, root = LocalLog(home / "log"), home / "derived"
    known = log_memory.load(home, source.LOCAL)
    days = {each.table_id: (folder, each) for folder, each in parquet.days(root)}
    entries = {name: list(name_index.entries(*day)) for name, day in days.items()}
    files = {
        name: {file: (folder / file).read_bytes() for file in day.files}
        for name, (folder, day) in days.items()
    }
    index = sqlite3.connect(home / name_index.FILE)
    index.execute("pragma synchronous = off")
    for name in log.partitions(EVENTS):
        if name in days:
            continue
        first = table(name.partition("-")[0])
        _, day = days[first]
        head = log.head_of(EVENTS, name)
        assert head, name
        parquet.write(root, DAY, files[first], day._replace(table_id=name, last_hash=head.sha256))
        copies = (
            name_index.IndexEntry(
                name,
                entry.start,
                entry.round_id.replace(first, name),
                entry.wager_id.replace(first, name),
            )
            for entry in entries[first]
        )
        rows = [(word, *entry) for entry in copies for word in entry.names]
        index.executemany("insert or ignore into names values (?, ?, ?, ?, ?)", sorted(rows))
        index.execute("insert into days values (?, ?, ?, ?)", (name, 0, day.end, day.digest))
        sums = log_memory.look(log, log, name, None, 0).sums
        known[name] = log_memory.Known(sums, 0, day.end, head.sha256)
    index.commit()
    index.close()
    name_index.note(home)
    log_memory.save(home, source.LOCAL, known)


def _sealed(body: bytes) -> Sealed:
    stream = BytesIO(body)
    codec.decode_head(stream)
    return Sealed(body, stream.tell())


def _copied(first: Sequence[Sealed], old: str, new: str) -> Iterator[bytes]:
    """The events of a table under another name, chained anew."""
    assert len(old) == len(new), (old, new)
    before, words = codec.NO_HASH, (old.encode(), new.encode())
    for body, end in first:
        named = body.replace(*words)
        sealed = b"".join((named[: end - HASH], before, named[end:]))
        before = hashlib.sha256(sealed).digest()
        yield sealed
