"""Running the checks: each query over the auditor's tables, its rows as findings."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any, NamedTuple

import duckdb

from audit.catalogue import BadCheck, Check

REQUIRED = ("subject", "table_id", "round_id", "certain", "expected", "found", "evidence")
OPTIONAL = ("clauses", "house_minor", "player_minor", "gaming_day")
SHORT = 10  # hex digits of the hash in a finding's id


class Finding(NamedTuple):
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
    gaming_day: str | None


def prepare(connection: duckdb.DuckDBPyConnection) -> None:
    """Give the connection the views and macros that the checks read."""
    connection.execute("set timezone = 'UTC'")
    connection.execute((files("audit") / "views.sql").read_text("utf-8"))


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
) -> Iterator[Finding]:
    """The findings of one check, each with its stable id."""
    found = rows(connection, check, statement)
    places = _places(connection, found) if found else {}
    for row in found:
        whole = places.get((row["table_id"], None), Place("", None, None))
        place = places.get((row["table_id"], row["round_id"]), whole)
        yield Finding(
            finding_id=finding_id(check.check_id, row["table_id"], row["round_id"], row["subject"]),
            check_id=check.check_id,
            severity=check.severity,
            title=check.title,
            table_id=row["table_id"],
            gaming_day=row.get("gaming_day") or (place.gaming_day if row["round_id"] else None),
            round_id=row["round_id"],
            subject=row["subject"],
            certain=row["certain"],
            expected=row["expected"],
            found=row["found"],
            clauses=tuple(row.get("clauses") or _of_game(check.clauses, place.game or whole.game)),
            evidence=tuple(row["evidence"]),
            house_minor=int(row.get("house_minor") or 0),
            player_minor=int(row.get("player_minor") or 0),
            currency=place.currency,
        )


def finding_id(check_id: str, table_id: str, round_id: str | None, subject: str) -> str:
    """The same for the same thing at the same place, in every run and on every machine."""
    named = json.dumps([check_id, table_id, round_id, subject], ensure_ascii=False)
    return f"{check_id}-{hashlib.sha256(named.encode()).hexdigest()[:SHORT]}"


def _places(
    connection: duckdb.DuckDBPyConnection, found: Sequence[Mapping[str, Any]]
) -> dict[tuple[str, str | None], Place]:
    """What the rounds of these rows and, without a round, their tables were playing."""
    tables = sorted({row["table_id"] for row in found})
    rounds = sorted({row["round_id"] for row in found if row["round_id"]})
    named = connection.execute(
        """
        select table_id, null as round_id, game, currency, null as gaming_day, seq
        from terms
        where table_id in (select unnest($tables))
        union all
        select table_id, round_id, game, currency, gaming_day, opened_seq
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
