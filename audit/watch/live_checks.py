"""Runs the live checks over the open table-days.

Rounds are looked at as they settle. What a check of a single round cannot see - a device that fell
silent, a tray that does not balance - is looked at table by table, and the whole day at its end.
"""

from collections.abc import Collection, Sequence

from audit.checks.catalogue import Check, checks
from audit.checks.run import CheckFinding
from audit.watch.check_database import CheckDatabase
from audit.watch.open_day_rows import KEPT, OpenDayRows
from replay.live.table_day import LiveTable, Settled
from replay.tables.rows import Rows

OF_PLACES = {"rounds", "terms"}  # every finding is asked for its game and currency there
MANY = 10_000  # rows that are worth a plan of their own


class LiveChecks:
    """One database in memory for all tables of a worker."""

    def __init__(self, live: Sequence[Check] = ()) -> None:
        live = live or [check for check in checks().values() if check.mode == "live"]
        self._live = tuple(check.check_id for check in live)
        self._of_round = tuple(check.check_id for check in live if check.live == "round")
        self._of_day = tuple(check.check_id for check in live if check.live == "table-day")
        self._database = CheckDatabase(live, kept=KEPT)
        self.day_rows = OpenDayRows(self._database)
        self.relevant = self._database.relevant_checks(self._of_round)

    @property
    def failed(self) -> dict[str, str]:
        """Checks that could not be run, and why; whoever told of them empties it."""
        return self._database.failed

    def settle(self, rounds: Sequence[Settled]) -> list[CheckFinding]:
        """Keep the rows of rounds that settled; what the checks of a round find in them."""
        self.day_rows.keep(rounds)
        causes = {n: self.relevant.to_round(whole(settled)) for n, settled in enumerate(rounds)}
        wanted = {check for checks in causes.values() for check in checks}
        if not wanted:
            return []
        return self.look([rounds[n] for n, checks in causes.items() if checks], wanted)

    def look(self, rounds: Sequence[Settled], wanted: Collection[str]) -> list[CheckFinding]:
        """What some checks of a round find in rounds."""
        rows = _together(rounds)
        if not rows.get("flags"):
            rows.pop("steps", None)  # which are looked at beside a flag only
        read = self._database.reads(wanted) | OF_PLACES
        for part in (rows, _around(rounds)):
            self._database.put({table: part[table] for table in part if table in read})
        fresh = {(settled.table_id, settled.round_id) for settled in rounds}
        found = self._found([check for check in self._of_round if check in wanted])
        return [finding for finding in found if (finding.table_id, finding.round_id) in fresh]

    def tables(self, days: Sequence[LiveTable]) -> list[CheckFinding]:
        """What the checks find that look beyond a round."""
        read = self._database.reads(self._of_day) | OF_PLACES
        rows: Rows = {}
        for table in days:
            for name, part in table.beyond().items():
                if name in read:
                    rows.setdefault(name, []).extend(part)
        self._database.put(rows)
        return self._found(self._of_day, many=sum(map(len, rows.values())) > MANY)

    def day(self, table: LiveTable) -> list[CheckFinding]:
        """What all live checks find in a table-day as a whole."""
        self.day_rows.lay(table.table_id)
        self._database.put(table.standing())
        return self._found(self._live, many=True)

    def _found(self, checks: Sequence[str], *, many: bool = False) -> list[CheckFinding]:
        found = list(self._database.findings(checks, many=many))
        self._database.clear()
        return found


def is_of_table_day(finding: CheckFinding) -> bool:
    """Whether the check behind a finding looks at a table-day and not at a round."""
    return checks()[finding.check_id].live == "table-day"


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
