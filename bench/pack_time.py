"""How long a pack takes to build and to verify: a dispute with 20 frames, and one of 10,000 events.

    python -m bench.pack_time [--wagers 5000] [--profile]

Goals for about 40 events and 20 frames: 2 s to build with both reports, 1 s to verify. Seconds
are of processor time, so that others on the machine do not count.
"""

import argparse
import contextlib
import cProfile
import io
import pstats
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from audit.cases import case_log, evidence_store
from audit.cases.case_log import Taking
from audit.cases.rules import Actor
from audit.evidence import verify
from audit.evidence.build import build
from audit.evidence.gather import gather
from schemas import events as e
from tests.support import disputes, houses, sealed_houses

ZONE = "Asia/Ho_Chi_Minh"
FRAMES, SIZE = 20, (720, 1280, 3)
NOW = sealed_houses.NOW


class PackTime(NamedTuple):
    """What one pack took, in seconds, and how large it is."""

    events: int
    bytes: int
    first: float  # the first pack of a process: it imports typst and reads its fonts
    built: float
    verified: float


def main() -> None:
    """Print both packs."""
    words = argparse.ArgumentParser()
    words.add_argument("--wagers", type=int, default=5_000)
    words.add_argument("--profile", action="store_true")
    asked = words.parse_args()
    for name, wagers, frames, goals in (
        ("40 events, 20 frames", 3, FRAMES, "goals 2 s and 1 s"),
        (f"{2 * asked.wagers:,} events", asked.wagers, 0, "no goal"),
    ):
        with tempfile.TemporaryDirectory() as folder:
            made = _timed(Path(folder), wagers, frames, profile=asked.profile)
        print(
            f"{name}: {made.events:,} events, {made.bytes / 1e6:.1f} MB, "
            f"built in {made.built:.2f} s (the first in {made.first:.2f} s), "
            f"verified in {made.verified:.2f} s; {goals}"
        )


def _timed(home: Path, wagers: int, frames: int, *, profile: bool) -> PackTime:
    case_id = _disputed(home, wagers, frames)
    begun = time.process_time()
    build(home, gather(home, case_id), ("en", "vi"), ZONE)
    first = time.process_time() - begun
    profiler = cProfile.Profile() if profile else contextlib.nullcontext()
    begun = time.process_time()
    with profiler:
        material = gather(home, case_id)
        made = build(home, material, ("en", "vi"), ZONE)
    built = time.process_time() - begun
    if isinstance(profiler, cProfile.Profile):
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(25)
    path = home / "pack.zip"
    path.write_bytes(made.body)
    begun = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()) as said:
        code = verify.main([str(path)])
    verified = time.process_time() - begun
    assert code == 0, said.getvalue()
    return PackTime(len(material.span.records), len(made.body), first, built, verified)


def _disputed(home: Path, wagers: int, frames: int) -> str:
    """A sealed house with a dispute over a spin; the spins beside it make the span whole."""
    said = [*houses.opened(), *houses.spin("R1", 3, *_wagers("R1", 3))]
    said += _paid("R2", wagers)
    said += houses.spin("R3", 5, *_wagers("R3", 3))
    houses.written(home, "T1", said)
    actor = Taking(Actor("I9", "dealer_inspector"), NOW, NOW)
    raised = e.DisputeRaised("R2", "red was not paid", "VN", game="RO", currency="VND")
    case = case_log.open_case(home, "T1", raised, actor)
    for n, picture in enumerate(_pictures(home, frames), 1):
        stored = evidence_store.put(home, picture)
        added = e.EvidenceAdded(
            *(f"E{n}", "8.4.6", picture.name, stored.sha256, stored.size),
            *("image/jpeg", "camera 3", NOW),
        )
        case_log.take(home, case.case_id, disputes.always(added), actor)
    sealed_houses.key_made(home)
    sealed_houses.seal(home)
    return case.case_id


def _wagers(round_id: str, count: int) -> list[e.WagerPlaced]:
    return [houses.red(100_000, f"{round_id}-{n}") for n in range(count)]


def _paid(round_id: str, count: int) -> list[houses.Said]:
    """A spin on which every wager was placed and settled."""
    spun = houses.spin(round_id, 3, *_wagers(round_id, count))
    settled = [
        (e.WagerSettled(f"{round_id}-{n}", 100_000, 0, 0, 0, 100_000), round_id)
        for n in range(count)
    ]
    return [*spun[:-1], *settled, spun[-1]]


def _pictures(home: Path, count: int) -> list[Path]:
    """Frames of a camera: a felt with noise, as large as such a frame is."""
    luck, found = np.random.default_rng(7), []
    for n in range(count):
        frame = np.full(SIZE, (70, 110, 40), np.uint8)
        frame += luck.integers(0, 24, SIZE, np.uint8)
        path = home / f"frame-{n:02}.jpg"
        cv2.imwrite(str(path), frame, [cv2.IMWRITE_JPEG_QUALITY, 80])
        found.append(path)
    return found


if __name__ == "__main__":
    main()
