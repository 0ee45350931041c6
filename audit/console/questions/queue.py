"""The finding queue: what is open, the gravest and costliest first, one row a round and check."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import duckdb

from audit.checks import findings
from audit.checks.run import CheckFinding

PAGE = 200  # rows of one page; the last line says how many findings there are

OPEN = """
    select
        finding.finding_id,
        finding.check_id,
        finding.severity,
        finding.title,
        finding.table_id,
        finding.round_id,
        finding.certain,
        finding.house_minor,
        finding.player_minor,
        coalesce(finding.currency, '') as currency,
        finding.state,
        round.opened_at,
        coalesce(round.game, '') as game
    from findings as finding
    left join rounds as round using (table_id, gaming_day, round_id)
    where case
            when $state = 'all' then true
            when finding.state = 'gone' then $state = 'gone'
            when list_contains($cleared::varchar[], finding.finding_id) then $state = 'cleared'
            else $state = 'open'
        end
        and ($severity = '' or finding.severity = $severity)
        and ($table = '' or finding.table_id = $table)
        and ($check = '' or finding.check_id = $check)
        and ($sure = '' or finding.certain = ($sure = 'certain'))
        and starts_with(finding.table_id, $pit)
"""
ORDERS = {
    "money": "finding.severity, finding.house_minor + finding.player_minor desc, "
    "finding.finding_id",
    "newest": "round.opened_at desc nulls last, finding.finding_id",
    "table": "finding.table_id, finding.round_id, finding.severity, finding.finding_id",
}


class QueueFilter(NamedTuple):
    """Which findings to list, and in which order."""

    severity: str = ""
    table: str = ""
    check: str = ""
    sure: str = ""  # certain or possible
    state: str = "open"  # open, cleared, gone or all
    order: str = "money"
    pit: str = ""
    skip: int = 0  # rows before the first of the page


class QueueRow(NamedTuple):
    """One row: a finding, and how many more its round has."""

    finding_id: str
    check_id: str
    severity: str
    title: str
    table_id: str
    round_id: str | None
    certain: bool
    house_minor: int
    player_minor: int
    currency: str
    state: str
    opened_at: datetime | None
    game: str
    more: int = 0

    @property
    def at_stake(self) -> int:
        """The money it is about."""
        return self.house_minor + self.player_minor

    @property
    def short(self) -> str:
        """Who is short: the house, the player, both or nobody."""
        sides = (("house", self.house_minor), ("player", self.player_minor))
        return " and ".join(side for side, minor in sides if minor)


class FindingQueue(NamedTuple):
    """The rows of a page, and how many findings there are in all."""

    rows: list[QueueRow]
    total: int
    counts: dict[str, int]  # open findings by severity, whatever is filtered


def add_live(db: duckdb.DuckDBPyConnection, live: Sequence[CheckFinding]) -> None:
    """Let a cursor see the findings that are published and not on file yet, beside the others."""
    db.register("live_findings", findings.arrow(live))
    db.execute(
        "create or replace temp view findings as select * from audit.findings union all by name"
        " select * from live_findings"
        " where finding_id not in (select finding_id from audit.findings)"
    )


def queue(
    db: duckdb.DuckDBPyConnection, wanted: QueueFilter, cleared: Sequence[str] = ()
) -> FindingQueue:
    """The findings that are wanted; those of one round and severity fold into one row.

    Those that somebody cleared are not open any more.
    """
    asked = wanted._asdict() | {"cleared": list(cleared)}
    order, skip = ORDERS[asked.pop("order")], asked.pop("skip")
    folded = (
        f"with wanted as ({OPEN}) "  # noqa: S608  (our own text)
        "select *, count(*) over (partition by table_id, coalesce(round_id, finding_id), severity)"
        " - 1 as more from wanted "
        "qualify row_number() over (partition by table_id, coalesce(round_id, finding_id), severity"
        " order by house_minor + player_minor desc, finding_id) = 1 "
        f"order by {order.replace('finding.', '').replace('round.', '')} limit {PAGE} offset {skip}"
    )
    rows = [QueueRow(*row) for row in db.execute(folded, asked).fetchall()]
    (total,) = _one(db, f"select count(*) from ({OPEN})", asked)  # noqa: S608  (our own text)
    return FindingQueue(rows, total, open_counts(db, wanted.pit, cleared))


def open_counts(
    db: duckdb.DuckDBPyConnection, pit: str, cleared: Sequence[str] = ()
) -> dict[str, int]:
    """How many findings are open in a pit, by severity."""
    counts = db.execute(
        "select severity, count(*) from findings where state != 'gone'"
        " and not list_contains($cleared::varchar[], finding_id)"
        " and starts_with(table_id, $pit) group by severity",
        {"pit": pit, "cleared": list(cleared)},
    ).fetchall()
    return dict(counts)


def _one(db: duckdb.DuckDBPyConnection, sql: str, asked: dict[str, Any]) -> tuple[Any, ...]:
    row = db.execute(sql, asked).fetchone()
    assert row is not None
    return row
