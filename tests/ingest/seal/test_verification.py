"""A changed log is found, and the place is exact."""

import os
import random
import shutil
from pathlib import Path

import pytest

from audit.house import seal as house_seal
from audit.house import verify_log
from ingest.local.log import LocalLog
from ingest.log import CHECKPOINTS, HOUSE
from ingest.seal import keys, note, verification
from ingest.seal.house import SealBroken, SealedHouse
from ingest.seal.note import PublicKey
from ingest.seal.verification import HouseVerdict, LaneVerdict
from tests.support import houses
from tests.support.listed_log import ListedLog
from tests.support.sealed_houses import event_bytes, grown, seal, sealed_in_steps
from tests.support.tampering import ACTS, chained_anew

LANE = ("events", "T1")
SIZES = (5, 60, 61, 150)
TRIES = int(os.environ.get("ROUNDPROOF_TAMPERS", "100"))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house whose table was sealed four times, and has ten events more."""
    made = sealed_in_steps(tmp_path_factory.mktemp("sealed"), "T1", SIZES)
    return grown(made, "T1", 10)


@pytest.fixture(scope="module")
def bodies(home: Path) -> list[bytes]:
    """Its events."""
    return event_bytes(home, "T1")


@pytest.fixture(scope="module")
def proven(home: Path) -> HouseVerdict:
    """Its checkpoints, proven."""
    return verification.verify_checkpoints(house_seal.sealed(home), known_keys(home))


def known_keys(home: Path) -> list[PublicKey]:
    return keys.public_keys(home / "keys")


def verdict(home: Path, proven: HouseVerdict, bodies: list[bytes]) -> LaneVerdict:
    files = house_seal.sealed(home).tree(LANE)
    return verification.verify_lane(ListedLog(LANE, bodies), LANE, proven, files)


def test_a_log_as_sealed_is_as_sealed(
    home: Path, proven: HouseVerdict, bodies: list[bytes]
) -> None:
    assert verdict(home, proven, bodies) == LaneVerdict(LANE, 160, 150)
    assert verify_log.verify(home, LocalLog(home / "log"), known_keys(home)).wrong == []


@pytest.mark.parametrize("anew", [False, True], ids=["as it is", "chained anew"])
@pytest.mark.parametrize("act", ACTS)
def test_the_place_is_exact(
    home: Path, proven: HouseVerdict, bodies: list[bytes], act: str, anew: bool
) -> None:
    choose = random.Random(f"{act} {anew}")
    for _ in range(TRIES):
        at = choose.randrange(0, SIZES[-1] - 1)
        changed = ACTS[act](bodies, at, choose)

        found = verdict(home, proven, chained_anew(changed) if anew else changed).wrong

        assert found is not None
        assert (found.offset, found.upto) == (at, None)
        catches = next(n for n, size in enumerate(SIZES, 1) if size > at)
        assert found.checkpoint == catches


@pytest.mark.parametrize("act", ACTS)
def test_the_place_within_a_day_is_exact(
    home: Path, proven: HouseVerdict, bodies: list[bytes], act: str
) -> None:
    choose = random.Random(act)
    files = house_seal.sealed(home).tree(LANE)
    for _ in range(TRIES):
        start, end = sorted(choose.sample(range(SIZES[-1] + 1), 2))
        at = choose.randrange(start, end)
        if at == SIZES[-1] - 1 and act == "swap":
            continue
        changed = ListedLog(LANE, ACTS[act](bodies, at, choose))

        found = verification.verify_span(changed, LANE, (start, end), proven, files).wrong
        whole = ListedLog(LANE, bodies)

        assert found is not None
        assert found.offset == at
        fits = verification.verify_span(whole, LANE, (start, end), proven, files)
        assert (fits.wrong, fits.cache) == (None, "")


def test_without_the_tree_files_the_place_is_between_two_checkpoints(
    home: Path, proven: HouseVerdict, bodies: list[bytes], tmp_path: Path
) -> None:
    choose = random.Random(1)
    changed = ListedLog(LANE, chained_anew(ACTS["edit"](bodies, 70, choose)))
    lost = SealedHouse(tmp_path, LocalLog(home / "log")).tree(LANE)

    found = verification.verify_lane(changed, LANE, proven, lost).wrong

    assert found is not None
    assert (found.offset, found.upto, found.checkpoint) == (61, 149, 4)


def test_a_change_after_the_last_checkpoint_breaks_the_chain(
    home: Path, proven: HouseVerdict, bodies: list[bytes]
) -> None:
    changed = ACTS["edit"](bodies, 155, random.Random(1))

    found = verdict(home, proven, changed).wrong

    assert found is not None
    assert (found.offset, found.checkpoint) == (156, None)
    assert found.what == "it does not carry the hash of the record before it"


def test_changed_tree_files_are_told_from_a_changed_log(home: Path, tmp_path: Path) -> None:
    shutil.copytree(home, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "seal" / "events" / "T1" / "00.hashes"
    body = bytearray(path.read_bytes())
    body[70 * 32] ^= 1
    path.write_bytes(body)

    found = verify_log.verify(tmp_path, LocalLog(tmp_path / "log"), known_keys(tmp_path))

    assert found.wrong == []
    assert found.caches == [f"{path.parent}: hash 70 is not that of the sealed record"]


def test_rolled_back_as_a_whole_it_shows_beside_a_kept_checkpoint(tmp_path: Path) -> None:
    older = sealed_in_steps(tmp_path / "older", "T1", [10, 20])
    newer = Path(shutil.copytree(older, tmp_path / "newer"))
    grown(newer, "T1", 5)
    seal(newer)
    kept = note.parse(house_seal.proofs(newer).note)
    trusted = known_keys(older)

    house = verification.verify_checkpoints(house_seal.sealed(older), trusted)
    with pytest.raises(SealBroken, match="rolled back: 3 heads were signed, 2 are left"):
        verification.require_extends(house, kept, trusted)

    now = verification.verify_checkpoints(house_seal.sealed(newer), trusted)
    verification.require_extends(now, note.parse(house_seal.proofs(older).note), trusted)


@pytest.mark.parametrize("size", [1, 5, 10, 19])
def test_a_history_forged_with_the_real_key_shows_beside_a_kept_checkpoint(
    tmp_path: Path, size: int
) -> None:
    true = sealed_in_steps(tmp_path / "true", "T1", [20, 30])
    kept, trusted = note.parse(house_seal.proofs(true).note), known_keys(true)
    forged = tmp_path / "forged"
    shutil.copytree(true / "keys", forged / "keys")
    changed = ACTS["edit"](event_bytes(true, "T1"), size, random.Random(size))
    with LocalLog(forged / "log", ("events",)) as log:
        log.append("events", "T1", chained_anew(changed)[:20])
    seal(forged)
    with LocalLog(forged / "log", ("events",)) as log:
        log.append("events", "T1", chained_anew(changed)[20:])
    seal(forged)

    house = verification.verify_checkpoints(house_seal.sealed(forged), trusted)

    with pytest.raises(SealBroken, match="checkpoint 2: the log was forked"):
        verification.require_extends(house, kept, trusted)


def test_a_changed_checkpoint_is_named(tmp_path: Path) -> None:
    sealed_in_steps(tmp_path, "T1", [10, 20, 30])
    log = LocalLog(tmp_path / "log")
    records = [record.body for record in log.read(CHECKPOINTS, HOUSE)]
    for at, changed in (
        (0, records[1:]),
        (1, [records[0], records[2], records[1]]),
        (2, [*records[:2], records[2].replace(b"30\n", b"31\n")]),
    ):
        shutil.rmtree(tmp_path / "log" / CHECKPOINTS)
        with LocalLog(tmp_path / "log", (CHECKPOINTS,)) as other:
            other.append(CHECKPOINTS, HOUSE, changed)

        with pytest.raises(SealBroken, match=rf"checkpoint \d+ \(record {at}\)"):
            verification.verify_checkpoints(house_seal.sealed(tmp_path), known_keys(tmp_path))


def test_a_checkpoint_of_an_unknown_key_is_refused(tmp_path: Path) -> None:
    sealed_in_steps(tmp_path / "one", "T1", [10])
    other = keys.create(tmp_path / "other", keys.HOUSE, "hoiana.example/log").public

    with pytest.raises(SealBroken, match="a signature of the house expected"):
        verification.verify_checkpoints(house_seal.sealed(tmp_path / "one"), [other])


def test_the_same_heads_hold_for_log_and_archive(tmp_path: Path) -> None:
    home = houses.archived(houses.simulated(tmp_path, rounds=4))
    keys.create(home / "keys", keys.HOUSE, "hoiana.example/log")
    seal(home)

    for kind in ("local", "archive"):
        found = verify_log.verify(home, verify_log.raw_log(home, kind), known_keys(home))
        assert [each.wrong for each in found.lanes] == [None] * 3
        assert sum(each.records for each in found.lanes) > 100
