"""Pictures from outside become pixels or are refused, whatever their bytes are."""

import os
import random
import re
import struct
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.support.damaged_files import mutated
from tests.support.media import RED, chunk, encoded, film, png, scene
from vision.decoder.image_headers import MAX_BYTES, image_header
from vision.decoder.process import DecoderLimits, DecoderProcess
from vision.sources import pictures
from vision.sources.frames import frames
from vision.sources.pictures import PictureRefused, Pictures, picture
from vision.sources.types import Notice

JPEG = encoded(scene(3))
PNG = encoded(scene(3), ".png")
WEBP = encoded(scene(3), ".webp", [cv2.IMWRITE_WEBP_QUALITY, 101])
BMP = encoded(scene(3), ".bmp")
MUTANTS = 400


@pytest.fixture(scope="module")
def eye() -> Iterator[Pictures]:
    with Pictures() as eye:
        yield eye


@pytest.mark.parametrize("content", [PNG, WEBP, BMP], ids=["png", "webp", "bmp"])
def test_a_lossless_picture_gives_its_very_pixels(eye: Pictures, content: bytes) -> None:
    assert np.array_equal(eye.read(content), scene(3))


def test_a_jpeg_and_a_path_are_read_too(tmp_path: Path) -> None:
    path = tmp_path / "shot.jpg"
    path.write_bytes(JPEG)

    image = picture(path)

    assert np.abs(image.astype(int) - scene(3)).mean() < 3
    assert image.flags.writeable
    assert image.flags.owndata or image.base is None


def test_grey_and_deep_pictures_are_brought_to_three_colours_of_eight_bits(eye: Pictures) -> None:
    grey = np.arange(256, dtype=np.uint8).reshape(16, 16)
    deep = np.full((4, 4, 3), [257 * 20, 257 * 30, 257 * 200], np.uint16)
    opaque = np.dstack([np.full((4, 4, 3), RED, np.uint8), np.full((4, 4), 255, np.uint8)])

    assert np.array_equal(eye.read(encoded(grey, ".png")), cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR))
    assert np.array_equal(eye.read(encoded(deep, ".png"))[0, 0], RED)
    assert np.array_equal(eye.read(encoded(opaque, ".png"))[0, 0], RED)


def test_a_picture_taken_with_the_camera_on_its_side_is_turned(eye: Pictures) -> None:
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    turned = JPEG[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + JPEG[2:]

    assert eye.read(turned).shape == (160, 120, 3)


def keyed(colours: int, depth: int, row: bytes, *extra: bytes) -> bytes:
    """A PNG of two pixels with what says which colour is transparent."""
    made = png(2, 1, depth=depth, colours=colours, pixels=b"\0" + row)
    at = made.index(b"IDAT") - 4
    return made[:at] + b"".join(extra) + made[at:]


PALETTE = chunk(b"PLTE", bytes([255, 0, 0, 0, 255, 0, 0, 0, 255]))


@pytest.mark.parametrize(
    ("content", "transparent"),
    [
        pytest.param(keyed(3, 8, b"\0\1", PALETTE, chunk(b"tRNS", b"\xff\0")), 1, id="palette"),
        pytest.param(keyed(3, 8, b"\0\2", PALETTE, chunk(b"tRNS", b"\xff\0")), 0, id="unused"),
        pytest.param(keyed(2, 8, bytes(6), chunk(b"tRNS", bytes(6))), 2, id="a colour"),
        pytest.param(keyed(2, 8, bytes(6), chunk(b"tRNS", b"\0\1" * 3)), 0, id="another colour"),
        pytest.param(keyed(0, 8, b"\7\x09", chunk(b"tRNS", b"\0\7")), 1, id="a grey"),
        pytest.param(keyed(0, 8, b"\7\x09", chunk(b"tRNS", b"\0\x08")), 0, id="another grey"),
        pytest.param(keyed(0, 16, b"\7\x09\1\1", chunk(b"tRNS", b"\7\x09")), 1, id="16 bits"),
        pytest.param(keyed(0, 16, b"\7\x09\1\1", chunk(b"tRNS", b"\7\x0a")), 0, id="near it"),
        pytest.param(keyed(0, 1, b"\x40", chunk(b"tRNS", b"\0\1")), 1, id="black and white"),
        pytest.param(keyed(0, 2, b"\x90", chunk(b"tRNS", b"\0\3")), 0, id="four greys"),
    ],
)
def test_a_png_is_refused_where_pixels_are_transparent_and_only_there(
    eye: Pictures, content: bytes, transparent: int
) -> None:
    if not transparent:
        assert eye.read(content).shape == (1, 2, 3)
        return

    with pytest.raises(PictureRefused) as refused:
        eye.read(content)

    assert refused.value.found == f"{transparent} transparent ones"


CMYK = JPEG.replace(
    b"\xff\xc0\x00\x11\x08\x00\x78\x00\xa0\x03", b"\xff\xc0\x00\x11\x08\x00\x78\x00\xa0\x04"
)
TWELVE_BITS = JPEG.replace(b"\xff\xc0\x00\x11\x08", b"\xff\xc0\x00\x11\x0c")
NO_HEIGHT = JPEG.replace(b"\xff\xc0\x00\x11\x08\x00\x78", b"\xff\xc0\x00\x11\x08\x00\x00")
GLASS = np.dstack([scene(1), np.full((120, 160), 128, np.uint8)])
APNG = PNG[:33] + chunk(b"acTL", struct.pack(">II", 2, 0)) + PNG[33:]
MOVING_WEBP = (
    b"RIFF" + struct.pack("<I", 22) + b"WEBPVP8X" + struct.pack("<I", 10) + b"\x02" + bytes(9)
)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(b"", "empty", id="no bytes"),
        pytest.param(bytes(1000), "format", id="nothing but zeros"),
        pytest.param(b"GIF89a" + bytes(50), "format", id="gif"),
        pytest.param(b"II*\0" + bytes(50), "format", id="tiff"),
        pytest.param(bytes(4) + b"ftypavif" + bytes(50), "format", id="avif"),
        pytest.param(b"<svg xmlns='http://www.w3.org/2000/svg'/>", "format", id="svg"),
        pytest.param(APNG, "animated", id="animated png"),
        pytest.param(MOVING_WEBP, "animated", id="animated webp"),
        pytest.param(png(0, 100), "size", id="no width"),
        pytest.param(NO_HEIGHT, "size", id="no height"),
        pytest.param(png(50_000, 50_000), "size", id="a tiny file of a huge picture"),
        pytest.param(png(2**31, 2**31), "size", id="sides that overflow"),
        pytest.param(png(1 << 17, 2), "size", id="one side too long"),
        pytest.param(JPEG + bytes(MAX_BYTES), "size", id="too many bytes"),
        pytest.param(CMYK, "colours", id="print colours"),
        pytest.param(TWELVE_BITS, "colours", id="twelve bits"),
        pytest.param(encoded(GLASS, ".png"), "colours", id="see-through"),
        pytest.param(JPEG[:3], "truncated", id="three bytes of a jpeg"),
        pytest.param(JPEG[: len(JPEG) // 2], "truncated", id="half a jpeg"),
        pytest.param(JPEG[:-2], "truncated", id="a jpeg without its end"),
        pytest.param(PNG[: len(PNG) // 2], "truncated", id="half a png"),
        pytest.param(PNG[:-12], "truncated", id="a png without its end"),
        pytest.param(WEBP[: len(WEBP) // 2], "truncated", id="half a webp"),
        pytest.param(BMP[:-1], "truncated", id="a bmp without its last byte"),
        pytest.param(png(64, 64, pixels=b"\0" * 10), "damaged", id="too few pixels"),
        pytest.param(PNG[:60] + b"\x55" + PNG[61:], "damaged", id="a wrong checksum"),
        pytest.param(JPEG[:2] + b"\xff\xd9", "damaged", id="a jpeg of no frame"),
    ],
)
def test_what_is_no_picture_is_refused_with_its_reason(
    eye: Pictures, content: bytes, reason: str
) -> None:
    with pytest.raises(PictureRefused) as refused:
        eye.read(content, "camera-T01")

    assert refused.value.reason == reason
    assert str(refused.value).startswith("camera-T01: ")
    assert refused.value.expected
    assert refused.value.found
    assert refused.value.next_step


BUSY = np.random.default_rng(20260301).integers(0, 256, (64, 64, 3), np.uint8)
FINE = encoded(BUSY)
MIDDLE = len(FINE) * 3 // 4
HURT = FINE[:MIDDLE] + bytes(400) + FINE[MIDDLE + 400 :]


def test_a_jpeg_damaged_in_its_middle_is_refused_and_the_next_one_read(eye: Pictures) -> None:
    with pytest.raises(PictureRefused) as refused:
        eye.read(HURT, "camera-T01")

    assert refused.value.reason == "damaged"
    assert re.search("Corrupt JPEG data: .+", refused.value.found)
    assert eye.read(FINE).shape == BUSY.shape


def test_a_jpeg_that_was_filled_up_at_its_end_is_whole(eye: Pictures) -> None:
    filled = FINE[:-2] + bytes(3) + FINE[-2:]

    assert np.array_equal(eye.read(filled), eye.read(FINE))


def test_damaged_frames_of_a_folder_and_of_a_film_are_skipped_and_named(tmp_path: Path) -> None:
    whole = bytearray(film(tmp_path / "film.avi", [BUSY] * 3, codec="mjpeg").read_bytes())
    second = whole.index(b"\xff\xd8\xff", whole.index(b"\xff\xd8\xff") + 1)
    whole[second + 1500 : second + 1800] = bytes(300)
    (tmp_path / "film.avi").write_bytes(whole)
    (tmp_path / "shots").mkdir()
    for number, content in enumerate([FINE, HURT, FINE]):
        (tmp_path / "shots" / f"{number}.jpg").write_bytes(content)

    for source in ("film.avi", "shots"):
        told = list[Notice]()
        row = frames(tmp_path / source, on_notice=told.append)

        assert [frame.number for frame in row] == [0, 2]
        assert [(notice.kind, notice.number) for notice in told] == [("damaged", 1)]


def test_a_jpeg_of_hundreds_of_scans_is_refused_at_once() -> None:
    layered = encoded(scene(3), options=[cv2.IMWRITE_JPEG_PROGRESSIVE, 1])
    last = layered.rindex(b"\xff\xda")
    slow = layered[:-2] + layered[last:-2] * 400 + layered[-2:]

    assert image_header(layered, "").kind == "JPEG"
    with pytest.raises(PictureRefused) as refused:
        image_header(slow, "camera-T01")

    assert refused.value.reason == "time"
    assert "100 scans" in refused.value.expected


def test_a_slow_decoder_has_four_times_its_computing_time_by_the_clock() -> None:
    assert pictures.PICTURE_LIMITS.wall_s == 4 * pictures.PICTURE_LIMITS.cpu_s


def test_the_time_to_start_is_not_the_time_to_decode(monkeypatch: pytest.MonkeyPatch) -> None:
    with Pictures(DecoderLimits(wall_s=0.2)) as eye:
        send = DecoderProcess.send
        monkeypatch.setattr(DecoderProcess, "send", lambda room, it: "do" in it and send(room, it))
        began = time.monotonic()
        with pytest.raises(PictureRefused) as refused:
            eye.read(PNG)

    assert refused.value.found == "no answer for 0.2 s"
    assert time.monotonic() - began < 30  # and not the minute that a start may take


@pytest.mark.parametrize("kind", ["nothing", "folder", "pipe", "device", "nul"])
def test_only_an_ordinary_file_is_opened(tmp_path: Path, kind: str) -> None:
    path = {"device": Path("/dev/zero"), "nul": Path("a\0b")}.get(kind, tmp_path / kind)
    if kind == "folder":
        path.mkdir()
    if kind == "pipe":
        os.mkfifo(path)

    with pytest.raises(PictureRefused) as refused:
        picture(path)

    assert refused.value.reason == "missing"


def test_a_picture_that_needs_too_much_memory_is_refused() -> None:
    bomb = png(6000, 6000, pixels=bytes(6000 * 18001))

    with Pictures(DecoderLimits(memory_mib=64)) as eye, pytest.raises(PictureRefused) as refused:
        eye.read(bomb)

    assert refused.value.reason in {"memory", "damaged"}
    assert "64 MiB" in str(refused.value)


def test_a_decoder_that_dies_or_hangs_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    with Pictures() as eye:
        eye.read(PNG)
        assert eye._decoder is not None
        eye._decoder._process.kill()
        with pytest.raises(PictureRefused) as died:
            eye.read(PNG)
        eye.read(PNG)
        monkeypatch.setattr(eye._decoder, "limits", DecoderLimits(wall_s=0.05))
        monkeypatch.setattr(eye._decoder, "send", lambda _: None)  # it will never answer
        with pytest.raises(PictureRefused) as hung:
            eye.read(PNG)

        assert (died.value.reason, hung.value.reason) == ("crashed", "time")
        assert np.array_equal(eye.read(PNG), scene(3))


def test_no_process_and_no_memory_stay_behind() -> None:
    before = set(Path("/proc/self/fd").iterdir())

    with Pictures() as eye:
        eye.read(PNG)
        assert eye._decoder is not None
        process = eye._decoder._process

    assert process.poll() is not None
    assert set(Path("/proc/self/fd").iterdir()) == before


@pytest.mark.parametrize("content", [JPEG, PNG, WEBP, BMP], ids=["jpeg", "png", "webp", "bmp"])
def test_mutated_pictures_are_read_or_refused_within_bounds(content: bytes) -> None:
    choose, ends = random.Random(20260301), Counter[str]()
    with Pictures(DecoderLimits(memory_mib=200, cpu_s=1)) as eye:
        for number in range(MUTANTS):
            try:
                image = eye.read(resummed(mutated(content, choose)), f"mutant {number}")
            except PictureRefused as refused:
                ends[refused.reason] += 1
            else:
                ends[f"{image.dtype} in {image.shape[2]} colours"] += 1
        peak = _peak_mib(eye)

    assert not {"crashed", "time"} & set(ends), ends
    assert ends.total() == MUTANTS
    assert ends["uint8 in 3 colours"] > 0
    assert peak < 300


def _peak_mib(eye: Pictures) -> int:
    """The most memory the decoder ever held."""
    assert eye._decoder is not None
    status = Path(f"/proc/{eye._decoder._process.pid}/status").read_text()
    return int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) >> 10


def resummed(content: bytes) -> bytes:
    """A PNG with the checksums that its changed bytes should have, so that it gets further."""
    if not content.startswith(PNG[:8]):
        return content
    mended, at = bytearray(content), 8
    while at + 12 <= len(mended):
        (length,) = struct.unpack_from(">I", mended, at)
        end = at + 8 + length
        if end + 4 <= len(mended):
            struct.pack_into(">I", mended, end, zlib.crc32(mended[at + 4 : end]))
        at = end + 4
    return bytes(mended)
