"""What a replay has to do: which table-days are there and fit the log, which are wanting."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ingest.log import Log
from replay import derived, source
from replay.derived import Manifest
from schemas import events as e

EMPTY = {
    source.LOCAL: source.NoLog,
    source.ARCHIVE: source.NoArchive,
    source.KAFKA: source.NothingPulled,
}


class LogShorter(Exception):
    """A log that no longer holds an event that something was derived from."""


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
    goes_on: bool  # whether the table-days after it are wanting too


class Plan(NamedTuple):
    """One table: what stays and what is to be done."""

    table_id: str
    kept: tuple[tuple[Manifest, tuple[str, ...]], ...]  # with the gaming days before each
    jobs: tuple[Job, ...]
    events: int  # events the jobs will read


def plans(home: Path, choice: Choice) -> list[Plan]:
    """A plan for each table of the log that was asked for, by name."""
    log = source.opened(home, choice.source)
    found = source.tables(log)
    wanted = [table for table in found if not choice.tables or table in choice.tables]
    there: dict[str, list[Manifest]] = {}
    for _, manifest in derived.days(home / "derived", sound_only=choice.fresh):
        there.setdefault(manifest.table_id, []).append(manifest)
    if not choice.accepts_loss:
        for table in sorted(set(there) - set(wanted)):
            border_of(log, table, max(there[table], key=lambda manifest: manifest.end))
    if not found:
        kind = choice.source or source.remembered(home)
        raise EMPTY[kind](f"{home / source.FOLDERS[kind]}: a log with events expected, none found")
    for table in choice.tables:
        if table not in found:
            raise source.UnknownTable(table, found)
    return [_plan(home, log, table, there.get(table, ()), choice) for table in wanted]


def fitting(log: Log, table: str, there: Sequence[Manifest]) -> list[Manifest]:
    """The table-days from the log's start on that are whole; LogShorter where any was lost."""
    chain: list[Manifest] = []
    for manifest in there:
        if manifest.start != (chain[-1].end if chain else 0):
            break
        chain.append(manifest)
    if len(chain) < len(there):
        border_of(log, table, max(there, key=lambda manifest: manifest.end))
    if chain:
        border = border_of(log, table, chain[-1])
        if border[1:] and not isinstance(border[1][0].payload, e.TableOpened):
            chain.pop()  # the table-day has grown
    return chain


def border_of(log: Log, table: str, manifest: Manifest) -> list[source.Sealed]:
    """A table-day's last event and the one after it; LogShorter where the log lost the first.

    Each event carries the hash of the one before, so the last of them speaks for all.
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


def _kept(log: Log, table: str, there: Sequence[Manifest], choice: Choice) -> list[Manifest]:
    try:
        return fitting(log, table, there)
    except LogShorter:
        if choice.accepts_loss:
            return []
        raise


def _plan(home: Path, log: Log, table: str, there: Sequence[Manifest], choice: Choice) -> Plan:
    chain = _kept(log, table, there, choice)
    end = source.end(log, table)
    kept, jobs, events = [], [], 0
    passed: tuple[str, ...] = ()
    for manifest in chain:
        stale = choice.fresh or manifest.maker != derived.maker()
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
    for job in jobs[:1]:  # before any of them begins: what is derived stays as it is
        source.must_reach(log, table, job.start)
    return Plan(table, tuple(kept), tuple(jobs), events)
