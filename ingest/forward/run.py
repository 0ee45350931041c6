"""Running a forwarder: in the background of another service, or until the spool is empty."""

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
    """Forward in a thread until the block ends; what waits then stays in the spool."""
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
    """Forward everything; LogUnwritable where Kafka is unreachable too long or refuses us."""
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
    """Update the lags, also while the forwarder waits for Kafka."""
    while not stop.wait(MEASURED_EVERY_S):
        forwarder.measure_lag()
