"""One flipped bit in a file of the house: the reader refuses and names it, or does not need it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from audit.cases import evidence_store
from audit.cases.evidence_store import EvidenceCorrupt
from tests.support import houses
from tests.support.media import encoded, scene
from tests.support.sealed_houses import key_made, seal
from tests.support.small_house import Roundproof, Said, roundproof
from tests.support.tables import cases
from vision.clips.build import clip

FLIPS = int(os.environ.get("ROUNDPROOF_FLIPS", "2"))

__all__ = ["roundproof"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house with a log, an archive, a seal and findings, replayed from the archive."""
    made = key_made(houses.archived(houses.simulated(tmp_path_factory.mktemp("flipped"), rounds=2)))
    for words in ("replay --from archive", "detect", "access list"):
        command(made, *words.split())
    seal(made)
    return made


def command(home: Path, *words: str) -> None:
    from tests.support.command_line import called

    assert called(*words, "--home", str(home)) in (0, 1)


class Place(NamedTuple):
    """A bit of a file."""

    path: Path
    at: int
    bit: int

    @contextmanager
    def flipped(self) -> Iterator[None]:
        """The file with the bit changed, and as it was again afterwards."""
        body = self.path.read_bytes()
        wrong = bytearray(body)
        wrong[self.at] ^= 1 << self.bit
        self.path.write_bytes(wrong)
        yield
        self.path.write_bytes(body)


def places(home: Path, pattern: str) -> Iterator[Place]:
    """Bits at random in the files of a kind, the longer files more often."""
    choose = Random(f"{pattern} {FLIPS}")
    files = [path for path in sorted(home.glob(pattern)) if path.is_file() and path.stat().st_size]
    assert files, pattern
    for _ in range(FLIPS):
        (path,) = choose.choices(files, [path.stat().st_size for path in files])
        yield Place(path, choose.randrange(path.stat().st_size), choose.randrange(8))


@pytest.fixture
def asked(home: Path, roundproof: Roundproof, monkeypatch: pytest.MonkeyPatch) -> Roundproof:
    """A command over the house that leaves no access record, so it says the same each time."""
    monkeypatch.setenv("ROUNDPROOF_READ_ONLY", "true")

    def run(*words: str | Path) -> Said:
        return roundproof(*words, "--home", home)

    return run


@pytest.mark.parametrize(
    ("pattern", "words"),
    cases("""
        derived/*/*/*.parquet         | digest     | Parquet of a table-day
        derived/*/*/manifest.json     | digest     | manifest of a table-day
        audit.duckdb                  | findings   | DuckDB file
        audit.duckdb                  | find --table T1 --at 20:00 | DuckDB file, as find reads it
        audit.duckdb.sha256           | findings   | hash of the DuckDB file
        archive/events/*/*.avro       | doctor     | segment of the archive
        archive/events/*/*.json       | doctor     | manifest of the archive
        archive/index.json            | doctor     | index of the archive
        seal/events/*/*.hashes        | log verify | tree files
    """),
)
def test_it_is_refused_and_named(home: Path, asked: Roundproof, pattern: str, words: str) -> None:
    for place in places(home, pattern):
        with place.flipped():
            said = asked(*words.split())

        assert said.code == 4, place
        named = said.out + said.err
        assert place.path.name in named or f"{place.path.parent.name}" in named, (place, said.err)


@pytest.mark.parametrize(
    ("pattern", "words"),
    cases("""
        derived/.names.sqlite         | explain {}  | index of names
        derived/.names.sqlite.sha256  | explain {}  | hash of the index
        derived/.log.json             | explain {}  | memory of the log
        log/events/*/*.avro           | log verify  | segment of the log, the words of its schema
        log/checkpoints/house/*.avro  | log verify  | checkpoints
        log/access/house/*.avro       | access list | access records
        log/*/*/.head                 | log verify  | head of a partition
        seal/**/*                     | log verify  | caches of the seal
    """),
)
def test_it_is_refused_or_changes_nothing(
    home: Path, asked: Roundproof, pattern: str, words: str
) -> None:
    wanted = words.format(a_round(home)).split()
    whole = asked(*wanted)

    for place in places(home, pattern):
        with place.flipped():
            said = asked(*wanted)

        assert said.code == 4 or said[:2] == whole[:2], (place, said)


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    """A camera's pictures."""
    folder = tmp_path / "shots"
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.jpg").write_bytes(encoded(scene(number, 40, 30)))
    return folder


def test_a_clip_is_refused_and_the_file_named(
    asked: Roundproof, tmp_path: Path, shots: Path
) -> None:
    folder = clip(
        shots, tmp_path / "clip", frames=(1, 2), around=1, start_at_us=houses.BEGUN
    ).folder

    for place in places(folder, "*"):
        with place.flipped():
            said = asked("vision", "verify", folder)

        assert said.code == 4, place
        assert place.path.name in said.err


def test_a_file_of_evidence_is_refused_and_named(tmp_path: Path, shots: Path) -> None:
    stored = evidence_store.put(tmp_path / "house", min(shots.iterdir()))

    for place in places(stored.path.parent, "*"):
        with place.flipped(), pytest.raises(EvidenceCorrupt, match=stored.path.name):
            evidence_store.get(tmp_path / "house", stored.sha256)


def a_round(home: Path) -> str:
    from ingest.seal import chain
    from replay.batch import source

    log = source.opened(home)
    return next(event.round_id for event, _ in chain.events(log, "T1") if event.round_id)
