"""Films, folders and streams become one row of frames; what stops it says so."""

import hashlib
import json
import os
import random
import re
import struct
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from tests.support.media import camera, encoded, film, scene
from vision.decoder.errors import FramesRefused
from vision.decoder.process import DecoderLimits
from vision.sources.addresses import shown_address
from vision.sources.frames import frames
from vision.sources.types import Frame, Notice
from vision.types import Image

pytestmark = pytest.mark.slow

START = 1_772_334_080_967_845
SCENES = [scene(number) for number in range(20)]
READERS = ["av", "cv2"]
MUTANTS = 60


def like(image: Image, other: Image) -> bool:
    return bool(np.abs(image.astype(int) - other).mean() < 6)


def shown(given: list[Frame]) -> bool:
    """Whether each frame shows the scene of its number."""
    return all(like(frame.image, scene(frame.number)) for frame in given)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", ["shift.mp4", "shift.mkv", "shift.avi"])
def test_a_film_gives_every_frame_with_its_time(tmp_path: Path, name: str, reader: str) -> None:
    codec = "mjpeg" if name.endswith("avi") else "libx264"
    path = film(tmp_path / name, SCENES, codec=codec)

    given = list(frames(path, start_at_us=START, err_ms=12, reader=reader))

    assert [frame.number for frame in given] == list(range(20))
    assert [frame.at_us for frame in given] == [START + 40_000 * n for n in range(20)]
    assert {frame.err_ms for frame in given} == {12}
    assert shown(given)


def test_a_film_keeps_its_own_uneven_times(tmp_path: Path) -> None:
    times = [0, 40, 45, 300, 301, 2000]
    path = film(tmp_path / "uneven.mkv", SCENES[:6], times=times)

    given = list(frames(path, start_at_us=START))

    assert [frame.at_us - START for frame in given] == [1000 * ms for ms in times]


def test_a_frame_is_known_by_the_bytes_it_was_coded_in(tmp_path: Path) -> None:
    path = film(tmp_path / "coded.mp4", SCENES)
    with av.open(str(path)) as container:
        packets = [packet for packet in container.demux(video=0) if packet.size]
    by_time = sorted(packets, key=lambda packet: packet.pts or 0)

    given = list(frames(path))

    assert [frame.original for frame in given] == [bytes(packet) for packet in by_time]
    assert all(hashlib.sha256(f.original or b"").hexdigest() == f.sha256 for f in given)


def test_without_packets_a_frame_is_known_by_its_pixels(tmp_path: Path) -> None:
    path = film(tmp_path / "plain.mp4", SCENES)

    given = list(frames(path, reader="cv2", last=2))

    assert [frame.original for frame in given] == [None] * 3
    assert all(hashlib.sha256(f.image.tobytes()).hexdigest() == f.sha256 for f in given)


@pytest.mark.parametrize("reader", READERS)
def test_some_frames_keep_the_numbers_and_times_they_have_among_all(
    tmp_path: Path, reader: str
) -> None:
    path = film(tmp_path / "some.mp4", SCENES)

    given = list(frames(path, first=5, last=14, every=3, reader=reader))

    assert [(frame.number, frame.at_us) for frame in given] == [
        (6, 240_000),
        (9, 360_000),
        (12, 480_000),
    ]
    assert shown(given)


def test_leaving_early_leaves_no_process_and_no_handle(tmp_path: Path) -> None:
    path = film(tmp_path / "long.mp4", SCENES)
    handles = set(Path("/proc/self/fd").iterdir())

    for frame in frames(path):
        assert children()
        if frame.number == 3:
            break
    del frame

    assert not children()
    assert set(Path("/proc/self/fd").iterdir()) == handles


def test_the_decoder_ends_when_its_house_is_killed(tmp_path: Path) -> None:
    path = film(tmp_path / "long.mp4", SCENES * 20)
    script = (
        "import sys, time; from vision.sources.frames import frames\n"
        "import tests.vision.sources.test_frames as t\n"
        f"for frame in frames({str(path)!r}):\n"
        "    print(*t.children(), flush=True); time.sleep(60)"
    )
    house = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert house.stdout is not None
    worker = int(house.stdout.readline())

    house.kill()
    house.communicate()

    assert wait_until(lambda: not Path(f"/proc/{worker}").exists())


def test_a_slow_caller_holds_the_decoder_back(tmp_path: Path) -> None:
    path = film(tmp_path / "long.mp4", SCENES * 10)
    row = frames(path)
    next(row)
    (worker,) = children()

    assert wait_until(lambda: _state(worker) == "S")
    used = _cpu(worker)
    time.sleep(0.1)
    assert _cpu(worker) == used
    row.close()  # type: ignore[attr-defined]  # a generator


@pytest.mark.parametrize("reader", READERS)
def test_a_film_cut_off_gives_what_is_there_and_then_says_so(tmp_path: Path, reader: str) -> None:
    path = film(tmp_path / "torn.mp4", SCENES * 4)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 6 // 10])
    row = frames(path, reader=reader)
    given: list[Frame] = []

    with pytest.raises(FramesRefused) as refused:  # noqa: PT012  (what came before is kept)
        while True:
            given.append(next(row))

    assert refused.value.reason == "truncated"
    assert refused.value.given == len(given) > 20
    assert [frame.number for frame in given][:20] == list(range(20))
    assert "80 frames" in str(refused.value) or "3.20 s" in str(refused.value)


def test_frames_may_change_their_size(tmp_path: Path) -> None:
    path = tmp_path / "sizes.mjpeg"
    sizes = [(160, 120)] * 3 + [(320, 240)] * 3 + [(64, 48)] * 2
    path.write_bytes(b"".join(encoded(scene(n, *size)) for n, size in enumerate(sizes)))
    told: list[Notice] = []

    given = list(frames(path, on_notice=told.append))
    brought = list(frames(path, reader="cv2"))

    assert [frame.image.shape[1::-1] for frame in given] == sizes
    assert [(notice.kind, notice.number) for notice in told] == [("resized", 3), ("resized", 6)]
    assert {frame.image.shape for frame in brought} == {(120, 160, 3)}  # OpenCV keeps one size


@pytest.mark.parametrize("reader", READERS)
def test_a_film_taken_with_the_camera_on_its_side_is_turned(tmp_path: Path, reader: str) -> None:
    path = film(tmp_path / "turned.mp4", SCENES[:2])
    level = struct.pack(">9i", 1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)
    turned = struct.pack(">9i", 0, 1 << 16, 0, -(1 << 16), 0, 0, 120 << 16, 0, 1 << 30)
    content = path.read_bytes()
    at = content.index(level, content.index(b"tkhd"))
    path.write_bytes(content[:at] + turned + content[at + 36 :])

    frame = next(frames(path, reader=reader))

    assert like(frame.image, np.rot90(scene(0), 3))


def test_a_damaged_frame_is_told_and_keeps_its_number(tmp_path: Path) -> None:
    shots = [encoded(scene(n)) for n in range(5)]
    path = tmp_path / "holes.avi"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mjpeg", rate=25)
        stream.width, stream.height, stream.pix_fmt = 160, 120, "yuvj420p"
        for n, shot in enumerate(shots):
            packet = av.Packet(shot[:300] if n == 2 else shot)
            packet.pts = packet.dts = n
            packet.time_base, packet.stream = Fraction(1, 25), stream
            container.mux(packet)
    told: list[Notice] = []

    given = list(frames(path, on_notice=told.append))

    assert [frame.number for frame in given] == [0, 1, 3, 4]
    assert [(notice.kind, notice.number) for notice in told] == [("damaged", 2)]
    assert [frame.original for frame in given] == [shots[0], shots[1], shots[3], shots[4]]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(b"", "empty", id="no bytes"),
        pytest.param(random.Random(1).randbytes(20_000), "damaged", id="random bytes"),
        pytest.param(b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n", "damaged", id="a playlist"),
        pytest.param(b"ffconcat version 1.0\nfile /etc/passwd\n", "damaged", id="a concat list"),
        pytest.param(b"RIFF\x00\x00\x00\x00AVI LIST", "damaged", id="the start of an avi"),
    ],
)
def test_what_is_no_film_is_refused(
    tmp_path: Path, content: bytes, reason: str, reader: str
) -> None:
    path = tmp_path / "film.avi"
    path.write_bytes(content)

    with pytest.raises(FramesRefused) as refused:
        next(frames(path, reader=reader))

    assert refused.value.reason == reason
    assert str(path) in str(refused.value)


@pytest.mark.parametrize("kind", ["nothing", "pipe", "device"])
def test_only_an_ordinary_file_is_opened(tmp_path: Path, kind: str) -> None:
    path = Path("/dev/zero") if kind == "device" else tmp_path / kind
    if kind == "pipe":
        os.mkfifo(path)

    with pytest.raises(FramesRefused) as refused:
        next(frames(path))

    assert refused.value.reason in {"missing", "empty"}


def test_a_film_without_pictures_has_no_frames(tmp_path: Path) -> None:
    path = tmp_path / "sound.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("aac", rate=8000, layout="mono")
        assert isinstance(stream, av.AudioStream)
        sound = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), "fltp", "mono")
        sound.sample_rate, sound.pts = 8000, 0
        container.mux(stream.encode(sound))
        container.mux(stream.encode())

    with pytest.raises(FramesRefused) as refused:
        next(frames(path))

    assert refused.value.reason == "no_frames"


@pytest.mark.parametrize("reader", READERS)
def test_a_film_of_huge_frames_is_refused_within_bounds(tmp_path: Path, reader: str) -> None:
    """The header claims 16,000 x 16,000 pixels; the file has two hundred bytes for them."""
    path = film(tmp_path / "bomb.avi", SCENES[:2], codec="mjpeg")
    small, huge = np.array([160, 120], "<i4").tobytes(), np.array([16000] * 2, "<i4").tobytes()
    content = path.read_bytes().replace(small, huge)
    frame = b"\xff\xc0\x00\x11\x08\x00\x78\x00\xa0"
    path.write_bytes(content.replace(frame, b"\xff\xc0\x00\x11\x08\x3e\x80\x3e\x80"))

    with pytest.raises(FramesRefused) as refused:
        list(frames(path, reader=reader, limits=DecoderLimits(memory_mib=256, cpu_s=2)))

    assert refused.value.reason in {"size", "memory", "no_frames", "damaged", "truncated"}


def test_a_film_that_claims_ten_hours_ends_where_its_frames_end(tmp_path: Path) -> None:
    path = film(tmp_path / "hours.mkv", SCENES)
    content = path.read_bytes()
    at = content.index(b"\x44\x89\x88") + 3  # Duration, eight bytes
    path.write_bytes(content[:at] + np.array(36_000_000, ">f8").tobytes() + content[at + 8 :])

    with pytest.raises(FramesRefused) as refused:
        list(frames(path))

    assert (refused.value.reason, refused.value.given) == ("truncated", 20)


@pytest.mark.parametrize("name", ["mutant.mp4", "mutant.avi"])
@pytest.mark.parametrize("reader", READERS)
def test_mutated_films_give_frames_or_a_reason(tmp_path: Path, name: str, reader: str) -> None:
    codec = "mjpeg" if name.endswith("avi") else "libx264"
    path = film(tmp_path / name, SCENES[:6], codec=codec)
    command = [
        sys.executable,
        "-m",
        "tests.support.forked_decoder",
        str(path),
        reader,
        str(MUTANTS),
    ]

    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)

    ends = json.loads(ran.stdout)
    assert not {"crashed", "time"} & set(ends), ends
    assert ends["frames"] > 0


def write_folder(path: Path, names: list[str]) -> None:
    path.mkdir()
    for number, name in enumerate(names):
        (path / name).write_bytes(encoded(scene(number), Path(name).suffix))


def test_a_folder_is_read_in_the_order_of_names(tmp_path: Path) -> None:
    path = tmp_path / "shots"
    write_folder(path, ["a1.jpg", "a2.png", "a10.jpg", "b.webp"])
    (path / "notes.txt").write_text("no picture")
    (path / ".hidden.jpg").write_bytes(b"")

    given = list(frames(path, start_at_us=START, fps=10))

    assert shown(given)
    assert [frame.at_us - START for frame in given] == [0, 100_000, 200_000, 300_000]
    assert given[0].original == (path / "a1.jpg").read_bytes()
    assert given[0].sha256 == hashlib.sha256((path / "a1.jpg").read_bytes()).hexdigest()


@pytest.mark.parametrize(("digits", "unit"), [("{}", 1), ("{:.13}", 1000)])
def test_times_are_taken_from_the_names_where_all_have_them(
    tmp_path: Path, digits: str, unit: int
) -> None:
    times = [START, START + 40_000, START + 81_000]
    path = tmp_path / "shots"
    write_folder(path, [f"T01-{digits.format(str(at))}.jpg" for at in times])

    given = list(frames(path))

    assert [frame.at_us // unit for frame in given] == [at // unit for at in times]


def test_the_list_beside_the_pictures_says_numbers_and_times(tmp_path: Path) -> None:
    path = tmp_path / "film"
    write_folder(path, ["0.jpg", "1.jpg", "2.jpg", "9.jpg"])
    lines = [{"file": f"{n}.jpg", "frame": n, "at_us": START + n * 33_333} for n in (0, 1, 2, 5)]
    (path / "frames.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (path / "1.jpg").write_bytes(b"torn")
    told: list[Notice] = []

    given = list(frames(path, on_notice=told.append))

    assert [(f.number, f.at_us) for f in given] == [(0, START), (2, START + 66_666)]
    assert [(notice.kind, notice.number) for notice in told] == [("damaged", 1), ("missing", 5)]


@pytest.mark.parametrize(
    "lines",
    [
        '{"file": "../../etc/passwd", "frame": 0, "at_us": 1}',
        '{"file": "/etc/passwd", "frame": 0, "at_us": 1}',
        '{"file": "0.jpg", "frame": "0", "at_us": 1}',
        '{"file": "0.jpg", "frame": -1, "at_us": 1}',
        '{"file": "0.jpg"}',
        "[" * 3000,
        "not json",
        '{"file": "0.jpg", "frame": 1, "at_us": 5}\n{"file": "0.jpg", "frame": 0, "at_us": 6}',
        '{"file": "0.jpg", "frame": 0, "at_us": 5}\n{"file": "0.jpg", "frame": 1, "at_us": 4}',
    ],
)
def test_a_bad_list_is_refused_with_its_line(tmp_path: Path, lines: str) -> None:
    path = tmp_path / "film"
    write_folder(path, ["0.jpg"])
    (path / "frames.jsonl").write_text(lines)

    with pytest.raises(FramesRefused) as refused:
        list(frames(path))

    assert refused.value.reason == "sidecar"
    assert "frames.jsonl line" in refused.value.where


def test_a_folder_without_pictures_has_no_frames(tmp_path: Path) -> None:
    with pytest.raises(FramesRefused) as refused:
        list(frames(tmp_path))

    assert refused.value.reason == "no_frames"


@pytest.mark.parametrize("reader", READERS)
def test_a_stream_gives_frames_and_is_connected_again(reader: str) -> None:
    shots = [encoded(scene(number)) for number in range(8)]
    told: list[Notice] = []
    before = time.time_ns() // 1000

    with camera(shots[:5], shots[5:]) as (_, url):
        row = frames(url, keep_all=True, pause_s=0.01, reader=reader, on_notice=told.append)
        given = [next(row) for _ in range(8)]
        row.close()  # type: ignore[attr-defined]  # a generator

    assert [frame.number for frame in given] == list(range(8))
    assert shown(given)
    assert before <= given[0].at_us <= given[-1].at_us <= time.time_ns() // 1000
    assert "reconnecting" in [notice.kind for notice in told]
    if reader == "av":
        assert [frame.original for frame in given] == shots
    assert not children()


def test_a_stream_that_stays_away_is_given_up_without_its_secrets() -> None:
    shots = [encoded(scene(number)) for number in range(3)]

    with camera(shots) as (server, url), pytest.raises(FramesRefused) as refused:
        list(frames(url, keep_all=True, pause_s=0.01, tries=2))

    assert (refused.value.reason, refused.value.given) == ("unreachable", 3)
    assert server.asked == 3
    assert "secret" not in str(refused.value)
    assert re.search(r"http://127\.0\.0\.1:\d+/live:", str(refused.value))


def test_a_slow_caller_of_a_live_stream_misses_frames_and_is_told() -> None:
    shots = [encoded(scene(number)) for number in range(40)]
    told: list[Notice] = []

    with camera(shots, shots) as (_, url):
        given = []
        for frame in frames(url, pause_s=0.01, on_notice=told.append):
            given.append(frame)
            if frame.number >= 40:
                break
            time.sleep(0.02)

    numbers = [frame.number for frame in given]
    missed = [notice.number for notice in told if notice.kind == "dropped"]
    assert missed
    assert sorted(numbers + missed)[:41] == list(range(41))  # each is given or told
    assert shown([f._replace(number=f.number % 40) for f in given])


@pytest.mark.parametrize("reader", READERS)
def test_a_film_behind_an_address_has_its_own_times_and_an_end(tmp_path: Path, reader: str) -> None:
    content = film(tmp_path / "film.mp4", SCENES).read_bytes()
    told: list[Notice] = []

    with camera(whole=content) as (_, url):
        given = list(frames(url, start_at_us=START, reader=reader, on_notice=told.append))

    assert [frame.at_us for frame in given] == [START + 40_000 * n for n in range(20)]
    assert told == []


def test_an_address_is_shown_without_its_secrets() -> None:
    assert shown_address("rtsp://user:pass@10.0.0.9:554/one?key=1") == "rtsp://10.0.0.9:554/one"
    assert shown_address(Path("shift.mp4")) == "shift.mp4"


def children() -> list[int]:
    """The decoders that this process has; other tests leave it a broker."""
    listed = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
    return [int(child) for child in listed.split() if _is_decoder(child)]


def _is_decoder(process: str) -> bool:
    try:
        return b"vision.decoder.worker" in Path(f"/proc/{process}/cmdline").read_bytes()
    except FileNotFoundError:
        return False


def wait_until(holds: object, seconds: float = 10.0) -> bool:
    assert callable(holds)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.01)
    return False


def _stat(process: int) -> list[str]:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()


def _state(process: int) -> str:
    return _stat(process)[0]


def _cpu(process: int) -> tuple[str, str]:
    return _stat(process)[11], _stat(process)[12]
