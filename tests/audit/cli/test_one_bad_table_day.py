"""One table-day that is damaged: it is named with the next step, and every other one is answered.

The house has three tables; T2 is the one that something happens to.
"""

import shutil
from pathlib import Path

import duckdb
import pytest

from audit.cli.errors import Code
from replay.tables.duckdb_file import FILE
from tests.support import houses
from tests.support.small_house import Roundproof, noted, roundproof

pytestmark = pytest.mark.slow

__all__ = ["roundproof"]


@pytest.fixture
def home(tmp_path: Path, roundproof: Roundproof) -> Path:
    for table in ("T1", "T2", "T3"):
        houses.written(tmp_path, table, [*houses.opened(), *houses.spin("R1", 3, houses.red())])
    assert roundproof("replay", "--workers", "1", "--home", tmp_path).code == Code.OK
    return tmp_path


def flip(path: Path) -> None:
    body = bytearray(path.read_bytes())
    body[len(body) // 2] ^= 1
    path.write_bytes(body)


def flip_event(home: Path) -> None:
    (path,) = home.glob("log/events/T2/*.avro")
    body = bytearray(path.read_bytes())
    body[body.index(b"red")] ^= 1
    path.write_bytes(body)


def totals(*said: str) -> set[str]:
    """The digests of the house in what commands said."""
    lines = [line.split() for text in said for line in text.splitlines()]
    told = {line[1] for line in lines if line[:1] == ["digest"]}
    return told | {line[0] for line in lines if line[1:] == ["total"]}


def test_replay_and_digest_agree_on_a_house_with_a_damaged_log(
    home: Path, roundproof: Roundproof
) -> None:
    flip_event(home)

    replayed = roundproof("replay", "--workers", "1", "--home", home)
    hashed = roundproof("digest", "--home", home)

    assert (replayed.code, hashed.code) == (Code.UNVERIFIED, Code.UNVERIFIED)
    assert len(totals(replayed.out, hashed.out)) == 1
    assert [table for table in ("T1", "T3") if f"  {table} 2026" in hashed.out] == ["T1", "T3"]
    assert "table T2 offset" in hashed.err
    assert "next: restore the log from its backup" in hashed.err


def test_a_damaged_file_of_a_table_that_was_not_asked_for_holds_nothing_up(
    home: Path, roundproof: Roundproof
) -> None:
    (path,) = home.glob("derived/T2/*/rounds.parquet")
    flip(path)
    (home / FILE).unlink()

    replayed = roundproof("replay", "--table", "T1", "--workers", "1", "--home", home)
    hashed = roundproof("digest", "--home", home)
    asked = roundproof("sql", "select table_id from rounds order by 1", "--home", home)
    mended = roundproof("replay", "--workers", "1", "--home", home)
    whole = roundproof("sql", "select table_id from rounds order by 1", "--home", home)

    assert (replayed.code, hashed.code) == (Code.UNVERIFIED, Code.UNVERIFIED)
    assert f"{path}: SHA-256" in replayed.err
    assert len(totals(replayed.out, hashed.out)) == 1
    assert [table in asked.out for table in ("T1", "T2", "T3")] == [True, False, True]
    assert f"missing from the answer, the last replay failed: table T2 gaming day {houses.DAY}" in (
        asked.err
    )
    assert mended.code == Code.OK
    assert [table in whole.out for table in ("T1", "T2", "T3")] == [True, True, True]
    assert "missing" not in whole.err


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("detect", id="detect"),
        pytest.param("findings", id="findings"),
        pytest.param("find --table T1", id="find"),
        pytest.param("sql .tables", id="sql"),
    ],
)
def test_an_answer_says_which_table_is_missing_from_it(
    home: Path, roundproof: Roundproof, command: str
) -> None:
    flip_event(home)
    roundproof("replay", "--workers", "1", "--home", home)

    said = roundproof(*command.split(), "--home", home)

    assert "missing from the answer, the last replay failed: table T2 offset" in said.err
    assert "next: restore the log from its backup" in said.err


@pytest.fixture
def found(home: Path, roundproof: Roundproof) -> Path:
    """The house with findings: nobody was paid, and nobody said who dealt."""
    assert roundproof("detect", "--home", home).code == Code.FINDINGS
    assert roundproof("doctor", "--home", home).code == Code.OK
    return home


def test_doctor_misses_a_findings_stream_that_is_gone(found: Path, roundproof: Roundproof) -> None:
    shutil.rmtree(found / "log/findings")

    said = roundproof("doctor", "--home", found)

    assert said.code == Code.UNVERIFIED
    assert "bad findings" in said.out


@pytest.mark.parametrize(
    "change",
    [
        pytest.param("delete from findings where table_id = 'T2'", id="deleted"),
        pytest.param("update findings set expected = 'nothing'", id="edited"),
        pytest.param("delete from findings; delete from finding_heads", id="both tables emptied"),
        pytest.param("drop table findings; drop table finding_heads", id="both tables dropped"),
    ],
)
def test_doctor_compares_the_findings_of_the_file_with_those_of_the_log(
    found: Path, roundproof: Roundproof, change: str
) -> None:
    with duckdb.connect(str(found / FILE)) as db:
        db.execute(change)
    noted(found)

    said = roundproof("doctor", "--home", found)

    assert said.code == Code.UNVERIFIED
    assert "bad findings" in said.out
