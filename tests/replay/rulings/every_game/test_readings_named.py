"""A reading that decides a round's money is named, so that explain can weigh the others."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay import rulebooks
from replay.explain import explanation
from replay.judge import Judgement, judge
from replay.rulebooks.terms import BadTerms
from replay.sheets.sheet import answer
from replay.whatif import whatif
from tests.replay.games.holdem_bonus.test_rulings import CARDS
from tests.replay.rulings.every_game.test_every_round import GAMES
from tests.support import holdem_bonus_story as holdem
from tests.support import shoe_story
from tests.support.any_round import tiger_baccarat
from tests.support.sheet_pages import CODES
from tests.support.tables import cases, judged

SHORT = "bet b1 player 100, close, deal player 2S, deal banker KS, deal player 3H, deal banker 7H"
PAIR = (
    "bet b1 player_pair 100, close, deal player 9S, deal banker 8S, deal player 9D, deal banker KD"
)
LATE = {"hands": 60}


def deciding(found: Judgement) -> set[str]:
    """The rule issues of which another reading would change the round, named or not."""
    posted, edition = found.round.terms, found.edition
    assert posted is not None
    assert edition is not None
    names = set()
    for name, issue in edition.issues.items():
        for other in (issue.reading, *issue.alternatives):
            terms = replace(posted, readings={**posted.readings, name: other})
            try:
                again = judge(replace(found.round, terms=terms), edition, found.memory)
            except BadTerms:
                continue  # two readings that exclude each other
            if decided(again) != decided(found):
                names.add(name)
    return names


def decided(found: Judgement) -> tuple[Any, ...]:
    """Status, money and what later rounds go by; how it came about is no part of it."""
    money = [due._replace(clauses=(), flags=(), odds="", action=Fraction(0)) for due in found.dues]
    return found.ruled.status, money, found.ruled.memory


def named(found: Judgement) -> set[str]:
    """The readings that a round is said to rely on, of those that could be read otherwise."""
    assert found.edition is not None
    named = answer(found)["readings"]
    assert named == {at["issue"]: at["reading"] for at in explanation(found)["readings"]}
    issues = found.edition.issues
    return {
        name
        for name, reading in named.items()
        if {issues[name].reading, *issues[name].alternatives} - {reading}
    }


@pytest.mark.parametrize("code", CODES)
@given(st.data())
@settings(deadline=None, max_examples=8)
def test_what_decides_is_named_and_nothing_else(code: str, data: st.DataObject) -> None:
    found = judged(data.draw(GAMES[code].sheets))

    assert named(found) == deciding(found)


@given(tiger_baccarat.between_two_boxes())
@settings(deadline=None, max_examples=60)
def test_what_decides_between_two_boxes_is_named(sheet: dict[str, Any]) -> None:
    """Two boxes that are each above the differential: a round of any kind seldom has them."""
    found = judged(sheet)

    assert named(found) == deciding(found)


@pytest.mark.parametrize("happened", ["", "close settled", "view 1", "report box_count 1"])
@pytest.mark.parametrize("deal", CARDS)
def test_what_decides_a_misdeal_is_named(deal: str, happened: str) -> None:
    """Hands of hold'em that were dealt wrongly, noticed first and noticed last."""
    bets, before = "1 ante 100, 2 ante 200, 2 flop 400", holdem.happened(happened)
    if not CARDS[deal]:
        rounds = [holdem.seen(happened, bets=bets)]
    else:
        rounds = [holdem.dealt(CARDS[deal], happened, bets=bets)]
        rounds += [holdem.dealt(CARDS[deal], bets=bets, before=before)] if happened else []

    assert rounds
    for found in rounds:
        assert named(found) == deciding(found)


@pytest.mark.parametrize(
    ("code", "story", "posted", "issue", "others"),
    cases("""
        SA-BC | SHORT, void, end void                | missing_card open                | missing_card | settled_as_dealt | a third card was due and the round called void
        SA-BC | SHORT, end void                      | missing_card settled_as_dealt    | missing_card | open             | the same, settled on two cards
        SA-BC | SHORT, end                           | missing_card open                | missing_card | settled_as_dealt | the same, closed
        SA-BC | PAIR, end                            | max_round_availability none      | max_round_availability | PRINTED | a pair in round 61, and no limit posted
        SA-BC | deal player 9S, deal lion 8S, deal player KS, deal banker KD, end | deal_order as_laid | deal_order | by_the_shoe | a card on no hand of Baccarat
        SA-DT | burn 1, bet b1 dragon 100, close, deal dragon 2C, deal lion 3C, end | deal_order as_laid | deal_order | by_the_shoe | a card on no side of Dragon Tiger
        SA-DT | burn 1, bet b1 dragon 100, close, deal dragon 2C, deal lion 3C, end | deal_order by_the_shoe | deal_order | as_laid | and by the shoe
        SA-PD | burn 1, bet b1 player_1 100 100, close, LION, end | deal_order as_laid | deal_order | by_the_shoe | every card of Pok Deng on no hand
    """),  # noqa: E501 (a row is a round)
)
def test_explain_says_what_the_result_depends_on(
    code: str, story: str, posted: str, issue: str, others: str
) -> None:
    found = told(code, story, None, **dict([posted.split()]))

    named = {at["issue"]: at["changed_by"] for at in explanation(found)["readings"]}
    printed = rulebooks.in_force(code, "2026-03-01").issues[issue].reading

    assert named[issue] == [others.replace("PRINTED", printed)]


def test_whatif_shows_the_money_under_another_reading() -> None:
    found = told("SA-BC", "SHORT, void, end void", missing_card="open")

    other = whatif(found, ["reading:missing_card=settled_as_dealt"])

    assert (other.before.dues[0].outcome, other.after.dues[0].outcome) == ("returned", "lose")
    assert other.player == -100


def test_a_limit_that_is_not_reached_decides_nothing() -> None:
    found = told("SA-BC", "PAIR, end", {"hands": 7}, max_round_availability="none")

    assert explanation(found)["readings"] == []


def told(code: str, story: str, shoe: dict[str, Any] | None = None, **readings: str) -> Judgement:
    lion = ", ".join(f"deal lion {n}{suit}" for suit in "SH" for n in range(2, 8))
    spelt = {"SHORT": SHORT, "PAIR": PAIR, "LION": lion}
    parts = (spelt.get(part.strip(), part) for part in story.split(","))
    return shoe_story.told(code, ", ".join(parts), shoe or LATE, readings=readings)
