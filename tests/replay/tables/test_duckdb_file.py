"""The DuckDB file: what differs is written, and it is as if it had been built anew."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

from replay.tables import (
    code_hash,
    dictionary,
    duckdb_contents,
    duckdb_file,
    parquet,
    proven_file,
)
from replay.tables.parquet import Manifest

pytestmark = pytest.mark.slow

TABLES = ("T1", "T2", "T3")
DAYS = tuple(f"2026-03-0{n}" for n in range(1, 6))
LARGE = 30_000  # rows of a table-day, so that a few of them fill more than one row group


def value(random: Random, kind: str) -> Any:
    """Anything that a column of this kind may hold."""
    match kind:
        case "varchar":
            return random.choice((None, "", "a", "b'c", "ß"))
        case "varchar[]":
            return random.choice((None, [], ["a", "b"]))
        case "boolean":
            return random.choice((None, True, False))
    return random.choice((None, 0, 1, 7))


# What SQL makes words of.
SAID = {
    "key": "TB.void",
    "params": "{}",
    "unknown_key": "",
    "unknown_params": "",
    "likely": ["9H"],
    "likely_ppm": [7],
    "erring": [],
    **dict.fromkeys(("misread_ppm", "switched_ppm", "foreign_ppm"), 7),
}


def row(random: Random, table: str, table_id: str, day: str) -> tuple[Any, ...]:
    known: dict[str, Any] = {"table_id": table_id, "gaming_day": day} | SAID
    return tuple(
        known[column.name] if column.name in known else value(random, column.kind)
        for column in dictionary.dictionary()[table].stored
    )


def put(home: Path, random: Random, table_id: str, day: str, flags: int = 0) -> Path:
    """Leave a table-day as a replay would, with any rows in it."""
    digest = f"{random.getrandbits(64):x}"
    rows = {
        table: [row(random, table, table_id, day) for _ in range(random.randrange(4))]
        for table in duckdb_contents.by_day()
    }
    said = ("TB.void", "{}")
    rows["flags"] += [("R", table_id, "TB", f"A{n}", "", digest, *said) for n in range(flags)]
    rows["table_days"] = [(table_id, day, None, None, 3, 0, digest, None)]
    start = 100 * DAYS.index(day)
    made = Manifest(table_id, day, start, start + 3, "", code_hash.of_rows(), 0, digest, files={})
    parquet.write(home / "derived", day, parquet.parquet(rows), made)
    return home / "derived" / table_id / day


def drop(folder: Path) -> None:
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()


def content(home: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every table of the file, sorted."""
    with duckdb.connect(str(home / duckdb_file.FILE), read_only=True) as db:
        return {
            table: db.execute(f"from {table} order by all").fetchall()
            for table in dictionary.dictionary()
        }


def anew(home: Path, other: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every table of a file that is built of the same table-days elsewhere."""
    other.mkdir(exist_ok=True)
    if not (other / "derived").exists():
        (other / "derived").symlink_to(home / "derived")
    duckdb_file.project(other, whole=True)
    return content(other)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The table-days that are read while it is there; a test may empty it."""
    found: set[str] = set()
    before = parquet.read

    def told(folder: Path, known: Manifest, table: str) -> Any:
        found.add(f"{folder.parent.name} {folder.name}")
        return before(folder, known, table)

    monkeypatch.setattr(parquet, "read", told)
    return found


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three tables of three days each, projected."""
    house, random = tmp_path_factory.mktemp("made") / "house", Random(1)
    for table in TABLES:
        for day in DAYS[:3]:
            put(house, random, table, day)
    duckdb_file.project(house)
    return house


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may spoil."""
    return Path(shutil.copytree(made, tmp_path / "house"))


@pytest.mark.parametrize("seed", range(4))
def test_only_what_changed_is_read_and_all_is_as_if_built_anew(
    home: Path, tmp_path: Path, read: set[str], seed: int
) -> None:
    random = Random(seed)
    for _ in range(5):
        there = {f"{path.parent.name} {path.name}" for path in parquet.folders(home / "derived")}
        changed = set()
        for name in random.sample(sorted(there), random.randrange(3)):
            table, day = name.split()
            if random.random() < 0.3:
                drop(home / "derived" / table / day)
            else:
                put(home, random, table, day)
                changed.add(name)
        for _ in range(random.randrange(3)):
            table, day = random.choice(TABLES), random.choice(DAYS)
            put(home, random, table, day)
            changed.add(f"{table} {day}")
        read.clear()

        duckdb_file.project(home)

        assert read == changed
        assert content(home) == anew(home, tmp_path / "other")


def test_rows_are_found_again_beyond_one_row_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: set[str]
) -> None:
    random, home = Random(2), tmp_path / "house"
    monkeypatch.setattr(duckdb_file, "BATCH", 3)
    for table in TABLES:
        for day in DAYS[:3]:
            put(home, random, table, day, LARGE)
    duckdb_file.project(home)

    for table, day, rows in (("T2", DAYS[1], 9), ("T1", DAYS[0], LARGE), ("T3", DAYS[2], 1)):
        put(home, random, table, day, rows)
        read.clear()
        duckdb_file.project(home)
        assert read == {f"{table} {day}"}

    assert content(home) == anew(home, tmp_path / "other")


def test_a_file_that_is_changed_for_ever_does_not_grow_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: set[str]
) -> None:
    random, home, sizes, whole = Random(3), tmp_path / "house", [], 0
    monkeypatch.setattr(duckdb_file, "SPARE", 2 << 20)
    for table in TABLES:
        put(home, random, table, DAYS[0], LARGE // 2)
    first = duckdb_file.project(home).stat().st_size

    for _ in range(9):
        put(home, random, "T2", DAYS[0], LARGE // 2)
        read.clear()
        sizes.append(duckdb_file.project(home).stat().st_size)
        whole += len(read) > 1

    assert max(sizes) <= 2 * first + (3 << 20)
    assert whole <= 3
    assert content(home) == anew(home, tmp_path / "other")


def test_a_file_with_too_much_dead_space_is_built_anew(
    home: Path, monkeypatch: pytest.MonkeyPatch, read: set[str]
) -> None:
    monkeypatch.setattr(duckdb_file, "SPARE", -(1 << 40))
    put(home, Random(5), "T1", DAYS[0])

    duckdb_file.project(home)

    assert len(read) == len(TABLES) * 3


READER = """
import duckdb, sys
with duckdb.connect(sys.argv[1], read_only=True) as db:
    for _ in sys.stdin:
        seen = db.execute("select count(*), sum(length(event_id)) from events").fetchall()
        print(seen, flush=True)
"""


def test_a_reader_keeps_the_file_it_opened_and_holds_nobody_up(home: Path, read: set[str]) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", READER, str(home / duckdb_file.FILE)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as reader:
        assert reader.stdin
        assert reader.stdout
        said = []
        for _ in range(3):
            reader.stdin.write("\n")
            reader.stdin.flush()
            said.append(reader.stdout.readline())
            put(home, Random(5), "T1", DAYS[3])
            duckdb_file.project(home)
        reader.stdin.close()

    assert len(set(said)) == 1
    assert "T1 2026-03-04" in read
    assert "T2 2026-03-01" not in read


# Ends itself at the n-th of the moments at which a change could be cut off.
KILLED = """
import os, signal, sys
from pathlib import Path
from replay.tables import duckdb_file as project

left = int(sys.argv[2])

def counted(call):
    def one_less(*arguments, **named):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*arguments, **named)
    return one_less

project._insert = counted(project._insert)
project.duckdb_contents.drop = counted(project.duckdb_contents.drop)
os.fsync = counted(os.fsync)
Path.replace = counted(Path.replace)
project.project(Path(sys.argv[1]), also=counted(lambda db: None))
"""


@pytest.mark.parametrize("point", [0, 1, 9, -8, -7, -6, -5, -4, -3, -2, -1])
def test_killed_at_any_point_the_file_is_the_old_or_the_new_one(
    home: Path, tmp_path: Path, point: int
) -> None:
    old = (home / duckdb_file.FILE).read_bytes()
    drop(home / "derived/T3/2026-03-03")
    put(home, Random(5), "T2", DAYS[1])
    # Drop, each table, also, fsync; two for the hash; replace, fsync; two for the hash.
    moments = 1 + len(duckdb_contents.by_day()) + 1 + 7

    ended = subprocess.run(
        [sys.executable, "-c", KILLED, str(home), str(point % moments)],
        env=os.environ | {"PYTHONWARNINGS": "ignore"},
        check=False,
    )

    assert ended.returncode == -9
    assert ((home / duckdb_file.FILE).read_bytes() == old) == (point not in (-3, -2, -1))
    proven_file.require(home / duckdb_file.FILE)
    duckdb_file.project(home)
    assert content(home) == anew(home, tmp_path / "other")
    assert not (home / f"{duckdb_file.FILE}.new").exists()


TAMPERED = (
    "insert into flags select * from flags limit 1",
    "delete from steps",
    "update table_days set digest = 'x' where table_id = 'T1'",
    "alter table rounds add column more int",
    "drop table kept.days",
    "update kept.file set made_by = 'other code'",
)


@pytest.mark.parametrize("statement", TAMPERED)
def test_a_file_that_others_changed_is_built_anew(
    home: Path, tmp_path: Path, read: set[str], statement: str
) -> None:
    with duckdb.connect(str(home / duckdb_file.FILE)) as db:
        db.execute(statement)

    with duckdb.connect(str(home / duckdb_file.FILE), read_only=True) as db:
        assert not held(home, db)
    duckdb_file.project(home)

    assert len(read) == len(TABLES) * 3
    assert content(home) == anew(home, tmp_path / "other")


def held(home: Path, db: duckdb.DuckDBPyConnection) -> bool:
    try:
        return duckdb_file.holds(home, db)
    except duckdb.Error:
        return False


def test_rows_that_lie_elsewhere_are_not_deleted(home: Path, tmp_path: Path) -> None:
    with duckdb.connect(str(home / duckdb_file.FILE)) as db:
        db.execute("create table other as select * from events order by table_id desc")
        db.execute("delete from events; insert into events from other; drop table other")
    put(home, Random(5), "T1", DAYS[0])

    duckdb_file.project(home)

    assert content(home) == anew(home, tmp_path / "other")


def test_a_file_of_other_code_is_built_anew(
    home: Path, read: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_hash, "of_database", lambda: "later code")

    duckdb_file.project(home)

    assert len(read) == len(TABLES) * 3


@pytest.mark.parametrize("name", ["manifest.json", "events.parquet", "table_days.parquet"])
def test_nothing_damaged_comes_into_a_file_that_is_changed(home: Path, name: str) -> None:
    before = (home / duckdb_file.FILE).read_bytes()
    folder = put(home, Random(5), "T1", DAYS[0])
    body = bytearray((folder / name).read_bytes())
    body[len(body) // 2] ^= 1
    (folder / name).write_bytes(body)

    with pytest.raises(parquet.DerivedCorrupt, match=name):
        duckdb_file.project(home)

    assert (home / duckdb_file.FILE).read_bytes() == before
    assert not (home / f"{duckdb_file.FILE}.new").exists()


def test_other_rooms_find_nothing_of_theirs_in_a_file_that_is_changed(home: Path) -> None:
    def also(db: duckdb.DuckDBPyConnection) -> None:
        db.execute("create table theirs as select 7 as n")
        db.execute("create macro twice(n) as 2 * n; create macro all_of() as table from theirs")
        db.execute("create view seen as select twice(n) as m from all_of()")

    for _ in range(3):
        place = duckdb_file.project(home, also=also)

    with duckdb.connect(str(place), read_only=True) as db:
        assert db.execute("from seen").fetchall() == [(14,)]


LEFT = """
import duckdb, os, sys
db = duckdb.connect(sys.argv[1])
db.execute("insert into flags select * from flags limit 1")
os._exit(0)
"""


@pytest.mark.parametrize("whole", [False, True])
def test_what_a_killed_writer_left_beside_the_file_spoils_no_other(
    home: Path, tmp_path: Path, whole: bool
) -> None:
    subprocess.run([sys.executable, "-c", LEFT, str(home / duckdb_file.FILE)], check=True)
    assert (home / f"{duckdb_file.FILE}.wal").exists()
    put(home, Random(5), "T1", DAYS[0])

    duckdb_file.project(home, whole=whole)

    assert content(home) == anew(home, tmp_path / "other")


def test_a_changed_file_is_still_read_by_every_duckdb_since_one(home: Path) -> None:
    put(home, Random(5), "T1", DAYS[0])

    head = duckdb_file.project(home).read_bytes()[:20]

    assert int.from_bytes(head[12:20], "little") == 64


def test_table_days_are_held_in_memory_by_how_large_they_are(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duckdb_file, "BATCH", 7)
    told: list[int] = []

    duckdb_file.project(home, told.append, whole=True)

    assert told == [3, 3, 3]
