"""How often frames come: too few of them, and a thing is gone before it was looked at enough."""

from collections import deque
from statistics import median

MIN_FPS = 2.0  # three looks at a thing within a second
KEPT_GAPS = 8  # gaps, of which one half may be pauses of a camera that leaves out what stands still


class FrameRate:
    """The rate of the latest frames."""

    def __init__(self) -> None:
        self._gaps_us: deque[int] = deque(maxlen=KEPT_GAPS)
        self.before_us: int | None = None  # the time of the frame before

    def step(self, at_us: int) -> None:
        """One more frame."""
        if self.before_us is not None:
            self._gaps_us.append(max(1, at_us - self.before_us))
        self.before_us = at_us

    @property
    def fps(self) -> float:
        """Frames a second; none are too few where nothing is known yet."""
        return 1_000_000 / median(self._gaps_us) if self._gaps_us else MIN_FPS

    @property
    def slow(self) -> bool:
        """Whether things may be lost at this rate; a little less is no matter."""
        return self.fps < 0.95 * MIN_FPS
