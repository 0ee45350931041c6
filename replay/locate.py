"""Finds one round in the log by its own id or a wager's, and judges it again."""

import difflib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ingest.local.log import LocalLog
from ingest.log import LogCorrupt, LogReader
from ingest.seal import chain as event_chain
from replay import rulebooks
from replay.batch import log_memory, plan, source
from replay.judge import Judgement, judge_day
from replay.rounds import Round, fold
from replay.tables import name_index, parquet, round_starts
from replay.tables.name_index import IndexEntry
from replay.tables.round_starts import NoStart
from schemas import bounds
from schemas import events as e

COMPARED = 50_000  # ids beside the index that are compared with one that was not found
NEAR = 1_000  # events that are read in one go
NEIGHBOURS = 1_000  # ids of the index on either side of it


class UnknownRound(LookupError):
    """No round and no wager of that id, or more than one."""


class LocatedRound(NamedTuple):
    """A round judged afresh; the wager that was asked for, or empty."""

    judged: Judgement
    wager_id: str
    before: str = ""  # the round before it at its table that day
    after: str = ""  # and the one after it
    day: tuple[Round, ...] = ()  # every round of its table-day, in order
    start: int = 0  # place of its table-day's first event in the log


def locate(home: Path, name: str) -> LocatedRound:
    """The round an id names, judged from the log itself so that nothing in it is stale.

    A damaged table hides its own rounds only; it is told of where the round is found nowhere else.
    """
    log = source.opened(home)
    damaged: list[Exception] = []
    beside = _beside_index(home, log, damaged)
    indexed = [entry for entry in name_index.look_up(home, name) if entry.table_id in beside]
    walked = [entry for entries in beside.values() for entry in entries]
    found = [entry for entry in walked if name in entry.names]
    matches = list(dict.fromkeys([*indexed, *found]))
    if not matches and damaged:
        raise damaged[0]
    if not matches:
        raise UnknownRound(_unknown(home, name, walked))
    if len(matches) > 1:
        named = ", ".join(entry.names[1] for entry in matches[:4])
        raise UnknownRound(f"{name!r} is not the only one of its name: say one of {named}")
    return _judged(log, matches[0])


def located_day(home: Path, table_id: str, start: int) -> list[LocatedRound]:
    """Every round of the table-day that begins at an offset of its log, judged in order."""
    sealed, _ = source.table_day(source.opened(home), table_id, start)
    rounds = list(fold(source.gaming_day(sealed), _bounded(sealed)))
    ids = ["", *(round.round_id for round in rounds), ""]
    return [
        LocatedRound(judged, "", before=ids[n - 1], after=ids[n + 1])
        for n, judged in enumerate(judge_day(rounds, rulebooks.in_force), 1)
    ]


def recorded(home: Path, table_id: str, arrived: Sequence[int]) -> dict[int, e.Payload]:
    """What events say, by their offsets in the table's log; one that is not there is left out."""
    found = ((offset, _event_at(home, table_id, offset)) for offset in arrived)
    return {offset: event.payload for offset, event in found if event}


def _event_at(home: Path, table_id: str, offset: int) -> e.Event | None:
    """The event at an offset; None where it was trimmed, or where that part is damaged."""
    try:
        log = source.opened(home)
        source.must_reach(log, table_id, offset)
        return next((event for event, _ in event_chain.events(log, table_id, offset)), None)
    except (LogCorrupt, source.NoLog, source.Trimmed):
        return None


def located_alone(home: Path, table_id: str, start: int, round_id: str) -> LocatedRound:
    """One round of a table-day as the last replay left it, judged without the others.

    NoStart where the replay kept nothing of what stood before it: judge the table-day then.
    """
    folder, known = _day_folder(home / "derived", table_id, start)
    if round_starts.FILE not in known.files:
        raise NoStart(f"{table_id}/{round_id}")
    body = parquet.verified(folder / round_starts.FILE, known.files[round_starts.FILE])
    began = round_starts.find(body, round_id)
    events = _at(source.opened(home), table_id, began.places)
    day, editions = known.gaming_day, rulebooks.in_force
    judged = round_starts.judged_alone(began, events, table_id, day, editions)
    return LocatedRound(judged, "", began.before, began.after, start=start)


def _day_folder(root: Path, table_id: str, start: int) -> tuple[Path, parquet.Manifest]:
    """The folder of the table-day that begins at an offset; they lie in the order of the days."""
    folders = parquet.folders(root, table_id)
    near = bisect_left(folders, start, key=lambda folder: parquet.manifest(folder).start)
    for folder in (*folders[near : near + 1], *folders):
        known = parquet.manifest(folder)
        if known.start == start:
            return folder, known
    raise NoStart(f"{table_id} at {start:,}")


def _at(log: LogReader, table_id: str, places: Sequence[int]) -> dict[int, e.Event]:
    """The events at these places of a table's log; neighbouring ones are read in one go."""
    found: dict[int, e.Event] = {}
    for place in places:
        if place not in found:
            last = max(each for each in places if each - place < NEAR)
            for event, _ in source.events(log, table_id, place):
                found[event.seq] = bounds.bounded(event)
                if event.seq >= last:
                    break
    return found


def _beside_index(
    home: Path, log: LogReader, damaged: list[Exception]
) -> dict[str, list[IndexEntry]]:
    """Each table, and its rounds and wagers that the index may not know.

    A table that did not grow since the last replay is not looked at, and of one that grew only the
    events from its last table-day on. Where the index does not reach to what was replayed, what was
    derived of the table is read.
    """
    kind = source.remembered(home)
    files = LocalLog(home / source.FOLDERS[kind])
    remembered, reach = log_memory.load(home, kind), name_index.covered(home)
    beside: dict[str, list[IndexEntry]] = {}
    for table in source.tables(log):
        known = remembered.get(table)
        if known is None or reach.get(table) != known.end:
            entries = _of_table(home, log, table)
        elif log_memory.still(files, table, known.sums):
            entries = iter(())
        else:
            entries = _in_log(log, table, known.day)
        beside[table] = _unless_damaged(entries, damaged)
    return beside


def _judged(log: LogReader, entry: IndexEntry) -> LocatedRound:
    sealed, _ = source.table_day(log, entry.table_id, entry.start)
    rounds = list(fold(source.gaming_day(sealed), _bounded(sealed)))
    ids = ["", *(round.round_id for round in rounds), ""]
    for n, judged in enumerate(judge_day(rounds, rulebooks.in_force), 1):
        if judged.round.round_id == entry.round_id:
            beside = ids[n - 1], ids[n + 1]
            return LocatedRound(judged, entry.wager_id, *beside, tuple(rounds), entry.start)
    raise UnknownRound(f"round {entry.round_id!r}: the log of table {entry.table_id} has changed")


def _of_table(home: Path, log: LogReader, table: str) -> Iterator[IndexEntry]:
    """Every round and wager of a table: those already derived, then those only the log knows."""
    days = list(parquet.days(home / "derived", table))
    fitting = plan.fitting(log, table, [manifest for _, manifest in days])
    for folder, manifest in days[: len(fitting)]:
        yield from name_index.entries(folder, manifest)
    yield from _in_log(log, table, fitting[-1].end if fitting else 0)


def _unless_damaged(entries: Iterator[IndexEntry], damaged: list[Exception]) -> list[IndexEntry]:
    """The entries of a table; none where its log or its days are damaged, which is noted."""
    try:
        return list(entries)
    except (LogCorrupt, plan.LogShorter, parquet.DerivedCorrupt) as error:
        damaged.append(error)
        return []


def _in_log(log: LogReader, table: str, start: int) -> Iterator[IndexEntry]:
    for day, sealed in source.table_days(log, table, start):
        for round in fold(day, _bounded(sealed)):
            yield IndexEntry(table, start, round.round_id)
            for event in round.events:
                if isinstance(event.payload, e.WagerPlaced):
                    yield IndexEntry(table, start, round.round_id, event.payload.wager_id)
        start += len(sealed)


def _bounded(sealed: Sequence[source.Sealed]) -> list[e.Event]:
    return [bounds.bounded(event) for event, _ in sealed]


def _unknown(home: Path, name: str, walked: Sequence[IndexEntry]) -> str:
    known = name_index.neighbours(home, name, NEIGHBOURS)
    known += [entry.names[0] for entry in walked[:COMPARED]]
    near = difflib.get_close_matches(name, known, n=3) or known[:3]
    like = f"one such as {', '.join(near)} expected" if near else "there is none at all"
    return f"no round and no wager {name!r} in {home}: {like}"
