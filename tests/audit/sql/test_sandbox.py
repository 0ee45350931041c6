"""The auditor's SQL reads the house's tables and can do nothing else."""

import subprocess
import sys
import tracemalloc
from pathlib import Path

import duckdb
import pytest

from audit.cli.errors import Code, Stopped
from audit.sql import sandbox
from audit.sql.sandbox import QueryLimits, ask
from replay.tables.duckdb_file import FILE

SECRET = "planted outside the database"

ESCAPES = [
    "select * from read_csv('{outside}')",
    "select * from read_text('{outside}')",
    "select * from read_json('{outside}')",
    "select * from read_blob('{outside}')",
    "select * from read_blob('{database}')",
    "select * from read_parquet('{outside}')",
    "select * from parquet_metadata('{outside}')",
    "select * from sniff_csv('{outside}')",
    "select * from glob('{folder}/*')",
    "select * from '{outside}'",
    "copy rounds to '{folder}/copy.csv'",
    "copy (select 1) to '{folder}/copy.parquet'",
    "export database '{folder}/export'",
    "attach '{folder}/other.duckdb'",
    "attach '{database}' as again",
    "attach ':memory:' as free",
    "install httpfs",
    "load '{folder}/evil.duckdb_extension'",
    "load json",
    "set memory_limit = '100GB'",
    "set enable_external_access = true",
    "reset lock_configuration",
    "set variable x = 1",
    "pragma database_list",
    "pragma enable_external_access = true",
    "create table stolen as select 1",
    "create temp table stolen as select 1",
    "create macro f(x) as x",
    "create or replace temp view mispaid as select 1",
    "insert into rounds select * from rounds",
    "update rounds set status = 'void'",
    "delete from rounds",
    "drop table rounds",
    "truncate rounds",
    "alter table rounds add column x integer",
    "comment on table rounds is 'x'",
    "with gone as (delete from rounds returning *) select * from gone",
    "with more as (insert into clauses select * from clauses returning *) select * from more",
    "with less as (update rounds set status = 'void' returning *) select * from less",
    "call pragma_version()",
    "checkpoint",
    "vacuum",
    "begin",
    "prepare p as select 1",
    "use memory",
    "select getenv('HOME')",
    "select * from outside",
    "select 1; drop table rounds",
]


@pytest.mark.parametrize("statement", ESCAPES)
def test_an_escape_is_refused(home: Path, statement: str) -> None:
    outside = home / "outside.csv"
    outside.write_text(SECRET)
    before = sorted(path.name for path in home.iterdir())
    database = home / FILE
    asked = statement.format(outside=outside, folder=home, database=database)

    with pytest.raises(Stopped) as refused, ask(database, asked):
        pass

    assert refused.value.code in (Code.NOT_ALLOWED, Code.USAGE)
    assert SECRET not in str(refused.value)
    assert sorted(path.name for path in home.iterdir()) == before
    with duckdb.connect(str(database), read_only=True) as connection:
        assert connection.execute(
            "select count(*) from rounds where status = 'settled'"
        ).fetchone() == (2,)


def rows(home: Path, sql: str) -> list[tuple[str | None, ...]]:
    with ask(home / FILE, sql) as answer:
        return list(answer.rows())


def test_a_query_is_answered(home: Path) -> None:
    query = "select round_id, ended_seq from rounds order by round_id;"
    with ask(home / FILE, query) as answer:
        assert list(answer.rows()) == [("R1", "40"), ("R2", "80")]
        assert list(answer.rows()) == [("R1", "40"), ("R2", "80")], "as often as one likes"
        assert (answer.sent, answer.total) == (2, 2)
        assert answer.columns == (("round_id", "VARCHAR"), ("ended_seq", "BIGINT"))


def test_the_views_of_the_checks_can_be_asked_too(home: Path) -> None:
    assert rows(home, "select kind, wager_id from mispaid") == [("plain", "W1")]


def test_rows_beyond_the_limit_are_counted_and_not_sent(home: Path) -> None:
    with ask(home / FILE, "from range(5000)", limit=10) as answer:
        assert len(list(answer.rows())) == 10
        assert (answer.sent, answer.total) == (10, 5_000)


def test_a_query_that_never_ends_is_stopped(home: Path) -> None:
    query = "select count(*) from range(1000000000000)"
    with (
        pytest.raises(sandbox.QueryRefused, match=r"longer than 0.5 s") as stopped,
        ask(home / FILE, query, limits=QueryLimits(seconds=0.5)),
    ):
        pass

    assert stopped.value.code == Code.TOO_SLOW


def test_a_query_that_wants_all_memory_is_stopped(home: Path) -> None:
    query = "select list(n.range) from range(100000000) as n"
    with (
        pytest.raises(sandbox.QueryRefused, match="more than 64MB of memory") as stopped,
        ask(home / FILE, query, limits=QueryLimits(memory="64MB")),
    ):
        pass

    assert stopped.value.code == Code.TOO_LARGE


@pytest.mark.parametrize("query", ["from range(100000000)", "select repeat('x', 3000000) as x"])
def test_an_answer_that_is_too_large_is_stopped_where_it_is_made(home: Path, query: str) -> None:
    with (
        pytest.raises(sandbox.QueryRefused, match="more than 2 MB") as stopped,
        ask(home / FILE, query, limits=QueryLimits(megabytes=2)),
    ):
        pass

    assert stopped.value.code == Code.TOO_LARGE


def test_a_large_answer_is_never_held_whole(home: Path) -> None:
    """Thirty times as many rows as a batch; what is held at once stays what a batch holds."""
    query = "select repeat('x', 1000) as x from range(60000)"
    tracemalloc.start()
    with ask(home / FILE, query) as answer:
        seen = sum(len(row[0] or "") for row in answer.rows())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert seen == 60_000_000
    assert most < 12_000_000


def test_an_unknown_column_comes_with_a_suggestion(home: Path) -> None:
    with pytest.raises(sandbox.QueryRefused, match='Candidate bindings: "round_id"') as refused:
        rows(home, "select round_it from rounds")

    assert refused.value.code == Code.USAGE
    assert "\n" not in str(refused.value)


def test_the_worker_loads_no_rules() -> None:
    """It starts for every query, and needs the views alone."""
    asked = "import sys, audit.sql.sandbox_worker; print('replay.judge' in sys.modules)"

    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)

    assert said.stdout == "False\n"
