"""What every source shares: a frame, a notice about frames, and what a caller asks for."""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from vision.decoder.process import DecoderLimits
from vision.types import Image

FILM_LIMITS = DecoderLimits(memory_mib=768, cpu_s=10, wall_s=60.0)
RECORDED_ERR_MS = 40  # one frame of an ordinary camera
LIVE_ERR_MS = 250  # and what network and buffers add
USUAL_FPS = Fraction(25)


class Frame(NamedTuple):
    """One picture of a camera, with its time and the hash of the bytes it came in."""

    number: int  # from 0, and never given twice; a gap is a frame nobody could read
    at_us: int  # UTC microseconds
    err_ms: int  # the true time lies within this on both sides
    image: Image  # blue, green, red
    sha256: str  # of the original bytes, else of the pixels
    original: bytes | None  # the picture file, or the coded packet of a film


class Notice(NamedTuple):
    """Something worth telling that did not stop the frames."""

    kind: str  # damaged, missing, dropped, resized, times, reconnecting
    number: int  # the frame it is about, or the next one
    text: str


class FrameOptions(NamedTuple):
    """What the caller asked for, whatever the source is."""

    start_at_us: int = 0  # the time of the first frame, where the source does not know it
    err_ms: int | None = None
    fps: Fraction | None = None  # where the source has no times of its own
    first: int = 0
    last: int | None = None  # included
    every: int = 1
    from_us: int | None = None  # only frames from this time on
    until_us: int | None = None  # included
    reader: str = "auto"  # or `cv2`, to do without PyAV
    keep_all: bool = False  # a live stream waits for a slow caller instead of dropping frames
    tries: int | None = 5  # connections in a row without a frame; None tries for ever
    wait_s: float = 10.0  # for a stream to open, and for its next frame
    pause_s: float = 0.5  # before connecting again; doubled each time, up to 8 s
    limits: DecoderLimits = FILM_LIMITS


OnNotice = Callable[[Notice], None]
