"""Teen Patti 20-20, SA-TP: what a deal, a bet or a call gets wrong, and the readings."""

from typing import Any

import pytest

from replay.rulings import teen_patti
from tests.support.shoe_story import backs, flags, sheet, told
from tests.support.tables import cases, judged
from tests.support.tables import readings as relied_on
from tests.support.teen_patti_story import A3, B3, LAWFUL, dealt, played


@pytest.mark.parametrize(
    ("story", "status", "flagged"),
    cases(f"""
        {LAWFUL}                          | settled   |                       | lawful
        {A3}, {B3} | settled | DEAL_ORDER | one hand after the other
        {LAWFUL}, deal player_a 5H        | settled   | CARD_COUNT            | a seventh card
        {LAWFUL}, deal burn 5H            | settled   | CARD_COUNT            | on no hand
        deal player_a KS, deal player_b 9S | unsettled | CARD_COUNT           | two cards
        {A3}                              | unsettled | CARD_COUNT, DEAL_ORDER | one hand only
        {LAWFUL.replace("3C", "KS")}      | settled   | DUPLICATE_CARD KS     | a card twice
        {LAWFUL.replace("3C", "x")}       | unknown   | RESULT_UNKNOWN        | unread
        {LAWFUL.replace("3C", "x")}, seen player_b 3 3C 0.97 | settled |      | seen
        {LAWFUL}, seen player_b 3 3D 0.97 | unknown   | RESULT_UNKNOWN        | they differ
        {LAWFUL}, put player_b 3 3C       | settled   |                       | they agree
    """),
)
def test_the_deal(story: str, status: str, flagged: str) -> None:
    found = told("SA-TP", f"bet b1 player_a 100, close, {story}, end")

    assert found.ruled.status == status
    assert flags(found) == flagged
    due = {"settled": "b1 win 95 195", "unsettled": "b1 open 0 0"}
    assert backs(found) == due.get(status, "")


def test_a_round_under_way_is_no_fault() -> None:
    found = told("SA-TP", "bet b1 tie 100, close, deal player_a KS, deal player_b 9S")

    assert (found.ruled.status, flags(found), backs(found)) == ("unsettled", "", "b1 open 0 0")


def test_a_round_declared_void_in_time_gives_every_stake_back() -> None:
    found = told(
        "SA-TP", "bet b1 tie 100, close, deal player_a KS, deal player_b 9S, void, end void"
    )

    assert (found.ruled.status, flags(found)) == ("void", "")
    assert found.dues[0].back == 100


@pytest.mark.parametrize(
    ("story", "flagged", "back"),
    cases("""
        bet b1 tie 100, move b1 player_a, close  |                       | b1 win 95 195    | moved
        bet b1 player_a 100, move b1 even, close | BET_NOT_OFFERED b1 | b1 win 95 195 | nowhere
        bet b1 player_a 100, withdraw b1, close | | | taken back
        bet b1 player_a 100, close, withdraw b1 | WITHDRAWAL_REFUSED b1 | b1 win 95 195 | too late
        bet b1 player_a 100, close, stake b1 900 | LATE_BET b1 | b1 win 95 195 | raised late
        close, bet b1 player_a 100 | LATE_BET b1 | b1 refused 0 100 | bet late
    """),
)
def test_bets_count_until_betting_is_closed(story: str, flagged: str, back: str) -> None:
    found = told("SA-TP", f"{story}, {LAWFUL}, end")

    assert (flags(found), backs(found)) == (flagged, back)


@pytest.mark.parametrize(
    ("story", "flagged", "back"),
    cases("""
        bet b1 player_a 100, FIRST, close, REST  |             | b1 win 95 195    | closed late
        FIRST, bet b1 player_a 100, close, REST  | LATE_BET b1 | b1 refused 0 100 | before the close
        FIRST, REST, bet b1 player_a 100 | BETTING_NOT_CLOSED, LATE_BET b1 | b1 refused 0 100 \
| never closed
        bet b1 player_a 100, FIRST, stake b1 900, REST | BETTING_NOT_CLOSED, LATE_BET b1 \
| b1 win 95 195 | raised
    """),
)
def test_the_first_card_ends_betting(story: str, flagged: str, back: str) -> None:
    first, _, rest = LAWFUL.partition(", ")

    found = told("SA-TP", f"{story.replace('FIRST', first).replace('REST', rest)}, end")

    assert (flags(found), backs(found)) == (flagged, back)


def test_cards_after_the_close_do_not_count() -> None:
    five, _, sixth = LAWFUL.rpartition(", ")

    short = told("SA-TP", f"bet b1 player_a 100, close, {five}, end, {sixth}")
    extra = told("SA-TP", f"bet b1 player_a 100, close, {LAWFUL}, end, deal player_a 5H")

    assert (short.ruled.status, flags(short)) == ("unsettled", "CARD_COUNT")
    assert (flags(extra), backs(extra)) == ("CARD_COUNT", "b1 win 95 195")


@pytest.mark.parametrize(
    ("more", "flagged"),
    cases("""
        call A                             |                          | a letter
        call Player A wins, call pair of=player_a |                   | hand and class
        call A with a pair                 |                          | its class
        call A pair over high_card         |                          | both classes
        call A with a flush                | RESULT_MISMATCH A with a flush | SA-TP:9.3 other
        call A with a pair against a pair by=board | RESULT_MISMATCH A with a pair against a pair \
| SA-TP:9.3 shown so
        call player_b                      | RESULT_MISMATCH player_b | the lower hand
        call tie by=board                  | RESULT_MISMATCH tie      | a wrong display
        call flush of=player_b             | RESULT_MISMATCH player_b | a wrong class
        call full house of=six_card_bonus  | RESULT_MISMATCH six_card_bonus | SA-TP:9.4 other cards
        call none of=six_card_bonus        |                          | nothing that pays
        call pair of=player_c              | RESULT_MISMATCH player_c | a hand the game has not
        call B, call A                     |                          | put right
        settled b1 paid=95 returned=100    |                          | paid as due
        settled b1 paid=100 returned=100   | MISPAY b1                | paid even money
        void                               | RESULT_MISMATCH void     | declared void for nothing
    """),
)
def test_what_people_say_changes_nothing(more: str, flagged: str) -> None:
    found = played("player_a 100", "KS KD 2C v 9S 8D 3C", more)

    assert backs(found) == "b1 win 95 195"
    assert flags(found) == flagged


@pytest.mark.parametrize(
    ("hands", "settled", "bet"),
    cases("""
        4S 3D 2C v AH KH JH | b1 paid=0 collected=100 | player_a | flush above straight
        2S 2D 2C v AH KH QH | b1 paid=0 collected=100 | player_a | straight flush above three
        AS 2D 3C v KH QC JD | b1 paid=0 collected=100 | player_a | A-2-3 ranked lowest
        9S 7D 2C v 9H 7C 2D | b1 paid=95 returned=100              | player_a    | suits break a tie
        9S 7D 2C v KH KC 2D | b1 paid=0 collected=100 | pair_plus_b | read from the other hand
        KS KD 2C v KH QC 3D | b1 paid=0 collected=100              | six_card_bonus | of three cards
        9S 7D 2C v 9H 7C 2D | b1 paid=0 collected=100 | player_b | not refunded on a tie
    """),
)
def test_typical_wrong_payments(hands: str, settled: str, bet: str) -> None:
    found = played(f"{bet} 100", hands, f"settled {settled}")

    assert flags(found) == "MISPAY b1"


@pytest.mark.parametrize(
    ("carry", "before", "flagged"),
    cases("""
        used  | shuffle, open | | shuffled between the rounds
        used  | open          | DECK_REUSED | not shuffled
        fresh | open          | | nothing is known against it
    """),
)
def test_a_deck_is_shuffled_for_every_round(carry: str, before: str, flagged: str) -> None:
    written = sheet("SA-TP", f"{before}, bet b1 player_a 100, close, {LAWFUL}, end")

    found = judged(written | {"carry": {"deck_used": True} if carry == "used" else {}})

    assert (flags(found), backs(found)) == (flagged, "b1 win 95 195")
    assert found.ruled.memory == {"deck_used": True}


@pytest.mark.parametrize(
    ("posted", "bet", "story", "usual", "other"),
    cases(f"""
        tie ranks_alone | tie 100 | {dealt("9S 7S 2S v 9H 7C 2D")} | settled lose | settled win | one suited
        low_straight is_none | six_card_bonus 100 | {dealt("AS 2D 3C v 4H 5C 9D")} | settled win | settled lose | A to 5
        deal_order by_the_shoe | player_a 100 | deal player_a 9S 8D AC, deal player_b KS KD 4C | settled lose | settled win | crossed
        extra_card open | player_a 100 | {LAWFUL}, deal player_a 5H | settled win | unsettled open | a seventh
        duplicate_card void | player_a 100 | {LAWFUL.replace("3C", "KS")} | settled win | void returned | twice
        declared_void as_declared | player_a 100 | {LAWFUL}, void | settled win | void returned | after the hands
    """),  # noqa: E501
)
def test_another_reading(posted: str, bet: str, story: str, usual: str, other: str) -> None:
    issue, reading = posted.split()

    def said(**terms: Any) -> tuple[str, str]:
        found = told("SA-TP", f"bet b1 {bet}, close, {story}, end", **terms)
        return f"{found.ruled.status} {found.dues[0].outcome}", relied_on(found)[issue]

    one, another = said(), said(readings={issue: reading})

    assert (one[0], another[0]) == (usual, other)
    assert one[1] != another[1] == reading


@pytest.mark.parametrize(
    ("called", "word"),
    cases("""
        A             | player_a | a letter
        Player B wins | player_b | a sentence
        A wins, straight flush against pair | player_a straight_flush against pair | as it is shown
        B with a trail                      | player_b three_of_a_kind             | another word
        A, straight                         | player_a straight                    | one class
        player_a      | player_a | as the bet is written
        Tie           | tie      | a tie
        banker        | banker   | no hand of this game
    """),
)
def test_a_call_as_one_word(called: str, word: str) -> None:
    assert teen_patti.said(called) == word


@pytest.mark.parametrize(
    ("hands", "shown"),
    cases("""
        KS KD 2C v 9S 8D 3C | A wins, pair against high card | a
        9S 8D 3C v KS KD 2C | B wins, pair against high card | b
        9S 7D 2C v 9H 7C 2D | Tie, high card against high card | neither
    """),
)
def test_the_outcome_for_people(hands: str, shown: str) -> None:
    assert played("tie 100", hands).ruled.outcome == shown


@pytest.mark.parametrize(
    ("bet", "hands", "due"),
    cases("""
        pair_plus_a 100    | AS AS KS v 9H 7C 2D | win 300 400    | a flush, not a pair
        player_a 100       | 2H 2H 4H v AS AD KC | win 95 195     | and a flush beats a pair of aces
        player_a 100       | 2H 2H AH v KS QS 9S | win 95 195     | by its highest card
        pair_plus_a 100    | KS KS KS v 9H 7C 2D | win 4000 4100  | three of a kind are higher still
        six_card_bonus 100 | AS AS KS v QS 2S 9D | win 1500 1600  | five of a suit among six
        six_card_bonus 100 | AS AS AS v KS KS 9S | win 2000 2100  | a full house is higher
    """),
)
def test_a_card_that_came_twice_is_a_card_of_its_suit(bet: str, hands: str, due: str) -> None:
    """SA-TP:9.3.5, 9.4. It is told, and every line that rests on such cards says so."""
    found = played(bet, hands, "end")

    assert backs(found) == f"b1 {due}"
    assert "DUPLICATE_CARD" in flags(found)
    assert found.dues[0].flags == ("DUPLICATE_CARD",)
    assert relied_on(found)["duplicate_card"] == "settled_as_dealt"
