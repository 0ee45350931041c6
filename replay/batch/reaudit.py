"""Runs a re-audit over the tables of a house on worker processes, and keeps what it found."""

import csv
import hashlib
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.disk import Disk
from replay.batch import pool, source
from replay.reaudit import DayReaudit, DaySpan, ReauditLine, Refund, TermsChange, refunds, table_day
from schemas.money import shown

LINES, REFUNDS, RUN = "lines.parquet", "refunds.csv", "run.json"


class BadRun(ValueError):
    """A folder that holds no whole re-audit."""


class TableTask(NamedTuple):
    """One table to judge again."""

    home: Path
    table_id: str
    span: DaySpan
    change: TermsChange


class Reaudit(NamedTuple):
    """What a re-audit found, in the order of tables and rounds."""

    days: tuple[DayReaudit, ...]

    @property
    def lines(self) -> tuple[ReauditLine, ...]:
        """Every wager that is due another amount."""
        return tuple(line for day in self.days for line in day.lines)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Rounds that have no due before or after."""
        return tuple(round_id for day in self.days for round_id in day.unknown)

    @property
    def refunds(self) -> tuple[Refund, ...]:
        """What each player is due more or less."""
        return refunds(self.lines)

    @property
    def house(self) -> Mapping[str, int]:
        """What the house gains or, below zero, owes, by currency."""
        return _summed((line.currency, -line.player_minor) for line in self.lines)

    @property
    def by_clause(self) -> Mapping[str, int]:
        """What players are due more or less under each set of clauses, with the currency."""
        return _summed(
            (f"{' '.join(line.clauses)} {line.currency}", line.player_minor) for line in self.lines
        )


def run(
    home: Path,
    span: DaySpan,
    change: TermsChange,
    workers: int,
    tell: Callable[[int], None] = lambda _: None,
) -> Reaudit:
    """Judge every table-day of the span again; nothing is written."""
    found: list[DayReaudit] = []
    for days in pool.run(_table, tasks(home, span, change), workers, lambda _: None):
        found += days
        tell(1)
    return Reaudit(tuple(sorted(found, key=lambda day: (day.table_id, day.gaming_day))))


def tasks(home: Path, span: DaySpan, change: TermsChange) -> list[TableTask]:
    """A task for each table of the span."""
    known = source.tables(source.opened(home))
    for table in span.tables:
        if table not in known:
            raise source.UnknownTable(table, known)
    return [TableTask(home, table, span, change) for table in span.tables or known]


def keep(folder: Path, found: Reaudit, about: Mapping[str, Any]) -> None:
    """Write the lines, the refunds and what was asked; the same run gives the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    disk, lines = Disk(), _parquet(found.lines)
    disk.create(folder / LINES, lines)
    disk.create(folder / REFUNDS, _csv(found.refunds))
    document = dict(about) | {
        "lines": len(found.lines),
        "house": dict(found.house),
        "lines_sha256": hashlib.sha256(lines).hexdigest(),
    }
    disk.create(folder / RUN, (json.dumps(document, indent=2, sort_keys=True) + "\n").encode())


def kept(folder: Path) -> dict[tuple[str, str, str], Mapping[str, Any]]:
    """The lines of a run by table, round and wager; BadRun where its files do not fit."""
    try:
        raw, document = (folder / LINES).read_bytes(), json.loads((folder / RUN).read_bytes())
    except (OSError, ValueError) as error:
        raise BadRun(f"{folder}: a folder of roundproof reaudit --out expected, {error}") from error
    if hashlib.sha256(raw).hexdigest() != document.get("lines_sha256"):
        raise BadRun(f"{folder / LINES}: its SHA-256 is not the one in {RUN}")
    rows = pq.read_table(pa.BufferReader(raw)).to_pylist()
    return {(row["table_id"], row["round_id"], row["wager_id"]): row for row in rows}


def _table(task: TableTask) -> list[DayReaudit]:
    log = source.opened(task.home)
    return [
        table_day(day, [event for event, _ in sealed], task.change)
        for day, sealed in source.table_days(log, task.table_id)
        if task.span.takes(day)
    ]


def _summed(pairs: Iterable[tuple[str, int]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for key, amount in pairs:
        found[key] = found.get(key, 0) + amount
    return dict(sorted(found.items()))


def _parquet(lines: Sequence[ReauditLine]) -> bytes:
    rows = [line._asdict() | {"player_minor": line.player_minor} for line in lines]
    whole, text = pa.int64(), pa.string()
    amounts = ("stake", "net_before", "net_after", "net_seen", "player_minor")
    names = (*ReauditLine._fields, "player_minor")
    kinds = {"clauses": pa.list_(text)} | dict.fromkeys(amounts, whole)
    schema = pa.schema([(name, kinds.get(name, text)) for name in names])
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(rows, schema), sink, compression="zstd")
    return bytes(sink.getvalue())


def _csv(found: Sequence[Refund]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((*Refund._fields, "amount"))
    writer.writerows(_refund_rows(found))
    return out.getvalue().encode()


def _refund_rows(found: Iterable[Refund]) -> Iterator[tuple[object, ...]]:
    for refund in found:
        player = refund.player_id
        neutral = f"'{player}" if player[:1] in "=+-@\t\r" and player else player
        yield (neutral, *refund[1:], shown(refund.player_minor, refund.currency))
