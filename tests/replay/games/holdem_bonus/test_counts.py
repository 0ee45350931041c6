"""Texas Hold'em Bonus Poker: a card too many on the board or before the Dealer (TH:7.4)."""

from typing import Any

import pytest

from replay.judge import Judgement
from replay.sheets.sheet import answer
from replay.whatif import whatif
from tests.support.holdem_bonus_story import Json, codes, drawn, event, happened, sheet, wagers
from tests.support.tables import cases, judged

HOLES = "5D>burn AS>1 AH>1"
FLOP = "6D>burn 2S>community 7H>community 9C>community"
REST = "JD>community 3C>burn QS>community KS>dealer KD>dealer"

# What is done from the flop on, told in order: cards, bets of box 1, reports.
FOUR = "8D>community"
NOTICED = "report community_count"


def played(text: str, **more: Any) -> Judgement:
    """Box 1 with Ante and Flop, and what happens after three community cards lie there."""
    ante, flop = wagers("1 ante 100, 1 flop 200")
    events: list[Json] = [ante, event("BettingClosed"), *drawn(HOLES), flop]
    events += drawn(FLOP, 4)
    for part in filter(None, map(str.strip, text.split(","))):
        if ">" in part:
            position = 1 + sum(one["type"] == "CardDrawn" for one in events)
            events += drawn(part, position)
        else:
            events += happened(part)
    return judged(sheet(events, **more))


def money(found: Judgement) -> str:
    return ", ".join(f"{due.wager_id} {due.outcome} {due.back}" for due in found.dues)


BOTH_WIN = "1-ante push 100, 1-flop win 400"
BOTH_BACK = "1-ante returned 100, 1-flop returned 200"


@pytest.mark.parametrize(
    ("text", "status", "flags", "dues"),
    cases(f"""
        8D>burn {REST}                                  | settled | | {BOTH_WIN} | a lawful deal
        {FOUR}, {NOTICED}, {REST}                       | settled | CARD_COUNT_COMMON RECONSTRUCTED | {BOTH_WIN} | a fourth flop card is the next burnt one
        {FOUR}, {NOTICED}, bet 1 turn 100, {REST}       | settled | CARD_COUNT_COMMON RECONSTRUCTED | {BOTH_WIN}, 1-turn win 200 | the Turn bet is in time
        {FOUR}, {NOTICED}, JD>community, bet 1 turn 100, 3C>burn QS>community KS>dealer KD>dealer | settled | CARD_COUNT_COMMON RECONSTRUCTED LATE_BET | {BOTH_WIN}, 1-turn returned 100 | after the turn card it is not
        {FOUR}, {NOTICED}, 4C>burn {REST}               | void | CARD_COUNT_COMMON | {BOTH_BACK} | burned once more the order is lost
        {FOUR}, JD>community, {NOTICED}, 3C>burn QS>community KS>dealer KD>dealer | settled | CARD_COUNT_COMMON RECONSTRUCTED | {BOTH_WIN} | noticed at the turn, the others stay
        {FOUR} 3C>burn JD>community 4C>burn QS>community KS>dealer KD>dealer, {NOTICED} | void | CARD_COUNT_COMMON | {BOTH_BACK} | noticed at the end, seen cards would move
        8D>burn {REST} 4C>dealer, report dealer_count   | settled | CARD_COUNT_COMMON RECONSTRUCTED | {BOTH_WIN} | a third card of the Dealer is none
        8D>burn JD>community 3C>burn QS>community 4C>community KS>dealer KD>dealer, {NOTICED} | void | CARD_COUNT_COMMON | {BOTH_BACK} | a sixth one would be the Dealer's
        8D>burn JD>community 3C>burn QS>community 4C>community, {NOTICED}, KS>dealer | settled | CARD_COUNT_COMMON RECONSTRUCTED | 1-ante push 100, 1-flop win 400 | noticed before the Dealer has cards
        {FOUR}, {NOTICED}, rule TH:7.4 not_reconstructable pit_manager, {REST} | void | CARD_COUNT_COMMON | {BOTH_BACK} | the House says no
    """),  # noqa: E501 (a row is a round)
)
def test_a_card_too_many_on_the_board(text: str, status: str, flags: str, dues: str) -> None:
    found = played(text)

    assert found.ruled.status == status
    assert codes(found) == flags.split()
    assert money(found) == dues


@pytest.mark.parametrize(
    ("text", "reading", "dues"),
    cases(f"""
        {FOUR}, {NOTICED}, {REST} | by_draw_order      | {BOTH_WIN}  | the extra card goes on
        {FOUR}, {NOTICED}, {REST} | no_seen_card_moves | {BOTH_BACK} | it was seen
        {FOUR}, {NOTICED}, {REST} | whatever_was_seen  | {BOTH_WIN}  | seen or not
        8D>burn JD>community 3C>burn QS>community 4C>community KS>dealer KD>dealer, {NOTICED} | whatever_was_seen | 1-ante push 100, 1-flop win 400 | the sixth is the Dealer's
    """),  # noqa: E501 (a row is a round)
)
def test_what_can_be_reconstructed_is_a_reading(text: str, reading: str, dues: str) -> None:
    found = played(text, readings={"rebuilding": reading})
    asked = whatif(played(text), [f"reading:rebuilding={reading}"]).after

    assert money(found) == dues
    assert answer(found)["readings"]["rebuilding"] == reading
    assert money(asked) == dues


def test_the_same_cards_pay_the_same_when_rebuilt() -> None:
    right, rebuilt = played(f"8D>burn {REST}"), played(f"{FOUR}, {NOTICED}, {REST}")

    assert rebuilt.dues == right.dues
    assert rebuilt.ruled.outcome == right.ruled.outcome


@pytest.mark.parametrize(
    ("text", "status", "flags"),
    cases("""
        AS>1 AH>1, pay 700 | unknown | CARD_COUNT_COMMON RESULT_UNKNOWN | no board, no Dealer: nothing was compared
        AS>1 AH>1 2S>community 7H>community 9C>community JD>community QS>community, pay 700 | unknown | CARD_COUNT_COMMON RESULT_UNKNOWN | no card for the Dealer
        AS>1 AH>1 2S>community 7H>community 9C>community JD>community KS>dealer KD>dealer, pay 100 | settled | CARD_COUNT_COMMON LATE_NOTICE | 7.4 noticed too late, it stands
        AS>1 AH>1 2S>community 7H>community 9C>community JD>community KS>dealer KD>dealer, pay 700 | settled | CARD_COUNT_COMMON LATE_NOTICE PAID_AT_NO_ODDS | no line pays seven to one
    """),  # noqa: E501 (a row is a round)
)
def test_only_a_settlement_that_cards_could_make_stands(text: str, status: str, flags: str) -> None:
    cards, paid = text.split(", pay ")
    settled = event("WagerSettled", wager_id="1-ante", paid=int(paid), returned=100)
    events: list[Json] = [*wagers("1 ante 100"), event("BettingClosed"), *drawn(cards), settled]

    found = judged(sheet([*events, *happened("close settled")]))

    assert found.ruled.status == status
    assert codes(found) == flags.split()


@pytest.mark.parametrize("dealt", ["", "AS>1", "AS>1 AH>1 2S>community"])
def test_a_round_called_void_in_its_deal_goes_back(dealt: str) -> None:
    events: list[Json] = [*wagers("1 ante 100"), event("BettingClosed"), *drawn(dealt)]

    found = judged(sheet([*events, event("RoundVoided"), *happened("close void")]))

    assert (found.ruled.status, money(found)) == ("void", "1-ante returned 100")
    assert codes(found) == ["DECISION_MISSING"]


@pytest.mark.parametrize("closed", ["", "close settled"])
@pytest.mark.parametrize(
    ("late", "flag"),
    [
        ([event("CardDrawn", position=14, hand="community", card="4D")], "CARD_OUTSIDE_ROUND"),
        ([event("CardPlaced", hand="dealer", slot=3, card="4D")], "CARD_OUTSIDE_ROUND"),
        ([event("CardExposed", place="table", card=at) for at in ("4D", "5H")], "TOLD_AFTERWARDS"),
        ([event("IrregularityReported", kind="foreign_card")], "TOLD_AFTERWARDS"),
    ],
)
def test_what_comes_after_the_last_settlement_undoes_nothing(
    late: list[Json], flag: str, closed: str
) -> None:
    ante, flop = wagers("1 ante 100, 1 flop 200")
    events: list[Json] = [ante, event("BettingClosed"), *drawn(HOLES), flop]
    events += drawn(f"{FLOP} 8D>burn {REST}", 4)
    events += [
        event("WagerSettled", wager_id="1-ante", paid=0, returned=100),
        event("WagerSettled", wager_id="1-flop", paid=200, returned=200),
    ]

    found = judged(sheet([*events, *happened(closed), *late]))

    assert (found.ruled.status, money(found)) == ("settled", BOTH_WIN)
    assert codes(found) == [flag]


SETTLED = "settle 1-ante 0 0 100, settle 1-flop 200 0 200"


@pytest.mark.parametrize(
    ("text", "status", "flags"),
    cases(f"""
        camera community 5 QS 0.97, {SETTLED}                         | unknown | RESULT_UNKNOWN    | the device may have missed one
        {SETTLED}                                                     | settled | CARD_COUNT_COMMON LATE_NOTICE | nobody saw a fifth
        camera community 5 QS 0.97, report community_count, {SETTLED} | void    | CARD_COUNT_COMMON | the table says that it was short
    """),  # noqa: E501 (a row is a round)
)
def test_a_card_that_the_camera_saw_is_not_missing(text: str, status: str, flags: str) -> None:
    found = played(f"8D>burn JD>community 3C>burn KS>dealer KD>dealer, {text}, close settled")

    assert found.ruled.status == status
    assert set(flags.split()) <= set(codes(found))
    assert ("RESULT_UNKNOWN" in codes(found)) is (status == "unknown")
