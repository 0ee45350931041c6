"""Messages in, judged rounds and findings out; the caller says how to publish.

Fresh rounds come first. What looks beyond a round is looked at every few seconds for all tables
that gave cause, and a day that ended as soon as there is a quiet moment.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from audit.checks.run import CheckFinding
from audit.watch.live_checks import LiveChecks, is_of_table_day
from audit.watch.metrics import WatchMetrics
from audit.watch.partition import Fresh, OpenDay, Share, round_key
from audit.watch.published import PublishedFinding
from ingest.kafka.event_sorter import Message, SortedEvent, StrayMessage
from ingest.service_log import log
from schemas import events as e

WIDE_S = 5.0  # seconds between looks beyond rounds
BEATS_S = 60.0  # seconds between looks at devices that may have fallen silent
QUIET_S = 1.0  # a closed table is looked at whole when it was quiet for so long

GRACE_US = 15 * 60 * 1_000_000  # how long a closed table-day waits for late events


class Out(NamedTuple):
    """What is to be published, in this order."""

    rounds: list[e.DerivedRound]
    findings: list[e.Finding]


class PublisherLoop:
    """Takes in the messages of every partition of this worker and publishes what comes of them."""

    def __init__(
        self,
        live_checks: LiveChecks,
        publish: Callable[[Out], None],
        bury: Callable[[Sequence[StrayMessage]], None],
        clock: Callable[[], float],
        metrics: WatchMetrics | None = None,
    ) -> None:
        self.shares: dict[int, Share] = {}
        self._live_checks, self._publish, self._bury, self._clock = (
            live_checks,
            publish,
            bury,
            clock,
        )
        self._metrics = metrics or WatchMetrics()
        self._fresh: list[tuple[Share, Fresh]] = []
        self._closing: dict[str, float] = {}  # tables that closed, and when they were heard last
        self._wide_at = self._beats_at = clock()

    def take(self, messages: Sequence[Message]) -> None:
        """Take in messages and publish what comes of them; all of it when this returns."""
        strays = [stray for message in messages for stray in self._take(message)]
        self._look()
        self._tell_failed()
        if strays:
            self._bury(strays)
        self._metrics.took(messages, strays)

    def tidy(self, *, idle: bool = False) -> None:
        """Look beyond rounds and at days that ended, where it is time or nothing else to do."""
        now = self._clock()
        if idle or now - self._wide_at >= WIDE_S:
            self._wide_at = now
            self._look_wide(beats=idle or now - self._beats_at >= BEATS_S, last=idle)
        for table_id, heard in list(self._closing.items()):
            day = self._day_of(table_id)
            if day and (idle or now - heard >= QUIET_S):
                self._close(day)
                if not idle:
                    break  # the next one after the next messages
        self._drop_old()
        self._tell_failed()
        self._live_checks.day_rows.tidy()

    def give_up(self, partition: int) -> None:
        """Forget a share that another worker has now."""
        share = self.shares.pop(partition)
        for day in list(share.days.values()):
            self._forget(share, day)

    @property
    def tables(self) -> int:
        """Table-days that are open here."""
        return sum(len(share.days) for share in self.shares.values())

    def _take(self, message: Message) -> Iterator[StrayMessage]:
        share = self.shares[message.partition]
        match share.sort(message):
            case SortedEvent() as good:
                if ended := share.ends(good):
                    self._end(share, ended, silent=share.silent(message))
                self._add(share, good)
            case StrayMessage() as stray:
                yield stray

    def _add(self, share: Share, good: SortedEvent) -> None:
        """Take in an event; where a table-day cannot be judged, the others go on without it."""
        table_id = good.event.table_id
        try:
            self._fresh += [(share, fresh) for fresh in share.add(good)]
        except Exception as error:
            self._fail(share, share.days[table_id], error)
        day = share.days.get(table_id)
        if day and day.close_due:
            self._closing[table_id] = self._clock()

    def _fail(self, share: Share, day: OpenDay, error: Exception) -> None:
        """Give a table-day up: its events are passed over until the table opens again."""
        why = f"{type(error).__name__}: {error}"
        table = day.live.table_id
        log.error("table_day_failed", table=table, gaming_day=day.live.day, reason=why)
        self._metrics.failed.inc()
        self._forget(share, day)

    def _tell_failed(self) -> None:
        """Tell of checks that could not be run; the others were."""
        for check, why in self._live_checks.failed.items():
            log.error("check_failed", check=check, reason=why)
            self._metrics.failed_checks.inc()
        self._live_checks.failed.clear()

    def _look(self) -> None:
        """Look at what settled since, a version of a round at a time."""
        while self._fresh:
            rest: list[tuple[Share, Fresh]] = []
            seen = set[tuple[str, str]]()
            now = list[tuple[Share, Fresh]]()
            for share, fresh in self._fresh:
                key = fresh.settled.table_id, fresh.settled.round_id
                (rest if key in seen else now).append((share, fresh))
                seen.add(key)
            self._fresh = rest
            self._settle(now)
        for share in self.shares.values():
            for day in share.days.values():
                if day.live.loose:
                    self._live_checks.day_rows.keep_loose(day.live.loose)
                    day.live.loose = {}

    def _settle(self, batch: Sequence[tuple[Share, Fresh]]) -> None:
        silent = [fresh.settled for _, fresh in batch if fresh.silent]
        if silent:
            self._live_checks.day_rows.keep(silent)
        loud = [(share, fresh) for share, fresh in batch if not fresh.silent]
        if not loud:
            return
        with self._metrics.passing(len(loud)):
            found = self._live_checks.settle([fresh.settled for _, fresh in loud])
        out = Out([], [])
        for share, fresh in loud:
            record = _derived(fresh)
            if not share.published(round_key(record), record.digest):
                out.rounds.append(record)
            mine = partial(_of_round, fresh)
            changes = fresh.day.published_findings.changes(
                filter(mine, found), mine, fresh.appended_at
            )
            out.findings.extend(_told(fresh.day, changes))
        self._send(out)

    def _look_wide(self, *, beats: bool, last: bool) -> None:
        """Look beyond rounds at the tables that gave cause."""
        due = [day for day in self._days() if day.alarmed or (beats and day.silent)]
        if beats:
            self._beats_at = self._clock()
        if not due:
            return
        found = self._live_checks.tables([day.live for day in due])
        out = Out([], [])
        for day in due:
            day.live.daylong.alarmed = False
            mine = (at for at in found if at.table_id == day.live.table_id)
            changes = day.published_findings.changes(
                mine, is_of_table_day, day.appended_at, last=last
            )
            out.findings.extend(_told(day, changes))
        self._send(out)

    def _close(self, day: OpenDay) -> None:
        """Look at a table-day as a whole: what is new, what does not hold any more."""
        self._closing.pop(day.live.table_id, None)
        day.close_due = False
        found = self._live_checks.day(day.live)
        changes = day.published_findings.changes(found, lambda _: True, day.appended_at, last=True)
        self._send(Out([], _told(day, changes)))

    def _end(self, share: Share, day: OpenDay, *, silent: bool) -> None:
        """A table-day ends for good: nothing comes to it any more."""
        try:
            last = [Fresh(day, settled, day.appended_at, silent) for settled in day.live.finish()]
        except Exception as error:
            self._fail(share, day, error)
            return
        self._fresh += [(share, fresh) for fresh in last]
        self._look()
        if not silent:
            self._close(day)
        self._forget(share, day)

    def _drop_old(self) -> None:
        for share in self.shares.values():
            for day in list(share.days.values()):
                quiet_us = share.appended_at - day.appended_at
                closed = day.live.closed_at is not None and not day.close_due
                if closed and quiet_us > GRACE_US:
                    self._forget(share, day)

    def _forget(self, share: Share, day: OpenDay) -> None:
        self._closing.pop(day.live.table_id, None)
        self._fresh = [pair for pair in self._fresh if pair[1].day is not day]
        self._live_checks.day_rows.forget(day.live.table_id)
        share.days.pop(day.live.table_id, None)

    def _days(self) -> Iterator[OpenDay]:
        for share in self.shares.values():
            yield from share.days.values()

    def _day_of(self, table_id: str) -> OpenDay | None:
        """The open day of a table; None while its share is put aside."""
        return next((day for day in self._days() if day.live.table_id == table_id), None)

    def _send(self, out: Out) -> None:
        if out.rounds or out.findings:
            self._publish(out)
            self._metrics.published(out.rounds, out.findings)


def _of_round(fresh: Fresh, finding: CheckFinding) -> bool:
    """Whether a finding is of a round and one that its own rows decide."""
    settled = fresh.settled
    same = (finding.table_id, finding.round_id) == (settled.table_id, settled.round_id)
    return same and not is_of_table_day(finding)


def _derived(fresh: Fresh) -> e.DerivedRound:
    settled = fresh.settled
    rows = json.dumps(settled.rows, separators=(",", ":"), ensure_ascii=False, sort_keys=True)
    return e.DerivedRound(
        table_id=settled.table_id,
        gaming_day=settled.gaming_day,
        day_seq=fresh.day.seq,
        round_id=settled.round_id,
        version=settled.version,
        upto=settled.upto,
        status=settled.status,
        outcome=settled.outcome,
        digest=settled.digest,
        rows=rows,
    )


def _told(day: OpenDay, changes: Iterable[PublishedFinding]) -> list[e.Finding]:
    return [
        e.Finding(
            **{name: getattr(entry.finding, name) for name in SHARED},
            version=entry.version,
            state=entry.state,
            day_seq=day.seq,
            appended_at=entry.at,
        )
        for entry in changes
    ]


SHARED = tuple(name for name in CheckFinding._fields if name != "state")
