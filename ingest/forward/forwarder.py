"""The forwarder: it sends the spool to Kafka, each lane in order, and loses nothing.

A pass finds the position of each new lane in Kafka, sends a batch of every waiting lane, checks for
forks, and answers the requests whose records have arrived. After an unclear error it sends the same
records again; readers drop twins by sequence and bytes. Memory holds one pass, however much waits.
"""

import hashlib
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import NamedTuple, Protocol

from ingest.forward import kafka_position, last_seen
from ingest.forward.fork_watch import Fork, ForkWatch, Placed, TopicShrunk
from ingest.forward.kafka_position import KafkaPosition, PositionSearch, TopicReader
from ingest.forward.lag import LagMeter, LaneLag
from ingest.forward.local_records import LocalEvents, LocalLetters, LocalRecords
from ingest.kafka.client import KafkaAway, TopicRemade
from ingest.local.cursor import Cursor
from ingest.local.spool import Spool
from ingest.log import EVENTS, GATEWAY_STREAMS, Lane, LogCorrupt, LogRecord, LogUnwritable
from ingest.seal import chain as event_chain
from ingest.service_log import log

LANE_RECORDS, LANE_BYTES = kafka_position.MAX_IN_FLIGHT, 1024 * 1024  # of one lane in a pass
ROUND_RECORDS, ROUND_BYTES = 4_000, 4 * 1024 * 1024  # of all lanes in a pass
BACKOFF_S = (0.1, 5.0)  # the first pause after a failure, and the longest
IDLE_S = 1.0
GATHER_S = 0.005  # pause after a small pass, so that the next one is larger
FORKS_CHECKED_EVERY_S = 2.0  # while nothing is sent
SEARCHED_PAGES = 8  # pages of one search in a pass


class RecordBatch(NamedTuple):
    """Some records of one lane, in order."""

    lane: Lane
    records: Sequence[LogRecord]


class SendResult(NamedTuple):
    """How many records of each batch, from its first on, Kafka acknowledged; and the error."""

    counts: Sequence[int]
    offsets: Sequence[Sequence[int]]  # of each batch; below 0 where Kafka named none
    error: LogUnwritable | None = None


class Sink(TopicReader, Protocol):
    """What the forwarder needs of Kafka."""

    def send(self, batches: Sequence[RecordBatch]) -> SendResult:
        """Send batches and wait until each record is acknowledged or failed."""
        ...

    def reset(self) -> None:
        """Close every connection; after an unclear error none can be trusted."""
        ...


class Forwarder:
    """Sends a spool to Kafka in passes; `run` repeats `step` until it is stopped."""

    def __init__(self, spool: Spool, sink: Sink) -> None:
        self._spool, self._sink = spool, sink
        self._lanes: dict[Lane, _ForwardedLane] = {}
        self._searches: dict[tuple[str, int], PositionSearch] = {}
        self._fork_watch = ForkWatch(sink, EVENTS, self._local_events)
        self._looked_at = float("-inf")
        self._first_lane = 0
        self._guard = threading.Lock()
        self._pending: list[_PendingAnswer] = []
        self._memory = last_seen.load(spool.log)
        self._lag_meter, self._measuring = LagMeter(spool.log), threading.Lock()
        self.kafka_error = ""  # why Kafka takes no records now; empty while it does
        self.kafka_answered = False  # whether Kafka has ever answered
        self.forwarded = 0
        self.lags: tuple[LaneLag, ...] = ()

    def step(self) -> int:
        """Make one pass; returns how many records it brought to Kafka."""
        ends = self._spool.ends()
        self._find_places(ends)
        batches = self._batches(ends)
        if not batches:
            self._answer()  # Kafka may hold everything already, from before a restart
            return 0
        sent = self._sink.send(batches)
        self.kafka_answered |= sent.error is None
        forks = self._watched(lambda: self._fork_watch.check(_placed(batches, sent)))
        for batch, count in zip(batches, sent.counts, strict=True):
            self._lanes[batch.lane].advance(count)
        self._stop(forks)
        moved = sum(sent.counts)
        self.forwarded += moved
        self._answer()
        if sent.error:
            raise sent.error
        return moved

    def run(self, stop: threading.Event) -> None:
        """Make passes until stopped; while Kafka is unreachable, retry at growing intervals."""
        pause, changes = BACKOFF_S[0], -1
        while not stop.is_set():
            try:
                moved = self.step()
                self.check_forks(FORKS_CHECKED_EVERY_S)
            except Exception as error:  # a thread that dies silently is worse
                if not isinstance(error, LogUnwritable):
                    log.exception("forwarding_failed")
                self.kafka_failed(error)
                stop.wait(pause)
                pause = min(2 * pause, BACKOFF_S[1])
            else:
                self._back()
                pause = BACKOFF_S[0]
                if self.searching:
                    continue
                if not moved:
                    changes = self._spool.wait(changes, IDLE_S)
                elif moved < LANE_RECORDS:
                    stop.wait(GATHER_S)

    @property
    def searching(self) -> bool:
        """Whether the position of some lane is still being searched."""
        return bool(self._searches)

    def check_forks(self, every_s: float = 0.0) -> None:
        """Check whether somebody else writes our tables, if the last check is `every_s` old."""
        if time.monotonic() - self._looked_at < every_s:
            return
        for stream in GATEWAY_STREAMS:  # notices a deleted topic even if we send it nothing
            self._sink.ends(stream)
        self._stop(self._watched(self._fork_watch.look))
        self.kafka_answered = True
        self._looked_at = time.monotonic()
        self._answer()

    def kafka_failed(self, error: Exception) -> None:
        """Note that Kafka failed, and answer every waiting request."""
        if not self.kafka_error:
            log.warning("kafka_lost", reason=str(error))
        with self._guard:
            self.kafka_error = str(error) or type(error).__name__
        self._sink.reset()
        self._searches.clear()
        if isinstance(error, TopicRemade):
            log.error("topic_remade", reason=str(error))
            self._forget_places()
        self._answer()

    def when_forwarded(self, marks: Mapping[Lane, int]) -> "Future[bool]":
        """A future: True once Kafka holds everything before `marks`, False if it fails first."""
        pending = _PendingAnswer(marks, Future())
        with self._guard:
            if not self._answered(pending):
                self._pending.append(pending)
        return pending.answer

    def measure_lag(self) -> None:
        """Update `lags`; any thread may call this."""
        with self._measuring:
            damaged = self._spool.damaged()
            found = [
                LaneLag(lane, 0, 0, wrong=why)
                for lane, why in sorted(damaged.items())
                if lane not in self._spool.ends()
            ]
            for lane, end in sorted(self._spool.ends().items()):
                known = self._lanes.get(lane)
                sent, wrong = (
                    (known.sent, known.wrong) if known else (self._memory.get(lane, 0), "")
                )
                wrong = wrong or damaged.get(lane, "")
                found.append(self._lag_meter.measure(lane, end, sent, wrong))
            self.lags = tuple(sorted(found))
            known_ends = {each.lane: each.forwarded for each in found if each.records}
            memory = dict(self._memory) | known_ends
            if memory != self._memory:
                self._memory = memory
                last_seen.save(self._spool.log, memory)

    def _find_places(self, ends: Mapping[Lane, int]) -> None:
        """Search the position of new lanes in Kafka, some pages at a time."""
        new: dict[tuple[str, int], dict[str, LocalRecords]] = {}
        for lane in sorted(ends):
            if lane not in self._lanes and ends[lane]:
                part = lane[0], self._sink.partition_of(*lane)
                if part not in self._searches:
                    records_here = local_records_of(self._spool, lane, ends[lane])
                    new.setdefault(part, {})[lane[1]] = records_here
        for part, lanes in new.items():
            self._searches[part] = PositionSearch(self._sink, *part, lanes)
        for part, search in list(self._searches.items()):
            if any(search.step() for _ in range(SEARCHED_PAGES)):
                del self._searches[part]
                self._begin(part[0], search.found)

    def _begin(self, stream: str, found: Mapping[str, KafkaPosition]) -> None:
        for key, stand in found.items():
            self._lanes[stream, key] = _ForwardedLane(self._spool, (stream, key), stand)
            if stream == EVENTS:
                self._fork_watch.add(key, stand)

    def _watched(self, look: Callable[[], Mapping[str, Fork]]) -> Mapping[str, Fork]:
        """What the fork watch finds; where the topic lost messages, search every lane again."""
        try:
            return look()
        except TopicShrunk as error:
            log.error("kafka_lost_messages", reason=str(error))
            self._forget_places()
            raise KafkaAway(f"Kafka lost messages that it had acknowledged: {error}") from error

    def _forget_places(self) -> None:
        """Search the position of every lane again."""
        self._fork_watch.clear()
        self._lanes.clear()

    def _stop(self, forks: Mapping[str, Fork]) -> None:
        for key, fork in forks.items():
            self._lanes[EVENTS, key].stop(fork)

    def _local_events(self, key: str) -> LocalRecords:
        lane = EVENTS, key
        return local_records_of(self._spool, lane, self._spool.end(*lane))

    def _batches(self, ends: Mapping[Lane, int]) -> list[RecordBatch]:
        """The next batches: a fair share of every waiting lane."""
        waiting = [lane for lane, each in sorted(self._lanes.items()) if each.waits(ends[lane])]
        # Each pass starts with another lane, so that busy lanes cannot starve one.
        self._first_lane = (self._first_lane + 1) % max(1, len(waiting))
        records, room, found = ROUND_RECORDS, ROUND_BYTES, list[RecordBatch]()
        for lane in waiting[self._first_lane :] + waiting[: self._first_lane]:
            if records <= 0 or room <= 0:
                break
            most = min(records, LANE_RECORDS), min(room, LANE_BYTES)
            taken = self._lanes[lane].take(ends[lane], *most)
            if taken:
                found.append(RecordBatch(lane, taken))
            records -= len(taken)
            room -= sum(len(record.body) for record in taken)
        return found

    def _back(self) -> None:
        if self.kafka_error:
            log.info("kafka_found")
            with self._guard:
                self.kafka_error = ""

    def _answer(self) -> None:
        with self._guard:
            self._pending = [each for each in self._pending if not self._answered(each)]

    def _answered(self, pending: "_PendingAnswer") -> bool:
        """Answer a request if Kafka has its records, or will not have them soon."""
        marks, answer = pending
        if answer.cancelled():
            return True
        lanes = {lane: self._lanes.get(lane) for lane in marks}
        there = all(each and each.sent >= marks[lane] for lane, each in lanes.items())
        stuck = self.kafka_error or any(each and each.wrong for each in lanes.values())
        if (there or stuck) and answer.set_running_or_notify_cancel():
            answer.set_result(there)
        return bool(there or stuck)


class _PendingAnswer(NamedTuple):
    marks: Mapping[Lane, int]
    answer: "Future[bool]"


class _ForwardedLane:
    """A lane whose position in Kafka is known."""

    def __init__(self, spool: Spool, lane: Lane, stand: KafkaPosition) -> None:
        self.sent, self.wrong, self._lane = stand.next, stand.wrong, lane
        self._cursor, self._log = Cursor(spool.log, lane, stand.next), spool.log
        self._before: tuple[int, bytes] | None = None  # next offset, hash of the record before it
        if self.wrong:
            self._tell()

    def cursor(self) -> Cursor:
        """The cursor at the next record to send, also after a pass that failed."""
        self._cursor.move_to(self.sent)
        return self._cursor

    def waits(self, end: int) -> bool:
        """Whether the lane has records to send."""
        return self.sent < end and not self.wrong

    def take(self, end: int, most_records: int, most_bytes: int) -> list[LogRecord]:
        """The next records; a damaged lane stops, and stops no other."""
        try:
            found = self.cursor().take(end, most_records, most_bytes)
            self._require_in_chain(found, self._cursor.peek(end))
            return found
        except (LogCorrupt, OSError) as error:
            self.wrong = str(error)
            log.error("lane_unreadable", reason=self.wrong)
            return []

    def _require_in_chain(self, found: Sequence[LogRecord], following: LogRecord | None) -> None:
        """Raise LogCorrupt unless the records continue the chain and fit the head."""
        if not found:
            return
        last, digest = found[-1], hashlib.sha256(found[-1].body).digest()
        known = self._log.head_of(*self._lane)
        if known:
            known.require_last_record(self._log.folder(*self._lane), last.offset, last.body)
        if self._lane[0] == EVENTS:
            chain = (*found, following) if following else found
            first, *_ = event_chain.links(chain, self._lane[1])
            at, before = self._before or (-1, b"")
            if at == first.offset and first.head["prev_hash"] != before:
                what = f"the event after {before.hex()[:8]}… expected, another found"
                raise LogCorrupt(f"table {self._lane[1]} offset {at}: {what}")
        self._before = last.offset + 1, digest

    def advance(self, count: int) -> None:
        """Count records as sent; the rest of the batch is read again."""
        self.sent += count

    def stop(self, fork: Fork) -> None:
        """Stop the lane: readers find another writer's record where ours should be."""
        self.sent, self.wrong = min(self.sent, fork.number), fork.why
        self._tell()

    def _tell(self) -> None:
        log.error("lane_stopped", lane="/".join(self._lane), reason=self.wrong)


def local_records_of(spool: Spool, lane: Lane, end: int) -> LocalRecords:
    """The local records of a lane before `end`."""
    stream, key = lane
    if stream == EVENTS:
        return LocalEvents(spool, key, spool.log.start(stream, key), end)
    return LocalLetters(spool, stream, key, end)


def _placed(batches: Sequence[RecordBatch], sent: SendResult) -> Placed:
    """The sequences and offsets of the acknowledged events, by table."""
    return {
        batch.lane[1]: [
            (record.offset, offset)
            for record, offset in zip(batch.records, offsets, strict=False)
            if offset >= 0
        ]
        for batch, offsets in zip(batches, sent.offsets, strict=True)
        if batch.lane[0] == EVENTS
    }
