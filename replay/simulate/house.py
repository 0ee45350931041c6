"""The seeded house: every table of a gaming day, merged into one stream in order of arrival."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time
from heapq import merge
from pathlib import Path
from typing import Any, NamedTuple

import fastavro

from replay.simulate import lines, plan
from replay.simulate.faults.fault import Truth
from replay.simulate.game_play import Seat
from replay.simulate.table import TableDay
from schemas import avro, codec
from schemas import events as e

OPENS = time(3, 0, tzinfo=UTC)  # ten in the morning at the venue
APART_US = 90_000_000  # between the openings of two tables
AVRO_SYNC = b"roundproof house"  # fixed, so that the same seed gives the same bytes

TRUTH = "truth.json"
FORMATS = ("jsonl", "avro")


class Wish(NamedTuple):
    """A gaming day to simulate."""

    seed: str
    tables: tuple[Seat, ...]
    rounds: int  # a table
    day: str
    faults: Mapping[str, int] | None = {}  # how often each; None for all there are


class Made(NamedTuple):
    """What a simulation left behind."""

    readings: int
    truth: tuple[Truth, ...]
    path: Path
    truth_path: Path


class House:
    """A gaming day under way: its readings as they arrive, and what was done wrong so far."""

    def __init__(self, wish: Wish) -> None:
        planned = plan.plans(wish.tables, wish.rounds, wish.faults, wish.day, wish.seed)
        start = int(datetime.combine(date.fromisoformat(wish.day), OPENS).timestamp()) * 1_000_000
        self.wish = wish
        self.tables = [
            TableDay(seat, wish.day, start + n * APART_US, wish.seed, planned[seat.table_id])
            for n, seat in enumerate(wish.tables)
        ]

    def readings(self, done: Callable[[], object] = lambda: None) -> Iterator[e.Reading]:
        """Every reading of the house in order of arrival; tables that tie stand in their order."""
        streams = [table.readings(self.wish.rounds, done) for table in self.tables]
        return merge(*streams, key=lambda reading: reading.received_at or 0)

    @property
    def truth(self) -> tuple[Truth, ...]:
        """What was done wrong on purpose until now, table by table."""
        return tuple(entry for table in self.tables for entry in table.truth)


def simulate(
    wish: Wish, out: Path, form: str = "jsonl", done: Callable[[], object] = lambda: None
) -> Made:
    """Play the day and write its readings and its truth file."""
    house = House(wish)
    out.mkdir(parents=True, exist_ok=True)
    path, truth_path = out / f"readings.{form}", out / TRUTH
    part = path.with_suffix(f".{form}.part")
    count = WRITERS[form](part, house.readings(done))
    part.replace(path)
    text = json.dumps(confession(wish, house.truth), indent=1, sort_keys=True, ensure_ascii=False)
    truth_path.write_text(text + "\n", "utf-8")
    return Made(count, house.truth, path, truth_path)


def confession(wish: Wish, truth: Sequence[Truth]) -> dict[str, Any]:
    """The truth file: what was asked for, and every fault with what it explains."""
    return {
        "seed": wish.seed,
        "day": wish.day,
        "rounds": wish.rounds,
        "tables": [
            {"table_id": seat.table_id, "game": seat.code, "paytable": seat.paytable}
            for seat in wish.tables
        ],
        "faults": [entry._asdict() for entry in truth],
    }


def _write_lines(path: Path, readings: Iterator[e.Reading]) -> int:
    count = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for reading in readings:
            file.write(lines.line(reading) + "\n")
            count += 1
    return count


def _write_avro(path: Path, readings: Iterator[e.Reading]) -> int:
    count = 0

    def records() -> Iterator[dict[str, Any]]:
        nonlocal count
        for reading in readings:
            count += 1
            record = codec.to_json(reading)
            payload = record["payload"]
            yield record | {"payload": (avro.NAMESPACE + payload.pop("type"), payload)}

    with path.open("wb") as file:
        fastavro.writer(file, avro.READING, records(), codec="null", sync_marker=AVRO_SYNC)
    return count


WRITERS: Mapping[str, Callable[[Path, Iterator[e.Reading]], int]] = {
    "jsonl": _write_lines,
    "avro": _write_avro,
}
