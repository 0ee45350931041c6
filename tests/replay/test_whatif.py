"""What if: one thing changed in a round, and what it would have meant."""

from typing import Any

import pytest

from replay import game_modules
from replay.judge import Judgement
from replay.rulebooks.terms import BadTerms
from replay.whatif import whatif
from replay.whatif_changes import BadChange
from schemas import events as e
from schemas.shape import Refused
from tests.support.tables import cases, judged


def wager(wager_id: str, bet: str, stake: int) -> dict[str, Any]:
    return {
        "type": "WagerPlaced",
        "wager_id": wager_id,
        "player_id": wager_id,
        "bet": bet,
        "stake": stake,
    }


def spin() -> Judgement:
    return judged(
        {
            "terms": {"game": "RO", "currency": "VND"},
            "events": [
                wager("w1", "red", 1000),
                wager("w2", "straight:17", 10),
                {"type": "WagerChanged", "wager_id": "w1", "stake": 2000},
                {
                    "type": "BallReleased",
                    "ball_direction": "clockwise",
                    "wheel_direction": "anticlockwise",
                },
                {"type": "BettingClosed"},
                {"type": "BallTracked", "revolutions": 9},
                {"type": "BallLanded", "pocket": 3},
                {"type": "DollyPlaced", "number": 3},
            ],
        }
    )


def shake() -> Judgement:
    return judged(
        {
            "terms": {"game": "SA-SB", "currency": "VND"},
            "events": [
                wager("w1", "small", 1000),
                {"type": "BettingClosed"},
                {"type": "ShakerStarted"},
                {"type": "ShakerStopped", "tumbles": 6},
                {"type": "ShakerOpened", "faces": ["1", "2", "4"]},
                {"type": "DiceObserved", "guesses": [{"seen": "1-2-4", "probability": 0.98}]},
            ],
        }
    )


def deal() -> Judgement:
    drawn = [("player", "2S"), ("banker", "KS"), ("player", "4H"), ("banker", "7H")]
    return judged(
        {
            "terms": {"game": "TB", "currency": "VND"},
            "events": [
                wager("w1", "player", 1000),
                wager("w2", "banker", 1000),
                {"type": "BettingClosed"},
                *(
                    {"type": "CardDrawn", "position": n, "hand": hand, "card": card}
                    for n, (hand, card) in enumerate(drawn, 1)
                ),
                {
                    "type": "CardsObserved",
                    "zone": "player",
                    "slot": 2,
                    "guesses": [{"seen": "4H", "probability": 0.99}],
                },
                {"type": "CardPlaced", "hand": "player", "slot": 2, "card": "4H"},
            ],
        }
    )


def throw() -> Judgement:
    return judged(
        {
            "terms": {"game": "SA-XD", "currency": "VND"},
            "events": [
                wager("w1", "big", 1000),
                {"type": "ShakerStarted"},
                {"type": "ShakerStopped", "tumbles": 0},
                {"type": "BettingClosed"},
                {"type": "BowlRemoved", "touched_token": True},
                {"type": "TokensRevealed", "faces": ["R", "R", "R"], "standing": 1},
                {"type": "ShakerStarted"},
                {"type": "ShakerStopped", "tumbles": 0},
                {"type": "BowlRemoved"},
                {"type": "TokensRevealed", "faces": ["R", "R", "R", "W"]},
                {"type": "TokensObserved", "guesses": [{"seen": "R-R-R-W", "probability": 0.9}]},
            ],
        }
    )


ROUNDS = {"spin": spin, "shake": shake, "throw": throw, "deal": deal}


@pytest.mark.parametrize(
    ("round", "change", "outcome", "player"),
    cases("""
        spin  | pocket=17                    | 17 black    | -3640 | red loses, the number wins
        spin  | wager:w1.stake=500           | 3 red       | -1500 | a change at the table gives way
        spin  | wager:w1.bet=black           | 3 red       | -4000 | another bet
        spin  | T1/sheet/9.pocket=4          | 4 black     | -4000 | only the sensor's word
        spin  | T1/sheet/3=none              | 3 red       | -2000 | an event taken away
        shake | faces=5-6-4                  | 5-6-4 (15)  | -2000 | big instead of small
        throw | reading:precedence=reshake_first | RRRW    | 960   | another reading of the rules
        deal  | card:player.2=6H             | P 8-7       | 50    | another card for every witness
        deal  | terms.paytable=non_commission | B 6-7      | 50    | no commission
    """),
)
def test_one_change_and_what_it_means(round: str, change: str, outcome: str, player: str) -> None:
    seen = whatif(ROUNDS[round](), [change])

    assert seen.after.ruled.outcome == outcome
    assert seen.player == int(player)


@pytest.mark.parametrize(
    ("changes", "status", "player"),
    cases("""
        ruling:TB:7.20=void | void | 50 | one is added
        ruling:TB:7.20=void ruling:TB:7.20.rank=dealer | settled | 0 | its rank decides
        ruling:TB:7.20=void ruling:TB:7.20=continue | settled | 0 | another decision
        ruling:TB:7.20=void ruling:TB:7.20=none | settled | 0 | and taken away
    """),
)
def test_a_ruling_is_added_changed_and_dropped(changes: str, status: str, player: str) -> None:
    seen = whatif(deal(), changes.split())

    assert (seen.after.ruled.status, seen.player) == (status, int(player))


@pytest.mark.parametrize(
    ("change", "why"),
    cases("""
        ruling:TB:7.20=none             | no ruling is on record               | nothing to drop
        ruling:TB:7.20.rank=director    | add one first with ruling:TB:7.20    | nothing to change
        ruling:TB:99=void               | a clause of TB                       | no such clause
        ruling:TB:7.20=nonsense         | one of void, continue, reopen expect | no such word
        ruling:TB:7.20=allow_withdrawal | one of void, continue, reopen expect | one of another
        ruling:TB:7.9=void              | one of allow_withdrawal, refuse_with | nor this one
        ruling:TB:3.1=void              | a choice expected, one of TB:4.8     | nobody rules there
        ruling:NN:7.1=void              | a clause of TB                       | another game's
    """),
)
def test_a_ruling_that_cannot_be_supposed(change: str, why: str) -> None:
    with pytest.raises(BadChange, match=why):
        whatif(deal(), [change])


@pytest.mark.parametrize(
    ("round", "change", "why"),
    cases("""
        spin  | ruling:RO:7.12=maybe      | business_decision expected              | no such word
        spin  | ruling:RO:7.11.1=position | refuse_payment expected                 | another's
        spin  | ruling:RO:4.7.4=maybe     | one of allow_payment, redeemed expected | and its parts
        spin  | ruling:RO:2.2=void        | one of RO:4.7.4, RO:4.7.4.1, RO:6.6     | nobody rules
        shake | ruling:SA-SB:8.2=void     | as the rules of SA-SB ask for none      | no rulings
        throw | ruling:SA-XD:11.2=void    | as the rules of SA-XD ask for none      | nor there
    """),
)
def test_a_ruling_is_in_words_of_its_game(round: str, change: str, why: str) -> None:
    with pytest.raises(BadChange, match=why):
        whatif(ROUNDS[round](), [change])


@pytest.mark.parametrize("clause", ["TB:7.20", "NN:7.1", "TH:7.5", "RO:7.12"])
def test_the_words_that_are_named_are_the_words_that_are_known(clause: str) -> None:
    code = clause.partition(":")[0]
    game = {"TB": "tiger_baccarat", "NN": "niu_niu", "TH": "holdem_bonus", "RO": "roulette_hoiana"}

    rulings = game_modules.rulings(game[code])

    assert rulings.ruling_words(clause)
    assert clause in rulings.CHOICE_CLAUSES


def test_the_word_of_a_ruling_on_record_is_held_to_its_clause_too() -> None:
    ruled = whatif(deal(), ["ruling:TB:7.20=continue"]).after
    (event_id,) = (at.event_id for at in ruled.round.events if isinstance(at.payload, e.RulingMade))

    with pytest.raises(BadChange, match="one of void, continue, reopen expected"):
        whatif(ruled, [f"{event_id}.decision=nonsense"])


def test_a_word_that_the_rules_do_not_know_answers_nothing() -> None:
    called = judged(
        {
            "terms": {"game": "SA-SB", "currency": "VND"},
            "events": [
                wager("w1", "small", 1000),
                {"type": "BettingClosed"},
                {"type": "ShakerStarted"},
                {"type": "ShakerStopped", "tumbles": 6},
                {"type": "ShakerOpened", "faces": ["1", "2", "4"]},
                {"type": "ResultCalled", "result": "1-2-4", "shown_by": "dealer"},
            ],
        }
    )
    call = called.round.events[-1].event_id

    with pytest.raises(BadChange, match="one of dealer or board expected, nobody found"):
        whatif(called, [f"{call}.shown_by=nobody"])


def test_nothing_changed_means_nothing() -> None:
    seen = whatif(deal(), [])

    assert seen.player == 0
    assert seen.before.dues == seen.after.dues


def test_other_tokens_for_every_witness() -> None:
    seen = whatif(throw(), ["reading:precedence=reshake_first", "faces=W-W-W-W"])

    assert seen.before.ruled.status == "void"
    assert (seen.after.ruled.outcome, seen.player) == ("WWWW", -1000)


def test_changes_add_up() -> None:
    seen = whatif(deal(), ["card:player.1=5S", "card:player.2=4H", "wager:w1.stake=10"])

    assert seen.after.ruled.outcome == "P 9-7"
    assert {line.wager_id: line.player for line in seen.lines} == {"w1": 1010, "w2": -1950}


def test_a_card_more_and_a_card_less() -> None:
    more = whatif(deal(), ["card:player.3=9C"])
    less = whatif(deal(), ["card:banker.2=none"])

    assert "undue" in " ".join(flag.code for flag in more.after.flags).lower()
    assert less.after.ruled.status != "settled"


def test_a_reading_may_be_changed() -> None:
    seen = whatif(spin(), ["reading:zero_trio=only_0_1_2"])

    assert seen.after.terms is not None
    assert seen.after.terms.readings["zero_trio"] == "only_0_1_2"


@pytest.mark.parametrize(
    ("change", "said"),
    cases("""
        pocket               | KEY=VALUE expected                | no value
        =5                   | KEY=VALUE expected                | no key
        colour=red           | is nothing of round               | no such key
        card:player=9H       | card:HAND.SLOT                    | no slot
        card:player.9=9H     | player has 2 cards                | no such place
        card:player.1=1S     | a card such as 9H expected        | no such card
        faces=1-2-3          | has no ShakerOpened               | no shaker in this game
        pocket=37            | a pocket 0 to 36 or none expected | a pocket the wheel has not
        pocket=red           | a pocket 0 to 36 or none expected | no pocket at all
        pocket=7             | has no BallLanded                 | no wheel in this game
        wager:w9.stake=5     | an ID of w1, w2 expected          | no such wager
        wager:w1.stake=x     | a whole number expected           | no number
        wager:w1.amount=5    | one of wager_id, player_id        | no such field
        wager:w1.stake=-5    | expected, -5 found                | never negative
        terms.game=ZZ        | rulebook 'ZZ'                     | no such rulebook
        terms.paytable=x     | paytable commission               | no such paytable
        reading:x=y          | 'x' found                         | no such issue
    """),
)
def test_what_cannot_be_changed_is_said(change: str, said: str) -> None:
    with pytest.raises((BadChange, Refused, BadTerms, LookupError)) as error:
        whatif(deal(), [change])

    assert said in str(error.value)


def rolled() -> Judgement:
    return judged(
        {
            "terms": {"game": "SA-FPC", "currency": "VND"},
            "events": [
                wager("w1", "symbol:fish", 1000),
                {"type": "BettingClosed"},
                {"type": "ShakerStopped", "tumbles": 6},
                {"type": "ShakerOpened", "faces": ["fish", "crab", "crab"]},
                {"type": "ResultCalled", "result": "fish-crab-crab"},
            ],
        }
    )


@pytest.mark.parametrize(
    ("game", "faces", "wanted"),
    cases("""
        shake  | 9-9-9          | three dice of 1 to 6   | no such points
        shake  | 1-2            | three dice of 1 to 6   | a die is missing
        shake  | 1-2-9          | three dice of 1 to 6   | one die of three
        shake  | 1-2-3-4        | three dice of 1 to 6   | a die too many
        rolled | fish-fish-coin | three dice of fish     | no such symbol
        rolled | 1-2-3          | three dice of fish     | dice of another game
        throw  | R-R            | four tokens of R and W | tokens are missing
        throw  | R-R-R-B        | four tokens of R and W | no such side
    """),
)
def test_faces_that_cannot_show_are_refused(game: str, faces: str, wanted: str) -> None:
    before = {"shake": shake, "rolled": rolled, "throw": throw}[game]()

    with pytest.raises(BadChange, match=rf"faces={faces}: {wanted}.* or none expected"):
        whatif(before, [f"faces={faces}"])


def test_faces_that_nobody_read_leave_the_dealers_word() -> None:
    assert whatif(rolled(), ["faces=none"]).after.ruled.outcome == "fish-crab-crab"
    assert "UNVERIFIABLE" in {flag.code for flag in whatif(rolled(), ["faces=none"]).after.flags}
