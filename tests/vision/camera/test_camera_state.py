"""A camera's state comes back as it was, belongs to one camera and to one process."""

import json
from pathlib import Path

import pytest

from schemas import events as e
from schemas.events import Guess
from vision.camera import camera_state
from vision.camera.camera_state import (
    BadCameraState,
    CameraState,
    CameraStateLocked,
    TooManyWaiting,
)
from vision.camera.observe import ReportedCard
from vision.track.throws import ReportedThrow

READING = e.Reading("T01", "camera", "cam", 7, 5, e.DeviceBeat(60), 40)
FULL = CameraState(
    "T01",
    "cam",
    seq=7,
    said_us=5,
    source="film.mp4",
    frame=112,
    frame_us=9,
    cards=(ReportedCard(3, "player", 1, (200.5, 201.0), 90.0, Guess("9H", 0.98)),),
    throw=ReportedThrow(((1.0, 2.0), (3.0, 4.0)), Guess("1-2", 0.9)),
    waiting=[READING],
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "cam.json"


def test_it_comes_back_as_it_was(path: Path) -> None:
    with camera_state.locked_state(path, "T01", "cam") as empty:
        assert empty == CameraState("T01", "cam")
        camera_state.save(FULL, path)

    assert camera_state.load(path, "T01", "cam") == FULL


def test_the_file_and_its_folder_are_closed_to_others(path: Path) -> None:
    with camera_state.locked_state(path, "T01", "cam"):
        camera_state.save(FULL, path)

    assert {each.stat().st_mode & 0o777 for each in path.parent.iterdir()} == {0o640}
    assert path.parent.stat().st_mode & 0o777 == 0o750


def test_a_throw_that_nobody_could_read_comes_back(path: Path) -> None:
    path.parent.mkdir()
    FULL.throw, before = ReportedThrow(((1.0, 2.0),), None), FULL.throw
    camera_state.save(FULL, path)

    assert camera_state.load(path, "T01", "cam").throw == FULL.throw
    FULL.throw = before


def test_it_belongs_to_one_process(path: Path) -> None:
    with (
        camera_state.locked_state(path, "T01", "cam"),
        pytest.raises(CameraStateLocked),
        camera_state.locked_state(path, "T01", "cam"),
    ):
        pass


def test_it_belongs_to_one_camera_at_one_table(path: Path) -> None:
    path.parent.mkdir()
    camera_state.save(FULL, path)

    with pytest.raises(BadCameraState, match="cam at T02 expected, that of cam at T01 found"):
        camera_state.load(path, "T02", "cam")


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"memory": 9}', '{"memory": 1}'])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "cam.json"
    path.write_text(text, "utf-8")

    with pytest.raises(BadCameraState, match="the state of a camera expected"):
        camera_state.load(path, "T01", "cam")


def test_a_reading_that_was_spoiled_is_refused(path: Path) -> None:
    path.parent.mkdir()
    camera_state.save(FULL, path)
    document = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(document | {"waiting": ['{"table_id": 1}']}), "utf-8")

    with pytest.raises(BadCameraState):
        camera_state.load(path, "T01", "cam")


def test_too_many_that_wait_are_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_state, "MAX_WAITING", 2)

    with pytest.raises(TooManyWaiting, match="at most 2 readings may wait"):
        camera_state.save(CameraState("T01", "cam", waiting=[READING] * 3), path)


def test_every_source_is_remembered_and_of_many_the_latest(tmp_path: Path) -> None:
    known, path = CameraState("T01", "cam"), tmp_path / "cam.json"
    for n in range(camera_state.MAX_SOURCES + 2):
        known.source = f"film-{n}"
        known.reached(n, 0)
    known.source = "film-2"
    known.reached(7, 0)
    camera_state.save(known, path)

    found = camera_state.load(path, "T01", "cam").watched

    assert len(found) == camera_state.MAX_SOURCES
    assert "film-1" not in found
    assert list(found.items())[-1] == ("film-2", 7)


def test_a_memory_of_before_knows_its_one_source(tmp_path: Path) -> None:
    known, path = CameraState("T01", "cam", source="film"), tmp_path / "cam.json"
    known.reached(7, 0)
    camera_state.save(known, path)
    document = json.loads(path.read_text("utf-8"))
    del document["watched"]
    path.write_text(json.dumps(document), "utf-8")

    assert camera_state.load(path, "T01", "cam").watched == {"film": 7}
