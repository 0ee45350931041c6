"""Keeps the rows of every open table-day until the checks run over the whole day.

Nobody asks for them before, so they are put away many at a time. A round that settles anew is not
looked up among them: its newest rows are held beside, and the old ones passed over in the end.
"""

from collections.abc import Sequence

from audit.watch.check_database import CheckDatabase
from replay.live.table_day import Settled
from replay.tables import dictionary, sql_rows
from replay.tables.rows import Row, Rows

# Steps come first: whose they are is asked of the rounds, which are deleted after them.
NOT_KEPT = ("clauses", "returns", "table_days", "shoes", "confusions", "steps")
KEPT = ("steps", *(table for table in dictionary.dictionary() if table not in NOT_KEPT))
COLUMNS = {
    name: [column.name for column in table.columns]
    for name, table in dictionary.dictionary().items()
}
NEW = 4_000  # events in memory, before their rows are put away

# Which rows are those of a table, the first parameter: steps name their round alone.
OF_TABLE = "table_id = $1"
OF_STEPS = "round_id in (select round_id from all_rounds where table_id = $1)"
MINE = dict.fromkeys(KEPT, OF_TABLE) | {"steps": OF_STEPS}


class OpenDayRows:
    """The tables all_<name> of the check database, and rows that are not in them yet."""

    def __init__(self, database: CheckDatabase) -> None:
        """The database must have been made with the tables KEPT."""
        self._database, self._ask = database, database.connection.execute
        self._new: Rows = {}
        self._upto: dict[str, dict[str, int]] = {}  # table to round to the last event put away
        self._again: dict[str, dict[str, Rows]] = {}  # table to rounds that settled anew

    def keep(self, rounds: Sequence[Settled]) -> None:
        """Keep the rows of rounds, in place of an older version of them."""
        for settled in rounds:
            upto = self._upto.setdefault(settled.table_id, {})
            if settled.round_id in upto:
                newer = self._again.setdefault(settled.table_id, {})
                newer[settled.round_id] = _without(settled.rows, upto[settled.round_id])
            else:
                upto[settled.round_id] = settled.upto
                self.keep_loose(settled.rows)

    def keep_loose(self, rows: Rows) -> None:
        """Keep rows of no round."""
        for table, part in rows.items():
            self._new.setdefault(table, []).extend(part)

    def tidy(self) -> None:
        """Put rows away where there are many."""
        if len(self._new.get("events", ())) >= NEW:
            self._put_away()

    def lay(self, table_id: str) -> None:
        """Copy everything of a table-day into the tables that the checks read."""
        self._put_away()
        again = self._again.get(table_id, {})
        for name in KEPT:
            mine = f"insert into {name} select * from all_{name} where {MINE[name]}"  # noqa: S608
            if "round_id" in COLUMNS[name]:
                mine += " and (round_id is null or not list_contains($2::varchar[], round_id))"
            asked = [table_id, list(again)] if "$2" in mine else [table_id]
            ((count,),) = self._ask(mine, asked).fetchall()
            if count:
                self._database.holds(name)
        for rows in again.values():
            self._database.put(rows)

    def forget(self, table_id: str) -> None:
        """Let go of a table's rows."""
        self._put_away()
        self._upto.pop(table_id, None)
        self._again.pop(table_id, None)
        for name in KEPT:
            self._ask(f"delete from all_{name} where {MINE[name]}", [table_id]).fetchall()  # noqa: S608

    def _put_away(self) -> None:
        for table, part in self._new.items():
            if part:
                self._database.add(f"all_{table}", sql_rows.arrow(table, part))
        self._new = {}


def _without(rows: Rows, upto: int) -> Rows:
    """A newer version without the rows that name no round and are kept already."""
    return {
        table: part if "round_id" in COLUMNS[table] else _after(table, part, upto)
        for table, part in rows.items()
    }


def _after(table: str, part: Sequence[Row], upto: int) -> list[Row]:
    seq = COLUMNS[table].index("seq")
    return [row for row in part if row[seq] > upto]
