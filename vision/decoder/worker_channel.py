"""Worker side: messages to the parent, slots of shared memory, and the process limits."""

import json
import mmap
import resource
import select
import socket
import sys
from pathlib import Path
from typing import Any

import numpy as np

from vision.decoder.errors import MediaRefused
from vision.decoder.image_headers import MAX_BYTES
from vision.decoder.process import MESSAGE_BYTES, PIXEL_BYTES, SLOT_BYTES, SLOTS, DecoderLimits
from vision.types import Image

OUTPUT_BYTES = 1 << 30  # the largest piece of film a cut may write


class WorkerChannel:
    """The worker's end of the socket and of the shared memory."""

    def __init__(self, door: int, memory: int) -> None:
        self._door = socket.socket(fileno=door)
        self._memory = mmap.mmap(memory, SLOTS * SLOT_BYTES)
        self._free = list(range(SLOTS))
        self._cpu_s = 1

    def set_limits(self, limits: DecoderLimits, handles: int) -> None:
        """Limit memory, computing time and open handles from here on."""
        self._cpu_s = limits.cpu_s
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        memory = used + (limits.memory_mib << 20)
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (OUTPUT_BYTES, OUTPUT_BYTES))
        resource.setrlimit(resource.RLIMIT_NOFILE, (handles, handles))
        self.renew_cpu_time()

    def renew_cpu_time(self) -> None:
        """Allow the computing time of one more frame."""
        used = resource.getrusage(resource.RUSAGE_SELF)
        soft = int(used.ru_utime + used.ru_stime) + self._cpu_s + 1
        resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.RLIM_INFINITY))

    def send(self, **message: Any) -> None:
        """Send a message; exit if the parent is gone."""
        try:
            self._door.sendall(json.dumps(message).encode())
        except (BrokenPipeError, ConnectionResetError):
            sys.exit(0)

    def send_refusal(self, error: MediaRefused) -> None:
        """Send a refusal; the parent adds the name of the source."""
        found = error.found[:1000]
        self.send(refused=[error.reason, error.expected, found, error.next_step])

    def receive(self) -> dict[str, Any]:
        """Wait for the next message; exit if the parent is gone."""
        message = self._door.recv(MESSAGE_BYTES)
        if not message:
            sys.exit(0)
        heard: dict[str, Any] = json.loads(message)
        return heard

    def free_slot(self, *, wait: bool) -> int | None:
        """Take a slot that the parent has released; None if there is none and `wait` is false."""
        while not self._free:
            if not wait and not select.select([self._door], [], [], 0)[0]:
                return None
            self._free.append(self.receive()["free"])
        return self._free.pop()

    def return_slot(self, slot: int) -> None:
        """Give back a slot that stayed unused."""
        self._free.append(slot)

    def content(self, slot: int, size: int) -> bytes:
        """The bytes of a picture that the parent put into a slot."""
        start = slot * SLOT_BYTES + PIXEL_BYTES
        return self._memory[start : start + size]

    def put_frame(self, slot: int, image: Image, original: bytes = b"") -> dict[str, int]:
        """Put pixels and their original bytes into a slot; return slot and sizes."""
        height, width = image.shape[:2]
        start = slot * SLOT_BYTES
        shared = np.frombuffer(self._memory, np.uint8, image.size, start)
        np.copyto(shared.reshape(image.shape), image)
        size = len(original) if len(original) <= MAX_BYTES else 0
        if size:
            behind = start + PIXEL_BYTES
            self._memory[behind : behind + size] = original
        return {"slot": slot, "width": width, "height": height, "size": size}
