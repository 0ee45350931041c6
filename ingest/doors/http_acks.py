"""When a device gets its answer: Kafka has its readings, or the disk has and Kafka is slow."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from enum import Enum
from typing import Any, NamedTuple

from ingest.forward.forwarder import Forwarder
from ingest.forward.lag import LaneLag
from ingest.local.spool import Spool
from ingest.log import Lane
from ingest.service_log import log

WAIT_S = 2.0
MAX_WAITING = 64  # answers that may wait for Kafka; further ones do not wait
SOFT_BYTES = 1024**3
HARD_BYTES = 8 * 1024**3


class Level(Enum):
    """How much of the spool waits for Kafka."""

    LOW = "low"
    SPOOLING = "spooling"  # above the soft limit: an operator should look
    FULL = "full"  # above the hard limit: devices get 503


class Limits(NamedTuple):
    """How long an answer waits for Kafka, and how many bytes may wait on disk."""

    wait_s: float = WAIT_S
    soft_bytes: int = SOFT_BYTES
    hard_bytes: int = HARD_BYTES


DEFAULT_LIMITS = Limits()


class Acks:
    """Decides for the HTTP door where readings are stored, by asking the forwarder."""

    def __init__(self, spool: Spool, forwarder: Forwarder, limits: Limits = DEFAULT_LIMITS) -> None:
        self._spool, self._forwarder, self._limits = spool, forwarder, limits
        self._waiting = 0
        self._told = Level.LOW
        self.given = Counter[str]()  # answers by where the readings were stored

    async def stored(self, lanes: Iterable[Lane]) -> str:
        """Where the present records of these lanes are: `kafka`, or only the `spool`."""
        marks = {lane: self._spool.end(*lane) for lane in lanes}
        where = "kafka" if await self._forwarded(marks) else "spool"
        self.given[where] += 1
        return where

    def level(self) -> Level:
        """The level of the spool; a change is logged."""
        waiting = sum(each.bytes_waiting for each in self._forwarder.lags)
        level = Level.LOW if waiting <= self._limits.soft_bytes else Level.SPOOLING
        level = Level.FULL if waiting > self._limits.hard_bytes else level
        if level is not self._told:
            say = log.info if level is Level.LOW else log.error
            say("spool_level_changed", now=level.value, bytes=waiting, was=self._told.value)
            self._told = level
        return level

    def lags(self) -> tuple[LaneLag, ...]:
        """The lag of each lane."""
        return self._forwarder.lags

    def health(self) -> dict[str, Any]:
        """The state of forwarding, for /health."""
        found = self._forwarder.lags
        heard = "ok" if self._forwarder.kafka_answered else "unknown"
        return {
            "state": "away" if self._forwarder.kafka_error else heard,
            "reason": self._forwarder.kafka_error,
            "lag": sum(each.lag for each in found),
            "bytes_waiting": sum(each.bytes_waiting for each in found),
            "oldest_at": min((each.oldest_at for each in found if each.oldest_at), default=None),
            "stopped": {"/".join(each.lane): each.wrong for each in found if each.wrong},
        }

    async def _forwarded(self, marks: dict[Lane, int]) -> bool:
        answer = self._forwarder.when_forwarded(marks)
        if answer.done():
            return answer.result()
        if self._waiting >= MAX_WAITING:
            answer.cancel()
            return False
        self._waiting += 1
        try:
            return await asyncio.wait_for(asyncio.wrap_future(answer), self._limits.wait_s)
        except TimeoutError:
            return False
        finally:
            self._waiting -= 1
