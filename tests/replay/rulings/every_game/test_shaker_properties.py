"""Games with a shaker: what lies there has no order, and every remark has its clause."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay import rulebooks
from tests.support.any_round.shakers import SHAKEN, Shaken
from tests.support.shaker_story import told
from tests.support.tables import judged


@pytest.mark.parametrize("game", SHAKEN, ids=lambda game: game.code)
@settings(deadline=None)
@given(st.data())
def test_the_order_of_what_lies_there_never_matters(game: Shaken, data: st.DataObject) -> None:
    bets, outcome = data.draw(game.bets), data.draw(st.sampled_from(game.outcomes))
    turned = "-".join(data.draw(st.permutations(outcome.split("-"))))

    assert judged(game.sheet(bets, outcome)).dues == judged(game.sheet(bets, turned)).dues


@pytest.mark.parametrize(
    ("code", "story", "codes"),
    [
        (
            code,
            f"""bet b1 {bet} 100, bet b2 nowhere 5, start, close, bet b3 {bet} 5, withdraw b1,
            seen {a}, stop 2, enter {a}, again tumbles, shake {b}, shake {a} overlap, enter {a},
            settled b1 7 0 0""",
            """ILLEGAL_POSITION LATE_BET MISPAY RESHAKE_MISSED RESHAKE_UNFOUNDED RESULT_MISMATCH
            SHAKE_BEFORE_CLOSE WITHDRAWAL_REFUSED""",
        )
        for code, bet, a, b in (
            ("SA-FPC", "symbol:fish", "fish-fish-crab", "crab-crab-crab"),
            ("SA-HL", "hi", "6-6-6", "1-2-3"),
        )
    ]
    + [
        (
            "SA-XD",
            """bet b1 big 100, bet b2 5R 5, start, stop 0, close, bet b3 big 5, withdraw b1, bowl,
            tokens RRRW standing=1, enter RRRW, start, stop 0, bowl, tokens RRWW, stick RRRW,
            enter RRRW, start, stop 0, bowl, tokens RRRR overlapping, settled b1 96 0 100""",
            """ILLEGAL_POSITION LATE_BET MISPAY REARRANGE_CHANGED_OUTCOME REARRANGE_UNFOUNDED
            RESHAKE_MISSED RESHAKE_UNFOUNDED RESULT_MISMATCH WITHDRAWAL_REFUSED""",
        )
    ],
    ids=["SA-FPC", "SA-HL", "SA-XD"],
)
def test_every_flag_and_step_cites_a_clause_of_the_text(code: str, story: str, codes: str) -> None:
    clauses = set(rulebooks.in_force(code, "2026-03-01").clauses)

    found = told(story, game=code)

    assert {flag.code for flag in found.flags} == set(codes.split())
    assert {flag.clause for flag in found.flags} <= clauses
    assert {anchor for step in found.steps for anchor in step.clauses} <= clauses
    assert all(step.clauses for step in found.steps)
