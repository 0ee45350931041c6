"""From Kafka to the archive: it reads every table's events and keeps them beyond Kafka's retention.

The read offsets are saved in the archive's folder, after the events are on disk. After a crash some
messages are read again; the archive already holds them and drops them as twins.
"""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from ingest.archive.index import OFFSETS
from ingest.archive.store import ArchiveWriter
from ingest.disk import Disk
from ingest.kafka.consumer import PartitionId
from ingest.kafka.event_sorter import Message, SortedEvent, Sorter, StrayMessage, UnknownEvent
from ingest.log import LogCorrupt
from ingest.parse.framing import Unframe, unframe
from ingest.service_log import log

BATCH = 5_000  # messages that are forced to disk together
WAIT_S = 0.2
CHECKED_EVERY_S = 5.0  # whether the topic was deleted or created anew


class Topic(Protocol):
    """What the archiver needs of a consumer of the events topic."""

    @property
    def assigned(self) -> tuple[PartitionId, ...]:
        """Its partitions."""
        ...

    @property
    def positions(self) -> dict[PartitionId, int]:
        """The next offset to read of each."""
        ...

    def seek(self, offsets: Mapping[PartitionId, int]) -> None:
        """Continue at these offsets."""
        ...

    def poll(self, max_records: int = ..., timeout_s: float = ...) -> list[Message]:
        """The next messages."""
        ...

    def starts(self) -> dict[PartitionId, int]:
        """The first offset that each partition still holds."""
        ...

    def ends(self) -> dict[PartitionId, int]:
        """The offset after the last message of each."""
        ...

    def require_all_partitions(self) -> None:
        """Raise KafkaAway where the topic is missing or was created anew."""
        ...


class ArchiveCounts(NamedTuple):
    """How many messages were of each kind."""

    events: int = 0
    twins: int = 0
    strays: int = 0
    sealed: int = 0  # parts that were sealed
    stopped: int = 0  # messages of damaged tables, read again after the repair

    def plus(self, more: "ArchiveCounts") -> "ArchiveCounts":
        """The sum of both."""
        return ArchiveCounts(*(mine + theirs for mine, theirs in zip(self, more, strict=True)))


class Archiver:
    """Copies messages into an archive, batch by batch."""

    def __init__(
        self,
        root: Path,
        writer: ArchiveWriter,
        topic: Topic,
        send_strays: Callable[[Sequence[StrayMessage]], None],
        unframed: Unframe = unframe,
        *,
        again: bool = False,
    ) -> None:
        """With `again`, read from the topic's first message; what the archive holds is a twin."""
        self._root, self._writer, self._topic, self._send_strays = root, writer, topic, send_strays
        self._sorter = Sorter(unframed, writer.positions())
        self._disk = Disk()
        self._resume_at: dict[PartitionId, int] = {}  # of a damaged table: its first message
        self._seek(again=again)

    @property
    def stopped(self) -> Mapping[str, Exception]:
        """The damaged tables, to which nothing is added, and what is wrong with each."""
        return self._writer.stopped

    def batch(self, timeout_s: float = WAIT_S) -> ArchiveCounts:
        """Archive the next messages; they are on disk when this returns."""
        messages = self._topic.poll(BATCH, timeout_s)
        if not messages:
            return ArchiveCounts()
        events: list[SortedEvent] = []
        strays: list[StrayMessage] = []
        aside: list[Message] = []
        try:
            for message in messages:
                if self._is_aside(message):
                    aside.append(message)
                    continue
                match self._sorter.sort(message):
                    case SortedEvent() as event:
                        events.append(event)
                    case StrayMessage() as stray:
                        strays.append(stray)
        except UnknownEvent:
            self._writer.take(events)  # the saved offsets stay before it
            raise
        sealed = self._writer.take(events)
        if strays:
            self._send_strays(strays)
        refused = [event.message for event in events if event.event.table_id in self.stopped]
        for message in (*aside, *refused):
            part = PartitionId(message.topic, message.partition)
            self._resume_at[part] = min(message.offset, self._resume_at.get(part, message.offset))
        self._save()
        twins = len(messages) - len(events) - len(strays) - len(aside)
        kept, stopped = len(events) - len(refused), len(aside) + len(refused)
        return ArchiveCounts(kept, twins, len(strays), sealed, stopped)

    def until_end(self, tell: Callable[[int], None] = lambda _: None) -> ArchiveCounts:
        """Archive everything that the topic holds now; `tell` gets the count of each batch."""
        ends, done = self._topic.ends(), ArchiveCounts()
        while any(at < ends[part] for part, at in self._topic.positions.items()):
            more = self.batch()
            tell(sum(more[:3]))
            done = done.plus(more)
        return done

    def until_idle(
        self, idle_s: float | None, stop: Callable[[], bool], tell: Callable[[ArchiveCounts], None]
    ) -> ArchiveCounts:
        """Archive until stopped, or until no message came for `idle_s`."""
        done, last = ArchiveCounts(), time.monotonic()
        checked = last
        while not stop():
            if time.monotonic() - checked >= CHECKED_EVERY_S:
                self._topic.require_all_partitions()
                checked = time.monotonic()
            more = self.batch()
            done = done.plus(more)
            if any(more):
                last = time.monotonic()
                tell(more)
            elif idle_s is not None and time.monotonic() - last > idle_s:
                break
        return done

    def behind(self) -> int:
        """How many messages wait in the topic."""
        ends = self._topic.ends()
        return sum(ends[part] - at for part, at in self._topic.positions.items())

    def _is_aside(self, message: Message) -> bool:
        return bool(self.stopped) and (message.key or b"").decode("utf-8", "replace") in (
            self.stopped
        )

    def _seek(self, *, again: bool) -> None:
        saved = self._saved()
        starts, ends = self._topic.starts(), self._topic.ends()
        for part, first in starts.items():
            at = saved.get(part, 0)
            if at < first:
                raise LogCorrupt(
                    f"{part.topic}/{part.partition}: offset {at} expected, it begins at {first}: "
                    f"what lay between was deleted before {self._root} had it"
                )
            if at > ends[part]:  # made anew: every offset in it is another one
                log.warning("topic_remade", partition=part.partition, saved=at, end=ends[part])
                again = True
        self._topic.seek(starts if again else {part: saved.get(part, 0) for part in starts})

    def _saved(self) -> dict[PartitionId, int]:
        place = self._root / OFFSETS
        if not place.exists():
            return {}
        try:
            said = json.loads(place.read_text("utf-8"))
            return {
                PartitionId(topic, int(partition)): int(offset)
                for topic, parts in said.items()
                for partition, offset in parts.items()
            }
        except (ValueError, AttributeError) as error:
            raise LogCorrupt(f"{place}: offsets of topics expected, {error} found") from error

    def _save(self) -> None:
        found: dict[str, dict[str, int]] = {}
        for part, offset in sorted(self._topic.positions.items()):
            reached = min(offset, self._resume_at.get(part, offset))
            found.setdefault(part.topic, {})[str(part.partition)] = reached
        body = json.dumps(found, sort_keys=True, indent=1) + "\n"
        self._disk.create(self._root / OFFSETS, body.encode())
