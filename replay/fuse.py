"""Shoe, camera and dealer fused: each card place as every witness saw it, agreed or unknown.

A card is taken only where all definite readings agree. Nothing is guessed: where they differ the
place is unknown and the readings are named.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

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
    places: dict[tuple[str, int], dict[str, Any]] = {}
    count: dict[str, int] = {}
    seen: dict[str, Any]
    for n, (hand, left) in enumerate(lying):
        slot = count[hand] = count.get(hand, 0) + 1
        places[hand, slot] = {"position": n - len(lying), "shoe": left}
    for event in events:
        match event.payload:
            case e.CardDrawn(hand=hand) as drawn:
                slot = count[hand] = count.get(hand, 0) + 1
                seen = {"position": drawn.position, "shoe": drawn.card, "exposed": drawn.exposed}
            case e.CardPlaced(hand=hand, slot=slot) as put:
                seen = {"dealer": put.card}
            case e.CardsObserved(zone=hand, slot=slot, guesses=guesses) if guesses:
                best = guesses[0]
                seen = {"camera": best.seen, "camera_probability": best.probability}
            case _:
                continue
        place = places.setdefault((hand, slot), {})
        place.update(seen, evidence=(*place.get("evidence", ()), event.event_id))
    drawn_first = sorted(
        (Sight(hand, slot, **seen) for (hand, slot), seen in places.items()),
        key=lambda at: (at.position == 0, at.position, at.hand, at.slot),
    )
    return tuple(drawn_first)
