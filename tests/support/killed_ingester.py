"""An ingester that is killed: this module, run, forks one for each line of orders.

An order is a folder and the number of the call at which kill -9 falls; calls into Python and into
C both count, so the shot can fall before, between and after the system calls. The answer is how
many readings were acknowledged, and the signal that ended the process.
"""

import os
import signal
import sys
from pathlib import Path
from types import FrameType

from tests.support.readings import house, talk

READINGS = 600
BATCH = 20


def main() -> None:
    """Take orders until there are no more."""
    for order in sys.stdin:
        root, shot = order.split()
        acknowledged, told = os.pipe()
        child = os.fork()
        if child == 0:
            ingest(Path(root), int(shot), told)
            os._exit(0)
        os.close(told)
        _, status = os.waitpid(child, 0)
        with os.fdopen(acknowledged) as answers:
            last = ([0, *map(int, answers)])[-1]
        sys.stdout.write(f"{last} {os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0}\n")
        sys.stdout.flush()


def ingest(root: Path, shot: int, told: int) -> None:
    """Bring everything in, say after each batch how much is acknowledged, and die on the way."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        del frame, event, argument
        calls += 1
        if calls == shot:
            os.kill(os.getpid(), signal.SIGKILL)

    sent = list(talk(READINGS))
    sys.setprofile(count)
    log, gateway = house(root)
    with log:
        for start in range(0, READINGS, BATCH):
            gateway.take(sent[start : start + BATCH], "file")
            os.write(told, f"{start + BATCH}\n".encode())
    sys.setprofile(None)


if __name__ == "__main__":
    main()
