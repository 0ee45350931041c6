"""Devices that are silent, clocks that are off, gaps in the record, days that failed."""

from datetime import datetime
from typing import NamedTuple

import duckdb

OFF_MS = 100  # a clock further off than this is named
SILENT = 3  # beats that a device may miss

DEVICES = """
    with last_beat as (
        select * from beats
        qualify row_number() over (partition by table_id, device_id order by seq desc) = 1
    ),
    ends as (
        select table_id, max(occurred_at) as seen_at from events group by table_id
    ),
    raised as (
        select table_id, device_id,
            count(*) filter (kind = 'GapFound') as gaps,
            count(*) filter (kind = 'LateArrived') as late,
            count(*) filter (kind = 'ClockStepped') as steps
        from alarms group by all
    )
    select
        beat.table_id,
        beat.device_id,
        beat.device_kind,
        beat.seen_at,
        beat.interval_s,
        beat.offset_ms,
        beat.state,
        ends.seen_at as table_seen_at,
        coalesce(raised.gaps, 0) as gaps,
        coalesce(raised.late, 0) as late,
        coalesce(raised.steps, 0) as steps
    from last_beat as beat
    join ends using (table_id)
    left join raised using (table_id, device_id)
    where starts_with(beat.table_id, $pit)
    order by beat.table_id, beat.device_kind, beat.device_id
"""


class DeviceHealth(NamedTuple):
    """One device, as its last heartbeat and the gateway's alarms tell."""

    table_id: str
    device_id: str
    device_kind: str
    beat_at: datetime
    interval_s: int
    offset_ms: int
    state: str
    table_seen_at: datetime
    gaps: int
    late: int
    steps: int

    @property
    def silent(self) -> bool:
        """Whether the device missed its beats while its table went on."""
        quiet = (self.table_seen_at - self.beat_at).total_seconds()
        return bool(self.interval_s) and quiet > SILENT * self.interval_s

    @property
    def clock_off(self) -> bool:
        """Whether its clock is further off than a device's may be."""
        return abs(self.offset_ms or 0) > OFF_MS

    @property
    def needs_eyes(self) -> bool:
        """Whether somebody should look at it."""
        return self.silent or self.clock_off or bool(self.gaps) or self.state != "ok"


class FailedDay(NamedTuple):
    """A table-day of which nothing could be derived."""

    table_id: str
    gaming_day: str | None
    why: str


def devices(db: duckdb.DuckDBPyConnection, pit: str = "") -> list[DeviceHealth]:
    """Every device that ever sent a heartbeat, those that need eyes first."""
    found = [DeviceHealth(*row) for row in db.execute(DEVICES, {"pit": pit}).fetchall()]
    return sorted(found, key=lambda each: not each.needs_eyes)


def failed(db: duckdb.DuckDBPyConnection) -> list[FailedDay]:
    """The table-days that could not be derived."""
    rows = db.execute(
        "select table_id, gaming_day::varchar, failed from table_days where failed is not null"
        " order by all"
    ).fetchall()
    return [FailedDay(*row) for row in rows]
