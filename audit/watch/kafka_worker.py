"""The live service on Kafka: a worker of a group that shares the house's partitions.

Offsets are committed behind everything that was published of the messages before them. Whoever
takes a partition over begins where its oldest open table-day began, comes silently to the committed
offset, and reads from the topics what was published after it: nothing is lost, nothing repeated.
"""

import gc
import json
import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from audit.checks.run import CheckFinding
from audit.watch.live_checks import LiveChecks
from audit.watch.metrics import WatchMetrics
from audit.watch.partition import Begun, DayKey, RoundKey, Share, round_key
from audit.watch.published import PublishedFinding
from audit.watch.publisher_loop import SHARED, Out, PublisherLoop
from ingest.kafka import confluent_framing, topics
from ingest.kafka.bury_strays import DeadLetterSender
from ingest.kafka.client import Kafka
from ingest.kafka.consumer import Committed, PartitionId, Rebalanced, TopicConsumer
from ingest.kafka.event_sorter import Message
from ingest.kafka.producer import OutgoingMessage, TopicProducer
from ingest.kafka.retry import KafkaRetry
from ingest.service_log import log
from schemas import events as e
from schemas import published
from schemas.shape import Refused

STREAMS = ("derived", "findings")
ROLE = "watch"
BATCH = 2_000  # messages that are taken in at once
POLL_S = 0.2
COMMIT_S = 1.0
SESSION_S = 10.0  # a worker that was not heard of for so long is dead to the group
JOIN_S = 3 * SESSION_S  # until a group that lost a worker has given its partitions out
AWAY_S = 30.0  # a run that is to end when it is idle waits no longer for Kafka, or as long as that


class Since(NamedTuple):
    """What a commit says beside its offset: where to begin from in each topic."""

    rewind: int = 0
    derived: int = 0
    findings: int = 0
    told: int = 0  # findings from here on may be of what lies behind the offset

    @classmethod
    def read(cls, committed: Committed | None) -> "Since":
        """What was written down; from the start of everything where nothing was."""
        return cls(**json.loads(committed.metadata)) if committed else cls()

    def __str__(self) -> str:
        return json.dumps(self._asdict(), separators=(",", ":"))


class _Read(NamedTuple):
    """What was published, as a share begins with it."""

    rounds: dict[RoundKey, str]
    findings: dict[DayKey, dict[str, PublishedFinding]]
    later: dict[DayKey, list[PublishedFinding]]


class WatchWorker:
    """One worker."""

    def __init__(
        self,
        kafka: Kafka,
        tell: Callable[[Sequence[e.Finding]], None],
        metrics: WatchMetrics,
        *,
        stopped: Callable[[], bool],
        group: str = "",
        name: str = "",
        idle_s: float | None = None,
    ) -> None:
        """A worker that comes back under its `name` has its partitions again at once.

        With `idle_s` it ends when nothing came for so many seconds, and where Kafka stays away.
        """
        self._kafka, self._tell, self._metrics = kafka, tell, metrics
        self._stopped, self._idle_s = stopped, idle_s
        self._insist = KafkaRetry(
            stopped, None if idle_s is None else max(idle_s, AWAY_S)
        ).call_with_retry
        self._framings = {
            name: confluent_framing.framing_of(kafka, name) for name in ("events", *STREAMS)
        }
        self._outbox = TopicProducer(kafka)
        letters = DeadLetterSender(kafka, self._outbox, ROLE, lambda: time.time_ns() // 1_000)
        self._loop = PublisherLoop(
            LiveChecks(), self._publish, letters.send, time.monotonic, metrics
        )
        self._insist(self._must_be_even)
        self._tail = self._insist(
            lambda: TopicConsumer(
                kafka,
                ("events",),
                group=group or topics.group(kafka, ROLE),
                gained=self._gained,
                lost=self._lost,
                group_instance_id=name or None,
                session_timeout_ms=int(SESSION_S * 1_000),
            )
        )
        self._journal: TopicConsumer | None = None
        self._committed_at = time.monotonic()
        self._parked: dict[int, Share] = {}
        self._gained_some = False

    def run(self) -> None:
        """Watch until told to stop, or until there is nothing to do; Halted while Kafka is away."""
        heard = time.monotonic() + JOIN_S
        while not self._stopped():
            if self._insist(self.step) or (self._gained_some and heard > time.monotonic()):
                heard = time.monotonic()
            elif self._quiet_since(heard) and not self._insist(self._measured_lag):
                break
        if not self._gained_some:
            log.warning("no_partitions_gained")
        if not self._stopped():
            self._loop.tidy(idle=True)
        self._insist(self._commit)

    def step(self) -> bool:
        """Take in what comes next; whether anything came."""
        messages = self._tail.poll(BATCH, POLL_S)
        mine = [message for message in messages if message.partition in self._loop.shares]
        if mine:
            self._loop.take(mine)
        self._loop.tidy()
        if time.monotonic() - self._committed_at >= COMMIT_S:
            self._commit()
        return bool(mine)

    def close(self) -> None:
        """Leave the group."""
        gc.unfreeze()
        self._tail.close()
        self._outbox.close()
        if self._journal:
            self._journal.close()

    def _quiet_since(self, heard: float) -> bool:
        """Whether it may be time to end; where Kafka is slow or away nothing comes either."""
        return self._idle_s is not None and time.monotonic() - heard >= self._idle_s

    def _publish(self, out: Out) -> None:
        rounds = (self._outgoing("derived", record) for record in out.rounds)
        findings = (self._outgoing("findings", record) for record in out.findings)
        outgoing = [*rounds, *findings]
        # It is noted as published already, so it must arrive before anything else.
        self._insist(lambda: self._outbox.send(outgoing))
        if out.findings:
            self._tell(out.findings)

    def _outgoing(self, stream: str, record: e.Finding | e.DerivedRound) -> OutgoingMessage:
        frame = self._framings[stream].frame
        fingerprint = published.SCHEMAS[type(record)].fingerprint
        value = frame(published.encode(record), fingerprint)
        return OutgoingMessage(self._kafka.topic(stream), record.table_id.encode(), value)

    def _commit(self) -> None:
        self._committed_at = time.monotonic()
        self._spare_collector()
        shares = self._loop.shares
        if not shares:
            self._tail.counts()  # it is asked for in vain where the topic is gone
        moved = {n: share for n, share in shares.items() if share.position > share.committed}
        self._metrics.tables.set(self._loop.tables)
        if not moved:
            return
        ends = self._ends()
        words = {}
        for n, share in moved.items():
            told = share.findings_end = ends["findings", n]
            since = Since(share.rewind(), ends["derived", n], share.findings_from(), told)
            words[self._part(n)] = since
        offsets = {self._part(n): share.position for n, share in moved.items()}
        try:
            self._tail.commit(offsets, {part: str(since) for part, since in words.items()})
        except Rebalanced:
            log.info("commit_too_late", partitions=sorted(moved))
            return
        for share in moved.values():
            share.committed = share.position
        self._measured_lag()

    def _spare_collector(self) -> None:
        """Take what lives on out of the collector's sight: a table-day's values make no circles."""
        gc.collect(1)
        gc.freeze()

    def _measured_lag(self) -> int:
        """How many messages wait for us."""
        ends, shares = self._tail.ends(), self._loop.shares
        behind = sum(ends[self._part(n)] - share.position for n, share in shares.items())
        self._metrics.lag.set(behind)
        self._metrics.passed.set(sum(share.passed for share in shares.values()))
        return behind

    def _lost(self, parts: Sequence[PartitionId]) -> None:
        """Put shares aside: they may be ours again in a moment."""
        for part in parts:
            if part.partition in self._loop.shares:
                self._parked[part.partition] = self._loop.shares.pop(part.partition)

    def _gained(self, parts: Sequence[PartitionId]) -> None:
        self._insist(lambda: self._begin(parts))

    def _begin(self, parts: Sequence[PartitionId]) -> None:
        self._metrics.rebalances.inc()
        self._gained_some = True
        numbers = [part.partition for part in parts]
        committed = self._committed(parts)
        since = {part.partition: Since.read(committed.get(part)) for part in parts}
        read = self._read_back(numbers, since)
        begun = {
            part.partition: Begun(
                since[part.partition].rewind,
                committed[part].offset if part in committed else 0,
                *read,
            )
            for part in parts
        }
        for n, share in self._parked.items():
            self._loop.shares[n] = share
            if n not in begun or share.committed != begun[n].done:
                self._loop.give_up(n)  # somebody else came further
            else:
                share.resume(begun[n])
        self._parked = {}
        unframe = self._framings["events"].unframe
        for n in begun.keys() - self._loop.shares.keys():
            self._loop.shares[n] = Share(unframe, begun[n], since[n].findings)
        self._tail.seek({part: self._loop.shares[part.partition].position for part in parts})
        self._metrics.partitions.set(len(self._loop.shares))
        log.info("partitions_gained", partitions=numbers)

    def _committed(self, parts: Sequence[PartitionId]) -> dict[PartitionId, Committed]:
        """What the group wrote down, but for topics that were made anew since and are shorter."""
        ends, found = self._tail.ends(), self._tail.committed(parts)
        gone = sorted(part for part, said in found.items() if said.offset > ends.get(part, 0))
        if gone:
            log.warning("topic_remade", partitions=[part.partition for part in gone])
        return {part: said for part, said in found.items() if part not in gone}

    def _must_be_even(self) -> None:
        """A table has the same number in every topic, or nobody finds what was published of it."""
        with TopicConsumer(self._kafka, ("events", *STREAMS)) as tail:
            topics.require_even_partitions(self._kafka, tail.counts())

    def _read_back(self, numbers: Iterable[int], since: dict[int, Since]) -> "_Read":
        """What was published of some partitions from the places a commit names."""
        if self._journal:
            self._journal.close()
        self._journal = TopicConsumer(self._kafka, STREAMS, partitions=numbers)
        topics.require_even_partitions(self._kafka, self._tail.counts() | self._journal.counts())
        starts = self._journal.starts()
        self._journal.seek(
            {
                part: max(getattr(since[part.partition], self._stream(part)), first)
                for part, first in starts.items()
            }
        )
        ends = self._journal.ends()
        read = _Read({}, {}, {})
        while any(at < ends[part] for part, at in self._journal.positions.items()):
            for message in self._journal.poll(BATCH):
                self._learn(message, read, since[message.partition].told)
        return read

    def _learn(self, message: Message, read: "_Read", told_before: int) -> None:
        stream = self._stream(PartitionId(message.topic, message.partition))
        try:
            _, body = self._framings[stream].unframe(message.value or b"")
        except Refused as why:
            log.warning(
                "published_unread", topic=message.topic, offset=message.offset, why=str(why)
            )
            return
        if stream == "derived":
            judged = published.decode_round(body)
            read.rounds[round_key(judged)] = judged.digest
            return
        told = published.decode_finding(body)
        values = {name: getattr(told, name) for name in SHARED}
        entry = PublishedFinding(CheckFinding(**values), told.version, told.state, told.appended_at)
        day = told.table_id, told.day_seq
        if message.offset < told_before:
            read.findings.setdefault(day, {})[told.finding_id] = entry
        else:
            read.later.setdefault(day, []).append(entry)

    def _ends(self) -> dict[tuple[str, int], int]:
        assert self._journal is not None, "partitions are gained before anything is committed"
        found = self._journal.ends()
        return {(self._stream(part), part.partition): end for part, end in found.items()}

    def _stream(self, part: PartitionId) -> str:
        return part.topic.removeprefix(self._kafka.prefix)

    def _part(self, partition: int) -> PartitionId:
        return PartitionId(self._kafka.topic("events"), partition)
