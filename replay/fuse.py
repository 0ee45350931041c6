"""Shoe, camera and dealer fused: each card place as every witness saw it, agreed or unknown.

A card is taken only where all definite readings agree. Nothing is guessed: where they differ the
place is unknown and the readings are named.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from schemas import events as e
from schemas.cards import DECK, Card, card

CODES = frozenset(map(str, DECK))
CERTAIN = 0.90  # a camera's best guess counts as a reading from this probability on


@dataclass(frozen=True, slots=True)
class Sight:
    """One place on the table, with what each witness saw there."""

    hand: str
    slot: int
    position: int = 0  # place in the shoe; 0 where the shoe never gave it
    shoe: str | None = None
    camera: str | None = None
    camera_probability: float = 0.0
    dealer: str | None = None
    exposed: bool = True
    evidence: tuple[str, ...] = ()

    @property
    def readings(self) -> dict[str, str]:
        """The definite readings, by witness."""
        seen = {"shoe": self.shoe, "dealer": self.dealer}
        if self.camera_probability >= CERTAIN:
            seen["camera"] = self.camera
        return {witness: found for witness, found in sorted(seen.items()) if found}

    @property
    def card(self) -> Card | None:
        """The card all definite readings agree on; None where they differ or there is none."""
        found = set(self.readings.values())
        return card(found.pop()) if len(found) == 1 and found <= CODES else None

    @property
    def disagreement(self) -> str:
        """The readings that differ, as a sentence; empty where they agree."""
        if self.card is not None:
            return ""
        said = ", ".join(f"{witness} {found}" for witness, found in self.readings.items())
        return f"{self.hand} card {self.slot}: {said or 'nobody could read it'}"


def sights(
    events: Iterable[e.Event], lying: Sequence[tuple[str, str | None]] = ()
) -> tuple[Sight, ...]:
    """Every card place of a round: those the shoe gave first, in its order, then the others.

    `lying` are hands and cards that the round before left on the table; their positions are
    below zero, so they come first.
    """
    places: dict[tuple[str, int], Sight] = {}
    count: dict[str, int] = {}
    for n, (hand, left) in enumerate(lying):
        slot = count[hand] = count.get(hand, 0) + 1
        places[hand, slot] = Sight(hand, slot, position=n - len(lying), shoe=left)
    for event in events:
        match event.payload:
            case e.CardDrawn() as drawn:
                slot = count[drawn.hand] = count.get(drawn.hand, 0) + 1
                place = places.get((drawn.hand, slot), Sight(drawn.hand, slot))
                places[drawn.hand, slot] = replace(
                    place,
                    position=drawn.position,
                    shoe=drawn.card,
                    exposed=drawn.exposed,
                    evidence=(*place.evidence, event.event_id),
                )
            case e.CardPlaced() as put:
                place = places.get((put.hand, put.slot), Sight(put.hand, put.slot))
                places[put.hand, put.slot] = replace(
                    place, dealer=put.card, evidence=(*place.evidence, event.event_id)
                )
            case e.CardsObserved(zone=zone, slot=slot, guesses=guesses) if guesses:
                place = places.get((zone, slot), Sight(zone, slot))
                best = guesses[0]
                places[zone, slot] = replace(
                    place,
                    camera=best.seen,
                    camera_probability=best.probability,
                    evidence=(*place.evidence, event.event_id),
                )
    drawn_first = sorted(
        places.values(), key=lambda at: (at.position == 0, at.position, at.hand, at.slot)
    )
    return tuple(drawn_first)
