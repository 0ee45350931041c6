"""Texas Hold'em Bonus Poker: each hand against the Dealer's, whoever sits where."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from replay.games.shared.poker_hands import best
from schemas.cards import cards
from tests.support.any_round.holdem_bonus import BOXES, DECKS, ENDINGS, written
from tests.support.holdem_bonus_story import event, round_of
from tests.support.tables import judged


@settings(deadline=None)
@given(BOXES, DECKS)
def test_each_hand_is_settled_against_the_dealer_alone(boxes: list[Any], deck: list[str]) -> None:
    found = judged(written(boxes, deck))
    count = len(boxes)
    rest = deck[1 + 2 * count :]
    community = [*rest[1:4], rest[5], rest[7]]
    dealer = rest[8:10]

    for n, (_, conduct) in enumerate(boxes):
        lines = [due for due in found.dues if due.box == str(n + 1)]
        flop = next((due for due in lines if due.bet == "flop"), None)
        if flop is None or conduct:
            continue
        hole = (deck[1 + n], deck[1 + count + n])
        mine, theirs = (_best(two, community) for two in (hole, dealer))
        outcome = "push" if mine == theirs else "win" if mine > theirs else "lose"
        assert flop.outcome == outcome


@settings(deadline=None)
@given(st.permutations("123"), DECKS)
def test_who_sits_where_changes_no_due(seats: list[str], deck: list[str]) -> None:
    holes = [" ".join(deck[2 * n : 2 * n + 2]) for n in range(3)]
    bets = ("ante 100", "bonus 50", "flop 200", "turn 100")
    dealer, board = " ".join(deck[6:8]), " ".join(deck[8:13])

    def back(order: list[str]) -> list[list[int]]:
        placed = ", ".join(f"{box} {bet}" for box in order for bet in bets)
        hands = dict(zip(order, holes, strict=True))
        found = judged(round_of(placed, hands, dealer=dealer, board=board))
        return [[due.back for due in found.dues if due.box == box] for box in order]

    assert back(seats) == back(list("123"))


@settings(deadline=None)
@given(BOXES, DECKS, ENDINGS)
def test_paying_as_due_is_no_mismatch(boxes: list[Any], deck: list[str], ending: str) -> None:
    round = written(boxes, deck, ending.replace("close settled", ""))
    settled = [
        event(
            "WagerSettled",
            wager_id=due.wager_id,
            paid=due.paid,
            collected=due.collected,
            returned=due.returned,
        )
        for due in judged(round).dues
    ]

    found = judged({**round, "events": [*round["events"], *settled, event("RoundClosed")]})

    codes = {flag.code for flag in found.flags}
    assert not codes & {"SETTLEMENT_MISMATCH", "VOID_NOT_RETURNED", "REOPENED_ROUND"}


def _best(hole: Any, community: list[str]) -> Any:
    return best(cards(" ".join((*hole, *community))))
