"""The darkroom's process without its slow start: this one forked, with everything loaded."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import NoReturn, cast

from vision import darkroom_films, darkroom_worker

__all__ = ["forked"]

assert darkroom_films.av is not None  # loaded before the fork, as the worker does


def forked(door: int, memory: int, files: Sequence[int]) -> "subprocess.Popen[bytes]":
    """In the place of vision.darkroom._start, where hundreds are started."""
    del files  # a child has them all
    child = os.fork()
    if child == 0:
        _work(door, memory)
    return cast("subprocess.Popen[bytes]", Child(child))


def _work(door: int, memory: int) -> NoReturn:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.unraisablehook = lambda _: None
    os.closerange(0, 3)
    own = os.dup(door)
    sys.argv = ["worker", str(own), str(memory)]
    try:
        darkroom_worker.main()
    except SystemExit:
        os._exit(0)
    except BaseException:
        os._exit(1)
    os._exit(0)


class Child:
    """As much of a Popen as the darkroom uses."""

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
