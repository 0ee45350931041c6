"""A clip is proved against its record, and the record against itself and its own hash."""

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.media import encoded, scene
from vision.clips.build import clip
from vision.clips.record import RECORD, SEAL, text
from vision.clips.verify import MAX_RECORD_BYTES, proved

START = 1_772_334_080_967_845
Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A clip of four pictures, two of them as stills."""
    shots = tmp_path / "shots"
    shots.mkdir()
    for number in range(4):
        (shots / f"{number}.jpg").write_bytes(encoded(scene(number, 40, 30)))
    return clip(shots, tmp_path / "e", frames=(1, 2), around=1, start_at_us=START).folder


def told(folder: Path, sha256: str = "") -> list[str]:
    return [str(fault) for fault in proved(folder, sha256).faults]


def forge(folder: Path, change: Change) -> None:
    """Change the record as somebody would who also writes its hash anew."""
    record = json.loads((folder / RECORD).read_bytes())
    change(record)
    content = text(record)
    (folder / RECORD).write_bytes(content)
    (folder / SEAL).write_text(f"{hashlib.sha256(content).hexdigest()}  {RECORD}\n")


def test_a_clip_is_what_was_written(folder: Path) -> None:
    digest = hashlib.sha256((folder / RECORD).read_bytes()).hexdigest()

    found = proved(folder, digest)

    assert found == (digest, ())
    assert (folder / SEAL).read_text() == f"{digest}  {RECORD}\n"


@pytest.mark.parametrize(
    ("content", "found"),
    [
        pytest.param(b"", "Expecting value", id="nothing"),
        pytest.param(b"{", "Expecting property name", id="half of it"),
        pytest.param(b"\xff\xfe{}", "can't decode byte 0xff", id="no text"),
        pytest.param(b"[" * 100_000, "nested too deeply", id="too deep"),
        pytest.param(b'{"a": ' + b"9" * 5000 + b"}", "4300", id="too long a number"),
        pytest.param(b"[]", "list", id="a list"),
        pytest.param(b"{}", "nothing", id="no keys"),
        pytest.param(b" " * (MAX_RECORD_BYTES + 1), "67,108,865 bytes", id="huge"),
    ],
)
def test_what_is_no_record_is_a_fault(folder: Path, content: bytes, found: str) -> None:
    (folder / RECORD).write_bytes(content)

    faults = told(folder)

    assert any(fault.startswith("clip.json") and found in fault for fault in faults), faults
    assert all(" expected, " in fault for fault in faults)


def test_a_byte_more_in_the_record_is_a_fault(folder: Path) -> None:
    with (folder / RECORD).open("ab") as record:
        record.write(b"x")

    faults = told(folder)

    assert "Extra data" in faults[-1]
    assert faults[0].startswith("clip.sha256: ")


def test_a_record_may_be_no_pipe(folder: Path) -> None:
    (folder / RECORD).unlink()
    os.mkfifo(folder / RECORD)

    assert told(folder) == [
        "clip.json: an ordinary file expected, a folder, a device or a pipe found"
    ]


def frame(record: dict[str, Any], **said: Any) -> None:
    record["frames"][1] |= said


@pytest.mark.parametrize(
    ("change", "says"),
    [
        pytest.param(lambda r: frame(r, at_us=START), "frame 1: at", id="another time in at_us"),
        pytest.param(
            lambda r: frame(r, at="2026-03-01T03:01:20.967845Z"), "frame 1: at", id="and in at"
        ),
        pytest.param(
            lambda r: frame(r, at_us=0, at="1970-01-01T00:00:00.000000Z"),
            "a time of 2026-03-01T03:01:20.967845Z or later",
            id="a time that goes back",
        ),
        pytest.param(lambda r: frame(r, at_us=10**30), "frame 1: at", id="a time of no calendar"),
        pytest.param(lambda r: frame(r, number=0), "a number above 0", id="a number twice"),
        pytest.param(lambda r: frame(r, sha256="0" * 64), "the hash of frame", id="another hash"),
        pytest.param(lambda r: frame(r, sha256="x"), "sha256", id="no hash"),
        pytest.param(lambda r: frame(r, err_ms=True), "err_ms", id="a word for a number"),
        pytest.param(lambda r: frame(r, err_ms=-1), "err_ms", id="less than no error"),
        pytest.param(lambda r: frame(r, more=1), "more", id="a key too many"),
        pytest.param(lambda r: r["frames"].clear(), "frames", id="no frames"),
        pytest.param(lambda r: r.pop("film"), "film", id="no film"),
        pytest.param(lambda r: r.update(frames={}), "frames", id="frames of another kind"),
        pytest.param(lambda r: r.update(version=9), "version", id="a later version"),
        pytest.param(lambda r: r.update(files=[]), "files", id="files of another kind"),
        pytest.param(lambda r: r["files"].update(a=1), "files", id="a file without a hash"),
        pytest.param(lambda r: r["stills"].pop(), "frame-000000002", id="a still left out"),
        pytest.param(lambda r: r["stills"][0].update(number=2), "still 2", id="another still"),
        pytest.param(lambda r: r["stills"][0].update(number=3), "still 3", id="a later still"),
        pytest.param(
            lambda r: r["stills"][0].update(untouched="../e/frame-000000001.jpg"),
            "still 1",
            id="a way out of the folder",
        ),
        pytest.param(lambda r: r["film"].update(first=1), "film", id="a shorter film"),
        pytest.param(lambda r: r["film"].update(file="other.mkv"), "film", id="another film"),
        pytest.param(
            lambda r: r["observation"].update(first=9, last=9), "observation", id="elsewhere"
        ),
        pytest.param(lambda r: r["observation"].update(span_us=[2, 1]), "span_us", id="backwards"),
        pytest.param(lambda r: r["source"].update(sha256=None), "source", id="no source"),
        pytest.param(lambda r: r.update(notices=[1]), "notices", id="no notices"),
    ],
)
def test_a_record_that_contradicts_itself_is_a_fault(
    folder: Path, change: Change, says: str
) -> None:
    forge(folder, change)

    faults = told(folder)

    assert any(fault.startswith("clip.json") and says in fault for fault in faults), faults


def test_a_record_written_in_another_way_is_a_fault(folder: Path) -> None:
    record = (folder / RECORD).read_bytes()
    doubled = record.replace(b'"at_us":', b'"at_us": 5, "at_us":', 1)
    (folder / RECORD).write_bytes(doubled)
    (folder / SEAL).write_text(f"{hashlib.sha256(doubled).hexdigest()}  {RECORD}\n")

    assert told(folder) == ["clip.json: the bytes that vision clip writes expected, others found"]


def test_a_forger_who_forgets_nothing_is_found_by_the_hash_kept_elsewhere(folder: Path) -> None:
    kept = proved(folder).sha256
    forge(folder, lambda record: record["source"].update(name="other"))

    assert told(folder) == []
    assert told(folder, kept) == [
        f"clip.json: SHA-256 {kept} expected, {proved(folder).sha256} found"
    ]


@pytest.mark.parametrize("content", [None, b"", b"x" * 500, b"\xff", b"0" * 64])
def test_the_hash_beside_the_record_is_part_of_it(folder: Path, content: bytes | None) -> None:
    (folder / SEAL).unlink()
    if content is not None:
        (folder / SEAL).write_bytes(content)

    (fault,) = told(folder)

    assert fault.startswith(f"clip.sha256: {proved(folder).sha256}  clip.json expected, ")


def test_files_that_changed_are_gone_or_were_added_are_named(folder: Path) -> None:
    still = folder / "frame-000000001.jpg"
    still.write_bytes(still.read_bytes()[:-1] + b"x")
    (folder / "film.mkv").unlink()
    (folder / "note.txt").write_text("seen by me")

    faults = proved(folder).faults

    assert [fault.file for fault in faults] == ["film.mkv", still.name, "note.txt"]
    assert faults[0].found == "no such file"
    assert faults[1].expected.startswith("SHA-256 ")
    assert faults[2].expected == "no file beyond the record's"
