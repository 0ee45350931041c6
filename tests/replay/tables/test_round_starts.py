"""A round that is judged alone is the round that is judged in its table-day."""

from pathlib import Path

import pytest

from ingest.local.log import LocalLog
from ingest.log import EVENTS
from replay import rulebooks
from replay.batch import replay as batch_replay
from replay.batch import source
from replay.batch.plan import Choice
from replay.judge import judge_day
from replay.locate import located_alone, located_day
from replay.rounds import fold
from replay.simulate import plan
from replay.tables import parquet, round_starts
from replay.tables.round_starts import NoStart
from schemas import bounds
from tests.support.console_house import brought_in

FAULTS = {"PAY-01": 1, "DEAL-01": 1, "REC-01": 2, "INT-01": 2, "INT-02": 2, "SHOE-01": 1}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A day of every game with faults, late readings among them, replayed."""
    home = tmp_path_factory.mktemp("starts")
    brought_in(home, 16, FAULTS)
    batch_replay.replay(home, Choice())
    return home


def test_every_round_alone_is_judged_as_in_its_day(home: Path) -> None:
    tables = LocalLog(home / "log").partitions(EVENTS)

    assert len(tables) == len(plan.mix())
    for table in tables:
        for together in located_day(home, table, 0):
            alone = located_alone(home, table, 0, together.judged.round.round_id)
            assert alone == together


def test_a_round_is_restored_as_it_was_folded(home: Path) -> None:
    sealed, _ = source.table_day(source.opened(home), "T01", 0)
    events = [bounds.bounded(event) for event, _ in sealed]
    rounds = list(fold(source.gaming_day(sealed), events))
    memories = [{"TB": judged.memory} for judged in judge_day(rounds, rulebooks.in_force)]

    body = round_starts.encoded(zip(rounds, memories, strict=True), events)

    by_place = {event.seq: event for event in events}
    for round in rounds:
        start = round_starts.find(body, round.round_id)
        day = source.gaming_day(sealed)
        assert round_starts.restored(start.state, by_place, "T01", day) == round
        assert set(start.places) <= by_place.keys()


def test_a_round_that_the_replay_did_not_see_is_not_found(home: Path) -> None:
    with pytest.raises(NoStart):
        located_alone(home, "T01", 0, "nowhere")
    with pytest.raises(NoStart):
        located_alone(home, "T01", 77, "T01-20260301-0001")


def test_a_changed_file_is_refused(home: Path) -> None:
    (folder, _), *_ = parquet.days(home / "derived", "T02")
    path = folder / round_starts.FILE
    whole = path.read_bytes()
    path.write_bytes(round_starts.encoded((), ()))
    try:
        with pytest.raises(parquet.DerivedCorrupt):
            located_alone(home, "T02", 0, "T02-20260301-0001")
    finally:
        path.write_bytes(whole)


def test_a_day_in_which_an_id_repeats_keeps_no_starts(home: Path) -> None:
    sealed, _ = source.table_day(source.opened(home), "T01", 0)
    events = [event for event, _ in sealed[:3]]

    assert round_starts.encoded((), events)
    assert round_starts.encoded((), [*events, events[0]]) == b""
