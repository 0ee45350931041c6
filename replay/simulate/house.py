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
from replay.simulate.game_play import TableSetup
from replay.simulate.table import SimulatedDay
from schemas import avro, codec
from schemas import events as e

OPENS = time(3, 0, tzinfo=UTC)  # ten in the morning at the venue
APART_US = 90_000_000  # between the openings of two tables
AVRO_SYNC = b"roundproof house"  # fixed, so that the same seed gives the same bytes

TRUTH = "truth.json"
FORMATS = ("jsonl", "avro")


class DayRequest(NamedTuple):
    """A gaming day to simulate."""

    seed: str
    tables: tuple[TableSetup, ...]
    rounds: int  # a table
    day: str
    faults: Mapping[str, int] | None = {}  # how often each; None for all there are


class SimulatedFiles(NamedTuple):
    """What a simulation left behind."""

    readings: int
    truth: tuple[Truth, ...]
    path: Path
    truth_path: Path


class SeededHouse:
    """A gaming day under way: its readings as they arrive, and what was done wrong so far."""

    def __init__(self, request: DayRequest) -> None:
        planned = plan.plans(
            request.tables, request.rounds, request.faults, request.day, request.seed
        )
        start = (
            int(datetime.combine(date.fromisoformat(request.day), OPENS).timestamp()) * 1_000_000
        )
        self.request = request
        self.tables = [
            SimulatedDay(
                setup, request.day, start + n * APART_US, request.seed, planned[setup.table_id]
            )
            for n, setup in enumerate(request.tables)
        ]

    def readings(self, done: Callable[[], object] = lambda: None) -> Iterator[e.Reading]:
        """Every reading of the house in order of arrival; tables that tie stand in their order."""
        streams = [table.readings(self.request.rounds, done) for table in self.tables]
        return merge(*streams, key=lambda reading: reading.received_at or 0)

    @property
    def truth(self) -> tuple[Truth, ...]:
        """What was done wrong on purpose until now, table by table."""
        return tuple(entry for table in self.tables for entry in table.truth)


def simulate(
    request: DayRequest, out: Path, form: str = "jsonl", done: Callable[[], object] = lambda: None
) -> SimulatedFiles:
    """Play the day and write its readings and its truth file."""
    house = SeededHouse(request)
    out.mkdir(parents=True, exist_ok=True)
    path, truth_path = out / f"readings.{form}", out / TRUTH
    part = path.with_suffix(f".{form}.part")
    count = WRITERS[form](part, house.readings(done))
    part.replace(path)
    text = json.dumps(
        truth_file(request, house.truth), indent=1, sort_keys=True, ensure_ascii=False
    )
    truth_path.write_text(text + "\n", "utf-8")
    return SimulatedFiles(count, house.truth, path, truth_path)


def truth_file(request: DayRequest, truth: Sequence[Truth]) -> dict[str, Any]:
    """The truth file: what was asked for, and every fault with what it explains."""
    return {
        "seed": request.seed,
        "day": request.day,
        "rounds": request.rounds,
        "tables": [
            {"table_id": setup.table_id, "game": setup.code, "paytable": setup.paytable}
            for setup in request.tables
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
