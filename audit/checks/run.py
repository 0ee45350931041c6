"""Running the checks: each query over the auditor's tables, its rows as findings."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

import duckdb

from audit.checks import case_rows, views
from audit.checks.catalogue import BadCheck, Check
from replay.short_record import WAGER
from replay.tables.rows import day_of

REQUIRED = ("subject", "table_id", "round_id", "certain", "expected", "found", "evidence")
OPTIONAL = ("clauses", "house_minor", "player_minor", "gaming_day")
# Families that go by which readings a round has; the others tell of the record itself.
JUDGES = frozenset({"BET", "DEAL", "IRR", "PAY", "REC", "SHOE"})
BESIDE_TABLES = frozenset({"CASE", "STAFF"})  # families that read what is kept beside the tables
NOT_ENTERED = "REC-10"  # tells of the very wager that nobody entered
MOST = 2**63 - 1  # that a finding's amount can say; the words beside it say it whole
SHORT = 10  # hex digits of the hash in a finding's id


class CheckFinding(NamedTuple):
    """One row of a check; the fields are the columns of findings.sql."""

    finding_id: str
    check_id: str
    severity: str
    title: str
    table_id: str
    gaming_day: str | None
    round_id: str | None
    subject: str
    certain: bool
    expected: str
    found: str
    clauses: tuple[str, ...]
    evidence: tuple[str, ...]
    house_minor: int
    player_minor: int
    currency: str | None
    state: str = "new"


class Place(NamedTuple):
    """What a table or a round was playing."""

    game: str
    currency: str | None
    gaming_day: date | None
    doubtful: bool = False  # whether readings may count to the wrong round
    lacks: str = ""  # what is missing of the round's record

    def clears(self, check: Check) -> bool:
        """Whether what a check finds here may have another explanation."""
        missing = self.lacks and not (self.lacks == WAGER and check.check_id == NOT_ENTERED)
        return check.family in JUDGES and bool(self.doubtful or missing)


def prepare(
    connection: duckdb.DuckDBPyConnection,
    checks: Iterable[Check] = (),
    made: Callable[[str], object] = str,
) -> None:
    """Give the connection the views and macros that the checks read.

    A view that several of these checks read becomes a temporary table, worked out here and once.
    Where nobody lent the tables of disputes, checks of disputes get empty ones. Each view's name is
    told to `made` when it is there.
    """
    checks = tuple(checks)
    if any(check.family in BESIDE_TABLES for check in checks):
        case_rows.lend_empty(connection)
    views.lend(connection, _shared(checks), made)


def rows(
    connection: duckdb.DuckDBPyConnection, check: Check, statement: str = ""
) -> list[dict[str, Any]]:
    """The rows of a check in its own order; BadCheck where its columns are not a check's.

    A statement that was prepared of its query may stand for it.
    """
    answer = connection.execute(statement or check.sql)
    columns = [column[0] for column in answer.description or ()]
    missing = [name for name in REQUIRED if name not in columns]
    unknown = [name for name in columns if name not in REQUIRED + OPTIONAL]
    if missing or unknown:
        raise BadCheck(
            f"{check.check_id}: columns {', '.join(REQUIRED)} expected, "
            f"{', '.join(missing) or 'none'} missing, {', '.join(unknown) or 'none'} unknown"
        )
    return [dict(zip(columns, row, strict=True)) for row in answer.fetchall()]


def run(
    connection: duckdb.DuckDBPyConnection, check: Check, statement: str = ""
) -> Iterator[CheckFinding]:
    """The findings of one check, each with its stable id."""
    found = rows(connection, check, statement)
    places = _places(connection, found) if found else {}
    for row in found:
        whole = places.get((row["table_id"], None), Place("", None, None))
        place = places.get((row["table_id"], row["round_id"]), whole)
        yield CheckFinding(
            finding_id=finding_id(check.check_id, row["table_id"], row["round_id"], row["subject"]),
            check_id=check.check_id,
            severity=check.severity,
            title=check.title,
            table_id=row["table_id"],
            gaming_day=day_text(
                row.get("gaming_day") or (place.gaming_day if row["round_id"] else None)
            ),
            round_id=row["round_id"],
            subject=row["subject"],
            certain=row["certain"] and not place.clears(check),
            expected=row["expected"],
            found=row["found"],
            clauses=tuple(row.get("clauses") or _of_game(check.clauses, place.game or whole.game)),
            evidence=tuple(row["evidence"]),
            house_minor=_amount(row.get("house_minor")),
            player_minor=_amount(row.get("player_minor")),
            currency=place.currency,
        )


def day_text(day: date | str | None) -> str | None:
    """A gaming day as YYYY-MM-DD; None where it is unknown, or no day at all."""
    found = day_of(day) if isinstance(day, str) else day
    return found.isoformat() if found else None


def _amount(found: int | None) -> int:
    """An amount as a finding can hold it: a sum of many may be longer than 64 bits."""
    return max(-MOST, min(int(found or 0), MOST))


def finding_id(check_id: str, table_id: str, round_id: str | None, subject: str) -> str:
    """The same for the same thing at the same place, in every run and on every machine."""
    named = json.dumps([check_id, table_id, round_id, subject], ensure_ascii=False)
    return f"{check_id}-{hashlib.sha256(named.encode()).hexdigest()[:SHORT]}"


def _shared(checks: Iterable[Check]) -> frozenset[str]:
    """The views that several of these checks read, by themselves or by way of another view."""
    read = [check.sql for check in checks]
    shared = set[str]()
    for view in reversed(views.views()):  # a later one may read an earlier one
        readers = sum(bool(re.search(rf"\b{view.name}\b", sql)) for sql in read)
        if readers > 1:
            shared.add(view.name)
        read += [view.sql] * min(readers, 1)
    return frozenset(shared)


def _places(
    connection: duckdb.DuckDBPyConnection, found: Sequence[Mapping[str, Any]]
) -> dict[tuple[str, str | None], Place]:
    """What the rounds of these rows and, without a round, their tables were playing."""
    tables = sorted({row["table_id"] for row in found})
    rounds = sorted({row["round_id"] for row in found if row["round_id"]})
    named = connection.execute(
        """
        select
            table_id, null as round_id, game, currency, null as gaming_day, false as doubtful,
            '' as lacks, seq
        from terms
        where table_id in (select unnest($tables))
        union all
        select
            table_id, round_id, game, currency, gaming_day, coalesce(bounds_doubtful, false),
            coalesce(record_lacks, ''), opened_seq
        from rounds
        where table_id in (select unnest($tables)) and round_id in (select unnest($rounds))
        order by seq
        """,
        {"tables": tables, "rounds": rounds},
    ).fetchall()
    return {(table, round): Place(*rest) for table, round, *rest, _ in named}


def _of_game(clauses: tuple[str, ...], game: str) -> tuple[str, ...]:
    """The clauses of the game's own rulebook; all of them where the game is not known."""
    return tuple(anchor for anchor in clauses if game in ("", anchor.partition(":")[0]))
