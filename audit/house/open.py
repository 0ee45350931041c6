"""The local log open for writing, with a forwarder to Kafka if one is set."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from audit.cli import screen
from audit.cli.errors import Code, Stopped, explained
from ingest.forward.forwarder import Forwarder
from ingest.forward.kafka_sink import KafkaSink
from ingest.forward.run import drain
from ingest.gateway import Gateway
from ingest.kafka.client import Kafka, KafkaAway, KafkaDenied
from ingest.local import trim_note
from ingest.local.log import LocalLog
from ingest.local.spool import Spool
from ingest.log import GATEWAY_STREAMS, LogUnwritable

STOPPED_STEP = (
    '"A table is stopped" in docs/operating.md says what to do; its events are safe on disk'
)


class OpenHouse(NamedTuple):
    """The log, its spool, and the forwarder; None without Kafka."""

    log: LocalLog
    spool: Spool
    forwarder: Forwarder | None

    def gateway(self, *, trusts_received_at: bool = False) -> Gateway:
        """A gateway that writes to the log."""
        known = partial(trim_note.load, self.log)
        return Gateway(self.spool, now, trusts_received_at=trusts_received_at, trimmed=known)


@contextmanager
def opened(root: Path, kafka: Kafka | None) -> Iterator[OpenHouse]:
    """Open the log for writing; no other process can write it until the block ends."""
    with LocalLog(root, GATEWAY_STREAMS) as log:
        spool = Spool(log, GATEWAY_STREAMS)
        if kafka is None:
            yield OpenHouse(log, spool, None)
            return
        with KafkaSink(kafka) as sink:
            yield OpenHouse(log, spool, Forwarder(spool, sink))


class Unsent(NamedTuple):
    """Why something was not forwarded: Kafka's error, or tables that a person must look at."""

    error: LogUnwritable | None = None
    stopped: str = ""

    @property
    def denied(self) -> bool:
        """Whether Kafka denies us access, so that trying again is no use."""
        return isinstance(self.error, KafkaDenied)

    @property
    def why(self) -> str:
        """Both reasons in a line; empty if everything was forwarded."""
        return "; ".join(filter(None, (str(self.error or ""), self.stopped)))

    def require_sent(self) -> None:
        """Stop the command if something waits for Kafka."""
        if self.error:
            stopped = explained(self.error)
            again = "nothing is lost: the rest is on disk; run the same command again"
            step = again if type(self.error) is KafkaAway else stopped.next_step
            raise Stopped(f"not everything could be forwarded: {self.error}", step, stopped.code)

    def require_no_stopped_table(self) -> None:
        """Stop the command if a table is stopped."""
        if self.stopped:
            what = f"not everything may be forwarded: {self.stopped}"
            raise Stopped(what, STOPPED_STEP, Code.UNVERIFIED)


def forward_all(forwarder: Forwarder, patience_s: float) -> Unsent:
    """Forward everything that waits for Kafka; return why something was left."""
    forwarder.measure_lag()
    waiting = sum(each.lag for each in forwarder.lags)
    with screen.progress("forward", waiting, "records") as advance:
        try:
            drain(forwarder, advance, patience_s)
        except LogUnwritable as error:
            return Unsent(error)
    return Unsent(stopped="; ".join(each.wrong for each in forwarder.lags if each.wrong))


def now() -> int:
    """The time in UTC microseconds."""
    return time.time_ns() // 1_000
