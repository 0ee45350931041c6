"""The house's file for other readers: its views, its page, and what auditors ask first."""

import json
import re
from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

from audit.checks import views
from audit.cli.errors import Code
from audit.pages import tables as table_page
from replay import rulebooks
from replay.tables import duckdb_file
from replay.tables.duckdb_file import FILE
from replay.theory import returns_on_file
from tests.support.check_cases import filled
from tests.support.small_house import Roundproof

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[3] / "docs" / "tables.md"


def test_the_page_of_tables_is_written_from_the_statements(
    home: Path, roundproof: Roundproof
) -> None:
    said = roundproof("sql", ".dictionary", "--home", home)

    assert said.out == PAGE.read_text("utf-8")


def test_every_table_view_and_column_has_its_meaning() -> None:
    pages = table_page.pages()

    assert {view.name for view in views.views()} <= pages.keys()
    assert [page.name for page in pages.values() if not page.about] == []
    assert [c for page in pages.values() for c in page.columns if not c.about] == []


def test_every_meaning_above_a_view_is_that_of_a_column() -> None:
    for view in views.views():
        columns = {column.name for column in views.dictionary()[view.name].columns}

        assert view.own.keys() <= columns, view.name


MONEY = {
    *("stake", "amount", "minimum", "paid", "collected", "due_net", "house_minor", "differential"),
}


def test_every_table_of_money_has_its_gaming_day_as_a_date(replayed: Path) -> None:
    days = {
        page.name: next((c.kind for c in page.columns if c.name == "gaming_day"), "none")
        for page in table_page.pages().values()
        if {c.name for c in page.columns} & {*MONEY, "gaming_day"}
    }
    with duckdb.connect(str(replayed / FILE), read_only=True) as other:
        (found,) = other.execute(
            "select count(gaming_day), min(gaming_day), max(gaming_day) from wagers"
        ).fetchall()

    assert {"wagers", "dues", "payments", "settlements", "wager_results", "findings"} <= days.keys()
    assert set(days.values()) == {"date"}, days
    assert found[0] > 0
    assert found[1:] == (date(2026, 3, 1), date(2026, 3, 1))


def test_any_reader_of_the_file_finds_the_views_and_their_meaning(replayed: Path) -> None:
    with duckdb.connect(str(replayed / FILE), read_only=True) as other:
        for view in views.views():
            other.execute(f"from {view.name}").fetchall()
        ((about,),) = other.execute(
            "select comment from duckdb_columns() "
            "where table_name = 'wager_results' and column_name = 'due_net'"
        ).fetchall()

    assert about == "what the rules give the player; null where nothing is due yet"


def test_the_file_is_written_so_that_every_duckdb_since_one_opens_it(replayed: Path) -> None:
    with (replayed / FILE).open("rb") as file:
        head = file.read(20)

    assert head[8:12] == b"DUCK"
    assert int.from_bytes(head[12:20], "little") == 64, "DuckDB 1.0 reads 64 and nothing else"
    assert duckdb_file.STORAGE == "v1.0.0"


def test_the_returns_on_file_are_what_theory_counts() -> None:
    assert list(returns_on_file.counted(rulebooks.editions())) == list(returns_on_file.figures())


WAGERS = {
    "rounds": """
        round_id | game | edition       | paytable       | closed_seq
        R1       | TB   | 01/01.10.2024 | non_commission | 10
        R2       | SA-BJ | SAB.SAES.1001.01 | fit         | 10
    """,
    "wagers": """
        wager_id | round_id | player_id | bet    | kind   | stake  | placed_seq
        W1       | R1       | P1        | banker | banker | 100000 | 1
        W2       | R1       | P2        | what   | what   | 50000  | 2
        W3       | R1       | P2        | player | player | 7      | 3
        W3       | R1       | P2        | player | player | 9      | 4
        W4       | R2       | P2        | main   | main   | 100    | 5
    """,
    "dues": """
        wager_id | round_id | outcome | paid  | collected | reserve_taken | action | odds_source
        W1       | R1       | win     | 50000 | 0         | null          | 100000 | printed
        W2       | R1       | lose    | 0     | 50000     | null          | 50000  | printed
        W3       | R1       | lose    | 0     | 7         | null          | 7      | printed
        W3       | R1       | lose    | 0     | 9         | null          | 9      | printed
    """,
    "unruled_dues": """
        wager_id | round_id | outcome | paid   | collected | reserve_taken
        W1       | R1       | win     | 100000 | 0         | null
    """,
    "payments": """
        event_id | wager_id | seq | paid  | commission | collected | reserve_taken | returned
        E1       | W1       | 20  | 60000 | 0          | 0         | 0             | 100000
    """,
}


def fill_returns(connection: duckdb.DuckDBPyConnection) -> None:
    figures = [
        (*where, value and value.numerator, value and value.denominator, note)
        for *where, value, note in returns_on_file.figures()
    ]
    connection.executemany("insert into returns values (?, ?, ?, ?, ?, ?, ?)", figures)


@pytest.fixture
def results() -> Mapping[str, Mapping[str, object]]:
    with filled(WAGERS) as connection:
        fill_returns(connection)
        answer = connection.execute("from wager_results order by wager_id, stake desc")
        names = [column[0] for column in answer.description or ()]
        rows = [dict(zip(names, row, strict=True)) for row in answer.fetchall()]
    assert len(rows) == 5, "one row a wager"
    return {str(row["wager_id"]): row for row in rows}


def test_due_seen_and_due_without_the_ruling_stand_side_by_side(
    results: Mapping[str, Mapping[str, object]],
) -> None:
    first = results["W1"]

    assert (first["due_net"], first["seen_net"], first["unruled_net"]) == (50_000, 60_000, 100_000)
    assert str(first["gaming_day"]) == "2026-03-01"
    assert (results["W2"]["due_net"], results["W2"]["seen_net"]) == (-50_000, None)
    assert (results["W3"]["due_net"], results["W3"]["seen_net"]) == (None, None), "one id twice"


def test_a_wager_knows_its_exact_return_and_expectation(
    results: Mapping[str, Mapping[str, object]],
) -> None:
    first = results["W1"]
    exact = Fraction(int(str(first["return_numerator"])), int(str(first["return_denominator"])))

    assert float(exact) == pytest.approx(0.98542, abs=1e-4), "Banker, half on six"
    assert first["expected_net"] == pytest.approx(float(100_000 * (exact - 1)))


def test_a_return_that_is_not_known_says_why(
    results: Mapping[str, Mapping[str, object]],
) -> None:
    assert results["W2"]["expected_net"] is None
    assert results["W2"]["return_note"] == "no return of this bet was counted"
    assert results["W4"]["return_numerator"] is None
    assert "depends on how it is played" in str(results["W4"]["return_note"])


QUERIES = re.findall(r"```sql\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)

# Banker brings back less than it costs by the same part in all of these, of which two count.
THEORY = {
    "rounds": """
        round_id | game | edition       | paytable       | status  | currency
        R1       | TB   | 01/01.10.2024 | non_commission | settled | VND
        R2       | TB   | 01/01.10.2024 | non_commission | unknown | VND
        R3       | TB   | 01/01.10.2024 | non_commission | void    | VND
        R4       | TB   | 01/01.10.2024 | non_commission | settled | PHP
    """,
    "wagers": """
        wager_id | round_id | bet    | kind   | stake  | placed_seq
        W1       | R1       | banker | banker | 100000 | 1
        W2       | R2       | banker | banker | 700000 | 2
        W3       | R3       | banker | banker | 700000 | 3
        W4       | R1       | banker | banker | 300000 | 4
        W5       | R1       | banker | banker | 700000 | 5
        W6       | R4       | banker | banker | 100    | 6
    """,
    "dues": """
        wager_id | round_id | outcome | paid   | collected | returned | action   | odds_source
        W1       | R1       | win     | 100000 | 0         | 100000   | 100000   | printed
        W3       | R3       | void    | 0      | 0         | 700000   | 0        |
        W4       | R1       | win     | 200000 | 0         | 300000   | 400000/2 | printed
        W5       | R1       | refused | 0      | 0         | 700000   | 0        |
        W6       | R4       | lose    | 0      | 100       | 0        | 100      | printed
    """,
    "payments": """
        event_id | wager_id | round_id | seq | paid   | collected | reserve_taken | returned
        E1       | W1       | R1       | 20  | 100000 | 0         | 0             | 100000
        E2       | W2       | R2       | 21  | 700000 | 0         | 0             | 700000
    """,
}


def test_theory_is_held_only_against_what_a_result_decided() -> None:
    with filled(THEORY) as connection:
        fill_returns(connection)
        ((edge,),) = connection.execute(
            "select (numerator - denominator)::double / denominator from returns "
            "where game = 'TB' and paytable = 'non_commission' and bet = 'banker'"
        ).fetchall()
        found = connection.execute(QUERIES[0]).fetchall()

    assert found == [
        ("TB", "banker", "PHP", 1, 100, round(100 * edge), -100, None, 0),
        ("TB", "banker", "VND", 2, 400_000, round(300_000 * edge), 300_000, 100_000, 1),
    ]


@pytest.mark.parametrize("query", QUERIES, ids=["theory", "rulings", "late"])
def test_the_queries_of_the_page_run(home: Path, roundproof: Roundproof, query: str) -> None:
    assert roundproof("detect", "--home", home).code == Code.FINDINGS

    said = roundproof("sql", query, "--home", home, "--json")

    assert said.code == Code.OK
    assert json.loads(said.out)["columns"]


def test_late_wagers_are_those_that_the_checks_find(tmp_path: Path, roundproof: Roundproof) -> None:
    day, house = tmp_path / "day", tmp_path / "house"
    faults = [f"--fault=BET-0{n}" for n in (1, 2, 3)]
    tables = "--tables=T01:TB,R01:RO"
    roundproof("simulate", "--seed=5", tables, "--rounds=12", *faults, "--out", day)
    roundproof("--home", house, "ingest", "file", day / "readings.jsonl")
    roundproof("--home", house, "replay")
    assert roundproof("--home", house, "detect").code == Code.FINDINGS

    late = roundproof("--home", house, "sql", QUERIES[2], "--json")
    found = roundproof("--home", house, "findings", "--json")

    told = [row for row in json.loads(found.out)["findings"] if row["check_id"] < "BET-04"]
    rows = {row["wager_id"]: row for row in json.loads(late.out)["rows"]}
    assert {row["check_id"] for row in told} == {"BET-01", "BET-02", "BET-03"}
    assert rows.keys() == {word for row in told for word in row["subject"].split(" to ")}
    assert all(row["late"] or row["late_changes"] or row["withdrawn"] for row in rows.values())
    assert all(set(row["checks"]) & {"BET-01", "BET-02", "BET-03"} for row in rows.values())
