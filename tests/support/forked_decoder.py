"""Sends hundreds of mutated films through the decoder, whose process is forked each time.

Run as `python -m tests.support.forked_decoder FILM READER COUNT`; prints how often each end
was met. It is a process of its own because a fork takes along whatever threads a library was using.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
import warnings
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NoReturn, cast

from tests.support.damaged_files import mutated
from vision.decoder import film_worker, worker
from vision.decoder import process as decoder
from vision.decoder.errors import FramesRefused
from vision.decoder.process import DecoderLimits
from vision.sources.frames import frames

LOADED = (film_worker, worker)  # before the fork, so that no child has to
LIMITS = DecoderLimits(memory_mib=300, cpu_s=2, wall_s=60.0)


def main(path: Path, reader: str, count: int) -> None:
    """Mutate the film, read it, count; the film is written over."""
    decoder._start = forked
    whole, choose, ends = path.read_bytes(), random.Random(20260301), Counter[str]()
    for _ in range(count):
        path.write_bytes(mutated(whole, choose))
        try:
            ends["frames"] += len(list(frames(path, reader=reader, limits=LIMITS)))
        except FramesRefused as refused:
            ends[refused.reason] += 1
    sys.stdout.write(json.dumps(ends))


def forked(door: int, memory: int, files: Sequence[int]) -> "subprocess.Popen[bytes]":
    """In the place of vision.decoder.process._start, where hundreds are started."""
    with warnings.catch_warnings(action="ignore"):
        child = os.fork()
    if child == 0:
        _work(door, memory, files)
    return cast("subprocess.Popen[bytes]", Child(child))


def _work(door: int, memory: int, files: Sequence[int]) -> NoReturn:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    notepad = decoder._stderr_memory()
    os.dup2(notepad, 2)
    kept = sorted({2, door, memory, *files})
    for one, two in pairwise([-1, *kept, 256]):  # OpenCV needs a few handles below the limit
        os.closerange(one + 1, two)
    sys.argv = ["worker", str(door), str(memory)]
    try:
        worker.main()
    except SystemExit:
        os._exit(0)
    except BaseException:
        os._exit(1)
    os._exit(0)


class Child:
    """As much of a Popen as DecoderProcess uses."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None

    def kill(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def poll(self) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float = 30.0) -> int:
        end = time.monotonic() + timeout
        while self.poll() is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired("worker", timeout)
            time.sleep(0.001)
        assert self.returncode is not None
        return self.returncode


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
