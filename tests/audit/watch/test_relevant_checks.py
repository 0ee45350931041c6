"""A check that finds something in a round was relevant to it, and few are to lawful rounds."""

import duckdb
import pytest

from audit.checks import run as run_checks
from audit.checks import triggers, views
from audit.checks.catalogue import checks
from audit.watch.live_checks import LiveChecks, whole
from replay import rulebooks
from replay.live.table_day import LiveTable, Settled
from replay.tables import dictionary
from replay.tables.rows import Rows
from tests.support.batch_findings import LIVE
from tests.support.check_cases import Case, examples, filled
from tests.support.houses import DAY
from tests.support.live_days import SEATS, day

pytestmark = pytest.mark.slow

OF_ROUND = tuple(check.check_id for check in LIVE if check.live == "round")
FINDING = [
    pytest.param(case, id=f"{case.check_id}: {case.name}")
    for case in examples()
    if case.check_id in OF_ROUND and any(row.get("round_id") != "null" for row in case.finds)
]


@pytest.fixture(scope="module")
def live_checks() -> LiveChecks:
    return LiveChecks(LIVE)


def rows_of(reference: duckdb.DuckDBPyConnection, case: Case, round_id: str) -> Rows:
    """The rows of one round and, where rows name none, of its table; the round's own row first."""
    rows: Rows = {}
    for table in case.tables:
        columns = dictionary.dictionary()[table].stored
        taken = ", ".join(
            f"epoch_us({column.name})" if column.kind == "timestamp" else column.name
            for column in columns
        )
        named = any(column.name == "round_id" for column in columns) and table != "terms"
        mine = f"round_id = '{round_id}'" if named else "true"
        rows[table] = reference.execute(f"select {taken} from {table} where {mine}").fetchall()
    rows.setdefault("rounds", [(None,) * len(dictionary.dictionary()["rounds"].stored)])
    return rows


@pytest.mark.parametrize("case", FINDING)
def test_what_a_check_finds_in_an_example_gave_it_cause(
    live_checks: LiveChecks, case: Case
) -> None:
    with filled(case.filled) as reference:
        found = {at.round_id for at in run_checks.run(reference, checks()[case.check_id])}
        causes = {
            name: live_checks.relevant.to_round(rows_of(reference, case, name))
            for name in found
            if name
        }

    assert causes
    assert all(case.check_id in asked for asked in causes.values()), causes


def settled(code: str) -> list[Settled]:
    """The last version of every round of a simulated day."""
    sealed = day(code, rounds=16, faults=3)
    table = LiveTable(sealed[0][0].table_id, DAY, rulebooks.in_force)
    found = {at.round_id: at for event, sha256 in sealed for at in table.add(event, sha256)}
    found |= {at.round_id: at for at in table.finish()}
    return list(found.values())


@pytest.mark.parametrize("code", sorted(SEATS))
def test_no_round_with_a_finding_is_passed_over(live_checks: LiveChecks, code: str) -> None:
    rounds = settled(code)

    found = {(at.round_id, at.check_id) for at in live_checks.look(rounds, OF_ROUND)}

    causes = {at.round_id: live_checks.relevant.to_round(whole(at)) for at in rounds}
    assert found
    assert [pair for pair in found if pair[1] not in causes[pair[0] or ""]] == []


@pytest.mark.parametrize("code", sorted(SEATS))
def test_most_rounds_give_no_cause(live_checks: LiveChecks, code: str) -> None:
    rounds = settled(code)
    found = {at.round_id for at in live_checks.look(rounds, OF_ROUND)}

    quiet = [at for at in rounds if not live_checks.relevant.to_round(whole(at))]

    assert len(quiet) >= (len(rounds) - len(found)) * 0.8


def test_every_trigger_is_that_of_a_check_or_a_view() -> None:
    named = {name for check in LIVE for name in check.triggers}
    of_views = {view.trigger for view in views.views() if view.trigger}

    assert of_views <= triggers.OF_ROUND.keys()
    assert named | of_views == {*triggers.OF_ROUND, *triggers.OF_TABLE_DAY}
