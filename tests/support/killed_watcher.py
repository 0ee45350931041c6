"""A watcher that is shot: `python -m tests.support.killed_watcher BOOTSTRAP PREFIX`.

It forks one for each line of orders: the number of the call at which kill -9 falls, 0 for never.
Calls into Python and into C both count. The answer is the signal that ended the process.
"""

import os
import signal
import sys
from types import FrameType

import structlog

from audit.watch import kafka_worker
from audit.watch.metrics import WatchMetrics
from ingest.kafka.client import Kafka

IDLE_S = 1.0


def main() -> None:
    """Take orders until there are no more."""
    kafka = Kafka(sys.argv[1], prefix=sys.argv[2])
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    kafka_worker.BATCH, kafka_worker.COMMIT_S = 200, 0.1  # so that shots fall between commits
    for order in sys.stdin:
        child = os.fork()
        if child == 0:
            watch(kafka, int(order))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0}\n")
        sys.stdout.flush()


def watch(kafka: Kafka, shot: int) -> None:
    """Watch until nothing comes, and die on the way."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        del frame, event, argument
        calls += 1
        if calls == shot:
            os.kill(os.getpid(), signal.SIGKILL)

    worker = kafka_worker.WatchWorker(
        kafka, lambda _: None, WatchMetrics(), stopped=lambda: False, name="victim", idle_s=IDLE_S
    )
    sys.setprofile(count)
    worker.run()
    sys.setprofile(None)
    worker.close()
    sys.stderr.write(f"{calls} calls\n")


if __name__ == "__main__":
    main()
