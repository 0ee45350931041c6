"""The ladder of authority."""

import pytest

from schemas.ranks import LADDER, at_least
from tests.support.tables import cases


@pytest.mark.parametrize(
    ("rank", "minimum", "enough"),
    cases("""
        pit_manager   | pit_manager   | yes | the rank itself
        shift_manager | pit_manager   | yes | above it
        dealer        | pit_manager   | no  | below it
        director      | dealer        | yes | top over bottom
        chef          | dealer        | no  | not on the ladder
                      | dealer        | no  | nobody
    """),
)
def test_a_rank_against_the_minimum(rank: str, minimum: str, enough: str) -> None:
    assert at_least(rank, minimum) is (enough == "yes")


def test_each_rank_stands_as_high_as_those_below_it_and_no_higher() -> None:
    for place, rank in enumerate(LADDER):
        reached = [minimum for minimum in LADDER if at_least(rank, minimum)]
        assert reached == list(LADDER[: place + 1])


def test_a_minimum_that_no_clause_can_ask_for_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="tuple"):
        at_least("dealer", "chef")
