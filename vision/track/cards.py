"""Tracks cards over frames, from landing until their zone is cleared.

A card is reported once, when it has lain still and several frames agree on it. It is reported again
only when it turns out to be another card. A hand over it, a push within its zone or turning it face
up do not make it a new card.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from schemas.events import Guess
from vision.track.frame_rate import FrameRate
from vision.track.votes import Votes
from vision.types import Point

CARD_KINDS = 52
SURE_PROBABILITY = 0.90  # from here on a reading is definite; replay uses the same limit
CORRECTION_PROBABILITY = 0.95  # a correction of a reported card must be at least this sure
SAME_PLACE_MM = 12.0  # two cards nearer than this are one, whatever they read
DOUBLE_MM = 20.0  # the same for two in one frame that read alike, or with one unread
UNREAD_STEP_MM = 45.0  # how far an unread card may move between frames
READ_STEP_MM = 90.0  # how far a card that reads the same may move
PUSHED_MM = 400.0  # the same within its zone while it was out of view
STILL_MM, STILL_DEGREES = 6.0, 8.0  # a card that moves less lies still
KEPT_LOOKS = 6  # best frames to keep of each card


@dataclass(frozen=True, slots=True)
class CardTiming:
    """How long things must last before the tracker reports them."""

    frames: int = 4  # still and in agreement
    still_us: int = 250_000
    few: int = 3  # frames that suffice at a low frame rate, over `long_us`
    long_us: int = 1_000_000
    pause_us: int = 2_500_000  # frames further apart do not show one pose
    unsure_us: int = 3_000_000  # then report a card that stays hard to read, as it is
    switched_us: int = 1_000_000  # a correction must last this long
    hidden_us: int = 300_000  # out of view for longer: a new pose
    brief_us: int = 700_000  # forget what never lay still and has been gone this long
    cleared_us: int = 3_000_000  # a zone without cards for this long is cleared
    covered_us: int = 20_000_000  # the same for a zone that something covers

    def needed(self, age_us: int) -> int:
        """The number of frames that must agree on a pose of this age."""
        return self.few if age_us >= self.long_us else self.frames


class Moment(NamedTuple):
    """Number, time and hash of one frame."""

    number: int
    at_us: int
    err_ms: int = 0
    sha256: str = ""


class CardSighting(NamedTuple):
    """One card in one frame, placed on the felt."""

    at: Point  # millimetres
    turn: float  # direction of its long side, degrees from 0 to 180
    guesses: tuple[Guess, ...] = ()


class EvidenceFrame(NamedTuple):
    """A frame that shows a card, and the probability of its reading."""

    moment: Moment
    probability: float


class CardLanded(NamedTuple):
    """A card landed in a zone, read or not."""

    track: int
    zone: str
    at: Point
    turn: float


class CardRead(NamedTuple):
    """The reading of a card: reported once, and again if it changes or becomes sure."""

    track: int
    zone: str
    at: Point
    turn: float
    guesses: tuple[Guess, ...]
    looks: tuple[EvidenceFrame, ...]
    again: bool = False


class ZoneCleared(NamedTuple):
    """All cards left a zone."""

    zone: str


class CardMissed(NamedTuple):
    """A card that was gone before enough frames showed it, at a low frame rate."""

    zone: str
    seen: str
    frames: int
    fps: float


TrackEvent = CardLanded | CardRead | ZoneCleared | CardMissed


@dataclass(frozen=True, slots=True)
class Track:
    """One card, as tracked so far."""

    number: int
    zone: str | None
    at: Point
    turn: float
    seen_us: int  # when it was last in view
    rest: CardSighting  # how it lay at the start of its pose
    since_us: int  # when that was
    frames: int = 1  # of this pose
    votes: Votes = field(default_factory=lambda: Votes(CARD_KINDS))
    looks: tuple[EvidenceFrame, ...] = ()
    lately: tuple[str, ...] = ()  # the latest readings
    landed: bool = False
    reported: Guess | None = None
    doubt: Votes | None = None  # readings in a row that contradict the report
    doubt_us: int = 0


class Tracker:
    """Tracks the cards of one table."""

    def __init__(
        self, zone_of: Callable[[Point], str | None], timing: CardTiming | None = None
    ) -> None:
        self._zone_of, self._timing = zone_of, timing or CardTiming()
        self._tracks: dict[int, Track] = {}
        self._next = 1
        self._frame_rate = FrameRate()
        self._occupied: dict[str, int] = {}  # zone to when a card was last in view
        self._empty: dict[str, int] = {}  # zone to when it was first seen empty

    @property
    def tracks(self) -> tuple[Track, ...]:
        """All tracked cards, those out of view included."""
        return tuple(self._tracks.values())

    def resume(self, known: Iterable[Track]) -> None:
        """Resume cards that were reported before a restart."""
        for track in known:
            self._tracks[track.number] = track
            self._next = max(self._next, track.number + 1)
            if track.zone:
                self._occupied[track.zone] = track.seen_us

    def step(
        self, moment: Moment, seen: Sequence[CardSighting], hidden: Collection[str] = ()
    ) -> list[TrackEvent]:
        """Take in one frame; return what to report. Zones in `hidden` are not cleared."""
        before_us = self._frame_rate.before_us
        self._frame_rate.step(moment.at_us)
        events: list[TrackEvent] = list(self._clear(moment))
        for track, sighting in self._matched(_distinct(seen), moment):
            longest = self._timing.hidden_us
            if track.seen_us == before_us:  # in view in both frames
                longest = self._timing.pause_us
            self._tracks[track.number] = _with_sighting(
                track, sighting, moment, longest_us=longest, kept=self._timing.frames
            )
        for number, track in sorted(self._tracks.items()):
            if track.seen_us == moment.at_us:
                self._tracks[number], reported = self._updated(track, moment)
                events += reported
            elif not track.landed and moment.at_us - track.seen_us > self._timing.brief_us:
                del self._tracks[number]
                events += self._missed(track)
        self._note_empty(moment, hidden)
        return events

    def unfinished(self) -> list[CardMissed]:
        """Cards that the source ended too early to report."""
        return [each for track in self._tracks.values() for each in self._missed(track)]

    def _missed(self, track: Track) -> list[CardMissed]:
        """The report of an unreported card, if the frame rate is the reason."""
        sure = max((look.probability for look in track.looks), default=0.0) >= SURE_PROBABILITY
        rate = self._frame_rate
        if track.reported is not None or track.zone is None or not sure or not rate.slow:
            return []
        return [CardMissed(track.zone, track.lately[-1], track.frames, round(rate.fps, 2))]

    def _matched(
        self, seen: Sequence[CardSighting], moment: Moment
    ) -> Iterator[tuple[Track, CardSighting]]:
        """Match each sighting to a track, or start one."""
        pairs = sorted(
            (rank, track.number, n)
            for track in self._tracks.values()
            for n, sighting in enumerate(seen)
            if (rank := self._match_rank(track, sighting)) is not None
        )
        free, taken = set(self._tracks), set[int]()
        for _, number, n in pairs:
            if number in free and n not in taken:
                free.remove(number)
                taken.add(n)
                yield self._tracks[number], seen[n]
        for n in sorted(set(range(len(seen))) - taken, key=lambda n: seen[n].at):
            yield self._new_track(seen[n], moment), seen[n]

    def _match_rank(self, track: Track, sighting: CardSighting) -> tuple[int, float] | None:
        """How well a sighting fits a track, lowest best; None if it cannot be the same card."""
        gap = math.dist(track.at, sighting.at)
        alike = _reads_alike(track, sighting)
        if gap <= SAME_PLACE_MM:
            return (4 if alike is False else 0), gap
        if alike and gap <= READ_STEP_MM:
            return 1, gap
        if alike is None and gap <= UNREAD_STEP_MM:
            return 2, gap
        if alike and gap <= PUSHED_MM and track.zone and track.zone == self._zone_of(sighting.at):
            return 3, gap
        return None

    def _new_track(self, sighting: CardSighting, moment: Moment) -> Track:
        number = self._next
        self._next += 1
        zone = self._zone_of(sighting.at)
        votes = Votes(CARD_KINDS).posed(moment.at_us)
        return Track(
            number,
            zone,
            sighting.at,
            sighting.turn,
            moment.at_us,
            sighting,
            moment.at_us,
            frames=0,
            votes=votes,
        )

    def _updated(self, track: Track, moment: Moment) -> tuple[Track, list[TrackEvent]]:
        """Update a card in view; return it with what to report."""
        events: list[TrackEvent] = []
        if track.reported is None:
            zone = self._zone_of(track.at)
            moved = track.landed and zone != track.zone
            track = replace(track, zone=zone, landed=track.landed and not moved)
        zone = track.zone
        if zone is None:
            return track, events
        self._occupied[zone] = moment.at_us
        age_us = moment.at_us - track.since_us
        if track.frames < self._timing.needed(age_us) or age_us < self._timing.still_us:
            return track, events
        lies = (track.number, zone, track.at, track.turn)
        if not track.landed:
            track = replace(track, landed=True)
            events.append(CardLanded(*lies))
        if reported := _votes_to_report(track, moment, self._timing):
            again = track.reported is not None
            events.append(CardRead(*lies, reported.guesses(), track.looks, again))
            track = replace(track, reported=reported.guesses()[0], votes=reported, doubt=None)
        return track, events

    def _note_empty(self, moment: Moment, hidden: Collection[str]) -> None:
        """Note since when each zone is seen empty; a pause or a hand over it does not count."""
        longest = moment.at_us - self._timing.covered_us
        for zone, at_us in self._occupied.items():
            if at_us == moment.at_us or (zone in hidden and at_us >= longest):
                self._empty.pop(zone, None)
            else:
                self._empty.setdefault(zone, moment.at_us)

    def _clear(self, moment: Moment) -> Iterator[TrackEvent]:
        """Forget the cards of zones that have been empty long enough."""
        limit = moment.at_us - self._timing.cleared_us
        empty = {zone for zone, since_us in self._empty.items() if since_us < limit}
        lost = {
            number
            for number, track in self._tracks.items()
            if track.zone in empty or (track.zone is None and track.seen_us < limit)
        }
        for number in sorted(lost):
            yield from self._missed(self._tracks.pop(number))
        for zone in sorted(empty):
            del self._occupied[zone], self._empty[zone]
            yield ZoneCleared(zone)


def _distinct(seen: Sequence[CardSighting]) -> list[CardSighting]:
    """Drop double detections in one frame: two corners of a card may give nearly one middle."""
    kept: list[CardSighting] = []
    for sighting in sorted(seen, key=_by_probability):
        if not any(_is_double(sighting, other) for other in kept):
            kept.append(sighting)
    return kept


def _is_double(sighting: CardSighting, surer: CardSighting) -> bool:
    gap = math.dist(sighting.at, surer.at)
    if not sighting.guesses or not surer.guesses:
        return gap <= DOUBLE_MM
    return gap <= (
        DOUBLE_MM if sighting.guesses[0].seen == surer.guesses[0].seen else SAME_PLACE_MM
    )


def _by_probability(sighting: CardSighting) -> tuple[float, Point]:
    best = sighting.guesses[0].probability if sighting.guesses else 0.0
    return -best, sighting.at


def _with_sighting(
    track: Track, sighting: CardSighting, moment: Moment, *, longest_us: int, kept: int
) -> Track:
    """Add a sighting to a track; start a new pose after a gap or a movement."""
    votes, at_us = track.votes, moment.at_us
    away = at_us - track.seen_us > longest_us
    if away or not _lies_still(track.rest, sighting):
        track = replace(track, rest=sighting, since_us=at_us, frames=0, looks=(), lately=())
        votes = votes.posed(at_us)
    best = sighting.guesses[0] if sighting.guesses else None
    votes = votes.read(sighting.guesses, at_us)
    track = replace(
        track,
        at=sighting.at,
        turn=sighting.turn,
        seen_us=at_us,
        frames=track.frames + 1,
        votes=votes,
        looks=_best_looks((*track.looks, EvidenceFrame(moment, best.probability if best else 0.0))),
        lately=(*track.lately, best.seen)[-kept:] if best else track.lately,
    )
    return _with_doubt(track, best, sighting.guesses, at_us)


def _with_doubt(track: Track, best: Guess | None, guesses: tuple[Guess, ...], at_us: int) -> Track:
    """Collect readings in a row that contradict the report; forget them when one agrees."""
    if track.reported is None or best is None:
        return track
    if best.seen == track.reported.seen:
        return replace(track, doubt=None)
    if track.doubt is None or track.doubt.guesses()[0].seen != best.seen:
        fresh = Votes(track.votes.kinds).posed(at_us).read(guesses, at_us)
        return replace(track, doubt=fresh, doubt_us=at_us)
    return replace(track, doubt=track.doubt.read(guesses, at_us))


def _votes_to_report(track: Track, moment: Moment, timing: CardTiming) -> Votes | None:
    """The votes to report for a card that lies still; None if there is nothing new."""
    if track.reported is not None and track.doubt is not None:
        lasting = moment.at_us - track.doubt_us >= timing.switched_us
        enough = track.doubt.reads >= 2 * timing.frames
        sure = track.doubt.guesses()[0].probability >= CORRECTION_PROBABILITY
        return track.doubt if lasting and enough and sure else None
    guesses = track.votes.guesses()
    age_us = moment.at_us - track.since_us
    if not guesses or len(track.lately) < timing.needed(age_us):
        return None
    best = guesses[0]
    agreed = track.lately.count(best.seen) * 4 >= len(track.lately) * 3
    if best.probability >= SURE_PROBABILITY and agreed:
        firmer = track.reported is None or track.reported.probability < SURE_PROBABILITY
        return track.votes if firmer else None
    waited = age_us >= timing.unsure_us
    return track.votes if waited and track.reported is None else None


def _reads_alike(track: Track, sighting: CardSighting) -> bool | None:
    """Whether a sighting reads like the track; None if one of them is unread."""
    if not sighting.guesses or sighting.guesses[0].probability < 0.5:
        return None
    doubt = track.doubt.guesses() if track.doubt else ()
    known = track.reported or next(iter(track.votes.guesses()), None)
    if known is None or known.probability < 0.5:
        return None
    seen = sighting.guesses[0].seen
    return seen == known.seen or any(seen == guess.seen for guess in doubt[:1])


def _lies_still(rest: CardSighting, now: CardSighting) -> bool:
    turned = abs((now.turn - rest.turn + 90) % 180 - 90)
    return math.dist(rest.at, now.at) <= STILL_MM and turned <= STILL_DEGREES


def _best_looks(looks: tuple[EvidenceFrame, ...]) -> tuple[EvidenceFrame, ...]:
    """Keep the best frames and the latest, in order."""
    if len(looks) <= KEPT_LOOKS:
        return looks
    worst = min(looks[:-1], key=lambda look: (look.probability, look.moment.number))
    return tuple(look for look in looks if look is not worst)
