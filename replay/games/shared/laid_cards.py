"""Cards as they lie on the hands of a table, from what shoe, camera and dealer saw."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from replay.sentence import Prose, say
from replay.witnesses import Sight
from schemas.cards import Card

Hands = Mapping[str, tuple[Card, ...]]


class LaidCards(NamedTuple):
    """Every hand with its cards, and the order the shoe gave them in."""

    hands: Hands
    order: tuple[tuple[str, Card], ...] = ()  # place and card; empty where the shoe gave none
    unread: Prose | None = None  # what is missing or disagrees; None where every card is known
    evidence: tuple[str, ...] = ()  # ids of the readings; of those in doubt where there is one

    @property
    def dealt(self) -> int:
        """How many cards lie there."""
        return sum(map(len, self.hands.values()))

    @property
    def seen(self) -> int:
        """How many cards were dealt, those on no hand of the game included."""
        return max(self.dealt, len(self.order))


def lie(sights: Sequence[Sight], names: Sequence[str]) -> LaidCards:
    """The cards on the hands of these names, or the place where they are not known."""
    drawn = [sight for sight in sights if sight.position]
    seen = drawn or [sight for sight in sights if sight.readings]
    strays = [sight for sight in sights if sight.readings and sight not in seen]
    doubt = next((sight for sight in (*seen, *strays) if sight.card is None), None)
    if doubt or strays:
        return _unread(doubt or strays[0], names)
    for name in names:
        slots = {sight.slot: sight for sight in seen if sight.hand == name}
        beyond = [sight for slot, sight in slots.items() if slot > len(slots)]
        if beyond:
            return _left_out(beyond[0], min({*range(1, len(slots) + 1)} - slots.keys()), names)
    known = [(sight.hand, sight.card) for sight in seen if sight.card]
    laid = sorted(seen, key=lambda sight: sight.slot)
    return LaidCards(
        {name: tuple(at.card for at in laid if at.hand == name and at.card) for name in names},
        tuple(known) if drawn else (),
        evidence=tuple(id for sight in seen for id in sight.evidence),
    )


def given(order: Sequence[tuple[str, Card]], turns: Sequence[str]) -> Hands:
    """The hands that cards make where the order of the shoe decides, each in its turn."""
    owners = list(zip(turns, (card for _, card in order), strict=False))
    names = dict.fromkeys(turns)
    return {name: tuple(card for owner, card in owners if owner == name) for name in names}


def _left_out(beyond: Sight, slot: int, names: Sequence[str]) -> LaidCards:
    """A hand with a card beyond a place of which nobody said anything."""
    why = say("shared.place_left_out", hand=beyond.hand, slot=slot, beyond=beyond.slot)
    return LaidCards(dict.fromkeys(names, ()), unread=why, evidence=beyond.evidence)


def _unread(sight: Sight, names: Sequence[str]) -> LaidCards:
    said = sight.disagreement or sight.never_given
    return LaidCards(dict.fromkeys(names, ()), unread=said, evidence=sight.evidence)
