"""The main loop of a camera: read each frame, track what lies there, send readings."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from ingest.service_log import log
from schemas.events import Reading
from vision.camera import camera_state
from vision.camera.camera_state import CameraState
from vision.camera.observe import Observer
from vision.camera.send import ReadingOutbox
from vision.decoder.errors import FramesRefused
from vision.felt.calibration import Calibration
from vision.felt.layout import Layout
from vision.felt.transform import Points
from vision.felt.view_check import RESHAPED, FeltView, ViewCheck
from vision.recognise.detections import Detection, DieSeen
from vision.sources.types import Frame
from vision.track.cards import CardMissed, CardSighting, Moment, Track, Tracker
from vision.track.throws import PieceSighting, Throws
from vision.track.votes import Votes
from vision.types import Image, Quad

MAX_PAUSE_US = 15_000_000  # after a longer pause the cards on the felt are not the old ones
SAVE_EVERY_US = 5_000_000  # save the last frame this often, also without readings
FACES_PER_PIECE = {"dice": 6, "tokens": 2}


class PictureReader(Protocol):
    """Finds and reads all cards, dice or tokens in a picture."""

    def read(self, image: Image) -> Sequence[Detection]:
        """Every detection in the picture."""
        ...


class FrameResult(NamedTuple):
    """What one frame gave."""

    seen: tuple[Detection, ...]
    view: str  # clear, moved, covered or reshaped, as last reported
    readings: tuple[Reading, ...]
    missed: tuple[CardMissed, ...] = ()  # cards that were gone before enough frames showed them


class TableWatcher:
    """One camera over one table."""

    def __init__(
        self,
        layout: Layout,
        calibration: Calibration,
        reader: PictureReader,
        state: CameraState,
        in_zones: PictureReader | None = None,  # reads only the zones, while the view is clear
    ) -> None:
        self._layout, self._felt, self._reader = layout, calibration.felt, reader
        self._in_zones = in_zones or reader
        self._lookout = ViewCheck(self._felt, calibration.signature)
        self._view: FeltView | None = None
        self._observer = Observer(state.table_id, state.device_id, layout, seq=state.seq)
        self._observer.resume((), state.said_us)
        self._tracker = Tracker(layout.zone_of)
        self._throws = Throws(layout.pieces, layout.piece_mm, FACES_PER_PIECE.get(layout.reads, 1))
        self._before: CameraState | None = state if state.frame >= 0 else None
        self._patches = self._by_zone()

    def step(self, frame: Frame) -> FrameResult:
        """Read one frame."""
        moment = Moment(frame.number, frame.at_us, frame.err_ms, frame.sha256)
        self._resume(moment)
        readings = self._observer.beats(moment) + self._checked(frame, moment)
        seen = tuple(self._seen(frame.image))
        missed: tuple[CardMissed, ...] = ()
        if self._layout.reads == "cards":
            cards = [self._sighting(each, frame.image) for each in seen]
            events = self._tracker.step(moment, cards, self._hidden())
            readings += self._observer.cards_seen(events, moment)
            missed = tuple(event for event in events if isinstance(event, CardMissed))
        else:
            readings += self._thrown(seen, frame.image, moment)
        return FrameResult(seen, self._lookout.state, tuple(readings), missed)

    def _seen(self, image: Image) -> Sequence[Detection]:
        """The detections of a frame; reads the whole picture after the camera moved."""
        if not self._sees.sure:
            return ()  # without a sure view nothing can be placed on the felt
        return (self._reader if self._sees.back else self._in_zones).read(image)

    def unfinished(self) -> list[CardMissed]:
        """Cards that the source ended too early to report."""
        return self._tracker.unfinished()

    def note(self, state: CameraState, frame: Frame) -> None:
        """Write progress into the camera's state."""
        state.seq, state.said_us = self._observer.seq, self._observer.said_us
        state.reached(frame.number, frame.at_us)
        state.cards, state.throw = self._observer.cards, self._throws.reported

    def _resume(self, moment: Moment) -> None:
        """After a restart, resume the reported cards unless the pause was too long."""
        before, self._before = self._before, None
        if before is None or not 0 <= moment.at_us - before.frame_us <= MAX_PAUSE_US:
            return
        self._observer.resume(before.cards, before.said_us)
        self._throws.reported = before.throw
        self._tracker.resume(
            Track(
                card.track,
                card.zone,
                card.at,
                card.turn,
                moment.at_us,
                CardSighting(card.at, card.turn),
                moment.at_us,
                votes=Votes(52).posed(moment.at_us).read((card.best,), moment.at_us),
                landed=True,
                reported=card.best,
            )
            for card in before.cards
        )

    @property
    def _sees(self) -> FeltView:
        return self._view or FeltView("clear", 1.0)

    def _checked(self, frame: Frame, moment: Moment) -> list[Reading]:
        first = self._view is None
        self._view = self._lookout.look(frame.image, moment.at_us)
        if self._view.kind == RESHAPED and first:
            raise self._other_shape(frame)
        change = self._lookout.news(self._view, moment.at_us)
        if change is None:
            return []
        log.warning(
            "view_changed",
            kind=change.kind,
            visible_share=round(change.visible_share, 3),
            shift_mm=round(change.shift_mm, 1),
            frame=frame.number,
            calibrated=_size(*self._felt.size),
            picture=_size(frame.image.shape[1], frame.image.shape[0]),
        )
        return [self._observer.view_changed(change, moment)]

    def _other_shape(self, frame: Frame) -> FramesRefused:
        expected = f"pictures of {_size(*self._felt.size)} or of that shape"
        found = _size(frame.image.shape[1], frame.image.shape[0])
        step = "set the camera as it was calibrated, or calibrate it anew"
        return FramesRefused("shape", f"frame {frame.number}", expected, found, step)

    def _thrown(self, seen: Sequence[Detection], image: Image, moment: Moment) -> list[Reading]:
        pieces = [
            PieceSighting(at, each.guesses, flat=not isinstance(each, DieSeen) or each.flat)
            for each in seen
            if self._layout.zone_of(at := _middle(self._on_felt(each.quad, image)))
        ]
        thrown = self._throws.step(moment, pieces)
        if thrown is None:
            return []
        tell = self._observer.dice_seen
        if self._layout.reads == "tokens":
            tell = self._observer.tokens_seen
        return [tell(thrown, moment)]

    def _sighting(self, card: Detection, image: Image) -> CardSighting:
        quad = self._on_felt(card.quad, image)
        sides = np.roll(quad, -1, axis=0) - quad
        long = sides[int(np.argmax(np.linalg.norm(sides, axis=1)))]
        turn = float(np.degrees(np.arctan2(long[1], long[0]))) % 180
        return CardSighting(_middle(quad), turn, card.guesses)

    def _on_felt(self, quad: Quad, image: Image) -> Points:
        """An outline in millimetres, corrected for a camera that moved."""
        points = np.array(quad, np.float64) * (self._felt.size[0] / image.shape[1])
        if self._sees.back:
            back = np.array(self._sees.back, np.float64).reshape(2, 3)
            points = points @ back[:, :2].T + back[:, 2]
        return self._felt.to_felt(points)

    def _hidden(self) -> set[str]:
        """Covered zones: most of their print is out of view."""
        seen = self._sees.seen
        if not self._sees.sure:
            return {zone.name for zone in self._layout.zones}
        return {
            zone
            for zone, patches in self._patches.items()
            if seen and 2 * sum(seen[n] for n in patches) < len(patches)
        }

    def _by_zone(self) -> dict[str, list[int]]:
        """The patches of print in each zone that has at least three."""
        found: dict[str, list[int]] = {}
        for n, (x, y) in enumerate(self._lookout.places_mm.tolist()):
            zone = self._layout.zone_of((x, y))
            if zone is not None:
                found.setdefault(zone, []).append(n)
        return {zone: patches for zone, patches in found.items() if len(patches) >= 3}


def run(
    frames: Iterable[Frame],
    watcher: TableWatcher,
    state: CameraState,
    path: Path,
    outbox: ReadingOutbox,
    *,
    stopped: Callable[[], bool],
    each: Callable[[Frame, FrameResult], None] = lambda _, __: None,
) -> None:
    """Watch until the frames end or `stopped`; readings are on disk before they are sent."""
    saved_us = state.frame_us
    try:
        for frame in frames:
            watched = watcher.step(frame)
            outbox.waiting.extend(watched.readings)
            watcher.note(state, frame)
            if watched.readings or not 0 <= frame.at_us - saved_us < SAVE_EVERY_US:
                camera_state.save(state, path)
                saved_us = frame.at_us
            outbox.pump()
            each(frame, watched)
            if stopped():
                break
    finally:
        camera_state.save(state, path)


def finish(state: CameraState, path: Path, outbox: ReadingOutbox, until_s: float) -> None:
    """Send what still waits while the gateway takes it, and save the rest."""
    try:
        outbox.drain(until_s)
    finally:
        outbox.close()
        camera_state.save(state, path)


def _size(width: int, height: int) -> str:
    return f"{width} x {height}"


def _middle(quad: Points) -> tuple[float, float]:
    x, y = quad.mean(axis=0).tolist()
    return x, y
