"""The auditor's SQL reads the house's tables and can do nothing else."""

from pathlib import Path

import duckdb
import pytest

from audit import sandbox
from audit.errors import Code, Stopped
from audit.sandbox import Fence, ask
from replay.project import FILE

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

    with pytest.raises(Stopped) as refused:
        ask(database, asked)

    assert refused.value.code in (Code.NOT_ALLOWED, Code.USAGE)
    assert SECRET not in str(refused.value)
    assert sorted(path.name for path in home.iterdir()) == before
    with duckdb.connect(str(database), read_only=True) as connection:
        assert connection.execute(
            "select count(*) from rounds where status = 'settled'"
        ).fetchone() == (2,)


def test_a_query_is_answered(home: Path) -> None:
    answer = ask(home / FILE, "select round_id, ended_seq from rounds order by round_id;")

    rows = [{"round_id": "R1", "ended_seq": 40}, {"round_id": "R2", "ended_seq": 80}]
    assert list(answer.rows()) == rows
    assert (answer.sent, answer.total) == (2, 2)


def test_the_views_of_the_checks_can_be_asked_too(home: Path) -> None:
    (row,) = ask(home / FILE, "select kind, wager_id from mispaid").rows()

    assert row == {"kind": "PAY-01", "wager_id": "W1"}


def test_rows_beyond_the_limit_are_counted_and_not_sent(home: Path) -> None:
    answer = ask(home / FILE, "from range(5000)", limit=10)

    assert (answer.sent, answer.total) == (10, 5_000)


def test_a_query_that_never_ends_is_stopped(home: Path) -> None:
    with pytest.raises(sandbox.QueryRefused, match=r"longer than 0.5 s") as stopped:
        ask(home / FILE, "select count(*) from range(1000000000000)", fence=Fence(seconds=0.5))

    assert stopped.value.code == Code.UNREACHABLE


def test_a_query_that_wants_all_memory_is_stopped(home: Path) -> None:
    fence = Fence(memory="64MB")

    with pytest.raises(sandbox.QueryRefused, match="more than 64MB of memory"):
        ask(home / FILE, "select list(n.range) from range(100000000) as n", fence=fence)


def test_an_unknown_column_comes_with_a_suggestion(home: Path) -> None:
    with pytest.raises(sandbox.QueryRefused, match='Candidate bindings: "round_id"') as refused:
        ask(home / FILE, "select round_it from rounds")

    assert refused.value.code == Code.USAGE
    assert "\n" not in str(refused.value)
