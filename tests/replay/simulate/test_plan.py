"""Which tables, which faults, which rounds; and what is refused."""

import pytest

from replay import rulebooks
from replay.simulate import plan
from replay.simulate.faults.fault import UnknownFault
from replay.simulate.game_play import TableSetup
from tests.support.simulated_days import DAY, played
from tests.support.tables import cases


def test_tables_are_named_or_counted() -> None:
    assert plan.table_setups("T01:TB/non_commission,R01:RO") == (
        TableSetup("T01", "TB", "non_commission"),
        TableSetup("R01", "RO"),
    )
    assert [seat.table_id for seat in plan.table_setups("3")] == ["T01", "T02", "T03"]
    assert {seat.code for seat in plan.table_setups("3")} == {"TB", "RO", "SA-SB"}


def test_a_number_of_tables_offers_every_game_in_turn() -> None:
    kinds = plan.mix()

    assert {code for code, _ in kinds} == set(rulebooks.codes())
    assert [seat[1:3] for seat in plan.table_setups(str(len(kinds) + 2))] == [*kinds, *kinds[:2]]
    assert len(set(kinds)) == len(kinds)


@pytest.mark.parametrize(
    "text",
    cases("""
        T01              | a table without a game
        T 1:TB           | a name with a blank
        T01:TB,T01:RO    | one name twice
        0                | no table
    """),
)
def test_bad_tables_are_refused(text: str) -> None:
    with pytest.raises(plan.BadRequest):
        plan.table_setups(text)


def test_faults_are_wished_for_by_name_and_number() -> None:
    assert plan.fault_counts(["PAY-01=2", "BET-01", "PAY-01"], "none") == {"PAY-01": 3, "BET-01": 1}
    assert plan.fault_counts([], "all") is None


@pytest.mark.parametrize(
    ("asked", "faults"),
    cases("""
        PAY-01=x | none | a number that is none
        PAY-01   | some | neither all nor none
    """),
)
def test_bad_wishes_are_refused(asked: str, faults: str) -> None:
    with pytest.raises(plan.BadRequest):
        plan.fault_counts([asked], faults)


def test_a_fault_that_no_table_can_show_is_refused() -> None:
    with pytest.raises(UnknownFault, match="DEAL-01"):
        plan.plans(plan.table_setups("R01:RO"), 50, {"DEAL-01": 1}, DAY, "7")


def test_a_paytable_that_cannot_show_a_fault_does_not_get_it() -> None:
    tables = plan.table_setups("T01:TB/non_commission,T02:TB/commission")

    planned = plan.plans(tables, 50, {"PAY-04": 2}, DAY, "7")

    assert planned["T01"] == {}
    assert len(planned["T02"]) == 2


def test_too_many_faults_for_the_rounds_are_refused() -> None:
    with pytest.raises(plan.BadRequest, match="rounds"):
        plan.plans(plan.table_setups("S01:SA-SB"), 10, {"PAY-01": 20}, DAY, "7")


def test_a_fault_and_what_leads_up_to_it_have_rounds_of_their_own() -> None:
    planned = plan.plans(plan.table_setups("T01:TB"), 60, {"DEAL-07": 3, "PAY-01": 5}, DAY, "7")[
        "T01"
    ]

    assert len(planned) == 3 * 3 + 5
    names = [planned[number].fault.name for number in sorted(planned)]
    assert names.count("DEAL-07") == 3
    assert max(planned) <= 60


def test_a_fault_that_takes_its_time_comes_early_enough() -> None:
    for seed in map(str, range(20)):
        planned = plan.plans(plan.table_setups("S01:SA-SB"), 60, {"INT-05": 1}, DAY, seed)["S01"]

        assert min(planned) <= 60 - 22


def test_a_fault_of_reserves_finds_one_whatever_players_are_in_the_habit_of() -> None:
    day = played("N01:NN", 60, "PAY-01/reserve=12 PAY-06=12", "3")

    assert len(day.truth) == 24
