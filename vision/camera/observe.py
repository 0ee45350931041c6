"""Turns what the camera sees into readings, numbered without gaps, with the camera's own time.

A camera knows no rounds. It sends readings while the cards lie there, and the log files them under
the round that is open then. When a zone is cleared, its card numbers start again.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from schemas import events as e
from schemas.events import Guess
from vision.felt.layout import Layout
from vision.felt.view_check import ViewChange
from vision.track.cards import CardLanded, CardRead, EvidenceFrame, Moment, TrackEvent, ZoneCleared
from vision.track.throws import ThrowRead
from vision.types import Point

KIND = "camera"
BEAT_S = 60
CLEAR = "clear"
OK = "ok"


class ReportedCard(NamedTuple):
    """A card that was reported, as kept over a restart."""

    track: int
    zone: str
    slot: int
    at: Point
    turn: float
    best: Guess


class Observer:
    """Makes the readings of one camera; each has a number one above the last."""

    def __init__(self, table_id: str, device_id: str, layout: Layout, *, seq: int = 0) -> None:
        self._table_id, self._device_id, self._layout = table_id, device_id, layout
        self.seq = seq  # of the last reading
        self.said_us = 0  # its time
        self.state = OK  # as the heartbeats report it
        self._beat_us: int | None = None
        self._arrived: dict[str, dict[int, int]] = {}  # zone to track to slot
        self._reported: dict[int, ReportedCard] = {}

    @property
    def cards(self) -> tuple[ReportedCard, ...]:
        """The reported cards that still lie there or are out of view."""
        return tuple(self._reported.values())

    def resume(self, cards: Iterable[ReportedCard], said_us: int) -> None:
        """Resume after a restart."""
        self.said_us = said_us
        for card in cards:
            self._reported[card.track] = card
            self._arrived.setdefault(card.zone, {})[card.track] = card.slot

    def cards_seen(self, events: Sequence[TrackEvent], moment: Moment) -> list[e.Reading]:
        """The readings of what the tracker reports for one frame."""
        return [
            self._reading(frame, payload)
            for event in events
            for frame, payload in self._payloads(event, moment)
        ]

    def dice_seen(self, thrown: ThrowRead, moment: Moment) -> e.Reading:
        """The reading of a throw of dice."""
        at = self._evidence(thrown.looks, moment)
        guesses, frame = thrown.guesses, (at.number, at.sha256)
        return self._reading(at, e.DiceObserved(guesses, thrown.flat, thrown.overlap, *frame))

    def tokens_seen(self, thrown: ThrowRead, moment: Moment) -> e.Reading:
        """The reading of a throw of tokens."""
        at = self._evidence(thrown.looks, moment)
        return self._reading(at, e.TokensObserved(thrown.guesses, at.number, at.sha256))

    def view_changed(self, change: ViewChange, moment: Moment) -> e.Reading:
        """The reading of a disturbed view; a view that is clear again sends a heartbeat at once."""
        self.state = OK if change.kind == CLEAR else change.kind
        if change.kind == CLEAR:
            return self._beat(moment)
        share = round(min(1.0, max(0.0, change.visible_share)), 4)
        return self._reading(moment, e.CameraDisturbed(change.kind, share))

    def beats(self, moment: Moment) -> list[e.Reading]:
        """A heartbeat, if one is due."""
        due = self._beat_us is None or moment.at_us - self._beat_us >= BEAT_S * 1_000_000
        return [self._beat(moment)] if due else []

    def _payloads(self, event: TrackEvent, moment: Moment) -> Iterator[tuple[Moment, e.Payload]]:
        match event:
            case ZoneCleared(zone):
                self._reported = {
                    track: card for track, card in self._reported.items() if card.zone != zone
                }
                self._arrived.pop(zone, None)
            case CardLanded(track, zone):
                self._number_arrival(track, zone)
            case CardRead():
                slot = self._slot(event)
                self._reported[event.track] = ReportedCard(
                    event.track, event.zone, slot, event.at, event.turn, event.guesses[0]
                )
                at = self._evidence(event.looks, moment)
                guesses = event.guesses
                yield at, e.CardsObserved(event.zone, slot, guesses, at.number, at.sha256)

    def _number_arrival(self, track: int, zone: str) -> None:
        """Give a card the lowest free number of its zone, and free its number elsewhere."""
        for others in self._arrived.values():
            others.pop(track, None)
        own = self._arrived.setdefault(zone, {})
        own[track] = _lowest_free(own.values())

    def _slot(self, event: CardRead) -> int:
        """The number of a card in its zone: by place, else by arrival; fixed once reported."""
        if event.track in self._reported:
            return self._reported[event.track].slot
        zone = self._layout.zone(event.zone)
        if not zone.places:
            return self._arrived[event.zone][event.track]
        taken = {card.slot for card in self._reported.values() if card.zone == event.zone}
        place = zone.place(event.at, sideways=abs(event.turn % 180 - 90) > 45, taken=taken)
        return place if place is not None else max(taken) + 1

    def _evidence(self, looks: Sequence[EvidenceFrame], moment: Moment) -> Moment:
        """The frame that shows it best, among those not earlier than the last reading."""
        late = [look for look in looks if look.moment.at_us >= self.said_us]
        best = max(late, key=lambda look: (look.probability, look.moment.number), default=None)
        return best.moment if best else moment

    def _beat(self, moment: Moment) -> e.Reading:
        self._beat_us = moment.at_us
        return self._reading(moment, e.DeviceBeat(BEAT_S, state=self.state))

    def _reading(self, at: Moment, payload: e.Payload) -> e.Reading:
        self.seq += 1
        self.said_us = max(self.said_us, at.at_us)
        return e.Reading(
            self._table_id, KIND, self._device_id, self.seq, at.at_us, payload, at.err_ms
        )


def _lowest_free(taken: Iterable[int]) -> int:
    known = set(taken)
    return next(slot for slot in range(1, len(known) + 2) if slot not in known)
