"""What shows the outcome ends betting where nobody closed it before, game by game."""

import pytest

from replay import betting_end
from replay.judge import Judgement
from replay.rulings.shared.shaken_dice import WAITS
from tests.support import roulette_story, shaker_story, shoe_story
from tests.support.tables import cases

# Each game's round up to what shows its outcome, and the rest; a bet to place, and how it wins.
CARDS = {
    "SA-BC": ("deal player 6S", "deal banker 7H, deal player KD, deal banker KC", "banker"),
    "SA-DT": ("deal dragon JS", "deal tiger QD", "tiger"),
    "SA-PD": (
        "deal player_1 9S",
        "deal player_2 2S, deal player_3 2H, deal player_4 2C, deal player_5 2D, deal banker 4S, "
        "deal player_1 KD, deal player_2 3S, deal player_3 3H, deal player_4 3C, "
        "deal player_5 3D, deal banker KC",
        "player_1",
    ),
    "SA-AB": ("deal andar 7C", "", "andar"),
    "SA-TP": (
        "deal player_a KS",
        "deal player_b 2D, deal player_a KD, deal player_b 5C, deal player_a QC, deal player_b 9H",
        "player_a",
    ),
}
OPENS = {"SA-AB": "shuffle, deal game 7H", "SA-TP": "shuffle"}
SHAKES = {
    "SA-SB": ("6-5-4", "big"),
    "SA-HL": ("6-5-4", "hi"),
    "SA-FPC": ("crab-fish-fish", "symbol:fish"),
}

OTHERS = {"SA-SB": "small", "SA-HL": "lo", "SA-FPC": "symbol:crab"}


def dealt(code: str, *parts: str) -> Judgement:
    story = ", ".join(filter(None, (OPENS.get(code, ""), *parts)))
    return shoe_story.told(code, story)


def fates(found: Judgement) -> list[str]:
    return [due.outcome for due in found.dues]


def codes(found: Judgement) -> list[str]:
    """The flags of betting; a round's burn and other matters of the shoe are told elsewhere."""
    about = ("LATE", "BETTING_", "SHAKE_", "SPIN_", "WITHDRAWAL", "ROUND_VOID")
    return sorted(
        f"{flag.code} {flag.subject}".strip() for flag in found.flags if flag.code.startswith(about)
    )


@pytest.mark.parametrize("code", CARDS)
def test_no_bet_counts_after_the_first_card(code: str) -> None:
    first, rest, bet = CARDS[code]
    held = " 100" if code == "SA-PD" else ""
    early, late = f"bet b1 {bet} 100{held}", f"bet b2 {bet} 100{held}"

    closed = dealt(code, early, "close", first, rest, "end")
    slow = dealt(code, early, first, late, "close", rest, "end")
    never = dealt(code, early, first, late, rest, "end")

    assert (fates(closed), codes(closed)) == (["win"], [])
    assert (fates(slow), codes(slow)) == (["win", "refused"], ["LATE_BET b2"])
    assert (fates(never), codes(never)) == (
        ["win", "refused"],
        ["BETTING_NOT_CLOSED", "LATE_BET b2"],
    )


@pytest.mark.parametrize("code", CARDS)
def test_no_bet_is_changed_or_taken_back_after_the_first_card(code: str) -> None:
    first, rest, bet = CARDS[code]
    early = f"bet b1 {bet} 100{' 100' if code == 'SA-PD' else ''}"

    raised = dealt(code, early, first, "stake b1 900", "close", rest, "end")
    back = dealt(code, early, first, "withdraw b1", "close", rest, "end")

    assert [due.stake for due in (*raised.dues, *back.dues)] == [100, 100]
    assert (codes(raised), codes(back)) == (["LATE_BET b1"], ["WITHDRAWAL_REFUSED b1"])


@pytest.mark.parametrize("code", CARDS)
def test_no_bet_counts_after_a_call_or_a_card_that_was_seen(code: str) -> None:
    first, rest, bet = CARDS[code]
    held = " 100" if code == "SA-PD" else ""
    early, late = f"bet b1 {bet} 100{held}", f"bet b2 {bet} 100{held}"
    hand = first.split()[1]

    called = dealt(code, early, f"call {bet}", late, "close", first, rest, "end")
    seen = dealt(code, early, first.replace("deal", "expose"), late, "close", first, rest, "end")
    unread = dealt(code, early, f"expose {hand}", late, "close", first, rest, "end")
    elsewhere = dealt(code, early, "expose discard 2C", late, "close", first, rest, "end")

    for found in (called, seen):
        assert (fates(found), codes(found)) == (["win", "refused"], ["LATE_BET b2"])
        assert {"betting_ends", "betting_time"} & found.ruled.readings.keys()
    for found in (unread, elsewhere):
        assert (fates(found), codes(found)) == (["win", "win"], [])


def test_cards_of_dragon_tiger_may_lie_face_down_before_the_close() -> None:
    lying = "deal dragon x, deal tiger x, bet b1 tiger 100"
    read = "seen dragon 1 JS 0.97, seen tiger 1 QD 0.97"

    unknown = dealt("SA-DT", lying, "close", read, "end")
    known = dealt("SA-DT", "deal dragon x, deal tiger x", read, "bet b1 tiger 100, close, end")

    assert (fates(unknown), codes(unknown)) == (["win"], [])
    assert (fates(known), codes(known)) == (["refused"], ["LATE_BET b1"])


@pytest.mark.parametrize("code", SHAKES)
def test_no_bet_counts_once_the_dice_can_be_seen(code: str) -> None:
    faces, bet = SHAKES[code]

    def told(story: str) -> Judgement:
        return shaker_story.told(f"bet b1 {bet} 100, {story}", game=code)

    slow = told(f"shake {faces}, bet b2 {bet} 100, close, end")
    never = told(f"shake {faces}, bet b2 {bet} 100, end")
    turning = told(f"start, bet b2 {bet} 100, close, stop 4, seen {faces}, end")
    again = told(f"shake {faces} overlap, bet b2 {bet} 100, close, shake {faces}, end")
    silent = told(f"shake {faces}, end")

    assert (fates(slow), codes(slow)) == (
        ["win", "refused"],
        ["LATE_BET b2", "SHAKE_BEFORE_CLOSE 0"],
    )
    assert (fates(never), codes(never)) == (
        ["win", "refused"],
        ["BETTING_NOT_CLOSED", "LATE_BET b2"],
    )
    assert (fates(turning), codes(turning)) == (["win", "win"], ["SHAKE_BEFORE_CLOSE 0"])
    assert (fates(again), codes(again)) == (["win", "win"], ["SHAKE_BEFORE_CLOSE 0"])
    assert (fates(silent), codes(silent)) == (["win"], ["BETTING_NOT_CLOSED"])


@pytest.mark.parametrize("code", SHAKES)
@pytest.mark.parametrize(
    ("story", "early"),
    cases("""
        camera IT 0.97 overlap, close, shake IT, end | DiceObserved  | dice on one another
        camera IT 0.40, close, shake IT, end         | DiceObserved  | a camera that is not sure
        start, close, stop 4, seen IT, end           | ShakerStarted | the start
        close, camera IT 0.40, shake IT, end         |               | all of it after the close
    """),
)
def test_dice_that_are_seen_before_the_close_are_early_play(
    code: str, story: str, early: str
) -> None:
    faces, bet = SHAKES[code]

    found = shaker_story.told(f"bet b1 {bet} 100, {story.replace('IT', faces)}", game=code)

    played = betting_end.early_play(found.round.events, found.round.betting_end, WAITS)
    assert (type(played.payload).__name__ if played else "") == early
    assert ("SHAKE_BEFORE_CLOSE 0" in codes(found)) == bool(early)


@pytest.mark.parametrize("code", SHAKES)
@pytest.mark.parametrize(
    ("story", "due", "flagged"),
    cases("""
        start, withdraw b1, close, stop 4, seen IT, end               |      |  | in a shake
        shake IT overlap, withdraw b1, close, shake IT, end           | win  | WITHDRAWAL_REFUSED b1 | on one another
        shake IT tumbles=2, withdraw b1, close, shake IT, end         | win  | WITHDRAWAL_REFUSED b1 | too few tumbles
        start, stop 4, again not_flat, withdraw b1, close, shake IT, end | win  | WITHDRAWAL_REFUSED b1 | by the dealer's word
        shake IT overlap, start, withdraw b1, close, stop 4, seen IT, end | win | WITHDRAWAL_REFUSED b1 | in the re-shake
        shake IT overlap, bet b2 BET 50, withdraw b2, close, shake IT, end | win |  | a bet placed after it
        shake IT overlap, stake b1 60, close, shake IT, end           | win  | WITHDRAWAL_REFUSED b1 | a part of it
        shake IT tumbles=2, stake b1 1, close, shake IT, end          | win  | WITHDRAWAL_REFUSED b1 | all but one
        shake IT overlap, move b1 OTHER, close, shake IT, end         | win  | WITHDRAWAL_REFUSED b1 | moved to another bet
        shake IT overlap, stake b1 300, stake b1 200, close, shake IT, end | win  |  | of what was added after it
    """),  # noqa: E501
)
def test_nothing_is_taken_back_in_a_reshake_case(
    code: str, story: str, due: str, flagged: str
) -> None:
    faces, bet = SHAKES[code]
    told = story.replace("IT", faces).replace("BET", bet).replace("OTHER", OTHERS[code])

    found = shaker_story.told(f"bet b1 {bet} 100, {told}", game=code)

    refused = [word for word in codes(found) if word.startswith("WITHDRAWAL")]
    assert (" ".join(fates(found)), ", ".join(refused)) == (due, flagged)


@pytest.mark.parametrize("code", SHAKES)
@pytest.mark.parametrize(
    ("story", "stake"),
    cases("""
        start, stake b1 60, close, stop 4, seen IT, end      | 60  | lowered in a shake
        shake IT overlap, stake b1 60, close, shake IT, end  | 100 | lowered in a re-shake case
        shake IT overlap, stake b1 900, close, shake IT, end | 900 | raised in one, while betting is open
        shake IT overlap, stake b1 300, stake b1 200, close, shake IT, end | 200 | of what was added after it
        shake IT overlap, close, stake b1 60, shake IT, end  | 100 | lowered after the close
    """),  # noqa: E501
)
def test_what_lay_there_rides_to_the_reshake(code: str, story: str, stake: str) -> None:
    faces, bet = SHAKES[code]

    found = shaker_story.told(f"bet b1 {bet} 100, {story.replace('IT', faces)}", game=code)

    assert [at.stake for at in found.dues] == [int(stake)]


@pytest.mark.parametrize(
    ("story", "stake", "flagged"),
    cases("""
        start, withdraw b1, drop token, start, stop 4         |     |                       | taken back before the drop
        start, drop token, withdraw b1, start, stop 4         | 100 | WITHDRAWAL_REFUSED b1 | SA-XD:11.4.2 taken back after it
        start, drop token, stake b1 60, start, stop 4         | 100 | WITHDRAWAL_REFUSED b1 | SA-XD:11.4.2 lowered after it
        start, drop token, move b1 even, start, stop 4        | 100 | WITHDRAWAL_REFUSED b1 | SA-XD:11.4.2 moved after it
        start, drop token, stake b1 900, start, stop 4        | 900 |                       | SA-XD:11.4.2 raised after it
    """),  # noqa: E501
)
def test_bets_stand_when_something_is_dropped(story: str, stake: str, flagged: str) -> None:
    told = f"bet b1 odd 100, {story}, close, bowl, tokens RRRW, end"

    found = shaker_story.told(told, game="SA-XD")

    assert [str(at.stake) for at in found.dues] == stake.split()
    assert ", ".join(codes(found)) == flagged


@pytest.mark.parametrize(
    ("story", "due", "flagged"),
    cases("""
        close, bowl, tokens RRRW, end                    | win          |  | in order
        bowl, tokens RRRW, end                           | void         | BETTING_NOT_CLOSED, ROUND_VOID early_reveal | SA-XD:11.4.4 never closed
        bowl, tokens RRRW, bet b2 odd 100, end           | void refused | BETTING_NOT_CLOSED, LATE_BET b2, ROUND_VOID early_reveal | a bet on what lies there
        enter RRRW, end                                  | win          | BETTING_NOT_CLOSED | never closed and no bowl seen
        bowl, tokens RRRW, bet b2 odd 100, close, end    | void refused | LATE_BET b2, ROUND_VOID early_reveal | SA-XD:11.4.4 lifted early
        bet b2 odd 100, close, bowl, tokens RRRW, end    | win win      |  | shaken while bets are taken
    """),  # noqa: E501
)
def test_no_bet_counts_once_the_bowl_is_off(story: str, due: str, flagged: str) -> None:
    found = shaker_story.told(f"bet b1 odd 100, start, stop 4, {story}", game="SA-XD")

    assert (" ".join(fates(found)), ", ".join(codes(found))) == (due, flagged)


@pytest.mark.parametrize(
    ("story", "due", "flagged"),
    cases("""
        close, spin, turns 9, land 9, result 9                    | win         |  | in order
        spin, turns 9, land 9, result 9                           | win         | BETTING_NOT_CLOSED | never closed
        spin, turns 9, land 9, bet b2 p2 red 100, result 9        | win refused | BETTING_NOT_CLOSED, LATE_BET b2 | a bet on a ball at rest
        spin, turns 9, land 9, bet b2 p2 red 100, close, result 9 | win refused | LATE_BET b2, SPIN_BEFORE_CLOSE 0 | SA-RO:7.2.2 closed too late
        spin, bet b2 p2 red 100, close, turns 9, land 9, result 9 | win win     | SPIN_BEFORE_CLOSE 0 | SA-RO:7.2.2 while the ball runs
        spin, turns 3, land 9, bet b2 p2 red 100, close, spin, turns 9, land 9, result 9 | win win | SPIN_BEFORE_CLOSE 0 | a spin that does not count
    """),  # noqa: E501
)
def test_no_bet_counts_once_the_ball_rests(story: str, due: str, flagged: str) -> None:
    found = roulette_story.told(f"bet b1 p1 red 100, {story}, end", terms={"game": "SA-RO"})

    assert (" ".join(fates(found)), ", ".join(codes(found))) == (due, flagged)


def test_a_round_without_a_bet_needs_no_close() -> None:
    assert codes(dealt("SA-BC", *CARDS["SA-BC"][:2], "end")) == []
    assert codes(shaker_story.told("shake 6-5-4, end")) == []
