"""Sealing: only what is new is read, what was signed stays signed, and a crash leaves no half."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from audit.house import seal as house_seal
from ingest.disk import Disk, Extension
from ingest.local.log import LocalLog
from ingest.log import CHECKPOINTS, LogRecord
from ingest.seal import checkpoint, keys, note, tree
from ingest.seal.house import STATE, SealBroken
from ingest.seal.sealing import Sealer
from tests.support import houses, sealed_houses
from tests.support.sealed_houses import NOW, ORIGIN, event_bytes, grown, seal, sealed_in_steps

LANE = ("events", "T1")


def test_a_checkpoint_signs_the_heads_of_all_tables(tmp_path: Path) -> None:
    sealed_houses.key_made(houses.simulated(tmp_path))

    done = seal(tmp_path)

    assert done.head is not None
    assert (done.head.origin, done.head.size, done.damaged) == (ORIGIN, 3, {})
    state = house_seal.sealed(tmp_path).state()
    signed = note.parse(state.note)
    assert signed.signers(keys.public_keys(tmp_path / "keys"))
    assert checkpoint.parse(signed.text) == done.head
    for table in ("T1", "T2", "T3"):
        growing = tree.GrowingRoot()
        for body in event_bytes(tmp_path, table):
            growing.add(tree.leaf_hash(body))
        assert state.lanes["events", table][:4:3] == (growing.size, growing.root)


def test_sealing_again_signs_only_what_grew(tmp_path: Path) -> None:
    sealed_houses.key_made(houses.simulated(tmp_path))
    seal(tmp_path)

    assert seal(tmp_path).grown == {}
    grown(tmp_path, "T2", 5)
    done = seal(tmp_path)

    assert done.grown == {("events", "T2"): 5}
    assert done.head is not None
    assert done.head.size == 4


def test_only_what_is_new_is_read(tmp_path: Path) -> None:
    sealed_in_steps(tmp_path, "T1", [300])
    grown(tmp_path, "T1", 10)
    with LocalLog(tmp_path / "log", (CHECKPOINTS,)) as log:
        source = _Counted(log)
        sealer = Sealer(tmp_path / "seal", log, house_seal.signing_key(tmp_path))
        done = sealer.seal(source, [LANE], NOW)

    assert done.grown == {LANE: 10}
    assert source.offsets == list(range(299, 310))


def test_the_trees_do_not_depend_on_how_often_it_was_sealed(tmp_path: Path) -> None:
    often = sealed_in_steps(tmp_path / "often", "T1", [1, 2, 255, 256, 257, 600])
    once = sealed_in_steps(tmp_path / "once", "T1", [600])

    heads = [house_seal.sealed(home).state().lanes[LANE] for home in (often, once)]
    assert heads[0].root == heads[1].root
    for name in ("00.hashes", "08.hashes"):
        files = [home / "seal" / "events" / "T1" / name for home in (often, once)]
        assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.parametrize("gone", ["seal", "seal/state.json", "seal/house", "seal/events/T1"])
def test_lost_caches_are_made_again(tmp_path: Path, gone: str) -> None:
    sealed_in_steps(tmp_path, "T1", [100, 300])
    before = house_seal.sealed(tmp_path).state()
    path = tmp_path / gone
    shutil.rmtree(path) if path.is_dir() else path.unlink()

    grown(tmp_path, "T1", 1)
    done = seal(tmp_path)

    assert (done.grown, done.damaged) == ({LANE: 1}, {})
    house = house_seal.sealed(tmp_path)
    assert [head.size for head in house.heads(LANE)] == [100, 300, 301]
    assert house.heads(LANE)[1] == before.lanes[LANE]


def test_a_damaged_state_is_not_believed(tmp_path: Path) -> None:
    sealed_in_steps(tmp_path, "T1", [100, 300])
    path = tmp_path / "seal" / STATE
    path.write_bytes(path.read_bytes().replace(b"300", b"299"))

    assert house_seal.sealed(tmp_path).state().lanes[LANE].size == 300


def test_a_changed_log_is_not_sealed_and_the_others_are(tmp_path: Path) -> None:
    sealed_in_steps(tmp_path, "T1", [10])
    grown(tmp_path, "T2", 10)
    rewritten(tmp_path, "T1", [*event_bytes(tmp_path, "T1")[:9], b"another"])

    done = seal(tmp_path)

    assert done.grown == {("events", "T2"): 10}
    assert str(done.damaged[LANE]) == "events/T1: record 9 is not the one that was sealed"


def test_a_shorter_log_is_not_sealed(tmp_path: Path) -> None:
    sealed_in_steps(tmp_path, "T1", [10])
    rewritten(tmp_path, "T1", event_bytes(tmp_path, "T1")[:7])

    error = seal(tmp_path).damaged[LANE]

    assert isinstance(error, SealBroken)
    assert str(error) == "events/T1: 10 sealed records expected, fewer found"


def test_a_broken_chain_is_not_sealed(tmp_path: Path) -> None:
    sealed_in_steps(tmp_path, "T1", [10])
    grown(tmp_path, "T1", 5)
    bodies = event_bytes(tmp_path, "T1")
    rewritten(tmp_path, "T1", [*bodies[:12], *bodies[13:]])

    error = seal(tmp_path).damaged[LANE]

    assert str(error).startswith("events/T1: record 12: the hash ")
    assert house_seal.sealed(tmp_path).state().lanes[LANE].size == 10


def test_the_key_of_another_house_signs_nothing(tmp_path: Path) -> None:
    sealed_in_steps(tmp_path, "T1", [10])
    keys.create(tmp_path / "other", keys.HOUSE, "other.example/log")
    key = keys.load(tmp_path / "other")

    with (
        LocalLog(tmp_path / "log", (CHECKPOINTS,)) as log,
        pytest.raises(SealBroken, match=r"the key of hoiana\.example/log expected"),
    ):
        Sealer(tmp_path / "seal", log, key)


@pytest.mark.parametrize("call", range(1, 40))
def test_a_crash_during_sealing_leaves_it_done_or_undone(tmp_path: Path, call: int) -> None:
    sealed_in_steps(tmp_path, "T1", [100])
    grown(tmp_path, "T1", 200)
    grown(tmp_path, "T2", 7)
    disk = _Dying(call)

    try:
        with LocalLog(tmp_path / "log", (CHECKPOINTS,), disk=disk) as log:
            sealer = Sealer(tmp_path / "seal", log, house_seal.signing_key(tmp_path), disk)
            sealer.seal(log, list(house_seal.lanes(log)), NOW)
    except _Killed:
        pass
    seal(tmp_path)

    house = house_seal.sealed(tmp_path)
    state = house.state()
    assert {lane: head.size for lane, head in state.lanes.items()} == {
        LANE: 300,
        ("events", "T2"): 7,
    }
    assert [head.size for head in house.heads(LANE)] == [100, 300]
    assert state.head is not None
    assert house.house_tree().root(state.head.size) == state.head.root


def rewritten(home: Path, table: str, bodies: Sequence[bytes]) -> None:
    """Give a table another log, with a head that fits."""
    shutil.rmtree(home / "log" / "events" / table)
    with LocalLog(home / "log", ("events",)) as log:
        log.append("events", table, bodies)


class _Counted:
    """A log that remembers what was read of its events."""

    def __init__(self, log: LocalLog) -> None:
        self._log, self.offsets = log, list[int]()
        self.start, self.partitions, self.end = log.start, log.partitions, log.end
        self.require_end = log.require_end

    def read(self, stream: str, partition: str, start: int = 0) -> Iterator[LogRecord]:
        for record in self._log.read(stream, partition, start):
            self.offsets.append(record.offset)
            yield record


class _Killed(BaseException):
    """The process is gone."""


class _Dying(Disk):
    """A disk whose process dies in its n-th call, halfway through what it writes."""

    def __init__(self, call: int) -> None:
        self._left = call

    def extend(self, parts: Sequence[Extension]) -> None:
        if self._dies():
            path, at, chunk = parts[0]
            with path.open("r+b") as file:
                file.seek(at)
                file.write(chunk[: len(chunk) // 2])
            raise _Killed
        super().extend(parts)

    def overwrite(self, parts: Sequence[Extension]) -> None:
        if self._dies():
            raise _Killed
        super().overwrite(parts)

    def create(self, path: Path, content: bytes, mode: int = 0o640) -> None:
        if self._dies():
            raise _Killed
        super().create(path, content, mode)

    def _dies(self) -> bool:
        self._left -= 1
        return self._left == 0
