"""Tiger Baccarat: void lines, the differential, and the edition itself."""

from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.any_round.tiger_baccarat import EDITION, bets, sheets
from tests.support.tables import judged
from tests.support.tiger_baccarat_sheets import Json, sheet


@given(sheets())
@settings(deadline=None, max_examples=200)
def test_lines_of_a_void_round_carry_no_flag(written: Json) -> None:
    found = judged(written)

    if found.ruled.status != "settled":
        assert all(due.flags == () for due in found.dues)


@given(bets, st.integers(0, 12_000))
@settings(deadline=None, max_examples=200)
def test_the_sides_differ_by_the_limit_at_most(bets: str, limit: int) -> None:
    found = judged(sheet(bets, "9S>P KS>B KH>P 4H>B", differential=limit))

    exempt = sum(due.action for due in found.dues if "PRO_RATA_EXEMPT" in due.flags)
    sides = [_in_action(found.dues, bet) for bet in ("player", "banker")]
    apart = abs(sides[0] - sides[1])
    exceeded = any(flag.code == "DIFFERENTIAL_EXCEEDED" for flag in found.flags)
    assert apart <= limit or exempt > limit
    if exceeded and not exempt:
        assert apart == limit


def test_the_edition_holds_sections_one_to_eight_word_for_word() -> None:
    sections = {anchor.split(":")[1].split(".")[0] for anchor in EDITION.clauses}

    assert sections == set("12345678")
    assert (EDITION.number, EDITION.effective) == ("01/01.10.2024", "2024-10-01")
    assert EDITION.clause("TB:7.2").text == (
        "If there are insufficient cards in the card shoe to complete a round of play, "
        "the round of play shall be void."
    )
    parents = {anchor.rpartition(".")[0] for anchor in EDITION.clauses if "." in anchor}
    assert parents <= set(EDITION.clauses)  # no clause without the one it is part of


def test_every_issue_is_anchored_in_the_text() -> None:
    assert {issue.anchor for issue in EDITION.issues.values()} <= set(EDITION.clauses)


def _in_action(dues: Any, bet: str) -> Fraction:
    return sum((due.action for due in dues if due.bet == bet), Fraction(0))
