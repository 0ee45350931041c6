"""Shakes: what shaker, camera and dealer said of each, for every game with a shaker.

A start begins a shake. Where no start was seen, a second stop or reading, or the first one after
a re-shake was announced, begins it; a stop sent again is one stop. Where the shaker told of the
start, a second stop is of the same shake, and another count contradicts the first.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from replay.witnesses import CERTAIN
from schemas import events as e

Faces = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shake:
    """One shake as every witness saw it."""

    index: int  # from 0
    seq: int  # place of its first word in the table's order; an instrument's where one saw it
    started: bool = False
    stops: tuple[int, ...] = ()  # the tumbles that each stop told of
    sensor: e.ShakerOpened | None = None
    camera: e.DiceObserved | None = None  # its last look that is definite, else its last
    seen_by_camera: tuple[Faces, ...] = ()  # all that it was sure of
    entered: tuple[str, ...] = ()  # results the dealer entered, in order
    ordered: str = ""  # the reason given for shaking again
    evidence: tuple[str, ...] = ()  # event ids

    @property
    def seen(self) -> bool:
        """Whether an instrument noticed the shake at all."""
        return self.started or bool(self.stops or self.sensor or self.camera)

    @property
    def at_rest(self) -> bool:
        """Whether the dice came to rest, as far as anybody can tell."""
        return bool(self.stops or self.sensor or self.camera or self.entered)

    @property
    def tumbles(self) -> tuple[int, ...]:
        """How often it tumbled: one count, or several that contradict each other."""
        return tuple(sorted(set(self.stops)))

    @property
    def witnesses(self) -> dict[str, e.ShakerOpened | e.DiceObserved]:
        """Who said something definite: the sensor, and a camera that is sure or saw a fault."""
        found: dict[str, e.ShakerOpened | e.DiceObserved] = {}
        if self.sensor:
            found["sensor"] = self.sensor
        if self.camera and _definite(self.camera):
            found["camera"] = self.camera
        return found

    @property
    def faces(self) -> dict[str, Faces]:
        """The faces each definite witness read, in its own order; absent where it could not."""
        read = {name: _faces(witness) for name, witness in self.witnesses.items()}
        return {name: faces for name, faces in read.items() if faces}


def read(events: Iterable[e.Event]) -> tuple[Shake, ...]:
    """The shakes of a round in order; an entry without any shake counts as one nobody saw."""
    shakes: list[Shake] = []
    for event in events:
        word = event.payload
        if not isinstance(word, WORDS):
            continue
        if isinstance(word, e.ResultCalled) and word.shown_by != "dealer":
            continue
        if not shakes or _begins(shakes[-1], word):
            shakes.append(Shake(len(shakes), event.seq))
        known = shakes[-1]
        now = replace(_with(known, word), evidence=(*known.evidence, event.event_id))
        first_seen = now.seen and not known.seen
        shakes[-1] = replace(now, seq=event.seq) if first_seen else now
    return tuple(shakes)


def sound(shake: Shake) -> list[str]:
    """The witnesses that saw every die flat and none on another."""
    return [name for name, saw in shake.witnesses.items() if saw.flat and not saw.overlap]


def faults(shake: Shake, tumbles: int) -> tuple[str, ...]:
    """Why a shake must be repeated, where every witness that looked saw a reason.

    The words are those of a re-shake: overlap, not_flat, and tumbles for fewer than there must be.
    """
    found = []
    if shake.witnesses and not sound(shake):
        seen = shake.witnesses.values()
        found += ["overlap"] * any(witness.overlap for witness in seen)
        found += ["not_flat"] * any(not witness.flat for witness in seen)
    if shake.tumbles and shake.tumbles[-1] < tumbles:
        found.append("tumbles")
    return tuple(found)


def _begins(last: Shake, word: e.Payload) -> bool:
    match word:
        case e.ShakerStarted():
            return last.seen or bool(last.ordered)
        case e.ShakerStopped(tumbles=tumbles):
            read = bool(last.sensor or last.camera)
            another = bool(last.stops) and not last.started and (read or tumbles not in last.stops)
            return another or bool(last.ordered)
        case e.ShakerOpened():
            again = word == last.sensor  # the same reading sent twice is one reading
            return bool(last.ordered) or (last.sensor is not None and not again)
        case e.DiceObserved():
            # A camera may report after the re-shake was announced, but only once.
            return last.camera is not None and bool(last.ordered)
    return False


def _with(shake: Shake, word: e.Payload) -> Shake:
    match word:
        case e.ShakerStarted():
            return replace(shake, started=True)
        case e.ShakerStopped(tumbles=tumbles):
            return replace(shake, stops=(*shake.stops, tumbles))
        case e.ShakerOpened() as sensor:
            return replace(shake, sensor=sensor)
        case e.DiceObserved() as camera:
            sure = (
                (*shake.seen_by_camera, _faces(camera)) if _sure(camera) else shake.seen_by_camera
            )
            stays = shake.camera and _definite(shake.camera) and not _definite(camera)
            return replace(shake, camera=shake.camera if stays else camera, seen_by_camera=sure)
        case e.ResultCalled(result=result):
            return replace(shake, entered=(*shake.entered, result))
        case e.ReshakeOrdered(reason=reason):
            return replace(shake, ordered=reason)
    raise AssertionError(f"{type(word).__name__} is no word of a shake")


def _faces(witness: e.ShakerOpened | e.DiceObserved) -> Faces:
    if isinstance(witness, e.ShakerOpened):
        return witness.faces
    return tuple(witness.guesses[0].seen.split("-")) if _sure(witness) else ()


def _definite(camera: e.DiceObserved) -> bool:
    return _sure(camera) or camera.overlap or not camera.flat


def _sure(camera: e.DiceObserved) -> bool:
    return bool(camera.guesses) and camera.guesses[0].probability >= CERTAIN


# What lets anybody see the dice at rest.
SHOWING = (e.ShakerStopped, e.ShakerOpened, e.DiceObserved, e.ResultCalled)
WORDS = (
    e.ShakerStarted,
    e.ShakerStopped,
    e.ShakerOpened,
    e.DiceObserved,
    e.ResultCalled,
    e.ReshakeOrdered,
)
