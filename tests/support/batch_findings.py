"""What a batch run of the live checks finds in table-days."""

from collections.abc import Iterable, Sequence

import duckdb

from audit.checks import run as run_checks
from audit.checks.catalogue import checks
from audit.checks.run import CheckFinding
from replay import rulebooks
from replay.batch.source import Sealed, gaming_day
from replay.tables import dictionary, sql_rows
from replay.tables.derive import derive

LIVE = tuple(check for check in checks().values() if check.mode == "live")


def findings(days: Iterable[Sequence[Sealed]]) -> dict[str, CheckFinding]:
    """Every finding of the live checks over table-days that were replayed."""
    with duckdb.connect(":memory:") as db:
        db.execute(dictionary.sql())
        for sealed in days:
            rows = derive(gaming_day(sealed), sealed, rulebooks.in_force).rows
            for table, part in rows.items():
                whole = sql_rows.arrow(table, part)
                db.register("part", whole)
                db.execute(f"insert into {table} select * from part")
                db.unregister("part")
        run_checks.prepare(db, LIVE)
        return {
            finding.finding_id: finding for check in LIVE for finding in run_checks.run(db, check)
        }
