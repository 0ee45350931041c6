"""Teen Patti 20-20, SA-TP: the worked examples of the rulebook page, and what a deal gets wrong."""

from typing import Any

import pytest

from replay.games import teen_patti as game
from replay.judge import Judgement
from replay.rulings import teen_patti
from schemas.cards import cards
from tests.replay.shoe_story import backs, flags, sheet, told
from tests.tables import cases, judged

CLASSES = {"trail_aces": "three aces", "trail": "three of a kind"}


def dealt(hands: str) -> str:
    """Both hands by turns (`KS KD QC v KH KC 9C`), as lines of a story."""
    one, two = (hand.split() for hand in hands.split(" v "))
    turns = [card for pair in zip(one, two, strict=True) for card in pair]
    return ", ".join(f"deal {hand} {card}" for hand, card in zip(game.TURNS, turns, strict=True))


def played(bets: str, hands: str, more: str = "", **terms: Any) -> Judgement:
    """A round with these bets (`player_a 100, tie 100`) and hands."""
    placed = [f"bet b{n} {bet}" for n, bet in enumerate(bets.split(","), 1)]
    return told("SA-TP", f"{','.join(placed)}, close, {dealt(hands)}, {more}", **terms)


@pytest.mark.parametrize(
    ("hands", "classes", "bet", "due"),
    cases("""
        KS KD KC v QS QD QC | trail trail full_house | player_a 100 | win 19/20 95 0 195 95 | example 1, a
        KS KD KC v QS QD QC | trail trail full_house | player_b 100 | lose 1 0 100 0 -100 | example 1, b
        KS KD KC v QS QD QC | trail trail full_house | pair_plus_a 100 | win 40 4000 0 4100 4000 | example 1, pair a
        KS KD KC v QS QD QC | trail trail full_house | pair_plus_b 100 | win 40 4000 0 4100 4000 | example 1, pair b
        KS KD KC v QS QD QC | trail trail full_house | six_card_bonus 100 | win 20 2000 0 2100 2000 | example 1, six
        QS JS TS v TH 9H 8H | straight_flush straight_flush straight | player_a 101 | win 19/20 96 0 197 96 | example 2, a
        QS JS TS v TH 9H 8H | straight_flush straight_flush straight | player_b 101 | lose 1 0 101 0 -101 | example 2, b
        QS JS TS v TH 9H 8H | straight_flush straight_flush straight | pair_plus_b 101 | win 30 3030 0 3131 3030 | example 2, pair b
        QS JS TS v TH 9H 8H | straight_flush straight_flush straight | six_card_bonus 101 | win 10 1010 0 1111 1010 | example 2, six
        QS JS TS v TH 9H 8H | straight_flush straight_flush straight | tie 101 | lose 1 0 101 0 -101 | example 2, tie
        KS KD QC v KH KC 9C | pair pair four_of_a_kind | player_a 100 | win 19/20 95 0 195 95 | example 3, a
        KS KD QC v KH KC 9C | pair pair four_of_a_kind | pair_plus_b 100 | win 1 100 0 200 100 | example 3, pair b
        KS KD QC v KH KC 9C | pair pair four_of_a_kind | six_card_bonus 100 | win 100 10000 0 10100 10000 | example 3, six
        AS 2D 3C v KH QC JD | straight straight None | player_a 100 | win 19/20 95 0 195 95 | example 4, a
        AS 2D 3C v KH QC JD | straight straight None | player_b 100 | lose 1 0 100 0 -100 | example 4, b
        AS 2D 3C v KH QC JD | straight straight None | pair_plus_a 100 | win 6 600 0 700 600 | example 4, pair a
        AS KD QC v AH 2C 3D | straight straight None | player_a 101 | win 19/20 96 0 197 96 | example 5, a
        AS KD QC v AH 2C 3D | straight straight None | player_b 101 | lose 1 0 101 0 -101 | example 5, b
        9S 7D 2C v 9H 7C 2D | high_card high_card None | player_a 100 | push 0 0 0 100 0 | example 6, a
        9S 7D 2C v 9H 7C 2D | high_card high_card None | player_b 100 | push 0 0 0 100 0 | example 6, b
        9S 7D 2C v 9H 7C 2D | high_card high_card None | tie 100 | win 826 82600 0 82700 82600 | example 6, tie
        9S 7D 2C v 9H 7C 2D | high_card high_card None | pair_plus_a 100 | lose 1 0 100 0 -100 | example 6, pair a
        AS AD AC v AH KC QD | trail_aces straight four_of_a_kind | player_a 100 | win 19/20 95 0 195 95 | example 7, a
        AS AD AC v AH KC QD | trail_aces straight four_of_a_kind | pair_plus_a 100 | win 50 5000 0 5100 5000 | example 7, pair a
        AS AD AC v AH KC QD | trail_aces straight four_of_a_kind | six_card_bonus 100 | win 100 10000 0 10100 10000 | example 7, six
        TS QS AS v JS KS 2D | flush high_card royal_flush | player_a 100 | win 19/20 95 0 195 95 | example 8, a
        TS QS AS v JS KS 2D | flush high_card royal_flush | pair_plus_a 100 | win 3 300 0 400 300 | example 8, pair a
        TS QS AS v JS KS 2D | flush high_card royal_flush | pair_plus_b 100 | lose 1 0 100 0 -100 | example 8, pair b
        TS QS AS v JS KS 2D | flush high_card royal_flush | six_card_bonus 100 | win 1000 100000 0 100100 100000 | example 8, six
        AS 3S 5D v 2S 4S 9S | high_card flush flush | player_b 100 | win 19/20 95 0 195 95 | example 9, b
        AS 3S 5D v 2S 4S 9S | high_card flush flush | pair_plus_a 100 | lose 1 0 100 0 -100 | example 9, pair a
        AS 3S 5D v 2S 4S 9S | high_card flush flush | pair_plus_b 100 | win 3 300 0 400 300 | example 9, pair b
        AS 3S 5D v 2S 4S 9S | high_card flush flush | six_card_bonus 100 | win 15 1500 0 1600 1500 | example 9, six
        4S 4D 4C v 5H 5C 5D | trail trail full_house | player_b 100 | win 19/20 95 0 195 95 | example 10, b
        4S 4D 4C v 5H 5C 5D | trail trail full_house | pair_plus_a 100 | win 40 4000 0 4100 4000 | example 10, pair a
        4S 4D 4C v 5H 5C 5D | trail trail full_house | pair_plus_b 100 | win 40 4000 0 4100 4000 | example 10, pair b
        4S 4D 4C v 5H 5C 5D | trail trail full_house | six_card_bonus 100 | win 20 2000 0 2100 2000 | example 10, six
        KS AD 2C v 9H 8C 3D | high_card high_card None | player_a 100 | win 19/20 95 0 195 95 | example 11, a
        KS AD 2C v 9H 8C 3D | high_card high_card None | pair_plus_a 100 | lose 1 0 100 0 -100 | example 11, pair a
        9S 7S 2S v 9H 7C 2D | flush high_card None | player_a 100 | win 19/20 95 0 195 95 | example 12, a
        9S 7S 2S v 9H 7C 2D | flush high_card None | tie 100 | lose 1 0 100 0 -100 | example 12, tie
        9S 7S 2S v 9H 7C 2D | flush high_card None | pair_plus_a 100 | win 3 300 0 400 300 | example 12, pair a
    """),  # noqa: E501  (a row is a line of the page)
)
def test_the_worked_examples(hands: str, classes: str, bet: str, due: str) -> None:
    """Columns: outcome, odds, win, lost, returned, net."""
    a, b, six = classes.split()
    recorded = f"call {a} of=player_a, call {b} of=player_b, end"

    found = played(bet, hands, recorded)

    (line,) = found.dues
    multiple = {"push": "0", "lose": "1"}.get(line.outcome, line.odds)
    amounts = (line.paid, line.collected, line.back, line.paid - line.collected)
    assert " ".join(map(str, (line.outcome, multiple, *amounts))) == due
    assert (line.commission, found.flags) == (0, ())
    wanted = {
        f"player_{name} holds {CLASSES.get(at, at).replace('_', ' ')}"
        for name, at in zip("ab", (a, b), strict=True)
    }
    assert wanted <= found.ruled.facts
    best = {fact for fact in found.ruled.facts if fact.startswith("six")}
    assert best == ({f"six cards hold {six.replace('_', ' ')}"} - {"six cards hold None"})


@pytest.mark.parametrize(
    ("bet", "clauses"),
    cases("""
        player_a       | SA-TP:9.5.1 SA-TP:9.2.3 | the higher hand
        player_b       | SA-TP:9.5.1 SA-TP:9.2.3 | the lower one
        tie            | SA-TP:9.5.2             | no tie
        pair_plus_a    | SA-TP:9.5.3 SA-TP:9.3.3 | a straight flush
        pair_plus_b    | SA-TP:9.5.3 SA-TP:9.3.6 | a pair that lost
        six_card_bonus | SA-TP:9.5.4             | too little
    """),
)
def test_the_clauses(bet: str, clauses: str) -> None:
    (due,) = played(f"{bet} 100", "QS JS TS v 4H 4D 9C").dues

    assert " ".join(due.clauses) == clauses


def test_a_tie_refunds_by_its_own_clause() -> None:
    (due,) = played("player_b 100", "9S 7D 2C v 9H 7C 2D").dues

    assert (due.outcome, due.clauses) == ("push", ("SA-TP:9.5.1",))


def test_what_is_published_elsewhere_pays_less_on_a_tie() -> None:
    found = played("tie 100, player_a 100", "9S 7D 2C v 9H 7C 2D", paytable="conventional")

    assert backs(found) == "b1 win 80000 80100, b2 push 0 100"


@pytest.mark.parametrize(
    ("higher", "lower"),
    cases("""
        AS AD AC | KS KD KC | three aces are the highest
        2S 2D 2C | AH KH QH | three of a kind above a straight flush
        4S 3S 2S | AH KC QD | a straight flush above a straight
        4S 3D 2C | AH KH JH | a straight above a flush
        5S 3S 2S | AH AC KD | a flush above a pair
        2S 2D 3C | AH KC JD | a pair above a high card
        AS KD QC | AH 2C 3D | A-K-Q above A-2-3
        AS 2D 3C | KH QC JD | A-2-3 above K-Q-J
        KS QS JS | QH JH TH | sequences by their highest card
        5S 4D 3C | 4H 3C 2D | down to 4-3-2
        5S 3S 2S | AH QH 9C | a flush above a high card
        AS 9S 3S | AH 9H 2H | flushes card by card
        KS KD QC | KH KC 9C | the third card of a pair
        QS QD 2C | JH JC AC | the pair first
        AS 8D 3C | AH 8C 2D | high cards card by card
        KS AD 2C | KH QC 9D | K-A-2 is no sequence, its ace counts
    """),
)
def test_hands_in_their_order(higher: str, lower: str) -> None:
    assert game.winner(game.Deal(cards(higher), cards(lower))) == "player_a"
    assert game.winner(game.Deal(cards(lower), cards(higher))) == "player_b"


@pytest.mark.parametrize(
    ("one", "other"),
    cases("""
        9S 7D 2C | 9H 7C 2D | high cards
        9S 7S 2S | 9H 7H 2H | flushes
        4S 3D 2C | 4H 3C 2D | straights
        AS 2S 3S | AH 2H 3H | straight flushes
        8S 8D 3C | 8H 8C 3D | pairs
    """),
)
def test_suits_decide_nothing(one: str, other: str) -> None:
    assert game.winner(game.Deal(cards(one), cards(other))) == "tie"


@pytest.mark.parametrize(
    ("six", "best"),
    cases("""
        AS KS QS JS TS 9S | royal flush     | not merely a straight flush
        KS QS JS TS 9S 8S | straight flush  | six in a row
        AS 2S 3S 4S 5S KD | straight flush  | from the ace up
        4S 4D 4C 4H 9S 9D | four of a kind  | with a pair beside it
        4S 4D 4C 9S 9D 9C | full house      | two threes
        4S 4D 4C 9S 9D 2C | full house      | a three and a pair
        AS 9S 7S 4S 2S KD | flush           | five of a suit
        AS 2D 3C 4H 5S 9D | straight        | from the ace up
        TS JD QC KH AS 2D | straight        | up to the ace
        KS AD 2C 3H 4S 9D |                 | not round the corner
        4S 4D 4C KH 9S 2D | three of a kind | just enough
        4S 4D KC KH 9S 9D |                 | three pairs are too little
        4S 5D 6C 7H 9S TD |                 | four in a row
        AS 9S 7S 4S 2D KD |                 | four of a suit
    """),
)
def test_the_best_five_of_six(six: str, best: str) -> None:
    assert game.six_cards(cards(six)) == best


@pytest.mark.parametrize(
    ("bet", "offered"),
    cases("""
        pair_plus_b    | yes | a bet
        pair_plus      | no  | on no hand
        player_c       | no  | no such hand
        player_a:nc    | no  | no such mode
        Tie            | no  | names are written in small letters
    """),
)
def test_other_bets_are_refused(bet: str, offered: str) -> None:
    found = played(f"{bet} 100", "KS KD KC v QS QD QC")

    assert (found.dues[0].outcome != "refused") == (offered == "yes")
    assert flags(found) == ("" if offered == "yes" else "BET_NOT_OFFERED b1")


A3, B3 = "deal player_a KS KD 2C", "deal player_b 9S 8D 3C"
LAWFUL = dealt("KS KD 2C v 9S 8D 3C")


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
        declared_void as_declared | player_a 100 | {A3}, void | void returned | void returned | before them
    """),  # noqa: E501
)
def test_another_reading(posted: str, bet: str, story: str, usual: str, other: str) -> None:
    issue, reading = posted.split()

    def said(**terms: Any) -> tuple[str, str]:
        found = told("SA-TP", f"bet b1 {bet}, close, {story}, end", **terms)
        return f"{found.ruled.status} {found.dues[0].outcome}", found.ruled.readings[issue]

    one, another = said(), said(readings={issue: reading})

    assert (one[0], another[0]) == (usual, other)
    assert one[1] != another[1] == reading


def test_a_steel_wheel_that_is_no_sequence_is_a_flush() -> None:
    six = cards("AS 2S 3S 4S 5S KD")

    assert game.six_cards(six) == "straight flush"
    assert game.six_cards(six, "is_none") == "flush"


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
