"""What every source shares: a frame, a notice about frames, and what a caller asks for."""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from vision.decoder.process import DecoderLimits
from vision.types import Image

FILM_LIMITS = DecoderLimits(memory_mib=768, cpu_s=10, wall_s=60.0)
RECORDED_ERR_MS = 40  # one frame of an ordinary camera
LIVE_ERR_MS = 250  # the same, and the delay of network and buffers
USUAL_FPS = Fraction(25)


class Frame(NamedTuple):
    """One picture of a camera, with its time and the hash of its original bytes."""

    number: int  # from 0, never repeated; a gap is an unreadable frame
    at_us: int  # UTC microseconds
    err_ms: int  # the true time is at most this much earlier or later
    image: Image  # blue, green, red
    sha256: str  # of `original`, or of the pixels where there is none
    original: bytes | None  # the picture file, or the coded packet of a film


class Notice(NamedTuple):
    """A problem that did not end the source."""

    kind: str  # damaged, missing, dropped, resized, times, reconnecting
    number: int  # the frame concerned, or the next one
    text: str


class FrameOptions(NamedTuple):
    """What the caller asks for, whatever the source is."""

    start_at_us: int = 0  # the time of the first frame, if the source has no clock
    err_ms: int | None = None
    fps: Fraction | None = None  # if the source has no times of its own
    first: int = 0
    last: int | None = None  # included
    every: int = 1
    from_us: int | None = None  # only frames from this time on
    until_us: int | None = None  # included
    reader: str = "auto"  # or `cv2`, to avoid PyAV
    keep_all: bool = False  # wait for a slow caller instead of dropping frames of a live stream
    tries: int | None = 5  # failed connections in a row; None retries for ever
    wait_s: float = 10.0  # to open a stream, and for its next frame
    pause_s: float = 0.5  # before connecting again; doubled each time, up to 8 s
    limits: DecoderLimits = FILM_LIMITS


OnNotice = Callable[[Notice], None]
