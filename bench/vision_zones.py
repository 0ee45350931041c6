"""What reading the zones alone, and only what changed there, saves a camera: ms of a core a frame.

python bench/vision_zones.py [GAME …] [--frames N] [--size 1920x1080] [--busiest]

A round of each game is simulated and filmed in memory. The same frames are watched twice in one
run: once every picture whole, once its zones alone. The goal is 10 frames a second of 1080p. What
is told is processor time, so that a busy machine may run it; a cache that is shared still costs a
little. With --busiest the frames are those round the moment at which most cards lie there; the
frames before them are watched first and not counted, since no camera begins in mid-round. Readings
that only one of the two told are named; one that is told later may fall behind the last frame.
"""

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from replay.simulate import DayRequest as DayWish
from replay.simulate import plan, simulate
from schemas import events as e
from vision.camera import make_reader
from vision.camera.camera_state import CameraState
from vision.camera.watch import PictureReader, TableWatcher
from vision.felt import layout as layouts
from vision.felt.calibration import Calibration
from vision.felt.layout import Layout
from vision.sources.types import Frame
from vision.synth import days
from vision.synth import film as studio
from vision.types import Image

GOAL_FPS = 10
WARM_UP = 10  # frames


def main() -> None:
    wish = argparse.ArgumentParser(description=__doc__)
    wish.add_argument("games", nargs="*", default=layouts.codes())
    wish.add_argument("--frames", type=int, default=40)
    wish.add_argument("--size", default="1920x1080")
    wish.add_argument("--busiest", action="store_true")
    given = wish.parse_args()
    cv2.setNumThreads(1)
    wide, high = map(int, given.size.split("x"))
    which = "busiest" if given.busiest else "first"
    print(f"{given.size}, one core, the {which} {given.frames} frames of a round")
    heads = f"{'cards':>6}{'whole':>10}{'zones':>10}{'ratio':>8}{'frames/s':>10}"
    print(f"{'game':<8}{heads}  same readings")
    for game in given.games:
        with tempfile.TemporaryDirectory() as folder:
            _one(game, Path(folder), (wide, high), given.frames, busiest=given.busiest)


def _one(game: str, folder: Path, size: tuple[int, int], count: int, *, busiest: bool) -> None:
    seats = plan.table_setups(f"T01:{game}")
    wish = DayWish("7", seats, 2, plan.day("2026-03-01"), plan.fault_counts([], "none"))
    told = days.table_day(simulate(wish, folder, "jsonl", lambda: None).path, "T01")
    made = studio.Studio(told, studio.FilmOptions(7, size, 10.0))
    layout, known = layouts.load(told.game), made.calibration()
    cards = [made.cards_at(at_us) for at_us in made.times]
    first = max(0, cards.index(max(cards)) - count // 2) if busiest else 0
    begin = max(0, first - WARM_UP)
    frames = [
        Frame(n, at_us, 40, _coded(made.shot(n, at_us).image), "", None)
        for n, at_us in islice(enumerate(made.times), begin, first + count)
    ]
    whole, in_zones = make_reader.both(layout, known.felt)
    slow, all_read = _watched(layout, known, whole, whole, frames, uncounted=first - begin)
    fast, zones_read = _watched(layout, known, whole, in_zones, frames, uncounted=first - begin)
    most = max(cards[first : first + count])
    only_whole, only_zones = _apart(_said(all_read), _said(zones_read))
    print(
        f"{game:<8}{most:>6}{slow:>7.0f} ms{fast:>7.0f} ms{slow / fast:>8.1f}"
        f"{1000 / fast:>10.1f}  "
        f"{'NO' if only_whole or only_zones else 'yes'}"
        f"{'' if 1000 / fast >= GOAL_FPS else f', goal {GOAL_FPS}'}"
    )
    for how, said in (("whole", only_whole), ("by zones", only_zones)):
        if said:
            print(f"{'':<8}only {how}: {', '.join(map(str, said))}")


def _watched(
    layout: Layout,
    known: Calibration,
    whole: PictureReader,
    in_zones: PictureReader,
    frames: Sequence[Frame],
    *,
    uncounted: int,
) -> tuple[float, list[e.Reading]]:
    watcher = TableWatcher(layout, known, whole, CameraState("T01", "camera-T01"), in_zones)
    said = [reading for frame in frames[:uncounted] for reading in watcher.step(frame).readings]
    begun = time.process_time()
    said += [reading for frame in frames[uncounted:] for reading in watcher.step(frame).readings]
    return (time.process_time() - begun) / (len(frames) - uncounted) * 1000, said


def _said(readings: Sequence[e.Reading]) -> list[object]:
    """What was told, without how sure it was."""
    found: list[object] = []
    for at in readings:
        match at.payload:
            case e.CardsObserved(zone=zone, slot=slot, guesses=guesses):
                found.append((zone, slot, guesses[0].seen if guesses else ""))
            case e.DiceObserved(guesses=guesses) | e.TokensObserved(guesses=guesses):
                found.append(guesses[0].seen if guesses else "")
    return found


def _apart(one: Sequence[object], other: Sequence[object]) -> tuple[list[object], list[object]]:
    """What only the first told, and what only the second did; the order counts within a zone."""
    mine, theirs = Counter(one), Counter(other)
    return list((mine - theirs).elements()), list((theirs - mine).elements())


def _coded(image: Image) -> Image:
    """The picture as a camera would send it."""
    _, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


if __name__ == "__main__":
    main()
