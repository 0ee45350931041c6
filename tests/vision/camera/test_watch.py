"""From frames to events: cards on a drawn felt go through the gateway into a round."""

import io
import time
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from ingest.gateway import Counts
from ingest.parse.batch import Arrival
from ingest.seal.chain import events
from replay import rounds, witnesses
from schemas import events as e
from tests.support import felts
from tests.support.cameras import CALIBRATION, EMPTY, Known, card, film, quad, script
from tests.support.frame_tables import START_US, STEP_US, guesses
from tests.support.readings import house
from vision.camera import camera_state, send, watch
from vision.camera.camera_state import CameraState
from vision.camera.send import ReadingOutbox
from vision.camera.watch import TableWatcher
from vision.decoder.errors import FramesRefused
from vision.felt import layout as layouts
from vision.felt.calibration import Calibration
from vision.recognise.detections import CardSeen, DieSeen, TokenSeen
from vision.sources.types import Frame
from vision.types import Image, Point

TB = layouts.load("TB")
DEAL = [
    (10, []),
    (10, [card("9H", (200, 200))]),
    (10, [card("9H", (200, 200)), card("4D", (780, 200))]),
    (15, [card("9H", (200, 200)), card("4D", (780, 200)), card("KS", (400, 200), 90)]),
]


def readings_of(
    script_: dict[int, Any], frames: Sequence[Frame], layout: layouts.Layout = TB,
    calibration: Calibration = CALIBRATION,
) -> list[e.Reading]:  # fmt: skip
    watcher = TableWatcher(layout, calibration, Known(script_), CameraState("T01", "cam"))
    return [each for frame in frames for each in watcher.step(frame).readings]


def observed(readings: Sequence[e.Reading]) -> list[tuple[str, int, str]]:
    return [
        (at.payload.zone, at.payload.slot, at.payload.guesses[0].seen)
        for at in readings
        if isinstance(at.payload, e.CardsObserved)
    ]


def watched(
    path: Path, taker: send.Send, frames: Sequence[Frame], known: Known
) -> tuple[CameraState, ReadingOutbox]:
    """A run of the loop as the command has it."""
    with camera_state.locked_state(path, "T01", "cam") as memory:
        watcher = TableWatcher(TB, CALIBRATION, known, memory)
        outbox = ReadingOutbox(taker, memory.waiting, time.monotonic)
        try:
            watch.run(frames, watcher, memory, path, outbox, stopped=lambda: False)
        finally:
            watch.finish(memory, path, outbox, time.monotonic() + 5)
    return memory, outbox


def test_cards_on_the_felt_become_readings() -> None:
    found = readings_of(script(DEAL), list(film(45)))

    assert observed(found) == [("player", 1, "9H"), ("banker", 1, "4D"), ("player", 3, "KS")]
    assert isinstance(found[0].payload, e.DeviceBeat)
    assert [at.device_seq for at in found] == list(range(1, len(found) + 1))


def test_a_camera_that_was_moved_still_knows_the_zones() -> None:
    shake = felts.moved(60, 35, turn=2)
    moved = felts.picture(felts.cloth(), shake)

    def pushed(seen: CardSeen) -> CardSeen:
        at = np.column_stack((np.array(seen.quad), np.ones(4))) @ shake.T
        a, b, c, d = ((float(x), float(y)) for x, y in (at[:, :2] / at[:, 2:]).tolist())
        return seen._replace(quad=(a, b, c, d))

    parts = [(count, [pushed(each) for each in seen]) for count, seen in DEAL]
    found = readings_of(script(parts), list(film(45, image=moved)))

    assert observed(found) == [("player", 1, "9H"), ("banker", 1, "4D"), ("player", 3, "KS")]
    (told,) = [at.payload for at in found if isinstance(at.payload, e.CameraDisturbed)]
    assert told.kind == "moved"


def test_a_camera_whose_place_is_in_doubt_tells_no_cards() -> None:
    """Print that repeats itself fits in a wrong place, and cards would be of the other hand."""
    away = np.roll(EMPTY, -560, axis=1)
    frames = [*film(3), *film(40, 3, away)]

    found = readings_of(script([(3, []), (40, [card("9H", (200, 200))])]), frames)

    assert observed(found) == []
    assert [at.payload.kind for at in found if isinstance(at.payload, e.CameraDisturbed)] != []


def test_cards_that_lay_before_a_disturbance_go_on_after_it() -> None:
    lying, other = [card("9H", (200, 200))], [card("4D", (780, 200))]
    frames = [*film(20), *film(10, 20, np.roll(EMPTY, -560, axis=1)), *film(20, 30)]

    found = readings_of(script([(20, lying), (10, other), (20, lying)]), frames)

    assert observed(found) == [("player", 1, "9H")]


@pytest.mark.parametrize("calibration", [CALIBRATION, Calibration(CALIBRATION.felt)])
def test_a_picture_of_another_shape_is_told_at_once_and_not_read(calibration: Calibration) -> None:
    square = np.asarray(cv2.resize(EMPTY, (1024, 768)), np.uint8)
    frames = [*film(6), *film(20, 6, square)]

    found = readings_of(
        script([(6, []), (20, [card("9H", (200, 200))])]), frames, calibration=calibration
    )

    assert [at.payload for at in found[1:]] == [e.CameraDisturbed("reshaped", 0.0)]
    assert found[1].occurred_at == START_US + 6 * STEP_US


def test_a_first_picture_of_another_shape_is_refused_with_both_sizes() -> None:
    with pytest.raises(
        FramesRefused, match="1280 x 720 or of that shape expected, 640 x 480 found"
    ):
        readings_of({}, list(film(1, image=np.asarray(EMPTY[:480, :640], np.uint8))))


def test_a_covered_view_is_told_and_when_it_is_good_again() -> None:
    dark = np.zeros_like(EMPTY)
    frames = [*film(10), *film(40, 10, dark), *film(40, 50)]

    found = [at.payload for at in readings_of({}, frames)]

    assert [type(at) for at in found] == [e.DeviceBeat, e.CameraDisturbed, e.DeviceBeat]
    assert found[1] == e.CameraDisturbed("covered", 0.0)
    assert isinstance(found[2], e.DeviceBeat)
    assert found[2].state == "ok"


def test_cards_under_a_covered_view_are_not_told_again() -> None:
    lying = [card("9H", (200, 200))]
    frames = [*film(20), *film(60, 20, np.zeros_like(EMPTY)), *film(30, 80)]

    found = readings_of(script([(20, lying), (60, []), (30, lying)]), frames)

    assert observed(found) == [("player", 1, "9H")]


def test_a_picture_of_half_the_size_puts_cards_where_they_lie() -> None:
    small = np.asarray(EMPTY[::2, ::2], np.uint8)
    at = card("9H", (200, 200))
    a, b, c, d = ((x / 2, y / 2) for x, y in at.quad)

    found = readings_of(
        script([(10, [at._replace(quad=(a, b, c, d))])]), list(film(10, image=small))
    )

    assert observed(found) == [("player", 1, "9H")]


def test_a_felt_too_plain_to_be_known_again_is_watched_unchecked() -> None:
    plain = Calibration(CALIBRATION.felt)

    found = readings_of(script(DEAL), list(film(45)), calibration=plain)

    assert len(observed(found)) == 3


SPOTS: list[Point] = [(150, 150), (200, 160), (170, 220), (220, 240)]


def test_dice_in_an_open_shaker_become_one_reading() -> None:
    dice = [
        DieSeen(guesses(face), quad(at, (19, 19)))
        for face, at in zip("512", SPOTS[:3], strict=True)
    ]
    stray = DieSeen(guesses("6"), quad((900, 600), (19, 19)))

    found = readings_of(script([(20, [*dice, stray])]), list(film(20)), layouts.load("SA-SB"))

    (told,) = [at.payload for at in found if isinstance(at.payload, e.DiceObserved)]
    assert told.guesses[0].seen == "1-2-5"
    assert told.flat


def test_tokens_on_a_plate_become_one_reading() -> None:
    tokens = [
        TokenSeen(guesses(side), quad(at, (25, 25))) for side, at in zip("WRRW", SPOTS, strict=True)
    ]

    found = readings_of(script([(20, tokens)]), list(film(20)), layouts.load("SA-XD"))

    (told,) = [at.payload for at in found if isinstance(at.payload, e.TokensObserved)]
    assert told.guesses[0].seen == "R-R-W-W"


def test_readings_without_a_round_are_filed_with_the_one_that_is_open(tmp_path: Path) -> None:
    """The camera names no round; its cards must count to the round in which they lay."""
    lying = [card("9H", (200, 200))]
    later = [card("KS", (200, 200))]
    found = readings_of(script([(20, lying), (40, []), (20, later)]), list(film(80)))
    log, gateway = house(tmp_path)

    def console(seq: int, at: int, round_id: str, payload: e.Payload) -> e.Reading:
        return e.Reading("T01", "console", "console-1", seq, START_US + at, payload, 60, round_id)

    spoken = [
        console(1, 0, "R1", e.RoundOpened(1)),
        console(2, 25 * STEP_US, "R1", e.RoundClosed()),
        console(3, 50 * STEP_US, "R2", e.RoundOpened(2)),
        console(4, 79 * STEP_US, "R2", e.RoundClosed()),
    ]
    in_time = sorted([*spoken, *found], key=lambda at: at.occurred_at)
    arrivals: list[Arrival] = list(in_time)
    with log:
        assert gateway.take(arrivals, "test") == Counts(accepted=len(arrivals))
        folded = list(rounds.fold("2026-03-01", (event for event, _ in events(log, "T01"))))

    seen = [
        [(sight.hand, sight.slot, sight.camera) for sight in witnesses.sights(round.events)]
        for round in folded
    ]
    assert seen == [[("player", 1, "9H")], [("player", 1, "KS")]]


def test_a_run_goes_into_the_log_and_a_second_one_goes_on(tmp_path: Path) -> None:
    log, gateway = house(tmp_path / "house")
    known, path = Known(script(DEAL)), tmp_path / "cam.json"
    taker = send.into(gateway, "camera")
    with log:
        watched(path, taker, list(film(25)), known)
        memory, _ = watched(path, taker, list(film(20, first=25)), known)
        stored = [event for event, _ in events(log, "T01")]

    told = [at.payload for at in stored]
    assert [at.slot for at in told if isinstance(at, e.CardsObserved)] == [1, 1, 3]
    assert [at.device_seq for at in stored] == list(range(1, len(stored) + 1))
    assert not [at for at in told if isinstance(at, e.GapFound | e.ClockStepped | e.TwinConflicted)]
    assert (memory.frame, memory.waiting) == (44, [])


def test_a_long_pause_begins_with_an_empty_felt(tmp_path: Path) -> None:
    lines, path = io.StringIO(), tmp_path / "cam.json"
    lying = [card("9H", (200, 200))]
    known = Known(dict.fromkeys(chain(range(10), range(400, 410)), lying))

    watched(path, send.written(lines), list(film(10)), known)
    watched(path, send.written(lines), list(film(10, first=400)), known)

    assert lines.getvalue().count("CardsObserved") == 2


def test_what_nobody_takes_is_kept_and_sent_by_the_next_run(tmp_path: Path) -> None:
    def closed(_: Sequence[e.Reading]) -> None:
        raise send.GatewayAway("nobody there")

    lines, path, known = io.StringIO(), tmp_path / "cam.json", Known(script(DEAL))
    first, _ = watched(path, closed, list(film(45)), known)
    assert len(first.waiting) == 4

    watched(path, send.written(lines), list(film(5, first=45)), known)

    assert [f'"device_seq":{n},' in lines.getvalue() for n in (1, 2, 3, 4)] == [True] * 4


def test_a_reader_that_fails_leaves_no_gap(tmp_path: Path) -> None:
    class Failing(Known):
        def read(self, image: Image) -> Any:
            if self.read_so_far == 30:
                raise RuntimeError("broken")
            return super().read(image)

    lines, path = io.StringIO(), tmp_path / "cam.json"
    with pytest.raises(RuntimeError):
        watched(path, send.written(lines), list(film(45)), Failing(script(DEAL)))
    memory, _ = watched(path, send.written(lines), list(film(15, first=30)), Known(script(DEAL)))

    assert lines.getvalue().count("CardsObserved") == 3
    assert memory.seq == lines.getvalue().count("\n")


def test_it_stops_when_it_is_asked_to(tmp_path: Path) -> None:
    path, known = tmp_path / "cam.json", Known({})
    with camera_state.locked_state(path, "T01", "cam") as memory:
        watcher = TableWatcher(TB, CALIBRATION, known, memory)
        outbox = ReadingOutbox(send.written(io.StringIO()), memory.waiting, time.monotonic)
        stopped = iter((False, False, True))
        watch.run(film(100), watcher, memory, path, outbox, stopped=lambda: next(stopped))
        watch.finish(memory, path, outbox, time.monotonic() + 5)

    assert known.read_so_far == 3
    assert camera_state.load(path, "T01", "cam").frame == 2
