"""Rounds as the log has them, judged again for a page; the last few table-days are kept in memory.

A round is judged with what the rounds before it left, so its whole table-day is judged anyway.
"""

import threading
from collections import OrderedDict
from pathlib import Path

from replay.locate import LocatedRound, UnknownRound, locate, located_day
from replay.tables import name_index

KEPT_DAYS = 32
Day = dict[str, LocatedRound]


class Rounds:
    """The rounds that pages ask for, by table and round."""

    def __init__(self, home: Path) -> None:
        self._home, self._lock = home, threading.Lock()
        self._days: OrderedDict[tuple[str, int, int], Day] = OrderedDict()
        self._making: dict[tuple[str, int, int], threading.Lock] = {}

    def find(self, table_id: str, round_id: str, inode: int) -> LocatedRound:
        """The round; `inode` names the snapshot, so after a replay it is judged anew."""
        name = f"{table_id}/{round_id}"
        entries = [
            entry
            for entry in name_index.look_up(self._home, name)
            if entry.table_id == table_id and entry.round_id == round_id
        ]
        if len(entries) != 1:
            return locate(self._home, name)  # only the log knows it yet, or nobody does
        day = self._day((table_id, entries[0].start, inode))
        if round_id not in day:
            raise UnknownRound(f"round {round_id!r}: the log of table {table_id} has changed")
        return day[round_id]

    def _day(self, key: tuple[str, int, int]) -> Day:
        with self._lock:
            if key in self._days:
                self._days.move_to_end(key)
                return self._days[key]
            making = self._making.setdefault(key, threading.Lock())
        with making:  # whoever comes second waits for the first
            with self._lock:
                if key in self._days:
                    return self._days[key]
            table_id, start, _ = key
            found = {
                each.judged.round.round_id: each
                for each in located_day(self._home, table_id, start)
            }
            with self._lock:
                self._days[key] = found
                self._making.pop(key, None)
                while len(self._days) > KEPT_DAYS:
                    self._days.popitem(last=False)
        return found
