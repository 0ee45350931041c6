"""A gateway with its forwarder that is shot; the arguments are a broker's address and a prefix.

As killed_ingester.py, with a real broker behind. Each line of orders is a folder, a suffix
for its tables and the number of the call, in whichever thread, at which kill -9 falls.
"""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import FrameType

from ingest.forward.forwarder import Forwarder
from ingest.forward.kafka_sink import KafkaSink
from ingest.forward.run import forward_in_background
from ingest.gateway import Gateway
from ingest.kafka.client import Kafka
from ingest.local.log import LocalLog
from ingest.local.spool import Spool
from ingest.log import EVENTS, GATEWAY_STREAMS
from schemas.events import Reading
from tests.support.readings import NOON, talk

READINGS = 300
BATCH = 10
ANSWER_S = 30.0


def main() -> None:
    """Take orders until there are no more."""
    kafka = Kafka(sys.argv[1], prefix=sys.argv[2])
    for order in sys.stdin:
        root, suffix, shot = order.split()
        acknowledged, told = os.pipe()
        child = os.fork()
        if child == 0:
            ingest(kafka, Path(root), suffix, int(shot), told)
            os._exit(0)
        os.close(told)
        _, status = os.waitpid(child, 0)
        with os.fdopen(acknowledged) as answers:
            lines = [line.split() for line in answers]
        last, where = lines[-1] if lines else ("0", "nowhere")
        by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        sys.stdout.write(f"{last} {where} {by}\n")
        sys.stdout.flush()


def readings(suffix: str) -> Iterator[Reading]:
    """What is sent to one house; its tables have names of their own."""
    return (replace(each, table_id=f"{each.table_id}-{suffix}") for each in talk(READINGS))


def ingest(kafka: Kafka, root: Path, suffix: str, shot: int, told: int) -> None:
    """Bring everything in, say after each batch where it is, and die on the way."""
    calls = count(1)

    def fired(frame: FrameType, event: str, argument: object) -> None:
        del frame, event, argument
        if next(calls) == shot:
            os.kill(os.getpid(), signal.SIGKILL)

    sent = list(readings(suffix))
    threading.setprofile(fired)
    sys.setprofile(fired)
    with LocalLog(root, GATEWAY_STREAMS) as log, KafkaSink(kafka) as sink:
        spool = Spool(log, GATEWAY_STREAMS)
        gateway = Gateway(spool, lambda: NOON, trusts_received_at=True)
        forwarder = Forwarder(spool, sink)
        with forward_in_background(spool, forwarder):
            for start in range(0, READINGS, BATCH):
                gateway.take(sent[start : start + BATCH], "file")
                tables = {each.table_id for each in sent[start : start + BATCH]}
                marks = {(EVENTS, table): spool.end(EVENTS, table) for table in tables}
                where = "kafka" if forwarder.when_forwarded(marks).result(ANSWER_S) else "spool"
                os.write(told, f"{start + BATCH} {where}\n".encode())
    sys.setprofile(None)


if __name__ == "__main__":
    main()
