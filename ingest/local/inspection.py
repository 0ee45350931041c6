"""Inspection: a service that keeps a log open checks it in the background and reports damage.

It reads the whole log at the start and every hour. In between, every few seconds, it reads the last
record of each partition that was written to, and everything that is damaged, until it is repaired.
"""

import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from ingest.local.log import LocalLog
from ingest.log import EVENTS, GATEWAY_STREAMS, Lane, LogCorrupt
from ingest.seal import chain as event_chain
from ingest.service_log import log

AGAIN_S = 5.0
WHOLE_EVERY_S = 3600.0


class Inspector:
    """Checks the log of a house, and keeps which lanes are damaged and how."""

    def __init__(self, house: LocalLog) -> None:
        self._log = house
        self.damaged: Mapping[Lane, str] = {}

    def check_all(self) -> None:
        """Read everything."""
        lanes = (
            (stream, name) for stream in GATEWAY_STREAMS for name in self._log.partitions(stream)
        )
        self._note({lane: self._wrong(lane) for lane in lanes})

    def check_again(self) -> None:
        """Read what was damaged, and the last record of what was written to."""
        found = {lane: self._wrong(lane) for lane in self.damaged}
        tails = {lane: str(error) for lane, error in self._log.wrong_tails()}
        self._note(dict(self.damaged) | found | tails)

    def run(self, stop: threading.Event) -> None:
        """Check until `stop` is set."""
        self.check_all()
        waited = 0.0
        while not stop.wait(AGAIN_S):
            waited += AGAIN_S
            if waited < WHOLE_EVERY_S:
                self.check_again()
            else:
                self.check_all()
                waited = 0.0

    def _wrong(self, lane: Lane) -> str:
        """The damage of a lane; empty where there is none."""
        try:
            for _ in _walked(self._log, lane):
                pass
        except (LogCorrupt, OSError) as error:
            return str(error)
        return ""

    def _note(self, found: Mapping[Lane, str]) -> None:
        damaged = {lane: why for lane, why in sorted(found.items()) if why}
        for lane in damaged.keys() - self.damaged.keys():
            log.error("log_damaged", lane="/".join(lane), reason=damaged[lane])
        for lane in self.damaged.keys() - damaged.keys():
            log.info("log_mended", lane="/".join(lane))
        self.damaged = damaged


@contextmanager
def inspecting(house: LocalLog) -> Iterator[Inspector]:
    """Run an inspector in its own thread until the block ends."""
    inspector, stop = Inspector(house), threading.Event()
    thread = threading.Thread(target=inspector.run, args=(stop,), name="inspector", daemon=True)
    thread.start()
    try:
        yield inspector
    finally:
        stop.set()
        thread.join(AGAIN_S)


def _walked(house: LocalLog, lane: Lane) -> Iterable[object]:
    stream, name = lane
    records = house.read(stream, name)
    return event_chain.links(records, name) if stream == EVENTS else records
