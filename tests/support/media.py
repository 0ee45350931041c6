"""Pictures and films that the tests make for themselves, and a camera that serves them."""

import struct
import threading
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import av
import cv2
import numpy as np

from vision.types import Image

RED = (20, 30, 200)


def scene(number: int, width: int = 160, height: int = 120) -> Image:
    """A picture that shows its number: a white bar that moves to the right."""
    image: Image = np.full((height, width, 3), (40, 120, 30), np.uint8)
    start = (number * 7) % max(1, width - 16)
    cv2.rectangle(image, (start, 8), (start + 12, height - 8), (250, 250, 250), -1)
    return image


def encoded(image: Image | np.ndarray, suffix: str = ".jpg", options: Sequence[int] = ()) -> bytes:
    """The picture file of an image."""
    done, content = cv2.imencode(suffix, image, list(options))
    assert done
    return content.tobytes()


def png(width: int, height: int, *, depth: int = 8, colours: int = 2, pixels: bytes = b"") -> bytes:
    """A PNG written by hand, so that its header can say anything."""
    header = struct.pack(">IIBBBBB", width, height, depth, colours, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(pixels, 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, content) for kind, content in parts)


def chunk(kind: bytes, content: bytes) -> bytes:
    """A chunk of a PNG with its checksum."""
    check = struct.pack(">I", zlib.crc32(kind + content))
    return struct.pack(">I", len(content)) + kind + content + check


def film(
    path: Path,
    images: Sequence[Image],
    *,
    codec: str = "libx264",
    times: Sequence[int] = (),
    rate: int = 25,
    key_every: int = 8,
) -> Path:
    """A film of these images; `times` in milliseconds where the rate is not even."""
    options = {"movflags": "faststart"} if path.suffix == ".mp4" else {}
    with av.open(str(path), "w", options=options) as container:
        even = {"sc_threshold": "0"} if codec == "libx264" else {}  # key frames only where asked
        stream = container.add_stream(codec, rate=rate, options=even)
        assert isinstance(stream, av.VideoStream)
        stream.height, stream.width = images[0].shape[:2]
        stream.pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
        stream.gop_size = key_every
        if times:
            stream.codec_context.time_base = Fraction(1, 1000)
        for number, image in enumerate(images):
            frame = av.VideoFrame.from_ndarray(image, format="bgr24")
            frame.pts = times[number] if times else number
            frame.time_base = Fraction(1, 1000) if times else Fraction(1, rate)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


class Camera(ThreadingHTTPServer):
    """A camera on the network that sends JPEG after JPEG and then hangs up."""

    daemon_threads = True

    def __init__(self, calls: Sequence[Sequence[bytes]], whole: bytes = b"") -> None:
        super().__init__(("127.0.0.1", 0), _Shots)
        self.whole = whole  # a film to fetch, in the place of a stream
        self.calls = list(calls)  # what each connection gets to see; afterwards nobody is at home
        self.asked = 0


class _Shots(BaseHTTPRequestHandler):
    server: Camera

    def do_GET(self) -> None:
        self.server.asked += 1
        if self.server.whole:
            self.send_response(200)
            self.send_header("Content-Length", str(len(self.server.whole)))
            self.end_headers()
            self.wfile.write(self.server.whole)
            return
        if not self.server.calls:
            self.send_error(503)
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=shot")
        self.end_headers()
        for content in self.server.calls.pop(0):
            head = f"--shot\r\nContent-Type: image/jpeg\r\nContent-Length: {len(content)}\r\n\r\n"
            self.wfile.write(head.encode() + content + b"\r\n")

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: a test is quiet."""


@contextmanager
def camera(*calls: Sequence[bytes], whole: bytes = b"") -> Iterator[tuple[Camera, str]]:
    """A camera at work, and its address with a password in it."""
    with Camera(calls, whole) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server, f"http://admin:secret@127.0.0.1:{server.server_port}/live?token=secret"
        finally:
            server.shutdown()
            thread.join()
