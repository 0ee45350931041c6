"""Refusals of pictures, films and clips: one message shape, and a reason for programs."""


class MediaRefused(ValueError):
    """Says where, what was expected, what was found and what to do; `reason` is for programs."""

    def __init__(self, reason: str, where: str, expected: str, found: str, next_step: str) -> None:
        super().__init__(f"{where}: {expected} expected, {found} found; {next_step}")
        self.reason, self.where = reason, where
        self.expected, self.found, self.next_step = expected, found, next_step


class PictureRefused(MediaRefused):
    """A picture is unreadable, or too large to be decoded safely.

    Reasons: missing, empty, format, animated, size, colours, truncated, damaged, memory, time,
    crashed.
    """


class FramesRefused(MediaRefused):
    """A source gives no frames, or stops too early; `given` counts the frames it gave before.

    Reasons: those of a picture, and no_frames, unreachable, sidecar, times, shape, no_copy.
    """

    def __init__(
        self, reason: str, where: str, expected: str, found: str, next_step: str, *, given: int = 0
    ) -> None:
        super().__init__(reason, where, expected, found, next_step)
        self.given = given


class ClipRefused(MediaRefused):
    """No clip can be written for an observation.

    Reasons: not_found, stream, occupied.
    """
