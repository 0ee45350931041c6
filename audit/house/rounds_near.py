"""Finding rounds by what people remember: a table, a rough time, a seat, a card, an amount."""

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import duckdb

from audit.checks.findings import exists
from audit.cli.errors import Code, Stopped
from audit.pages.finding import utc
from schemas.money import shown
from schemas.shape import FORMATS

UNITS = {"s": "seconds", "m": "minutes", "h": "hours"}
CLOCK = re.compile(r"\d\d:\d\d(:\d\d(\.\d{1,6})?)?")  # 21.40 is not a time: it may be an amount
DAYS_SHOWN = 3  # gaming days whose opening hours are shown if no round matches
BETS_SHOWN = 4  # bets shown in a row of the list; the JSON document has them all
EXAMPLE = "roundproof find --table T12 --at 21:40 --within 10m, or --player P7 --amount 500000"


class Remembered(NamedTuple):
    """What somebody remembers of a round; an empty field matches every round."""

    seat: str = ""
    player: str = ""
    bet: str = ""
    amount: int | None = None
    card: str = ""
    number: int | None = None
    dealer: str = ""
    outcome: str = ""


class Question(NamedTuple):
    """A table or all, a gaming day or all, a span of time, and what somebody remembers."""

    table_id: str
    gaming_day: str
    zone: ZoneInfo
    moment: datetime | None  # with its zone
    within: timedelta
    remembered: Remembered = Remembered()

    @property
    def spoken(self) -> str:
        """The tables, days and times searched, in the time zone of the list below it."""
        where = f"table {self.table_id}" if self.table_id else "all tables"
        day = f"gaming day {self.gaming_day}" if self.gaming_day else "all gaming days"
        if self.moment is None:
            return f"{where}, {day}"
        start, end = (
            f"{at.astimezone(self.zone):%Y-%m-%d %H:%M:%S}"
            for at in (self.moment - self.within, self.moment + self.within)
        )
        return f"{where}, {day}, {start} to {end}, {self.zone.key}"


class Bet(NamedTuple):
    """One player's chips in a round."""

    wager_id: str
    player_id: str
    box: str
    bet: str
    stake: int


class MatchingRound(NamedTuple):
    """One round that matches the question."""

    round_id: str
    table_id: str
    opened_at: datetime  # UTC, without a zone
    ended_at: datetime | None
    outcome: str
    status: str
    recorded_status: str | None
    currency: str
    bets: list[Bet]
    findings: list[str]


def question(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    moment: str,
    *,
    within: str,
    day: str,
    zone: str,
    remembered: Remembered = Remembered(),  # noqa: B008  (a constant)
) -> Question:
    """The question made exact; raise Stopped if a part of it cannot be understood."""
    fits, wanted = FORMATS["day"]
    if day and not fits(day):
        raise Stopped(f"gaming day {day!r}: {wanted} expected", EXAMPLE, Code.USAGE)
    if not (table or moment or any(value not in ("", None) for value in remembered)):
        what = "a table, a time or another option expected, nothing found"
        raise Stopped(what, EXAMPLE, Code.USAGE)
    days = _days(connection, table)
    if not days:
        raise unknown_table(connection, table, EXAMPLE)
    # A time of day means the last gaming day; without one, or with a date, every day is searched.
    chosen = [row for row in days if row[0] == day] if day else days[-1:]
    if not chosen:
        known = ", ".join(row[0] for row in days)
        raise Stopped(f"gaming day {day!r}: {known} expected", EXAMPLE, Code.NOT_FOUND)
    gaming_day, opened, closed = chosen[0]
    venue, span = _zone(zone), _within(within)
    if not moment:
        return Question(table, day, venue, None, span, remembered)
    if _is_dated(moment):
        return Question(table, day, venue, _dated(moment, venue), span, remembered)
    clock = _moment(moment, gaming_day, venue, opened, closed)
    return Question(table, gaming_day, venue, clock, span, remembered)


def _days(connection: duckdb.DuckDBPyConnection, table: str) -> list[Any]:
    """The gaming days of a table, or of all tables, with their opening and closing times."""
    return connection.execute(
        "select coalesce(gaming_day::varchar, ''), min(opened_at), max(closed_at) from table_days "
        "where $1 in ('', table_id) group by gaming_day order by gaming_day",
        [table],
    ).fetchall()


# The rounds that match a question: one condition for each thing that somebody may remember. Seat,
# player, bet and amount must match one and the same wager: P1's stake does not match P2's.
MATCHING = """
    with paid as (
        select distinct table_id, round_id, wager_id
        from payments
        where $amount in (paid, collected, returned)
    ),
    fitting as (
        select wager.table_id, wager.round_id
        from wagers as wager
        left join paid
            on paid.table_id = wager.table_id
            and paid.round_id = wager.round_id
            and paid.wager_id = wager.wager_id
        where $seat in ('', wager.box)
            and $player in ('', wager.player_id)
            and ($bet = '' or lower($bet) in (lower(wager.bet), lower(wager.kind)))
            and ($amount is null or wager.stake = $amount or paid.wager_id is not null)
        union
        -- a payment whose wager nobody saw has no box, player or bet
        select table_id, round_id from paid where $seat = '' and $player = '' and $bet = ''
    )
    select
        round.round_id, round.table_id, round.opened_at, round.ended_at, round.outcome,
        round.status, round.recorded_status, round.currency
    from rounds as round
    where $table in ('', round.table_id)
        and $day in ('', round.gaming_day::varchar)
        and (
            $start is null
            or coalesce(round.ended_at, round.settled_at, round.opened_at) >= $start
        )
        and ($end is null or round.opened_at <= $end)
        and ($dealer = '' or $dealer in (round.dealer_id, round.inspector_id))
        and (
            $outcome = ''
            or contains(lower(round.outcome), lower($outcome))
            or lower($outcome) in (lower(round.result), lower(round.status))
        )
        and (
            ($seat = '' and $player = '' and $bet = '' and $amount is null)
            or exists (
                from fitting
                where fitting.table_id = round.table_id and fitting.round_id = round.round_id
            )
        )
        and (
            $card = ''
            or exists (
                from cards as card
                where card.table_id = round.table_id
                    and card.round_id = round.round_id
                    and $card in (card.card, card.shoe_card, card.camera_card, card.dealer_card)
            )
        )
        and (
            $number is null
            or exists (
                from spins as spin
                where spin.table_id = round.table_id
                    and spin.round_id = round.round_id
                    and $number in (spin.pocket, spin.dolly)
            )
            or exists (
                from shakes as shake
                where shake.table_id = round.table_id
                    and shake.round_id = round.round_id
                    and $number = list_sum(
                        list_transform(
                            string_split(shake.faces, '-'), lambda face: try_cast(face as integer)
                        )
                    )
            )
        )
    order by round.gaming_day, round.opened_at, round.table_id, round.opened_seq
"""


def rounds(connection: duckdb.DuckDBPyConnection, question: Question) -> list[MatchingRound]:
    """The rounds that match the question, in the order they were opened."""
    span: dict[str, datetime | None] = {"start": None, "end": None}
    if question.moment:
        span["start"] = _naive(question.moment - question.within)
        span["end"] = _naive(question.moment + question.within)
    asked_for = {"table": question.table_id, "day": question.gaming_day, **span}
    found = connection.execute(MATCHING, asked_for | question.remembered._asdict()).fetchall()
    ids = [(row[1], row[0]) for row in found]
    bets, flagged = _bets(connection, ids), _findings(connection)
    return [
        MatchingRound._make((*row, bets.get(place, []), flagged.get(place, [])))
        for row, place in zip(found, ids, strict=True)
    ]


def open_hours(connection: duckdb.DuckDBPyConnection, question: Question) -> str:
    """When the table was open, as a hint if no round matches."""
    spans = []
    for day, opened, closed in _days(connection, question.table_id):
        start, end = (
            f"{_local(moment, question.zone):%Y-%m-%d %H:%M}" if moment else "unknown"
            for moment in (opened, closed)
        )
        spans.append(f"{start} to {end} (gaming day {day})")
    who = f"table {question.table_id} was" if question.table_id else "the tables were"
    earlier = len(spans) - DAYS_SHOWN
    more = f" and {earlier} earlier days" if earlier > 0 else ""
    return f"{who} open {', '.join(spans[-DAYS_SHOWN:])}{more}, {question.zone.key}"


def cells(question: Question, round: MatchingRound) -> tuple[str, ...]:
    """The round as a row of the list."""
    opened = _local(round.opened_at, question.zone)
    same = round.recorded_status in (round.status, None)
    status = round.status if same else f"{round.status}, recorded {round.recorded_status}"
    bets = [
        f"{bet.player_id} {bet.bet} {shown(bet.stake, round.currency)}"
        for bet in round.bets[:BETS_SHOWN]
    ]
    if len(round.bets) > BETS_SHOWN:
        bets.append(f"and {len(round.bets) - BETS_SHOWN} more")
    head = (round.round_id, f"{opened:%m-%d %H:%M:%S}", round.outcome or "none", status)
    return (*head, ", ".join(bets) or "none", " ".join(round.findings) or "none")


def document(question: Question, found: list[MatchingRound]) -> dict[str, Any]:
    """The answer as plain JSON values."""
    return {
        "table_id": question.table_id,
        "gaming_day": question.gaming_day,
        "from": question.moment and utc(_naive(question.moment - question.within)),
        "to": question.moment and utc(_naive(question.moment + question.within)),
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


Place = tuple[str, str]  # a table and a round of it


def _bets(connection: duckdb.DuckDBPyConnection, places: list[Place]) -> dict[Place, list[Bet]]:
    found: dict[Place, list[Bet]] = {}
    for table_id, round_id, *bet in connection.execute(
        "select table_id, round_id, wager_id, player_id, box, bet, stake from wagers "
        "where round_id in (select unnest($1)) order by placed_seq, wager_id",
        [[round_id for _, round_id in places]],
    ).fetchall():
        found.setdefault((table_id, round_id), []).append(Bet(*bet))
    return found


def _findings(connection: duckdb.DuckDBPyConnection) -> dict[Place, list[str]]:
    if not exists(connection):
        return {}
    rows = connection.execute(
        "select table_id, round_id, list(finding_id order by severity, finding_id) from findings "
        "where round_id is not null and state <> 'gone' group by all",
    ).fetchall()
    return {(table_id, round_id): ids for table_id, round_id, ids in rows}


def unknown_table(connection: duckdb.DuckDBPyConnection, table: str, step: str) -> Stopped:
    """The error for a table that does not exist."""
    rows = connection.execute("select distinct table_id from table_days order by 1").fetchall()
    known = ", ".join(row[0] for row in rows)
    what = f"one of {known} expected" if known else "no table was derived yet"
    return Stopped(f"table {table!r}: {what}", step, Code.NOT_FOUND)


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
    """The moment meant by a time alone: on the gaming day, or in the night after it."""
    try:
        if not CLOCK.fullmatch(text):
            raise ValueError(text)
        clock = time.fromisoformat(text)
    except ValueError as error:
        raise _no_time(text) from error
    if not day:
        what = f"--at {text}: a date with the time expected, as the table has no gaming day yet"
        raise Stopped(what, "roundproof find --at 2026-03-01T21:40", Code.USAGE)
    first = datetime.combine(date.fromisoformat(day), clock, zone)
    nights = (first, first + timedelta(days=1))
    return min(nights, key=lambda moment: _outside(_naive(moment), opened, closed))


def _is_dated(text: str) -> bool:
    return "T" in text or " " in text


def _dated(text: str, zone: ZoneInfo) -> datetime:
    """The moment meant by a date and a time; without an offset, in the given zone."""
    try:
        given = datetime.fromisoformat(text)
        _naive(given if given.tzinfo else given.replace(tzinfo=zone))
    except (OverflowError, ValueError) as error:
        raise _no_time(text) from error
    return given if given.tzinfo else given.replace(tzinfo=zone)


def _no_time(text: str) -> Stopped:
    what = f"--at {text!r}: 21:40 or 2026-03-01T21:40 expected"
    return Stopped(what, EXAMPLE, Code.USAGE)


def _outside(moment: datetime, opened: datetime | None, closed: datetime | None) -> timedelta:
    """How far a moment lies outside the table's opening hours."""
    early = opened - moment if opened else timedelta()
    late = moment - closed if closed else timedelta()
    return max(early, late, timedelta())


def _naive(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(tzinfo=None)


def _local(moment: datetime, zone: ZoneInfo) -> datetime:
    """A time of the DuckDB file, which is UTC without a zone, in the venue's zone."""
    return moment.replace(tzinfo=UTC).astimezone(zone)
