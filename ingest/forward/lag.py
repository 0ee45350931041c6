"""Lag of the spool: how much of each lane waits for Kafka, and since when."""

from typing import NamedTuple

from ingest import dead_letter
from ingest.local.cursor import Cursor
from ingest.local.log import LocalLog
from ingest.log import EVENTS, Lane, LogCorrupt, LogRecord
from ingest.seal import chain as event_chain
from schemas import codec


class LaneLag(NamedTuple):
    """One lane: records here and in Kafka, bytes that wait, and when the oldest of them arrived."""

    lane: Lane
    records: int
    forwarded: int
    bytes_waiting: int = 0
    oldest_at: int | None = None  # UTC microseconds
    wrong: str = ""

    @property
    def lag(self) -> int:
        """How many records wait for Kafka."""
        return max(0, self.records - self.forwarded)


class LagMeter:
    """Measures lanes with cursors of its own, independent of the forwarder's."""

    def __init__(self, log: LocalLog) -> None:
        self._log, self._cursors = log, dict[Lane, Cursor]()

    def measure(self, lane: Lane, end: int, sent: int, wrong: str = "") -> LaneLag:
        """The lag of a lane; trimmed records count as sent."""
        sent = min(max(sent, self._log.start(*lane)), end)
        if sent == end:
            return LaneLag(lane, end, sent, wrong=wrong)
        cursor = self._cursors.setdefault(lane, Cursor(self._log, lane, sent))
        try:
            cursor.move_to(sent)
            size, first = cursor.bytes_left(), cursor.peek(end)
            oldest_at = _came_at(lane, first) if first else None
        except (LogCorrupt, OSError, *codec.UNREADABLE) as error:
            return LaneLag(lane, end, sent, wrong=wrong or str(error))
        return LaneLag(lane, end, sent, size, oldest_at, wrong)


def _came_at(lane: Lane, record: LogRecord) -> int:
    stream, key = lane
    if stream == EVENTS:
        (link,) = event_chain.links((record._replace(offset=1),), key)
        at: int = link.head["ingested_at"]
        return at
    return dead_letter.decode(record.body).received_at
