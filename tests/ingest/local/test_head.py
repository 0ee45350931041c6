"""The last record of a table: a flipped bit in it is refused, and nothing is appended after it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from audit.cli.app import command_line
from audit.cli.errors import Code, Stopped
from ingest.disk import Disk
from ingest.gateway import Gateway
from ingest.local import head
from ingest.local.log import LocalLog
from ingest.log import DEAD_LETTERS, GATEWAY_STREAMS, HeadMissing, LogCorrupt, LogCut
from ingest.order import GATEWAY
from ingest.seal import chain as event_chain
from tests.support.readings import NOON, reading


def filled(root: Path) -> Path:
    """A table of three events; the file that holds them."""
    with LocalLog(root, GATEWAY_STREAMS) as log:
        Gateway(log, lambda: NOON).take([reading(n) for n in range(3)], "a test")
    (path,) = root.glob("events/T12/*.avro")
    return path


def last_block(path: Path) -> tuple[bytes, int]:
    """A segment's bytes and where its last block starts."""
    whole = path.read_bytes()
    marker = whole[-16:]
    return whole, whole.rindex(marker, 0, len(whole) - 16) + 16


def test_every_flipped_bit_of_the_last_record_is_refused_by_reader_and_writer(
    tmp_path: Path,
) -> None:
    path = filled(tmp_path)
    whole, start = last_block(path)
    silent = []
    for at in range(start, len(whole)):
        for bit in range(8):
            flipped = bytearray(whole)
            flipped[at] ^= 1 << bit
            path.write_bytes(flipped)
            if not (_read_refused(tmp_path) and _append_refused(tmp_path)):
                silent.append((at - start, bit))

    assert len(whole) - start > 50
    assert silent == []
    path.write_bytes(whole)
    assert not _read_refused(tmp_path)
    assert not _append_refused(tmp_path)


def _read_refused(root: Path) -> bool:
    try:
        list(event_chain.events(LocalLog(root), "T12"))
    except LogCorrupt:
        return True
    return False


def _append_refused(root: Path) -> bool:
    try:
        with LocalLog(root, GATEWAY_STREAMS) as log:
            log.append("events", "T12", [b"after it"])
    except LogCorrupt:
        return True
    return False


def test_a_bit_that_flips_between_two_appends_is_refused(tmp_path: Path) -> None:
    with LocalLog(tmp_path, GATEWAY_STREAMS) as log:
        door = Gateway(log, lambda: NOON)
        door.take([reading(0)], "a test")
        (path,) = tmp_path.glob("events/T12/*.avro")
        whole, start = last_block(path)
        path.write_bytes(whole[: start + 9] + bytes([whole[start + 9] ^ 4]) + whole[start + 10 :])

        counts = door.take([reading(1)], "a test")

    assert (counts.accepted, counts.stopped) == (0, 1)
    assert "offset 0: SHA-256" in str(door.stopped["T12"])


def test_a_log_that_is_open_compares_its_last_record_before_it_writes_another(
    tmp_path: Path,
) -> None:
    with LocalLog(tmp_path, GATEWAY_STREAMS) as log:
        log.append("events", "T12", [b"the last"])
        (path,) = tmp_path.glob("events/T12/*.avro")
        path.write_bytes(path.read_bytes().replace(b"the last", b"the lost"))

        with pytest.raises(LogCorrupt, match="the last record as it was written expected"):
            log.append("events", "T12", [b"after it"])


def test_a_dead_letter_is_covered_too(tmp_path: Path) -> None:
    with LocalLog(tmp_path, GATEWAY_STREAMS) as log:
        log.append(DEAD_LETTERS, GATEWAY, [b"one", b"the last"])
    (path,) = tmp_path.glob(f"{DEAD_LETTERS}/{GATEWAY}/*.avro")
    path.write_bytes(path.read_bytes().replace(b"the last", b"the lost"))

    with pytest.raises(LogCorrupt, match="offset 1: SHA-256"):
        list(LocalLog(tmp_path).read(DEAD_LETTERS, GATEWAY))


def head_place(root: Path) -> Path:
    return root / "events/T12" / head.FILE


@pytest.mark.parametrize("left", [None, b"", b"torn", b"x" * head.SIZE * head.SLOTS])
def test_records_without_a_whole_head_are_told_and_never_given_one_in_silence(
    tmp_path: Path, left: bytes | None
) -> None:
    filled(tmp_path)
    head_place(tmp_path).unlink()
    if left is not None:
        head_place(tmp_path).write_bytes(left)

    with pytest.raises(HeadMissing, match="a head beside the records expected"):
        next(LocalLog(tmp_path).read("events", "T12"))
    with pytest.raises(HeadMissing):
        LocalLog(tmp_path).end("events", "T12")
    with LocalLog(tmp_path, GATEWAY_STREAMS) as log, pytest.raises(HeadMissing):
        log.append("events", "T12", [b"after it"])
    assert (head_place(tmp_path).read_bytes() if left is not None else None) == left


def test_a_head_that_is_lost_while_a_gateway_writes_is_told_at_the_next_append(
    tmp_path: Path,
) -> None:
    with LocalLog(tmp_path, GATEWAY_STREAMS) as log:
        log.append("events", "T12", [b"one"])
        head_place(tmp_path).unlink()

        for _ in range(2):
            with pytest.raises(HeadMissing):
                log.append("events", "T12", [b"two"])


@pytest.mark.parametrize("missing", ["a record", "half a record", "every file"])
def test_a_log_that_ends_before_its_head_was_cut(tmp_path: Path, missing: str) -> None:
    path = filled(tmp_path)
    whole, start = last_block(path)
    if missing == "every file":
        path.unlink()
    else:
        path.write_bytes(whole[: start + (7 if missing == "half a record" else 0)])
    kept = 0 if missing == "every file" else 2

    with pytest.raises(LogCut, match=f"3 records expected, {kept} found"):
        list(LocalLog(tmp_path).read("events", "T12"))
    with pytest.raises(LogCut):
        LocalLog(tmp_path).end("events", "T12")
    with LocalLog(tmp_path, GATEWAY_STREAMS) as log, pytest.raises(LogCut):
        log.append("events", "T12", [b"after it"])


@pytest.mark.parametrize("torn", [False, True], ids=["older", "newest slot torn"])
def test_a_head_that_is_older_than_its_records_is_what_a_crash_leaves(
    tmp_path: Path, *, torn: bool
) -> None:
    """Records are forced to the disk first; then the head is, in the slot that was the older."""
    with LocalLog(tmp_path, GATEWAY_STREAMS) as log:
        log.append("events", "T12", [b"one"])
        before = head_place(tmp_path).read_bytes()
        log.append("events", "T12", [b"two", b"three"])
        after = head_place(tmp_path).read_bytes()
    (at,) = (slot for slot in range(head.SLOTS) if slots(before)[slot] != slots(after)[slot])
    if torn:
        half = head.SIZE * at + 40
        head_place(tmp_path).write_bytes(after[:half] + before[half:])
    else:
        head_place(tmp_path).write_bytes(before)

    assert [r.body for r in LocalLog(tmp_path).read("events", "T12")] == [b"one", b"two", b"three"]
    with LocalLog(tmp_path, GATEWAY_STREAMS) as log:
        assert log.append("events", "T12", [b"four"]) == 3
    known = head.load(head_place(tmp_path).parent)
    assert known is not None
    assert known.end == 4


def slots(body: bytes) -> list[bytes]:
    return [body[head.SIZE * n : head.SIZE * (n + 1)] for n in range(head.SLOTS)]


def test_the_head_is_forced_to_the_disk_after_its_records(tmp_path: Path) -> None:
    order: list[str] = []

    class Noting(Disk):
        def sync(self, handle: int) -> None:
            order.append(Path(f"/proc/self/fd/{handle}").readlink().name)
            super().sync(handle)

    with LocalLog(tmp_path, GATEWAY_STREAMS, disk=Noting()) as log:
        log.append("events", "T12", [b"one"])
        order.clear()
        log.append_each("events", {"T12": [b"two"]})

    assert order == ["00000000.avro", head.FILE]


def test_a_head_of_one_slot_as_it_was_first_kept_is_read_and_goes_on(tmp_path: Path) -> None:
    filled(tmp_path)
    newest = max(slots(head_place(tmp_path).read_bytes()))
    head_place(tmp_path).write_bytes(newest)

    with LocalLog(tmp_path, GATEWAY_STREAMS) as log:
        assert log.append("events", "T12", [b"four"]) == 3
        assert log.append("events", "T12", [b"five"]) == 4
    known = head.load(head_place(tmp_path).parent)
    assert known is not None
    assert known.end == 5


def test_an_empty_partition_needs_no_head(tmp_path: Path) -> None:
    """A crash may come between the first file and its first record, also before heads were kept."""
    with LocalLog(tmp_path, GATEWAY_STREAMS) as log:
        log.append("events", "T12", [b"one"])
    (path,) = tmp_path.glob("events/T12/*.avro")
    whole, start = last_block(path)
    path.write_bytes(whole[:start])
    head_place(tmp_path).unlink()

    assert LocalLog(tmp_path).end("events", "T12") == 0
    with LocalLog(tmp_path, GATEWAY_STREAMS) as log:
        assert log.append("events", "T12", [b"one"]) == 0


def adopted(home: Path, *words: str) -> Result:
    return CliRunner().invoke(command_line(), ["--home", str(home), "ingest", "adopt", *words])


def test_a_log_from_before_heads_is_adopted_on_purpose(tmp_path: Path) -> None:
    home, log = tmp_path, tmp_path / "log"
    filled(log)
    head_place(log).unlink()

    wanting = adopted(home, "--dry-run")
    still = head_place(log).exists()
    done = adopted(home, "T12", "--yes")

    assert (wanting.exit_code, done.exit_code, still) == (0, 0, False)
    assert "events/T12: would be adopted with 3 records" in wanting.stdout
    assert "events/T12: adopted with 3 records" in done.stdout
    assert len(list(event_chain.events(LocalLog(log), "T12"))) == 3
    assert json.loads(adopted(home, "--json").stdout)["partitions"] == []


def test_a_loss_is_adopted_only_where_it_is_accepted(tmp_path: Path) -> None:
    home, log = tmp_path, tmp_path / "log"
    path = filled(log)
    whole, start = last_block(path)
    path.write_bytes(whole[:start])

    refused = adopted(home, "--yes")
    taken = adopted(home, "T12", "--accept-loss", "--yes")

    assert isinstance(refused.exception, Stopped)
    assert refused.exception.code == Code.UNVERIFIED
    assert "3 records expected, 2 found" in refused.stderr
    assert taken.exit_code == 0
    assert len(list(event_chain.events(LocalLog(log), "T12"))) == 2


def test_a_broken_chain_is_never_adopted_and_stops_no_other_table(tmp_path: Path) -> None:
    home, log = tmp_path, tmp_path / "log"
    path = filled(log)
    with LocalLog(log, GATEWAY_STREAMS) as house:
        Gateway(house, lambda: NOON).take([reading(0, table_id="T13")], "a test")
    body = bytearray(path.read_bytes())
    body[body.index(b"9H")] ^= 1
    path.write_bytes(body)
    for place in log.glob(f"events/*/{head.FILE}"):
        place.unlink()

    done = adopted(home, "--yes", "--accept-loss")

    assert isinstance(done.exception, Stopped)
    assert done.exception.code == Code.UNVERIFIED
    assert "events/T12 is broken: table T12 offset 1" in done.stderr
    assert "events/T13: adopted with 1 records" in done.stdout
    assert not head_place(log).exists()
