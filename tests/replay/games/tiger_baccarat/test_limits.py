"""Tiger Baccarat, 7.17 to 7.19.1: minimum, maximum and differential in figures."""

from copy import deepcopy

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from replay.judge import Judgement
from replay.sheets.sheet import answer
from tests.support.tables import cases, judged
from tests.support.tiger_baccarat_sheets import BANKER_SEVEN, NATURAL, PLAYED, Json, happened, sheet

TIE = "KS>P QS>B 7H>P 7D>B"
BANKER_SIX = "2S>P KS>B 3H>P 6H>B TD>P"
CARDS = {"B7": BANKER_SEVEN, "P9": NATURAL, "T7": TIE, "B6": BANKER_SIX}
HEAVY = "P1 banker 10000, P2 banker 8000, P3 player 2000"


def figures(found: Judgement) -> list[str]:
    """Each line: what was paid, collected and given back."""
    return [f"{due.paid} {due.collected} {due.returned}" for due in found.dues]


@pytest.mark.parametrize(
    ("layout", "cards", "bets", "lines"),
    cases("""
        commission     | B7 | P1 banker 60                    | 57 0 60                               | 7.17 below the minimum, first time
        commission     | B7 | P1 banker 12000                 | 9500 0 12000                          | 7.18 over the maximum, won
        commission     | B7 | P1 player 11000                 | 0 10000 1000                          | 7.18 over the maximum, lost
        commission     | B7 | P1 banker 10000                 | 9500 0 10000                          | 7.18 at the maximum
        commission     | B7 | P1 banker 100                   | 95 0 100                              | 7.17 at the minimum
        commission     | B7 | P1 banker 10000, P2 banker 8000, P3 player 2000 | 6333 0 10000, 5067 0 8000, 0 2000 0 | 7.19 the heavy side wins
        commission     | P9 | P1 banker 10000, P2 banker 8000, P3 player 2000 | 0 6667 3333, 0 5333 2667, 2000 0 2000 | 7.19 the heavy side loses
        commission     | T7 | P1 banker 10000, P2 banker 8000, P3 player 2000 | 0 0 10000, 0 0 8000, 0 0 2000 | 7.19 a tie
        commission     | B7 | P1 banker 10000, P2 banker 8000, P3 player 2000, P4 banker 60 | 6302 0 10000, 5041 0 8000, 0 2000 0, 57 0 60 | 7.19.1 with a wager below the minimum
        non_commission | B6 | P1 banker 14000, P2 banker 8000 | 2778 0 14000, 2222 0 8000             | 7.18 before 7.19
        commission     | B7 | P1 banker 10000, P2 banker 500, P3 player 500 | 9500 0 10000, 475 0 500, 0 500 0 | 7.19 a difference of exactly the limit
        commission     | P9 | P1 player 9000, P2 player 9000, P3 tie 1000 | 5000 0 9000, 5000 0 9000, 0 1000 0 | 7.19 Player may be the heavier side, side bets are never scaled
        commission     | B7 | P1 banker 6000, P1 banker 6000  | 4750 0 6000, 4750 0 6000              | 7.18 a player's chips on a bet count together
        commission     | B7 | P1 banker 60, P1 banker 60      | 57 0 60, 57 0 60                      | 7.17 and reach the minimum together
    """),  # noqa: E501 (a table)
)  # fmt: skip
def test_limits_in_figures(layout: str, cards: str, bets: str, lines: str) -> None:
    found = judged(sheet(bets, CARDS[cards], paytable=layout))

    assert figures(found) == [line.strip() for line in lines.split(",")]


def test_chips_that_reach_the_minimum_together_are_not_below_it() -> None:
    found = judged(sheet("P1 banker 60, P1 banker 60, P2 banker 60", BANKER_SEVEN))

    assert [due.flags for due in found.dues] == [(), (), ("BELOW_MIN",)]


def test_without_a_posted_limit_nothing_is_cut() -> None:
    found = judged(sheet("P1 banker 5, P2 banker 50000", NATURAL, limits=[], differential=None))

    assert figures(found) == ["0 5 0", "0 50000 0"]
    assert found.flags == ()


@pytest.mark.parametrize(
    ("first", "cards", "text", "used"),
    cases("""
        P1 banker 60   | B7        |                                            | P1 | 7.17 paid
        P1 player 60   | B7        |                                            | P1 | 7.17 collected
        P1 banker 60   | T7        |                                            |    | a stand-off does not use it up
        P1 tiger 10    | T7        |                                            | P1 | a side bet has no stand-off
        P1 banker 60   | B7        | report foreign_card                        |    | a void round does not use it up
        P1 banker 60   | B7        | report wrong_order, withdraw W1 TB:7.9 director | | a withdrawal does not use it up
        P1 banker 100  | B7        |                                            |    | at the minimum nothing is used up
        P1 tie 10, P2 banker 60 | B7 |                                          | P1 P2 | each player for himself
    """),  # noqa: E501 (a table)
)  # fmt: skip
def test_the_one_time_is_used_up_by_paying_or_collecting(
    first: str, cards: str, text: str, used: str
) -> None:
    found = judged(sheet(first, CARDS[cards], *happened(text)))

    assert found.ruled.memory["below_min_used"] == used.split()


def test_later_wagers_below_the_minimum_go_back_whatever_the_result() -> None:
    first = judged(sheet("P1 banker 60", BANKER_SEVEN))

    for cards in (BANKER_SEVEN, NATURAL, TIE):
        again = judged(
            sheet("P1 tie 10, P1 banker 500, P2 player 60", cards, carry=dict(first.ruled.memory))
        )
        assert [due.outcome == "returned" for due in again.dues] == [True, False, False]
        assert again.dues[0].flags == ("BELOW_MIN", "BELOW_MIN_REPEAT")
        assert again.dues[0].clauses == ("TB:7.17",)
        assert "below_minimum_scope" not in answer(again)["readings"]


def test_a_returned_wager_does_not_count_for_the_differential() -> None:
    carry: Json = {"below_min_used": ["P4"]}

    found = judged(sheet(f"{HEAVY}, P4 banker 60", BANKER_SEVEN, carry=carry))

    assert str(found.dues[0].action) == "20000/3"
    assert found.dues[3].outcome == "returned"


@pytest.mark.parametrize(
    ("issue", "reading", "bets", "lines"),
    cases("""
        differential  | heavier_to_lighter_plus_d | P1 banker 10000, P2 banker 8000, P3 player 2000 | 20000/3 16000/3 2000    | as read
        differential  | heavier_to_d              | P1 banker 10000, P2 banker 8000, P3 player 2000 | 50000/9 40000/9 2000    | the heavier side cut to D
        differential  | each_box_to_d             | P1 banker 10000, P2 banker 8000, P3 player 9000, P4 player 3000 | 50000/9 40000/9 7500 2500 | each box cut to D
        differential  | heavier_to_lighter_plus_d | P1 banker 10000, P2 banker 8000, P3 player 9000, P4 player 3000 | 10000 8000 9000 3000 | a difference within D
        exempt_wagers | use_up_the_limit          | P1 banker 10000, P2 banker 8000, P3 player 2000, P4 banker 60 | 19900/3 15920/3 2000 60 | as read
        exempt_wagers | counted_like_the_others   | P1 banker 10000, P2 banker 8000, P3 player 2000, P4 banker 60 | 2000000/301 1600000/301 2000 60 | the other reading
    """),  # noqa: E501 (a table)
)  # fmt: skip
def test_a_posted_reading_decides(issue: str, reading: str, bets: str, lines: str) -> None:
    found = judged(sheet(bets, BANKER_SEVEN, readings={issue: reading}))

    assert [str(due.action) for due in found.dues] == lines.split()
    assert answer(found)["readings"][issue] == reading


@pytest.mark.parametrize(
    ("bets", "reading"),
    cases("""
        P1 banker 10000, P2 player 9000                 |                           | neither box above the differential
        P1 banker 10000, P2 banker 1, P3 player 9000    | heavier_to_lighter_plus_d | one above it, one below
        P1 banker 10000, P2 banker 2000, P3 player 10000, P4 player 3000 | heavier_to_lighter_plus_d | both above it
        P1 banker 10000, P2 tie 1000                    |                           | side bets do not count
    """),  # noqa: E501 (a table)
)
def test_a_differential_that_another_reading_would_apply_is_named(bets: str, reading: str) -> None:
    found = judged(sheet(bets, BANKER_SEVEN))

    assert answer(found)["readings"].get("differential", "") == reading
    assert "DIFFERENTIAL_EXCEEDED" not in {flag.code for flag in found.flags}


def test_a_stand_off_may_be_read_to_use_up_the_one_time() -> None:
    readings = {"below_minimum_stand_off": "used_up"}

    found = judged(sheet("P1 banker 60", TIE, readings=readings))

    assert found.ruled.memory["below_min_used"] == ["P1"]
    assert answer(found)["readings"] == readings


@pytest.mark.parametrize(
    ("scope", "shoe", "outcome"),
    cases("""
        gaming_day | S2 | returned | the day goes on with another shoe
        shoe       | S2 | win      | another shoe begins anew
        shoe       | S1 | returned | the same shoe goes on
    """),
)
def test_the_one_time_lasts_as_long_as_it_is_read_to(scope: str, shoe: str, outcome: str) -> None:
    readings = {"below_minimum_scope": scope}
    before = judged(sheet("P1 banker 60", BANKER_SEVEN, shoe={"shoe_id": "S1"}, readings=readings))

    found = judged(
        sheet(
            "P1 banker 60",
            BANKER_SEVEN,
            shoe={"shoe_id": shoe},
            carry=dict(before.ruled.memory),
            readings=readings,
        )
    )

    later = judged(
        sheet(
            "P1 banker 60",
            BANKER_SEVEN,
            shoe={"shoe_id": shoe},
            carry=dict(found.ruled.memory),
            readings=readings,
        )
    )

    assert [due.outcome for due in found.dues] == [outcome]
    assert answer(found)["readings"] == (readings if shoe == "S2" else {})
    assert [due.outcome for due in later.dues] == ["returned"]
    assert answer(later)["readings"] == (readings if (scope, shoe) == ("gaming_day", "S2") else {})


def test_wagers_below_the_minimum_alone_may_exceed_the_differential() -> None:
    found = judged(sheet("P1 banker 60, P2 banker 50, P3 banker 400", NATURAL, differential=90))

    assert [str(due.action) for due in found.dues] == ["60", "50", "0"]
    assert [due.flags[-1] for due in found.dues] == [
        "PRO_RATA_EXEMPT",
        "PRO_RATA_EXEMPT",
        "PRO_RATA",
    ]


@pytest.mark.parametrize("bet", ["player", "banker"])
def test_both_main_bets_of_one_player_settle_alone(bet: str) -> None:
    found = judged(sheet("P1 player 1000, P1 banker 1000", NATURAL))

    (due,) = (due for due in found.dues if due.bet == bet)
    assert due.outcome == {"player": "win", "banker": "lose"}[bet]


@given(
    st.lists(st.integers(100, 9_999), min_size=2, max_size=6),
    st.integers(200, 20_000),
    st.sampled_from(["P9", "B7", "KS>P QS>B 2H>P 6H>B 3D>P"]),
    st.sampled_from(["player", "banker"]),
    st.sampled_from(["commission", "non_commission"]),
)
def test_rounding_stays_within_the_maximum_of_a_player(
    stakes: list[int], maximum: int, cards: str, side: str, paytable: str
) -> None:
    """TB:7.18: what is paid or collected on a player's bet is that of one wager of the maximum."""
    assume(sum(stakes) > maximum)
    limits = [{"bet": side, "minimum": 100, "maximum": maximum}]
    posted: Json = {"limits": limits, "paytable": paytable, "differential": None}
    bets = ", ".join(f"P1 {side} {stake}" for stake in stakes)

    several = judged(sheet(bets, PLAYED.get(cards, cards), **posted)).dues
    one = judged(sheet(f"P1 {side} {sum(stakes)}", PLAYED.get(cards, cards), **posted)).dues[0]

    for amount in ("gross_win", "commission", "paid", "collected", "returned"):
        assert sum(getattr(due, amount) for due in several) == getattr(one, amount), amount
    assert all(0 <= due.collected <= due.stake and due.commission >= 0 for due in several)


def test_rounding_of_a_shared_maximum_does_not_rest_on_the_order_of_wagers() -> None:
    """TB:7.18: two wagers of one size share an odd unit alike, whichever was placed first."""
    limits = [{"bet": "player", "minimum": 100, "maximum": 101}]
    placed = sheet("P1 player 100, P1 player 100", PLAYED["P9"], limits=limits, differential=None)
    at = [n for n, event in enumerate(placed["events"]) if event["type"] == "WagerPlaced"]
    turned = deepcopy(placed)
    for n, other in zip(at, reversed(at), strict=True):
        turned["events"][n] = placed["events"][other]

    one, other_way = judged(placed).dues, judged(turned).dues

    assert sorted(due.paid for due in one) == [50, 51]
    assert sorted(one) == sorted(other_way)
