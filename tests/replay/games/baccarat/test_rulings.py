"""Baccarat, SA-BC: cards, shoe and bets that are not as they should be, treated and breached."""

from typing import Any

import pytest

from replay.judge import Judgement
from replay.rulebooks.terms import BadTerms
from tests.replay.games.baccarat.test_deals import dealt
from tests.support.english import english
from tests.support.shoe_story import backs, flags, told
from tests.support.tables import cases
from tests.support.tables import readings as relied_on

BOTH_STAND = "deal player 6S, deal banker 7H, deal player KD, deal banker KC"  # 6 and 7


def bet_on(side: str, story: str, **more: Any) -> Judgement:
    """A round with 100 on one side, told from the end of betting on."""
    return told("SA-BC", f"bet b1 {side} 100, close, {story}", **more)


@pytest.mark.parametrize(
    ("story", "due", "flagged"),
    cases("""
        6S KD v 7H KC          | b1 win 95 195 |                            | both stand
        6S KD 9C v 7H KC       | b1 win 95 195 | THIRD_CARD_EXTRA player    | player beyond the rule
        6S KD v 7H KC 9C       | b1 win 95 195 | THIRD_CARD_EXTRA banker    | banker beyond the rule
        9S KD v 2H KC 8C       | b1 lose 0 0   | THIRD_CARD_EXTRA banker    | after a natural
        6S KD v 5H KC          | b1 open 0 0   | THIRD_CARD_MISSING banker  | banker short
        2S KD v 3H KC          | b1 open 0 0   | THIRD_CARD_MISSING player  | player short
        2S KD v 3H KC 4C       | b1 open 0 0   | THIRD_CARD_MISSING player  | banker unjudged
        2S KD 8S v 3H KC       | b1 win 95 195 |                            | stands on an eight
        2S KD 8S v 3H KC 4C    | b1 win 95 195 | THIRD_CARD_EXTRA banker    | and must not draw
        2S KD 9S v 3H KC       | b1 open 0 0   | THIRD_CARD_MISSING banker  | but draws on a nine
        6S KD 9C v 5H KC       | b1 open 0 0 \
| THIRD_CARD_EXTRA player, THIRD_CARD_MISSING banker | player's extra card is no third card
    """),
)
def test_third_cards(story: str, due: str, flagged: str) -> None:
    found = bet_on("banker", f"{dealt(*story.split(' v '))}, end")

    assert backs(found) == due
    assert flags(found) == flagged


@pytest.mark.parametrize(
    ("issue", "reading", "hands", "due"),
    cases("""
        extra_card   | not_counted      | 6S KD 3C v 7H KC | lose 0 0    | the rule ends the hand
        extra_card   | counted          | 6S KD 3C v 7H KC | win 100 200 | it lies there
        missing_card | open             | 6S KD v 5H KC    | open 0 0    | no final score
        missing_card | settled_as_dealt | 6S KD v 5H KC    | win 100 200 | as it lies
    """),
)
def test_readings_of_third_cards(issue: str, reading: str, hands: str, due: str) -> None:
    found = bet_on("player", f"{dealt(*hands.split(' v '))}, end", readings={issue: reading})

    assert backs(found) == f"b1 {due}"
    assert relied_on(found) == {issue: reading}


@pytest.mark.parametrize(
    ("story", "flagged"),
    cases("""
        deal player 6S KD, deal banker 7H KC | DEAL_ORDER | two and two
        deal banker 7H, deal player 6S KD, deal banker KC | DEAL_ORDER | banker first
        deal player 6S, deal banker 7H, deal player KD, deal banker KC | | the sequence
        deal player 2S, deal banker 3H, deal player KD, deal banker KC, deal banker 4C, \
deal player 9S | DEAL_ORDER | banker's third first
        deal player 2S, deal banker 3H, deal player KD, deal banker KC, deal player 9S, \
deal banker 4C | | player's third first
        deal player 6S, deal banker 7H, deal boots KD, deal player KD, deal banker KC \
| DEAL_ORDER | a card to nobody
        deal player 6S, deal banker 7H | DEAL_ORDER | it stops after two
    """),
)
def test_the_order_of_the_deal(story: str, flagged: str) -> None:
    assert flags(bet_on("player", f"{story}, end")) == flagged


def test_hands_are_as_laid_unless_the_order_of_the_shoe_is_posted() -> None:
    crossed = "deal player 9S KD, deal banker 2H 5C, end"  # by the shoe 9S 2H against KD 5C

    laid = bet_on("player", crossed)
    by_the_shoe = bet_on("banker", crossed, readings={"deal_order": "by_the_shoe"})

    assert (laid.ruled.outcome, backs(laid)) == ("P 9-7", "b1 win 100 200")
    assert relied_on(laid) == {"deal_order": "as_laid"}
    assert by_the_shoe.ruled.status == "unsettled", "player owes a third card on 9S 2H"
    assert flags(by_the_shoe) == "DEAL_ORDER, THIRD_CARD_MISSING player"


@pytest.mark.parametrize(
    ("story", "why"),
    cases("""
        seen banker 2 9C 0.97 | Banker card 2: camera 9C, shoe KC                    | camera
        put banker 2 9C       | Banker card 2: dealer 9C, shoe KC                    | dealer
        seen player 3 5H 0.97 | Player card 3: camera 5H, which the shoe never gave | a stranger
    """),
)
def test_witnesses_that_differ_leave_the_round_unknown(story: str, why: str) -> None:
    found = bet_on("player", f"{BOTH_STAND}, {story}, call banker, end")

    assert (found.ruled.status, found.dues, flags(found)) == ("unknown", (), "RESULT_UNKNOWN")
    assert english(found.flags[0].note) == why


@pytest.mark.parametrize(
    "story",
    [
        f"{BOTH_STAND}, seen banker 2 9C 0.89",
        "deal player 6S, deal banker 7H, deal player x, deal banker KC, seen player 2 KD 0.95",
        "put player 1 6S, put player 2 KD, put banker 1 7H, put banker 2 KC",
    ],
    ids=["an unsure camera", "a card the camera read", "the dealer's word alone"],
)
def test_a_card_is_what_every_sure_witness_agrees_on(story: str) -> None:
    found = bet_on("banker", f"{story}, end")

    assert (found.ruled.outcome, flags(found)) == ("B 6-7", "")


def test_a_card_nobody_read_leaves_the_round_unknown() -> None:
    found = bet_on("banker", "deal player 6S, deal banker 7H, deal player x, deal banker KC, end")

    assert english(found.flags[0].note) == "Player card 2: nobody could read it"


@pytest.mark.parametrize(
    ("story", "shoe", "flagged"),
    cases("""
        load S1, burn 9 9H, open  |     |                         | nine after a nine
        load S1, burn 10 KH, open |     |                         | ten after a king
        load S1, burn 10 TH, open |     |                         | ten after a ten
        load S1, burn 1 AH, open  |     |                         | one after an ace
        load S1, burn 11 AH, open |     | SHOE_BURN_COUNT S1      | eleven after an ace
        load S1, burn 9 KH, open  |     | SHOE_BURN_COUNT S1      | the turned card is not counted
        load S1, burn 7, open     |     | SHOE_BURN_COUNT S1      | SA-BC:2.1.2 no card turned over
        open, cut                 | 5   |                         | the cut card
        open, cut S9              | 5   | CUT_CARD_OF_ANOTHER_SHOE S9 | SA-BC:2.1.3 of another shoe
        load S1, open             |     | SHOE_BURN_MISSING S1    | none at all
        load S1, open, burn 9 9H  |     |                         | inside the first round
        load S1, burn 9 9H, burn 2 2H, open | | SHOE_BURN_UNEXPECTED S1 | twice
        open, burn 9 9H           | 5   | SHOE_BURN_UNEXPECTED S1 | in the sixth round
        open, burn 1              | 5   | SHOE_BURN_UNEXPECTED S1 | a round has no burn
        open                      | 5   |                         | no burn between rounds
        open                      |     |                         | a sheet that names no shoe
    """),
)
def test_the_burn(story: str, shoe: str, flagged: str) -> None:
    stated = {"hands": int(shoe)} if shoe else None

    found = told("SA-BC", f"{story}, bet b1 player 100, close, {BOTH_STAND}, end", stated)

    assert flags(found) == flagged
    assert backs(found) == "b1 lose 0 0"


def test_a_burn_after_the_first_card_is_not_the_one_that_was_owed() -> None:
    found = told("SA-BC", f"load S1, open, {BOTH_STAND}, burn 9 9H, end")

    assert flags(found) == "SHOE_BURN_MISSING S1, SHOE_BURN_UNEXPECTED S1"


@pytest.mark.parametrize(
    ("story", "out", "flagged"),
    cases("""
        cut         | no  |                            | the cut card in this round
        cut         | yes | DEALT_AFTER_LAST_ROUND S1  | it came out before
                    | yes | DEALT_AFTER_LAST_ROUND S1  | in the round before
                    | no  |                            | not yet
    """),
)
def test_the_last_round_of_a_shoe(story: str, out: str, flagged: str) -> None:
    shoe = {"hands": 60, "cut_card_out": out == "yes"}

    found = bet_on("player", f"{BOTH_STAND}, {story}, end", shoe=shoe)

    assert flags(found) == flagged
    assert found.ruled.status == "settled"


@pytest.mark.parametrize(
    ("out", "hands", "flagged"),
    cases("""
        7 | 6S KD v 7H KC | | the eighth
        8 | 6S KD v 7H KC | EXCESS_COPIES 6S | the ninth
        7 | 6S 6S KD v 7H KC | EXCESS_COPIES 6S | the eighth and the ninth
        8 | 6C KD v 7H KC | | another suit
    """),
)
def test_copies(out: str, hands: str, flagged: str) -> None:
    shoe = {"hands": 60, "drawn": {"6S": int(out)}}

    found = bet_on("tie", f"{dealt(*hands.split(' v '))}, end", shoe=shoe)

    assert ", ".join(flag for flag in flags(found).split(", ") if "COPIES" in flag) == flagged


@pytest.mark.parametrize(
    ("bet", "hands", "posted", "due"),
    cases("""
        player_pair    | 59 |      | lose          | the sixtieth round
        player_pair    | 60 |      | refused       | the sixty-first
        banker_pair    | 60 |      | refused       | the other hand
        any_pair       | 49 |      | lose          | the fiftieth
        any_pair       | 50 |      | refused       | the fifty-first
        perfect_pair:nc | 50 |     | refused       | in the other mode too
        tie            | 79 |      | lose          | no limit
        any_pair       | 79 | none | lose          | none posted
        any_pair       | 50 | any_pair 51, tie 9 | lose | the operator's number
        any_pair       | 51 | any_pair 51, tie 9 | refused | and the round after
        tie            | 9  | any_pair 51, tie 9 | refused | another bet
        player_pair    | 79 | any_pair 51, tie 9 | lose | what is posted replaces all
    """),
)
def test_max_round_availability(bet: str, hands: str, posted: str, due: str) -> None:
    readings = {"max_round_availability": posted} if posted else {}

    found = bet_on(bet, f"{BOTH_STAND}, end", shoe={"hands": int(hands)}, readings=readings)

    assert found.dues[0].outcome == due
    assert flags(found) == ("BET_UNAVAILABLE b1" if due == "refused" else "")
    if due == "refused":
        assert (found.dues[0].back, found.dues[0].clauses) == (100, ("SA-BC:2.5",))
        assert "max_round_availability" in relied_on(found)


@pytest.mark.parametrize(
    "posted", ["any_pair", "any_pair 0", "small_tiger 9", "tie 9,", "", "tie 10, tie 20"]
)
def test_what_is_no_number_of_rounds_cannot_be_posted(posted: str) -> None:
    with pytest.raises(BadTerms, match="max_round_availability"):
        bet_on("tie", f"{BOTH_STAND}, end", readings={"max_round_availability": posted})


@pytest.mark.parametrize(
    ("story", "due", "flagged"),
    cases("""
        bet b1 banker 100, close      | b1 win 95 195 |                       | in time
        close, bet b1 banker 100      | b1 refused 0 100 | LATE_BET b1        | too late
        bet b1 banker 100, stake b1 300, close | b1 win 285 585 |             | raised in time
        bet b1 banker 100, close, stake b1 300 | b1 win 95 195 | LATE_BET b1  | raised too late
        bet b1 banker 100, withdraw b1, close  | |                            | taken back in time
        bet b1 banker 100, close, withdraw b1 | b1 win 95 195 | WITHDRAWAL_REFUSED b1 | too late
        bet b1 tie 100, move b1 banker, close | b1 win 95 195 |               | moved
        bet b1 banker 100, move b1 boots, close | b1 win 95 195 | BET_NOT_OFFERED b1 | nowhere
    """),
)
def test_until_betting_is_closed(story: str, due: str, flagged: str) -> None:
    found = told("SA-BC", f"{story}, {BOTH_STAND}, end")

    assert backs(found) == due
    assert flags(found) == flagged


@pytest.mark.parametrize(
    ("story", "status", "due"),
    cases("""
        {hands}, end                             | settled   | win 95 195   | settled
        {hands}, void, end void                  | settled   | win 95 195   | complete hands stand
        deal player 6S, void, end void           | void      | returned 0 100 | no result
        deal player 6S, end                      | unsettled | open 0 0     | nobody said anything
        void, end void                           | void      | returned 0 100 | before a card
    """),
)
def test_a_declared_void_needs_a_round_without_result(story: str, status: str, due: str) -> None:
    found = bet_on("banker", story.format(hands=BOTH_STAND))

    assert (found.ruled.status, backs(found)) == (status, f"b1 {due}")


def test_a_table_may_follow_every_declaration() -> None:
    readings = {"declared_void": "as_declared"}

    found = bet_on("banker", f"{BOTH_STAND}, void, end void", readings=readings)

    assert (found.ruled.status, backs(found)) == ("void", "b1 returned 0 100")
    assert relied_on(found) == readings


@pytest.mark.parametrize(
    ("story", "flagged"),
    cases("""
        call B 6-7                   |                        | right
        call banker 7 to 6           |                        | the winner's score first
        call banker wins with 7      |                        | the winner's score alone
        call B 5-7                   | RESULT_MISMATCH B 5-7  | SA-BC:2.2.4 another score
        call B 7-6                   | RESULT_MISMATCH B 7-6  | SA-BC:2.2.4 the scores crossed
        call banker 8                | RESULT_MISMATCH banker 8 | SA-BC:2.2.4 another score alone
        call banker, call B 6-8 by=board | RESULT_MISMATCH B 6-8 | SA-BC:2.2.4 shown so
        call player                  | RESULT_MISMATCH player | wrong
        call player, call banker     |                        | put right
        call banker, call tie by=board | RESULT_MISMATCH tie  | the board
        call banker natural          | RESULT_MISMATCH banker natural | SA-BC:2.3.1 no natural
        call banker player           | RESULT_MISMATCH banker player | both sides
        call 6 of=player, call 7 of=banker |                  | hand by hand
        call 5 of=player             | RESULT_MISMATCH player | SA-BC:2.2.4 another score of a hand
        call 6 of=dragon             | RESULT_MISMATCH dragon | a hand the game has not
    """),
)
def test_calls(story: str, flagged: str) -> None:
    assert flags(bet_on("banker", f"{BOTH_STAND}, {story}, end")) == flagged


def test_a_natural_may_be_called() -> None:
    eight = "deal player 6S, deal banker 8H, deal player KD, deal banker KC"
    nines = eight.replace("6S", "9S").replace("8H", "9H")

    assert flags(bet_on("banker", f"{eight}, call banker natural 8, end")) == ""
    assert flags(bet_on("tie", f"{nines}, call natural tie, end")) == ""


@pytest.mark.parametrize(
    ("bet", "hands", "settled", "note", "clause"),
    cases("""
        banker:nc | KS 2D 3H v TC 6D | paid=100 returned=100 \
| paid +50 | SA-BC:2.4.3 | a six paid in full
        banker:nc | 6S KD v 7H KC | paid=95 commission=5 returned=100 \
| paid -5, commission +5 | SA-BC:2.4.3 | commission taken in the other mode
        player_bonus | 9S KD v KH QC | paid=3000 returned=100 \
| paid +2,900 | SA-BC:2.4.9 | margin on a natural
        any_pair | 4S 4S v 7H 7H | paid=1000 returned=100 | paid +500 | SA-BC:2.4.6 | paid twice
        perfect_pair | 4S 4S v 7H 7H | paid=5000 returned=100 \
| paid +2,500 | SA-BC:2.4.7 | paid twice
        player | 9S KD v 9H QC | collected=100 \
| collected +100, returned -100 | SA-BC:2.6 | a push collected
    """),
)
def test_typical_mispayments(bet: str, hands: str, settled: str, note: str, clause: str) -> None:
    found = bet_on(bet, f"{dealt(*hands.split(' v '))}, settled b1 {settled}, end")

    (flag,) = found.flags
    assert (*flag[:3], english(flag.note)) == ("MISPAY", clause, "b1", note)


def test_a_natural_tie_may_lose_the_bonus() -> None:
    story, readings = f"{dealt('9S KD', '9H QC')}, end", {"natural_tie": "lose"}

    found = bet_on("player_bonus", story, readings=readings)

    assert backs(found) == "b1 lose 0 0"
    assert relied_on(found) == readings
    assert relied_on(bet_on("player", story, readings=readings)) == {}


@pytest.mark.parametrize(
    ("cards", "as_laid", "by_the_shoe", "flagged"),
    cases("""
        player KS, banker 2D, player 7H, banker KC, player 6C | open 0 0 | win 95 195 \
| THIRD_CARD_EXTRA player, THIRD_CARD_MISSING banker | banker's third on the wrong hand
        player KS, banker 7D, player 2H, banker KC, banker 6C | open 0 0 | lose 0 0 \
| THIRD_CARD_MISSING player | player's third on the wrong hand
        player KS, banker 2D, player 7H, banker KC, banker 6C | win 95 195 | win 95 195 |  | right
    """),
)
def test_a_third_card_may_be_that_of_its_place_in_the_shoe(
    cards: str, as_laid: str, by_the_shoe: str, flagged: str
) -> None:
    story = ", ".join(f"deal {card}" for card in cards.split(", ")) + ", end"

    laid = bet_on("banker", story)
    given = bet_on("banker", story, readings={"deal_order": "by_the_shoe"})

    assert (backs(laid), backs(given)) == (f"b1 {as_laid}", f"b1 {by_the_shoe}")
    assert flags(laid) == flags(given) == flagged
    assert ("deal_order" in relied_on(laid)) == bool(flagged)


@pytest.mark.parametrize(
    ("bet", "hands", "due"),
    cases("""
        player_pair    | 2S 2H v 7D KC    | win 1100 1200 | his pair lies there
        player_pair    | 2S 3H v 7D KC    | lose 0 0      | and no pair cannot become one
        any_pair:nc    | 2S 3H v KD KC    | win 500 600   | no commission
        perfect_pair   | 2S 2S v 7D KC    | win 2500 2600 | a perfect one
        player_natural | 2S 2H v 7D KC    | lose 0 0      | with a natural no card would be owed
        banker_natural | 6S KD v 5H KC    | lose 0 0      | the other hand's
        player         | 2S 2H v 7D KC    | open 0 0      | the score is awaited
        player_bonus   | 2S 2H v 7D KC    | open 0 0      | so is the margin
        tie            | 2S 2H v 7D KC    | open 0 0      | so is a tie
    """),
)
def test_pairs_and_naturals_await_no_third_card(bet: str, hands: str, due: str) -> None:
    found = bet_on(bet, f"{dealt(*hands.split(' v '))}, end")

    assert found.ruled.status == "unsettled"
    assert backs(found) == f"b1 {due}"


def test_a_pair_is_not_settled_in_the_middle_of_a_deal() -> None:
    assert backs(bet_on("player_pair", dealt("2S 2H", "7D KC"))) == "b1 open 0 0"
