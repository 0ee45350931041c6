"""A replay: finished table-days stay, grown ones are done again, nothing damaged is read."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import duckdb
import pytest

from ingest.local.log import LocalLog
from ingest.log import LogLocked
from replay.batch import digest, plan, source
from replay.batch import replay as batch_replay
from replay.batch.plan import Choice
from replay.tables import code_hash, duckdb_file, parquet
from schemas import events as e
from tests.support import houses

TWO_DAYS = [
    *houses.opened("2026-03-01"),
    *houses.spin("R1", 3, houses.red()),
    (e.TableClosed(), None),
    *houses.opened("2026-03-02"),
    *houses.spin("R2", 4, houses.red()),
]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Two tables of two days each."""
    for table in ("T1", "T2"):
        houses.written(tmp_path, table, TWO_DAYS)
    return tmp_path


def digests(home: Path) -> list[str]:
    return [manifest.digest for _, manifest in parquet.days(home / "derived")]


def test_a_second_replay_has_nothing_to_do(home: Path) -> None:
    first = batch_replay.replay(home, Choice())
    second = batch_replay.replay(home, Choice())

    assert (first.done, first.kept, first.rounds) == (4, 0, 4)
    assert (second.done, second.kept) == (0, 4)


def test_only_the_table_day_that_grew_is_derived_again(home: Path) -> None:
    batch_replay.replay(home, Choice())
    houses.written(home, "T1", houses.spin("R3", 5, houses.red()))

    again = batch_replay.replay(home, Choice())

    assert (again.done, again.kept, again.rounds) == (1, 3, 2)


def test_a_new_day_leaves_the_days_before_alone(home: Path) -> None:
    batch_replay.replay(home, Choice())
    houses.written(home, "T1", [*houses.opened("2026-03-03"), *houses.spin("R3", 5)])

    again = batch_replay.replay(home, Choice())

    assert (again.done, again.kept) == (1, 4)


def test_a_table_that_opens_twice_in_a_day_has_two_table_days(tmp_path: Path) -> None:
    houses.written(tmp_path, "T1", [*houses.opened(), *houses.spin("R1", 3)])
    houses.written(tmp_path, "T1", [*houses.opened(), *houses.spin("R2", 4)])

    batch_replay.replay(tmp_path, Choice())

    folders = [folder.name for folder, _ in parquet.days(tmp_path / "derived")]
    assert folders == ["2026-03-01", "2026-03-01~2"]
    assert batch_replay.replay(tmp_path, Choice()).kept == 2


@pytest.mark.parametrize(
    ("choice", "done"),
    [
        pytest.param(Choice(tables=("T2",)), 2, id="one table"),
        pytest.param(Choice(first_day="2026-03-02"), 2, id="from a day on"),
        pytest.param(Choice(last_day="2026-03-01"), 2, id="up to a day"),
        pytest.param(Choice(("T1",), "2026-03-02", "2026-03-02"), 1, id="one table-day"),
        pytest.param(Choice(first_day="2027-01-01"), 0, id="a day that is not there"),
    ],
)
def test_a_part_of_the_log_may_be_chosen(home: Path, choice: Choice, done: int) -> None:
    assert batch_replay.replay(home, choice).done == done


def test_what_was_chosen_before_counts_when_the_rest_follows(home: Path) -> None:
    batch_replay.replay(home, Choice(last_day="2026-03-01"))

    rest = batch_replay.replay(home, Choice())

    assert (rest.done, rest.kept) == (2, 2)


def test_fresh_derives_what_is_there_already(home: Path) -> None:
    batch_replay.replay(home, Choice())
    before = digests(home)

    assert batch_replay.replay(home, Choice(fresh=True)).done == 4
    assert batch_replay.replay(home, Choice(tables=("T1",), fresh=True)).done == 2
    assert digests(home) == before


def test_other_rules_derive_everything_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batch_replay.replay(home, Choice())
    monkeypatch.setattr(code_hash, "of_rows", lambda: "other rules")

    assert digest.behind(home) == 4
    assert batch_replay.replay(home, Choice()).done == 4


def test_a_replay_and_its_digest_hash_every_derived_file_once(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch_replay.replay(home, Choice())
    read: list[Path] = []
    verified = parquet.verified

    def noted(path: Path, sha256: str) -> bytes:
        read.append(path)
        return verified(path, sha256)

    monkeypatch.setattr(parquet, "verified", noted)

    again = batch_replay.replay(home, Choice())
    digest.proven(home, again.whole)

    assert again.kept == 4
    files = set((home / "derived").glob("*/*/*")) - set((home / "derived").glob("*/*/manifest.*"))
    assert sorted(read) == sorted(files)


def test_table_days_that_were_not_asked_for_are_still_to_be_hashed(home: Path) -> None:
    batch_replay.replay(home, Choice())
    days = ("2026-03-01", "2026-03-02")
    for day in days:
        (home / "derived/T2" / day / "events.parquet").write_bytes(b"")

    some = batch_replay.replay(home, Choice(tables=("T1",), first_day=days[1]))

    assert some.whole == {home / "derived/T1" / days[1]}
    assert [each.table_id for each in digest.proven(home, some.whole).failed] == ["T2", "T2"]


def cut(home: Path, table: str, keep: int) -> None:
    """Lose a table's events from an offset on, on a border between two records."""
    with LocalLog(home / "log") as log:
        bodies = [record.body for record in log.read("events", table)][:keep]
    shutil.rmtree(home / "log/events" / table)
    if bodies:
        with LocalLog(home / "log", ["events"]) as log:
            log.append("events", table, bodies)


def other(home: Path, table: str) -> None:
    """Put as many other events in the place of a table's own."""
    cut(home, table, 0)
    said = [*houses.opened(), *(pair for n in range(9) for pair in houses.spin(f"X{n}", 9))]
    houses.written(home, table, said)


LOST = [
    pytest.param(lambda home: cut(home, "T1", 12), "T1", id="the last day is cut"),
    pytest.param(lambda home: cut(home, "T1", 8), "T1", id="a part of the first day is left"),
    pytest.param(lambda home: cut(home, "T1", 0), "T1", id="a table is gone"),
    pytest.param(lambda home: shutil.rmtree(home / "log"), "T1", id="the whole log is gone"),
    pytest.param(lambda home: other(home, "T2"), "T2", id="other events in its place"),
]


@pytest.mark.parametrize(("lose", "table"), LOST)
@pytest.mark.parametrize("choice", [Choice(), Choice(fresh=True), Choice(tables=("T1",))])
def test_a_log_that_lost_what_was_derived_from_it_is_refused(
    home: Path, lose: Callable[[Path], None], table: str, choice: Choice
) -> None:
    batch_replay.replay(home, Choice())
    before = digests(home)

    lose(home)

    with pytest.raises(plan.LogShorter, match=f"table {table}: .* derived from it"):
        refused(digest.digest(home))
    with pytest.raises(plan.LogShorter, match=f"table {table}: .* derived from it"):
        refused(batch_replay.replay(home, choice))
    assert digests(home) == before


def refused(report: batch_replay.ReplayReport | digest.Digest) -> None:
    """Raise what a replay or a digest told of the first table that it could not do."""
    for failure in report.failed:
        raise failure.error


def test_a_day_in_the_middle_speaks_for_the_log_too(home: Path) -> None:
    batch_replay.replay(home, Choice(first_day="2026-03-02"))
    cut(home, "T1", 12)

    with pytest.raises(plan.LogShorter, match="table T1"):
        refused(batch_replay.replay(home, Choice()))


def test_a_shorter_log_may_be_accepted(home: Path) -> None:
    batch_replay.replay(home, Choice())
    cut(home, "T1", 12)
    cut(home, "T2", 0)

    done = batch_replay.replay(home, Choice(accepts_loss=True))

    found = [(m.table_id, m.gaming_day) for _, m in parquet.days(home / "derived")]
    assert found == [("T1", "2026-03-01"), ("T1", "2026-03-02")]
    assert done.rounds == 1
    assert batch_replay.replay(home, Choice()).kept == 2


def test_the_same_rows_make_the_same_bytes(home: Path) -> None:
    batch_replay.replay(home, Choice())
    before = {path: path.read_bytes() for path in sorted(home.glob("derived/*/*/*"))}

    batch_replay.replay(home, Choice(fresh=True))

    assert before == {path: path.read_bytes() for path in sorted(home.glob("derived/*/*/*"))}


def test_two_replays_do_not_work_in_one_house(home: Path) -> None:
    with parquet.alone(home / "derived"), pytest.raises(LogLocked, match="another replay"):
        batch_replay.replay(home, Choice())


def test_an_empty_house_says_so(tmp_path: Path) -> None:
    with pytest.raises(source.NoLog, match="events expected"):
        batch_replay.replay(tmp_path, Choice())


def test_an_unknown_table_is_answered_with_the_nearest(home: Path) -> None:
    with pytest.raises(source.UnknownTable, match="T1"):
        plan.plans(home, Choice(tables=("T11",)))


def flipped(path: Path, random: Random, times: int) -> Iterator[None]:
    """The file with one bit changed, and as it was again afterwards."""
    body = path.read_bytes()
    for _ in range(times):
        wrong = bytearray(body)
        wrong[random.randrange(len(body))] ^= 1 << random.randrange(8)
        path.write_bytes(wrong)
        yield
        path.write_bytes(body)


def test_one_flipped_bit_anywhere_is_refused_and_named(tmp_path: Path) -> None:
    houses.written(tmp_path, "T1", TWO_DAYS)
    batch_replay.replay(tmp_path, Choice())
    random = Random(11)

    for path in sorted(tmp_path.glob("derived/*/*/*")):
        for _ in flipped(path, random, times=12):
            with pytest.raises(parquet.DerivedCorrupt, match=path.name):
                refused(digest.digest(tmp_path))


@pytest.mark.parametrize("name", ["manifest.json", "rounds.parquet", "events.parquet"])
def test_nothing_damaged_comes_into_the_projection(home: Path, name: str) -> None:
    batch_replay.replay(home, Choice())
    before = duckdb_file.project(home).read_bytes()

    for _ in flipped(home / "derived/T2/2026-03-02" / name, Random(5), times=2):
        with pytest.raises(parquet.DerivedCorrupt, match=name):
            duckdb_file.project(home, whole=True)

    assert (home / duckdb_file.FILE).read_bytes() == before


def test_a_missing_file_is_refused_and_fresh_brings_it_back(home: Path) -> None:
    batch_replay.replay(home, Choice())
    before = digests(home)
    (home / "derived/T1/2026-03-01/rounds.parquet").unlink()

    with pytest.raises(parquet.DerivedCorrupt, match="no file found"):
        duckdb_file.project(home)
    batch_replay.replay(home, Choice(fresh=True))

    duckdb_file.project(home)
    assert digests(home) == before


def spoilt(folder: Path) -> None:
    (folder / "manifest.json").write_text("junk")


def missing(folder: Path) -> None:
    (folder / "manifest.json").unlink()


@pytest.mark.parametrize("spoil", [spoilt, missing])
@pytest.mark.parametrize("tables", [(), ("T1",)])
def test_a_damaged_manifest_is_refused_and_named_and_a_replay_brings_it_back(
    home: Path, spoil: Callable[[Path], None], tables: tuple[str, ...]
) -> None:
    batch_replay.replay(home, Choice())
    before = digests(home)
    spoil(home / "derived/T1/2026-03-01")

    with pytest.raises(parquet.DerivedCorrupt, match=r"manifest.json"):
        refused(digest.digest(home))
    again = batch_replay.replay(home, Choice(tables))

    (named,) = again.mended
    assert "derived/T1/2026-03-01/manifest.json: " in named
    assert again.failed == ()
    assert digests(home) == before
    assert batch_replay.replay(home, Choice()).kept == 4


def test_a_file_between_the_table_days_is_none_of_them(home: Path) -> None:
    batch_replay.replay(home, Choice())
    (home / "derived/T1/notes.txt").touch()

    assert batch_replay.replay(home, Choice()).kept == 4


def test_the_projection_carries_comments_and_every_row(home: Path) -> None:
    batch_replay.replay(home, Choice())

    with duckdb.connect(str(duckdb_file.project(home)), read_only=True) as db:
        counted = db.execute("select count(*), count(distinct digest) from rounds").fetchone()
        about = db.execute(
            "select comment from duckdb_columns() where table_name = 'dues' order by column_index"
        ).fetchall()
        clauses = db.execute("select count(*) from clauses where code = 'RO'").fetchone()
    assert counted == (4, 4)
    assert about[0] == ("the wager",)
    assert clauses is not None
    assert clauses[0] > 50


def test_what_other_rooms_keep_in_the_file_is_put_there_by_them(home: Path) -> None:
    batch_replay.replay(home, Choice())

    place = duckdb_file.project(home, also=lambda db: db.execute("create table theirs as select 7"))

    with duckdb.connect(str(place), read_only=True) as db:
        assert db.execute("from theirs").fetchall() == [(7,)]


@pytest.mark.parametrize("at", [0, 100, 5_000])
def test_a_damaged_file_is_built_anew(home: Path, at: int) -> None:
    batch_replay.replay(home, Choice())
    place = duckdb_file.project(home)
    body = bytearray(place.read_bytes())
    body[at] ^= 1
    place.write_bytes(body)

    duckdb_file.project(home)

    with duckdb.connect(str(place), read_only=True) as db:
        assert db.execute("select count(*) from rounds").fetchall() == [(4,)]


# The n-th time a replay forces a file to disk or renames one, the process is killed.
KILLED = """
import os, signal, sys
from pathlib import Path
from replay.batch import replay as run
from replay.batch.plan import Choice

left = int(sys.argv[2])

def counted(call):
    def one_less(*arguments, **named):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*arguments, **named)
    return one_less

os.fsync, os.rename = counted(os.fsync), counted(os.rename)
run.replay(Path(sys.argv[1]), Choice())
"""


def test_killed_at_ten_random_points_it_ends_with_the_same_digest(tmp_path: Path) -> None:
    whole = houses.simulated(tmp_path / "whole", rounds=4)
    batch_replay.replay(whole, Choice())
    steps = sum(len(m.files) + 2 for _, m in parquet.days(whole / "derived"))
    random, killed = Random(3), tmp_path / "killed"
    houses.simulated(killed, rounds=4)

    for _ in range(10):
        point = str(random.randrange(steps))
        ended = subprocess.run([sys.executable, "-c", KILLED, str(killed), point], check=False)
        assert ended.returncode in (0, -9)
        if ended.returncode == 0:  # the rest was done before the point was reached
            shutil.rmtree(killed / "derived")
    batch_replay.replay(killed, Choice())

    assert digest.digest(killed).total == digest.digest(whole).total
    assert list((killed / "derived" / parquet.ASIDE).iterdir()) == []


CONDITIONS = [
    pytest.param("0", "UTC", "1", id="seed 0, UTC, one worker"),
    pytest.param("1", "Asia/Ho_Chi_Minh", "2", id="seed 1, Ho Chi Minh, two workers"),
    pytest.param("random", "America/St_Johns", "1", id="random seed, St John's, one worker"),
]


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A simulated day and the digest this process finds for it."""
    home = houses.simulated(tmp_path_factory.mktemp("day"), rounds=6)
    batch_replay.replay(home, Choice())
    return home, digest.digest(home).total


@pytest.mark.parametrize(("seed", "zone", "workers"), CONDITIONS)
def test_the_digest_depends_on_the_log_alone(
    day: tuple[Path, str], tmp_path: Path, seed: str, zone: str, workers: str
) -> None:
    home, expected = day
    (tmp_path / "log").symlink_to(home / "log")
    surroundings = os.environ | {"PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": "C"}
    command = [
        sys.executable,
        "-m",
        "audit.cli.main",
        "--home",
        str(tmp_path),
        "replay",
        "--workers",
    ]

    subprocess.run(
        [*command, workers], env=surroundings, cwd=tmp_path, check=True, capture_output=True
    )

    assert digest.digest(tmp_path).total == expected


@pytest.mark.parametrize("seconds", [0.6, 0.9])
def test_a_killed_parent_leaves_no_worker_in_the_way(
    day: tuple[Path, str], tmp_path: Path, seconds: float
) -> None:
    home, expected = day
    (tmp_path / "log").symlink_to(home / "log")
    command = [
        sys.executable,
        "-m",
        "audit.cli.main",
        "--home",
        str(tmp_path),
        "replay",
        "--workers=2",
    ]

    with suppress(subprocess.TimeoutExpired):  # which kills it
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=seconds)
    batch_replay.replay(tmp_path, Choice(), workers=2)

    assert digest.digest(tmp_path).total == expected
