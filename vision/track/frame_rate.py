"""Measures the frame rate: at a low rate a card may be gone before enough frames show it."""

from collections import deque
from statistics import median

MIN_FPS = 2.0  # three frames within a second
KEPT_GAPS = 8  # the median ignores pauses of a camera that skips still scenes


class FrameRate:
    """The rate of the latest frames."""

    def __init__(self) -> None:
        self._gaps_us: deque[int] = deque(maxlen=KEPT_GAPS)
        self.before_us: int | None = None  # the time of the frame before

    def step(self, at_us: int) -> None:
        """Take in the time of one more frame."""
        if self.before_us is not None:
            self._gaps_us.append(max(1, at_us - self.before_us))
        self.before_us = at_us

    @property
    def fps(self) -> float:
        """Frames a second; the required minimum while nothing is known."""
        return 1_000_000 / median(self._gaps_us) if self._gaps_us else MIN_FPS

    @property
    def slow(self) -> bool:
        """Whether cards may be missed at this rate, with a tolerance of 5 %."""
        return self.fps < 0.95 * MIN_FPS
