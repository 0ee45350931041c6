"""Plans a replay: which derived table-days still fit the log, and which must be derived."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ingest.local.log import LocalLog
from ingest.log import EVENTS, LogCorrupt, LogReader
from replay.batch import log_memory, source
from replay.tables import code_hash, parquet
from replay.tables.parquet import Manifest
from schemas import events as e

EMPTY = {
    source.LOCAL: source.NoLog,
    source.ARCHIVE: source.NoArchive,
    source.KAFKA: source.NothingPulled,
}


class LogShorter(Exception):
    """A log that lost an event from which something was derived."""


class Choice(NamedTuple):
    """Which table-days are asked for; empty means all of them."""

    tables: tuple[str, ...] = ()
    first_day: str = ""
    last_day: str = ""
    fresh: bool = False  # derive again what is there already
    accepts_loss: bool = False  # go on with a log that is shorter than what was derived from it
    source: str = ""  # the kind of log; empty for the one of the last replay

    @property
    def everything(self) -> bool:
        """Whether nothing was left out."""
        return not (self.tables or self.first_day or self.last_day)

    def wants_day(self, day: str) -> bool:
        """Whether a gaming day is among those asked for."""
        return self.first_day <= day and (not self.last_day or day <= self.last_day)


class Job(NamedTuple):
    """One table-day to derive, by where it starts in the log."""

    home: Path
    table_id: str
    start: int
    passed: tuple[str, ...]  # gaming days of the table-days before it
    choice: Choice
    goes_on: bool  # whether the table-days after it must be derived too


class TablePlan(NamedTuple):
    """One table: the table-days that stay, and the jobs for the others."""

    table_id: str
    kept: tuple[tuple[Manifest, tuple[str, ...]], ...]  # with the gaming days before each
    jobs: tuple[Job, ...]
    events: int  # events the jobs will read
    failed: Exception | None = None  # why the table cannot be replayed
    sums: log_memory.Sums | None = None  # of its segments, where they are as long as they were


def plans(home: Path, choice: Choice, *, prove: bool = False) -> list[TablePlan]:
    """A plan for each table of the log that was asked for, by name.

    A table whose log is damaged or shorter than what was derived from it gets a plan that says so,
    whether it was asked for or not; the other tables are planned all the same. With `prove`, and
    for a choice that is fresh, every byte of the log is hashed, also of files that nobody wrote to.
    """
    kind = choice.source or source.remembered(home)
    folder = home / source.FOLDERS[kind]
    if choice.source == source.ARCHIVE and not folder.is_dir():
        raise source.NoArchive(f"{folder}: an archive expected, no such folder found")
    log = source.opened(home, choice.source)
    found = source.tables(log)
    wanted = [table for table in found if not choice.tables or table in choice.tables]
    there: dict[str, list[Manifest]] = {}
    for _, manifest in parquet.days(home / "derived", sound_only=True):
        there.setdefault(manifest.table_id, []).append(manifest)
    lost = []
    if not choice.accepts_loss:
        for table in sorted(set(there) - set(wanted)):
            try:
                border_of(log, table, max(there[table], key=lambda manifest: manifest.end))
            except FAILURES as error:
                lost.append(TablePlan(table, (), (), 0, error))
    if not found and not lost:
        raise EMPTY[kind](f"{folder}: a log with events expected, none found")
    for table in choice.tables:
        if table not in found and table not in there:
            raise source.UnknownTable(table, found)
    known = log_memory.load(home, kind)
    files = LocalLog(folder)
    planned = [
        _planned(
            home,
            TableLog(log, files, known.get(table), prove or choice.fresh),
            table,
            there.get(table, ()),
            choice,
        )
        for table in wanted
    ]
    return sorted([*planned, *lost], key=lambda made: made.table_id)


def must_be_whole(planned: Sequence[TablePlan]) -> None:
    """Raise the error of the first table that cannot be replayed."""
    for made in planned:
        if made.failed:
            raise made.failed


class TableLog(NamedTuple):
    """A log, its files, and what is remembered of one table."""

    log: LogReader
    files: LocalLog
    known: log_memory.Known | None
    prove: bool  # whether to hash files that nobody wrote to


def fitting(
    log: LogReader, table: str, there: Sequence[Manifest], known: log_memory.Known | None = None
) -> list[Manifest]:
    """The table-days from the log's start on that are whole; LogShorter where one was lost.

    `known` is the end of the log, if it is still as the last replay left it.
    """
    chain: list[Manifest] = []
    for manifest in there:
        if manifest.start != (chain[-1].end if chain else 0):
            break
        chain.append(manifest)
    if len(chain) < len(there):
        border_of(log, table, max(there, key=lambda manifest: manifest.end))
    if chain and (known is None or chain[-1][3:5] != (known.end, known.last_hash)):
        border = border_of(log, table, chain[-1])
        if border[1:] and not isinstance(border[1][0].payload, e.TableOpened):
            chain.pop()  # the table-day has grown
    return chain


def border_of(log: LogReader, table: str, manifest: Manifest) -> list[source.Sealed]:
    """A table-day's last event and the one after it; LogShorter where the log lost the first.

    Each event carries the hash of the one before, so the last hash proves them all.
    """
    border = source.border(log, table, manifest.end - 1)
    if border and border[0][1] == manifest.last_hash:
        return border
    how = "differs from" if border else "is shorter than"
    held = f"{border[0][1][:16]}…" if border else f"{source.end(log, table):,} events"
    raise LogShorter(
        f"table {table}: the log {how} what was derived from it: {manifest.last_hash[:16]}… as "
        f"event {manifest.end:,} expected, {held} found"
    )


def folder(day: str, passed: Sequence[str]) -> str:
    """The name of a table-day's folder; a table that opened twice in a day has two."""
    again = list(passed).count(day)
    name = day or "undated"
    return f"{name}~{again + 1}" if again else name


def _kept(
    log: LogReader,
    table: str,
    there: Sequence[Manifest],
    choice: Choice,
    known: log_memory.Known | None,
) -> list[Manifest]:
    try:
        return fitting(log, table, there, known)
    except LogShorter:
        if choice.accepts_loss:
            return []
        raise


def _planned(
    home: Path, looked: TableLog, table: str, there: Sequence[Manifest], choice: Choice
) -> TablePlan:
    try:
        return _plan(home, looked, table, there, choice)
    except FAILURES as error:
        return TablePlan(table, (), (), 0, error)


def _plan(
    home: Path, looked: TableLog, table: str, there: Sequence[Manifest], choice: Choice
) -> TablePlan:
    log, files, known, prove = looked
    kept_end = 0 if choice.fresh or not there else there[-1].end
    look = log_memory.look(log, files, table, known, kept_end, prove=prove)
    unchanged = None if look.grown else look.known
    chain = _kept(log, table, there, choice, unchanged)
    end = unchanged.end if unchanged else source.end(log, table)
    log.require_end(EVENTS, table, end)
    sums = look.sums if log_memory.still(files, table, look.sums) else None
    kept, jobs, events = [], [], 0
    passed: tuple[str, ...] = ()
    for manifest in chain:
        stale = choice.fresh or manifest.maker != code_hash.of_rows() or bool(manifest.failed)
        if stale and choice.wants_day(manifest.gaming_day):
            jobs.append(Job(home, table, manifest.start, passed, choice, goes_on=False))
            events += manifest.end - manifest.start
        else:
            kept.append((manifest, passed))
        passed = (*passed, manifest.gaming_day)
    start = chain[-1].end if chain else 0
    if start < end:
        jobs.append(Job(home, table, start, passed, choice, goes_on=True))
        events += end - start
    for job in jobs[:1]:  # before any job begins, so that derived files stay as they are
        source.must_reach(log, table, job.start)
    return TablePlan(table, tuple(kept), tuple(jobs), events, sums=sums)


# Errors of one table's log; the plan names them, and every other table goes on.
FAILURES = (LogCorrupt, LogShorter, OSError)
