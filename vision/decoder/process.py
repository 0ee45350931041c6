"""The darkroom: a process of its own in which foreign pictures and films are decoded.

A decoder is much C code that meets bytes from outside. It runs with little memory, little time, no
way to open another file, and it hands pixels over through memory that both processes share, so
that a frame costs one copy. When it dies, hangs or is misled, the house goes on.
"""

import fcntl
import json
import mmap
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import numpy as np

from vision.decoder.image_headers import MAX_BYTES, MAX_PIXELS
from vision.types import Image

WORKER = "vision.decoder.worker"
SLOTS = 2
PIXEL_BYTES = 3 * MAX_PIXELS
SLOT_BYTES = PIXEL_BYTES + MAX_BYTES  # a frame and, behind it, the bytes it was decoded from
MESSAGE_BYTES = 1 << 16
STDERR_BYTES = 1 << 12
START_S = 60.0  # for the process to start on a busy machine


class DecoderLimits(NamedTuple):
    """What a decoder may use, beyond its own libraries, between one frame and the next."""

    memory_mib: int = 512
    cpu_s: int = 5
    wall_s: float = 30.0


class DecoderDied(Exception):
    """The process did not answer: memory, time or crashed, and in words what was seen."""

    def __init__(self, reason: str, found: str) -> None:
        super().__init__(found)
        self.reason, self.found = reason, found


class DecoderProcess:
    """One such process, from its start to its end; memory is only touched where it was used."""

    def __init__(
        self, request: dict[str, Any], limits: DecoderLimits, files: Sequence[int] = ()
    ) -> None:
        self.limits = limits
        self._handle = os.memfd_create("roundproof-frames", os.MFD_CLOEXEC)
        os.ftruncate(self._handle, SLOTS * SLOT_BYTES)
        self._memory = mmap.mmap(self._handle, SLOTS * SLOT_BYTES)
        self._door, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = _start(theirs.fileno(), self._handle, files)
        self.send(request | {"limits": limits._asdict()})
        self._started = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def send(self, message: dict[str, Any]) -> None:
        """Say something to the process; one that has gone is noticed when it should answer."""
        try:
            self._door.sendall(json.dumps(message).encode())
        except (BrokenPipeError, ConnectionResetError):
            return

    def receive(self, wall_s: float | None = None) -> dict[str, Any]:
        """Its next message, within the time it has."""
        if not self._started:
            self._next(START_S)  # it says that it is there
            self._started = True
        return self._next(wall_s or self.limits.wall_s)

    def put(self, slot: int, content: bytes) -> None:
        """Lay the bytes of a picture into a slot."""
        start = slot * SLOT_BYTES + PIXEL_BYTES
        self._memory[start : start + len(content)] = content

    def content(self, slot: int, size: int) -> bytes:
        """The bytes that a frame was decoded from."""
        start = slot * SLOT_BYTES + PIXEL_BYTES
        return self._memory[start : start + size]

    def image(self, slot: int, width: int, height: int) -> Image:
        """A copy of the pixels in a slot, so that the slot can be used again."""
        size = width * height * 3
        shared = np.frombuffer(self._memory, np.uint8, size, slot * SLOT_BYTES)
        return shared.reshape(height, width, 3).copy()

    def close(self) -> None:
        """End the process and give its memory back."""
        self._process.kill()
        self._process.wait()
        self._door.close()
        if not self._memory.closed:
            self._memory.close()
            os.close(self._handle)

    def _next(self, wall_s: float) -> dict[str, Any]:
        self._door.settimeout(wall_s)
        try:
            message = self._heard()
        except TimeoutError as error:
            self.close()
            raise DecoderDied("time", f"no answer for {wall_s:g} s") from error
        if not message:
            raise self._death()
        answer: dict[str, Any] = json.loads(message)
        return answer

    def _heard(self) -> bytes:
        try:
            return self._door.recv(MESSAGE_BYTES)
        except ConnectionResetError:
            # It went without reading our last word. What it said before is still to be read.
            return self._door.recv(MESSAGE_BYTES)

    def _death(self) -> DecoderDied:
        try:
            code = self._process.wait(5.0)
        except subprocess.TimeoutExpired:
            code = 0
        self.close()
        if code == -signal.SIGXCPU:
            return DecoderDied("time", f"more than {self.limits.cpu_s} s of computing")
        if code < 0:
            return DecoderDied("crashed", f"the decoder's end by {signal.Signals(-code).name}")
        return DecoderDied("crashed", f"the decoder's end with code {code}")


def _start(door: int, memory: int, files: Sequence[int]) -> "subprocess.Popen[bytes]":
    """The process, with nothing of ours but the handles it is given."""
    root = Path(__file__).resolve().parents[2]
    environment = {
        "PYTHONPATH": str(root),
        "TZ": "UTC",
        "MALLOC_ARENA_MAX": "1",
        "OPENBLAS_NUM_THREADS": "1",
        # OpenCV reads these once, when it is imported.
        "OPENCV_IO_MAX_IMAGE_PIXELS": str(MAX_PIXELS),
        "OPENCV_LOG_LEVEL": "SILENT",
        "OPENCV_FFMPEG_LOGLEVEL": "-8",
        "OPENCV_FFMPEG_THREADS": "1",
    }
    complaints = _stderr_memory()
    try:
        return subprocess.Popen(  # noqa: S603  (our own interpreter and module)
            [sys.executable, "-P", "-m", WORKER, str(door), str(memory)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=complaints,
            cwd="/",
            env=environment,
            pass_fds=(door, memory, *files),
            start_new_session=True,  # an interrupt at the keyboard is the parent's to handle
        )
    finally:
        os.close(complaints)


def _stderr_memory() -> int:
    """Memory for what a decoder writes to stderr; it cannot grow, what is too much is lost."""
    handle = os.memfd_create("roundproof-stderr", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(handle, STDERR_BYTES)
    fcntl.fcntl(handle, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK)
    return handle
