"""Wheels and dice: a step cites a clause that carries it, no title and no certificate."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay import rulebooks
from tests.replay.rulings.every_game.test_every_round import GAMES
from tests.support.tables import judged

CODES = ("RO", "SA-FPC", "SA-HL", "SA-RO", "SA-SB", "SA-XD")
DAY = "2026-03-01"
CERTIFICATE = "5.15.25"  # the version of a game, in the row of the certificate
TITLE = 4  # words; a clause of fewer only names what stands under it
LIST_OF_BETS = "Bet Type"  # the title that a bet which is not under it is refused by


def carries(code: str, anchor: str) -> bool:
    """Whether a clause says something of its own."""
    text = rulebooks.in_force(code, DAY).clause(anchor).text
    plain = len(text.split()) >= TITLE and not text.isupper() and CERTIFICATE not in text
    return plain or text.startswith(LIST_OF_BETS)


@pytest.mark.parametrize("code", CODES)
@given(st.data())
@settings(deadline=None, max_examples=25)
def test_every_step_and_flag_rests_on_a_clause_that_carries_it(
    code: str, data: st.DataObject
) -> None:
    found = judged(data.draw(GAMES[code].sheets))

    assert found.steps
    for step in found.steps:
        assert any(carries(code, anchor) for anchor in step.clauses), step
    for flag in found.flags:
        assert not flag.clause or carries(code, flag.clause), flag


@pytest.mark.parametrize("code", CODES)
def test_no_line_of_a_paytable_rests_on_a_title_or_the_certificate(code: str) -> None:
    edition = rulebooks.in_force(code, DAY)
    lines = [line for table in edition.paytables.values() for at in table.values() for line in at]

    assert lines
    for line in lines:
        assert any(carries(code, anchor) for anchor in line.clauses), line
