"""Evidence of a camera: stills and film, untouched beside annotated, and the same again."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from schemas.events import Guess
from tests.support.media import camera, encoded, film, scene
from vision.clips.build import Clip, ClipRefused, clip
from vision.clips.verify import proved
from vision.recognise.detections import CardSeen
from vision.sources.frames import frames
from vision.sources.pictures import picture
from vision.sources.types import Frame

START = 1_772_334_080_967_845
SCENES = [scene(number) for number in range(48)]


@pytest.fixture(scope="module")
def shift(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return film(tmp_path_factory.mktemp("shift") / "shift.mp4", SCENES, key_every=10)


@pytest.fixture(scope="module")
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shots")
    for number in range(12):
        (folder / f"{number:04d}.jpg").write_bytes(encoded(scene(number)))
    return folder


def seen(frame: Frame) -> list[CardSeen]:
    del frame
    return [CardSeen((Guess("TH", 0.98),), ((20, 20), (60, 20), (60, 80), (20, 80)))]


def numbers(made: Clip) -> list[int]:
    return [frame["number"] for frame in made.record["frames"]]


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def test_a_film_is_cut_between_its_packets(tmp_path: Path, shift: Path) -> None:
    made = clip(shift, tmp_path / "e", frames=(25, 25), around=3, start_at_us=START, look=seen)

    assert made.record["film"]["made"] == "stream copy"
    assert numbers(made) == list(range(20, 29))  # from the key frame before 22
    cut = list(frames(made.folder / made.record["film"]["file"]))
    whole = list(frames(shift, first=20, last=28))
    assert [frame.original for frame in cut] == [frame.original for frame in whole]
    assert all(np.array_equal(a.image, b.image) for a, b in zip(cut, whole, strict=True))


def test_the_record_has_exact_times_and_every_hash(tmp_path: Path, shift: Path) -> None:
    made = clip(shift, tmp_path / "e", frames=(25, 25), around=0, start_at_us=START, err_ms=7)

    record = json.loads((made.folder / "clip.json").read_bytes())
    frame = next(frame for frame in record["frames"] if frame["number"] == 25)
    assert record == json.loads(json.dumps(made.record))
    assert (frame["at_us"], frame["err_ms"]) == (START + 1_000_000, 7)
    assert frame["at"] == "2026-03-01T03:01:21.967845Z"
    assert record["source"]["sha256"] == hashlib.sha256(shift.read_bytes()).hexdigest()
    assert record["source"]["name"] == "shift.mp4"
    assert set(record["files"]) == {f.name for f in made.folder.iterdir()} - {
        "clip.json",
        "clip.sha256",
    }
    assert proved(made.folder, made.sha256) == (made.sha256, ())


def test_the_untouched_still_stands_beside_the_annotated_one(tmp_path: Path, shift: Path) -> None:
    made = clip(shift, tmp_path / "e", frames=(25, 25), around=0, look=seen)

    (still,) = made.record["stills"]
    (frame,) = frames(shift, first=25, last=25)
    untouched = picture(made.folder / still["untouched"])
    annotated = picture(made.folder / still["annotated"])
    assert still["bytes"] == "pixels"
    assert np.array_equal(untouched, frame.image)
    assert annotated.shape == untouched.shape
    assert np.abs(annotated.astype(int) - untouched).max() > 50


def test_pictures_stay_in_their_own_bytes(tmp_path: Path, shots: Path) -> None:
    made = clip(shots, tmp_path / "e", frames=(4, 6), around=2, fps=10)

    joined = list(frames(made.folder / "film.mkv"))
    assert made.record["film"]["made"] == "originals joined"
    assert [f.original for f in joined] == [
        (shots / f"{n:04d}.jpg").read_bytes() for n in range(2, 9)
    ]
    assert [frame.at_us for frame in joined] == [100_000 * n for n in range(7)]
    for still in made.record["stills"]:
        own = (shots / f"{still['number']:04d}.jpg").read_bytes()
        assert (made.folder / still["untouched"]).read_bytes() == own
        assert still["bytes"] == "original"


def test_a_span_of_time_finds_its_frames(tmp_path: Path, shift: Path) -> None:
    span = (START + 390_000, START + 810_000)

    made = clip(shift, tmp_path / "e", span_us=span, around=0, stills=3, start_at_us=START)

    assert made.record["observation"] == {"first": 10, "last": 20, "span_us": span}
    assert [still["number"] for still in made.record["stills"]] == [10, 15, 20]


def test_without_pyav_the_film_is_coded_anew_and_says_so(tmp_path: Path, shift: Path) -> None:
    made = clip(shift, tmp_path / "e", frames=(25, 25), around=3, reader="cv2")

    assert made.record["film"]["made"] == "re-encoded"
    assert "PyAV" in made.record["film"]["why"]
    assert numbers(made) == list(range(22, 29))
    again = list(frames(made.folder / "film.avi"))
    assert [frame.at_us for frame in again] == [40_000 * n for n in range(7)]
    assert np.abs(again[0].image.astype(int) - scene(22)).mean() < 8


def test_pictures_of_several_kinds_are_coded_anew(tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "0.png").write_bytes(encoded(scene(0), ".png"))
    (folder / "1.jpg").write_bytes(encoded(scene(1, 320, 240)))

    made = clip(folder, tmp_path / "e", frames=(0, 1), around=0)

    assert made.record["film"]["made"] == "re-encoded"
    assert [s["untouched"][-4:] for s in made.record["stills"]] == [".png", ".jpg"]


@pytest.mark.parametrize(("kind", "reader"), [("film", "av"), ("film", "cv2"), ("folder", "av")])
def test_the_same_source_gives_the_same_bytes_again(
    tmp_path: Path, shift: Path, shots: Path, kind: str, reader: str
) -> None:
    source = shift if kind == "film" else shots

    once = clip(source, tmp_path / "a", frames=(4, 5), around=2, look=seen, reader=reader)
    twice = clip(source, tmp_path / "b", frames=(4, 5), around=2, look=seen, reader=reader)

    assert bytes_of(once.folder) == bytes_of(twice.folder)


def test_a_clip_is_written_over_by_the_same_clip(tmp_path: Path, shots: Path) -> None:
    once = bytes_of(clip(shots, tmp_path / "a", frames=(4, 4), around=0).folder)

    again = bytes_of(clip(shots, tmp_path / "a", frames=(4, 4), around=0).folder)

    assert once == again


def test_a_torn_film_still_gives_the_evidence_it_has(tmp_path: Path, shift: Path) -> None:
    torn = tmp_path / "torn.mp4"
    torn.write_bytes(shift.read_bytes()[: shift.stat().st_size * 7 // 10])

    made = clip(torn, tmp_path / "e", frames=(12, 12), around=100)

    assert numbers(made)[0] == 0
    assert 12 < numbers(made)[-1] < 48


@pytest.mark.parametrize("asked", [{"frames": (500, 501)}, {"span_us": (START, START + 5)}])
def test_frames_that_are_not_there_are_refused(
    tmp_path: Path, shots: Path, shift: Path, asked: dict[str, tuple[int, int]]
) -> None:
    for source in (shots, shift):
        with pytest.raises(ClipRefused) as refused:
            clip(source, tmp_path / "e", **asked)  # type: ignore[arg-type]

        assert refused.value.reason == "not_found"
        assert not (tmp_path / "e" / "clip.json").exists()


def test_a_stream_cannot_be_gone_back_to(tmp_path: Path) -> None:
    with camera([]) as (_, url), pytest.raises(ClipRefused) as refused:
        clip(url, tmp_path / "e", frames=(0, 0))

    assert refused.value.reason == "stream"
    assert "secret" not in str(refused.value)


def test_other_files_are_not_written_over(tmp_path: Path, shots: Path) -> None:
    (tmp_path / "letter.txt").write_text("not ours")

    with pytest.raises(ClipRefused) as refused:
        clip(shots, tmp_path, frames=(0, 0))

    assert refused.value.reason == "occupied"
