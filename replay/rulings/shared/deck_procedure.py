"""One deck, shuffled for every round: a card that comes twice or too late, a deck dealt again.

Andar Bahar and Teen Patti ask for this in the same words, each in a clause of its own. What is
carried to the next round: `deck_used`, where cards were dealt and none were shuffled since.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from replay.rounds import Round
from replay.ruled import Memory
from replay.rulings.shared import shoe_change, stray_cards
from replay.rulings.shared.remark import Remark
from replay.sentence import say
from schemas import events as e
from schemas.cards import Card

DEALT = shoe_change.DEALT


def twice(cards: Iterable[Card]) -> list[str]:
    """The cards of a round that lie there more than once, which one deck cannot give."""
    return sorted(code for code, copies in Counter(map(str, cards)).items() if copies > 1)


def remarks(clause: str, round: Round, cards: Sequence[Card], memory: Memory) -> Iterator[Remark]:
    """What was wrong with the deck."""
    for code in twice(cards):
        text = say("shared.card_twice", card=code)
        yield Remark("DUPLICATE_CARD", clause, text, subject=code)
    for card in stray_cards.told(replace(round, events=())):  # later ones are told by each game
        yield Remark(stray_cards.CODE, clause, card.text, card.evidence, card.hand)
    for event_id, load in shoe_change.in_play(round, DEALT):
        text = say("shared.deck_changed", deck=load.shoe_id)
        yield Remark("SHOE_CONTENTS", clause, text, (event_id,), load.shoe_id)
    dealt = next((event for event in round.events if isinstance(event.payload, DEALT)), None)
    if dealt and memory.get("deck_used") and not _fresh(round, dealt):
        text = say("shared.deck_not_shuffled")
        yield Remark("DECK_REUSED", clause, text, evidence=(dealt.event_id,))


def carried(round: Round, memory: Memory) -> Memory:
    """Whether the deck was dealt and not shuffled since."""
    used = bool(memory.get("deck_used"))
    for event in (*round.before, *round.events):
        if isinstance(event.payload, DEALT):
            used = True
        elif _shuffles(event):
            used = False
    return {"deck_used": True} if used else {}


def in_time(events: Sequence[e.Event]) -> tuple[e.Event, ...]:
    """The events without cards dealt after the close or a void; a late look at one counts."""
    end = _end(events)
    late = (event for event in events[end:] if not isinstance(event.payload, DEALT))
    return (*events[:end], *late)


def after_end(events: Sequence[e.Event]) -> tuple[str, ...]:
    """The ids of cards that came after the round was closed or void, which count for nothing."""
    late = events[_end(events) :]
    return tuple(at.event_id for at in late if isinstance(at.payload, DEALT))


def _end(events: Sequence[e.Event]) -> int:
    kinds = stray_cards.CLOSED_OR_VOID
    return next((n for n, at in enumerate(events) if isinstance(at.payload, kinds)), len(events))


def _fresh(round: Round, dealt: e.Event) -> bool:
    opening = round.events[: round.events.index(dealt)]
    return any(map(_shuffles, (*round.before, *opening)))


def _shuffles(event: e.Event) -> bool:
    loaded = isinstance(event.payload, e.ShoeLoaded) and event.payload.shuffled
    return loaded or isinstance(event.payload, e.CardsShuffled)
