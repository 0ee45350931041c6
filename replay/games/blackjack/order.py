"""Blackjack: the order of cards and decisions (SA-BJ:3.4.2, 3.4.4, 3.4.5, 3.5.3)."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from replay.games.blackjack import DEALER
from replay.games.blackjack.decisions import DECISIONS
from replay.games.blackjack.hands import (  # fmt: skip
    ACTS,
    DRAWS,
    FIRST,
    OPENING,
    SECOND,
    SPLIT_ORDER,
    Fault,
    Move,
    seat_of,
)
from replay.sentence import say

Turn = tuple[int, int, int]

THIRD = ".3"  # the hand of a second split, which has no turn
DEALERS_OWN: Turn = (4, 0, 0)  # what the dealer draws after all hands


def faults(moves: Sequence[Move], too_late: Collection[str] = ()) -> Iterator[Fault]:
    """The first card and decision out of turn, and the dealer's second card where it was early.

    Decisions that came too late, on a hand that had ended, keep no hand open.
    """
    in_time = [move for move in moves if move.event_id not in too_late]
    crossed = list(_out_of_turn(moves))
    yield from crossed
    for fault in _decided_out_of_turn(in_time):
        if seat_of(fault.hand) not in {seat_of(at.hand) for at in crossed}:  # told already
            yield fault
    yield from _second_card_early(in_time)


def clockwise(seat: str) -> int:
    """A seat's place at the table, counted from the first."""
    return int(seat) if seat.isdigit() else 0


def _out_of_turn(moves: Sequence[Move]) -> Iterator[Fault]:
    latest: Turn = (0, 0, 0)
    for move, turn in _turns(moves):
        if turn < latest:
            clause = "SA-BJ:3.5.3" if "." in move.hand else OPENING
            note = say("SA-BJ.card_out_of_turn", card=str(move.card), hand=move.hand)
            yield Fault("DEAL_ORDER", clause, move.hand, note, move.event_id)
            return
        if turn != DEALERS_OWN:
            latest = turn


def _decided_out_of_turn(moves: Sequence[Move]) -> Iterator[Fault]:
    """SA-BJ:3.4.4, 3.5.3. Seats act clockwise, and hand 1 before hand 2."""
    latest = (0, 0)
    for move in moves:
        if move.decision not in DECISIONS:
            continue
        place = clockwise(seat_of(move.hand))
        named = 2 if move.hand.endswith(SECOND) else 1 if "." in move.hand else 0
        turn = (place, named or (latest[1] if place == latest[0] else 0))
        if turn < latest:
            clause = SPLIT_ORDER if place == latest[0] else ACTS
            decision, hand = move.decision, move.hand
            note = say("SA-BJ.decision_out_of_turn", decision=decision, hand=hand)
            yield Fault("DECISION_ORDER", clause, move.hand, note, move.event_id)
            return
        latest = turn


def _second_card_early(moves: Sequence[Move]) -> Iterator[Fault]:
    turns = {move.event_id: turn for move, turn in _turns(moves)}
    second = None
    for move in moves:
        turn = turns.get(move.event_id)
        if turn == DEALERS_OWN:
            second = second or move
        elif second and (turn or move.decision in DECISIONS):
            note = say("SA-BJ.second_card_early", card=str(second.card), hand=move.hand)
            yield Fault("DEALER_SECOND_CARD_EARLY", DRAWS, DEALER, note, second.event_id)
            return


def _turns(moves: Sequence[Move]) -> Iterator[tuple[Move, Turn]]:
    """Each card with its place in the lawful order.

    First cards clockwise, the dealer's card, second cards clockwise; then seat by seat, after a
    split a card for either hand and then hand 1 before hand 2; the dealer last.
    """
    given: Counter[str] = Counter()
    for move in moves:
        if move.card and not move.hand.endswith(THIRD):
            given[move.hand] += 1
            yield move, _turn(move.hand, given[move.hand])


def _turn(hand: str, nth: int) -> Turn:
    place = clockwise(seat_of(hand))
    if hand == DEALER:
        return (1, 0, 0) if nth == 1 else DEALERS_OWN
    if "." in hand:
        later = nth > 1
        return (3, place, 1 + 2 * later + (not hand.endswith(FIRST)))
    return ((0, 2)[nth - 1], place, 0) if nth <= 2 else (3, place, 0)
