"""What a batch run of the live checks finds in table-days."""

from collections.abc import Iterable, Sequence

import duckdb

from audit import run_checks
from audit.catalogue import checks
from audit.run_checks import Finding
from replay import derived, rulebooks, tables
from replay.rows import derive
from replay.source import Sealed, gaming_day

LIVE = tuple(check for check in checks().values() if check.mode == "live")


def findings(days: Iterable[Sequence[Sealed]]) -> dict[str, Finding]:
    """Every finding of the live checks over table-days that were replayed."""
    with duckdb.connect(":memory:") as db:
        db.execute(tables.sql())
        for sealed in days:
            rows = derive(gaming_day(sealed), sealed, rulebooks.in_force).rows
            for table, part in rows.items():
                whole = derived.arrow(table, part)
                db.register("part", whole)
                db.execute(f"insert into {table} select * from part")
                db.unregister("part")
        run_checks.prepare(db, LIVE)
        return {
            finding.finding_id: finding for check in LIVE for finding in run_checks.run(db, check)
        }
