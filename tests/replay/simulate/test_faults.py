"""Every fault happens, shows what it says, and disturbs nothing else."""

from collections import Counter
from functools import cache

import pytest

from audit import catalogue
from replay import rulebooks
from replay.judge import Judgement
from replay.settle import differences
from replay.simulate.faults import Truth, of_game
from schemas import events as e
from tests.replay.simulate.days import DAY, Played, judged, played
from tests.replay.simulate.test_honest_day import NOTES
from tests.tables import cases

GAMES = (
    *("TB", "RO", "SA-SB", "SA-FPC", "SA-HL", "SA-XD", "SA-BC", "SA-DT", "SA-PD"),
    *("SA-RO", "SA-AB", "SA-TP", "SA-BJ"),
)
ROUNDS = 200


def day(code: str) -> Played:
    """A table of the game with every fault it can show."""
    return played(f"T01:{code}", ROUNDS, "all")


@cache
def of_rounds(code: str) -> dict[str, Judgement]:
    return judged(day(code).readings)


def entries(code: str, name: str) -> list[Truth]:
    return [entry for entry in day(code).truth if entry.fault == name]


def at(code: str, name: str) -> Judgement:
    """What the rules say of the round of a fault."""
    entry = entries(code, name)[0]
    assert entry.round_id is not None
    return of_rounds(code)[entry.round_id]


def said(judgement: Judgement, kind: type[e.Payload]) -> list[e.Payload]:
    return [x.payload for x in judgement.round.events if isinstance(x.payload, kind)]


@pytest.mark.parametrize("code", GAMES)
def test_every_fault_of_the_game_happens(code: str) -> None:
    known = of_game(code, rulebooks.in_force(code, DAY).game)

    assert set(known) <= {entry.fault for entry in day(code).truth}


@pytest.mark.parametrize("code", GAMES)
def test_the_truth_names_rounds_that_are_there(code: str) -> None:
    there = {reading.round_id for reading in day(code).readings}

    for entry in day(code).truth:
        assert entry.round_id is None or entry.round_id in there
        assert entry.fault.split("/")[0] in entry.explains


def test_every_check_has_a_fault_that_shows_it() -> None:
    games = {edition.code: edition.game for edition in rulebooks.editions()}
    shown = {fault.check for pair in games.items() for fault in of_game(*pair).values()}

    assert shown == set(catalogue.checks())


@pytest.mark.parametrize("code", GAMES)
def test_rounds_without_a_fault_stay_honest(code: str) -> None:
    disturbed = {entry.round_id for entry in day(code).truth}

    for round_id, judgement in of_rounds(code).items():
        if round_id not in disturbed:
            assert {flag.code for flag in judgement.flags} <= NOTES, round_id


@pytest.mark.parametrize(
    ("code", "fault", "flag"),
    cases("""
        TB    | INT-08              | RULEBOOK_MISMATCH               | unknown edition, baccarat
        RO    | INT-08              | RULEBOOK_MISMATCH               | unknown edition, roulette
        SA-SB | INT-08              | RULEBOOK_MISMATCH               | unknown edition, dice
        TB    | INT-08/missing      | TERMS_MISSING                   | no terms, baccarat
        RO    | INT-08/missing      | TERMS_MISSING                   | no terms, roulette
        TB    | REC-03              | WRONG_CALL                      | another result called
        TB    | REC-07              | WRONG_ORDER                     | cards crossed
        RO    | REC-02              | RESULT_MISMATCH                 | another number marked
        SA-SB | REC-02              | RESULT_MISMATCH                 | other dice entered
        TB    | DEAL-01             | UNDUE_PLAYER_CARD               | a card too many on Player
        TB    | DEAL-01/banker      | UNDUE_BANKER_CARD               | a card too many on Banker
        TB    | DEAL-01/used        | UNDUE_THIRD_CARD_USED_BY_BANKER | Banker's card on Player
        TB    | DEAL-01/short       | HAND_INCOMPLETE                 | a card not drawn
        TB    | DEAL-04/missing     | BURN_OMITTED                    | no burn
        TB    | DEAL-07             | HAND_AFTER_LAST                 | a hand after the last
        TB    | DEAL-14             | SHOE_EXHAUSTED                  | an empty shoe
        SA-SB | DEAL-05             | SHAKE_BEFORE_CLOSE              | shaken too early
        TB    | SHOE-01             | SHOE_INTEGRITY                  | not shuffled
        TB    | SHOE-01/foreign     | SHOE_INTEGRITY                  | a foreign card
        RO    | PAY-13              | PAYMENT_ORDER                   | winners paid in reverse
        TB    | BET-01/placed       | LATE_BET                        | a late wager, baccarat
        RO    | BET-01/placed       | LATE_BET                        | a late wager, roulette
        RO    | BET-03/changed      | LATE_ACTION                     | a late change
        TB    | BET-08              | DIFFERENTIAL_EXCEEDED           | one side too heavy
        TB    | BET-13              | WAGER_ON_FREE_HAND              | a wager on a free hand
        SA-SB | BET-16              | LATE_BET                        | a late wager, dice
        RO    | BET-20              | ILLEGAL_POSITION                | no such place, roulette
        SA-SB | BET-20              | ILLEGAL_POSITION                | no such place, dice
        RO    | BET-20/called       | CALL_BET_NOT_PLACED             | a call without chips
        TB    | IRR-01              | DECISION_MISSING                | nobody decides
        TB    | IRR-01/order        | DECISION_MISSING                | nobody fixes the order
        TB    | IRR-01/option       | OPTION_NOT_OFFERED              | no new cards offered
        TB    | IRR-01/shoe         | SHOE_NOT_REPLACED               | the shoe stays
        RO    | IRR-01              | BALL_NOT_EXAMINED               | the ball not examined
        TB    | IRR-02              | WITHDRAWAL_NOT_ALLOWED          | taken back without leave
        TB    | IRR-02/shoe         | UNJUSTIFIED_SHOE_CHANGE         | a shoe taken away
        RO    | IRR-02/unsupported  | NO_SPIN_UNSUPPORTED             | a good spin called off
        RO    | IRR-02/after_result | NO_SPIN_AFTER_RESULT            | called off while paying
        RO    | IRR-02/too_late     | NO_SPIN_TOO_LATE                | called off when paid
        SA-SB | IRR-02              | RESHAKE_UNFOUNDED               | shaken again for nothing
        SA-SB | IRR-02/withdrawal   | WITHDRAWAL_REFUSED              | a wager wanted back
        TB    | IRR-03              | RANK_TOO_LOW                    | an inspector fixes the order
        TB    | IRR-03/squeeze      | RANK_TOO_LOW                    | a dealer refuses a squeeze
        RO    | IRR-03              | NO_SPIN_AUTHORITY               | a dealer's suspicion
        RO    | IRR-03/place        | RULING_AUTHORITY                | a dealer rules on a chip
        TB    | IRR-04              | UNJUSTIFIED_VOID                | void for nothing
        RO    | IRR-06              | NO_SPIN_NOT_CALLED              | a slow spin stands
        RO    | IRR-06/direction    | NO_SPIN_NOT_CALLED              | a spin with the wheel stands
        RO    | IRR-07              | BALL_NOT_RETURNED               | the ball in another pocket
        RO    | IRR-07/missing      | BALL_NOT_RETURNED               | the ball not put back
        SA-SB | IRR-08              | RESHAKE_MISSED                  | too few tumbles taken
        SA-FPC | DEAL-05            | SHAKE_BEFORE_CLOSE              | symbols shaken too early
        SA-FPC | BET-16             | LATE_BET                        | a late wager, symbols
        SA-FPC | BET-20             | ILLEGAL_POSITION                | no such place, symbols
        SA-FPC | IRR-02             | RESHAKE_UNFOUNDED               | symbols shaken for nothing
        SA-FPC | IRR-08/overlap     | RESHAKE_MISSED                  | overlapping symbols taken
        SA-HL | REC-02              | RESULT_MISMATCH                 | other points entered
        SA-HL | REC-02/total        | RESULT_MISMATCH                 | another total entered, HiLo
        SA-HL | IRR-02/withdrawal   | WITHDRAWAL_REFUSED              | a wager wanted back, HiLo
        SA-HL | IRR-08/flat         | RESHAKE_MISSED                  | a leaning die taken
        SA-XD | REC-02              | RESULT_MISMATCH                 | other tokens entered
        SA-XD | BET-03/changed      | LATE_BET                        | a late change, tokens
        SA-XD | IRR-02              | RESHAKE_UNFOUNDED               | tokens thrown for nothing
        SA-XD | IRR-08              | RESHAKE_MISSED                  | a standing token taken
        SA-XD | IRR-08/dropped      | RESHAKE_MISSED                  | a drop ignored
        SA-XD | IRR-09              | ROUND_VOID                      | a touched token kept
        SA-XD | IRR-09/forgotten    | ROUND_VOID                      | nothing shaken
        SA-XD | IRR-09/early        | ROUND_VOID                      | the bowl off early
        SA-XD | IRR-09/played_on    | PLAY_AFTER_VOID                 | a void round played on
        SA-XD | IRR-17              | NOT_REARRANGED                  | tokens left overlapping
        SA-XD | IRR-17/unfounded    | REARRANGE_UNFOUNDED             | tokens moved for nothing
        SA-XD | IRR-17/turned       | REARRANGE_CHANGED_OUTCOME       | a token turned over
        SA-BC | REC-03/score        | RESULT_MISMATCH                 | another score, both modes
        SA-BC | REC-07              | DEAL_ORDER                      | cards crossed, both modes
        SA-BC | DEAL-01             | THIRD_CARD_EXTRA                | a card beyond the rules
        SA-BC | DEAL-01/short       | THIRD_CARD_MISSING              | a card that never came
        SA-BC | DEAL-04             | SHOE_BURN_COUNT                 | one burned too many
        SA-BC | DEAL-04/missing     | SHOE_BURN_MISSING               | no burn for the shoe
        SA-BC | DEAL-04/mid_shoe    | SHOE_BURN_UNEXPECTED            | a burn in mid-shoe
        SA-BC | DEAL-07             | DEALT_AFTER_LAST_ROUND          | a round after the last
        SA-BC | SHOE-01             | EXCESS_COPIES                   | a ninth copy
        SA-BC | BET-14              | BET_UNAVAILABLE                 | a bet that had closed
        SA-BC | BET-20              | BET_NOT_OFFERED                 | no such bet
        SA-DT | REC-03/score        | RESULT_MISMATCH                 | other points called
        SA-DT | DEAL-04/round       | ROUND_BURN_COUNT                | no burn for the round
        SA-DT | DEAL-04/two         | ROUND_BURN_COUNT                | two burned for the round
        SA-DT | SHOE-01             | EXCESS_COPIES                   | a ninth copy, Dragon Tiger
        SA-DT | BET-16              | LATE_BET                        | a late wager, Dragon Tiger
        SA-DT | IRR-02/withdrawal   | WITHDRAWAL_REFUSED              | a wager wanted back, cards
        SA-PD | DEAL-02             | CARD_COUNT                      | eleven cards
        SA-PD | DEAL-02/more        | CARD_COUNT                      | thirteen cards
        SA-PD | BET-09              | WITHHELD_AMOUNT                 | too little withheld
        SA-PD | BET-09/pair         | WITHHELD_AMOUNT                 | withheld for a pair
        SA-PD | BET-09/balance      | INSUFFICIENT_BALANCE            | a bet not covered
        SA-PD | REC-03              | RESULT_MISMATCH                 | other figures entered
        SA-RO | IRR-06              | RESPIN_MISSED                   | four revolutions
        SA-RO | IRR-06/lost         | RESPIN_MISSED                   | a ball that never landed
        SA-RO | IRR-06/direction    | RESPIN_MISSED                   | with the wheel
        SA-RO | IRR-06/ball_out     | RESPIN_MISSED                   | out of the wheel
        SA-RO | IRR-06/malfunction  | RESPIN_MISSED                   | a malfunction
        SA-RO | IRR-06/wheel_stopped | RESPIN_MISSED                  | a wheel that stopped
        SA-RO | IRR-02              | RESPIN_UNFOUNDED                | a good spin repeated
        SA-RO | REC-02              | RESULT_MISMATCH                 | another number confirmed
        SA-RO | REC-02/colour       | RESULT_MISMATCH                 | another colour confirmed
        SA-RO | BET-03/withdrawn    | LATE_ACTION                     | taken back late, wheel
        SA-RO | BET-16              | LATE_BET                        | a late wager on the screen
        SA-RO | BET-20              | ILLEGAL_POSITION                | no such racetrack bet
        SA-RO | BET-20/chips        | ILLEGAL_POSITION                | not in whole chips
        SA-AB | DEAL-06             | DECK_REUSED                     | Andar Bahar not shuffled
        SA-AB | DEAL-08             | DEAL_ORDER                      | sides crossed
        SA-AB | DEAL-08/past        | DEALT_PAST_MATCH                | dealt after the match
        SA-AB | DEAL-08/no_match    | NO_MATCH                        | ended before the match
        SA-AB | SHOE-01             | DUPLICATE_CARD                  | a card twice from one deck
        SA-AB | BET-16/early        | LATE_BET                        | before the Game Card
        SA-AB | BET-20              | BET_NOT_OFFERED                 | First 3 in No Commission
        SA-AB | REC-03              | RESULT_MISMATCH                 | another side and count
        SA-TP | DEAL-02             | CARD_COUNT                      | seven cards
        SA-TP | DEAL-02/short       | CARD_COUNT                      | five cards
        SA-TP | DEAL-06             | DECK_REUSED                     | Teen Patti not shuffled
        SA-TP | REC-03/class        | RESULT_MISMATCH                 | another class entered
        SA-TP | REC-07              | DEAL_ORDER                      | cards crossed, two hands
        SA-TP | SHOE-01             | DUPLICATE_CARD                  | a card twice, two hands
        SA-TP | IRR-02/withdrawal   | WITHDRAWAL_REFUSED              | wanted back, two hands
        SA-BJ | REC-03              | RESULT_MISMATCH                 | another total entered
        SA-BJ | REC-03/hand         | RESULT_MISMATCH                 | another hand entered
        SA-BJ | REC-07              | DEAL_ORDER                      | cards crossed, seats
        SA-BJ | DEAL-07             | DEALT_AFTER_LAST_ROUND          | a round after the cut card
        SA-BJ | DEAL-09             | DEALER_OVERDREW                 | the dealer draws on 17
        SA-BJ | DEAL-09/stopped     | DEALER_STOPPED_EARLY            | the dealer stops on 16
        SA-BJ | DEAL-09/second      | DEALER_SECOND_CARD_EARLY        | the second card too early
        SA-BJ | DEAL-09/ace         | SPLIT_ACE_CARDS                 | a split Ace hit
        SA-BJ | DEAL-09/twice       | SECOND_SPLIT                    | split twice
        SA-BJ | DEAL-09/again       | SECOND_SPLIT                    | a third hand refused
        SA-BJ | DEAL-09/closed      | CARD_AFTER_CLOSE                | a card after the close
        SA-BJ | DEAL-09/follow      | ACTION_NOT_OPEN                 | followed before the offer
        SA-BJ | DEAL-09/unequal     | SPLIT_UNEQUAL_VALUES            | a nine and an eight split
        SA-BJ | DEAL-09/split_double | DOUBLE_AFTER_SPLIT             | doubled after a split
        SA-BJ | DEAL-09/double      | DOUBLE_CARDS                    | two cards after a double
        SA-BJ | DEAL-09/double_short | DOUBLE_CARDS                   | no card after a double
        SA-BJ | DEAL-09/double_late | ACTION_NOT_OPEN                 | a double on three cards
        SA-BJ | DEAL-09/bust        | CARD_AFTER_BUST                 | a busted hand hit
        SA-BJ | DEAL-09/blackjack   | CARD_AFTER_BLACKJACK            | a blackjack hit
        SA-BJ | DEAL-09/stood       | CARD_AFTER_STAND                | a hand that stood hit
        SA-BJ | DEAL-09/surrender   | SURRENDER_REFUSED_UPCARD        | given up to an Ace
        SA-BJ | DEAL-09/surrender_late | SURRENDER_AFTER_ACTION       | given up after a hit
        SA-BJ | DEAL-09/surrendered | CARD_AFTER_SURRENDER            | a hand given up hit
        SA-BJ | DEAL-09/insurance   | INSURANCE_WITHOUT_ACE           | insured against a nine
        SA-BJ | DEAL-09/auto        | AUTO_OVERDREW                   | the system hits 15
        SA-BJ | DEAL-09/auto_short  | AUTO_STOOD_EARLY                | the system stands on 9
        SA-BJ | SHOE-01             | EXCESS_COPIES                   | a ninth two
        SA-BJ | BET-10              | INSURANCE_AMOUNT                | insured for too much
        SA-BJ | BET-10/double       | ADDED_BET_AMOUNT                | doubled for less
        SA-BJ | BET-11              | PAIR_BEFORE_MAIN                | the pair first
        SA-BJ | BET-15              | FOLLOW_LATE                     | followed too late
        SA-BJ | BET-15/unequal      | FOLLOW_LATE                     | followed for less
        SA-BJ | BET-15/decides      | NOT_THE_SEATS_DECISION          | decided for another
        SA-BJ | BET-15/insures      | INSURANCE_NOT_SEATED            | insured from behind
        SA-BJ | BET-15/seated       | SEATED_BET_BEHIND               | a seated player behind
        SA-BJ | BET-15/empty        | BEHIND_EMPTY_SEAT               | behind an empty seat
        SA-BJ | BET-15/two_seats    | TWO_SEATS                       | two seats
        SA-BJ | BET-15/in_play      | SEAT_TAKEN_IN_PLAY              | a seat taken in play
        SA-BJ | BET-15/idle         | IDLE_SEAT_KEPT                  | an idle seat kept
        SA-BJ | BET-16              | LATE_BET                        | a late wager, seats
        SA-BJ | BET-16/insurance    | LATE_BET                        | a late insurance
        SA-BJ | BET-16/in_turn      | LATE_BET                        | insured in the turns
        SA-BJ | BET-16/dealt        | LATE_BET                        | a bet after the first card
        SA-BJ | BET-20              | BET_NOT_OFFERED                 | no such bet, seats
        SA-BJ | IRR-02/withdrawal   | WITHDRAWAL_REFUSED              | a wager wanted back, seats
        TB    | IRR-15              | SQUEEZE_MISDELIVERY             | squeeze cards astray
        TB    | IRR-15/turn         | SQUEEZE_NOT_HIGHEST             | a small bettor squeezes
        RO    | IRR-16              | SECOND_COLOUR_SET               | two colours
        RO    | IRR-16/value        | COLOUR_VALUE_DIFFERS            | two values
        RO    | IRR-16/marker       | VALUE_MARKER_MISSING            | no marker
        RO    | IRR-16/shared       | COLOUR_SHARED                   | one colour, two hands
        RO    | IRR-16/foreign      | FOREIGN_COLOUR_CHIPS            | chips from elsewhere
    """),
)
def test_the_rules_remark_on_the_fault(code: str, fault: str, flag: str) -> None:
    assert flag in {found.code for found in at(code, fault).flags}


@pytest.mark.parametrize(
    ("code", "fault", "field", "sign"),
    cases("""
        TB    | PAY-01        | paid       | +1 | too much, baccarat
        RO    | PAY-01        | paid       | +1 | too much, roulette
        SA-SB | PAY-01        | paid       | +1 | too much, dice
        TB    | PAY-02        | paid       | -1 | too little, baccarat
        RO    | PAY-02        | paid       | -1 | too little, roulette
        SA-SB | PAY-02        | paid       | -1 | too little, dice
        TB    | PAY-03        | collected  | -1 | a loser spared
        RO    | PAY-03/winner | collected  | +1 | a winner's stake taken
        TB    | PAY-04        | commission | -1 | commission forgotten
        TB    | PAY-07        | collected  | +1 | a stand-off taken
        TB    | PAY-07/paid   | paid       | +1 | a stand-off paid
        TB    | PAY-08        | collected  | +1 | a void stake taken, baccarat
        RO    | PAY-08        | collected  | +1 | a void stake taken, roulette
        TB    | PAY-11        | paid       | +1 | a free hand paid
        SA-XD | PAY-07        | collected  | +1 | a push taken
        SA-XD | PAY-07/paid   | paid       | +1 | a push paid
        SA-XD | PAY-08        | collected  | +1 | a void stake taken, tokens
        SA-BC | PAY-01/six    | paid       | +1 | a six paid in full
        SA-BC | PAY-04        | commission | -1 | commission forgotten, both modes
        SA-BC | PAY-04/mode   | commission | +1 | commission in the other mode
        SA-BC | PAY-07        | collected  | +1 | a push taken, both modes
        SA-BC | PAY-08        | collected  | +1 | a void stake taken, both modes
        SA-DT | PAY-07        | collected  | -1 | half a loss given back
        SA-DT | PAY-07/whole  | collected  | +1 | half a loss taken whole
        SA-PD | PAY-01/note_5 | paid       | +1 | note 5 forgotten
        SA-PD | PAY-02/note_6 | paid       | -1 | note 5 against note 6
        SA-PD | PAY-06        | reserve_taken | +1 | a withheld amount kept
        SA-PD | PAY-07        | paid       | +1 | a tied hand paid
        SA-RO | PAY-02/section | paid      | -1 | one of two chips overlooked
        SA-AB | PAY-01/first_card | paid   | +1 | a first card at even money
        SA-AB | PAY-04        | commission | +1 | a commission that is none
        SA-AB | PAY-08        | collected  | +1 | a void stake taken, one deck
        SA-TP | PAY-02/pair_plus | paid    | -1 | a pair that lost
        SA-TP | PAY-02/six_cards | paid    | -1 | the bonus of three cards
        SA-TP | PAY-07        | collected  | +1 | a tie not refunded
        SA-BJ | PAY-01/split  | paid       | +1 | a split 21 paid like a blackjack
        SA-BJ | PAY-01/insurance | paid    | +1 | insurance paid without a blackjack
        SA-BJ | PAY-03/plain_21 | collected | -1 | a plain 21 pushed with a blackjack
        SA-BJ | PAY-07        | collected  | +1 | a push taken, seats
        RO    | PAY-16        | paid       | +1 | foreign chips paid as our own
        TB    | BET-07        | collected  | +1 | below the minimum again
    """),
)
def test_the_money_is_wrong_in_that_wager_alone(
    code: str, fault: str, field: str, sign: str
) -> None:
    found, entry = at(code, fault), entries(code, fault)[0]
    seen = {
        paid.wager_id: paid
        for paid in said(found, e.WagerSettled)
        if isinstance(paid, e.WagerSettled)
    }

    wrong = {
        due.wager_id: gaps for due in found.dues if (gaps := differences(due, seen[due.wager_id]))
    }

    assert list(wrong) == [entry.subject]
    assert wrong[entry.subject][field] * int(sign) > 0


@pytest.mark.parametrize("fault", ["PAY-09", "PAY-10"])
def test_a_limited_wager_is_settled_whole(fault: str) -> None:
    found, entry = at("TB", fault), entries("TB", fault)[0]
    due = next(due for due in found.dues if due.wager_id == entry.subject)

    settled = [p for p in said(found, e.WagerSettled) if isinstance(p, e.WagerSettled)]
    paid = next(p for p in settled if p.wager_id == due.wager_id)

    assert due.action < due.stake
    assert due.stake in (paid.paid, paid.collected)


@pytest.mark.parametrize(
    ("fault", "flag"),
    cases("""
        BET-05 | BELOW_MIN        | below the minimum
        BET-06 | OVER_MAX         | above the maximum
        BET-07 | BELOW_MIN_REPEAT | below the minimum again
        PAY-10 | PRO_RATA         | pro rata
    """),
)
def test_the_wager_is_outside_the_limits(fault: str, flag: str) -> None:
    entry = entries("TB", fault)[0]

    due = next(due for due in at("TB", fault).dues if due.wager_id == entry.subject)

    assert flag in due.flags


@pytest.mark.parametrize("code", GAMES)
def test_readings_are_lost_doubled_and_late_on_their_way(code: str) -> None:
    numbers: dict[str, list[int]] = {}
    stepped = 0
    clock: dict[str, int] = {}
    for reading in day(code).readings:
        numbers.setdefault(reading.device_id, []).append(reading.device_seq)
        stepped += reading.occurred_at < clock.get(reading.device_id, 0)
        clock[reading.device_id] = reading.occurred_at
    counts = Counter(n for device in numbers for n in Counter(numbers[device]).values())
    missing = {device: set(range(1, max(n))) - set(n) for device, n in numbers.items()}

    assert counts[2] == 1  # INT-02: one number came twice
    assert {device: len(n) for device, n in missing.items() if n} == {"chips-T01": 1}  # INT-01
    assert stepped == 1  # INT-04/step


@pytest.mark.parametrize("code", ["TB", "RO", "SA-RO"])
def test_a_reading_comes_in_after_its_round_and_changes_it(code: str) -> None:
    found = at(code, "INT-07")
    kinds = [type(event.payload) for event in found.round.events]

    late = kinds[kinds.index(e.RoundClosed) + 1 :]

    assert late == [e.CardsObserved if code == "TB" else e.BallLanded]
    assert found.ruled.status == "settled"


@pytest.mark.parametrize("code", GAMES)
def test_what_nobody_read_leaves_the_round_unknown(code: str) -> None:
    assert at(code, "INT-06/unread").ruled.status == "unknown"


@pytest.mark.parametrize("code", GAMES)
def test_a_wager_or_a_round_is_left_without_its_end(code: str) -> None:
    left, never = at(code, "INT-06"), at(code, "INT-06/open")

    assert len(said(left, e.WagerSettled)) == len(left.dues) - 1
    assert said(never, e.RoundClosed) == []


@pytest.mark.parametrize("code", GAMES)
def test_a_correction_names_what_it_corrects(code: str) -> None:
    for name in ("INT-11", "INT-11/backdated"):
        found = at(code, name)
        ids = {event.event_id for event in found.round.events}

        (correction,) = said(found, e.CorrectionMade)

        assert isinstance(correction, e.CorrectionMade)
        assert correction.event_id in ids


@pytest.mark.parametrize("code", ["TB", "SA-SB"])
def test_the_camera_is_sure_of_something_else(code: str) -> None:
    assert at(code, "REC-01").ruled.status == "unknown"


def test_the_first_card_is_out_before_no_more_bets() -> None:
    kinds = [type(event.payload) for event in at("TB", "DEAL-05").round.events]

    assert kinds.index(e.CardDrawn) < kinds.index(e.BettingClosed)


def test_one_card_is_unseen_and_another_is_a_stranger() -> None:
    unseen, stranger = at("TB", "REC-06"), at("TB", "REC-05")

    assert len(said(unseen, e.CardsObserved)) == len(said(unseen, e.CardDrawn)) - 1
    assert len(said(stranger, e.CardsObserved)) == len(said(stranger, e.CardDrawn)) + 1


@pytest.mark.parametrize(
    ("fault", "changes"),
    cases("""
        BET-01          | 1 | chips added
        BET-01/possible | 1 | chips added at the call
        BET-02          | 1 | chips taken off
        BET-03          | 2 | chips moved
    """),
)
def test_the_sensor_sees_chips_change_after_the_call(fault: str, changes: str) -> None:
    for code in ("TB", "RO"):
        events = at(code, fault).round.events
        closed = next(n for n, x in enumerate(events) if isinstance(x.payload, e.BettingClosed))

        seen = [x.payload for x in events[closed:] if isinstance(x.payload, e.StakeRead)]

        assert len([reading for reading in seen if reading.change]) == int(changes)
