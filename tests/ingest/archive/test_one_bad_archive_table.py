"""One damaged table in the archive or the spool: it is named, and no other waits for it."""

import json
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest

from audit.cli.errors import Code
from ingest.archive import store
from ingest.archive.index import OFFSETS
from ingest.archive.run import ArchiveCounts, Archiver
from ingest.archive.store import ArchiveWriter
from ingest.forward import trim
from ingest.gateway import Gateway
from ingest.kafka.consumer import PartitionId
from ingest.kafka.event_sorter import Message
from ingest.local import trim_note
from ingest.local.log import LocalLog
from ingest.log import EVENTS, GATEWAY_STREAMS
from ingest.parse import framing
from schemas import avro
from schemas import events as e
from tests.support import houses
from tests.support.readings import NOON, reading
from tests.support.small_house import Roundproof, roundproof

__all__ = ["roundproof"]

TABLES = ("T1", "T2", "T3")
TOPIC = PartitionId("rp.events", 0)
FIRST = [*houses.opened(), *houses.spin("R1", 3, houses.red()), (e.TableClosed(), None)]
SECOND = [*houses.opened("2026-03-02"), *houses.spin("R2", 4, houses.red())]


class Topic:
    """A topic of one partition that holds the events of every table, table after table."""

    def __init__(self, bodies: Mapping[str, list[bytes]]) -> None:
        framed = [
            (table.encode(), framing.frame(body, avro.FINGERPRINT))
            for table, found in bodies.items()
            for body in found
        ]
        self._messages = [
            Message(TOPIC.topic, TOPIC.partition, offset, key, value, 0)
            for offset, (key, value) in enumerate(framed)
        ]
        self.positions = {TOPIC: 0}
        self.assigned = (TOPIC,)

    def seek(self, offsets: Mapping[PartitionId, int]) -> None:
        self.positions |= offsets

    def poll(self, max_records: int = 500, timeout_s: float = 0.5) -> list[Message]:
        del max_records, timeout_s
        found = self._messages[self.positions[TOPIC] :]
        self.positions[TOPIC] = len(self._messages)
        return found

    def starts(self) -> dict[PartitionId, int]:
        return {TOPIC: 0}

    def ends(self) -> dict[PartitionId, int]:
        return {TOPIC: len(self._messages)}

    def require_all_partitions(self) -> None:
        """It is."""


def flip(path: Path) -> None:
    body = bytearray(path.read_bytes())
    body[body.index(b"red")] ^= 1
    path.write_bytes(body)


def archived(root: Path, topic: Topic) -> tuple[ArchiveCounts, list[str], int]:
    """What became of the messages, the tables that were set aside, and the offset on file."""
    with ArchiveWriter(root) as keeper:
        moving = Archiver(root, keeper, topic, lambda strays: pytest.fail(str(strays)))
        counts = moving.until_end()
        said = json.loads((root / OFFSETS).read_text())
        return counts, list(moving.stopped), said[TOPIC.topic][str(TOPIC.partition)]


def held(root: Path, *tables: str) -> list[int]:
    return [sum(1 for _ in store.events(root, table)) for table in tables]


@pytest.mark.parametrize("harm", ["manifest", "gone"])
def test_the_archive_goes_on_with_the_others_and_with_all_after_the_mend(
    tmp_path: Path, harm: str
) -> None:
    day, both = len(FIRST), len(FIRST) + len(SECOND)
    early = {table: houses.bodies(table, FIRST, []) for table in TABLES}
    late = {table: [*found, *houses.bodies(table, SECOND, found)] for table, found in early.items()}
    archived(tmp_path, Topic(early))
    (tmp_path / OFFSETS).unlink()  # the next topic begins anew
    folder, copy = tmp_path / EVENTS / "T2", tmp_path / "copy"
    shutil.copytree(folder, copy)
    if harm == "gone":
        shutil.rmtree(folder)
    else:
        (folder / "00000000.json").write_text("{}")

    counts, stopped, offset = archived(tmp_path, Topic(late))
    others = held(tmp_path, "T1", "T3")
    shutil.rmtree(folder, ignore_errors=True)
    copy.rename(folder)
    again, left, end = archived(tmp_path, Topic(late))

    assert stopped == ["T2"]
    assert others == [both, both]
    assert counts == ArchiveCounts(events=2 * len(SECOND), twins=2 * day, stopped=both)
    assert offset == both  # of T2 nothing is passed over: it is read again from its first message
    assert (left, end) == ([], 3 * both)
    assert (again.events, again.stopped) == (len(SECOND), 0)
    assert held(tmp_path, *TABLES) == [both, both, both]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A house with three tables in its archive; a bit of T2 is another one."""
    for table in TABLES:
        houses.written(tmp_path, table, FIRST)
    houses.archived(tmp_path)
    flip(next(tmp_path.glob("archive/events/T2/*.avro")))
    return tmp_path


def test_verify_reads_the_tables_after_a_damaged_one(home: Path, roundproof: Roundproof) -> None:
    flip(next(home.glob("archive/events/T1/*.avro")))

    said = roundproof("archive", "verify", "--home", home)
    told = roundproof("archive", "verify", "--json", "--home", home)

    assert said.code == told.code == Code.UNVERIFIED
    assert said.out == ""
    assert f"{len(FIRST)} events of 1 tables, 1 sealed parts: all as written" in said.err
    for table in ("T1", "T2"):
        assert f"archive/events/{table}/00000000.avro: SHA-256" in said.err
    assert "next: restore the file from a backup of the archive" in said.err
    document = json.loads(told.out)
    assert (document["ok"], document["tables"], list(document["damaged"])) == (
        False,
        1,
        ["T1", "T2"],
    )


def test_list_shows_the_parts_of_the_other_tables(home: Path, roundproof: Roundproof) -> None:
    shutil.rmtree(home / "archive/events/T2")

    said = roundproof("archive", "list", "--home", home)

    assert said.code == Code.UNVERIFIED
    assert [table in said.out for table in TABLES] == [True, False, True]
    assert "events of table T2 expected, no folder found" in said.err


def test_a_replay_of_an_archive_without_a_table_derives_the_others(
    home: Path, roundproof: Roundproof
) -> None:
    shutil.rmtree(home / "archive/events/T2")

    said = roundproof("replay", "--from", "archive", "--workers", "1", "--home", home)

    assert said.code == Code.UNVERIFIED
    assert "2 table-days derived" in said.out
    assert "events of table T2 expected, no folder found" in said.err


def test_trim_plans_and_carries_out_what_it_can(tmp_path: Path) -> None:
    log = LocalLog(tmp_path, GATEWAY_STREAMS, segment_bytes=500)
    gateway = Gateway(log, lambda: NOON, trimmed=partial(trim_note.load, log))
    with log:
        for table in TABLES:
            for day in range(3):
                opened = reading(
                    day,
                    table_id=table,
                    device_kind="pit",
                    device_id="pit-1",
                    payload=e.TableOpened(f"2026-03-0{day + 1}"),
                )
                for n in range(4):
                    cards = [reading(day * 8 + n * 2 + m, table_id=table) for m in (0, 1)]
                    gateway.take([opened, *cards], "file")
        damaged = min(tmp_path.glob("events/T2/*.avro"))
        damaged.write_bytes(b"PK\3\4" + damaged.read_bytes()[4:])

        plans, wrong = trim.plans(log, 1, dict.fromkeys(TABLES, 10**9))
        failed = trim.apply_all(log, plans)

    assert [made.table_id for made in plans] == ["T1", "T3"]
    assert (list(wrong), failed) == (["T2"], {})
    assert damaged.exists()
    assert not any(segment.path.exists() for made in plans for segment in made.files)
