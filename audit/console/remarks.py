"""Remarks on a round: a marker with a note at a moment, and who has reviewed it."""

from collections.abc import Callable
from typing import NamedTuple

from audit.console.store import ConsoleStore

MARKER, REVIEWED = "marker", "reviewed"
MOST = 100  # remarks of one round


class RoundRemark(NamedTuple):
    """One remark."""

    at_us: int
    kind: str
    note: str
    by_whom: str
    made_at: float


class Remarks:
    """The remarks of a house; none of them is evidence."""

    def __init__(self, store: ConsoleStore, now: Callable[[], float]) -> None:
        self._store, self._now = store, now

    def of(self, table_id: str, round_id: str) -> list[RoundRemark]:
        """The remarks on a round, by their moment."""
        with self._store.reading() as db:
            rows = db.execute(
                "select at_us, kind, note, by_whom, made_at from remarks"
                " where table_id = ? and round_id = ? order by at_us, made_at limit ?",
                (table_id, round_id, MOST),
            ).fetchall()
        return [RoundRemark(*row) for row in rows]

    def add(
        self, place: tuple[str, str], at_us: int, *, kind: str, note: str, by_whom: str
    ) -> None:
        """Keep a remark on a round, named by table and round; a person reviews a round once."""
        table_id, round_id = place
        with self._store.writing() as db:
            if kind == REVIEWED:
                db.execute(
                    "delete from remarks where table_id = ? and round_id = ? and kind = ?"
                    " and by_whom = ?",
                    (table_id, round_id, kind, by_whom),
                )
            db.execute(
                "insert into remarks values (?, ?, ?, ?, ?, ?, ?)",
                (table_id, round_id, at_us, kind, note, by_whom, self._now()),
            )
