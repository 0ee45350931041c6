"""Compares shoe, camera and dealer: each card place as every witness read it, agreed or unknown.

A card is taken only where all definite readings agree. Nothing is guessed: where they differ the
place is unknown and the readings are named.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from replay.sentence import Sentence, say
from schemas import events as e
from schemas.cards import DECK, Card, card

CODES = frozenset(map(str, DECK))
Places = dict[tuple[str, int], dict[str, Any]]
Rebuilt = Mapping[str, tuple[str, int]]  # id of a draw to the hand and slot its card went to
NOTHING: Rebuilt = {}
ASIDE = "aside"  # where a reconstruction puts cards that no hand holds

OF_CARDS = (e.CardDrawn, e.CardPlaced, e.CardsObserved)
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
    disputed: Sentence | None = None  # what the shoe gave at one position, where it is not one
    guesses: tuple[e.Guess, ...] = ()  # everything the camera holds possible, the best one first
    shoe_device: str = ""
    camera_device: str = ""
    dealer_device: str = ""

    @property
    def readings(self) -> dict[str, str]:
        """The definite readings, by witness; none where the shoe contradicts itself."""
        if self.disputed:
            return {}
        seen = {"shoe": self.shoe, "dealer": self.dealer}
        if self.camera_probability >= CERTAIN:
            seen["camera"] = self.camera
        return {witness: found for witness, found in sorted(seen.items()) if found}

    @property
    def devices(self) -> dict[str, str]:
        """The devices that read it, by witness; empty where none did."""
        return {
            "camera": self.camera_device,
            "dealer": self.dealer_device,
            "shoe": self.shoe_device,
        }

    @property
    def card(self) -> Card | None:
        """The card all definite readings agree on; None where they differ or there is none."""
        found = set(self.readings.values())
        return card(found.pop()) if len(found) == 1 and found <= CODES else None

    @property
    def disagreement(self) -> Sentence | None:
        """The readings that differ, as a sentence; None where they agree."""
        if self.card is not None:
            return None
        found = self.each_reading or self.disputed or say("shared.read_by_nobody")
        return say("shared.place_read", hand=self.hand, slot=self.slot, read=found)

    @property
    def never_given(self) -> Sentence:
        """What witnesses read at a place that the shoe gave no card for, as a sentence."""
        read = self.each_reading
        return say("shared.place_never_given", hand=self.hand, slot=self.slot, read=read)

    @property
    def each_reading(self) -> tuple[Sentence, ...]:
        """The definite readings, each with its witness."""
        return tuple(
            say("shared.witness_read", witness=witness, card=found)
            for witness, found in self.readings.items()
        )


def differing(
    position: int,
    shoe: str | None,
    camera: str | None,
    camera_probability: float,
    dealer: str | None,
) -> tuple[str, ...]:
    """The witnesses of a card place that differ from the device; the shoe where it gave no card.

    The device is the shoe, or the camera where it is sure and the shoe read nothing.
    """
    if camera_probability < CERTAIN:
        camera = None
    device = shoe or camera
    found = {
        "camera": shoe and camera and camera != shoe,
        "dealer": dealer and device and dealer != device,
        "shoe": position == 0 and not shoe and camera,
    }
    return tuple(witness for witness, differs in found.items() if differs)


def faces_differ(device: str | None, camera: str | None, camera_probability: float) -> bool:
    """Whether the camera is sure of other dice or tokens than the device read, in any order."""
    if not device or not camera or camera_probability < CERTAIN:
        return False
    return sorted(device.split("-")) != sorted(camera.split("-"))


def sights(
    events: Iterable[e.Event],
    lying: Sequence[tuple[str, str | None]] = (),
    moved: Rebuilt = NOTHING,
) -> tuple[Sight, ...]:
    """Every card place of a round: those the shoe gave first, in its order, then the others.

    `lying` are hands and cards that the round before left on the table; their positions are
    below zero, so they come first. `moved` says where a reconstruction put what the shoe gave:
    a witness that saw a card where it was first put and one that saw it there saw the same card.
    """
    of_cards = tuple(event for event in events if type(event.payload) in OF_CARDS)
    left = tuple((hand, card) for hand, card in lying)
    return _sights(of_cards, left, tuple(moved.items()))


@lru_cache(maxsize=16)  # the rulings, the dues and the rows of a round ask for the same one
def _sights(
    events: tuple[e.Event, ...],
    lying: tuple[tuple[str, str | None], ...],
    moved: tuple[tuple[str, tuple[str, int]], ...],
) -> tuple[Sight, ...]:
    drawn_first = sorted(
        (
            Sight(hand, slot, **seen)
            for (hand, slot), seen in places(events, lying, dict(moved)).items()
        ),
        key=lambda at: (at.position == 0, at.position, at.hand, at.slot),
    )
    return tuple(drawn_first)


def places(
    events: Iterable[e.Event],
    lying: Sequence[tuple[str, str | None]] = (),
    moved: Rebuilt = NOTHING,
) -> Places:
    """The same by hand and slot, as the fields of a sight that anybody filled."""
    events = [event for event in events if type(event.payload) in OF_CARDS]
    if moved:
        events = _followed(events, lying, moved)
    draws = _draws(events)
    found: Places = {}
    count: dict[str, int] = {}
    seen: dict[str, Any]
    for n, (hand, left) in enumerate(lying):
        slot = count[hand] = count.get(hand, 0) + 1
        found[hand, slot] = {"position": n - len(lying), "shoe": left}
    for event in events:
        match event.payload:
            case e.CardDrawn(position=position, hand=hand):
                if event is not draws[position][0]:
                    continue
                slot = count[hand] = count.get(hand, 0) + 1
                seen = _drawn(draws[position])
                hand, slot = moved.get(event.event_id, (hand, slot))
                if hand == ASIDE:
                    seen["exposed"] = False  # nobody has to see it any more
            case e.CardPlaced(hand=hand, slot=slot) as put:
                seen = {"dealer": put.card, "dealer_device": event.device_id}
            case e.CardsObserved(zone=hand, slot=slot, guesses=guesses) if guesses:
                best = guesses[0]
                seen = {
                    "camera": best.seen,
                    "camera_probability": best.probability,
                    "guesses": guesses,
                    "camera_device": event.device_id,
                }
            case _:
                continue
        place = found.setdefault((hand, slot), {})
        ids = seen.pop("evidence", (event.event_id,))
        place.update(seen, evidence=(*place.get("evidence", ()), *ids))
    return found


def _followed(
    events: Sequence[e.Event], lying: Sequence[tuple[str, str | None]], moved: Rebuilt
) -> list[e.Event]:
    """The events with what witnesses read of a card where it was first put, read where it went."""
    draws = {at.event_id: at.payload.card for at in events if isinstance(at.payload, e.CardDrawn)}
    ends = {moved[event_id]: card for event_id, card in draws.items() if event_id in moved}
    went: dict[tuple[str, int, str], tuple[str, int]] = {}
    for (hand, slot), put in places(events, lying).items():
        end = next((moved[at] for at in put.get("evidence", ()) if at in moved), None)
        card = put.get("shoe")
        if end and card and ends.get((hand, slot)) != card:
            went[hand, slot, card] = end
    return [_read_at(event, went) for event in events]


def _read_at(event: e.Event, went: Mapping[tuple[str, int, str], tuple[str, int]]) -> e.Event:
    match event.payload:
        case e.CardPlaced(hand=hand, slot=slot, card=str(card)) as put:
            hand, slot = went.get((hand, slot, card), (hand, slot))
            return replace(event, payload=replace(put, hand=hand, slot=slot))
        case e.CardsObserved(zone=hand, slot=slot, guesses=(best, *_)) as seen:
            hand, slot = went.get((hand, slot, best.seen), (hand, slot))
            return replace(event, payload=replace(seen, zone=hand, slot=slot))
    return event


def rebuilt(
    hands: Mapping[str, Sequence[Sight]], order: Sequence[Sight]
) -> dict[str, tuple[str, int]]:
    """Where the cards of hands lie after a reconstruction; what none of them holds lies aside."""
    lie = {
        event_id: (hand, slot)
        for hand, held in hands.items()
        for slot, sight in enumerate(held, 1)
        for event_id in sight.evidence
    }
    aside = [at for at in order if not lie.keys() & set(at.evidence)]
    return {id: (ASIDE, n) for n, at in enumerate(aside, 1) for id in at.evidence} | lie


def distinct(events: Iterable[e.Event]) -> Iterator[e.Event]:
    """The events with one draw a position: the shoe may read a card twice, it left it once."""
    known: set[int] = set()
    for event in events:
        if isinstance(event.payload, e.CardDrawn):
            if event.payload.position in known:
                continue
            known.add(event.payload.position)
        yield event


def _draws(events: Iterable[e.Event]) -> Mapping[int, list[e.Event]]:
    """The shoe's readings of each position, in the order they came."""
    found: dict[int, list[e.Event]] = {}
    for event in events:
        if isinstance(event.payload, e.CardDrawn):
            found.setdefault(event.payload.position, []).append(event)
    return found


def _drawn(readings: Sequence[e.Event]) -> dict[str, Any]:
    """What the shoe says of one position: the same twice is said once, two things are disputed."""
    first = readings[0]
    if len(readings) == 1 and isinstance(first.payload, e.CardDrawn):
        return {
            "position": first.payload.position,
            "shoe_device": first.device_id,
            "exposed": first.payload.exposed,
            "evidence": (first.event_id,),
            "shoe": first.payload.card or None,
        }
    said = [at.payload for at in readings if isinstance(at.payload, e.CardDrawn)]
    cards, hands = {at.card for at in said if at.card}, {at.hand for at in said}
    seen = {
        "position": said[0].position,
        "shoe_device": first.device_id,
        "exposed": any(at.exposed for at in said),
        "evidence": tuple(at.event_id for at in readings),
    }
    if len(cards) <= 1 and len(hands) == 1:
        return seen | {"shoe": next(iter(cards), None)}
    given = dict.fromkeys(say("shared.card_on", card=at.card, hand=at.hand) for at in said)
    disputed = say("shared.shoe_disputed", given=tuple(given), position=said[0].position)
    return seen | {"disputed": disputed}
