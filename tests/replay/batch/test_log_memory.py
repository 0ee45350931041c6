"""What a replay keeps is held against the log: damage is named, and only what grew is read."""

from pathlib import Path

import pytest

from ingest.local.log import LocalLog
from ingest.log import LogCorrupt
from replay import locate
from replay.batch import digest, log_memory, plan, source
from replay.batch import replay as batch_replay
from replay.batch.plan import Choice
from replay.tables import name_index
from schemas import events as e
from tests.support import houses

TWO_DAYS = [
    *houses.opened("2026-03-01"),
    *houses.spin("R1", 3, houses.red()),
    (e.TableClosed(), None),
    *houses.opened("2026-03-02"),
    *houses.spin("R2", 4, houses.red(wager_id="W2")),
]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Two tables of two days each, replayed."""
    for table in ("T1", "T2"):
        houses.written(tmp_path, table, TWO_DAYS)
    batch_replay.replay(tmp_path, Choice())
    return tmp_path


def flip(home: Path) -> None:
    """Damage an event of T1's first day, whose last event is far behind it."""
    (path,) = home.glob("log/events/T1/*.avro")
    body = bytearray(path.read_bytes())
    body[body.index(b"\x06red") + 1] ^= 1
    path.write_bytes(body)


def test_a_damaged_event_of_a_day_that_is_kept_is_named(home: Path) -> None:
    flip(home)

    report = batch_replay.replay(home, Choice())

    (failure,) = report.failed
    assert isinstance(failure.error, LogCorrupt)
    assert "table T1 offset 4: previous hash" in str(failure)
    assert [str(each) for each in digest.digest(home).failed] == [str(failure)]


@pytest.mark.parametrize("spoil", ["gone", "junk", "flipped"])
def test_a_memory_that_is_damaged_itself_accuses_nobody(home: Path, spoil: str) -> None:
    place = home / log_memory.FILE
    if spoil == "gone":
        place.unlink()
    else:
        place.write_bytes(b"junk" if spoil == "junk" else place.read_bytes().replace(b"1", b"2", 1))

    report = batch_replay.replay(home, Choice())

    assert (report.kept, report.failed) == (4, ())
    assert set(log_memory.load(home, source.LOCAL)) == {"T1", "T2"}


def test_a_damaged_event_is_named_without_a_memory_too(home: Path) -> None:
    (home / log_memory.FILE).unlink()
    flip(home)

    assert [failure.table_id for failure in batch_replay.replay(home, Choice()).failed] == ["T1"]


def test_a_log_that_did_not_grow_is_hashed_and_not_read(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(*_: object) -> None:
        raise AssertionError("nothing is new, and an event was read")

    monkeypatch.setattr(LocalLog, "read", read)
    monkeypatch.setattr(LocalLog, "end", read)

    report = batch_replay.replay(home, Choice())

    assert (report.done, report.kept) == (0, 4)


def test_a_log_that_grew_is_read_from_there_on(home: Path) -> None:
    houses.written(home, "T1", [*houses.opened("2026-03-03"), *houses.spin("R3", 5)])

    assert (batch_replay.replay(home, Choice()).done, batch_replay.replay(home, Choice()).done) == (
        1,
        0,
    )


def test_a_log_in_many_segments_is_covered_whole(tmp_path: Path) -> None:
    with LocalLog(tmp_path / "log", ("events",), segment_bytes=2_000) as log:
        for body in houses.bodies("T1", TWO_DAYS * 3, []):
            log.append("events", "T1", [body])
    batch_replay.replay(tmp_path, Choice())
    paths = sorted(tmp_path.glob("log/events/T1/*.avro"))
    assert len(paths) > 3
    for path in paths:
        whole = path.read_bytes()
        path.write_bytes(whole[:-30] + bytes([whole[-30] ^ 2]) + whole[-29:])

        (failure,) = plan.plans(tmp_path, Choice())

        assert isinstance(failure.failed, LogCorrupt), path
        path.write_bytes(whole)


@pytest.fixture
def unread(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The house, replayed; whoever reads the names of a table-day of it now walks the house."""

    def walk(*_: object) -> None:
        raise AssertionError("the whole house was walked")

    monkeypatch.setattr(name_index, "entries", walk)
    return home


@pytest.mark.parametrize("name", ["T1/R2", "T1/R1", "T2/R2"])
def test_a_round_is_found_without_a_look_at_what_else_was_derived(unread: Path, name: str) -> None:
    found = locate.locate(unread, name)

    assert f"{found.judged.round.table_id}/{found.judged.round.round_id}" == name


@pytest.mark.parametrize("table", ["T1", "T3"], ids=["a table that grew", "a new table"])
@pytest.mark.parametrize("name", ["T1/R1", "R9", "W9"])
def test_what_came_since_the_replay_costs_no_look_at_what_was_derived(
    unread: Path, table: str, name: str
) -> None:
    opening = houses.opened("2026-03-02") if table == "T3" else []
    houses.written(unread, table, [*opening, *houses.spin("R9", 5, houses.red(wager_id="W9"))])

    found = locate.locate(unread, name)

    assert found.judged.round.round_id == ("R1" if name == "T1/R1" else "R9")


def test_a_name_that_nobody_has_is_told_without_a_look_at_what_was_derived(unread: Path) -> None:
    with pytest.raises(locate.UnknownRound, match="one such as R1, R2"):
        locate.locate(unread, "R7")


def test_a_round_beyond_the_reach_of_the_index_is_found(home: Path) -> None:
    houses.written(home, "T1", houses.spin("R9", 5, houses.red(wager_id="W9")))
    batch_replay.replay(home, Choice(first_day="2026-03-09"))

    assert locate.locate(home, "R9").judged.round.table_id == "T1"


def test_a_name_that_came_since_the_replay_is_found_and_told_from_its_twin(home: Path) -> None:
    houses.written(home, "T2", houses.spin("R9", 5, houses.red(wager_id="W9")))
    houses.written(home, "T1", houses.spin("R8", 5, houses.red(wager_id="W8")))
    batch_replay.replay(home, Choice(tables=("T1",)))
    houses.written(home, "T2", houses.spin("T1-R", 5, houses.red(wager_id="W8")))

    assert locate.locate(home, "R9").judged.round.table_id == "T2"
    with pytest.raises(locate.UnknownRound, match="not the only one of its name"):
        locate.locate(home, "W8")


@pytest.mark.parametrize("body", [None, b"junk" * 100])
def test_a_lost_or_damaged_index_only_costs_time(home: Path, body: bytes | None) -> None:
    place = home / name_index.FILE
    place.unlink()
    if body is not None:
        place.write_bytes(body)

    assert locate.locate(home, "T1/R1").judged.round.table_id == "T1"
    batch_replay.replay(home, Choice())
    assert [entry.table_id for entry in name_index.look_up(home, "R1")] == ["T1", "T2"]
