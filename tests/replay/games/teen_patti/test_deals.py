"""Teen Patti 20-20, SA-TP: the worked examples of the rulebook page, hands and bets."""

import pytest

from replay.games import teen_patti as game
from schemas.cards import cards
from tests.support.shoe_story import backs, flags
from tests.support.tables import cases
from tests.support.teen_patti_story import played

CLASSES = {"trail_aces": "three aces", "trail": "three of a kind"}


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


def test_a_steel_wheel_that_is_no_sequence_is_a_flush() -> None:
    six = cards("AS 2S 3S 4S 5S KD")

    assert game.six_cards(six) == "straight flush"
    assert game.six_cards(six, "is_none") == "flush"
