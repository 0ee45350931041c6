"""A step cites the clause that carries it."""

import pytest

from replay import rulebooks
from tests.support import blackjack_story, shoe_story, teen_patti_story
from tests.support.english import english
from tests.support.tables import cases

CERTIFICATE = "5.15.25"  # the version of a game, in the row of the certificate


@pytest.mark.parametrize(
    ("opening", "rest", "due"),
    cases("""
        9S 7D v 9H | p stand 1, d 8C       | 3.7.2             | a lower total is not closer to 21
        9S 7D v TH | p stand 1, d AC       | 3.7.2 3.2.2 3.8.3 | nor is it against a blackjack
        9S 7D v 9H | p hit 1, 1 8C, d 8C   | 3.7.4 3.5.7       | a bust hand loses for that
        9S 9D v 9H | p stand 1, d 8C       | 3.7.2             | a higher total wins
    """),
)
def test_a_plain_loss_at_blackjack_is_no_bust(opening: str, rest: str, due: str) -> None:
    found = blackjack_story.played(opening, rest)

    assert found.dues[0].clauses == tuple(f"SA-BJ:{clause}" for clause in due.split())


@pytest.mark.parametrize(
    ("code", "story", "text", "clauses"),
    cases("""
        SA-BC | bet b player 100, close, deal player 9S, deal banker 8S, deal player KS, deal banker KD | 1 bet, 100 in all | 2.4 | which bets there are
        SA-BC | close, deal player 9S, deal banker 9C, deal player KS, deal banker KD | a tie | 2.2.4 2.6 | equal scores
        SA-DT | burn 1, close, deal dragon 9S, deal tiger 9C | a tie     | 4.2.3 4.3.2 | equal points
        SA-DT | burn 1, close, deal dragon 9S                | not complete | 4.2.2 | a card is missing
        SA-AB | deal game 7H, close, deal andar 2C           | not complete | 1.2.3 | no match yet
        SA-AB | deal game 7H, close, deal andar 2C, void     | declared void | 1.2.4 | no match at all
    """),  # noqa: E501  (a row is a round)
)
def test_a_step_rests_on_its_own_clause(code: str, story: str, text: str, clauses: str) -> None:
    found = shoe_story.told(code, story)

    (step,) = [step for step in found.steps if text in english(step.text)]
    assert step.clauses == tuple(f"{code}:{clause}" for clause in clauses.split())


def test_the_ranking_of_a_hand_rests_on_the_clauses_of_its_class() -> None:
    found = teen_patti_story.played("player_a 100", "9S 7S 2S v KH KC 3D", "end")

    (step,) = [step for step in found.steps if english(step.text).startswith("Player A wins")]
    assert {"SA-TP:9.3.5", "SA-TP:9.3.6"} <= set(step.clauses)


def test_a_mispayment_is_told_by_the_line_that_makes_the_due() -> None:
    found = blackjack_story.played("9S 7D v 9H", "p stand 1, d 8C, settled w 100 0 100")

    assert [flag.clause for flag in found.flags] == ["SA-BJ:3.7.2"]


@pytest.mark.parametrize("code", ["SA-AB", "SA-BC", "SA-BJ", "SA-DT", "SA-PD", "SA-TP"])
def test_no_line_of_a_paytable_rests_on_the_certificate_alone(code: str) -> None:
    edition = rulebooks.in_force(code, "2026-03-01")

    assert edition.bets
    for bet in edition.bets:
        for line in edition.lines("", bet):
            texts = [edition.clause(clause).text for clause in line.clauses]
            by_issue = "forced" in line.provenance
            assert by_issue or not all(CERTIFICATE in text for text in texts), (bet, line)
