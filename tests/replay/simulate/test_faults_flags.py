"""The rules remark on every fault that they know."""

import pytest

from tests.support.faulty_days import at
from tests.support.tables import cases


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
        SA-XD | IRR-09/dropped      | ROUND_VOID                      | a drop ignored
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
        SA-BC | DEAL-07/another     | CUT_CARD_OF_ANOTHER_SHOE        | another shoe's cut card
        SA-BC | DEAL-04/unturned    | SHOE_BURN_COUNT                 | no card turned over
        SA-BC | DEAL-05/never       | BETTING_NOT_CLOSED              | never closed, cards
        SA-BC | BET-16/sight        | LATE_BET                        | a bet on a card in sight
        SA-BC | BET-05              | OFF_LIMITS                      | below the minimum, cards
        SA-BC | SHOE-01             | EXCESS_COPIES                   | a ninth copy
        SA-BC | SHOE-01/decks       | SHOE_CONTENTS                   | six decks in the shoe
        SA-BC | INT-06/passed       | CARD_NOT_READ                   | a card left the shoe unread
        SA-TP | INT-06/passed       | CARD_NOT_READ                   | a card left the deck unread
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
        SA-RO | BET-16/sight        | LATE_BET                        | a bet on a ball at rest
        SA-RO | DEAL-05/never       | BETTING_NOT_CLOSED              | never closed, wheel
        SA-RO | INT-06/twice        | SETTLED_TWICE                   | paid twice, wheel
        SA-RO | INT-06/nobody       | SETTLED_UNKNOWN                 | paid to nobody
        SA-RO | INT-06/taken_back   | SETTLED_WITHDRAWN               | taken back and given back
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
        SA-BJ | DEAL-09/unasked     | CARD_WITHOUT_HIT                | a card nobody asked for
        SA-BJ | DEAL-09/no_card     | HIT_WITHOUT_CARD                | a hit without a card
        SA-BJ | DEAL-09/last        | DECISION_ORDER                  | the first seat last
        SA-BJ | BET-05              | OFF_LIMITS                      | below the minimum, seats
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
        RO    | IRR-01/dispute      | DISPUTE_NO_SURVEILLANCE         | Surveillance not told
        RO    | IRR-01/ground       | DISPUTE_NO_BASIS                | a dispute without ground
        RO    | IRR-01/rights       | DISPUTE_RIGHTS_NOT_TOLD         | a right not told
        RO    | IRR-03/dispute      | DISPUTE_AUTHORITY               | a dealer decides a dispute
        TB    | IRR-05/ruling       | REOPENED_ROUND                  | reopened by a ruling
        NN    | IRR-05/ruling       | REOPENED_ROUND                  | reopened, Niu Niu
        NN    | INT-06/word         | WORD_UNKNOWN                    | a ruling that says nothing
        SA-BJ | INT-06/word         | WORD_UNKNOWN                    | a decision that says nothing
        SA-BJ | BET-12              | SECOND_MAIN_BET                 | two main bets of a seat
        SA-BJ | BET-15/taken        | SEAT_TAKEN_TWICE                | a seat taken over
        SA-SB | INT-06/alone        | UNVERIFIABLE                    | the dealer alone, dice
        SA-FPC | INT-06/alone       | UNVERIFIABLE                    | the dealer alone, symbols
        SA-HL | INT-06/alone        | UNVERIFIABLE                    | the dealer alone, HiLo
        SA-XD | INT-06/alone        | UNVERIFIABLE                    | the dealer alone, tokens
        SA-RO | INT-06/alone        | UNVERIFIABLE                    | the dealer alone, a pocket
        NN    | DEAL-02             | HAND_CARD_COUNT                 | four cards to a box
        NN    | DEAL-02/dealer      | DEALER_CARD_COUNT               | four cards to the Dealer
        NN    | DEAL-03             | CARDS_TO_EMPTY_BOX              | an empty box dealt in
        NN    | DEAL-03/missed      | NO_CARDS_TO_BOX                 | a box left out
        NN    | DEAL-10             | HAND_RESET                      | a hand called too low
        NN    | DEAL-11             | CARD_DAMAGED                    | a bent card
        NN    | SHOE-01             | DECK_INTEGRITY                  | a card twice, Niu Niu
        NN    | PAY-13              | SETTLE_ORDER                    | boxes from left to right
        NN    | BET-12              | BOX_SHARED                      | a box shared, Niu Niu
        NN    | BET-20              | SIDE_BET                        | no such bet, Niu Niu
        NN    | IRR-01              | DECISION_MISSING                | nobody decides, Niu Niu
        NN    | IRR-01/deck         | DECK_NOT_REPLACED               | the old deck, Niu Niu
        NN    | IRR-03              | DECISION_NOT_AUTHORISED         | a supervisor voids, Niu Niu
        NN    | IRR-04/faced        | UNJUSTIFIED_VOID                | void for a faced card
        RO    | IRR-16              | SECOND_COLOUR_SET               | two colours
        RO    | IRR-16/value        | COLOUR_VALUE_DIFFERS            | two values
        RO    | IRR-16/marker       | VALUE_MARKER_MISSING            | no marker
        RO    | IRR-16/shared       | COLOUR_SHARED                   | one colour, two hands
        RO    | IRR-16/foreign      | FOREIGN_COLOUR_CHIPS            | chips from elsewhere
    """),
)
def test_the_rules_remark_on_the_fault(code: str, fault: str, flag: str) -> None:
    assert flag in {found.code for found in at(code, fault).flags}
