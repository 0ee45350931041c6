"""Findings: kept in the house's DuckDB file, the same id for the same thing in every run."""

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa

from audit.run_checks import Finding
from replay import tables

TABLE = "findings"


class Wanted(NamedTuple):
    """Which findings to read; an empty field leaves nothing out."""

    severities: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    table_id: str = ""
    round_id: str = ""
    gone: bool = False  # with those that no longer hold


@cache
def about() -> tables.Table:
    """The findings' own page of the dictionary."""
    return tables.parsed(_sql())[TABLE]


def store(
    connection: duckdb.DuckDBPyConnection, ran: Iterable[str], found: Sequence[Finding]
) -> None:
    """Keep what the checks that ran found; what they no longer find is gone, never deleted."""
    connection.register("just_found", _arrow(found))
    connection.execute("begin")
    _create(connection)
    connection.execute(
        "create or replace temp table living as "
        "select finding_id, state from findings where state <> 'gone'"
    )
    connection.execute(
        "update findings set state = 'gone' where check_id in (select unnest(?))", [sorted(ran)]
    )
    connection.execute(
        "delete from findings where finding_id in (select finding_id from just_found)"
    )
    connection.execute(
        """
        insert into findings
        select found.* replace (coalesce(living.state, 'new') as state)
        from just_found as found
        left join living using (finding_id)
        order by finding_id
        """
    )
    connection.execute("commit")
    connection.unregister("just_found")


def read(connection: duckdb.DuckDBPyConnection, wanted: Wanted = Wanted()) -> list[Finding]:  # noqa: B008
    """The findings that are wanted, the gravest and costliest first."""
    if not exists(connection):
        return []
    answer = connection.execute(
        """
        select *
        from findings
        where (len($severities) = 0 or severity in (select unnest($severities)))
            and (len($checks) = 0 or check_id in (select unnest($checks)))
            and ($table_id = '' or table_id = $table_id)
            and ($round_id = '' or round_id = $round_id)
            and ($gone or state <> 'gone')
        order by
            severity, house_minor + player_minor desc, check_id, table_id, round_id, subject
        """,
        wanted._asdict() | {"severities": list(wanted.severities), "checks": list(wanted.checks)},
    )
    return [_finding(row) for row in answer.fetchall()]


def named(connection: duckdb.DuckDBPyConnection, finding_id: str) -> list[Finding]:
    """The findings whose id starts so; several where it is too short."""
    if not exists(connection):
        return []
    answer = connection.execute(
        "select * from findings where starts_with(finding_id, ?) order by finding_id",
        [finding_id],
    )
    return [_finding(row) for row in answer.fetchall()]


def exists(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether the checks ever ran over this file."""
    found = connection.execute(
        "select 1 from duckdb_tables() where table_name = ? and not temporary", [TABLE]
    )
    return found.fetchone() is not None


def _create(connection: duckdb.DuckDBPyConnection) -> None:
    if not exists(connection):
        connection.execute(_sql())
    page = about()
    for what, text in [
        (f"table {page.name}", page.about),
        *((f"column {page.name}.{column.name}", column.about) for column in page.columns),
    ]:
        connection.execute(f"comment on {what} is '{text.replace(chr(39), chr(39) * 2)}'")


def _sql() -> str:
    return (files("audit") / "findings.sql").read_text("utf-8")


def _arrow(found: Sequence[Finding]) -> Any:
    kinds = {
        "varchar": pa.string(),
        "varchar[]": pa.list_(pa.string()),
        "boolean": pa.bool_(),
        "bigint": pa.int64(),
    }
    schema = pa.schema([(column.name, kinds[column.kind]) for column in about().columns])
    return pa.Table.from_pylist([finding._asdict() for finding in found], schema=schema)


def _finding(row: tuple[Any, ...]) -> Finding:
    finding = Finding(*row)
    return finding._replace(clauses=tuple(finding.clauses), evidence=tuple(finding.evidence))
