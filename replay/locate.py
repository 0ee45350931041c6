"""Finding one round in the log by its own id or by a wager's, and judging it again."""

import difflib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ingest.log import Log
from replay import derived, plan, rulebooks, source
from replay.derived import Manifest
from replay.judge import Judgement, judge_day
from replay.rounds import fold
from schemas import events as e

COMPARED = 50_000  # ids that are compared with one that was not found


class UnknownRound(LookupError):
    """No round and no wager of that id, or more than one."""


class Found(NamedTuple):
    """A round judged afresh; the wager that was asked for, or empty."""

    judged: Judgement
    wager_id: str


class _Entry(NamedTuple):
    """Where an id leads: a table-day by its start in the log, a round, a wager or none."""

    table_id: str
    start: int
    round_id: str
    wager_id: str = ""

    @property
    def names(self) -> tuple[str, str]:
        if self.wager_id:
            return self.wager_id, f"{self.round_id}/{self.wager_id}"
        return self.round_id, f"{self.table_id}/{self.round_id}"


def locate(home: Path, name: str) -> Found:
    """The round an id names, judged from the log itself so that nothing in it is stale."""
    log = source.opened(home)
    entries = list(_entries(home, log))
    matches = [entry for entry in entries if name in entry.names]
    if not matches:
        raise UnknownRound(_unknown(home, name, entries))
    if len(matches) > 1:
        named = ", ".join(entry.names[1] for entry in matches[:4])
        raise UnknownRound(f"{name!r} is not the only one of its name: say one of {named}")
    return _judged(log, matches[0])


def _judged(log: Log, entry: _Entry) -> Found:
    sealed, _ = source.table_day(log, entry.table_id, entry.start)
    rounds = fold(source.gaming_day(sealed), [event for event, _ in sealed])
    for judged in judge_day(rounds, rulebooks.in_force):
        if judged.round.round_id == entry.round_id:
            return Found(judged, entry.wager_id)
    raise UnknownRound(f"round {entry.round_id!r}: the log of table {entry.table_id} has changed")


def _entries(home: Path, log: Log) -> Iterator[_Entry]:
    """Every round and wager: those already derived, then those only the log knows yet."""
    there: dict[str, list[tuple[Path, Manifest]]] = {}
    for folder, manifest in derived.days(home / "derived"):
        there.setdefault(manifest.table_id, []).append((folder, manifest))
    for table in source.tables(log):
        days = there.get(table, [])
        fitting = plan.fitting(log, table, [manifest for _, manifest in days])
        for folder, manifest in days[: len(fitting)]:
            yield from _derived(folder, manifest)
        yield from _in_log(log, table, fitting[-1].end if fitting else 0)


def _derived(folder: Path, manifest: Manifest) -> Iterator[_Entry]:
    place = manifest.table_id, manifest.start
    for round_id in derived.read(folder, manifest, "rounds").column("round_id").to_pylist():
        yield _Entry(*place, round_id)
    wagers = derived.read(folder, manifest, "wagers")
    pairs = (wagers.column(name).to_pylist() for name in ("round_id", "wager_id"))
    for round_id, wager_id in zip(*pairs, strict=True):
        yield _Entry(*place, round_id, wager_id)


def _in_log(log: Log, table: str, start: int) -> Iterator[_Entry]:
    for day, sealed in source.table_days(log, table, start):
        for round in fold(day, [event for event, _ in sealed]):
            yield _Entry(table, start, round.round_id)
            for event in round.events:
                if isinstance(event.payload, e.WagerPlaced):
                    yield _Entry(table, start, round.round_id, event.payload.wager_id)
        start += len(sealed)


def _unknown(home: Path, name: str, entries: Sequence[_Entry]) -> str:
    known = [entry.names[0] for entry in entries[:COMPARED]]
    near = difflib.get_close_matches(name, known, n=3) or known[:3]
    like = f"one such as {', '.join(near)} expected" if near else "there is none at all"
    return f"no round and no wager {name!r} in {home}: {like}"
