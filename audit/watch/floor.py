"""The floor: the rows of every open table-day, and what the live checks say of them.

Rounds are looked at as they settle. What a check of a single round cannot see - a device that fell
silent, a tray that does not balance - is looked at table by table, and the whole day at its end.
"""

from collections.abc import Collection, Iterable, Sequence

from audit.catalogue import Check, checks
from audit.run_checks import Finding
from audit.watch.desk import Desk
from replay import derived, tables
from replay.live import LiveTable, Settled
from replay.rows import Rows

# Checks that look beyond a round, and the tables they read.
WIDE = ("INT-01", "INT-02", "INT-04", "INT-05", "PAY-14")
OF_WIDE = ("events", "rounds", "payments", "terms", "beats", "alarms", "tray_counts")

# Steps come first: whose they are is asked of the rounds, which are deleted after them.
NOT_KEPT = ("clauses", "table_days", "shoes", "steps")
KEPT = ("steps", *(table for table in tables.dictionary() if table not in NOT_KEPT))
OF_PLACES = {"rounds", "terms"}  # every finding is asked for its game and currency there
NEW = 50_000  # events in memory, before their rows go into the database
OF_ROUNDS = tuple(
    table
    for table in KEPT
    if any(column.name == "round_id" for column in tables.dictionary()[table].columns)
)

# Which rows are those of some tables, the first parameter: steps name their round alone.
OF_TABLES = "table_id in (select unnest($1))"
OF_STEPS = "round_id in (select round_id from all_rounds where table_id in (select unnest($1)))"
MINE = dict.fromkeys(KEPT, OF_TABLES) | {"steps": OF_STEPS}


class Floor:
    """One database in memory for all tables of a worker."""

    def __init__(self, live: Sequence[Check] = ()) -> None:
        live = live or [check for check in checks().values() if check.mode == "live"]
        self._live = tuple(check.check_id for check in live)
        self._of_round = tuple(name for name in self._live if name not in WIDE)
        self._wide = tuple(name for name in self._live if name in WIDE)
        self._desk = Desk(live, kept=KEPT)
        self._ask = self._desk.connection.execute
        self.sieve = self._desk.sieve(self._of_round)
        self._new: Rows = {}  # rows that are to be kept, until somebody asks for them

    def settle(self, rounds: Sequence[Settled]) -> list[Finding]:
        """Keep the rows of rounds that settled; what the checks of a round find in them."""
        self.keep(rounds)
        causes = {n: self.sieve.causes(whole(settled)) for n, settled in enumerate(rounds)}
        wanted = {check for checks in causes.values() for check in checks}
        if not wanted:
            return []
        return self.look([rounds[n] for n, checks in causes.items() if checks], wanted)

    def look(self, rounds: Sequence[Settled], wanted: Collection[str]) -> list[Finding]:
        """What some checks of a round find in rounds."""
        rows = _together(rounds)
        if not rows.get("flags"):
            rows.pop("steps", None)  # which are looked at beside a flag only
        read = self._desk.reads(wanted) | OF_PLACES
        for part in (rows, _around(rounds)):
            self._desk.put({table: part[table] for table in part if table in read})
        fresh = {(settled.table_id, settled.round_id) for settled in rounds}
        found = self._desk.findings([check for check in self._of_round if check in wanted])
        mine = [finding for finding in found if (finding.table_id, finding.round_id) in fresh]
        self._desk.clear()
        return mine

    def keep(self, rounds: Sequence[Settled]) -> None:
        """Keep the rows of rounds, in place of an older version of them."""
        for settled in rounds:
            if settled.version > 1:
                self._drop(settled)
        self.keep_loose(_together(rounds))

    def keep_loose(self, rows: Rows) -> None:
        """Keep rows of no round."""
        for table, part in rows.items():
            self._new.setdefault(table, []).extend(part)
        if len(self._new.get("events", ())) > NEW:
            self._put_away()

    def tables(self, days: Sequence[LiveTable]) -> list[Finding]:
        """What the checks find that look beyond a round."""
        return self._whole(days, self._wide, OF_WIDE)

    def day(self, table: LiveTable) -> list[Finding]:
        """What all live checks find in a table-day as a whole."""
        return self._whole([table], self._live, KEPT)

    def forget(self, table_id: str) -> None:
        """Let go of a table's rows: its day is over, or another worker has it."""
        self._put_away()
        for table in KEPT:
            self._ask(f"delete from all_{table} where {MINE[table]}", [[table_id]]).fetchall()  # noqa: S608

    def _whole(
        self, days: Sequence[LiveTable], checks: Sequence[str], names: Iterable[str]
    ) -> list[Finding]:
        self._put_away()
        ids = [table.table_id for table in days]
        for name in names:
            ((count,),) = self._ask(
                f"insert into {name} select * from all_{name} where {MINE[name]}",  # noqa: S608
                [ids],
            ).fetchall()
            if count:
                self._desk.holds(name)
        for table in days:
            self._desk.put(table.standing())
        found = list(self._desk.findings(checks, many=True))
        self._desk.clear()
        return found

    def _put_away(self) -> None:
        for table, part in self._new.items():
            if part:
                self._desk.add(f"all_{table}", derived.arrow(table, part))
        self._new = {}

    def _drop(self, settled: Settled) -> None:
        self._put_away()
        for table in OF_ROUNDS:
            self._ask(
                f"delete from all_{table} where round_id = $2 and {MINE[table]}",  # noqa: S608
                [[settled.table_id], settled.round_id],
            ).fetchall()


def _together(rounds: Sequence[Settled]) -> Rows:
    rows: Rows = {}
    for settled in rounds:
        for table, part in settled.rows.items():
            rows.setdefault(table, []).extend(part)
    return rows


def whole(settled: Settled) -> Rows:
    """A round's own rows and after them those around it."""
    around = {
        table: [*settled.rows.get(table, ()), *part] for table, part in settled.around.items()
    }
    return settled.rows | around


def _around(rounds: Sequence[Settled]) -> Rows:
    """What stood around rounds, each row once and none that a round among them has itself."""
    own = {
        row
        for settled in rounds
        for table in ("terms", "limits")
        for row in settled.rows.get(table, ())
    }
    fresh = {(settled.round_id, settled.table_id) for settled in rounds}
    found: dict[str, dict[tuple[object, ...], tuple[object, ...]]] = {}
    for settled in rounds:
        for table, part in settled.around.items():
            for row in part:
                key = row[:2] if table in ("rounds", "table_days") else row
                if row not in own and not (table == "rounds" and key in fresh):
                    found.setdefault(table, {})[key] = row
    return {table: list(rows.values()) for table, rows in found.items()}
