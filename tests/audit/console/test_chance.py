"""The evidence of a wheel over time is the evidence that the checks weigh."""

import duckdb
import pytest

from audit.checks import views
from audit.console.questions import chance
from replay.tables import dictionary


@pytest.fixture
def db() -> duckdb.DuckDBPyConnection:
    found = duckdb.connect(":memory:")
    found.execute(dictionary.sql())
    views.lend(found)
    return found


def _spun(db: duckdb.DuckDBPyConnection, pockets: list[int]) -> None:
    rows = ", ".join(f"({n}, '{pocket}')" for n, pocket in enumerate(pockets))
    db.execute(
        "create or replace temp table chance_results as select 'T1' as table_id, 'wheel' as device,"
        f" date '2026-03-01' as gaming_day, n as seen_seq, result from (values {rows}) t(n, result)"
    )


def test_the_last_value_is_that_of_the_check(db: duckdb.DuckDBPyConnection) -> None:
    pockets = [n * 7 % 37 if n % 3 else 17 for n in range(300)]
    db.execute("drop view chance_results")
    _spun(db, pockets)
    counts = [pockets.count(pocket) for pocket in range(37)]

    found = chance.evidence(db, "T1")
    weighed = db.execute("select bias_evidence($1, $2)", [counts, [1] * 37]).fetchone()

    assert found is not None
    assert weighed is not None
    assert found.results[-1] == 300
    assert len(found.results) == chance.LOOKS
    assert found.evidence[-1] == pytest.approx(weighed[0])
    assert found.speaks


def test_a_fair_wheel_does_not_speak_and_no_wheel_has_no_evidence(
    db: duckdb.DuckDBPyConnection,
) -> None:
    db.execute("drop view chance_results")
    _spun(db, [n * 7 % 37 for n in range(740)])

    found = chance.evidence(db, "T1")

    assert found is not None
    assert not found.speaks
    assert found.now < 1
    assert chance.evidence(db, "T2") is None


def test_more_spins_show_a_smaller_bias(db: duckdb.DuckDBPyConnection) -> None:
    few, many = (chance.could_have_seen(db, spins) for spins in (60, 40_000))

    assert few[0].lift is None
    assert [each.pockets for each in many] == [1, 3, 5, 9]
    lifts = [each.lift for each in many]
    assert None not in lifts
    assert lifts == sorted(lifts, reverse=True)  # type: ignore[type-var]  # no None, as asserted
    assert 0 < (many[0].lift or 0) < 60
