"""The archive: parts that end, are sealed, are proven before they are read, and survive a crash."""

import hashlib
import json
import shutil
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
from typer.testing import CliRunner

from audit.cli import app as root
from audit.cli.errors import Code, explained
from ingest.archive import index, manifests, store
from ingest.archive.store import ArchiveLog, ArchiveWriter
from ingest.disk import Disk
from ingest.kafka.event_sorter import SortedEvent
from ingest.local.log import LocalLog
from ingest.log import EVENTS, LogCorrupt, LogRecord
from ingest.seal.chain import ChainPosition
from schemas import avro, lock
from schemas import events as e
from tests.support import houses
from tests.support.houses import Said, bodies
from tests.support.tables import cases

OPENED = e.TableOpened("2026-03-01")
LATER = e.TableOpened("2026-03-02")
CLOSED = e.TableClosed()
PLAYED: list[Said] = [(e.BettingOpened(), "R1"), (e.BettingClosed(), "R1")]
TWO_DAYS: list[Said] = [
    (OPENED, None),
    *PLAYED,
    (CLOSED, None),
    (e.BettingClosed(), "R1"),  # late
    (LATER, None),
    *PLAYED,
]


def goods(said: Sequence[Said] = TWO_DAYS, table: str = "T1") -> list[SortedEvent]:
    """The events as a reader of Kafka hands them on."""
    made = bodies(table, said, [])
    return houses.goods(
        table, [LogRecord(n, body, avro.FINGERPRINT) for n, body in enumerate(made)]
    )


def kept(root: Path, found: Sequence[SortedEvent], batch: int = 3) -> Path:
    """An archive that was given the events in batches."""
    for start in range(0, len(found), batch):
        with ArchiveWriter(root) as keeper:
            keeper.take(found[start : start + batch])
    return root


def walked(root: Path) -> int:
    """How many events an archive proves to hold."""
    tables = ArchiveLog(root).partitions(EVENTS)
    return sum(1 for table in tables for _ in store.events(root, table))


def gone_on_with(root: Path) -> None:
    """Open an archive of two tables to write to; what is wrong with the one that is set aside."""
    with ArchiveWriter(root) as keeper:
        places = keeper.positions()
        (wrong,) = keeper.stopped.values()
        assert len(places) == 1  # the other goes on
        raise wrong


def parts(root: Path, table: str = "T1") -> list[tuple[str, int, int]]:
    return [(part.gaming_day, part.start, part.end) for part in manifests.manifests(root, table)]


@pytest.mark.parametrize("batch", [1, 2, 3, 8])
def test_a_part_ends_when_the_table_closes_and_when_it_opens_again(
    tmp_path: Path, batch: int
) -> None:
    root = kept(tmp_path, goods(), batch)

    assert parts(root) == [("2026-03-01", 0, 4), ("2026-03-01", 4, 5)]
    assert [record.body for record in ArchiveLog(root).read(EVENTS, "T1")] == [
        good.record.body for good in goods()
    ]


def test_however_it_came_the_archive_has_the_same_bytes(tmp_path: Path) -> None:
    one, other = kept(tmp_path / "one", goods(), 1), kept(tmp_path / "other", goods(), 99)

    def files(root: Path) -> dict[str, bytes]:
        folder = root / EVENTS / "T1"
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}

    assert files(one) == files(other)


def test_reading_starts_anywhere(tmp_path: Path) -> None:
    log = ArchiveLog(kept(tmp_path, goods()))

    for start in range(len(TWO_DAYS) + 2):
        assert [r.offset for r in log.read(EVENTS, "T1", start)] == [*range(start, len(TWO_DAYS))]
    assert log.partitions(EVENTS) == ("T1",)
    assert log.end(EVENTS, "T1") == len(TWO_DAYS)
    assert list(log.read(EVENTS, "T9")) == []


def test_an_archive_goes_on_where_it_ended(tmp_path: Path) -> None:
    root = kept(tmp_path, goods()[:6])

    with ArchiveWriter(root) as keeper:
        assert keeper.positions() == {"T1": ChainPosition(6, bytes.fromhex(goods()[5].sha256))}


def test_old_contracts_keep_their_schema(tmp_path: Path) -> None:
    older = [good._replace(record=good.record._replace(schema=OLDER)) for good in goods()]

    root = kept(tmp_path, [*older[:2], *goods()[2:]])

    found = [record.schema for record in ArchiveLog(root).read(EVENTS, "T1")]
    assert found == [OLDER, OLDER, *[avro.FINGERPRINT] * 6]


@pytest.mark.parametrize(
    ("harm", "told"),
    cases("""
        flip   | SHA-256 .* expected, .* found     | one bit of a sealed segment
        cut    | SHA-256 .* expected, .* found     | a sealed segment cut short
        drop   | SHA-256 .* expected, no file      | a sealed segment gone
        edit   | a part from event 4 after manifes | a manifest edited
        indent | its bytes are not those           | a manifest in another's hand
        junk   | manifest expected                 | a manifest that is none
        forget | a part from event 0 .* 4 after    | the first manifest gone
        swap   | a part from event 4 .* 0 after    | a manifest in another's place
    """),
)
def test_what_was_sealed_and_then_changed_is_refused(tmp_path: Path, harm: str, told: str) -> None:
    folder = kept(tmp_path, goods()) / EVENTS / "T1"
    segment, manifest = folder / "00000000.avro", folder / "00000000.json"
    body = segment.read_bytes()
    match harm:
        case "flip":
            segment.write_bytes(body[:-30] + bytes((body[-30] ^ 1,)) + body[-29:])
        case "cut":
            segment.write_bytes(body[:-30])
        case "drop":
            segment.unlink()
        case "edit":
            manifest.write_text(manifest.read_text().replace("2026-03-01", "2026-03-07 "))
        case "indent":
            manifest.write_text(json.dumps(json.loads(manifest.read_text())))
        case "junk":
            manifest.write_text("{}")
        case "forget":
            manifest.unlink()
        case "swap":
            shutil.copy(manifest, folder / "00000004.json")

    with pytest.raises(LogCorrupt, match=told):
        list(ArchiveLog(tmp_path).read(EVENTS, "T1"))


@pytest.mark.parametrize(
    ("harm", "told"),
    cases("""
        table   | 8 events of table T1 expected, no folder | a whole table gone
        files   | manifest .* after 2 parts expected       | every file of a table gone
        opened  | 2 events expected, 0 found               | a table that was never sealed, emptied
        day     | manifest .* after 2 parts expected       | another day in the last manifest
        end     | manifest .* after 2 parts expected       | another end in the last manifest
        hash    | manifest .* after 2 parts expected       | another hash in the last manifest
        last    | manifest .* after 2 parts expected       | the last manifest gone
        tail    | 8 events expected, 5 found               | what was not sealed yet gone
        index   | the archive's index expected, no file    | the index gone
        count   | T1: .* as event 6 expected               | another end in the index
        hand    | its bytes are not those                  | the index in another's hand
        junk    | index expected                           | an index that is none
    """),
)
def test_what_is_gone_or_edited_is_missed_by_whoever_opens_it(
    tmp_path: Path, harm: str, told: str
) -> None:
    kept(tmp_path, goods())
    kept(tmp_path, goods([(OPENED, None), (e.BettingOpened(), "R1")], "T2"))
    folder, place = tmp_path / EVENTS / "T1", tmp_path / "index.json"
    last = folder / "00000004.json"

    def edited(path: Path, name: str, value: object) -> None:
        said = json.loads(path.read_text())
        (said["T1"] if path == place else said)[name] = value
        path.write_text(json.dumps(said, sort_keys=True, indent=1) + "\n")

    match harm:
        case "table":
            shutil.rmtree(folder)
        case "files":
            for path in folder.iterdir():
                path.unlink()
        case "opened":
            for path in (tmp_path / EVENTS / "T2").iterdir():
                path.unlink()
        case "day":
            edited(last, "gaming_day", "2026-03-09")
        case "end":
            edited(last, "end", 8)
        case "hash":
            edited(last, "last_hash", "0" * 64)
        case "last":
            last.unlink()
        case "tail":
            (folder / "00000005.avro").unlink()
        case "index":
            place.unlink()
        case "count":
            edited(place, "end", 7)
        case "hand":
            place.write_text(json.dumps(json.loads(place.read_text())))
        case "junk":
            place.write_text('{"T1": 1}')

    with pytest.raises(LogCorrupt, match=told):
        walked(tmp_path)
    with pytest.raises(LogCorrupt, match=told):
        gone_on_with(tmp_path)


@pytest.mark.parametrize("word", ["verify", "list"])
def test_a_table_that_is_gone_ends_the_command_with_an_error(tmp_path: Path, word: str) -> None:
    for table in ("T1", "T2"):
        kept(tmp_path / "archive", goods(table=table))
    shutil.rmtree(tmp_path / "archive" / EVENTS / "T1")

    done = CliRunner().invoke(root.command_line(), ["--home", str(tmp_path), "archive", word])

    assert done.exception is not None
    told = explained(done.exception)
    assert told.code == Code.UNVERIFIED
    assert "8 events of table T1 expected, no folder found" in str(told)
    assert "backup of the archive" in told.next_step


def test_an_archive_without_an_index_has_one_made_when_all_is_read_again(tmp_path: Path) -> None:
    kept(tmp_path, goods())
    (tmp_path / "index.json").unlink()

    with ArchiveWriter(tmp_path, anew=True) as keeper:
        place = keeper.positions()["T1"]

    assert place.seq == walked(tmp_path) == len(goods())


def test_manifests_form_a_chain(tmp_path: Path) -> None:
    root = kept(tmp_path, goods([*TWO_DAYS, (CLOSED, None)]))

    found = manifests.manifests(root, "T1")
    texts = [path.read_bytes() for path in sorted((root / EVENTS / "T1").glob("*.json"))]
    assert found[0].previous == index.FIRST_OF_ALL
    for (before, text), (after, _) in pairwise(zip(found, texts, strict=True)):
        assert after.previous == hashlib.sha256(text).hexdigest()
        assert after.start == before.end
    assert json.loads(texts[-1])["gaming_day"] == "2026-03-02"


class Killed(BaseException):
    """The process is gone."""


class Dying(Disk):
    """A disk under a process that is killed at its n-th call."""

    def __init__(self, calls: int) -> None:
        self.left = calls

    def sync(self, handle: int) -> None:
        self._count()
        super().sync(handle)

    def rename(self, old: Path, new: Path) -> None:
        self._count()
        super().rename(old, new)

    def write(self, handle: int, chunk: memoryview) -> int:
        self._count()
        return super().write(handle, chunk[: max(1, len(chunk) // 2)])

    def _count(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Killed


@pytest.mark.parametrize("calls", range(90))
def test_killed_at_any_call_nothing_is_lost_or_doubled(tmp_path: Path, calls: int) -> None:
    found, root = goods(), tmp_path / "archive"
    undisturbed = kept(tmp_path / "undisturbed", found)
    with suppress(Killed), ArchiveWriter(root, Dying(calls)) as keeper:
        for start in range(0, len(found), 3):
            keeper.take(found[start : start + 3])

    with ArchiveWriter(root) as again:
        place = again.positions().get("T1", ChainPosition())
        again.take(found[place.seq :])

    assert parts(root) == parts(undisturbed)
    assert list(ArchiveLog(root).read(EVENTS, "T1")) == list(
        ArchiveLog(undisturbed).read(EVENTS, "T1")
    )


def test_the_archive_is_not_written_through_the_log(tmp_path: Path) -> None:
    assert not hasattr(ArchiveLog(tmp_path), "append")


def test_one_keeper_at_a_time(tmp_path: Path) -> None:
    with ArchiveWriter(tmp_path), pytest.raises(Exception, match="is writing to it"):
        LocalLog(tmp_path, (EVENTS,))


OLDER = lock.installed().versions[0].event
