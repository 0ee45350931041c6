"""Other cards loaded in the middle of a round, and cards that left the shoe outside a round."""

from typing import Any

import pytest

from replay.judge import Judgement
from tests.support import holdem_bonus_story as holdem
from tests.support import niu_niu_sheets as niu_niu
from tests.support import shoe_story
from tests.support import tiger_baccarat_sheets as tiger
from tests.support.tables import cases, judged

Json = dict[str, Any]

DEAL = ", ".join(
    [
        *("deal player_a KS", "deal player_b KH", "deal player_a KD", "deal player_b KC"),
        *("deal player_a QC", "deal player_b 9C"),
    ]
)


def codes(found: Judgement) -> str:
    return " ".join(flag.code for flag in found.flags)


def tiger_round(story: str) -> Judgement:
    """A hand of four cards, with something between them: `9S>P KS>B, load S2, KH>P 4H>B`."""
    events: list[Json] = []
    for part in story.split(","):
        drawn = sum(1 for at in events if at["type"] == "CardDrawn")
        dealt = tiger.drawn(part, drawn + 1) if ">" in part else tiger.happened(part)
        events += dealt
    bets = [*tiger.wagers(tiger.BETS), tiger.event("BettingClosed")]
    closed = tiger.event("RoundClosed")
    shoe = {"shoe_id": "S1", "hands": 30}
    return judged({"terms": tiger.terms(), "shoe": shoe, "events": [*bets, *events, closed]})


@pytest.mark.parametrize(
    ("story", "status", "flagged"),
    cases("""
        9S>P KS>B KH>P 4H>B                             | settled | | one shoe
        9S>P KS>B KH>P 4H>B, load S2                    | settled | | TB:4.17 the next shoe after the hand
        9S>P KS>B, load S2, KH>P 4H>B                   | settled | REFER_7.20 DECISION_MISSING | TB:7.20 two shoes in a hand
        load S2, 9S>P KS>B KH>P 4H>B                    | settled | REFER_7.20 DECISION_MISSING | TB:7.20 another one after no more bets
        9S>P KS>B, load S2, KH>P 4H>B, rule TB:7.20 continue director | settled | REFER_7.20 | TB:7.20 decided
        9S>P KS>B, empty S1, load S2, KH>P 4H>B         | void    | SHOE_EXHAUSTED | TB:7.2 other cards do not complete the hand
        9S>P KS>B, empty S1, KH>P 4H>B                  | void    | SHOE_EXHAUSTED | TB:7.2 nor do cards put back into it
        9S>P KS>B, report insufficient_cards, load S2, KH>P 4H>B | void | SHOE_EXHAUSTED | TB:7.2 reported, and other cards came
        9S>P KS>B, report insufficient_cards, KH>P 4H>B | settled | | TB:7.2 reported, and the cards sufficed
        9S>P KS>B KH>P 4H>B, empty S1                   | settled | | TB:7.2 empty with the last card
    """),  # noqa: E501 (a row is a round)
)
def test_a_hand_of_tiger_baccarat_is_dealt_from_one_shoe(
    story: str, status: str, flagged: str
) -> None:
    found = tiger_round(story)

    assert (found.ruled.status, codes(found)) == (status, flagged)


def niu_niu_round(place: int, *extra: Json) -> Judgement:
    written = niu_niu.sheet("1 P1 even 1000", niu_niu.PLAIN, niu_niu.event("RoundClosed"))
    written["events"][place:place] = extra
    return judged(written)


def holdem_round(place: int, *extra: Json) -> Judgement:
    written = holdem.from_shoe(holdem.BETS, holdem.SHOE, holdem.event("RoundClosed"))
    written["events"][place:place] = extra
    return judged(written)


LOAD = {"type": "ShoeLoaded", "shoe_id": "D2", "decks": 1}
CARRY_ON = {"type": "RulingMade", "decision": "continue", "rank": "pit_manager"}


@pytest.mark.parametrize(
    ("play", "clause"), [(niu_niu_round, "NN:7.1.1"), (holdem_round, "TH:7.1.1")]
)
def test_cards_of_another_deck_let_the_house_void_the_round(play: Any, clause: str) -> None:
    found, ruled = play(8, LOAD), play(8, LOAD, CARRY_ON | {"clause": clause})

    assert found.ruled.status == "void"
    assert codes(found) == "IRREGULARITY_7.1.1 DECISION_MISSING NEW_DECK_REQUIRED"
    assert (ruled.ruled.status, codes(ruled)) == ("settled", "IRREGULARITY_7.1.1")
    assert codes(play(1, LOAD)) == ""  # decks alternate, the other one comes before the deal


def test_a_deck_of_teen_patti_is_not_changed_between_the_cards() -> None:
    told = shoe_story.told("SA-TP", f"shuffle, close, {DEAL.replace('KD', 'KD, load D2', 1)}, end")

    assert shoe_story.flags(told) == "SHOE_CONTENTS D2"
    assert shoe_story.flags(shoe_story.told("SA-TP", f"load D2, close, {DEAL}, end")) == ""


def test_a_deck_of_andar_bahar_is_not_changed_between_the_cards() -> None:
    story = "shuffle, deal game 7S, bet b1 andar 100, close, deal andar KS{}, deal bahar 7D, end"

    told = shoe_story.told("SA-AB", story.format(", load D2"))

    assert shoe_story.flags(told) == "SHOE_CONTENTS D2"
    assert shoe_story.flags(shoe_story.told("SA-AB", story.format(""))) == ""


OPENED = {"type": "RoundOpened"}
STRAY = {"type": "CardDrawn", "position": 30, "card": "2H"}


@pytest.mark.parametrize(
    ("play", "hand"),
    [
        *((niu_niu_round, hand) for hand in ("1", "dealer", "next")),
        *((holdem_round, hand) for hand in ("1", "dealer", "community", "next")),
    ],
)
def test_a_card_between_two_rounds_is_told_and_counts_for_none(play: Any, hand: str) -> None:
    plain, card = play(0), STRAY | {"hand": hand}

    before, after = play(0, card, OPENED), play(len(plain.round.events), card)

    assert (codes(plain), codes(before), codes(after)) == ("", *["CARD_OUTSIDE_ROUND"] * 2)
    assert plain.dues == before.dues == after.dues


@pytest.mark.parametrize(
    ("place", "hand", "status", "flagged"),
    cases("""
        before | player | settled | CARD_OUTSIDE_ROUND | TB:2.2.13 before the round was opened
        after  | player | settled | UNDUE_PLAYER_CARD  | TB:7.6 it opens the next hand
        after  | next   | settled | NEXT_CARD_SEEN     | TB:7.5 the next hand's first card
    """),
)
def test_a_card_between_two_hands_of_tiger_baccarat(
    place: str, hand: str, status: str, flagged: str
) -> None:
    card, hand_over = STRAY | {"hand": hand}, tiger.event("RoundClosed")
    before = (card, OPENED) if place == "before" else ()
    after = (hand_over, card) if place == "after" else (hand_over,)

    found = judged(tiger.sheet(tiger.BETS, tiger.NATURAL, *after, before=before))

    assert (found.ruled.status, codes(found)) == (status, flagged)


def test_a_card_after_the_close_completes_no_hand_of_tiger_baccarat() -> None:
    after = (tiger.event("RoundClosed"), STRAY | {"hand": "player"})

    found = judged(tiger.sheet(tiger.BETS, "2S>P KS>B 3H>P 7H>B", *after))

    assert (found.ruled.status, codes(found)) == ("void", "HAND_INCOMPLETE CARD_OUTSIDE_ROUND")


@pytest.mark.parametrize(
    ("code", "story", "flagged", "paid"),
    cases("""
        SA-BC | deal player 5H, open, BC, end         | CARD_OUTSIDE_ROUND player | b1 win 100 200 | SA-BC:2.2.2 before the round
        SA-BC | BC, end, deal player 5H               | CARD_OUTSIDE_ROUND player | b1 win 100 200 | SA-BC:2.2.2 after it
        SA-BC | BC, end, deal player 5H, seen player 3 5H 0.99 | CARD_OUTSIDE_ROUND player | b1 win 100 200 | SA-BC:2.2.2 and the camera saw it
        SA-BC | SHORT, end, deal player 5H            | CARD_OUTSIDE_ROUND player, THIRD_CARD_MISSING player | b1 open 0 0 | SA-BC:2.3.2 a third card that came too late
        SA-DT | deal dragon 5H, open, DT, end         | CARD_OUTSIDE_ROUND dragon | b1 lose 0 0    | SA-DT:4.2.2 before the round
        SA-DT | DT, end, deal tiger 5C                | CARD_OUTSIDE_ROUND tiger  | b1 lose 0 0    | SA-DT:4.2.2 after it
        SA-PD | deal banker 9H, open, PD, end         | CARD_OUTSIDE_ROUND banker | b1 push 0 200  | SA-PD:6.3.2 before the round
        SA-PD | PD, end, deal banker 9H               | CARD_OUTSIDE_ROUND banker | b1 push 0 200  | SA-PD:6.3.2 after it
        SA-TP | deal player_a 5H, open, TP, end       | CARD_OUTSIDE_ROUND player_a | b1 win 95 195 | SA-TP:9.2 before the round
        SA-AB | deal andar 5H, open, AB, end          | CARD_OUTSIDE_ROUND andar  | b1 lose 0 0    | SA-AB:1.2 before the round
    """),  # noqa: E501 (a row is a round)
)
def test_a_card_outside_a_round_is_told(code: str, story: str, flagged: str, paid: str) -> None:
    told = shoe_story.told(code, _spelt(story), {"hands": 7} if code in SHOES else None)

    assert (shoe_story.flags(told), shoe_story.backs(told)) == (flagged, paid)


SHOES = ("SA-BC", "SA-DT", "SA-PD")
SEATS = (*(f"player_{n}" for n in range(1, 6)), "banker")
ROUNDS = {
    "BC": "bet b1 player 100, close, deal player 9S, deal banker 8S, deal player KS, "
    "deal banker KD",
    "SHORT": "bet b1 player 100, close, deal player 2S, deal banker KS, deal player 3H, "
    "deal banker 7H",
    "DT": "burn 1, bet b1 dragon 100, close, deal dragon 2C, deal tiger 3C",
    "PD": "burn 1, bet b1 player_1 100 100, close, "
    + ", ".join(f"deal {seat} {n}S" for n, seat in enumerate(SEATS, 2))
    + ", "
    + ", ".join(f"deal {seat} {n}H" for n, seat in enumerate(SEATS, 3)),
    "TP": f"shuffle, bet b1 player_a 100, close, {DEAL}",
    "AB": "shuffle, deal game 7S, bet b1 andar 100, close, deal andar KS, deal bahar 7D",
}


def _spelt(story: str) -> str:
    return ", ".join(ROUNDS.get(part.strip(), part) for part in story.split(","))
