"""Messages in, findings out: when the watcher looks, and what it takes back."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import pytest

from audit.checks.run import CheckFinding
from audit.watch.live_checks import LiveChecks
from audit.watch.partition import Begun, Share
from audit.watch.published import PublishedFinding
from audit.watch.publisher_loop import SHARED, WIDE_S, Out, PublisherLoop
from ingest.kafka.event_sorter import Message
from ingest.parse import framing
from replay.live.table_day import LiveTable
from schemas import avro, codec
from schemas import events as e
from tests.support import batch_findings
from tests.support.houses import Said, opened, red, sealed, spin


@pytest.fixture(scope="module")
def live_checks() -> LiveChecks:
    return LiveChecks()


class LocalWorker:
    """A watcher of one partition, its clock, and what it published."""

    def __init__(self, live_checks: LiveChecks, before: Sequence[e.Finding] = ()) -> None:
        """`before` was published by others who judged the same events."""
        self.told: list[e.Finding] = []
        self._now, self._offset = 0.0, 0
        self._loop = PublisherLoop(live_checks, self._publish, self._refuse, lambda: self._now)
        self._loop.shares[0] = Share(framing.unframe, Begun(later=_later(before)), 0)

    def take(self, events: Sequence[e.Event], at: int | None = None, *, look: bool = True) -> None:
        """Events come, all `at` one moment or each at its own, and the watcher looks beyond."""
        messages = []
        for event in events:
            value = framing.frame(codec.encode_event(event), avro.FINGERPRINT)
            key = event.table_id.encode()
            when = self._offset if at is None else at
            messages.append(Message("events", 0, self._offset, key, value, when))
            self._offset += 1
        self._loop.take(messages)
        if look:
            self.look()

    def look(self) -> None:
        self._now += WIDE_S
        self._loop.tidy()

    def put_aside(self) -> Share:
        """The partition is given out anew."""
        return self._loop.shares.pop(0)

    def put_back(self, share: Share) -> None:
        self._loop.shares[0] = share

    def leave(self) -> None:
        self._loop.give_up(0)

    def states(self, check_id: str) -> list[str]:
        """How a check's findings were published, in their order."""
        return [finding.state for finding in self.told if finding.check_id == check_id]

    def _publish(self, out: Out) -> None:
        self.told += out.findings

    def _refuse(self, strays: object) -> None:
        raise AssertionError(strays)


def _later(published: Sequence[e.Finding]) -> dict[tuple[str, int], list[PublishedFinding]]:
    found: dict[tuple[str, int], list[PublishedFinding]] = {}
    for told in published:
        finding = CheckFinding(**{name: getattr(told, name) for name in SHARED})
        entry = PublishedFinding(finding, told.version, told.state, told.appended_at)
        found.setdefault((told.table_id, told.day_seq), []).append(entry)
    return found


def shoe(seq: int) -> tuple[str, int]:
    return "shoe", seq


def chained(said: Sequence[Said], devices: dict[int, tuple[str, int]]) -> list[e.Event]:
    """Events of a table; some of them of another device, with its own sequence."""
    found: list[e.Event] = []
    before = codec.NO_HASH
    for event, _ in sealed("T1", said):
        device, device_seq = devices.get(event.seq, ("console", event.device_seq))
        named = replace(
            event,
            event_id=f"T1/{device}/{device_seq}",
            device_id=device,
            device_seq=device_seq,
            prev_hash=before,
        )
        before = hashlib.sha256(codec.encode_event(named)).digest()
        found.append(named)
    return found


SHOWS = (e.BallLanded, e.DollyPlaced)
BEAT = (e.DeviceBeat(3_600), None)
GAP = (e.GapFound("shoe", 1, 2), None)
LATE = (e.LateArrived("T1/shoe/1", 1), None)


@pytest.mark.parametrize("within", [[], spin("R2", 7, red())[:3]], ids=["between", "in a round"])
def test_a_gap_is_taken_back_once_it_is_filled(live_checks: LiveChecks, within: list[Said]) -> None:
    said = [*opened(), *spin("R1", 5, red()), BEAT, GAP, BEAT, *within, LATE, BEAT]
    start = len(said) - len(within) - 5
    devices = {start: shoe(0), start + 1: ("gateway", 0), start + 2: shoe(2)}
    devices |= {len(said) - 2: ("gateway", 1), len(said) - 1: shoe(1)}
    *first, alarm, reading = chained(said, devices)
    worker = LocalWorker(live_checks)

    worker.take(first)
    assert worker.states("INT-01") == ["raised"]
    worker.take([alarm])
    assert worker.states("INT-01") == ["raised"]
    worker.take([reading])

    assert worker.states("INT-01") == ["raised", "withdrawn"]
    worker.leave()


def test_a_gap_is_told_of_before_its_round_settles(live_checks: LiveChecks) -> None:
    said = [*opened(), BEAT, *spin("R1", 5, red())[:3], GAP, BEAT]
    devices = {2: shoe(0), len(said) - 2: ("gateway", 0), len(said) - 1: shoe(2)}
    worker = LocalWorker(live_checks)

    worker.take(chained(said, devices))

    assert worker.states("INT-01") == ["raised"]
    worker.leave()


def test_a_beat_counts_once_however_often_its_round_settles(live_checks: LiveChecks) -> None:
    drifted = (e.DeviceBeat(3_600, offset_ms=1_500), "R1")
    *spun, closing = spin("R1", 5, red())
    said = [*opened(), *spun, drifted, closing, (e.ResultCalled("5"), "R1")]
    said += [(e.TableClosed(), None)]
    events = chained(said, {})
    worker = LocalWorker(live_checks)

    worker.take(events)

    expected = batch_findings.findings([[(event, "hash") for event in events]])
    (drift,) = [at for at in expected.values() if at.check_id == "INT-04"]
    (told,) = {finding.found for finding in worker.told if finding.check_id == "INT-04"}
    assert told == drift.found
    worker.leave()


@pytest.mark.parametrize("at", [None, 7], ids=["one after the other", "appended together"])
def test_what_was_published_and_taken_back_is_not_said_again(
    live_checks: LiveChecks, at: int | None
) -> None:
    """A new group judges the same events again, in bites of another size."""
    said = [*opened(), *spin("R1", 5, red()), *spin("R2", 7, red())]
    shown = [n for n, (payload, _) in enumerate(said) if isinstance(payload, SHOWS)][:2]
    said += [said.pop(n) for n in reversed(shown)]
    said += [BEAT, GAP, BEAT, LATE, BEAT, (e.TableClosed(), None)]
    first = len(said) - 6
    devices = {first: shoe(0), first + 1: ("gateway", 0), first + 2: shoe(2)}
    events = chained(said, devices | {first + 3: ("gateway", 1), first + 4: shoe(1)})
    worker = LocalWorker(live_checks)
    for event in events:
        worker.take([event], at)
    worker.leave()
    assert "withdrawn" in {finding.state for finding in worker.told if finding.round_id == "R1"}
    assert worker.states("INT-01") == ["raised", "withdrawn"]

    for size in (1, 5, len(events)):
        again = LocalWorker(live_checks, worker.told)
        for start in range(0, len(events), size):
            again.take(events[start : start + size], at)
        again.leave()

        assert again.told == []


def test_a_table_that_closed_waits_while_its_share_is_put_aside(live_checks: LiveChecks) -> None:
    said = [*opened(), *spin("R1", 5, red())[:3], (e.TableClosed(), None)]
    events = chained(said, {})
    worker = LocalWorker(live_checks)
    worker.take(events, look=False)

    aside = worker.put_aside()
    worker.look()
    worker.put_back(aside)
    worker.look()

    expected = batch_findings.findings([[(event, "hash") for event in events]])
    assert {finding.finding_id for finding in worker.told} == set(expected)
    worker.leave()


def test_a_table_day_that_cannot_be_judged_takes_no_other_with_it(
    live_checks: LiveChecks, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = LocalWorker(live_checks)
    whole = LiveTable.add

    def stumbling(table: LiveTable, event: e.Event, sha256: str) -> object:
        if (table.table_id, event.seq) == ("T1", 4):
            raise ZeroDivisionError("a rule that nobody wrote")
        return whole(table, event, sha256)

    monkeypatch.setattr(LiveTable, "add", stumbling)
    twice = [e.WagerSettled("W1", 700_000, 0, 0, 0, 100_000)]
    for name in ("T1", "T2"):
        said = [*opened(), *spin("R1", 3, red(), late=twice), (e.TableClosed(), None)]
        worker.take([event for event, _ in sealed(name, said)])

    assert {finding.table_id for finding in worker.told} == {"T2"}
    worker.leave()
