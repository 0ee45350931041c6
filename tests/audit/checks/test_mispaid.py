"""A mispaid wager belongs to exactly one settlement check: the first that fits."""

import re

import pytest

from audit.checks import catalogue, views
from audit.checks import run as run_checks
from tests.support.check_cases import database
from tests.support.tables import cases

PAY = [check for check in catalogue.checks().values() if "\nfrom mispaid" in check.sql]


@pytest.mark.parametrize(
    ("round", "flags", "chips", "seen", "check"),
    cases("""
        free_hand returned | OVER_MAX           | R02 | 9500 500 0 10000 | PAY-11 | a free hand
        void void          | OVER_MAX           | R02 | 9500 500 0 10000 | PAY-08 | a void round
        unsettled open     |                    |     | 9500 500 0 10000 | PAY-08 | without a result
        settled win        | OVER_MAX, PRO_RATA | R02 | 9999 0 0 10000   | PAY-09 | the maximum
        settled win        | PRO_RATA           | R02 | 9999 0 0 10000   | PAY-10 | the differential
        settled push       |                    | R02 | 9999 0 0 10000   | PAY-07 | a stand-off
        settled half_loss  |                    |     | 9999 0 0 10000   | PAY-07 | half a loss
        settled win        |                    | R02 | 10000 0 0 10000  | PAY-16 | foreign chips
        settled win        |                    |     | 10000 0 0 10000  | PAY-04 | commission
        settled win        |                    |     | 9501 500 0 10000 | PAY-01 | too much
        settled win        |                    |     | 9501 498 0 10000 | PAY-01 | and commission
        settled win        |                    |     | 9499 500 0 10000 | PAY-02 | too little
        settled win        |                    |     | 9500 500 10000 0 | PAY-03 | the stake
        settled win        |                    |     | 9500 500 0 10000 |        | what is due
    """),
)
def test_the_first_class_that_fits(
    round: str, flags: str, chips: str, seen: str, check: str
) -> None:
    status, outcome = round.split()
    money = "10000 | 500 | 9500 | 0 | 10000" if outcome == "win" else "0 | 0 | 0 | 0 | 10000"
    filled = {
        "rounds": f"status | ended_seq | ended_at\n{status} | 40 | 20:02:00",
        "wagers": "wager_id | chips_table | placed_seq | event_id\n"
        f"W1 | {chips or 'null'} | 1 | E1",
        "dues": "wager_id | stake | outcome | flags | "
        "gross_win | commission | paid | collected | returned\n"
        f"W1 | 10000 | {outcome} | [{flags}] | {money}",
        "payments": "event_id | wager_id | seq | paid_at | reserve_taken | "
        "paid | commission | collected | returned\n"
        f"P1 | W1 | 30 | 20:01:00 | 0 | {' | '.join(seen.split())}",
    }

    with database(filled, checks=PAY) as connection:
        found = [each.check_id for each in PAY for _ in run_checks.rows(connection, each)]

    assert found == [check] * bool(check)


def test_every_kind_of_the_view_has_its_check() -> None:
    view = next(view for view in views.views() if view.name == "mispaid")
    kinds = re.findall(r"(?:then|else) '((?:''|[^'])+)'\n", view.sql.partition("end as kind")[0])

    assert len(kinds) > 9
    assert [kind for kind in kinds if not any(f"'{kind}'" in check.sql for check in PAY)] == []
