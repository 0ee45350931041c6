"""Rounds as the log has them, judged again for a page; the last few are kept in memory.

A replay keeps what stood before each round, so a round is judged alone from its own events. Where
it kept nothing, such as for a round that is being played, the round's whole table-day is judged.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import TypeVar

from replay.locate import LocatedRound, UnknownRound, locate, located_alone
from replay.tables import name_index
from replay.tables.parquet import DerivedCorrupt
from replay.tables.round_starts import NoStart

KEPT = 512
Made = TypeVar("Made")


class RecentlyMade:
    """The last few things that were made, by what they were made for."""

    def __init__(self, most: int = KEPT) -> None:
        self._most, self._lock = most, threading.Lock()
        self._made: OrderedDict[Hashable, object] = OrderedDict()
        self._making: dict[Hashable, threading.Lock] = {}

    def get(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What is kept for a key, or what is made now; whoever comes second waits for the first."""
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        with making:
            with self._lock:
                if key in self._made:
                    self._made.move_to_end(key)
                    return self._made[key]  # type: ignore[return-value]  # a key has one kind
            made = make()
            with self._lock:
                self._made[key] = made
                self._making.pop(key, None)
                while len(self._made) > self._most:
                    self._made.popitem(last=False)
            return made


class Rounds:
    """The rounds that pages ask for, by table and round."""

    def __init__(self, home: Path) -> None:
        self._home, self._rounds = home, RecentlyMade()
        self.pictures = RecentlyMade()

    def find(self, table_id: str, round_id: str, inode: int) -> LocatedRound:
        """The round; `inode` names the snapshot, so after a replay it is judged anew."""
        return self._rounds.get(
            (table_id, round_id, inode), lambda: _judged(self._home, table_id, round_id)
        )


def _judged(home: Path, table_id: str, round_id: str) -> LocatedRound:
    name = f"{table_id}/{round_id}"
    entries = [
        entry
        for entry in name_index.look_up(home, name)
        if entry.table_id == table_id and entry.round_id == round_id
    ]
    if len(entries) == 1:
        try:
            return located_alone(home, table_id, entries[0].start, round_id)
        except (NoStart, DerivedCorrupt):
            pass  # the log says it too, and judging the whole day finds it
    found = locate(home, name)
    if found.judged.round.table_id != table_id:
        raise UnknownRound(f"no round {round_id!r} at table {table_id}")
    return found
