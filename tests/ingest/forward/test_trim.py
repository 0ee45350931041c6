"""Trimming: whole table-days leave the disk, and nothing of them can come in a second time."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from ingest import dead_letter
from ingest.forward import trim
from ingest.forward.forwarder import Forwarder
from ingest.forward.kafka_position import kafka_positions
from ingest.forward.local_records import LocalEvents
from ingest.gateway import Counts, Gateway
from ingest.local import trim_note
from ingest.local.log import LocalLog
from ingest.local.spool import Spool
from ingest.log import DEAD_LETTERS, EVENTS, GATEWAY_STREAMS, LogCorrupt
from ingest.order import GATEWAY
from ingest.parse import batch as parse_batch
from ingest.seal.chain import events
from schemas import events as e
from tests.ingest.forward.test_forwarder import drained
from tests.support.kafka_in_memory import FakeKafka
from tests.support.readings import NOON, reading

DAYS, A_DAY = 5, 30


def day(number: int) -> list[e.Reading]:
    """A table-day of one shoe, with a gap in its middle; the pit's device opens it."""
    opened = reading(
        number,
        device_kind="pit",
        device_id="pit-1",
        payload=e.TableOpened(f"2026-03-0{number + 1}"),
    )
    first = number * A_DAY
    drawn = [reading(n) for n in range(first, first + A_DAY) if n != first + 7]
    return [opened, *drawn]


def house(root: Path) -> tuple[LocalLog, Gateway]:
    log = LocalLog(root, GATEWAY_STREAMS, segment_bytes=2_000)
    return log, Gateway(log, lambda: NOON, trimmed=partial(trim_note.load, log))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Five table-days, a few segments each."""
    log, gateway = house(tmp_path)
    with log:
        for number in range(DAYS):
            for start in range(0, A_DAY, 5):
                gateway.take(day(number)[start : start + 5], "file")
    return tmp_path


def trim_to(root: Path, keep_days: int, forwarded: int = 10**9) -> trim.TrimPlan | None:
    log, _ = house(root)
    with log:
        made = trim.plan(log, "T12", keep_days, forwarded)
        if made:
            trim.apply(log, made)
    return made


def sizes(root: Path) -> int:
    return sum(path.stat().st_size for path in root.glob("events/T12/*.avro"))


@pytest.mark.parametrize("keep", [1, 2, 4])
def test_the_last_table_days_stay_and_begin_at_an_opening(root: Path, keep: int) -> None:
    before, whole = sizes(root), list(events(LocalLog(root), "T12"))

    made = trim_to(root, keep)

    assert made is not None
    kept = list(events(LocalLog(root), "T12"))
    assert kept == whole[made.base :]
    assert [type(event.payload) for event, _ in kept].count(e.TableOpened) == keep
    assert isinstance(kept[0][0].payload, e.TableOpened)
    assert sizes(root) == before - made.size < before


def test_what_kafka_does_not_hold_is_never_trimmed(root: Path) -> None:
    whole = [event for event, _ in events(LocalLog(root), "T12")]
    openings = [event.seq for event in whole if isinstance(event.payload, e.TableOpened)]

    made = trim_to(root, 1, forwarded=openings[2] + 3)

    assert made is not None
    assert made.base == openings[2]
    assert trim_to(root, 1, forwarded=openings[2] + 3) is None


def test_everything_sent_again_after_a_trim_adds_no_event(root: Path) -> None:
    trim_to(root, 2)
    log, gateway = house(root)
    before = list(log.read(EVENTS, "T12"))
    old, kept = [day(n) for n in range(3)], [day(n) for n in range(3, DAYS)]

    with log:
        counts = gateway.take([each for part in (*old, *kept) for each in part], "file")
        again = gateway.take([each for part in old for each in part], "file")

    assert list(log.read(EVENTS, "T12")) == before
    assert counts == Counts(twins=2 * A_DAY, dead_lettered=3 * A_DAY)
    assert again == Counts(dead_lettered=3 * A_DAY)
    assert log.end(DEAD_LETTERS, GATEWAY) == 3 * A_DAY  # the second time they were there already


def test_an_old_reading_that_was_missing_is_kept_as_a_dead_letter(root: Path) -> None:
    trim_to(root, 2)
    log, gateway = house(root)
    missing = reading(7)
    with log:
        gateway.take([missing], "shoe-3")

    (dead,) = (dead_letter.decode(record.body) for record in log.read(DEAD_LETTERS, GATEWAY))
    assert (dead.reason, dead.where, dead.found) == ("older_than_spool", "T12/shoe-3/7", "7")
    (back,) = parse_batch.batch(dead.body)
    assert back == missing


def test_the_table_goes_on_as_if_nothing_had_been_trimmed(tmp_path: Path, root: Path) -> None:
    """Alarms are numbered on, gaps and late ones are seen, the same events come out."""
    sent = [reading(DAYS * A_DAY + 3), reading(4 * A_DAY + 7), reading(DAYS * A_DAY + 1)]
    untrimmed = tmp_path / "untrimmed"
    log, gateway = house(untrimmed)
    with log:
        for number in range(DAYS):
            gateway.take(day(number), "file")
        gateway.take(sent, "file")
    trim_to(root, 2)
    log, gateway = house(root)
    with log:
        gateway.take(sent, "file")

    kept = list(log.read(EVENTS, "T12"))
    whole = list(LocalLog(untrimmed).read(EVENTS, "T12"))
    assert kept == whole[-len(kept) :]
    assert kept[-1].offset == whole[-1].offset


def test_a_new_device_of_a_trimmed_table_is_welcome(root: Path) -> None:
    trim_to(root, 2)
    log, gateway = house(root)
    with log:
        counts = gateway.take([replace(reading(0), device_id="shoe-4")], "shoe-4")

    assert counts == Counts(accepted=1)


def test_trimming_again_and_again_remembers_every_device(root: Path) -> None:
    for keep in (4, 3, 2, 1):
        trim_to(root, keep)
    log, gateway = house(root)
    with log:
        counts = gateway.take([each for n in range(4) for each in day(n)], "file")

    assert counts == Counts(dead_lettered=4 * A_DAY)
    assert len(list(root.glob("events/T12/*.trimmed"))) == 1


def test_a_crash_before_the_files_went_leaves_a_log_that_is_trimmed(root: Path) -> None:
    log, gateway = house(root)
    with log:
        made = trim.plan(log, "T12", 2, 10**9)
        assert made is not None
        kept = [segment.path.read_bytes() for segment in made.files]
        trim.apply(log, made)
    for segment, content in zip(made.files, kept, strict=True):
        segment.path.write_bytes(content)
    log, gateway = house(root)
    with log:
        counts = gateway.take(day(0), "file")

    assert counts == Counts(dead_lettered=A_DAY)
    assert next(log.read(EVENTS, "T12")).offset == made.base


def test_a_log_that_lost_its_beginning_without_a_note_is_not_gone_on_with(root: Path) -> None:
    trim_to(root, 2)
    (note,) = root.glob("events/T12/*.trimmed")
    note.unlink()
    log, gateway = house(root)

    with log:
        assert gateway.take([reading(999)], "shoe-3").stopped == 1

    why = gateway.stopped["T12"]
    assert isinstance(why, LogCorrupt)
    assert "offset 0 expected first" in str(why)


def test_a_trimmed_table_is_found_in_kafka_and_forwarded_on(root: Path) -> None:
    kafka = FakeKafka()
    log, gateway = house(root)
    with log:
        drained(Forwarder(Spool(log, GATEWAY_STREAMS), kafka))
        sent = sum(map(len, kafka.topics.values()))
        made = trim.plan(log, "T12", 1, 10**9)
        assert made is not None
        trim.apply(log, made)
        gateway = Gateway(log, lambda: NOON, trimmed=partial(trim_note.load, log))
        gateway.take([reading(DAYS * A_DAY)], "shoe-3")
        spool = Spool(log, GATEWAY_STREAMS)
        end = spool.end(EVENTS, "T12")
        held = LocalEvents(spool, "T12", made.base, end)
        stood = kafka_positions(kafka, EVENTS, {"T12": held})["T12"]
        drained(Forwarder(spool, kafka))

    assert stood[:2] == (end - 1, "")
    assert sum(map(len, kafka.topics.values())) == sent + 1


def test_figures_of_a_trimmed_table_make_sense_while_kafka_is_away(root: Path) -> None:
    """What was trimmed is in Kafka, though nobody remembers how far it went."""
    made = trim_to(root, 1)
    assert made is not None
    log, _ = house(root)
    with log:
        forwarder = Forwarder(Spool(log, GATEWAY_STREAMS), FakeKafka())
        forwarder.measure_lag()

    (figures,) = forwarder.lags
    assert (figures.forwarded, figures.wrong) == (made.base, "")
    assert figures.lag == figures.records - made.base
