"""Sic Bo, SA-SB: the exact returns of both paytables, digit by digit as the page prints them."""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest

from replay import rulebooks
from replay.theory import sic_bo
from tests.support.tables import cases

EDITION = rulebooks.in_force("SA-SB", "2026-03-01")


def per_cent(share: Fraction) -> str:
    figure = Decimal(share.numerator) * 100 / Decimal(share.denominator)
    return str(figure.quantize(Decimal("0.01"), ROUND_HALF_UP))


def found(paytable: str, bet: str) -> set[Fraction]:
    return {
        row.value
        for row in sic_bo.returns(EDITION, paytable)
        if row.bet == bet or row.bet.split(":")[0] == bet
    }


@pytest.mark.parametrize(
    ("bet", "fit", "usual"),
    cases("""
        small            | 35/36 = 97.22   | 35/36 = 97.22   | small
        big              | 35/36 = 97.22   | 35/36 = 97.22   | big
        odd              | 35/36 = 97.22   | 35/36 = 97.22   | odd
        even             | 35/36 = 97.22   | 35/36 = 97.22   | even
        number           | 199/216 = 92.13 | 199/216 = 92.13 | specific number
        triple           | 31/36 = 86.11   | 181/216 = 83.80 | specific triple
        any_triple       | 31/36 = 86.11   | 31/36 = 86.11   | any triple
        total:4          | 31/36 = 86.11   | 61/72 = 84.72   | total 4
        total:16         | 31/36 = 86.11   | 31/36 = 86.11   | total 16
        total:6          | 95/108 = 87.96  | 5/6 = 83.33     | total 6
        total:14         | 65/72 = 90.28   | 65/72 = 90.28   | total 14
        total:8          | 7/8 = 87.50     | 7/8 = 87.50     | total 8
        total:12         | 25/27 = 92.59   | 175/216 = 81.02 | total 12
        total:10         | 7/8 = 87.50     | 7/8 = 87.50     | total 10
        double           | 35/36 = 97.22   | 5/6 = 83.33     | specific double
        pair             | 8/9 = 88.89     | 22/27 = 81.48   | pair
        all_odd          | 7/8 = 87.50     | 7/8 = 87.50     | all odd
        two_even_one_odd | 69/80 = 86.25   | 3/4 = 75.00     | two even one odd
        single3          | 31/36 = 86.11   | 31/36 = 86.11   | 3 single
        dsingle          | 31/36 = 86.11   | 17/24 = 70.83   | double and single
        four             | 8/9 = 88.89     | 8/9 = 88.89     | 4 number
    """),
)
def test_the_returns_the_page_prints(bet: str, fit: str, usual: str) -> None:
    for paytable, printed in (("fit", fit), ("conventional", usual)):
        (value,) = found(paytable, bet)
        assert f"{value} = {per_cent(value)}" == printed


def test_every_position_has_its_return_and_says_over_what() -> None:
    rows = list(sic_bo.returns(EDITION, "fit"))

    assert len({row.bet for row in rows}) == len(rows) == 110
    assert {row.note for row in rows} == {"all 216 rolls"}


def test_the_fitted_returns_fill_the_certified_range() -> None:
    values = sorted(row.value for row in sic_bo.returns(EDITION, "fit"))

    assert EDITION.certified is not None
    assert [per_cent(values[0]), per_cent(values[-1])] == list(map(per_cent, EDITION.certified))
