"""A forwarder at work beside something else, or until all is forwarded."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from ingest.forward.forwarder import BACKOFF_S, Forwarder
from ingest.kafka.client import KafkaDenied
from ingest.local.spool import Spool
from ingest.log import LogUnwritable

MEASURED_EVERY_S = 1.0


@contextmanager
def forward_in_background(spool: Spool, forwarder: Forwarder) -> Iterator[None]:
    """Forward in a thread of its own until the block ends; what waits then is sent another time."""
    stop = threading.Event()
    threads = [
        threading.Thread(target=run, args=(stop,), name=name, daemon=True)
        for name, run in (("forwarder", forwarder.run), ("lag", partial(_measure, forwarder)))
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        spool.wake()
        for thread in threads:
            thread.join()
        forwarder.measure_lag()


def drain(forwarder: Forwarder, tell: Callable[[int], None], patience_s: float) -> None:
    """Forward all there is; LogUnwritable where Kafka is away for too long, or will not have us."""
    pause, since = BACKOFF_S[0], time.monotonic()
    try:
        while True:
            try:
                moved = forwarder.step()
            except LogUnwritable as error:
                forwarder.kafka_failed(error)
                if isinstance(error, KafkaDenied) or time.monotonic() + pause - since > patience_s:
                    raise
                time.sleep(pause)
                pause = min(2 * pause, BACKOFF_S[1])
                continue
            if not moved and not forwarder.searching:
                return
            tell(moved)
            pause, since = BACKOFF_S[0], time.monotonic()
    finally:
        forwarder.measure_lag()


def _measure(forwarder: Forwarder, stop: threading.Event) -> None:
    """Keep the figures fresh, even while Kafka is waited for."""
    while not stop.wait(MEASURED_EVERY_S):
        forwarder.measure_lag()
