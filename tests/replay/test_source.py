"""A house replayed from its own log, from its archive, or from what was pulled out of Kafka."""

from pathlib import Path

import pytest

from ingest.log import LogCorrupt
from replay import digest, locate, run, source
from replay.plan import Choice, LogShorter
from tests.houses import archived, simulated


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return archived(simulated(tmp_path_factory.mktemp("house"), rounds=4))


def replayed(house: Path, home: Path, kind: str) -> Path:
    """A house of its own that has only this kind of log."""
    home.mkdir()
    (home / source.FOLDERS[kind]).symlink_to(house / ("log" if kind == "local" else "archive"))
    run.replay(home, Choice(source=kind))
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
    assert run.replay(home, Choice()).kept == 3


def test_an_archive_that_lacks_what_was_derived_is_told(house: Path, tmp_path: Path) -> None:
    home = replayed(house, tmp_path / "home", "local")
    (home / "archive").mkdir()

    with pytest.raises(LogShorter, match="the log is shorter"):
        run.replay(home, Choice(source="archive"))

    assert source.remembered(home) == "local"


def test_a_word_that_names_no_log_is_told(tmp_path: Path) -> None:
    (tmp_path / "derived").mkdir()
    (tmp_path / source.REMEMBERED).write_text("paper")

    with pytest.raises(LogCorrupt, match="one of local, archive, kafka expected, 'paper' found"):
        source.opened(tmp_path)
