"""`roundproof sql`: forms of an answer, words of the session, several lines a query."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from audit.errors import Code
from audit.sql_session import Session, talk, whole
from replay import tables
from replay.project import FILE
from tests.audit.house import Roundproof


@pytest.fixture
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that is not the house."""
    return tmp_path_factory.mktemp("outside")


ROUNDS = "select round_id, ended_seq, ended_at, status_clauses from rounds order by round_id"


def test_a_table_and_its_count(home: Path, roundproof: Roundproof) -> None:
    said = roundproof("sql", "select round_id, ended_seq from rounds order by 1", "--home", home)

    assert said.code == Code.OK
    assert said.out == "round_id  ended_seq\nR1        40\nR2        80\n"
    assert "2 rows" in said.err


def test_a_long_table_says_how_much_it_shows(home: Path, roundproof: Roundproof) -> None:
    said = roundproof("sql", "from range(2400)", "--home", home)

    assert len(said.out.splitlines()) == 1 + 1_000
    assert "first 1,000 of 2,400 rows" in said.err


def test_an_answer_without_rows(home: Path, roundproof: Roundproof) -> None:
    said = roundproof("sql", "from findings_of_nobody", "--home", home)
    empty = roundproof("sql", "select round_id from rounds where false", "--home", home)

    assert said.code == Code.USAGE
    assert empty.out == "round_id\n"
    assert "0 rows" in empty.err


def test_json_keeps_every_row_and_says_times_in_utc(home: Path, roundproof: Roundproof) -> None:
    said = roundproof("sql", ROUNDS, "--json", "--home", home)

    told = json.loads(said.out)
    assert told["total"] == told["shown"] == 2
    assert told["rows"][0] == {
        "round_id": "R1",
        "ended_seq": 40,
        "ended_at": "2026-03-01T14:41:00.000000Z",
        "status_clauses": [],
    }


def test_markdown(home: Path, roundproof: Roundproof) -> None:
    said = roundproof("sql", "select 'a|b' as x, null as y", "--format", "markdown", "--home", home)

    assert said.out == "| x | y |\n| --- | --- |\n| a\\|b | null |\n"


def test_a_formula_is_harmless_only_for_a_spreadsheet(home: Path, roundproof: Roundproof) -> None:
    query = "select '=1+1' as a, -5 as b, 'plain' as c, null as d"
    plain = roundproof("sql", query, "--format", "csv", "--home", home)
    sheet = roundproof("sql", query, "--format", "csv", "--excel", "--home", home)

    assert plain.out == "a,b,c,d\n=1+1,-5,plain,\n"
    assert sheet.out.split() == ["a,b,c,d", "'=1+1,'-5,plain,"]


def test_an_answer_goes_to_a_file(home: Path, outside: Path, roundproof: Roundproof) -> None:
    sheet, columns = outside / "a.csv", outside / "a.parquet"

    roundproof("sql", "from range(2400)", "--format", "csv", "--out", sheet, "--home", home)
    roundproof("sql", ROUNDS, "--format", "parquet", "--out", columns, "--home", home)

    assert len(sheet.read_text().splitlines()) == 1 + 2_400
    assert pq.read_table(columns).column("round_id").to_pylist() == ["R1", "R2"]


@pytest.mark.parametrize(
    "name", [FILE, "log/events/T1/00000000.avro", "new.csv", "{outside}/link.csv"]
)
def test_no_answer_is_written_into_the_house(
    home: Path, outside: Path, roundproof: Roundproof, name: str
) -> None:
    (home / "log/events/T1").mkdir(parents=True)
    (home / "log/events/T1/00000000.avro").write_bytes(b"evidence")
    (outside / "link.csv").symlink_to(home / FILE)
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}

    told = (
        "select 1 as a",
        "--format",
        "csv",
        "--force",
        "--out",
        home / name.format(outside=outside),
    )
    said = roundproof("sql", *told, "--home", home)

    assert said.code == Code.NOT_ALLOWED
    assert "next: name a file outside" in said.err
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before


def test_a_file_that_is_there_is_written_over_only_when_asked(
    home: Path, outside: Path, roundproof: Roundproof
) -> None:
    sheet = outside / "a.csv"
    sheet.write_text("mine")
    told = ("select 1 as a", "--format", "csv", "--out", sheet, "--home", home)

    refused = roundproof("sql", *told)
    kept = sheet.read_text()
    forced = roundproof("sql", *told, "--force")

    assert (refused.code, kept) == (Code.USAGE, "mine")
    assert "--force" in refused.err
    assert (forced.code, sheet.read_text()) == (Code.OK, "a\n1\n")


def test_a_huge_answer_is_counted_only_so_far(home: Path, roundproof: Roundproof) -> None:
    query = "from range(100000000000)"
    said = roundproof("sql", query, "--limit", "2", "--seconds", "20", "--home", home)
    document = roundproof("sql", query, "--limit", "2", "--json", "--home", home)

    assert said.code == Code.OK
    assert "first 2 of more than 1,000,000 rows" in said.err
    told = json.loads(document.out)
    assert (told["shown"], told["more"]) == (2, True)


@pytest.mark.parametrize("query", ["", "  ", ";"])
def test_an_empty_query_is_no_session(home: Path, roundproof: Roundproof, query: str) -> None:
    said = roundproof("sql", query, "--home", home)

    assert said.code == Code.USAGE
    assert "a query" in said.err
    assert "one query ends with" not in said.err


def test_a_form_that_does_not_exist_or_needs_a_file(home: Path, roundproof: Roundproof) -> None:
    unknown = roundproof("sql", "select 1", "--format", "xml", "--home", home)
    parquet = roundproof("sql", "select 1", "--format", "parquet", "--home", home)

    assert (unknown.code, parquet.code) == (Code.USAGE, Code.USAGE)
    assert "csv, json, markdown, table, parquet expected" in unknown.err
    assert "--out" in parquet.err


def test_a_write_is_not_allowed(home: Path, roundproof: Roundproof) -> None:
    said = roundproof("sql", "delete from rounds", "--home", home)

    assert said.code == Code.NOT_ALLOWED
    assert "a statement of type delete found" in said.err


def test_the_dictionary_is_at_hand(home: Path, roundproof: Roundproof) -> None:
    listed = roundproof("sql", ".tables", "--home", home)
    told = roundproof("sql", ".describe findings", "--home", home)
    unknown = roundproof("sql", ".describe nothing", "--home", home)
    word = roundproof("sql", ".wrong", "--home", home)

    assert len(listed.out.splitlines()) == 1 + len(tables.dictionary()) + 1
    assert "ids of the events it rests on" in told.out
    assert unknown.code == Code.NOT_FOUND
    assert word.code == Code.USAGE


@pytest.mark.parametrize(
    ("question", "is_whole"),
    [
        ("select 1;", True),
        ("select 1", False),
        ("select 1\nfrom rounds ;  ", True),
        (".tables", True),
        ("", True),
    ],
)
def test_a_query_ends_with_its_semicolon(question: str, is_whole: bool) -> None:
    assert whole(question) is is_whole


def test_a_session(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    typed = (
        "select round_id\rfrom rounds\rorder by 1;\r.help\rselect wrong;\r\rselect 7 as n;\r.quit\r"
    )
    history = home / ".sql_history"

    with create_pipe_input() as keys:
        keys.send_text(typed)
        talk(Session(home / FILE), history, input=keys, output=DummyOutput())

    said = capfd.readouterr()
    assert "round_id\nR1\nR2\n" in said.out
    assert ".describe TABLE" in said.out
    assert "error 2 (usage)" in said.err
    assert "n\n7\n" in said.out, "an error ends the question, not the session"
    assert "+from rounds" in history.read_text()


def test_a_session_ends_with_ctrl_d(home: Path) -> None:
    with create_pipe_input() as keys:
        keys.send_text("\x04")
        talk(Session(home / FILE), home / ".sql_history", input=keys, output=DummyOutput())
