"""Runs the decoder of pictures and films in a process of its own.

Decoders are large C libraries that parse untrusted bytes. The process has limited memory and time
and cannot open other files; it returns pixels through shared memory, so a frame costs one copy.
When it crashes, hangs or is exploited, the parent carries on.
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
SLOT_BYTES = PIXEL_BYTES + MAX_BYTES  # a frame, followed by the bytes it was decoded from
MESSAGE_BYTES = 1 << 16
STDERR_BYTES = 1 << 12
START_S = 60.0  # the longest start of the process on a busy machine


class DecoderLimits(NamedTuple):
    """What a decoder may use for one frame, beyond the memory of its own libraries."""

    memory_mib: int = 512
    cpu_s: int = 5
    wall_s: float = 30.0


class DecoderDied(Exception):
    """The process did not answer; `reason` is memory, time or crashed, `found` says it in words."""

    def __init__(self, reason: str, found: str) -> None:
        super().__init__(found)
        self.reason, self.found = reason, found


class DecoderProcess:
    """One decoder process, from start to end. Unused shared memory costs nothing."""

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
        """Send a message; if the process is gone, `receive` reports it."""
        try:
            self._door.sendall(json.dumps(message).encode())
        except (BrokenPipeError, ConnectionResetError):
            return

    def receive(self, wall_s: float | None = None) -> dict[str, Any]:
        """Wait for the next message, `wall_s` seconds or the limit; DecoderDied if none comes."""
        if not self._started:
            self._next(START_S)  # the ready message
            self._started = True
        return self._next(wall_s or self.limits.wall_s)

    def put(self, slot: int, content: bytes) -> None:
        """Put the bytes of a picture into a slot."""
        start = slot * SLOT_BYTES + PIXEL_BYTES
        self._memory[start : start + len(content)] = content

    def content(self, slot: int, size: int) -> bytes:
        """The bytes that the frame in a slot was decoded from."""
        start = slot * SLOT_BYTES + PIXEL_BYTES
        return self._memory[start : start + size]

    def image(self, slot: int, width: int, height: int) -> Image:
        """Copy the pixels of a slot, so that the slot can be used again."""
        size = width * height * 3
        shared = np.frombuffer(self._memory, np.uint8, size, slot * SLOT_BYTES)
        return shared.reshape(height, width, 3).copy()

    def close(self) -> None:
        """Kill the process and release the shared memory."""
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
            # It exited before reading our last message. What it sent before can still be read.
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
    """Start the process; it inherits only the handles it needs and this environment."""
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
    """Memory of fixed size for what a decoder writes to stderr; the rest is lost."""
    handle = os.memfd_create("roundproof-stderr", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(handle, STDERR_BYTES)
    fcntl.fcntl(handle, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK)
    return handle
