"""The rounds around a time at a table: what people ask for who saw something happen."""

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import duckdb

from audit.errors import Code, Stopped
from audit.finding_pages import utc
from audit.findings import exists
from schemas.money import shown
from schemas.shape import FORMATS

UNITS = {"s": "seconds", "m": "minutes", "h": "hours"}
FEW = 4  # bets shown in a row of the list; the document has them all
EXAMPLE = "roundproof find --table T12 --at 21:40 --within 10m"


class Asked(NamedTuple):
    """A table and a span of time around a moment."""

    table_id: str
    gaming_day: str
    moment: datetime  # with its zone
    within: timedelta

    @property
    def spoken(self) -> str:
        """The span for people, in the zone it was asked in."""
        start, end = self.moment - self.within, self.moment + self.within
        return f"gaming day {self.gaming_day}, {start:%H:%M:%S} to {end:%H:%M:%S} {self.moment:%z}"


class Bet(NamedTuple):
    """One player's chips in a round."""

    wager_id: str
    player_id: str
    bet: str
    stake: int


class Around(NamedTuple):
    """One round near the moment."""

    round_id: str
    opened_at: datetime  # UTC, without a zone
    ended_at: datetime | None
    outcome: str
    status: str
    recorded_status: str | None
    currency: str
    bets: list[Bet]
    findings: list[str]


def asked(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    moment: str,
    *,
    within: str,
    day: str,
    zone: str,
) -> Asked:
    """The question in exact words; Stopped where a part of it cannot be understood."""
    fits, wanted = FORMATS["day"]
    if day and not fits(day):
        raise Stopped(f"gaming day {day!r}: {wanted} expected", EXAMPLE, Code.USAGE)
    days = connection.execute(
        "select gaming_day, opened_at, closed_at from table_days where table_id = ? "
        "order by gaming_day",
        [table],
    ).fetchall()
    if not days:
        raise unknown_table(connection, table, EXAMPLE)
    chosen = [row for row in days if row[0] == day] if day else days[-1:]
    if not chosen:
        known = ", ".join(row[0] for row in days)
        raise Stopped(f"gaming day {day!r}: {known} expected", EXAMPLE, Code.NOT_FOUND)
    gaming_day, opened, closed = chosen[0]
    clock = _moment(moment, gaming_day, _zone(zone), opened, closed)
    return Asked(table, gaming_day, clock, _within(within))


def rounds(connection: duckdb.DuckDBPyConnection, question: Asked) -> list[Around]:
    """The rounds that touch the span, in the table's order."""
    start, end = (_naive(question.moment + sign * question.within) for sign in (-1, 1))
    found = connection.execute(
        """
        select
            round_id, opened_at, ended_at, outcome, status, recorded_status, currency
        from rounds
        where table_id = $table and gaming_day = $day
            and opened_at <= $end and coalesce(ended_at, settled_at, opened_at) >= $start
        order by opened_seq
        """,
        {"table": question.table_id, "day": question.gaming_day, "start": start, "end": end},
    ).fetchall()
    bets = _bets(connection, question.table_id, [row[0] for row in found])
    flagged = _findings(connection, question.table_id)
    return [Around._make((*row, bets.get(row[0], []), flagged.get(row[0], []))) for row in found]


def cells(question: Asked, round: Around) -> tuple[str, ...]:
    """The round as a row of the list."""
    opened = round.opened_at.replace(tzinfo=UTC).astimezone(question.moment.tzinfo)
    same = round.recorded_status in (round.status, None)
    status = round.status if same else f"{round.status}, recorded {round.recorded_status}"
    bets = [
        f"{bet.player_id} {bet.bet} {shown(bet.stake, round.currency)}" for bet in round.bets[:FEW]
    ]
    if len(round.bets) > FEW:
        bets.append(f"and {len(round.bets) - FEW} more")
    told = (round.round_id, f"{opened:%H:%M:%S}", round.outcome or "none", status)
    return (*told, ", ".join(bets) or "none", " ".join(round.findings) or "none")


def document(question: Asked, found: list[Around]) -> dict[str, Any]:
    """The answer as plain JSON values."""
    return {
        "table_id": question.table_id,
        "gaming_day": question.gaming_day,
        "from": utc(_naive(question.moment - question.within)),
        "to": utc(_naive(question.moment + question.within)),
        "rounds": [
            round._asdict()
            | {
                "opened_at": utc(round.opened_at),
                "ended_at": round.ended_at and utc(round.ended_at),
                "bets": [bet._asdict() | {"stake": str(bet.stake)} for bet in round.bets],
            }
            for round in found
        ],
    }


def _bets(
    connection: duckdb.DuckDBPyConnection, table: str, ids: list[str]
) -> dict[str, list[Bet]]:
    found: dict[str, list[Bet]] = {}
    for round_id, *bet in connection.execute(
        "select round_id, wager_id, player_id, bet, stake from wagers "
        "where table_id = ? and round_id in (select unnest(?)) order by placed_seq, wager_id",
        [table, ids],
    ).fetchall():
        found.setdefault(round_id, []).append(Bet(*bet))
    return found


def _findings(connection: duckdb.DuckDBPyConnection, table: str) -> dict[str, list[str]]:
    if not exists(connection):
        return {}
    rows = connection.execute(
        "select round_id, list(finding_id order by severity, finding_id) from findings "
        "where table_id = ? and round_id is not null and state <> 'gone' group by round_id",
        [table],
    ).fetchall()
    return dict(rows)


def unknown_table(connection: duckdb.DuckDBPyConnection, table: str, step: str) -> Stopped:
    """What to say of a table that the house does not have."""
    rows = connection.execute("select distinct table_id from table_days order by 1").fetchall()
    known = ", ".join(row[0] for row in rows) or "a house with tables"
    return Stopped(f"table {table!r}: one of {known} expected", step, Code.NOT_FOUND)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        what = f"zone {name!r}: a zone such as Asia/Ho_Chi_Minh or UTC expected"
        raise Stopped(what, EXAMPLE, Code.USAGE) from error


def _within(text: str) -> timedelta:
    found = re.fullmatch(r"(\d{1,6})([smh])", text)
    if not found:
        raise Stopped(f"--within {text!r}: 90s, 10m or 1h expected", EXAMPLE, Code.USAGE)
    return timedelta(**{UNITS[found[2]]: int(found[1])})


def _moment(
    text: str, day: str, zone: ZoneInfo, opened: datetime | None, closed: datetime | None
) -> datetime:
    """The moment meant: a time alone lies on the gaming day, or in the night after it."""
    try:
        if "T" in text or " " in text:
            given = datetime.fromisoformat(text)
            return given if given.tzinfo else given.replace(tzinfo=zone)
        clock = time.fromisoformat(text)
    except ValueError as error:
        what = f"--at {text!r}: 21:40 or 2026-03-01T21:40 expected"
        raise Stopped(what, EXAMPLE, Code.USAGE) from error
    first = datetime.combine(date.fromisoformat(day), clock, zone)
    nights = (first, first + timedelta(days=1))
    return min(nights, key=lambda moment: _outside(_naive(moment), opened, closed))


def _outside(moment: datetime, opened: datetime | None, closed: datetime | None) -> timedelta:
    """How far a moment lies outside the table's opening hours."""
    early = opened - moment if opened else timedelta()
    late = moment - closed if closed else timedelta()
    return max(early, late, timedelta())


def _naive(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(tzinfo=None)
