"""One partition's share of the house: its tables' open days, and how far it was taken in."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from audit.watch.published import PublishedFinding, PublishedFindings
from ingest.kafka.event_sorter import Message, SortedEvent, Sorter, StrayMessage
from ingest.parse.framing import Unframe
from replay import rulebooks
from replay.live.table_day import LiveTable, Settled
from schemas import events as e
from schemas.events import DerivedRound

DayKey = tuple[str, int]  # a table, and the place of its day's first event
RoundKey = tuple[str, int, str, int]  # the same, the round and its version


class Begun(NamedTuple):
    """Where a share begins, and what was published of it before."""

    start: int = 0  # the first offset that is read
    done: int = 0  # everything before this offset is published
    rounds: Mapping[RoundKey, str] = {}
    findings: Mapping[DayKey, Mapping[str, PublishedFinding]] = {}  # of what lies before `done`
    later: Mapping[DayKey, Sequence[PublishedFinding]] = {}  # of what lies behind it


class OpenDay:
    """A table-day that is played, or may still hear from a late device."""

    def __init__(self, live: LiveTable, seq: int, start: int, findings_from: int) -> None:
        self.live, self.seq = live, seq
        self.start, self.findings_from = start, findings_from  # offsets, to begin again from
        self.published_findings = PublishedFindings()
        self.appended_at = 0  # of its latest event
        self.close_due = False

    @property
    def key(self) -> DayKey:
        """Which table-day it is."""
        return self.live.table_id, self.seq

    @property
    def alarmed(self) -> bool:
        """Whether something came that is worth a look beyond the rounds."""
        return self.live.daylong.alarmed

    @property
    def silent(self) -> bool:
        """Whether a device has not been heard of for too long."""
        return self.live.daylong.silent


class Fresh(NamedTuple):
    """A round that settled, and the message that settled it."""

    day: OpenDay
    settled: Settled
    appended_at: int
    silent: bool  # it was published before


class Share:
    """Takes in a partition's messages; no I/O in here."""

    def __init__(self, unframe: Unframe, begun: Begun, findings_end: int) -> None:
        self.days: dict[str, OpenDay] = {}
        self.position = begun.start
        self.committed = begun.done  # offset of the last commit; 0 where there was none
        self.findings_end = findings_end  # as the last commit knew it
        self.passed = 0  # events of table-days that began before us
        self.appended_at = 0
        self._begun, self._seen = begun, set[str]()
        self._sorter = Sorter(unframe, anywhere=True)

    def sort(self, message: Message) -> SortedEvent | StrayMessage | None:
        """The event a message is; None for a twin and for what began before us."""
        self.position, self.appended_at = message.offset + 1, message.appended_at
        found = self._sorter.sort(message)
        if isinstance(found, SortedEvent):
            self._seen.add(found.event.table_id)
        if isinstance(found, StrayMessage) and (self.silent(message) or self._unbegun(found)):
            return None
        return found

    def silent(self, message: Message) -> bool:
        """Whether what comes of a message was published before."""
        return message.offset < self._begun.done

    def ends(self, good: SortedEvent) -> OpenDay | None:
        """The table-day that ends because another one begins."""
        opens = isinstance(good.event.payload, e.TableOpened)
        return self.days.get(good.event.table_id) if opens else None

    def add(self, good: SortedEvent) -> Iterator[Fresh]:
        """Take in the next event of a table."""
        day = self._day(good)
        if day is None:
            self.passed += 1
            return
        message = good.message
        day.appended_at = message.appended_at
        if isinstance(good.event.payload, e.TableClosed) or day.live.closed_at is not None:
            day.close_due = True
        for settled in day.live.add(good.event, good.sha256):
            yield Fresh(day, settled, message.appended_at, self.silent(message))

    def published(self, key: RoundKey, digest: str) -> bool:
        """Whether a version of a round was published after the last commit."""
        return self._begun.rounds.get(key) == digest

    def resume(self, begun: Begun) -> None:
        """Go on after others had the partition and came no further, but may have published."""
        self._begun = begun._replace(start=self._begun.start)
        for day in self.days.values():
            day.published_findings.learn(begun.later.get(day.key, ()))

    def rewind(self) -> int:
        """The offset to begin from for whoever takes over."""
        return min((day.start for day in self.days.values()), default=self.position)

    def findings_from(self) -> int:
        """Where the findings of the open days begin in their topic, or before that."""
        return min((day.findings_from for day in self.days.values()), default=self.findings_end)

    def _day(self, good: SortedEvent) -> OpenDay | None:
        event = good.event
        opens = isinstance(event.payload, e.TableOpened)
        if opens or event.seq == 0:
            name = event.payload.gaming_day if isinstance(event.payload, e.TableOpened) else ""
            live = LiveTable(event.table_id, name, rulebooks.in_force)
            day = OpenDay(live, event.seq, good.message.offset, self.findings_end)
            day.published_findings = PublishedFindings(
                self._begun.findings.get(day.key), self._begun.later.get(day.key, ())
            )
            self.days[event.table_id] = day
        return self.days.get(event.table_id)

    def _unbegun(self, stray: StrayMessage) -> bool:
        """Whether a table merely went on, whose beginning lies before ours."""
        key = (stray.message.key or b"").decode("utf-8", "replace")
        return self._begun.start > 0 and stray.why.code == "gap" and key not in self._seen


def round_key(found: DerivedRound) -> RoundKey:
    """Which version of which round."""
    return found.table_id, found.day_seq, found.round_id, found.version
