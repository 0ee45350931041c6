"""The gateway as a whole: what stands in the log after readings came in, once, twice or broken."""

import errno
import json
from collections import Counter
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import fastavro
import pytest

from ingest import avro_container, dead_letter
from ingest.gateway import Counts, Gateway
from ingest.local import adopt
from ingest.local.log import LocalLog
from ingest.log import DEAD_LETTERS, GATEWAY_STREAMS, LogUnwritable
from ingest.order import GATEWAY
from ingest.parse import batch as parse_batch
from ingest.parse.batch import Arrival, Unread
from ingest.parse.reading import single_object
from ingest.seal.chain import event_id, events
from schemas import codec, contract, lock
from schemas import events as e
from schemas.shape import Refused
from tests.ingest.local.test_log import FailingDisk
from tests.support.readings import NOON, house, json_line, reading, talk

# A gap, a late one, a twin, a conflict and a clock that ran back, in one delivery.
UNTIDY: list[Arrival] = [
    reading(0, payload=e.RoundOpened(1)),
    reading(1),
    reading(4),
    reading(2),
    reading(4),
    reading(1, payload=e.CardDrawn(2, "banker", "KS")),
    reading(5, occurred_at=NOON),
]


def kinds(root: Path, table: str = "T12") -> list[str]:
    return [type(event.payload).__name__ for event, _ in events(LocalLog(root), table)]


def test_untidy_readings_become_alarms_before_them(tmp_path: Path) -> None:
    log, gateway = house(tmp_path)
    with log:
        counts = gateway.take(UNTIDY, "shoe-3")

    assert counts == Counts(accepted=5, twins=1, conflicts=1, gaps=1, late=1, clock_steps=1)
    assert kinds(tmp_path) == [
        "RoundOpened",
        "CardDrawn",
        "GapFound",
        "CardDrawn",
        "LateArrived",
        "CardDrawn",
        "TwinConflicted",
        "ClockStepped",
        "CardDrawn",
    ]


def test_alarms_are_the_gateways_own_events(tmp_path: Path) -> None:
    log, gateway = house(tmp_path)
    with log:
        gateway.take(UNTIDY, "shoe-3")

    raised = [event for event, _ in events(log, "T12") if event.device_id == GATEWAY]
    assert [event.event_id for event in raised] == [f"T12/gateway/{n}" for n in range(4)]
    assert {event.device_kind for event in raised} == {GATEWAY}
    assert {event.round_id for event in raised} == {"T12-R1"}
    conflict = raised[2].payload
    assert isinstance(conflict, e.TwinConflicted)
    assert conflict.twin_of == "T12/shoe-3/1"
    assert single_object(conflict.kept) == UNTIDY[5]


@pytest.mark.parametrize("again", ["same gateway", "restarted"])
def test_everything_sent_again_changes_nothing(tmp_path: Path, again: str) -> None:
    log, gateway = house(tmp_path)
    gateway.take([*UNTIDY, *parse_batch.batch(b"{}")], "shoe-3")
    before = kinds(tmp_path)
    if again == "restarted":
        log.close()
        log, gateway = house(tmp_path)

    counts = gateway.take([*UNTIDY, *parse_batch.batch(b"{}")], "shoe-3")

    log.close()
    assert counts == Counts(twins=7, dead_lettered=1)
    assert kinds(tmp_path) == before
    assert log.end(DEAD_LETTERS, GATEWAY) == 1


@pytest.mark.parametrize("kept", range(10))
def test_a_crash_between_an_alarm_and_its_reading_doubles_no_alarm(
    tmp_path: Path, kept: int
) -> None:
    log, gateway = house(tmp_path / "whole")
    with log:
        gateway.take(UNTIDY, "shoe-3")
    bodies = [record.body for record in log.read("events", "T12")]
    with LocalLog(tmp_path / "cut", GATEWAY_STREAMS) as log:
        log.append("events", "T12", bodies[:kept])
    log, gateway = house(tmp_path / "cut")
    with log:
        gateway.take(UNTIDY, "shoe-3")

    assert [record.body for record in log.read("events", "T12")] == bodies


def test_a_restart_in_any_place_gives_the_same_log(tmp_path: Path) -> None:
    sent = list(talk(120))
    log, gateway = house(tmp_path / "once")
    with log:
        gateway.take(sent, "file")
    for cut in (1, 40, 119):
        root = tmp_path / str(cut)
        for part in (sent[:cut], sent):
            log, gateway = house(root)
            with log:
                gateway.take(part, "file")
        for table in ("T0", "T1", "T2"):
            whole = LocalLog(tmp_path / "once").read("events", table)
            assert list(LocalLog(root).read("events", table)) == list(whole)


def test_a_bad_message_stops_nobody(tmp_path: Path) -> None:
    log, gateway = house(tmp_path)
    body = json_line(reading(0)) + b"\xff\xfe\n" + b'{"table_id": 7}\n' + json_line(reading(1))
    with log:
        counts = gateway.take(parse_batch.batch(body), "shoe-3")

    assert counts == Counts(accepted=2, dead_lettered=2)
    dead = [dead_letter.decode(record.body) for record in log.read(DEAD_LETTERS, GATEWAY)]
    assert [letter.reason for letter in dead] == ["not_utf8", "wrong_type"]
    assert [letter.body for letter in dead] == [b"\xff\xfe\n", b'{"table_id": 7}\n']
    assert [letter.position for letter in dead] == [
        body.index(b"\xff"),
        body.index(b'{"table_id": 7'),
    ]
    assert {(letter.source, letter.received_at) for letter in dead} == {("shoe-3", NOON)}


def test_the_collectors_time_counts_only_where_it_is_trusted(tmp_path: Path) -> None:
    came = reading(0, received_at=NOON + 9)
    with LocalLog(tmp_path, GATEWAY_STREAMS) as log:
        Gateway(log, lambda: NOON + 1).take([came], "shoe-3")
        Gateway(log, lambda: NOON + 1, trusts_received_at=True).take(
            [replace(came, table_id="T13")], "file"
        )

    assert [event.ingested_at for event, _ in events(log, "T12")] == [NOON + 1]
    assert [event.ingested_at for event, _ in events(log, "T13")] == [NOON + 9]


@pytest.mark.parametrize("fails_at", range(3, 31))
def test_after_a_failed_batch_the_log_alone_is_believed(tmp_path: Path, fails_at: int) -> None:
    """A batch over three tables fails somewhere; sent again it is there once."""
    disk = FailingDisk(fails_at, errno.ENOSPC)
    sent = [*talk(30), *parse_batch.batch(b"poison")]
    log, gateway = house(tmp_path, disk=disk)
    with log:
        with pytest.raises(LogUnwritable):
            gateway.take(sent, "file")
        disk.fails_at = 10**9
        counts = gateway.take(sent, "file")

    assert counts.accepted + counts.twins == 30
    assert counts.conflicts + counts.gaps + counts.late + counts.clock_steps == 0
    ids = Counter(
        event.event_id for table in log.partitions("events") for event, _ in events(log, table)
    )
    assert len(ids) == 30
    assert set(ids.values()) == {1}
    assert log.end(DEAD_LETTERS, GATEWAY) == 1


def test_a_log_of_an_older_contract_is_taken_up_and_goes_on_in_a_new_segment(
    tmp_path: Path,
) -> None:
    oldest = lock.installed().versions[0]
    whole = contract.whole("Event", lock.installed().records(oldest.number))
    path = tmp_path / "events" / "T12" / "00000000.avro"
    path.parent.mkdir(parents=True)
    sync = avro_container.sync_marker("events", "T12", "0")
    old = as_written(reading(0), fastavro.parse_schema(whole), oldest.event)
    path.write_bytes(
        avro_container.header(json.dumps(whole).encode(), sync) + avro_container.frame(old, sync)
    )
    (headless,) = adopt.reports(tmp_path)
    adopt.adopt(LocalLog(tmp_path), headless)

    log, gateway = house(tmp_path)
    with log:
        counts = gateway.take([reading(0), reading(1)], "shoe-3")

    assert counts == Counts(accepted=1, twins=1)
    assert [event.payload for event, _ in events(log, "T12")] == [
        reading(0).payload,
        reading(1).payload,
    ]
    found = sorted(each.name for each in path.parent.glob("*.avro"))
    assert found == ["00000000.avro", "00000001.avro"]


def as_written(value: e.Reading, schema: Any, fingerprint: str) -> bytes:
    """The first event of a table as an older house wrote it."""
    stream = BytesIO()
    head = {name: getattr(value, name, None) for name in codec.HEAD_FIELDS}
    head |= {"event_id": event_id(value), "seq": 0, "ingested_at": NOON}
    head |= {"schema": fingerprint, "prev_hash": codec.NO_HASH, "round_id": value.round_id}
    drawn = {"position": 1, "hand": "player", "card": "9H", "exposed": True}
    fastavro.schemaless_writer(stream, schema, head | {"payload": ("roundproof.CardDrawn", drawn)})
    return stream.getvalue()


def test_what_is_known_of_dead_letters_does_not_grow_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.gateway.KNOWN_DEAD", 10)
    noise = [Unread(Refused("not_json", "reading", "JSON", "x"), n, 1, b"x") for n in range(50)]

    log, gateway = house(tmp_path)
    with log:
        for each in (*noise, *noise[45:]):
            gateway.take([each], "file")
        known = len(gateway._dead or ())
    log, again = house(tmp_path)
    with log:
        again.take(noise[45:], "file")
        kept = log.end("dlq", "gateway")

    assert (known, len(again._dead or ()), kept) == (10, 10, 50)


def test_our_own_clock_running_back_is_told_once(tmp_path: Path) -> None:
    """It is what tells late from early where devices differ, so it is watched like theirs."""
    clock = iter([NOON, NOON - 2_500_000, NOON - 2_000_000])

    with LocalLog(tmp_path, GATEWAY_STREAMS) as log:
        gateway = Gateway(log, lambda: next(clock))
        for n in range(3):
            gateway.take([reading(n)], "file")
    found = [event.payload for event, _ in events(LocalLog(tmp_path), "T12")]

    assert [type(each) for each in found] == [
        e.CardDrawn, e.ClockStepped, e.CardDrawn, e.CardDrawn,
    ]  # fmt: skip
    assert found[1] == e.ClockStepped(GATEWAY, 2_500)


def test_a_clock_that_ran_back_while_we_were_away_is_told(tmp_path: Path) -> None:
    for n in range(2):
        with LocalLog(tmp_path, GATEWAY_STREAMS) as log:
            counts = Gateway(log, iter([NOON - n]).__next__).take([reading(n)], "file")

    assert counts.clock_steps == 1


def test_a_device_that_does_not_begin_at_its_first_reading_is_told(tmp_path: Path) -> None:
    log, gateway = house(tmp_path)
    with log:
        first = gateway.take([reading(3)], "file")
        again = gateway.take([reading(3), reading(4)], "file")

    assert (first.gaps, again.gaps, again.twins) == (1, 0, 1)
    assert kinds(tmp_path) == ["GapFound", "CardDrawn", "CardDrawn"]
