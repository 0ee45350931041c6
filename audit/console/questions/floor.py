"""The floor: every table with its last round, its open findings and how fast it plays."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import duckdb

PACE_ROUNDS = 20  # the rounds that the pace is taken from
STALE_S = 30.0  # a table without an event for this long, while others play, needs a look

TABLES = f"""
    with open_findings as (
        select
            table_id,
            count(*) filter (severity = 'S1') as s1,
            count(*) filter (severity = 'S2') as s2,
            sum(house_minor) as house_minor,
            sum(player_minor) as player_minor
        from findings
        where state != 'gone' and not list_contains($cleared::varchar[], finding_id)
        group by table_id
    ),
    days as (
        select
            table_id,
            max(gaming_day) as gaming_day,
            max_by(closed_at, gaming_day) as closed_at,
            max_by(opened_at, gaming_day) as opened_at
        from table_days
        group by table_id
    ),
    today as (
        select round.* from rounds as round
        join days using (table_id, gaming_day)
        where round.gaming_day >= (select min(gaming_day) from days)
    ),
    latest as (
        select * from today
        qualify row_number() over (
            partition by table_id order by opened_at desc, opened_seq desc
        ) = 1
    ),
    recent as (
        select table_id, opened_at from today
        qualify row_number() over (
            partition by table_id order by opened_at desc, opened_seq desc
        ) <= {PACE_ROUNDS}
    ),
    pace as (
        select
            table_id,
            3600 * (count(*) - 1)
                // greatest(1, date_diff('second', min(opened_at), max(opened_at)))
                as rounds_an_hour
        from recent
        group by table_id
    ),
    unknowns as (
        select table_id, count(*) as unknown from today where status = 'unknown' group by table_id
    )
    select
        day.table_id,
        day.gaming_day::varchar as gaming_day,
        coalesce(latest.game, '') as game,
        coalesce(latest.currency, '') as currency,
        latest.round_id,
        coalesce(latest.number, 0) as number,
        coalesce(latest.status, '') as status,
        coalesce(latest.outcome, '') as outcome,
        latest.opened_at as round_opened_at,
        latest.closed_at as betting_closed_at,
        latest.settled_at,
        latest.ended_at as round_ended_at,
        case when day.closed_at >= day.opened_at then day.closed_at end as table_closed_at,
        coalesce(pace.rounds_an_hour, 0) as rounds_an_hour,
        coalesce(found.s1, 0) as s1,
        coalesce(found.s2, 0) as s2,
        coalesce(found.house_minor, 0)::bigint as house_minor,
        coalesce(found.player_minor, 0)::bigint as player_minor,
        coalesce(unknowns.unknown, 0) as unknown
    from days as day
    left join latest using (table_id)
    left join pace using (table_id)
    left join open_findings as found using (table_id)
    left join unknowns using (table_id)
    where starts_with(day.table_id, $pit)
    order by s1 desc, s2 desc, unknown desc, day.table_id
"""  # noqa: S608  (one of our own numbers)


class TableTile(NamedTuple):
    """One table of the floor."""

    table_id: str
    gaming_day: str | None
    game: str
    currency: str
    round_id: str | None
    number: int
    status: str
    outcome: str
    round_opened_at: datetime | None
    betting_closed_at: datetime | None
    settled_at: datetime | None
    round_ended_at: datetime | None
    table_closed_at: datetime | None
    rounds_an_hour: int
    s1: int
    s2: int
    house_minor: int
    player_minor: int
    unknown: int

    @property
    def state(self) -> str:
        """What the table does, in a word: closed, settling, dealing or betting."""
        if self.table_closed_at:
            return "closed"
        if self.round_id is None or self.round_ended_at:
            return "between rounds"
        if self.settled_at:
            return "settling"
        return "dealing" if self.betting_closed_at else "betting"


class Floor(NamedTuple):
    """The tables, the gravest first, and what they come to."""

    tiles: list[TableTile]

    def total(self, field: str) -> int:
        """The sum of a figure over the tables."""
        return sum(getattr(tile, field) for tile in self.tiles)

    def money(self, field: str) -> dict[str, int]:
        """The sum of an amount by currency."""
        found: dict[str, int] = {}
        for tile in self.tiles:
            if getattr(tile, field):
                found[tile.currency] = found.get(tile.currency, 0) + getattr(tile, field)
        return found

    @property
    def open(self) -> int:
        """How many tables are open."""
        return sum(tile.state != "closed" for tile in self.tiles)

    @property
    def gaming_day(self) -> str:
        """The newest gaming day."""
        return max((tile.gaming_day or "" for tile in self.tiles), default="")


def floor(db: duckdb.DuckDBPyConnection, pit: str = "", cleared: Sequence[str] = ()) -> Floor:
    """The floor, or the tables of one pit; findings that somebody cleared do not count."""
    asked = {"pit": pit, "cleared": list(cleared)}
    return Floor([TableTile(*row) for row in db.execute(TABLES, asked).fetchall()])
