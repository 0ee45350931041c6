"""Frames of a film file, and the sequence of frames that films and streams share."""

import hashlib
import os
import stat
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from vision.decoder.errors import FramesRefused
from vision.decoder.process import DecoderDied, DecoderProcess
from vision.sources.types import (
    LIVE_ERR_MS,
    RECORDED_ERR_MS,
    USUAL_FPS,
    Frame,
    FrameOptions,
    Notice,
    OnNotice,
)


def film(path: Path, options: FrameOptions, on_notice: OnNotice) -> Iterator[Frame]:
    """Yield the frames of a film file."""
    where = str(path)
    handle = open_film_file(path, where)
    try:
        decoder = DecoderProcess(
            decoder_request(options, file=handle), options.limits, files=(handle,)
        )
    finally:
        os.close(handle)
    with decoder:
        yield from FrameSequence(where, options, on_notice).frames(decoder)


def open_film_file(path: Path, where: str) -> int:
    """Open an ordinary file that is not empty, and return its handle."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        found = getattr(error, "strerror", None) or str(error)
        step = "name a film, a folder of pictures or a stream's address"
        raise FramesRefused("missing", where, "a file", found, step) from error
    state = os.fstat(handle)
    if not stat.S_ISREG(state.st_mode) or state.st_size == 0:
        os.close(handle)
        found = "a file of no bytes" if stat.S_ISREG(state.st_mode) else "a device or a pipe"
        raise FramesRefused("empty", where, "a film", found, "name a film that was recorded")
    return handle


def decoder_request(options: FrameOptions, *, url: str = "", file: int = -1) -> dict[str, Any]:
    """The first message to the decoder process."""
    span = [
        None if at_us is None else str(Fraction(at_us - options.start_at_us, 1_000_000))
        for at_us in (options.from_us, options.until_us)
    ]
    asked = {key: getattr(options, key) for key in ("first", "last", "every", "reader", "keep_all")}
    return {"do": "film", "url": url, "file": file, "wait_s": options.wait_s, "span": span, **asked}


class FrameSequence:
    """Numbers and times the decoder's frames; several connections make one sequence."""

    def __init__(self, where: str, options: FrameOptions, on_notice: OnNotice) -> None:
        self.where, self.options, self.on_notice = where, options, on_notice
        self.given = 0
        self.next = 0  # the number of the next frame
        self.live = False
        self.done = False  # the last requested frame was given
        self._base = 0  # the number of this connection's first frame
        self._start = Fraction(0)  # the first frame's time on the film's own clock
        self._last_us = -(1 << 62)
        self._size: tuple[int, int] | None = None
        self._rate = USUAL_FPS

    def frames(self, decoder: DecoderProcess) -> Iterator[Frame]:
        """Yield frames until the source ends; FramesRefused if it ends too early."""
        self._base = self.next
        while True:
            message = self._message(decoder)
            if "frame" in message:
                frame = self._frame(decoder, message)
                self.given += 1
                yield frame
            elif "opened" in message:
                self.live = message["live"]
                self._rate = self.options.fps or Fraction(message["rate"] or USUAL_FPS)
            elif "damaged" in message:
                self._skipped("damaged", message["damaged"], "a frame could not be decoded")
            elif "dropped" in message:
                self._skipped("dropped", message["dropped"], "its reader was too slow for it")
            elif "start" in message:
                self._start = Fraction(message["start"])
            elif "end" in message:
                self.done = message["asked"]
                break
        if not self.given and not self.live:
            step = "check that the camera recorded, and which frames were asked for"
            raise FramesRefused("no_frames", self.where, "frames", "none", step)

    def _message(self, decoder: DecoderProcess) -> dict[str, Any]:
        # The worker has its own time limits for a stream; this one catches a hang.
        try:
            message = decoder.receive()
        except DecoderDied as died:
            limits = decoder.limits
            expected = f"the next frame within {limits.cpu_s} s and {limits.memory_mib} MiB"
            step = "convert the film to MP4 and try again; what came before was read"
            raise self._refused(died.reason, expected, died.found, step) from died
        if "refused" in message:
            raise self._refused(*message["refused"])
        return message

    def _refused(self, reason: str, expected: str, found: str, step: str) -> FramesRefused:
        return FramesRefused(reason, self.where, expected, found, step, given=self.given)

    def _frame(self, decoder: DecoderProcess, message: dict[str, Any]) -> Frame:
        number = self._base + message["frame"]
        self.next = number + 1
        slot, size = message["slot"], message["size"]
        image = decoder.image(slot, message["width"], message["height"])
        original = decoder.content(slot, size) if size else None
        decoder.send({"free": slot})
        self._notice_size(number, message)
        digest = hashlib.sha256(original if original is not None else image.data)
        at_us = self._time(number, message)
        usual = LIVE_ERR_MS if self.live else RECORDED_ERR_MS
        err_ms = usual if self.options.err_ms is None else self.options.err_ms
        return Frame(number, at_us, err_ms, image, digest.hexdigest(), original)

    def _time(self, number: int, message: dict[str, Any]) -> int:
        """The arrival time on a live stream, else the film's clock counted from its first frame."""
        if self.live:
            at_us = message["arrived_us"]
        else:
            own = message["seconds"]
            since = number / self._rate if own is None else Fraction(own) - self._start
            at_us = self.options.start_at_us + round(since * 1_000_000)
        if at_us < self._last_us:
            self.on_notice(Notice("times", number, f"its time is {self._last_us - at_us} us back"))
            at_us = self._last_us
        self._last_us = at_us
        return int(at_us)

    def _notice_size(self, number: int, message: dict[str, Any]) -> None:
        size = (message["width"], message["height"])
        if self._size not in {None, size}:
            self.on_notice(Notice("resized", number, f"frames are {size[0]} x {size[1]} from here"))
        self._size = size

    def _skipped(self, kind: str, number: int, text: str) -> None:
        self.next = max(self.next, self._base + number + 1)
        self.on_notice(Notice(kind, self._base + number, text))
