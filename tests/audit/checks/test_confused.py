"""Checks that weigh readings: their thresholds are exact, and what a replay derives meets them."""

from fractions import Fraction
from math import factorial

import pytest

from audit.checks import catalogue
from audit.checks import run as run_checks
from audit.checks.run import CheckFinding
from replay import rulebooks
from replay.tables import sql_rows
from replay.tables.derive import derive
from schemas import events as e
from tests.support import houses
from tests.support.baccarat_deals import day, deal
from tests.support.check_cases import database
from tests.support.tables import cases

CHANCE = Fraction(1, 100_000_000)
PPM = 1_000_000


def beyond_chance(expected_ppm: int) -> int:
    """What the checks take for no chance any more."""
    with database({}) as connection:
        found = connection.execute("select beyond_chance(?)", [expected_ppm]).fetchone()
    assert found
    return int(found[0])


def at_least(count: int, expected_ppm: int) -> Fraction:
    """No less than the chance of so many or more Poisson events, as an exact fraction.

    The first term of the tail, with what a geometric series adds to it, over a part of e^expected.
    """
    mean = Fraction(expected_ppm, PPM)
    part_of_e = sum((mean**n / factorial(n) for n in range(count + 1)), Fraction(0))
    return mean**count / factorial(count) / (1 - mean / (count + 1)) / part_of_e


@pytest.mark.parametrize("expected_ppm", [0, 1, 3_918, 22_232, 999_465, 8_584_134, 9_000_000])
def test_a_count_beyond_chance_is_one_in_a_hundred_million(expected_ppm: int) -> None:
    count = beyond_chance(expected_ppm)

    assert at_least(count, expected_ppm) <= CHANCE


def test_no_bound_is_wider_than_it_must_be() -> None:
    with database({}) as connection:
        limits = connection.execute(
            "select min(ppm), max(ppm), bound from (select ppm, beyond_chance(ppm) as bound "
            "from range(0, 8600000, 500) as given(ppm)) group by bound order by bound"
        ).fetchall()

    for low, high, bound in limits[:-1]:
        assert at_least(bound, high) <= CHANCE
        assert bound == 3 or at_least(bound - 1, low) > CHANCE
    assert [bound for *_, bound in limits][:28] == list(range(3, 31))


@pytest.mark.parametrize("expected", [9, 20, 100])
def test_the_bound_for_large_counts_holds_too(expected: int) -> None:
    assert at_least(beyond_chance(expected * PPM), expected * PPM) <= CHANCE


@pytest.mark.parametrize(
    ("changes", "sure", "certain"),
    cases("""
        1 camera 6H              | 0.98     | false | a pair that cameras confuse
        1 camera 4C              | 0.98     | false | the camera leaves too much open
        1 camera 4C, 1 dealer 4C | 0.98     | true  | the dealer saw the other card too
        1 camera 4C, 1 dealer 9H | 0.999999 | false | the dealer saw the card of the shoe
    """),
)
def test_a_switch_is_certain_where_no_misreading_explains_it(
    changes: str, sure: str, certain: str
) -> None:
    (found,) = of("REC-01", deal(*changes.split(", "), sure=float(sure)))

    assert found.certain is (certain == "true")
    assert found.found.startswith("the device read 9H, the camera")
    assert "misread" in found.found


def test_a_stranger_that_the_camera_may_have_counted_twice_is_possible() -> None:
    strangers = [e.CardsObserved("player", 3, (e.Guess(code, 0.98),)) for code in ("5H", "9H")]
    *begun, last, seen = deal()

    alone, twice = (of("REC-05", [*begun, stranger, last, seen]) for stranger in strangers)

    assert [found.certain for found in (*alone, *twice)] == [True, False]


def test_a_card_that_the_shoe_may_have_missed_is_possible() -> None:
    stranger = e.CardsObserved("player", 3, (e.Guess("5H", 0.98),))

    (after,) = of("REC-05", [*deal(), stranger])
    (unread,) = of("REC-05", [at for at in deal() if at != e.CardDrawn(4, "banker", "7C")])

    assert (after.certain, unread.certain) == (False, False)
    assert "missed by the shoe" in unread.found


def test_a_ninth_copy_that_two_saw_is_found_and_one_that_the_camera_disputes_is_not() -> None:
    nines = [deal(cards=("9H", "KS", "9H", "7C"), start=1 + 4 * n) for n in range(4)]

    (found,) = of("REC-09", *nines, deal(start=17))

    assert (found.round_id, found.subject) == ("R5", "player card 1")
    assert found.found.startswith("one copy too many of 9H: ")
    assert of("REC-09", *nines, deal("1 camera 6H", start=17)) == []
    assert of("REC-09", *nines, deal("1 camera none", start=17)) == []


def of(check_id: str, *rounds: list[e.Payload]) -> list[CheckFinding]:
    """What a check finds in a day of these rounds."""
    rows = derive(houses.DAY, houses.sealed("T1", day(*rounds)), rulebooks.in_force).rows
    with database({}) as connection:
        for table, part in rows.items():
            connection.register("part", sql_rows.arrow(table, part))
            connection.execute(f"insert into {table} select * from part")
        return list(run_checks.run(connection, catalogue.checks()[check_id]))
