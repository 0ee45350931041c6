"""What would be due had nobody ruled stands beside what is due."""

import pytest

from replay import rulebooks
from replay.tables import dictionary
from replay.tables.derive import derive
from replay.tables.rows import Rows
from tests.support.houses import DAY
from tests.support.live_days import day


def columns(rows: Rows, table: str, *names: str) -> list[tuple[object, ...]]:
    """Some columns of every row."""
    known = [column.name for column in dictionary.dictionary()[table].columns]
    return [tuple(row[known.index(name)] for name in names) for row in rows.get(table, [])]


@pytest.mark.parametrize("code", ["NN", "TH"])
def test_a_round_with_a_ruling_has_both_dues(code: str) -> None:
    rows = derive(DAY, day(code), rulebooks.in_force).rows
    amounts = ("round_id", "wager_id", "paid", "collected", "returned")

    ruled = {round_id for (round_id,) in columns(rows, "rulings", "round_id")}
    without = columns(rows, "unruled_dues", *amounts)

    assert {round_id for round_id, *_ in without} == ruled
    assert set(without) - set(columns(rows, "dues", *amounts)), "a ruling that moves money"


def test_a_round_without_a_ruling_has_none() -> None:
    rows = derive(DAY, day("SA-SB"), rulebooks.in_force).rows

    assert columns(rows, "rulings", "round_id") == columns(rows, "unruled_dues", "round_id") == []
