"""Blackjack: what a decision does to a hand, and where it was not open (SA-BJ:3.5)."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from replay.games import blackjack as game
from replay.games.blackjack.hands import (  # fmt: skip
    ACTS,
    DOUBLES,
    DRAWS,
    FIRST,
    SECOND,
    SPLIT_ORDER,
    SURRENDERS,
    TIMEOUT,
    HandsInPlay,
    Move,
    Played,
    finished,
    seat_of,
)
from replay.sentence import say


def decide(table: HandsInPlay, move: Move) -> None:
    """A decision on the hand it names, or on the hand of the seat whose turn it is."""
    seat = seat_of(move.hand)
    held = table.hands.get(move.hand) or _in_turn(table, seat)
    if not move.by_seat:
        _meddle(table, held, move)
        return
    if held is None or len(held.cards) < (1 if held.hand.split else 2):
        note = say("SA-BJ.no_hand", decision=move.decision)
        table.find("ACTION_NOT_OPEN", ACTS, seat, note, move.event_id)
        _refuse_split(table, held, move)
        return
    if finished(held, table.readings):
        table.too_late.add(move.event_id)
        _too_late(table, held, move)
        return
    if _refused(table, held, move):
        return
    held = replace(held, again=False)  # a decision instead of a second split: that was refused
    table.hands[held.name] = DECISIONS[move.decision](table, held, move.event_id)
    if move.decision == "split" and seat in table.split_by and not held.hand.split:
        del table.hands[held.name]


def _meddle(table: HandsInPlay, held: Played | None, move: Move) -> None:
    """SA-BJ:3.3.3. Nobody decides for a seat: what was done upon it does not count."""
    table.too_late.add(move.event_id)
    if held and move.decision == "hit":
        table.hands[held.name] = replace(held, meddled=True)
    _refuse_split(table, held, move)


def _refuse_split(table: HandsInPlay, held: Played | None, move: Move) -> None:
    """Note the hand whose split does not count, so that cards for its halves belong to no hand."""
    if move.decision == "split":
        table.split_again.setdefault(seat_of(move.hand), held.name if held else move.hand)


def _refused(table: HandsInPlay, held: Played, move: Move) -> bool:
    """Whether a decision comes too late to change the bets or the play of a hand."""
    word, binding = move.decision, move.decision in BINDING
    clause, note = "", None
    if held.auto:  # SA-BJ:3.5.6, the system completes the hand
        table.too_late.add(move.event_id)
        clause, note = TIMEOUT, say("SA-BJ.after_timeout", decision=word)
    elif len(table.dealer) > 1:
        clause, note = DRAWS, say("SA-BJ.after_dealers_second", decision=word)
    if note and binding:
        table.find("ACTION_NOT_OPEN", clause, held.name, note, move.event_id)
    late = held.auto or (bool(note) and binding and table.readings["late_actions"] == "refused")
    if late:
        _refuse_split(table, held, move)
    return late


def _too_late(table: HandsInPlay, held: Played, move: Move) -> None:
    """A decision on a finished hand: a fault where money or cards would follow from it."""
    if move.decision == "split" and held.hand.split:
        note = say("SA-BJ.two_hands_at_most")
        table.find("SECOND_SPLIT", SPLIT_ORDER, seat_of(held.name), note, move.event_id)
    elif move.decision == "double" and held.hand.split:
        note = say("SA-BJ.only_hit_or_stand")
        table.find("DOUBLE_AFTER_SPLIT", SPLIT_ORDER, held.name, note, move.event_id)
    elif move.decision in BINDING:
        note = say("SA-BJ.hand_finished", decision=move.decision)
        table.find("ACTION_NOT_OPEN", ACTS, held.name, note, move.event_id)
        _refuse_split(table, held, move)


def _in_turn(table: HandsInPlay, seat: str) -> Played | None:
    hands = table.of(seat)
    return next((at for at in hands if not finished(at, table.readings)), None) or (
        hands[-1] if hands else None
    )


def _hit(table: HandsInPlay, held: Played, event_id: str) -> Played:
    del table, event_id
    return replace(held, acted=True, asked=held.asked + 1)


def _stand(table: HandsInPlay, held: Played, event_id: str) -> Played:
    del table, event_id
    return replace(held, acted=True, stood=True)


def _timeout(table: HandsInPlay, held: Played, event_id: str) -> Played:
    del table, event_id
    return replace(held, auto=True)


def _double(table: HandsInPlay, held: Played, event_id: str) -> Played:
    """SA-BJ:3.5.2. On the first two cards of an unsplit hand; exactly one card follows."""
    lawful = True
    if held.hand.split and table.readings["double_after_split"] == "not_offered":
        note = say("SA-BJ.only_hit_or_stand")
        table.find("DOUBLE_AFTER_SPLIT", SPLIT_ORDER, held.name, note, event_id)
        lawful = False
    elif len(held.cards) != 2:
        note = say("SA-BJ.double_on", n=len(held.cards))
        table.find("ACTION_NOT_OPEN", DOUBLES, held.name, note, event_id)
        lawful = False
    table.doubled_by[held.name] = event_id
    doubled = held.hand._replace(doubled=True)
    limit, stuck = len(held.cards) + 1, held.stuck or _stuck(table, lawful)
    return replace(held, hand=doubled, limit=limit, acted=True, stuck=stuck)


def _split(table: HandsInPlay, held: Played, event_id: str) -> Played:
    """SA-BJ:3.5.3, 3.5.4. Two cards of equal value, once; an Ace takes one card and no more."""
    seat, lawful = seat_of(held.name), True
    if seat in table.split_by:
        note = say("SA-BJ.two_hands_at_most")
        table.find("SECOND_SPLIT", SPLIT_ORDER, seat, note, event_id)
        table.split_again[seat] = held.name
        return replace(held, acted=True, again=True, stuck=held.stuck or _stuck(table, False))
    if len(held.cards) != 2:
        note = say("SA-BJ.split_of", n=len(held.cards))
        table.find("ACTION_NOT_OPEN", SPLIT_ORDER, held.name, note, event_id)
        table.split_again.setdefault(seat, held.name)
        return replace(held, acted=True, stuck=held.stuck or _stuck(table, False))
    if not game.alike(held.cards, table.readings["split_value"]):
        note = say("SA-BJ.unequal_values", cards=tuple(map(str, held.cards)))
        table.find("SPLIT_UNEQUAL_VALUES", SPLIT_ORDER, held.name, note, event_id)
        lawful = False
    table.split_by[seat] = event_id
    table.split_again.pop(seat, None)
    for name, card in zip((seat + FIRST, seat + SECOND), held.cards, strict=True):
        half = game.BlackjackHand((card,), split=True, second=name.endswith(SECOND))
        limit = 2 if card.rank == "A" else 0
        table.hands[name] = Played(name, half, limit=limit, stuck=_stuck(table, lawful))
    return held


def _surrender(table: HandsInPlay, held: Played, event_id: str) -> Played:
    """SA-BJ:3.5.5. The first decision only, against neither an Ace nor a ten-valued card."""
    lawful = True
    if held.acted or held.hand.split or len(held.cards) > 2:
        note = say("SA-BJ.not_first_decision")
        table.find("SURRENDER_AFTER_ACTION", SURRENDERS, held.name, note, event_id)
        lawful = False
    if table.dealer and not game.may_surrender(table.dealer[0]):
        note = say("SA-BJ.dealer_shows", card=str(table.dealer[0]))
        table.find("SURRENDER_REFUSED_UPCARD", SURRENDERS, held.name, note, event_id)
        lawful = False
    given_up, stuck = held.hand._replace(surrendered=True), held.stuck or _stuck(table, lawful)
    return replace(held, hand=given_up, acted=True, stuck=stuck)


def _stuck(table: HandsInPlay, lawful: bool) -> bool:
    return not lawful and table.readings["unlawful_actions"] == "open"


Decide = Callable[[HandsInPlay, Played, str], Played]
DECISIONS: Mapping[str, Decide] = {
    "hit": _hit,
    "stand": _stand,
    "double": _double,
    "split": _split,
    "surrender": _surrender,
    "timeout": _timeout,
}
BINDING = ("double", "split", "surrender")
