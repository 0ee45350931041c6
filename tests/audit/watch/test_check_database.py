"""The check database answers as a batch run does, however often its plans were used before."""

import pytest

from audit.checks import run as run_checks
from audit.checks.catalogue import checks
from audit.watch.check_database import CheckDatabase
from audit.watch.query_needs import needs_of
from tests.support.batch_findings import LIVE
from tests.support.check_cases import Case, examples, filled

pytestmark = pytest.mark.slow

LIVE_IDS = {check.check_id for check in LIVE}
CASES = [
    pytest.param(case, id=f"{case.check_id}: {case.name}")
    for case in examples()
    if case.check_id in LIVE_IDS
]


@pytest.fixture(scope="module")
def database() -> CheckDatabase:
    return CheckDatabase(LIVE)


@pytest.mark.parametrize("case", CASES)
def test_an_example_is_answered_alike(database: CheckDatabase, case: Case) -> None:
    with filled(case.filled) as reference:
        expected = list(run_checks.run(reference, checks()[case.check_id]))
        parts = {table: reference.sql(f"from {table}").to_arrow_table() for table in case.tables}

    for many in (False, True):
        for table, part in parts.items():
            database.lay(table, part)
        found = list(database.findings([case.check_id], many=many))
        database.clear()

        assert found == expected, f"many rows: {many}"


@pytest.mark.parametrize(
    ("sql", "needs"),
    [
        ("from flags as flag join rounds using (round_id)", [{"flags", "rounds"}]),
        ("from rounds left join flags using (round_id)", [{"rounds"}]),
        ("from rounds union all select * from wagers", [{"rounds"}, {"wagers"}]),
        ("from rounds union all by name from wagers", [{"rounds"}, {"wagers"}]),
        ("with late as (from wagers where late) from late", [{"wagers"}]),
        ("from (from rounds union all from spins) as either", [{"rounds"}, {"spins"}]),
        ("select count(*) from rounds", [set()]),
        ("select round_id, count(*) from rounds group by all", [{"rounds"}]),
        ("select 1 where exists (from rounds)", [set()]),
    ],
)
def test_a_query_says_what_it_needs(
    database: CheckDatabase, sql: str, needs: list[set[str]]
) -> None:
    assert [set(each) for each in needs_of(database.connection, sql).alternatives] == needs


def test_a_check_is_asked_only_where_its_labels_are_there(database: CheckDatabase) -> None:
    asked = needs_of(database.connection, "from raised where code = 'WRONG_ORDER'")

    assert asked.met_by({"raised": frozenset({"WRONG_ORDER", "BOX_SHARED"})})
    assert not asked.met_by({"raised": frozenset({"BOX_SHARED"})})
    assert not asked.met_by({"rounds": frozenset()})
