"""Blackjack: a round played again, card by card and decision by decision (SA-BJ:3.4, 3.5).

A card that the rules give no hand, or that nobody asked for, does not count, and a hand that lacks
a card they give it stays open (issue irregular_cards).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from replay.games import blackjack as game
from replay.games.blackjack import DEALER
from replay.games.blackjack.decisions import DECISIONS, decide
from replay.games.blackjack.hands import (  # fmt: skip
    ACES,
    DOUBLES,
    DRAWS,
    HITS,
    OPENING,
    SPLIT_ORDER,
    TIMEOUT,
    HandsInPlay,
    Move,
    Played,
    Refusal,
    finished,
    full,
    seat_of,
    unasked,
)
from replay.sentence import Sentence, say
from schemas.cards import Card


def play(moves: Iterable[Move], readings: Mapping[str, str], *, concluded: bool) -> HandsInPlay:
    """The hands that cards and decisions make, and every rule they break on the way."""
    table = HandsInPlay(readings)
    for move in moves:
        if move.card:
            _give(table, move, move.card)
        elif move.decision in DECISIONS:
            decide(table, move)
    if concluded:
        for held in list(table.hands.values()):
            _end(table, held)
    return table


def _give(table: HandsInPlay, move: Move, card: Card) -> None:
    """A card onto a hand, or beside it where the hand is finished."""
    name, seat = move.hand, seat_of(move.hand)
    strange = name != seat and name not in table.hands
    if strange or (name == seat and seat in table.split_by):
        table.doubt = table.doubt or _strange(table, name)
        _third_hand(table, move, card)
        return
    held = table.hands.get(name, Played(name))
    over = finished(held, table.readings) or unasked(held, table.readings)
    if over:
        code, clause, how = over
        if code != "CARD_WITHOUT_HIT" or not held.meddled:  # that hit was told already
            note = say("SA-BJ.card_given", card=str(card), how=how)
            table.find(code, clause, name, note, move.event_id)
    if over and table.readings["irregular_cards"] == "by_the_rules":
        held = replace(held, surplus=(*held.surplus, card))
    else:
        held = replace(held, hand=held.hand._replace(cards=(*held.cards, card)))
    held = replace(held, asked=max(held.asked - 1, 0), meddled=False)
    table.hands[name] = replace(held, stuck=held.stuck or held.again)  # the split was granted
    if name == seat and len(held.cards) == 2:
        table.opening[seat] = held.cards


def _third_hand(table: HandsInPlay, move: Move, card: Card) -> None:
    """A card on a hand of a refused split.

    A hand that had ended before stays as it was; of another nobody can say what became of it.
    """
    seat = seat_of(move.hand)
    held = table.hands.get(table.split_again.get(seat, ""))
    if held and not finished(held, table.readings):
        table.hands[held.name] = replace(held, stuck=True)
    elif seat in table.split_again and seat not in table.split_by:
        table.too_late.add(move.event_id)  # it keeps no hand open
        note = say("SA-BJ.put_on_refused_split", card=str(card), hand=move.hand)
        table.find("DEAL_ORDER", SPLIT_ORDER, move.hand, note, move.event_id)


def _strange(table: HandsInPlay, name: str) -> Sentence | None:
    """Why a card lies where no hand is; None for a hand of a split that was refused."""
    if seat_of(name) in table.split_again:
        return None
    if any(fault.code == "SECOND_SPLIT" and fault.hand == seat_of(name) for fault in table.faults):
        return None
    if seat_of(name) in table.split_by:
        return say("SA-BJ.card_on_split_seat", hand=name)
    return say("SA-BJ.card_without_split", hand=name)


def _end(table: HandsInPlay, held: Played) -> None:
    """What a hand lacks once the round is over."""
    lacks = _lacks(table, held)
    if lacks:
        code, clause, note = lacks
        table.find(code, clause, held.name, note)
        short = table.readings["irregular_cards"] == "by_the_rules"
        table.hands[held.name] = replace(held, short=short or len(held.cards) < 2)


def _lacks(table: HandsInPlay, held: Played) -> Refusal | None:
    cards = held.cards
    if held.name == DEALER:
        wanted = game.dealer_draws(cards) and must_play_out(table)
        return ("DEALER_STOPPED_EARLY", DRAWS, _stopped(cards)) if wanted else None
    if len(cards) < 2 and not held.hand.split:
        return "DEAL_ORDER", OPENING, say("SA-BJ.opening_short", n=len(cards))
    if len(cards) < 2:
        aces = cards[0].rank == "A"
        code, clause = ("SPLIT_ACE_CARDS", ACES) if aces else ("DEAL_ORDER", SPLIT_ORDER)
        return code, clause, say("SA-BJ.no_second_card")
    if held.hand.doubled and not full(held):
        return "DOUBLE_CARDS", DOUBLES, say("SA-BJ.doubled_no_card")
    if held.asked and not full(held) and not held.decided:
        return "HIT_WITHOUT_CARD", HITS, say("SA-BJ.hit_no_card")
    if held.left and game.timeout_draws(cards, table.readings["timeout_ace"]):
        return "AUTO_STOOD_EARLY", TIMEOUT, say("SA-BJ.system_stood", total=game.total(cards))
    return None


def must_play_out(table: HandsInPlay) -> bool:
    """Decision on SA-BJ:3.4.5: always, or only while a hand waits for the dealer."""
    waits = any(held.live for name, held in table.hands.items() if name != DEALER)
    return waits or table.readings["dealer_plays_out"] == "always"


def _stopped(cards: Sequence[Card]) -> Sentence:
    if len(cards) > 1:
        return say("SA-BJ.stopped_on", total=game.total(cards))
    return say("SA-BJ.stopped_short", n=len(cards))
