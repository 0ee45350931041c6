"""Texas Hold'em Bonus Poker: every row of section 7, treated rightly and not."""

import pytest

from replay.sheets.sheet import answer
from tests.support.english import english
from tests.support.holdem_bonus_story import (
    BETS,
    DEVICE,
    SHOE,
    codes,
    dealt,
    event,
    from_shoe,
    happened,
    laid,
    round_of,
    seen,
    sheet,
    wagers,
)
from tests.support.tables import cases, judged

BURN_FORGOTTEN = SHOE.replace("5D>burn AS>1 TS>2 AH>1 KH>2", "5D>1 AS>2 TS>1 AH>2 KH>2")
NEVER_BURNED = (
    "5D>1 AS>2 TS>1 AH>2 KH>burn 6D>community 2S>community 7H>community 9C>burn "
    "8D>community JD>burn 3C>community QS>dealer KS>dealer"
)
SETS_CROSSED = DEVICE.replace(">1", ">x").replace(">2", ">1").replace(">x", ">2")
DEALT_TWO_AT_ONCE = SHOE.replace("AS>1 TS>2 AH>1 KH>2", "AS>1 TS>1 AH>2 KH>2")
THREE_AND_ONE = SHOE.replace("KH>2", "KH>1")
FOLDED = "decide 1 fold, decide 2 fold"
DEALER_SHORT = DEVICE.removesuffix(" KD>dealer")
BOARD_SHORT = DEVICE.replace(" QS>community", "")
DEALER_SHORT_SHOE = SHOE.removesuffix(" KD>dealer")
THREE_IN_BOX_1 = SHOE.replace("KH>2 6D>burn", "KH>2 4C>1 6D>burn")
SIX_COMMUNITY = SHOE.replace("QS>community", "QS>community 4C>community")
BURNED_TWICE = SHOE.replace("6D>burn", "6D>burn 4C>burn")
EMPTY_BOX_DEALT = DEVICE.replace("KH>2", "KH>2 4C>3 5C>3")

CARDS = {
    "lie": "",
    "shoe": SHOE,
    "device": DEVICE,
    "burn forgotten": BURN_FORGOTTEN,
    "never burned": NEVER_BURNED,
    "sets crossed": SETS_CROSSED,
    "two at once": DEALT_TWO_AT_ONCE,
    "three and one": THREE_AND_ONE,
    "three in box 1": THREE_IN_BOX_1,
    "six community": SIX_COMMUNITY,
    "empty box dealt": EMPTY_BOX_DEALT,
    "burned twice": BURNED_TWICE,
}

ROWS = """
    lie   | report foreign_card                                          | void    | IRREGULARITY_7.1.1 DECISION_MISSING NEW_DECK_REQUIRED        | 7.1.1 nobody decided
    lie   | report foreign_card, rule TH:7.1.1 void pit_manager          | void    | IRREGULARITY_7.1.1 NEW_DECK_REQUIRED                         | 7.1.1 rightly void
    lie   | report back_colour, rule TH:7.1 continue pit_manager         | settled | IRREGULARITY_7.1.1                                           | 7.1.1 a ruling to continue, just enough rank
    lie   | report back_colour, rule TH:7.1 continue pit_supervisor      | void    | IRREGULARITY_7.1.1 DECISION_NOT_AUTHORISED NEW_DECK_REQUIRED | 7.1.1 one rank too low
    lie   | jam E42                                                      | void    | IRREGULARITY_7.1.2 DECISION_MISSING                          | 7.1.2 the device says so itself
    lie   | report device_jam, rule TH:7.1.2 continue shift_manager      | settled | IRREGULARITY_7.1.2                                           | 7.1.2 continued
    lie   | report deck_count, rule TH:7.1.3 void pit_manager            | void    | IRREGULARITY_7.1.3 NEW_DECK_REQUIRED                         | 7.1.3 reported
    lie   | report disruption, rule TH:7.1.4 void dealer                 | void    | IRREGULARITY_7.1.4 DECISION_NOT_AUTHORISED                   | 7.1.4 the dealer alone
    lie   | report count_doubt, rule TH:7.7 counted dealer 52            | settled |                                                              | 7.7 the count is right
    lie   | report count_doubt, rule TH:7.7 counted dealer 51            | void    | COUNT_NOT_52                                                 | 7.7 a card is short
    lie   | rule TH:7.7 counted dealer 53                                | void    | COUNT_NOT_52                                                 | 7.7 a card too many
    lie   | report count_doubt                                           | settled | COUNT_NOT_TAKEN                                              | 7.7 nobody counted
    lie   | expose hand AS                                               | settled | ONE_CARD_EXPOSED                                             | 7.5 one card only
    lie   | expose hand AS, expose hand AS                               | settled | ONE_CARD_EXPOSED                                             | 7.5 one card seen twice
    lie   | expose hand AS, expose shoe KD                               | void    | CARDS_EXPOSED                                                | 7.9 counts towards 7.5
    lie   | report card_exposed                                          | settled | ONE_CARD_EXPOSED                                             | 7.5 reported, one
    lie   | report cards_exposed                                         | void    | CARDS_EXPOSED                                                | 7.5 reported, several
    lie   | report face_up_card                                          | settled | ONE_CARD_EXPOSED                                             | 7.9 used as the next card
    shoe  |                                                              | settled |                                                              | 4.11 a lawful deal
    device |                                                             | settled |                                                              | 4.12 a lawful deal
    burn forgotten | report burn_missed                                  | settled | BURN_MISSED RECONSTRUCTED                                    | 7.8 nothing viewed
    burn forgotten | view 1                                              | void    | BURN_MISSED                                                  | 7.8 a player has viewed cards
    burn forgotten | report burn_missed, view 1                          | settled | BURN_MISSED RECONSTRUCTED                                    | 7.8 viewed after it was put right
    burn forgotten | rule TH:7.8 not_reconstructable pit_manager         | void    | BURN_MISSED                                                  | 7.8 the House says no
    never burned | report burn_missed, close void                        | void    | BURN_MISSED                                                  | 7.8 a card short for the order
    lie   | report burn_missed                                           | settled | BURN_MISSED RECONSTRUCTED                                    | 7.8 put right as the cards lie
    lie   | report burn_missed, report not_reconstructable               | void    | BURN_MISSED                                                  | 7.8 reported beyond repair
    sets crossed |                                                       | settled | MISDEALT RECONSTRUCTED                                       | 7.3 complete sets moved
    sets crossed | view 1                                                | void    | MISDEALT REFER_7.13 DECISION_MISSING                         | 7.3 handled
    sets crossed | view 1, rule TH:7.13 void assistant_director          | void    | MISDEALT REFER_7.13                                          | 7.13 decided
    sets crossed | view 1, rule TH:7.13 continue assistant_director      | settled | MISDEALT REFER_7.13                                          | 7.13 decided otherwise
    sets crossed | view 1, rule TH:7.13 continue shift_manager           | void    | MISDEALT REFER_7.13 DECISION_NOT_AUTHORISED                  | 7.13 one rank too low
    two at once |                                                        | void    | MISDEALT                                                     | 7.3 sets do not restore it
    burned twice |                                                       | void    | MISDEALT                                                     | 7.3 a burn too many
    empty box dealt |                                                    | void    | MISDEALT                                                     | 7.3 cards where no Ante is
    lie   | report misdealt                                              | void    | MISDEALT                                                     | 7.3 reported
    lie   | report misdealt, rule TH:7.3 reconstruct pit_manager         | settled | MISDEALT RECONSTRUCTED                                       | 7.3 put right as the cards lie
    six community |                                                      | void    | CARD_COUNT_COMMON                                            | 7.4 seen cards would move
    six community | rule TH:7.4 reconstruct pit_manager                  | settled | CARD_COUNT_COMMON RECONSTRUCTED                              | 7.4 the House rebuilds
    six community | close settled                                        | unsettled | CARD_COUNT_COMMON LATE_NOTICE                                | 7.4 never noticed
    six community | close settled, report community_count                | unsettled | CARD_COUNT_COMMON LATE_NOTICE TOLD_AFTERWARDS                | 7.4 noticed when it was over
    six community | report community_count, close void                   | void    | CARD_COUNT_COMMON                                            | 7.4 noticed in time
    lie   | report dealer_count                                          | settled | CARD_COUNT_COMMON RECONSTRUCTED                              | 7.4 put right as the cards lie
    lie   | report dealer_count, report not_reconstructable              | void    | CARD_COUNT_COMMON                                            | 7.4 beyond repair
    three in box 1 | report box_count 1                                  | settled | CARD_COUNT_BOX                                               | 7.6 the hand is out
    three in box 1 | close settled                                       | unsettled | CARD_COUNT_BOX LATE_NOTICE                                   | 7.6 never noticed
    lie   | report box_count 1, report not_reconstructable               | settled | CARD_COUNT_BOX                                               | 7.6 reported, beyond repair
    lie   | report box_count 1                                           | settled | CARD_COUNT_BOX RECONSTRUCTED                                 | 7.6 put right as the cards lie
    lie   | report power_cut                                             | settled | REFER_7.13 DECISION_MISSING                                  | 7.13 nobody decided
    lie   | report power_cut, rule TH:7.13 continue assistant_director   | settled | REFER_7.13                                                   | 7.13 decided, just enough rank
    lie   | report power_cut, rule TH:7.13 void shift_manager            | settled | REFER_7.13 DECISION_NOT_AUTHORISED                           | 7.13 one rank too low
    lie   | report power_cut, rule TH:7.13 void assistant_director       | void    | REFER_7.13                                                   | 7.13 void
    lie   | rule TH:4.7.3 refuse pit_manager                             | settled |                                                              | 4.7.3 kept to one hand
    lie   | rule TH:4.7.3 refuse pit_supervisor                          | settled | DECISION_NOT_AUTHORISED                                      | 4.7.3 one rank too low
    lie   | view 1, view 2                                               | settled |                                                              | 4.7.1 each looks at the own hand
    lie   | view 1 P1, view 2 P1                                         | settled | MULTI_VIEW                                                   | 4.7.1 one player, two hands
    lie   | withdraw 2-ante TH:7.6.1 pit_manager                         | settled | WITHDRAWAL_NOT_ALLOWED                                       | 7.6.1 no hand was removed
    lie   | settle 1-flop 200 0 200, close settled, settle 1-flop 0 200 0 | settled | REOPENED_ROUND SETTLEMENT_MISMATCH                          | 7.2 settled again
    lie   | close settled, void TH:7.5                                   | settled | REOPENED_ROUND                                               | 7.8 voided after the close
    lie   | settle X-9 0 100 0                                           | settled | REOPENED_ROUND                                               | 7.2 a wager of another round
    lie   | report cards_exposed, settle 1-ante 0 100 0                  | void    | CARDS_EXPOSED SETTLEMENT_MISMATCH VOID_NOT_RETURNED          | 7.12 a stake of a void round taken
    lie   | report cards_exposed, settle 1-ante 0 0 100                  | void    | CARDS_EXPOSED                                                | 7.12 given back
    lie   | report foreign_card, rule TH:7.1 void pit_manager, report cards_exposed | void | IRREGULARITY_7.1.1 NEW_DECK_REQUIRED              | 7.1 comes before 7.5
    never burned | report burn_missed, report misdealt, close void       | void    | BURN_MISSED                                                  | 7.8 comes before 7.3
"""  # noqa: E501 (a row is a page's line)


@pytest.mark.parametrize(("cards", "text", "status", "flags"), cases(ROWS))
def test_section_seven(cards: str, text: str, status: str, flags: str) -> None:
    found = dealt(CARDS[cards], text) if CARDS[cards] else seen(text)

    assert found.ruled.status == status
    assert codes(found) == flags.split()
    if status == "void":
        assert {due.outcome for due in found.dues} == {"returned"}
        assert all(due.returned == due.stake and "TH:7.12" in due.clauses for due in found.dues)
        assert not any(due.flags for due in found.dues)


def test_a_rebuilt_deal_gives_the_hands_of_the_lawful_one() -> None:
    right, rebuilt = dealt(SHOE), dealt(BURN_FORGOTTEN)

    assert rebuilt.ruled.outcome == right.ruled.outcome
    assert rebuilt.dues == right.dues


@pytest.mark.parametrize(
    ("holes", "status"),
    [({"1": "AS AH", "3": "TS KH"}, "settled"), ({"3": "AS AH", "4": "TS KH"}, "void")],
    ids=["one set beside its box", "two sets beside theirs"],
)
def test_sets_that_lie_beside_their_boxes(holes: dict[str, str], status: str) -> None:
    found = judged(round_of(BETS, holes))

    assert found.ruled.status == status
    assert codes(found)[0] == "MISDEALT"
    assert ("RECONSTRUCTED" in codes(found)) == (status == "settled")


def test_three_and_one_are_rebuilt_before_anybody_has_bet_on_them() -> None:
    noticed = happened("report box_count")

    found = dealt(THREE_AND_ONE, bets="1 ante 100, 2 ante 200", before=noticed)

    assert codes(found) == ["CARD_COUNT_BOX", "RECONSTRUCTED"]
    assert found.ruled.outcome.startswith("dealer ONE_PAIR; 1 ONE_PAIR player higher; 2 STRAIGHT")


def test_three_and_one_stay_once_their_players_have_bet() -> None:
    found = dealt(THREE_AND_ONE)

    assert codes(found) == ["CARD_COUNT_BOX"]
    assert {due.outcome for due in found.dues} == {"returned"}


@pytest.mark.parametrize(
    ("rank", "posted", "outcome", "flags"),
    cases("""
        pit_manager    |               | returned |                        | just enough
        pit_supervisor |               | win      | WITHDRAWAL_NOT_ALLOWED | one too low
        pit_manager    | shift_manager | win      | WITHDRAWAL_NOT_ALLOWED | read more strictly
    """),
)
def test_leave_to_withdraw_after_a_hand_was_removed(
    rank: str, posted: str, outcome: str, flags: str
) -> None:
    text = f"report box_count 1, withdraw 2-ante TH:7.6.1 {rank}"
    readings = {"withdrawal_leave": posted} if posted else {}

    found = dealt(THREE_IN_BOX_1, text, readings=readings)

    lines = {due.wager_id: due for due in found.dues}
    assert lines["2-ante"].outcome == lines["2-flop"].outcome == outcome
    assert ("WITHDRAWN" in lines["2-ante"].flags) == (outcome == "returned")
    assert codes(found) == ["CARD_COUNT_BOX", *flags.split()]
    decides = rank == "pit_manager"  # whom the stricter reading refuses
    assert ("withdrawal_leave" in answer(found)["readings"]) == decides


def test_leave_may_be_a_ruling_of_its_own() -> None:
    text = "report box_count 1, rule TH:7.6.1 allow_withdrawal pit_manager"
    text += ", withdraw 2-flop TH:7.6.1"

    found = dealt(THREE_IN_BOX_1, text)

    lines = {due.wager_id: due.outcome for due in found.dues}
    assert (lines["2-ante"], lines["2-flop"]) == ("win", "returned")


@pytest.mark.parametrize(
    ("text", "ante", "flop"),
    cases("""
        call ONE_PAIR, withdraw 2-ante TH:7.6.1 pit_manager                                        | win      | win      | the hands had been called
        settle 2-ante 200 0 200, withdraw 2-ante TH:7.6.1 pit_manager                              | win      | win      | it had been settled
        close settled, withdraw 2-ante TH:7.6.1 pit_manager                                        | win      | win      | the round was over
        withdraw 2-ante TH:7.6.1, call ONE_PAIR, rule TH:7.6.1 allow_withdrawal pit_manager        | win      | win      | leave given after the call
        settle 1-ante 0 0 100, withdraw 2-ante TH:7.6.1 pit_manager, call ONE_PAIR                 | returned | returned | only another's was given back
        withdraw 2-ante TH:7.6.1 pit_manager, call ONE_PAIR, settle 2-ante 0 0 200                 | returned | returned | before the call
    """),  # noqa: E501 (a row is a round)
)
def test_a_wager_is_withdrawn_before_the_hands_are_called(text: str, ante: str, flop: str) -> None:
    found = dealt(THREE_IN_BOX_1, f"report box_count 1, {text}")

    lines = {due.wager_id: due.outcome for due in found.dues}
    assert (lines["2-ante"], lines["2-flop"]) == (ante, flop)
    assert ("WITHDRAWAL_NOT_ALLOWED" in codes(found)) == (ante == "win")


def test_nobody_left_to_play_needs_no_board() -> None:
    text = "report box_count 1, report not_reconstructable, withdraw 2-ante TH:7.6.1 pit_manager"
    bets = wagers("1 ante 100, 1 bonus 50, 2 ante 200, 2 bonus 20")
    holes = [*laid("1", "AS AH 4C"), *laid("2", "TS KH")]

    found = judged(sheet([*bets, event("BettingClosed"), *holes, *happened(f"{text}, close void")]))

    assert found.ruled.status == "settled"
    assert [due.back for due in found.dues] == [100, 50, 200, 20]
    assert "RESULT_UNKNOWN" not in codes(found)


def test_a_hand_that_was_folded_is_not_withdrawn() -> None:
    text = "report box_count 1, decide 2 fold, withdraw 2-ante TH:7.6.1 pit_manager"

    found = judged(round_of("1 ante 100, 2 ante 200", {"1": "AS AH 4C", "2": "TS KH"},
                            *happened(text)))  # fmt: skip

    lines = {due.wager_id: due.outcome for due in found.dues}
    assert lines == {"1-ante": "returned", "2-ante": "lose"}
    assert codes(found) == ["CARD_COUNT_BOX", "WITHDRAWAL_NOT_ALLOWED"]


def test_a_settlement_noticed_too_late_is_left_alone() -> None:
    text = "settle 1-ante 100 0 100, settle 1-flop 0 200 0, close settled"

    found = dealt(THREE_IN_BOX_1, text)

    lines = {due.wager_id: due for due in found.dues}
    assert (lines["1-ante"].outcome, lines["1-ante"].paid) == ("stands", 100)
    assert (lines["1-flop"].outcome, lines["1-flop"].collected) == ("stands", 200)
    assert lines["1-bonus"].outcome == "open"
    assert found.ruled.status == "unsettled"
    assert lines["2-ante"].outcome == "win"
    assert "SETTLEMENT_MISMATCH" not in codes(found)
    assert answer(found)["readings"]["late_notice"] == "settlement_on_record_stands"


@pytest.mark.parametrize(
    ("reading", "status"), [("only_where_recorded", "settled"), ("assumed", "void")]
)
def test_what_was_not_recorded_as_handled(reading: str, status: str) -> None:
    found = dealt(SETS_CROSSED, readings={"handled": reading})

    assert found.ruled.status == status
    assert answer(found)["readings"]["handled"] == reading


def test_a_twin_found_by_the_replay_voids_undeclared() -> None:
    found = judged(round_of("1 ante 100, 1 flop 200", {"1": "AS KD"}))

    assert found.ruled.status == "void"
    assert codes(found) == ["DECK_INTEGRITY", "NEW_DECK_REQUIRED"]
    assert found.ruled.clauses == ("TH:7.1.3",)
    assert found.ruled.memory["new_deck_due"] is True


@pytest.mark.parametrize(
    ("loaded", "due", "flags"),
    cases("""
        D1 | yes | DECK_NOT_REPLACED | the same deck again
        D2 | yes |                   | another deck
           | yes | DECK_NOT_REPLACED | nobody loaded any
        D1 | no  |                   | nothing was wrong with it
    """),
)
def test_new_cards_after_a_round_void_for_its_cards(loaded: str, due: str, flags: str) -> None:
    sheet = round_of("1 ante 100, 1 flop 200", {"1": "AS AH"})
    if loaded:
        sheet["events"].insert(0, event("ShoeLoaded", shoe_id=loaded, decks=1))
    carry = {"new_deck_due": due == "yes", "deck": "D1" if loaded else ""}

    found = judged(sheet | {"carry": carry})

    assert codes(found) == flags.split()
    assert found.ruled.memory == {"new_deck_due": False, "deck": loaded}


@pytest.mark.parametrize(
    ("board", "text", "missing"),
    cases("""
        2S 7H 9C JD QS | camera dealer 1 AD 0.97 | Dealer card 1: camera AD, dealer KS    | two sure witnesses differ
        2S 7H -- JD QS |                         | community card 3: nobody could read it | unreadable
        2S 7H 9C JD    | close settled           | community card 5: nobody saw it        | not seen
    """),  # noqa: E501 (a row is a round)
)
def test_what_no_witness_settles_is_unknown(board: str, text: str, missing: str) -> None:
    found = seen(text, board=board)

    assert found.ruled.status == "unknown"
    assert found.dues == ()
    assert english(found.ruled.steps[-1].text) == missing
    assert [(at.code, english(at.note)) for at in found.flags] == [("RESULT_UNKNOWN", missing)]


def test_a_decision_to_go_on_that_leaves_a_hand_open_is_told() -> None:
    cards = SHOE.replace(">2", ">3")
    text = "view 1, report misdealt, rule TH:7.13 continue assistant_director, close settled"

    found = dealt(cards, text)

    told = next(english(at.note) for at in found.flags if at.code == "RESULT_UNKNOWN")
    assert told == "box 2 card 1: nobody saw it, and the decision to go on does not say"
    assert found.ruled.status == "unknown"


@pytest.mark.parametrize(
    ("cards", "clauses"),
    [
        (THREE_IN_BOX_1, ("TH:7.6",)),
        (SHOE.removesuffix(" KD>dealer"), ("TH:7.4",)),
        (THREE_IN_BOX_1.removesuffix(" KD>dealer"), ("TH:7.4", "TH:7.6")),
    ],
)
def test_what_was_noticed_too_late_cites_what_was_wrong(
    cards: str, clauses: tuple[str, ...]
) -> None:
    found = dealt(cards, "settle 1-ante 0 100 0, close settled")

    assert next(at.clauses for at in found.dues if at.wager_id == "1-ante") == clauses


def test_a_rank_is_written_with_its_article() -> None:
    found = seen("report dog")

    note = next(english(at.note) for at in found.flags if at.code == "DECISION_MISSING")
    assert note.startswith("no decision of an assistant director or above")


def test_an_unsure_camera_contradicts_nobody() -> None:
    assert seen("camera dealer 1 AD 0.6").ruled.status == "settled"


def test_a_third_card_that_somebody_saw_lie_there_is_a_wrong_count() -> None:
    found = seen("camera dealer 3 2C 0.97")

    assert (found.ruled.status, codes(found)) == ("void", ["CARD_COUNT_COMMON"])


def test_a_card_that_never_left_the_device_makes_the_round_unknown() -> None:
    found = dealt(SHOE, "camera 1 3 4C 0.97")

    assert found.ruled.status == "unknown"
    assert (
        english(found.ruled.steps[-1].text)
        == "box 1 card 3: camera 4C, which never left the device"
    )


def test_cards_of_a_folded_hand_need_no_witness() -> None:
    sheet = round_of("1 ante 100", {"1": "-- --"}, *happened("decide 1 fold"))

    found = judged(sheet)

    assert found.ruled.status == "settled"
    assert found.dues[0].collected == 100


def test_a_round_under_way_stays_open() -> None:
    found = dealt("5D>burn AS>1 TS>2 AH>1 KH>2")

    assert found.ruled.status == "unsettled"
    assert {due.outcome for due in found.dues} == {"open"}


def test_all_fold_and_no_further_card_is_dealt() -> None:
    bets = "1 ante 100, 1 bonus 50, 2 ante 200"

    found = dealt("5D>burn AS>1 TS>2 AH>1 KH>2", "decide 1 fold, decide 2 fold", bets)

    assert found.ruled.status == "settled"
    assert [due.collected for due in found.dues] == [100, 50, 200]
    assert codes(found) == []


@pytest.mark.parametrize(
    ("posted", "flags"),
    cases("""
        card_shoe        | BURN_MISSED | a card shoe always burns
        automated_device | MISDEALT    | a device deals the community cards first
                         |             | nothing tells how it was dealt
    """),
)
def test_the_table_posts_how_it_deals(posted: str, flags: str) -> None:
    cards = " ".join(item for item in SHOE.split() if not item.endswith(">burn"))
    readings = {"dealing": posted} if posted else {}

    found = dealt(cards, readings=readings)

    assert codes(found)[:1] == flags.split()


def test_a_burn_without_its_place_is_a_burn() -> None:
    sheet = from_shoe(BETS, SHOE)
    sheet["events"] = [
        event("CardsBurned", count=1) if one.get("hand") == "burn" else one
        for one in sheet["events"]
    ]

    found = judged(sheet)

    assert codes(found) == []
    assert found.ruled.outcome == dealt(SHOE).ruled.outcome


@pytest.mark.parametrize(
    ("cards", "noticed", "status", "clauses", "flags"),
    cases("""
        DEVICE            |                       | settled | TH:5.1 |                              | everybody folded and nothing is wrong
        HOLES             | close settled         | settled | TH:5.1 |                              | a shoe need not deal on for nobody
        DEALER_SHORT      | report dealer_count   | void    | TH:7.4 | CARD_COUNT_COMMON            | the Dealer is a card short
        DEALER_SHORT      | view 1, report dealer_count | void | TH:7.4 | CARD_COUNT_COMMON         | and cards were viewed
        DEALER_SHORT      | close settled         | unsettled | TH:5.1 | CARD_COUNT_COMMON LATE_NOTICE | nobody noticed in time
        DEALER_SHORT      | decide 1 check        | unsettled | TH:2.2.19 |                         | the deal is not over
        DEALER_SHORT_SHOE | report dealer_count   | void    | TH:7.4 | CARD_COUNT_COMMON            | the same from a shoe
        BOARD_SHORT       | report community_count | void   | TH:7.4 | CARD_COUNT_COMMON            | the board is a card short
        BOARD_SHORT       | view 1, report community_count | void | TH:7.4 | CARD_COUNT_COMMON      | which is no case of 7.13
        NO_DEALER         | report dealer_count   | void    | TH:7.4 | CARD_COUNT_COMMON            | a device gives the Dealer cards before anybody folds
    """),  # noqa: E501 (a row is a round)
)
def test_a_wrong_count_voids_a_round_that_everybody_folded(
    cards: str, noticed: str, status: str, clauses: str, flags: str
) -> None:
    decks = {
        "DEVICE": DEVICE,
        "HOLES": "5D>burn AS>1 TS>2 AH>1 KH>2",
        "DEALER_SHORT": DEALER_SHORT,
        "DEALER_SHORT_SHOE": DEALER_SHORT_SHOE,
        "BOARD_SHORT": BOARD_SHORT,
        "NO_DEALER": DEVICE.removesuffix(" KS>dealer KD>dealer"),
    }
    found = dealt(decks[cards], f"{FOLDED}, {noticed}", bets="1 ante 100, 2 ante 200")

    assert (found.ruled.status, found.ruled.clauses[0]) == (status, clauses)
    assert codes(found) == flags.split()


@pytest.mark.parametrize(
    ("text", "status", "depends"),
    cases("""
        expose hand AS, report card_exposed       | void    | exposed_reports | a report that names nothing tells of a card of its own
        expose hand AS, report card_exposed AS    | settled |                 | the same card told twice is one card
        expose hand AS, report card_exposed KD    | void    |                 | a report of another card
        expose hand AS, report face_up_card       | void    | exposed_reports | one in the deal, one in the device
        expose shoe KD, report card_exposed       | void    | exposed_reports | and the reverse
        report card_exposed AS, report card_exposed AS | settled |            | two reports of one card
        report card_exposed AS, report card_exposed KD | void |               | two reports of two
        expose hand AS, report cards_exposed AS   | void    |                 | whoever reports several, reports several
    """),  # noqa: E501 (a row is a round)
)
def test_a_card_that_was_seen_and_one_that_was_reported(
    text: str, status: str, depends: str
) -> None:
    found = seen(text)

    assert found.ruled.status == status
    assert " ".join(answer(found)["readings"]) == depends


@pytest.mark.parametrize(
    ("text", "status", "flags"),
    cases("""
        rule TH:7.5 void director                        | settled | RULING_WITHOUT_CAUSE                     | 7.5 nothing was exposed
        expose hand AS, rule TH:7.5 void director        | settled | ONE_CARD_EXPOSED RULING_AGAINST_RULES    | 7.5 one card voids nothing
        rule TH:7.4 void director                        | settled | RULING_WITHOUT_CAUSE                     | 7.4 the count is right
        rule TH:7.8 not_reconstructable director         | settled | RULING_WITHOUT_CAUSE                     | 7.8 no burn was missed
        rule TH:7.3 reconstruct director                 | settled | RULING_WITHOUT_CAUSE                     | 7.3 nothing was misdealt
        rule TH:7.6 allow_withdrawal pit_manager         | settled | RULING_WITHOUT_CAUSE                     | 7.6.1 no hand was removed
        rule TH:7.1 continue pit_manager                 | settled | RULING_WITHOUT_CAUSE                     | 7.1 there is no cause
        rule TH:7.13 void assistant_director             | void    | REFER_7.13 RULING_WITHOUT_CAUSE          | 7.13 a clean round is voided
        report dog, rule TH:7.13 void assistant_director | void    | REFER_7.13                               | 7.13 with a case
        view 1, report misdealt, rule TH:7.3 reconstruct director    | void    | MISDEALT REFER_7.13 RULING_AGAINST_RULES DECISION_MISSING | 7.3 the cards were handled
    """),  # noqa: E501 (a row is a round)
)
def test_a_ruling_against_the_rules_or_without_effect_leaves_a_trace(
    text: str, status: str, flags: str
) -> None:
    found = seen(text)

    assert found.ruled.status == status
    assert codes(found) == flags.split()


@pytest.mark.parametrize("words", ["", ", rule TH:7.1.3 continue pit_manager"])
def test_a_count_of_53_is_said_to_rest_on_a_reading(words: str) -> None:
    """TH:7.7 voids the round; 7.1.3 would leave it to the House, and 7.2 ask for new cards."""
    counted = f"rule TH:7.7 counted dealer 53{words}"
    found = seen(counted)
    other = seen(counted, readings={"count_not_52": "as_7.1.3"})

    assert found.ruled.status == "void"
    assert "count_not_52" in answer(found)["readings"]
    assert other.ruled.status == ("settled" if words else "void")
    assert other.ruled.memory["new_deck_due"] == (not words)
