"""How long it takes to find and judge one round, in houses of growing size.

    python -m bench.find_round [--events 1000000 10000000]

Ten million events take about 4 GB of disk and, on a quiet machine, ten minutes to be laid down.
One day of four games is simulated and replayed. The house then grows by copies of its tables under
other names: their log, what was derived of them and their names, as a replay would leave them.
"""

import argparse
import hashlib
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from ingest import seal
from ingest.gateway import STREAMS, Gateway
from ingest.log_local import LocalLog
from replay import derived, log_memory, names, run, source
from replay.locate import locate
from replay.plan import Choice
from replay.simulate.house import House, Wish
from replay.simulate.table import Seat
from schemas import codec
from schemas import events as e

DAY, BEGUN = "2026-03-01", 1_772_334_000_000_000
SEATS = (Seat("T1", "RO"), Seat("T2", "TB"), Seat("T3", "SA-SB"), Seat("T4", "SA-BC"))
TRIES = 5


def main() -> None:
    """Print for each size how long a round takes to be found."""
    words = argparse.ArgumentParser()
    words.add_argument("--events", type=int, nargs="+", default=[100_000, 1_000_000])
    words.add_argument("--rounds", type=int, default=200)
    asked = words.parse_args()
    for wanted in asked.events:
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            each = grown(home, 1, asked.rounds)
            run.replay(home, Choice())
            events = grown(home, max(1, wanted // each), asked.rounds)
            _as_replayed(home)
            took = statistics.median(_found(home) for _ in range(TRIES))
        print(f"{events:>12,} events: a round found in {took:.2f} s")


def grown(home: Path, copies: int, rounds: int) -> int:
    """Fill the house's log with copies of a simulated day; how many events it has then."""
    with LocalLog(home / "log", STREAMS) as log:
        if not log.partitions(seal.STREAM):
            door = Gateway(log, lambda: BEGUN, trusts_received_at=True)
            door.take(House(Wish("7", SEATS, rounds, DAY)).readings(), "a bench")
        first = [seat.table_id for seat in SEATS]
        for table in first:
            said = [event for event, _ in seal.events(log, table)]
            for n in range(2, copies + 1):
                name = f"{table}x{n}"
                if log.end(seal.STREAM, name) == 0:
                    log.append(seal.STREAM, name, list(_copied(said, table, name)))
        return sum(log.end(seal.STREAM, table) for table in log.partitions(seal.STREAM))


def _copied(said: Sequence[e.Event], table: str, name: str) -> Iterator[bytes]:
    """The events of a table under another name, sealed anew."""
    place = seal.Place()
    for event in said:
        reading = e.Reading(
            name,
            event.device_kind,
            event.device_id,
            event.device_seq,
            event.occurred_at,
            event.payload,
            err_ms=event.err_ms,
            round_id=event.round_id and event.round_id.replace(table, name, 1),
        )
        words = codec.encode_said(reading.payload, reading.round_id)
        body, place = seal.seal(reading, words, place, event.ingested_at)
        yield body


def _as_replayed(home: Path) -> None:
    """Leave of each copy what a replay would leave: its days, its names, the hashes of its log."""
    log, root = LocalLog(home / "log"), home / "derived"
    known = log_memory.load(home, source.LOCAL)
    days = {manifest.table_id: (folder, manifest) for folder, manifest in derived.days(root)}
    known_names = {table: list(names.entries(*day)) for table, day in days.items()}
    files = {
        table: {file: (folder / file).read_bytes() for file in day.files}
        for table, (folder, day) in days.items()
    }
    index = sqlite3.connect(home / names.FILE)
    index.execute("pragma synchronous = off")
    for name in log.partitions(seal.STREAM):
        table = name.partition("x")[0]
        if name == table:
            continue
        _, day = days[table]
        last = hashlib.sha256(list(log.read(seal.STREAM, name, day.end - 1))[-1].body).hexdigest()
        derived.write(root, DAY, files[table], day._replace(table_id=name, last_hash=last))
        copies = (
            entry._replace(table_id=name, round_id=entry.round_id.replace(table, name, 1))
            for entry in known_names[table]
        )
        rows = [(word, *entry) for entry in copies for word in entry.names]
        index.executemany("insert or ignore into names values (?, ?, ?, ?, ?)", sorted(rows))
        index.execute("insert into days values (?, ?, ?)", (name, 0, day.digest))
        sums = log_memory.look(log, log, name, None, 0).sums
        known[name] = log_memory.Known(sums, 0, day.end, last)
    index.commit()
    index.close()
    log_memory.save(home, source.LOCAL, known)


def _found(home: Path) -> float:
    log = source.opened(home)
    table = random.choice(source.tables(log))
    sealed, _ = source.table_day(log, table, 0)
    name = random.choice([event.round_id for event, _ in sealed if event.round_id])
    begun = time.perf_counter()
    locate(home, f"{table}/{name}")
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
