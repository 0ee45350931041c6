"""Blackjack: the worked examples of the specification, every column."""

from fractions import Fraction

import pytest

from replay import rulebooks
from replay.judge import Judgement
from replay.settle import Due, deciding
from tests.support.blackjack_story import flags, told
from tests.support.tables import readings as relied_on

EDITION = rulebooks.in_force("SA-BJ", "2026-03-01")


def example(bets: str, play: str, rule: str = "original_only") -> Judgement:
    """A seat `p` at 1 with main bet `m`; `q` and `r` stand behind."""
    placed = ", ".join(f"bet {bet}" for bet in bets.split("; "))
    return told(f"sit 1 p, {placed}, close, {play}", readings={"dealer_blackjack": rule})


def odds(due: Due, judged: Judgement) -> str:
    """The exact multiple of the stake that changes hands."""
    stand = next(at for at in judged.ruled.stands if at.wager.wager_id == due.wager_id)
    line = deciding(due.bet, judged.ruled.facts | stand.facts, EDITION, "fit").odds
    moves = {"win": line.pays, "lose": line.takes, "push": Fraction(0)}[line.result]
    return str(moves * due.action / due.stake)


# An example a block: its name, the bets, the play, then for each bet the columns
# wager, stake, outcome, odds, win, lost, returned, net.
EXAMPLES = """
1 blackjack
m p main 1 101
1 AS, d 9H, 1 KD, d 8C
m 101 win 3/2 152 0 253 152

2 blackjack against blackjack, insured
m p main 1 100
1 AS, d AH, 1 KD, p insure 1, d TC
m.insurance 50 win 2 100 0 150 100
m 100 push 0 0 0 100 0

3 plain win, pair side bet
m p main 1 100; x p pair 1 25
1 9S, d 9H, 1 9D, p stand 1, d 8C
x 25 win 11 275 0 300 275
m 100 win 1 100 0 200 100

4 push on 17
m p main 1 100
1 TS, d 9H, 1 7D, p stand 1, d 8C
m 100 push 0 0 0 100 0

5 bust
m p main 1 100; q q main 1 60
1 9S, d 9H, 1 7D, p hit 1, 1 8C, d 5C KC
m 100 lose 1 0 100 0 -100
q 60 lose 1 0 60 0 -60

6 surrender
m p main 1 101; q q main 1 60
1 9S, d 9H, 1 7D, p surrender 1, d 8C
m 101 half_loss 1/2 0 50 51 -50
q 60 half_loss 1/2 0 30 30 -30

7 double, one follower one not
m p main 1 100; q q main 1 60; r r main 1 60
1 6S, d 9H, 1 5D, p double 1 100, q follow_double 1 60 in 2000, r decline 1, 1 9C, d 8C
m 200 win 1 200 0 400 200
q 120 win 1 120 0 240 120
r 60 win 1 60 0 120 60

8 double, dealer blackjack
m p main 1 100; q q main 1 60
1 6S, d TH, 1 5D, p double 1 100, q follow_double 1 60 in 2000, 1 9C, d AC
m 200 lose_original 1/2 0 100 100 -100
q 120 lose_original 1/2 0 60 60 -60

9 double busts, dealer blackjack
m p main 1 100
1 TS, d TH, 1 2D, p double 1, 1 KC, d AC
m 200 lose 1 0 200 0 -200

10 split aces
m p main 1 100; x p pair 1 10; y q pair 1 10; q q main 1 60; r r main 1 60
1 AS, d 9H, 1 AD, p split 1 100, q follow_split 1 60 in 4999, 1.1 KD, 1.2 5C, d 9C
x 10 win 11 110 0 120 110
m 100 win 1 100 0 200 100
m.2 100 lose 1 0 100 0 -100
y 10 win 11 110 0 120 110
q 60 win 1 60 0 120 60
q.2 60 lose 1 0 60 0 -60
r 60 win 1 60 0 120 60

11 split, dealer blackjack
m p main 1 100; q q main 1 60
1 8S, d AH, 1 8D, p split 1, q follow_split 1 60, 1.1 3C, 1.2 TC, p hit 1.1, 1.1 KC, d TC
m 100 lose 1 0 100 0 -100
m.2 100 returned 0 0 0 100 0
q 60 lose 1 0 60 0 -60
q.2 60 returned 0 0 0 60 0

12 insurance lost, hand won
m p main 1 101
1 TS, d AH, 1 TD, p insure 1, p stand 1, d 8C
m.insurance 51 lose 1 0 51 0 -51
m 101 win 1 101 0 202 101

13 plain 21 against a dealer blackjack
m p main 1 100
1 7S, d TH, 1 7D, p hit 1, 1 7C, d AC
m 100 lose 1 0 100 0 -100

14 dealer stands on soft 17
m p main 1 100
1 TS, d AH, 1 8D, p decline 1, p stand 1, d 6C
m 100 win 1 100 0 200 100

15 timeout: 5+4 hit to 14, stands
m p main 1 100
1 5S, d TH, 1 4D, p timeout 1, 1 5C, d 6C 9D
m 100 win 1 100 0 200 100
"""
BLOCKS = [block.splitlines() for block in EXAMPLES.strip().split("\n\n")]


@pytest.mark.parametrize(
    ("bets", "play", "lines"),
    [pytest.param(bets, play, lines, id=name) for name, bets, play, *lines in BLOCKS],
)
def test_worked_examples(bets: str, play: str, lines: list[str]) -> None:
    judged = example(bets, play)

    found = [
        f"{due.wager_id} {due.stake} {due.outcome} {odds(due, judged)} "
        f"{due.paid} {due.collected} {due.back} {due.paid - due.collected}"
        for due in judged.dues
    ]
    assert sorted(found) == sorted(lines)
    assert judged.ruled.status == "settled"
    assert flags(judged) == ""
    assert all(due.commission == 0 for due in judged.dues)


def test_worked_example_16_all_bets_fall_to_a_dealer_blackjack() -> None:
    judged = example("m p main 1 100", "1 6S, d TH, 1 5D, p double 1, 1 9C, d AC", rule="all")

    (due,) = judged.dues
    assert (due.stake, due.outcome, due.paid, due.collected, due.back) == (200, "lose", 0, 200, 0)
    assert relied_on(judged)["dealer_blackjack"] == "all"
