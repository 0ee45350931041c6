"""Worker side: copy a piece of a film packet by packet, without encoding it again."""

import os
from fractions import Fraction
from typing import Any, NamedTuple

from vision.decoder.errors import FramesRefused
from vision.decoder.film_worker import CHECK, FORMATS
from vision.decoder.process import DecoderLimits
from vision.decoder.pyav import av
from vision.decoder.worker_channel import WorkerChannel

MP4_CODECS = {"h264", "hevc", "mpeg4", "av1", "vp9"}
ALIVE_EVERY_PACKETS = 1000  # packets


class PacketTime(NamedTuple):
    """Time and kind of one packet; a list of them is in file order."""

    pts: int
    key: bool


class PacketRange(NamedTuple):
    """A range of packets, and the frames they decode to."""

    start: int  # the first packet, a key frame
    stop: int  # after the last packet
    first: int  # the number of the first frame in it
    last: int


def cut(channel: WorkerChannel, request: dict[str, Any]) -> None:
    """Write the requested frames, from the key frame before them, to the target handle."""
    channel.set_limits(DecoderLimits(**request["limits"]), 0)
    if av is None or request["reader"] == "cv2":
        raise FramesRefused("no_copy", "", "PyAV, to copy packets", "none installed", CHECK)
    av.logging.set_level(None)
    source = os.fdopen(request["file"], "rb", buffering=0)
    target = os.fdopen(request["target"], "wb", buffering=0)
    try:
        piece = chosen(_listed(channel, source), request["first"], request["last"])
        source.seek(0)
        suffix = _copied(channel, source, target, piece)
    except (av.FFmpegError, ValueError, OSError) as error:
        if isinstance(error, FramesRefused):
            raise
        found = getattr(error, "strerror", None) or type(error).__name__
        raise FramesRefused("no_copy", "", "packets that can be copied", found, CHECK) from error
    target.flush()
    channel.send(cut=True, suffix=suffix, first=piece.first, last=piece.last)


def chosen(packets: list[PacketTime], first: int, last: int) -> PacketRange:
    """The range from the key frame that the first frame needs to the last frame's packet."""
    shown = sorted(range(len(packets)), key=lambda i: (packets[i].pts, i))
    if first >= len(shown):
        found = f"{len(shown)} frames"
        raise FramesRefused("no_frames", "", f"frame {first}", found, CHECK)
    last = min(last, len(shown) - 1)
    wanted = packets[shown[first]].pts
    keys = [i for i, packet in enumerate(packets) if packet.key and packet.pts <= wanted]
    if not keys:
        raise FramesRefused("no_copy", "", "a key frame to start at", "none", CHECK)
    start = max(keys)
    stop = max(shown[first : last + 1]) + 1
    number = {packet: number for number, packet in enumerate(shown)}
    kept = [number[i] for i in range(start, stop) if packets[i].pts >= packets[start].pts]
    return PacketRange(start, stop, min(kept), max(kept))


def _opened(source: Any) -> tuple[Any, Any]:
    container = av.open(
        source, "r", options={"format_whitelist": FORMATS}, metadata_errors="replace"
    )
    if not container.streams.video:
        raise FramesRefused("no_frames", "", "a film with pictures", "none in it", CHECK)
    return container, container.streams.video[0]


def _listed(channel: WorkerChannel, source: Any) -> list[PacketTime]:
    """List every packet of the film without decoding; the list ends where the file is damaged."""
    container, stream = _opened(source)
    packets: list[PacketTime] = []
    try:
        for packet in container.demux(stream):
            if not packet.size:
                continue
            if packet.pts is None:
                raise FramesRefused("no_copy", "", "packets with times", "one without", CHECK)
            packets.append(PacketTime(packet.pts, packet.is_keyframe))
            _alive(channel, len(packets))
    except av.FFmpegError:
        return packets
    return packets


def _alive(channel: WorkerChannel, count: int) -> None:
    if count % ALIVE_EVERY_PACKETS == 0:
        channel.renew_cpu_time()
        channel.send(alive=count)


def _copied(channel: WorkerChannel, source: Any, target: Any, piece: PacketRange) -> str:
    container, stream = _opened(source)
    kind = "mp4" if stream.codec_context.name in MP4_CODECS else "matroska"
    with av.open(target, "w", format=kind) as output:
        # No program name and no random number in the file: the same film gives the same bytes.
        output.flags |= av.container.Flags.bitexact.value
        copy = output.add_stream_from_template(stream)
        start: Any = None
        index = -1
        for packet in container.demux(stream):
            if not packet.size:
                continue
            index += 1
            _alive(channel, index + 1)
            if index < piece.start:
                continue
            if index >= piece.stop:
                break
            start = packet if start is None else start
            if packet.pts >= start.pts:
                output.mux(_moved(packet, copy, start))
    return ".mp4" if kind == "mp4" else ".mkv"


def _moved(packet: Any, copy: Any, start: Any) -> Any:
    """A copy of the packet, timed from the first packet of the clip."""
    base: Fraction = packet.time_base
    moved = av.Packet(bytes(packet))
    zero = start.dts if start.dts is not None else start.pts
    moved.pts = packet.pts - zero
    moved.dts = None if packet.dts is None else packet.dts - zero
    moved.duration = packet.duration
    moved.time_base = base
    moved.is_keyframe = packet.is_keyframe
    moved.stream = copy
    return moved
