"""The tables `cases`, `case_steps`, `finding_reviews`, `certificates` and `filings`.

The CASE checks read them. They are made of the streams of cases and of reviews, of the rulebooks
and of the house's `filings.toml`. No clock is
read: what is overdue is overdue by the latest time that the log knows, so the same house gives the
same findings.
"""

import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import duckdb

from audit.cases import case_log, clocks, jurisdiction, rules
from audit.cases.case import Case
from audit.checks import reviews
from ingest.local.log import LocalLog
from ingest.log import LogCorrupt
from replay import rulebooks
from replay.rulebooks.edition import Edition
from replay.tables import dictionary
from replay.tables.rows import day_of
from schemas import events as e
from schemas import published
from schemas.codec import UNREADABLE

FILINGS = "filings.toml"
FINDINGS = "findings"  # the stream of what the checks found
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Rows = Mapping[str, Sequence[tuple[Any, ...]]]


class BadFilings(ValueError):
    """The file of filings holds something else than filings."""


@cache
def about() -> Mapping[str, dictionary.Table]:
    """The pages of the dictionary, by table."""
    return dictionary.parsed(sql())


def sql() -> str:
    """The statements that create the tables."""
    return (files("audit.checks") / "cases.sql").read_text("utf-8")


def lend(connection: duckdb.DuckDBPyConnection, home: Path) -> None:
    """Give a connection the tables as the log has them now, for as long as it lasts."""
    connection.execute(sql().replace("create table", "create or replace temp table"))
    _fill(connection, rows(home, _known_until(connection)))


def lend_empty(connection: duckdb.DuckDBPyConnection) -> None:
    """Give a connection that has none of them empty ones."""
    there = connection.execute("select 1 from duckdb_tables() where table_name = 'case_steps'")
    if there.fetchone() is None:
        connection.execute(sql().replace("create table", "create temp table"))


def put(connection: duckdb.DuckDBPyConnection, home: Path) -> None:
    """Make the tables of a file anew."""
    for name in about():
        connection.execute(f"drop table if exists {name}")
    connection.execute(sql())
    _fill(connection, rows(home, _known_until(connection)))
    for page in about().values():
        _comment(connection, f"table {page.name}", page.about)
        for column in page.columns:
            _comment(connection, f"column {page.name}.{column.name}", column.about)


def rows(home: Path, known_until: int) -> Rows:
    """The rows of every table; those of damaged partitions are missing."""
    found = list(case_log.load(home).cases.values())
    until = max((step.recorded_at for case in found for step in case.steps), default=0)
    as_of = _moment(max(until, known_until))
    return {
        "cases": [_case(case, as_of) for case in found],
        "case_steps": [row for case in found for row in _steps(case)],
        "finding_reviews": list(_reviews(home)),
        "certificates": list(_certificates()),
        "filings": list(_filings(home / FILINGS)),
    }


def _case(case: Case, as_of: datetime | None) -> tuple[Any, ...]:
    raised, duties = case.raised, jurisdiction.of(case.raised.jurisdiction)
    clock = {found.name: found for found in clocks.clocks(case, duties)}
    told = case.told.step if case.told else None
    notice = next(iter(clocks.notices_due(case, duties)), None)
    expires = clocks.video_expires_at(case, duties)
    warn = expires - duties.warn_video_days * clocks.DAY_US if expires else 0
    escalations = case.all(e.DisputeEscalated)
    return (
        case.case_id,
        case.table_id,
        raised.round_id,
        day_of(raised.gaming_day),
        raised.player_id,
        raised.amount,
        raised.currency or None,
        raised.jurisdiction,
        case.stage,
        _moment(case.steps[0].done_at),
        _moment(escalations[0][0].done_at if escalations else None),
        _moment(clock["inform"].due_at if "inform" in clock else None),
        _moment(clock["inform"].done_at if "inform" in clock else None),
        _moment(clock["promise"].due_at if "promise" in clock else None),
        _moment(case.decision.done_at if case.decision else None),
        _moment(case.told.done_at if case.told else None),
        told.agrees if isinstance(told, e.PlayerTold) else None,
        told.right_told if isinstance(told, e.PlayerTold) else None,
        _moment(clock["complaint"].due_at if "complaint" in clock else None),
        _moment(clock["complaint"].done_at if "complaint" in clock else None),
        _moment(_last(case, e.CaseClosed)),
        clocks.is_held(case, "video"),
        _moment(expires),
        _moment(warn),
        notice.name if notice else None,
        _moment(clock[notice.name].due_at if notice else None),
        _moment(clock[notice.name].done_at if notice else None),
        as_of,
    )


def _steps(case: Case) -> Iterator[tuple[Any, ...]]:
    for event in case.steps:
        rule = rules.RULES[type(event.step)]
        yield (
            f"{case.case_id}/{event.number}",
            case.case_id,
            case.table_id,
            event.number,
            rule.verb,
            case.clause(rule.clause),
            event.person_id,
            event.rank,
            _moment(event.done_at),
            _moment(event.recorded_at),
        )


def _reviews(home: Path) -> Iterator[tuple[Any, ...]]:
    made_of_all = reviews.load(home).made
    rounds = _rounds_of_findings(home, {made.table_id for made in made_of_all})
    for made in made_of_all:
        yield (
            *(made.finding_id, made.table_id, made.number, made.verb),
            *(reviews.STATE_AFTER[made.verb], made.person_id, made.rank, made.assignee_id),
            *(made.reason, _moment(made.recorded_at), rounds.get(made.finding_id)),
        )


def _rounds_of_findings(home: Path, tables: Collection[str]) -> dict[str, str | None]:
    """The round of each finding of some tables, as far as their findings can be read."""
    log, rounds = LocalLog(home / "log"), dict[str, str | None]()
    for table in sorted(tables):
        try:
            for record in log.read(FINDINGS, table):
                told = published.decode_told(record.body)
                rounds[told.finding_id] = told.round_id
        except (LogCorrupt, OSError, *UNREADABLE):
            continue  # detect names the damaged stream
    return rounds


def _certificates() -> Iterator[tuple[Any, ...]]:
    for edition in rulebooks.editions():
        if edition.certified:
            lowest, highest = (round(bound * 10_000) for bound in edition.certified)
            yield edition.code, edition.number, lowest, highest, covered(edition)


def covered(edition: Edition) -> list[str] | None:
    """The bets that a certificate covers, where a rule issue says that it leaves others out."""
    issue = edition.issues.get("certified_bets")
    return issue.reading.split("_and_") if issue else None


def _filings(path: Path) -> Iterator[tuple[Any, ...]]:
    """The filings of a house; none where it has no such file."""
    try:
        found = tomllib.loads(path.read_text("utf-8")).get("filing", [])
    except FileNotFoundError:
        return
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadFilings(f"{path}: filings in TOML expected, {error}") from error
    for n, filing in enumerate(found, 1):
        known = isinstance(filing, dict) and isinstance(filing.get("filed_on"), date)
        if not known or not all(isinstance(filing.get(name), str) for name in ("game", "edition")):
            raise BadFilings(f"{path}: filing {n}: game, edition and the day filed_on expected")
        more = (str(filing.get(name, "")) for name in ("authority", "reference"))
        yield filing["game"], filing["edition"], filing["filed_on"], *more


def _last(case: Case, kind: type[e.CaseClosed]) -> int | None:
    found = case.last(kind)
    return found.done_at if found else None


def _known_until(connection: duckdb.DuckDBPyConnection) -> int:
    """When the gateway took the last event that is on file, UTC microseconds."""
    found = connection.execute("select epoch_us(max(ingested_at)) from events").fetchone()
    return int(found[0]) if found and found[0] is not None else 0


def _moment(at_us: int | None) -> datetime | None:
    """A time as DuckDB's timestamps have it, UTC without a zone."""
    return (EPOCH + timedelta(microseconds=at_us)).replace(tzinfo=None) if at_us else None


def _fill(connection: duckdb.DuckDBPyConnection, filled: Rows) -> None:
    for name, found in filled.items():
        marks = ", ".join("?" * len(about()[name].columns))
        if found:
            connection.executemany(f"insert into {name} values ({marks})", found)  # noqa: S608


def _comment(connection: duckdb.DuckDBPyConnection, what: str, text: str) -> None:
    connection.execute(f"comment on {what} is '{text.replace(chr(39), chr(39) * 2)}'")
