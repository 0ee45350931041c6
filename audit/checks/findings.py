"""Findings: events of the log and a table made of them, the same id for a thing in every run."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa

from audit.checks import case_rows, catalogue, findings_log, views
from audit.checks.findings_log import Head, Standing, Told
from audit.checks.run import CheckFinding, day_text
from ingest.log import LogCorrupt
from replay.tables import dictionary, duckdb_file, parquet, proven_file
from replay.tables.duckdb_file import FILE
from replay.tables.proven_file import FileChanged
from replay.tables.rows import day_of

TABLE, HEADS = "findings", "finding_heads"
BEFORE = "before-the-log"  # the run of findings that a file held when the log had none yet


class FindingsDiffer(Exception):
    """A table of findings that is not what the log says."""


class Wanted(NamedTuple):
    """Which findings to read; an empty field leaves nothing out."""

    severities: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    table_id: str = ""
    round_id: str = ""
    gone: bool = False  # with those that no longer hold


@cache
def about() -> dictionary.Table:
    """The findings' own page of the dictionary."""
    return dictionary.parsed(_sql())[TABLE]


def store(
    home: Path,
    connection: duckdb.DuckDBPyConnection,
    ran: Iterable[str],
    found: Sequence[CheckFinding],
) -> Mapping[str, Exception]:
    """Keep what the checks that ran found over an open file; what they no longer find is gone.

    They become events of the log first. The file is then copied, gets its table anew and takes the
    place of the one before in one step, so nobody who reads that one is in the way. Of a table
    whose findings in the log are damaged the file keeps what it has; those tables are returned.
    """
    lost = shorter(connection, _taken_over(home, connection))
    known = findings_log.tell(home, run_id(connection), ran, found, lost)
    known = _with_rows_of(connection, known._replace(damaged={**known.damaged, **lost}))
    with parquet.alone(home / "derived"), duckdb_file.changing(home) as db:
        fill(db, known)
        case_rows.put(db, home)
    return known.damaged


def filler(home: Path) -> Callable[[duckdb.DuckDBPyConnection], None]:
    """What puts the findings of the log and the views into a file that is built anew.

    A file that is still there may know of more than the log holds; that is not forgotten.
    """
    known = findings_log.standing(home)
    try:
        with proven_file.connected(home / FILE) as old:
            known = _taken_over(home, old)
            lost = shorter(old, known)
            known = _with_rows_of(old, known._replace(damaged={**known.damaged, **lost}))
    except (duckdb.Error, FileNotFoundError, FileChanged):  # none, or damaged: built anew
        pass

    def filled(connection: duckdb.DuckDBPyConnection) -> None:
        fill(connection, known)
        case_rows.put(connection, home)
        views.put(connection)

    return filled


def _with_rows_of(connection: duckdb.DuckDBPyConnection, known: Standing) -> Standing:
    """The standing with what a file says of the tables whose findings in the log are damaged."""
    if not known.damaged or not exists(connection, HEADS):
        return known
    rows = [row for row in read(connection, Wanted(gone=True)) if row.table_id in known.damaged]
    heads = {table: head for table, head in _heads(connection).items() if table in known.damaged}
    told = {
        name: each
        for name, each in known.findings.items()
        if each.finding.table_id not in known.damaged
    }
    return known._replace(
        findings=told | {row.finding_id: Told(row, 1) for row in rows},
        heads={**known.heads, **heads},
    )


def fill(connection: duckdb.DuckDBPyConnection, known: Standing) -> None:
    """Make the table anew of what the log says; none where the checks never ran."""
    connection.execute(f"drop table if exists {TABLE}; drop table if exists {HEADS}")
    connection.execute(_sql())
    connection.register("told", arrow([told.finding for told in known.findings.values()]))
    connection.execute("insert into findings select * from told order by finding_id")
    connection.unregister("told")
    heads = [(table, head.told, head.sha256.hex()) for table, head in sorted(known.heads.items())]
    if heads:
        connection.executemany("insert into finding_heads values (?, ?, ?)", heads)
    _comment(connection)


def is_current(home: Path) -> bool:
    """Whether the file holds what was derived, the findings of the log and the views of today."""
    try:
        with proven_file.connected(home / FILE) as connection:
            must_be_as_told(home, connection)
            made = all(exists(connection, name) for name in (HEADS, *case_rows.about()))
            there = made and views.are_there(connection)
            return there and duckdb_file.holds(home, connection)
    except (duckdb.Error, FileNotFoundError, FileChanged, FindingsDiffer):
        return False


def must_be_as_told(home: Path, connection: duckdb.DuckDBPyConnection) -> Mapping[str, Exception]:
    """The table says what the log says; FindingsDiffer where somebody changed it.

    The tables of which that cannot be said are returned: their findings in the log are damaged.
    """
    known = findings_log.standing(home)
    damaged = {**known.damaged, **shorter(connection, known)}
    if not exists(connection, HEADS):
        if known.heads:
            what = f"{len(known.findings):,} findings as the log has them expected, no table found"
            raise FindingsDiffer(f"{home / FILE}: {what}")
        return damaged
    there = {finding.finding_id: finding for finding in read(connection, Wanted(gone=True))}
    told = {name: told.finding for name, told in known.findings.items()}
    odd = sorted(
        name
        for name, finding in {**there, **told}.items()
        if there.get(name) != told.get(name) and finding.table_id not in damaged
    )
    if odd:
        what = f"{len(told):,} findings as the log has them expected, {odd[0]} is not so"
        raise FindingsDiffer(f"{home / FILE}: {what}")
    return damaged


def shorter(connection: duckdb.DuckDBPyConnection, known: Standing) -> dict[str, Exception]:
    """The tables of which the log no longer holds every finding that the file knows of."""
    lost: dict[str, Exception] = {}
    for table, head in _ahead(connection, known).items():
        if table not in known.damaged:
            there = known.heads[table].told if table in known.heads else 0
            what = f"{head.told:,} entries, the last {head.sha256.hex()[:16]}…, expected"
            lost[table] = LogCorrupt(f"findings of table {table}: {what}, {there:,} others found")
    return lost


def _heads(connection: duckdb.DuckDBPyConnection) -> dict[str, Head]:
    if not exists(connection, HEADS):
        return {}
    rows = connection.execute("from finding_heads order by table_id").fetchall()
    return {table: Head(told, bytes.fromhex(sha256)) for table, told, sha256 in rows}


def _ahead(connection: duckdb.DuckDBPyConnection, known: Standing) -> dict[str, Head]:
    """The tables of which the file knows more findings than the log, or others."""
    return {
        table: head
        for table, head in _heads(connection).items()
        if (now := known.heads.get(table)) is None
        or now.told < head.told
        or (now.told == head.told and now != head)
    }


def _taken_over(home: Path, connection: duckdb.DuckDBPyConnection) -> Standing:
    """How the findings stand in the log; those of a file from before it had them are brought in."""
    known = findings_log.standing(home)
    if known.heads or known.damaged or exists(connection, HEADS) or not exists(connection):
        return known
    old = [finding._replace(state="new") for finding in read(connection, Wanted(gone=True))]
    living = {finding.finding_id for finding in read(connection)}
    findings_log.tell(home, BEFORE, (), old)
    stand = [finding for finding in old if finding.finding_id in living]
    return findings_log.tell(home, BEFORE, {finding.check_id for finding in old}, stand)


def run_id(connection: duckdb.DuckDBPyConnection) -> str:
    """What a run looks at, as a short hash: the table-days on file and the checks."""
    days = connection.execute(
        "select table_id, coalesce(gaming_day::varchar, ''), digest from table_days order by all"
    ).fetchall()
    asked = [(check.check_id, check.sql) for check in catalogue.checks().values()]
    said = json.dumps([days, asked], ensure_ascii=False)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def read(connection: duckdb.DuckDBPyConnection, wanted: Wanted = Wanted()) -> list[CheckFinding]:  # noqa: B008
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


def named(connection: duckdb.DuckDBPyConnection, finding_id: str) -> list[CheckFinding]:
    """The findings whose id starts so; several where it is too short."""
    if not exists(connection):
        return []
    answer = connection.execute(
        "select * from findings where starts_with(finding_id, ?) order by finding_id",
        [finding_id],
    )
    return [_finding(row) for row in answer.fetchall()]


def ever(home: Path, connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether the checks ever ran over this house."""
    return exists(connection) and (home / "log" / findings_log.STREAM).is_dir()


def exists(connection: duckdb.DuckDBPyConnection, table: str = TABLE) -> bool:
    """Whether a table is on file; that of the findings is once a house was replayed."""
    found = connection.execute(
        "select 1 from duckdb_tables() where table_name = ? and not temporary", [table]
    )
    return found.fetchone() is not None


def _comment(connection: duckdb.DuckDBPyConnection) -> None:
    for page in dictionary.parsed(_sql()).values():
        for what, text in [
            (f"table {page.name}", page.about),
            *((f"column {page.name}.{column.name}", column.about) for column in page.columns),
        ]:
            connection.execute(f"comment on {what} is '{text.replace(chr(39), chr(39) * 2)}'")


def _sql() -> str:
    return (files("audit.checks") / "findings.sql").read_text("utf-8")


def arrow(found: Sequence[CheckFinding]) -> Any:
    """Findings as a table of Arrow, with the columns of the table on file."""
    schema = pa.schema([(column.name, parquet.KINDS[column.kind]) for column in about().columns])
    rows = [finding._asdict() | {"gaming_day": day_of(finding.gaming_day)} for finding in found]
    return pa.Table.from_pylist(rows, schema=schema)


def _finding(row: tuple[Any, ...]) -> CheckFinding:
    finding = CheckFinding(*row)
    return finding._replace(
        gaming_day=day_text(finding.gaming_day),
        clauses=tuple(finding.clauses),
        evidence=tuple(finding.evidence),
    )
