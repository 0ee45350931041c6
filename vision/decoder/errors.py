"""What is said of foreign pictures and films that were not taken: one shape, a few reasons."""


class MediaRefused(ValueError):
    """Where, what was expected, what was found, and what to do next; `reason` is for programs."""

    def __init__(self, reason: str, where: str, expected: str, found: str, next_step: str) -> None:
        super().__init__(f"{where}: {expected} expected, {found} found; {next_step}")
        self.reason, self.where = reason, where
        self.expected, self.found, self.next_step = expected, found, next_step


class PictureRefused(MediaRefused):
    """A picture that cannot be read, or may not be.

    Reasons: missing, empty, format, animated, size, colours, truncated, damaged, memory, time,
    crashed.
    """


class FramesRefused(MediaRefused):
    """A source that gives no frames, or no more of them; `given` counts those it gave before.

    Reasons: those of a picture, and besides no_frames, unreachable, sidecar, times.
    """

    def __init__(
        self, reason: str, where: str, expected: str, found: str, next_step: str, *, given: int = 0
    ) -> None:
        super().__init__(reason, where, expected, found, next_step)
        self.given = given


class ClipRefused(MediaRefused):
    """An observation behind which no pictures can be shown.

    Reasons: not_found, stream, occupied.
    """
