"""A house replayed from its own log, from its archive, or from what was pulled out of Kafka."""

from pathlib import Path

import pytest

from ingest.local import trim_note
from ingest.local.log import LocalLog
from ingest.log import LogCorrupt
from ingest.order import OrderMemory
from replay import locate
from replay.batch import digest, source
from replay.batch import replay as batch_replay
from replay.batch.plan import Choice, LogShorter
from schemas import events as e
from tests.support.houses import Said, archived, simulated, written


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return archived(simulated(tmp_path_factory.mktemp("house"), rounds=4))


def replayed(house: Path, home: Path, kind: str) -> Path:
    """A house of its own that has only this kind of log."""
    home.mkdir()
    (home / source.FOLDERS[kind]).symlink_to(house / ("log" if kind == "local" else "archive"))
    batch_replay.replay(home, Choice(source=kind))
    return home


def test_every_log_of_a_house_gives_the_same_digest(house: Path, tmp_path: Path) -> None:
    homes = [replayed(house, tmp_path / kind, kind) for kind in source.FOLDERS]

    totals = {digest.digest(home).total for home in homes}
    assert len(totals) == 1
    assert [digest.digest(home).behind for home in homes] == [0, 0, 0]


def test_a_house_remembers_what_it_was_replayed_from(house: Path, tmp_path: Path) -> None:
    home = replayed(house, tmp_path / "home", "archive")

    assert source.remembered(home) == "archive"
    assert locate.locate(home, "T1-20260301-0001").judged.round.table_id == "T1"
    assert batch_replay.replay(home, Choice()).kept == 3


def test_an_archive_that_lacks_what_was_derived_is_told(house: Path, tmp_path: Path) -> None:
    home = replayed(house, tmp_path / "home", "local")
    (home / "archive").mkdir()

    with pytest.raises(LogShorter, match="the log is shorter"):
        batch_replay.replay(home, Choice(source="archive"))

    assert source.remembered(home) == "local"


def test_a_trimmed_log_is_replayed_only_where_it_still_reaches(tmp_path: Path) -> None:
    days: list[Said] = [(e.TableOpened(f"2026-03-0{n}"), None) for n in (1, 2, 3)]
    home = written(tmp_path / "home", "T1", days[:2])
    batch_replay.replay(home, Choice())
    written(home, "T1", days[2:])
    with LocalLog(home / "log", ("events",)) as log:
        trim_note.save(log, "T1", trim_note.TrimNote(1, 0, OrderMemory({}, None)))

    report = batch_replay.replay(home, Choice())

    assert (report.done, report.kept) == (1, 2)
    with pytest.raises(source.Trimmed, match="event 0 expected, the log was trimmed up to 1"):
        batch_replay.replay(home, Choice(fresh=True))


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("accepts_loss", [False, True])
def test_a_trimmed_log_is_refused_before_anything_derived_is_touched(
    tmp_path: Path, workers: int, accepts_loss: bool
) -> None:
    """What came from the archive stays as it was, and so does the word of where it came from."""
    days: list[Said] = [(e.TableOpened(f"2026-03-0{n}"), None) for n in (1, 2, 3)]
    home = tmp_path / "home"
    for table in ("T1", "T2"):
        written(home, table, days)
    archived(home)
    batch_replay.replay(home, Choice(source="archive"))
    with LocalLog(home / "log", ("events",)) as log:
        trim_note.save(log, "T2", trim_note.TrimNote(2, 0, OrderMemory({}, None)))

    def derived() -> dict[Path, tuple[bytes, int]]:
        found = (home / "derived").rglob("*")
        files = [path for path in found if path.is_file() and path.name != ".lock"]
        return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}

    before = derived()
    choice = Choice(fresh=True, accepts_loss=accepts_loss, source="local")

    with pytest.raises(
        source.Trimmed, match="table T2: event 0 expected, the log was trimmed up to 2"
    ):
        batch_replay.replay(home, choice, workers=workers)

    assert derived() == before
    assert batch_replay.replay(home, Choice()).kept == 6


def test_a_word_that_names_no_log_is_told(tmp_path: Path) -> None:
    (tmp_path / "derived").mkdir()
    (tmp_path / source.REMEMBERED).write_text("paper")

    with pytest.raises(LogCorrupt, match="one of local, archive, kafka expected, 'paper' found"):
        source.opened(tmp_path)
