"""Money is whole, rounded once, by the rounding that was posted."""

from fractions import Fraction
from math import floor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.money import ROUNDINGS, apportioned, quotient, shown, whole
from tests.support.tables import cases

AMOUNTS = st.fractions(min_value=0, max_value=10**15)


@pytest.mark.parametrize(
    ("amount", "half_up", "down", "up"),
    cases("""
        0    | 0  | 0  | 0  | nothing
        7    | 7  | 7  | 7  | whole already
        13/2 | 7  | 6  | 7  | a half goes up
        26/5 | 5  | 5  | 6  | a fifth goes down
        33/5 | 7  | 6  | 7  | three fifths go up
        1/3  | 0  | 0  | 1  | a third
    """),
)
def test_each_rounding(amount: str, half_up: str, down: str, up: str) -> None:
    found = {rounding: whole(Fraction(amount), rounding) for rounding in ROUNDINGS}

    assert found == {"half up": int(half_up), "down": int(down), "up": int(up)}


@given(AMOUNTS)
def test_half_up_is_the_floor_of_a_half_more(amount: Fraction) -> None:
    assert whole(amount) == floor(amount + Fraction(1, 2))


@given(AMOUNTS)
def test_down_and_up_stand_on_either_side(amount: Fraction) -> None:
    down, up = whole(amount, "down"), whole(amount, "up")

    assert down <= amount <= up
    assert up - down == (amount.denominator != 1)
    assert whole(amount) in (down, up)


@given(st.integers(min_value=0, max_value=10**18), st.sampled_from(ROUNDINGS))
def test_a_whole_amount_is_never_changed(amount: int, rounding: str) -> None:
    assert whole(Fraction(amount), rounding) == amount


def test_an_amount_below_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="never negative"):
        whole(Fraction(-1, 2))


def test_a_rounding_that_nobody_posted_is_refused() -> None:
    with pytest.raises(ValueError, match="'bankers' is not a rounding: one of half up, down, up"):
        whole(Fraction(1, 2), "bankers")


@pytest.mark.parametrize(
    ("amount", "currency", "text"),
    cases("""
        1234567 | VND | 1,234,567 VND | no minor unit
        0       | VND | 0 VND         | nothing
        1234567 | USD | 12,345.67 USD | cents
        5       | USD | 0.05 USD      | less than one
        -5      | USD | -0.05 USD     | a difference may be negative
        100     | ZZZ | 1.00 ZZZ      | a currency not listed has two places
        267900  |     | 267,900 of an unknown currency  | nobody said which
        -5      |     | -5 of an unknown currency       | nor of a difference
    """),
)
def test_an_amount_for_people(amount: str, currency: str, text: str) -> None:
    assert shown(int(amount), currency) == text


@given(st.integers(0, 10**12), st.lists(AMOUNTS, min_size=1, max_size=8))
def test_parts_of_an_amount_add_up_and_are_near_their_share(
    amount: int, weights: list[Fraction]
) -> None:
    parts = apportioned(amount, weights)
    total = sum(weights, Fraction(0))

    assert sum(parts) == (amount if total else 0)
    shares = [amount * weight / total if total else Fraction(0) for weight in weights]
    assert all(abs(part - share) < 1 for part, share in zip(parts, shares, strict=True))


@pytest.mark.parametrize("rounding", ROUNDINGS)
@given(
    st.lists(st.integers(0, 10**12), min_size=1, max_size=20),
    st.integers(0, 10**6),
    st.integers(1, 10**6),
)
def test_a_column_is_divided_as_each_of_its_numbers(
    rounding: str, stakes: list[int], pays: int, to: int
) -> None:
    column = np.array(stakes, np.int64) * pays

    divided = quotient(column, to, rounding)

    assert divided.tolist() == [whole(Fraction(stake * pays, to), rounding) for stake in stakes]
