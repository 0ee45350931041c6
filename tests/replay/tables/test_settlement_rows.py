"""What was seen on each wager beside what is due, by the replay and by a query over its tables."""

import duckdb
import pytest

from replay import rulebooks
from replay.tables import dictionary, sql_rows
from replay.tables.derive import derive
from replay.tables.settlement_rows import settlements
from tests.support import houses
from tests.support import settlements as in_sql
from tests.support.live_days import SEATS, day
from tests.support.roulette_story import told
from tests.support.tables import cases

COLUMNS = [column.name for column in dictionary.dictionary()["settlements"].columns]


@pytest.mark.parametrize("code", sorted(SEATS))
def test_a_query_over_payments_and_dues_gives_the_same_rows(code: str) -> None:
    rows = derive(houses.DAY, day(code, rounds=16, faults=3), rulebooks.in_force).rows
    written = rows.pop("settlements")
    with duckdb.connect(":memory:") as db:
        db.execute(dictionary.sql())
        for table, part in rows.items():
            db.register("part", sql_rows.arrow(table, part))
            db.execute(f"insert into {table} select * from part")
        in_sql.fill(db)
        expected = db.sql("from settlements").to_arrow_table().to_pylist()

    assert written
    found = sql_rows.arrow("settlements", written).to_pylist()
    assert sorted(map(str, found)) == sorted(map(str, expected))


@pytest.mark.parametrize(
    ("settled", "paid", "paid_gap", "returned_gap", "differs"),
    cases("""
        settle b1 100 100                | 100 | 0   | 0    | False | as due
        settle b1 60 100, settle b1 40 0 | 100 | 0   | 0    | False | in parts
        settle b1 60 100                 | 60  | -40 | 0    | True  | too little
        settle b1 130 100                | 130 | 30  | 0    | True  | too much
        settle b1 100 0                  | 100 | 0   | -100 | True  | the stake was kept
    """),
)
def test_a_settlement_says_by_how_much_it_differs(
    settled: str, paid: str, paid_gap: str, returned_gap: str, differs: str
) -> None:
    spin = "close, spin, turns 9, land 3, result 3"
    judged = told(f"bet b1 p1 red 100, {spin}, {settled}", terms={"game": "SA-RO"})

    (row,) = settlements(judged, ["b1"])

    found = dict(zip(COLUMNS, row, strict=True))
    names = ("paid", "paid_gap", "returned_gap", "differs")
    assert [str(found[name]) for name in names] == [paid, paid_gap, returned_gap, differs]


def test_a_payment_on_no_wager_of_the_round_is_no_settlement() -> None:
    judged = told("bet b1 p1 red 100, close, settle b1 100 100", terms={"game": "SA-RO"})

    assert list(settlements(judged, ["b2"])) == []
