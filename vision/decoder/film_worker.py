"""Worker side: decode the frames of a film or a stream, one after the other.

PyAV gives each frame its own time and its coded bytes. Without PyAV, OpenCV gives pixels and, where
the container has them, times. Both become one iterator of PendingFrame, so the rest is the same.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any, NamedTuple

import cv2
import numpy as np

from vision.decoder.errors import FramesRefused, PictureRefused
from vision.decoder.image_headers import MAX_PIXELS
from vision.decoder.pictures import decoded
from vision.decoder.process import DecoderLimits
from vision.decoder.pyav import av
from vision.decoder.worker_channel import WorkerChannel
from vision.types import Image

# Containers that hold one film and refer to no other file; playlists are left out.
FORMATS = "mov,matroska,avi,mpegts,mpeg,mpegvideo,mjpeg,h264,hevc,flv,asf,ogg,ivf,m4v,dv,mxf,obu"
PROTOCOLS = "http,https,tcp,tls,udp,rtp,srtp,rtsp,rtsps,httpproxy,crypto"
SOCKETS = 64  # open at once while reading a stream
ALIVE_EVERY = 100  # skipped frames between two "alive" messages
SHORTFALL_S = Fraction(1, 2)  # a film may end this much earlier than its header says
COPY_AGAIN = "copy it again from the recorder; what came before the damage was read"
CHECK = "check the file, or convert it to MP4"


class PendingFrame(NamedTuple):
    """One frame whose pixels are decoded on demand; `pixels` is None if it cannot be decoded."""

    at: Fraction | None  # seconds on the film's own clock
    original: bytes
    pixels: Callable[[], Image] | None
    arrived_us: int


class OpenFilm(NamedTuple):
    """An open film: its frames, and what its header promises."""

    shots: Iterator[PendingFrame]
    live: bool  # a stream without a known end
    rate: Fraction | None
    packets: Callable[[], int]  # read so far
    frames: int  # according to the header; 0 if unknown
    seconds: Fraction | None  # according to the header


class PacketCount:
    """Counts the packets of a film; a packet that decodes to no frame is no loss."""

    packets = 0


def give(channel: WorkerChannel, request: dict[str, Any]) -> None:
    """Open the source of a request and send its frames."""
    film = _opened(channel, request)
    channel.send(opened=True, live=film.live, rate=str(film.rate or ""))
    _give(channel, film, request)


def _give(channel: WorkerChannel, film: OpenFilm, request: dict[str, Any]) -> None:
    """Send the requested frames in order, then how the film ended."""
    first, last, every = request["first"], request["last"], request["every"]
    since, until = (None if part is None else Fraction(part) for part in request["span"])
    wait = not film.live or request["keep_all"]
    number, start, at = -1, None, Fraction(0)
    for number, shot in enumerate(film.shots):
        if start is None and shot.at is not None:
            start = shot.at
            channel.send(start=str(start))
        if shot.at is not None and start is not None:
            at = shot.at - start
        if (last is not None and number > last) or (until is not None and at > until):
            channel.send(end=True, asked=True)
            return
        channel.renew_cpu_time()
        if shot.pixels is None:
            channel.send(damaged=number)
        elif number < first or number % every or (since is not None and at < since):
            if number % ALIVE_EVERY == 0:
                channel.send(alive=number)
        elif (slot := channel.free_slot(wait=wait)) is None:
            channel.send(dropped=number)
        else:
            _put_frame(channel, slot, number, shot)
    _check_whole(film, at)
    channel.send(end=True, asked=last is not None and number >= last)


def _put_frame(channel: WorkerChannel, slot: int, number: int, shot: PendingFrame) -> None:
    """Send one frame, or report that its pixels are damaged."""
    assert shot.pixels is not None
    try:
        image = _bounded(shot.pixels())
    except PictureRefused:
        channel.return_slot(slot)
        channel.send(damaged=number)
        return
    seconds = None if shot.at is None else str(shot.at)
    laid = channel.put_frame(slot, image, shot.original)
    channel.send(frame=number, seconds=seconds, arrived_us=shot.arrived_us, **laid)


def _bounded(image: Image) -> Image:
    height, width = image.shape[:2]
    if width * height > MAX_PIXELS:
        raise _too_many(width, height)
    return image


def _too_many(width: int, height: int) -> FramesRefused:
    limit = f"frames of at most {MAX_PIXELS:,} pixels"
    return FramesRefused("size", "", limit, f"{width} x {height}", CHECK)


def _check_whole(film: OpenFilm, at: Fraction) -> None:
    """Refuse a film that gives less than its header promises: it was cut off."""
    if film.live:
        return
    if film.frames > film.packets():
        promised = f"{film.frames} frames as its header says"
        raise FramesRefused("truncated", "", promised, f"{film.packets()}", COPY_AGAIN)
    if film.seconds and at + SHORTFALL_S + 2 / (film.rate or 1) < film.seconds:
        promised = f"{float(film.seconds):.2f} s as its header says"
        raise FramesRefused("truncated", "", promised, f"{float(at):.2f} s", COPY_AGAIN)


def _opened(channel: WorkerChannel, request: dict[str, Any]) -> OpenFilm:
    limits = DecoderLimits(**request["limits"])
    if av is not None and request["reader"] != "cv2":
        return _open_av(channel, request, limits)
    return _open_cv2(channel, request, limits)


def _open_av(channel: WorkerChannel, request: dict[str, Any], limits: DecoderLimits) -> OpenFilm:
    av.logging.set_level(None)
    wait_s = request["wait_s"]
    if request["url"]:
        channel.set_limits(limits, SOCKETS)
        options = {"protocol_whitelist": PROTOCOLS, "rtsp_transport": "tcp"}
        source: Any = request["url"]
    else:
        channel.set_limits(limits, 0)
        options = {"format_whitelist": FORMATS}
        source = os.fdopen(request["file"], "rb", buffering=0)
    try:
        container = av.open(
            source, "r", options=options, timeout=(wait_s, wait_s), metadata_errors="replace"
        )
    except av.error.MemoryError as error:
        raise MemoryError from error
    except (av.FFmpegError, ValueError, OSError) as error:
        raise _not_open(request, error) from error
    if not container.streams.video:
        raise FramesRefused("no_frames", "", "a film with pictures", "none in it", CHECK)
    stream = container.streams.video[0]
    if stream.codec_context is None:
        raise FramesRefused("format", "", "a film in a known coding", "an unknown one", CHECK)
    base = stream.time_base or Fraction(1, 1_000_000)
    seconds = None if stream.duration is None else (stream.duration * base)
    if seconds is None and container.duration is not None and len(container.streams) == 1:
        seconds = Fraction(container.duration, 1_000_000)
    tally = PacketCount()
    return OpenFilm(
        shots=_shots_av(container, stream, tally),
        packets=lambda: tally.packets,
        live=bool(request["url"]) and container.duration is None,
        rate=stream.average_rate or stream.guessed_rate,
        frames=stream.frames,
        seconds=seconds,
    )


def _not_open(request: dict[str, Any], error: Exception) -> FramesRefused:
    found = getattr(error, "strerror", None) or type(error).__name__
    if request["url"] and not isinstance(error, av.error.InvalidDataError):
        step = "check the camera, the network and the address"
        return FramesRefused("unreachable", "", "a stream", found, step)
    return FramesRefused("damaged", "", "a film that can be opened", found, CHECK)


def _shots_av(container: Any, stream: Any, tally: PacketCount) -> Iterator[PendingFrame]:
    """Yield the frames of each packet; an undecodable packet yields a frame without pixels.

    Such a frame still takes a number, so that later frames keep theirs.
    """
    context = stream.codec_context
    context.thread_count = 1
    context.flags |= av.codec.context.Flags.copy_opaque  # links a frame to its packet
    convert = av.video.reformatter.VideoReformatter()
    whole = context.name == "mjpeg"  # each packet is a JPEG file of its own
    originals: dict[int, tuple[bytes, int]] = {}
    for key, packet in enumerate(_packets(container, stream)):
        arrived = time.time_ns() // 1000
        tally.packets += bool(packet.size)
        if whole and packet.size:
            yield _still(bytes(packet), _seconds(packet), arrived)
            continue
        if packet.size:
            packet.opaque = key
            originals[key] = (bytes(packet), arrived)
        try:
            frames = packet.decode()
        except av.error.EOFError:
            return
        except av.error.MemoryError as error:
            raise MemoryError from error
        except (av.FFmpegError, ValueError):
            originals.pop(key, None)
            yield PendingFrame(None, b"", None, arrived)
            continue
        for frame in frames:
            original, came = originals.pop(frame.opaque, (b"", arrived))
            yield _frame(frame, original, came, convert)
        for old in [old for old in originals if old < key - 64]:
            del originals[old]  # packets that never became a frame


def _packets(container: Any, stream: Any) -> Iterator[Any]:
    """Yield the packets of a stream; a container damaged half way is refused as truncated."""
    try:
        yield from container.demux(stream)
    except av.error.MemoryError as error:
        raise MemoryError from error
    except (av.FFmpegError, ValueError, OSError) as error:
        found = getattr(error, "strerror", None) or type(error).__name__
        raise FramesRefused("truncated", "", "the film's next frame", found, COPY_AGAIN) from error


def _seconds(timed: Any) -> Fraction | None:
    return None if timed.pts is None else Fraction(timed.pts * timed.time_base)


def _still(content: bytes, at: Fraction | None, arrived: int) -> PendingFrame:
    """A JPEG frame, decoded like any picture so that a still of it gives the same pixels."""
    return PendingFrame(at, content, lambda: decoded(content, "", 0), arrived)


def _frame(frame: Any, original: bytes, arrived: int, convert: Any) -> PendingFrame:
    if frame.width * frame.height > MAX_PIXELS:
        raise _too_many(frame.width, frame.height)
    pixels = None if frame.is_corrupt else (lambda: _upright(frame, convert))
    return PendingFrame(_seconds(frame), original, pixels, arrived)


def _upright(frame: Any, convert: Any) -> Image:
    """The pixels of a frame, rotated upright."""
    bgr = convert.reformat(frame, format="bgr24", threads=1)
    plane = bgr.planes[0]
    rows = np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)[: bgr.height]
    image = rows[:, : bgr.width * 3].reshape(bgr.height, bgr.width, 3)
    return np.rot90(image, round(frame.rotation / 90)) if frame.rotation else image


def _open_cv2(channel: WorkerChannel, request: dict[str, Any], limits: DecoderLimits) -> OpenFilm:
    wait_ms = int(request["wait_s"] * 1000)
    properties = {
        cv2.CAP_PROP_OPEN_TIMEOUT_MSEC: wait_ms,
        cv2.CAP_PROP_READ_TIMEOUT_MSEC: wait_ms,
        cv2.CAP_PROP_N_THREADS: 1,
    }
    if request["url"]:
        os.environ["OPENCV_FFMPEG_CAPTURE_OPTIONS"] = (
            f"protocol_whitelist;{PROTOCOLS}|rtsp_transport;tcp"
        )
        channel.set_limits(limits, SOCKETS)
        source = request["url"]
    else:
        os.environ["OPENCV_FFMPEG_CAPTURE_OPTIONS"] = (
            f"format_whitelist;{FORMATS}|protocol_whitelist;file"
        )
        source = f"/proc/self/fd/{request['file']}"
        # OpenCV opens the file by name, so it needs a few more handles.
        channel.set_limits(limits, request["file"] + 4)
    film = cv2.VideoCapture(
        source, cv2.CAP_FFMPEG, [part for pair in properties.items() for part in pair]
    )
    if not film.isOpened():
        kind, expected = ("unreachable", "a stream") if request["url"] else ("damaged", "a film")
        raise FramesRefused(kind, "", f"{expected} that can be opened", "none", CHECK)
    rate = film.get(cv2.CAP_PROP_FPS)
    count = film.get(cv2.CAP_PROP_FRAME_COUNT)
    known = Fraction(rate).limit_denominator(1001) if 0 < rate < 1000 else None
    claimed = int(count) if 0 < count < 1 << 40 else 0
    width, height = (
        int(film.get(p)) for p in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
    )
    if width * height > MAX_PIXELS:
        raise _too_many(width, height)
    return OpenFilm(
        shots=_shots_cv2(film, known),
        packets=lambda: 0,
        live=bool(request["url"]) and not claimed,
        rate=known,
        frames=0,  # often only an estimate here, so only the duration is compared
        seconds=claimed / known if known else None,
    )


def _shots_cv2(film: Any, rate: Fraction | None) -> Iterator[PendingFrame]:
    number = 0
    with suppress(cv2.error):
        while film.grab():
            arrived = time.time_ns() // 1000
            ms = film.get(cv2.CAP_PROP_POS_MSEC)
            at = Fraction(round(ms * 1000), 1_000_000) if ms > 0 or number == 0 else None
            if at is None and rate:
                at = number / rate
            yield PendingFrame(at, b"", lambda: _retrieved(film), arrived)
            number += 1


def _retrieved(film: Any) -> Image:
    given, image = film.retrieve()
    if not given:
        raise FramesRefused("damaged", "", "a frame's pixels", "none", CHECK)
    pixels: Image = image
    return pixels
