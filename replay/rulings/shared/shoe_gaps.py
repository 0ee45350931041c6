"""Cards that left the shoe unread: places of the shoe that no reading names.

A burn takes cards from the shoe without naming them, so it accounts for as many places as it
burned between the two readings around the gap.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from replay.sentence import Sentence, say
from schemas import events as e

CODE = "CARD_NOT_READ"


class Gap(NamedTuple):
    """Places of the shoe between two readings that nobody read and no burn accounts for."""

    text: Sentence
    evidence: tuple[str, ...]  # the readings around it


def first_gap(events: Sequence[e.Event]) -> Gap | None:
    """The first such places of a round; None where every card is on record."""
    drawn: dict[int, int] = {}  # place in the shoe to the place of its reading among the events
    for n, event in enumerate(events):
        if isinstance(event.payload, e.CardDrawn):
            drawn.setdefault(event.payload.position, n)
    for before, after in pairwise(sorted(drawn)):
        between = events[min(drawn[before], drawn[after]) : max(drawn[before], drawn[after])]
        if after - before - 1 > sum(map(burned, between)):
            text = say("shared.shoe_gap", before=before, after=after)
            around = (events[drawn[before]].event_id, events[drawn[after]].event_id)
            return Gap(text, around)
    return None


def burned(event: e.Event) -> int:
    """How many places of the shoe an event burns."""
    burn = event.payload
    return burn.count + (burn.first_card is not None) if isinstance(burn, e.CardsBurned) else 0
