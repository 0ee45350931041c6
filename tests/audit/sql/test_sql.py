"""`roundproof sql`: forms of an answer, words of the session, several lines a query."""

import csv
import json
import os
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from audit.cli.errors import Code
from audit.pages import tables as table_page
from audit.sql import sandbox
from audit.sql.session import Session, talk, whole
from replay.tables.duckdb_file import FILE
from tests.support.small_house import Roundproof

pytestmark = pytest.mark.slow


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


def test_json_keeps_every_row_and_the_order_of_columns(home: Path, roundproof: Roundproof) -> None:
    said = roundproof("sql", ROUNDS, "--json", "--home", home)

    told = json.loads(said.out)
    assert told["total"] == told["shown"] == 2
    assert list(told["rows"][0].items()) == [
        ("round_id", "R1"),
        ("ended_seq", 40),
        ("ended_at", "2026-03-01T14:41:00.000000"),
        ("status_clauses", []),
    ]
    assert told["columns"] == [
        {"name": "round_id", "type": "VARCHAR"},
        {"name": "ended_seq", "type": "BIGINT"},
        {"name": "ended_at", "type": "TIMESTAMP"},
        {"name": "status_clauses", "type": "VARCHAR[]"},
    ]


TWINS = "select 1 as a, 2 as a, 'x' as A, 3 as a_2, 4 as a"


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ("table", "a  a_3  A  a_2  a_4\n1  2    x  3    4\n"),
        ("csv", "a,a_3,A,a_2,a_4\n1,2,x,3,4\n"),
        (
            "markdown",
            "| a | a_3 | A | a_2 | a_4 |\n| --- | --- | --- | --- | --- |\n| 1 | 2 | x | 3 | 4 |\n",
        ),
    ],
)
def test_columns_of_the_same_name_keep_their_values(
    home: Path, roundproof: Roundproof, form: str, told: str
) -> None:
    assert roundproof("sql", TWINS, "--format", form, "--home", home).out == told


def test_columns_of_the_same_name_keep_their_values_in_json_and_parquet(
    home: Path, outside: Path, roundproof: Roundproof
) -> None:
    out = outside / "a.parquet"
    said = roundproof("sql", TWINS, "--json", "--home", home)
    roundproof("sql", TWINS, "--format", "parquet", "--out", out, "--home", home)

    expected = {"a": 1, "a_3": 2, "A": "x", "a_2": 3, "a_4": 4}
    assert json.loads(said.out)["rows"] == [expected]
    assert pq.ParquetFile(out, pre_buffer=False).read(use_threads=False).to_pylist() == [expected]


@pytest.mark.parametrize(
    ("value", "in_json", "in_csv"),
    [
        ("timestamp '2026-03-01 14:41:00'", "2026-03-01T14:41:00.000000", None),
        ("timestamptz '2026-03-01 21:41:00+07'", "2026-03-01T14:41:00.000000Z", None),
        (
            "timestamptz '2026-03-01 14:41:00+00' at time zone 'Asia/Ho_Chi_Minh'",
            "2026-03-01T21:41:00.000000",
            None,
        ),
        ("timestamp 'infinity'", "infinity", None),
        ("timestamp_ns '2026-03-01 14:41:00.123456789'", "2026-03-01T14:41:00.123456789", None),
        ("timestamp '20260-01-01 00:00:00'", "20260-01-01T00:00:00.000000", None),
        ("date '2026-03-01'", "2026-03-01", None),
        ("date 'infinity'", "infinity", None),
        ("timetz '14:41:00+07'", "14:41:00+07", None),
        ("interval '90 minutes'", "01:30:00", None),
        ("9007199254740993::bigint", 9007199254740993, None),
        ("sum(9007199254740993)", 9007199254740993, None),
        ("170141183460469231731687303715884105727::hugeint", 2**127 - 1, None),
        ("1.50::decimal(38, 2)", "1.50", None),
        ("0.5::double", 0.5, None),
        ("'nan'::double", None, "nan"),
        ("true", True, "true"),
        ("'a'::enum ('a', 'b')", "a", None),
        ("'\\xAA\\x00'::blob", "aa00", None),
        ("'1010'::bit", "1010", None),
        ("{'b': 1, 'a': [1.50::decimal(10, 2)]}", {"b": 1, "a": ["1.50"]}, '{"b":1,"a":["1.50"]}'),
        ("['nan'::double, 0.5]", [None, 0.5], "[NaN,0.5]"),
        ("map {'k': 1}", {"k": 1}, '{"k":1}'),
        ("'[1, 2]'::json", [1, 2], "[1,2]"),
        ("null", None, ""),
    ],
)
def test_a_type_is_told_in_one_way(
    home: Path, roundproof: Roundproof, value: str, in_json: object, in_csv: str | None
) -> None:
    document = roundproof("sql", f"select {value} as v", "--json", "--home", home)
    sheet = roundproof("sql", f"select {value} as v", "--format", "csv", "--home", home)

    assert (document.code, sheet.code) == (Code.OK, Code.OK), document.err
    assert json.loads(document.out)["rows"] == [{"v": in_json}]
    ((head,), (cell,)) = csv.reader(sheet.out.splitlines()) if in_csv != "" else (("v",), ("",))
    assert (head, cell) == ("v", str(in_json) if in_csv is None else in_csv)


def test_numbers_and_words_stay_what_they_are_down_a_column(
    home: Path, roundproof: Roundproof
) -> None:
    query = "select v::hugeint as n, (v / 3)::decimal(18, 4) as d from (values (1), (4)) as t (v)"

    said = roundproof("sql", query, "--json", "--home", home)

    assert json.loads(said.out)["rows"] == [{"n": 1, "d": "0.3333"}, {"n": 4, "d": "1.3333"}]


@pytest.mark.parametrize(
    "query",
    [
        "-- how many rounds\nselect 7 as n",
        "--how many=rounds\nselect 7 as n",
        "-- one; two\n-- three\nselect 7 as n;",
        "/* how many */ select 7 as n",
    ],
)
def test_a_query_may_begin_with_a_comment(home: Path, roundproof: Roundproof, query: str) -> None:
    first = roundproof("sql", query, "--format", "csv", "--home", home)
    last = roundproof("sql", "--format", "csv", "--home", home, query)

    assert (first.code, first.out) == (Code.OK, "n\n7\n")
    assert (last.code, last.out) == (Code.OK, "n\n7\n")


def test_an_option_that_does_not_exist_is_no_comment(home: Path, roundproof: Roundproof) -> None:
    said = roundproof("sql", "select 1", "--fromat", "csv", "--home", home)

    assert said.code == Code.USAGE
    assert "--fromat" in said.err


def test_slow_and_too_large_have_their_own_words(home: Path, roundproof: Roundproof) -> None:
    slow = roundproof(
        "sql", "select count(*) from range(1000000000000)", "--seconds", "0.5", "--home", home
    )
    large = roundproof(
        "sql", "from range(10000000)", "--format", "csv", "--megabytes", "1", "--home", home
    )

    assert slow.code == Code.TOO_SLOW
    assert "error 8 (too slow)" in slow.err
    assert "--seconds" in slow.err
    assert large.code == Code.TOO_LARGE
    assert "error 9 (too large)" in large.err
    assert "--megabytes" in large.err
    assert large.out == ""


def test_an_export_that_fails_leaves_the_old_file_and_nothing_beside_it(
    home: Path, outside: Path, roundproof: Roundproof
) -> None:
    sheet = outside / "a.csv"
    sheet.write_text("mine")
    query = "select error('broken') from range(100000) as t (n) where n = 90000 or n < 10"
    said = roundproof("sql", query, "--format", "csv", "--out", sheet, "--force", "--home", home)

    assert said.code != Code.OK
    assert sheet.read_text() == "mine"
    assert [path.name for path in outside.iterdir()] == ["a.csv"]


def test_an_export_is_whole_before_it_has_its_name(
    home: Path, outside: Path, roundproof: Roundproof, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet, synced, named = outside / "a.csv", list[str](), list[str]()
    fsync, replace = os.fsync, Path.replace

    def notes_sync(handle: int) -> None:
        synced.append(str(Path(f"/proc/self/fd/{handle}").readlink()))
        fsync(handle)

    def notes_rename(draft: Path, place: Path) -> Path:
        assert str(draft) in synced
        named.append(draft.read_text())
        return replace(draft, place)

    monkeypatch.setattr(os, "fsync", notes_sync)
    monkeypatch.setattr(Path, "replace", notes_rename)
    said = roundproof("sql", "from range(3)", "--format", "csv", "--out", sheet, "--home", home)

    assert said.code == Code.OK
    assert named == [sheet.read_text()] == ["range\n0\n1\n2\n"]
    assert str(outside) in synced, "the folder that holds the name"


def test_markdown(home: Path, roundproof: Roundproof) -> None:
    said = roundproof("sql", "select 'a|b' as x, null as y", "--format", "markdown", "--home", home)

    assert said.out == "| x | y |\n| --- | --- |\n| a\\|b | null |\n"


def test_what_parquet_cannot_hold_is_said(
    home: Path, outside: Path, roundproof: Roundproof
) -> None:
    out = outside / "a.parquet"
    said = roundproof(
        "sql",
        "select union_value(n := 1) as u",
        "--format",
        "parquet",
        "--out",
        out,
        "--home",
        home,
    )

    assert said.code == Code.USAGE
    assert "u UNION(n INTEGER)" in said.err
    assert list(outside.iterdir()) == []


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
    assert pq.ParquetFile(columns, pre_buffer=False).read(use_threads=False).column(
        "round_id"
    ).to_pylist() == ["R1", "R2"]


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
    assert (told["shown"], told["total"], told["more"]) == (2, None, True)


@pytest.mark.parametrize(
    ("limit", "counts", "hint"),
    [
        ("2", (2, 5, True), "first 2 of 5 rows; --limit shows more"),
        ("5", (5, 5, False), "5 rows"),
        ("9", (5, 5, False), "5 rows"),
    ],
)
def test_an_answer_that_is_cut_says_so_in_every_form(
    home: Path, roundproof: Roundproof, limit: str, counts: tuple[int, int, bool], hint: str
) -> None:
    asked = ("sql", "from range(5)", "--limit", limit, "--home", home)
    said = {form: roundproof(*asked, "--format", form) for form in ("table", "csv", "markdown")}
    document = roundproof(*asked, "--json")
    out = home.with_name(f"answer-{limit}.parquet")
    file = roundproof(*asked, "--format", "parquet", "--out", out)

    told = json.loads(document.out)
    assert (told["shown"], told["total"], told["more"]) == counts
    for each in (*said.values(), document, file):
        assert each.err.startswith(hint)


def test_a_limit_beyond_what_is_counted_counts_what_it_gives(home: Path) -> None:
    with sandbox.ask(home / FILE, "from range(1500000)", 1_200_000) as answer:
        sent = sum(batch.num_rows for batch in answer.batches())

        assert (answer.sent, sent, answer.total, answer.more) == (1_200_000, sent, None, True)
        assert sent == 1_200_000


@pytest.mark.parametrize("query", ["", "  ", ";"])
def test_an_empty_query_is_no_session(home: Path, roundproof: Roundproof, query: str) -> None:
    said = roundproof("sql", query, "--home", home)

    assert said.code == Code.USAGE
    assert "a query" in said.err
    assert "end a query with" not in said.err


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

    assert len(listed.out.splitlines()) == 1 + len(table_page.pages())
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


def test_half_a_character_in_a_query_is_refused(home: Path, roundproof: Roundproof) -> None:
    said = roundproof("sql", "select '\udcff' as x", "--home", home)

    assert said.code == Code.USAGE
    assert "text in UTF-8 expected" in said.err
