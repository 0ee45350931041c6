"""A desk that is killed while it writes a dispute: this module, run, forks one for each order.

An order is a folder and the number of the call at which kill -9 falls. The answer is how many steps
the desk was told are on disk, and the signal that ended the process.
"""

import os
import signal
import sys
from pathlib import Path
from types import FrameType

from audit.cases import case_log, evidence_store
from audit.cases.case_log import Taking
from tests.support.disputes import GATHERED, NOON, RAISED, STEPS, always

VERBS = GATHERED.removeprefix("open, ").split(", ")


def main() -> None:
    """Take orders until there are no more."""
    for order in sys.stdin:
        home, shot = order.split()
        acknowledged, told = os.pipe()
        child = os.fork()
        if child == 0:
            work(Path(home), int(shot), told)
            os._exit(0)
        os.close(told)
        _, status = os.waitpid(child, 0)
        with os.fdopen(acknowledged) as answers:
            last = ([0, *map(int, answers)])[-1]
        sys.stdout.write(f"{last} {os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0}\n")
        sys.stdout.flush()


def work(home: Path, shot: int, told: int) -> None:
    """Raise a dispute, add a file and take the other steps, saying after each that it is there."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        del frame, event, argument
        calls += 1
        if calls == shot:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(count)
    case = case_log.open_case(home, "T1", RAISED, _taking("open"))
    os.write(told, b"1\n")
    evidence_store.put(home, Path(__file__))
    for n, verb in enumerate(VERBS, 2):
        case_log.take(home, case.case_id, always(STEPS[verb][1]), _taking(verb))
        os.write(told, f"{n}\n".encode())
    sys.setprofile(None)


def _taking(verb: str) -> Taking:
    return Taking(STEPS[verb][0], NOON, NOON)


if __name__ == "__main__":
    main()
