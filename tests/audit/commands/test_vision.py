"""`roundproof vision`: pictures read, a camera calibrated, a table watched into the log."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import uvicorn

from ingest.doors import device_keys
from ingest.doors import http as http_door
from ingest.local.log import LocalLog
from ingest.seal.chain import events
from schemas import events as e
from tests.support import felts
from tests.support.cameras import EMPTY, Known, card, film, script
from tests.support.frame_tables import START_US, STEP_US
from tests.support.readings import house
from tests.support.small_house import Roundproof
from vision.camera import make_reader
from vision.felt import calibration
from vision.types import Image

pytestmark = pytest.mark.slow

CORNERS = [f"{x:.2f},{y:.2f}={a},{b}" for (a, b) in felts.CORNERS for x, y in [felts.seen((a, b))]]
MIDDLE = ["{:.2f},{:.2f}=600,350".format(*felts.seen((600, 350)))]
LYING = [card("9H", (200, 200)), card("", (780, 200))]
DEAL = [
    (3, []),
    (7, [card("9H", (200, 200))]),
    (7, [card("9H", (200, 200)), card("4D", (780, 200))]),
]


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A picture of the empty felt."""
    return picture(tmp_path / "empty.png", EMPTY)


@pytest.fixture
def felt(tmp_path: Path) -> Path:
    """A calibration of the drawn camera."""
    from tests.support.cameras import CALIBRATION

    calibration.save(CALIBRATION, tmp_path / "felt.json")
    return tmp_path / "felt.json"


@pytest.fixture
def frames(tmp_path: Path) -> Path:
    """A folder of frames with their times."""
    folder = tmp_path / "frames"
    folder.mkdir()
    lines = []
    for frame in film(17):
        picture(folder / f"{frame.number:04}.bmp", frame.image)
        entry = {"file": f"{frame.number:04}.bmp", "frame": frame.number, "at_us": frame.at_us}
        lines.append(json.dumps(entry))
    (folder / "frames.jsonl").write_text("\n".join(lines), "utf-8")
    return folder


def picture(path: Path, image: Image) -> Path:
    path.write_bytes(cv2.imencode(path.suffix, image)[1].tobytes())
    return path


def knows(monkeypatch: pytest.MonkeyPatch, known: Any) -> None:
    """Let the reader read what was written down."""
    monkeypatch.setattr(make_reader, "reader", lambda *_: known)
    monkeypatch.setattr(make_reader, "both", lambda *_: (known, known))


@contextmanager
def serving(root: Path) -> Iterator[str]:
    """The gateway over HTTP, as `ingest serve` has it."""
    log, gateway = house(root)
    known = device_keys.load(None, os.environ)
    with log, socket.create_server(("127.0.0.1", 0)) as listening:
        door = http_door.HttpDoor(gateway, known)
        server = uvicorn.Server(uvicorn.Config(http_door.app(door), log_level="warning"))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join()


def asked(frames: Path, felt: Path, *more: str | Path) -> Sequence[str | Path]:
    return "vision", "watch", frames, "--layout", "TB", "--felt", felt, "--table", "T01", *more


# Layouts


def test_layouts_are_listed_and_shown(roundproof: Roundproof) -> None:
    listed, shown = roundproof("vision", "layouts"), roundproof("vision", "layouts", "TB")
    document = json.loads(roundproof("vision", "layouts", "NN", "--boxes", "2", "--json").out)

    assert "SA-BJ   Blackjack" in listed.out
    assert "3 sideways at 400,200" in shown.out
    assert [zone["name"] for zone in document["zones"]] == ["dealer", "1", "2"]


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        pytest.param(("RO",), 3, "a game with a layout expected", id="a game without"),
        pytest.param(("none.toml",), 3, "No such file", id="no file"),
        pytest.param(("NN", "--boxes", "9"), 2, "corners on the felt", id="too many boxes"),
        pytest.param(
            ("SA-BJ", "--boxes", "99"), 2, "--boxes 99: a number that fits", id="boxes blamed"
        ),
    ],
)
def test_what_is_no_layout_is_said(
    roundproof: Roundproof, words: Sequence[str], code: int, told: str
) -> None:
    said = roundproof("vision", "layouts", *words)

    assert (said.code, told in said.err) == (code, True)


# Calibrate


def test_a_camera_is_calibrated_from_marks(
    roundproof: Roundproof, empty: Path, tmp_path: Path
) -> None:
    lines = tmp_path / "marks.txt"
    lines.write_text("# corners\n" + "\n".join(CORNERS) + "   # the last\n\n", "utf-8")
    out = tmp_path / "felt.json"

    said = roundproof(
        "vision", "calibrate", empty, "--marks", lines, "--mark", MIDDLE[0], "--out", out, "--json"
    )

    assert said.code == 0
    document = json.loads(said.out)
    assert max(document["errors_mm"]) < 0.1
    assert document["patches"] > 12
    found = calibration.load(out).felt.to_felt([felts.seen((300, 200))])
    assert found[0] == pytest.approx((300, 200), abs=0.1)


def test_a_camera_is_calibrated_from_printed_markers(
    roundproof: Roundproof, tmp_path: Path
) -> None:
    from tests.vision.felt.test_markers import PLACES, laid

    words = [f"--marker={n}={x},{y}" for n, (x, y) in PLACES.items()]

    said = roundproof(
        "vision", "calibrate", picture(tmp_path / "laid.png", laid()), *words,
        "--out", tmp_path / "felt.json",
    )  # fmt: skip

    assert said.code == 0
    assert "4 marks" in said.out
    assert "four marks always fit" in said.err


def test_markers_can_be_printed(roundproof: Roundproof, tmp_path: Path) -> None:
    assert roundproof("vision", "markers", tmp_path / "sheet.png").code == 0
    assert (tmp_path / "sheet.png").stat().st_size > 1_000
    assert "PNG, JPEG or WebP" in roundproof("vision", "markers", "--help").out


@pytest.mark.parametrize(
    ("marks", "told"),
    [
        pytest.param(CORNERS[:3], "four marks or more expected, 3 found", id="three"),
        pytest.param([*CORNERS[:3], "1,2"], "two numbers on each side", id="half a mark"),
        pytest.param([*CORNERS[:3], "a,2=3,4"], "two numbers on each side", id="no number"),
        pytest.param([*CORNERS, "640,360=60,650"], "8 mm", id="one that does not fit"),
        pytest.param(
            [*CORNERS[:3], "5000,21=0,700"],
            "mark '5000,21=0,700': a pixel of the picture, 1280 x 720, expected, 5000,21 found",
            id="outside the picture",
        ),
        pytest.param([*CORNERS[:3], "-1,21=0,700"], "1280 x 720", id="left of the picture"),
        pytest.param(
            [*CORNERS[:3], "nan,21=0,700"],
            "mark 'nan,21=0,700': two numbers",
            id="no number at all",
        ),
        pytest.param([*CORNERS[:3], "1,21=0,inf"], "mark '1,21=0,inf'", id="endless"),
    ],
)
def test_marks_that_cannot_tell_are_refused(
    roundproof: Roundproof, empty: Path, tmp_path: Path, marks: Sequence[str], told: str
) -> None:
    words = [word for each in marks for word in ("--mark", each)]

    said = roundproof("vision", "calibrate", empty, *words, "--out", tmp_path / "felt.json")

    assert (said.code, told in said.err, "next: " in said.err) == (2, True, True)
    assert not (tmp_path / "felt.json").exists()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        pytest.param("12;30=0,0", "two numbers on each side", id="no number"),
        pytest.param("nan,1=0,0", "two numbers on each side", id="nan"),
        pytest.param("1,5000=0,0", "a pixel of the picture", id="outside"),
    ],
)
def test_a_bad_line_of_marks_is_named(
    roundproof: Roundproof, empty: Path, tmp_path: Path, line: str, told: str
) -> None:
    lines = tmp_path / "marks.txt"
    lines.write_text(f"# corners\n\n{CORNERS[0]}\n{line}  # here\n", "utf-8")

    said = roundproof("vision", "calibrate", empty, "--marks", lines, "--out", tmp_path / "f.json")

    assert (said.code, told in said.err) == (2, True)
    assert f"{lines} line 4: mark '{line}': " in said.err


def test_a_plain_felt_is_calibrated_only_where_that_is_wanted(
    roundproof: Roundproof, tmp_path: Path
) -> None:
    plain = picture(tmp_path / "plain.png", np.full_like(EMPTY, 60))
    words = ["vision", "calibrate", plain, "--out", tmp_path / "felt.json"]
    words += [word for each in CORNERS for word in ("--mark", each)]

    refused, taken = roundproof(*words), roundproof(*words, "--unchecked")

    assert (refused.code, "--unchecked" in refused.err) == (2, True)
    assert (taken.code, "a moved camera will not be noticed" in taken.err) == (0, True)


# Read


def test_a_picture_is_read(
    roundproof: Roundproof, monkeypatch: pytest.MonkeyPatch, empty: Path, felt: Path, tmp_path: Path
) -> None:
    knows(monkeypatch, Known(dict.fromkeys((0, *EMPTY_NUMBERS), LYING)))
    words = ("vision", "read", empty, "--layout", "TB", "--felt", felt)

    said = roundproof(*words, "--out", tmp_path / "seen.png")
    document = json.loads(roundproof(*words, "--json").out)

    assert said.code == 0
    assert re.search(r"9H +0\.970 +\d+,\d+ +player", said.out)
    assert re.search(r"\? +\d+,\d+ +banker", said.out)
    (found,) = document["pictures"]
    assert found["seen"][0]["guesses"] == [{"seen": "9H", "probability": 0.97}]
    assert found["seen"][0]["felt_mm"] == pytest.approx([200, 200], abs=1)
    assert (tmp_path / "seen.png").read_bytes() != empty.read_bytes()


def test_several_pictures_are_read_and_a_bad_one_stops_none(
    roundproof: Roundproof, monkeypatch: pytest.MonkeyPatch, empty: Path, tmp_path: Path
) -> None:
    knows(monkeypatch, Known(dict.fromkeys((0, *EMPTY_NUMBERS), LYING)))
    broken = tmp_path / "broken.png"
    broken.write_bytes(empty.read_bytes()[:200])

    said = roundproof("vision", "read", broken, empty, "--out", tmp_path / "seen")

    assert said.code == 2
    assert "9H" in said.out
    assert f"{broken}: " in said.err
    assert [path.name for path in (tmp_path / "seen").iterdir()] == ["empty.png"]


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        pytest.param(("{none}",), 3, "none.png", id="no such picture"),
        pytest.param(("{empty}", "--reads", "balls"), 2, "cards or dice or tokens", id="reads"),
        pytest.param(("{empty}", "--out", "{empty}"), 2, "another file", id="over itself"),
        pytest.param(("{empty}", "--out", "seen.txt"), 2, "ends in .png", id="no picture's name"),
        pytest.param(("{empty}", "--felt", "{empty}"), 2, "a calibration expected", id="felt"),
        pytest.param(("{empty}", "--out", "no/x/a.png"), 3, "no/x:", id="no such folder"),
        pytest.param(("{empty}", "--layout", "ZZ"), 3, "a game with a layout", id="layout"),
    ],
)
def test_what_cannot_be_read_is_said(  # noqa: PLR0917  (three are the table's columns)
    roundproof: Roundproof, monkeypatch: pytest.MonkeyPatch, empty: Path, tmp_path: Path,
    words: Sequence[str], code: int, told: str,
) -> None:  # fmt: skip
    knows(monkeypatch, Known({}))
    named = [word.format(none=tmp_path / "none.png", empty=empty) for word in words]

    said = roundproof("vision", "read", *named)

    assert (said.code, told in said.err, "next: " in said.err) == (code, True, True)


@pytest.mark.parametrize("game", ["SA-BJ", "SA-SB", "SA-AB", "NN", "TH"])
def test_a_layout_of_another_felt_is_refused(  # noqa: PLR0917  (one is the table's column)
    roundproof: Roundproof, monkeypatch: pytest.MonkeyPatch, frames: Path, empty: Path,
    felt: Path, game: str,
) -> None:  # fmt: skip
    knows(monkeypatch, Known(dict.fromkeys((0, *EMPTY_NUMBERS), LYING)))

    read = roundproof("vision", "read", empty, "--layout", game, "--felt", felt)
    watched = roundproof("vision", "watch", frames, "--layout", game, "--felt", felt,
                         "--table", "T01")  # fmt: skip

    for said in (read, watched):
        assert (said.code, said.out) == (2, "")
        assert f"the felt of {game}, " in said.err


def test_a_picture_of_another_shape_than_the_felt_is_refused(
    roundproof: Roundproof, monkeypatch: pytest.MonkeyPatch, felt: Path, tmp_path: Path
) -> None:
    knows(monkeypatch, Known(dict.fromkeys((0, *EMPTY_NUMBERS), LYING)))
    tall = picture(tmp_path / "tall.png", np.asarray(EMPTY[:504, :378], np.uint8))

    said = roundproof("vision", "read", tall, "--layout", "TB", "--felt", felt)

    assert (said.code, said.out) == (2, "")
    assert "1280 x 720 or of that shape expected, 378 x 504 found" in said.err


def test_a_picture_in_place_of_a_calibration_is_said_in_words(
    roundproof: Roundproof, empty: Path, tmp_path: Path
) -> None:
    small = picture(tmp_path / "ok.jpg", np.zeros((8, 8, 3), np.uint8))

    said = roundproof("vision", "read", empty, "--felt", small)

    assert (said.code, "a calibration expected, no text found" in said.err) == (2, True)


# Watch


def test_a_table_is_watched_and_a_second_run_repeats_nothing(
    roundproof: Roundproof,
    monkeypatch: pytest.MonkeyPatch,
    frames: Path,
    felt: Path,
    tmp_path: Path,
) -> None:
    knows(monkeypatch, Known(script(DEAL)))
    out, now = tmp_path / "readings.jsonl", tmp_path / "now.png"
    words = asked(frames, felt, "--out", out, "--home", tmp_path)

    first = roundproof(*words, "--preview", now, "--json")
    second = roundproof(*words)

    assert (first.code, second.code) == (0, 0)
    assert json.loads(first.out) == {
        "frames": 17, "readings": 3, "sent": 3, "waiting": 0, "view": "clear", "seq": 3,
    }  # fmt: skip
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [line["payload"]["type"] for line in lines] == [
        "DeviceBeat", "CardsObserved", "CardsObserved",
    ]  # fmt: skip
    assert lines[1]["payload"]["guesses"][0]["seen"] == "9H"
    assert START_US < lines[1]["occurred_at"] < START_US + 17 * STEP_US
    assert now.stat().st_size > 10_000
    assert "every frame was watched already" in second.err


def test_a_source_that_was_watched_before_another_is_not_watched_again(
    roundproof: Roundproof,
    monkeypatch: pytest.MonkeyPatch,
    frames: Path,
    felt: Path,
    tmp_path: Path,
) -> None:
    knows(monkeypatch, Known(script(DEAL)))
    other = shutil.copytree(frames, tmp_path / "other")
    out = tmp_path / "readings.jsonl"

    said = [
        roundproof(*asked(source, felt, "--out", out, "--home", tmp_path))
        for source in (frames, other, frames)
    ]

    assert [each.code for each in said] == [0, 0, 0]
    assert "every frame was watched already" in said[2].err
    assert "0 readings" in said[2].err


def test_it_writes_readings_to_the_log_beside_it(
    roundproof: Roundproof,
    monkeypatch: pytest.MonkeyPatch,
    frames: Path,
    felt: Path,
    tmp_path: Path,
) -> None:
    knows(monkeypatch, Known(script(DEAL)))

    said = roundproof(*asked(frames, felt, "--log", "--home", tmp_path))

    assert said.code == 0
    found = [event for event, _ in events(LocalLog(tmp_path / "log"), "T01")]
    assert [type(at.payload) for at in found] == [e.DeviceBeat, e.CardsObserved, e.CardsObserved]
    assert {(at.device_kind, at.device_id) for at in found} == {("camera", "camera-T01")}


def test_a_preview_comes_when_it_is_asked_for(
    roundproof: Roundproof,
    monkeypatch: pytest.MonkeyPatch,
    frames: Path,
    felt: Path,
    tmp_path: Path,
) -> None:
    class Asking(Known):
        def read(self, image: Image) -> Any:
            if self.read_so_far == 5:
                os.kill(os.getpid(), signal.SIGUSR1)
            return super().read(image)

    knows(monkeypatch, Asking({}))
    now = tmp_path / "now.png"

    said = roundproof(
        *asked(frames, felt, "--home", tmp_path), "--preview", now, "--preview-every", "0"
    )

    assert said.code == 0
    assert now.exists()


def test_a_termination_ends_it_in_order(
    roundproof: Roundproof,
    monkeypatch: pytest.MonkeyPatch,
    frames: Path,
    felt: Path,
    tmp_path: Path,
) -> None:
    class Ended(Known):
        def read(self, image: Image) -> Any:
            if self.read_so_far == 11:
                os.kill(os.getpid(), signal.SIGTERM)
            return super().read(image)

    knows(monkeypatch, Ended(script(DEAL)))
    first = roundproof(*asked(frames, felt, "--home", tmp_path))
    knows(monkeypatch, Known(script(DEAL)))
    second = roundproof(*asked(frames, felt, "--home", tmp_path))

    assert (first.code, second.code) == (0, 0)
    numbers = re.findall(r'"device_seq":(\d+)', first.out + second.out)
    cards = re.findall(r'"seen":"(..)"', first.out + second.out)
    assert numbers == [str(n + 1) for n in range(len(numbers))]
    assert cards == ["9H", "4D"]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_a_stream_that_cannot_be_reached_is_left_at_the_first_asking(  # noqa: PLR0917
    roundproof: Roundproof,
    monkeypatch: pytest.MonkeyPatch,
    felt: Path,
    tmp_path: Path,
    number: signal.Signals,
    code: int,
) -> None:
    knows(monkeypatch, Known({}))
    with socket.create_server(("127.0.0.1", 0)) as closed:
        address = f"http://127.0.0.1:{closed.getsockname()[1]}/none"
    main = threading.main_thread().ident
    assert main is not None
    monkeypatch.setattr(
        "vision.sources.streams.time.sleep", lambda _: signal.pthread_kill(main, number)
    )

    said = roundproof("vision", "watch", address, "--layout", "TB", "--felt", felt,
                      "--table", "T01", "--home", tmp_path)  # fmt: skip

    assert said.code == code
    assert "0 frames, 0 readings" in said.err
    assert said.err.count(f"{address}: ") == 1
    assert "connects again in" in said.err


@pytest.mark.parametrize("in_json", [False, True])
def test_a_stream_that_never_gave_a_frame_says_nothing_of_the_view(
    roundproof: Roundproof,
    monkeypatch: pytest.MonkeyPatch,
    felt: Path,
    tmp_path: Path,
    *,
    in_json: bool,
) -> None:
    knows(monkeypatch, Known({}))
    with socket.create_server(("127.0.0.1", 0)) as closed:
        address = f"http://127.0.0.1:{closed.getsockname()[1]}/none"
    main = threading.main_thread().ident
    assert main is not None
    end = signal.SIGTERM
    monkeypatch.setattr(
        "vision.sources.streams.time.sleep", lambda _: signal.pthread_kill(main, end)
    )
    words = ("--out", tmp_path / "seen.jsonl", "--json") if in_json else ()

    said = roundproof("vision", "watch", address, "--layout", "TB", "--felt", felt,
                      "--table", "T01", "--home", tmp_path, *words)  # fmt: skip

    assert said.code == 0
    assert "clear" not in said.out + said.err
    if in_json:
        answer = json.loads(said.out)
        assert (answer["frames"], answer["view"]) == (0, "unknown")
    else:
        assert "0 sent; no frame arrived" in said.err


def test_a_gateway_takes_the_readings_and_its_absence_loses_none(
    roundproof: Roundproof,
    monkeypatch: pytest.MonkeyPatch,
    frames: Path,
    felt: Path,
    tmp_path: Path,
) -> None:
    knows(monkeypatch, Known(script(DEAL)))
    monkeypatch.setenv("ROUNDPROOF_DEVICE_KEYS", "camera-T01/camera/T01=camera-key-0123456789")
    own = asked(frames, felt, "--home", tmp_path, "--to")

    away = roundproof(*own, "http://127.0.0.1:9")
    with serving(tmp_path / "house") as address:
        taken = roundproof(*own, address)

    assert (away.code, "3 readings wait" in away.err) == (6, True)
    assert taken.code == 0
    found = [event for event, _ in events(LocalLog(tmp_path / "house"), "T01")]
    assert [at.device_seq for at in found] == [1, 2, 3]


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        pytest.param(("--log", "--out", "x"), 2, "one of --to, --log and --out", id="two ways"),
        pytest.param(("--json",), 2, "readings go to stdout already", id="two on stdout"),
        pytest.param(("--start", "yesterday"), 2, "a time with its zone", id="no time"),
        pytest.param(("--start", "2026-03-01T20:00:00"), 2, "a time with its zone", id="no zone"),
        pytest.param(("--device", "a b"), 2, "a name of a table or device", id="no name"),
        pytest.param(("--to", "http://house:1"), 2, "https expected for house", id="in the open"),
        pytest.param(("--to", "http://127.0.0.1:9", "--device", "x"), 2, "no key", id="no key"),
        pytest.param(("--preview", "now.txt"), 2, "ends in .png", id="no picture's name"),
    ],
)
def test_what_cannot_be_watched_is_said(  # noqa: PLR0917  (three are the table's columns)
    roundproof: Roundproof, monkeypatch: pytest.MonkeyPatch, frames: Path, felt: Path,
    tmp_path: Path, words: Sequence[str], code: int, told: str,
) -> None:  # fmt: skip
    knows(monkeypatch, Known({}))
    monkeypatch.setenv("ROUNDPROOF_DEVICE_KEYS", "camera-T01/camera/T01=camera-key-0123456789")

    said = roundproof(*asked(frames, felt, "--home", tmp_path), *words)

    next_step = '"next"' if "--json" in words else "next: "
    assert (said.code, told in said.err, next_step in said.err) == (code, True, True)


def test_frames_are_kept_as_evidence_and_can_be_verified(
    roundproof: Roundproof, monkeypatch: pytest.MonkeyPatch, frames: Path, tmp_path: Path
) -> None:
    knows(monkeypatch, Known(script(DEAL)))
    out = tmp_path / "clip"

    made = roundproof("vision", "clip", frames, "--frames", "4-5", "--around", "1",
                      "--layout", "TB", "--out", out)  # fmt: skip
    fine = roundproof("vision", "verify", out)
    still = next(out.glob("frame-*4.bmp"))
    still.write_bytes(still.read_bytes()[:-1] + b"x")
    spoiled = roundproof("vision", "verify", out)

    assert (made.code, fine.code, spoiled.code) == (0, 0, 4)
    assert still.name in spoiled.err


def test_a_record_is_verified_by_the_hash_that_was_told(
    roundproof: Roundproof, frames: Path, tmp_path: Path
) -> None:
    out = tmp_path / "clip"
    words = ("vision", "clip", frames, "--frames", "4", "--around", "0", "--out", out, "--json")
    told = json.loads(roundproof(*words).out)["sha256"]

    fine = roundproof("vision", "verify", out, "--sha256", told.upper())
    other = roundproof("vision", "verify", out, "--sha256", "0" * 64)
    short = roundproof("vision", "verify", out, "--sha256", "0")
    with (out / "clip.json").open("ab") as record:
        record.write(b"x")
    spoiled = roundproof("vision", "verify", out)
    listed = roundproof("vision", "verify", out, "--json")
    nowhere = roundproof("vision", "verify", tmp_path / "none")

    assert (fine.code, f"record SHA-256 {told}, as expected" in fine.out) == (0, True)
    assert (other.code, f"clip.json: SHA-256 {'0' * 64} expected" in other.err) == (4, True)
    assert (short.code, nowhere.code) == (2, 3)
    assert (spoiled.code, "clip.json: the record of a clip expected" in spoiled.err) == (4, True)
    assert (listed.code, json.loads(listed.out)["faults"][-1]["file"]) == (4, "clip.json")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        pytest.param((), "either --frames or --at", id="nothing asked for"),
        pytest.param(("--frames", "1", "--at", "x"), "either --frames or --at", id="both"),
        pytest.param(("--frames", "a-b"), "numbers of frames", id="no numbers"),
        pytest.param(("--at", "noon"), "a time with its zone", id="no time"),
    ],
)
def test_a_clip_of_nothing_is_refused(
    roundproof: Roundproof, tmp_path: Path, words: Sequence[str], told: str
) -> None:
    said = roundproof("vision", "clip", tmp_path, "--out", tmp_path / "clip", *words)

    assert (said.code, told in said.err) == (2, True)


def test_a_source_that_is_not_there_and_a_film_without_a_time(
    roundproof: Roundproof, monkeypatch: pytest.MonkeyPatch, felt: Path, tmp_path: Path
) -> None:
    knows(monkeypatch, Known({}))
    none, film = tmp_path / "none.mp4", tmp_path / "film.mp4"
    film.write_bytes(b"a film")

    missing = roundproof(*asked(none, felt, "--home", tmp_path))
    untimed = roundproof(*asked(film, felt, "--home", tmp_path))

    assert (missing.code, "none.mp4" in missing.err) == (3, True)
    assert (untimed.code, "--start" in untimed.err, untimed.out) == (2, True, "")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        pytest.param((), "give --start and --fps", id="neither"),
        pytest.param(("--start", "2026-03-01T20:00:00Z"), "give --fps", id="no rate"),
        pytest.param(("--fps", "10"), "give --start", id="no start"),
    ],
)
def test_a_folder_without_times_is_not_dated_by_guess(  # noqa: PLR0917  (two are columns)
    roundproof: Roundproof, monkeypatch: pytest.MonkeyPatch, frames: Path, felt: Path,
    tmp_path: Path, given: Sequence[str], told: str,
) -> None:  # fmt: skip
    knows(monkeypatch, Known(script(DEAL)))
    (frames / "frames.jsonl").unlink()

    said = roundproof(*asked(frames, felt, "--home", tmp_path), *given)

    assert (said.code, told in said.err, said.out) == (2, True, "")


def test_a_folder_without_times_is_watched_with_a_start_and_a_rate(
    roundproof: Roundproof, monkeypatch: pytest.MonkeyPatch, frames: Path, felt: Path,
    tmp_path: Path,
) -> None:  # fmt: skip
    knows(monkeypatch, Known(script(DEAL)))
    (frames / "frames.jsonl").unlink()
    given = ("--start", "2026-03-01T20:00:00Z", "--fps", "10")

    said = roundproof(*asked(frames, felt, "--home", tmp_path), *given)

    assert (said.code, said.out.count("CardsObserved")) == (0, 2)


def test_times_nobody_set_are_refused(
    roundproof: Roundproof, monkeypatch: pytest.MonkeyPatch, frames: Path, felt: Path,
    tmp_path: Path,
) -> None:  # fmt: skip
    knows(monkeypatch, Known(script(DEAL)))
    lines = [json.loads(line) for line in (frames / "frames.jsonl").read_text().splitlines()]
    early = [json.dumps(line | {"at_us": line["at_us"] - START_US}) for line in lines]
    (frames / "frames.jsonl").write_text("\n".join(early), "utf-8")

    said = roundproof(*asked(frames, felt, "--home", tmp_path))

    assert (said.code, "1970" in said.err, said.out) == (2, True, "")


def test_other_commands_start_without_opencv() -> None:
    code = "import sys, audit.cli.app; assert not {'cv2', 'numpy'} & set(sys.modules)"

    subprocess.run([sys.executable, "-c", code], check=True)


EMPTY_NUMBERS = (int.from_bytes(EMPTY[0, :4, 0].tobytes(), "big"),)
