"""Checks the header of a picture before any decoder gets its bytes.

Only JPEG, PNG, WebP and BMP are accepted: the formats of cameras and screens. A file must be whole
(its end marker is there, its checksums match) and small enough to be decoded within the limits.
"""

import re
import struct
import zlib
from collections.abc import Callable
from typing import NamedTuple

from vision.decoder.errors import PictureRefused

MAX_BYTES = 1 << 26
MAX_PIXELS = 1 << 26
MAX_SIDE = 1 << 16
MAX_SCANS = 100

TAKE_AGAIN = "take or copy the picture again"
AS_PNG = "save it as PNG or JPEG"
AS_RGB = "save it as 8-bit RGB without transparency, in PNG or JPEG"

# First bytes of other formats that people send, so that the refusal can name the format.
OTHER_FORMATS = {
    b"GIF8": "GIF",
    b"II*\0": "TIFF",
    b"MM\0*": "TIFF",
    b"\0\0\0\x0cjP": "JPEG 2000",
    b"\xff\x4f\xff\x51": "JPEG 2000",
    b"#?RADIANCE": "Radiance HDR",
    b"v/1\x01": "OpenEXR",
    b"8BPS": "Photoshop",
    b"%PDF": "PDF",
    b"<svg": "SVG",
    b"<?xml": "SVG",
    b"\x1aE\xdf\xa3": "a Matroska film",
}

FRAME_KINDS = {0xC0, 0xC1, 0xC2}  # baseline, extended, progressive
LOSSLESS_AND_RARE = {0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF}
LONE_MARKERS = {0x01, *range(0xD0, 0xD8)}  # JPEG markers without a length
IN_SCAN = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]", re.DOTALL)


class ImageHeader(NamedTuple):
    """The format of a picture, its size in pixels, and which pixels may be transparent."""

    kind: str
    width: int
    height: int
    alpha: bool = False  # some pixels may be transparent
    clear_grey: int | None = None  # pixels of this decoded grey value are transparent

    @property
    def suffix(self) -> str:
        """The file suffix of this format."""
        return {"JPEG": ".jpg"}.get(self.kind, f".{self.kind.lower()}")


def image_header(content: bytes, where: str) -> ImageHeader:
    """Read the header; refuse a file that is no picture, is cut off, or is too large."""
    if not content:
        raise PictureRefused("empty", where, "a picture", "a file of no bytes", TAKE_AGAIN)
    if len(content) > MAX_BYTES:
        found = f"{len(content):,} bytes"
        raise PictureRefused("size", where, f"at most {MAX_BYTES:,} bytes", found, "scale it down")
    try:
        header = _reader(content, where)(content, where)
    except (struct.error, IndexError) as error:
        raise torn(where, "its header") from error
    _check_size(header, where)
    return header


def torn(where: str, part: str) -> PictureRefused:
    """The refusal of a file that ends too early."""
    return PictureRefused("truncated", where, "a whole file", f"its end within {part}", TAKE_AGAIN)


def _reader(content: bytes, where: str) -> Callable[[bytes, str], ImageHeader]:
    if content.startswith(b"\xff\xd8\xff"):
        return _jpeg
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return _png
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return _webp
    if content.startswith(b"BM"):
        return _bmp
    if content[4:8] == b"ftyp":
        kind = "AVIF or HEIC" if content[8:12] in {b"avif", b"heic", b"mif1"} else "an MP4 film"
    else:
        kind = next(
            (kind for start, kind in OTHER_FORMATS.items() if content.startswith(start)), ""
        )
    found = kind or f"bytes that start with {content[:8].hex()}"
    raise PictureRefused("format", where, "JPEG, PNG, WebP or BMP", found, AS_PNG)


def _check_size(header: ImageHeader, where: str) -> None:
    width, height = header.width, header.height
    found = f"{width} x {height}"
    if width <= 0 or height <= 0:
        raise PictureRefused("size", where, "at least one pixel", found, TAKE_AGAIN)
    if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE:
        limit = f"at most {MAX_PIXELS:,} pixels and {MAX_SIDE:,} a side"
        raise PictureRefused("size", where, limit, found, "scale it down")


def _jpeg(content: bytes, where: str) -> ImageHeader:
    header, at, scans = None, 2, 0
    while True:
        if content[at] != 0xFF:
            found = f"{content[at]:02x} at byte {at}"
            raise PictureRefused("damaged", where, "a JPEG marker", found, TAKE_AGAIN)
        marker = content[at + 1]
        if marker == 0xFF:  # fill bytes may stand before a marker
            at += 1
        elif marker == 0xD9:
            return _with_scans(header, where, at)
        elif marker in LONE_MARKERS:
            at += 2
        else:
            if marker in FRAME_KINDS and header is None:
                header = _jpeg_frame(content, at, where)
            if marker in LOSSLESS_AND_RARE:
                found = f"JPEG of the rare kind {marker:02x}"
                raise PictureRefused("format", where, "an ordinary JPEG", found, AS_PNG)
            at += 2 + struct.unpack_from(">H", content, at + 2)[0]
            if marker == 0xDA:
                at, scans = _after_scan(content, at, where), scans + 1
                _check_scans(scans, where)


def _jpeg_frame(content: bytes, at: int, where: str) -> ImageHeader:
    bits, height, width, parts = struct.unpack_from(">BHHB", content, at + 4)
    if bits != 8:
        raise PictureRefused("colours", where, "8 bits a colour", f"{bits}", AS_RGB)
    if parts not in {1, 3}:
        found = "four (CMYK, for print)" if parts == 4 else f"{parts}"
        raise PictureRefused("colours", where, "one or three colour channels", found, AS_RGB)
    return ImageHeader("JPEG", width, height)


def _after_scan(content: bytes, at: int, where: str) -> int:
    """The position of the next marker after the coded pixels."""
    found = IN_SCAN.search(content, at)
    if found is None:
        raise torn(where, "the pixels")
    return found.start()


def _check_scans(scans: int, where: str) -> None:
    """Refuse a JPEG with too many scans: each goes over all pixels, and ten are usual at most."""
    if scans > MAX_SCANS:
        expected = f"at most {MAX_SCANS} scans of the pixels"
        raise PictureRefused("time", where, expected, "more", AS_PNG)


def _with_scans(header: ImageHeader | None, where: str, at: int) -> ImageHeader:
    if header is None:
        found = f"the end of the file at byte {at}"
        raise PictureRefused("damaged", where, "a JPEG frame", found, TAKE_AGAIN)
    return header


def _png(content: bytes, where: str) -> ImageHeader:
    header, at = None, 8
    while True:
        length, kind = struct.unpack_from(">I4s", content, at)
        end = at + 12 + length
        if end > len(content):
            raise torn(where, f"chunk {_name(kind)}")
        if zlib.crc32(content[at + 4 : end - 4]) != struct.unpack_from(">I", content, end - 4)[0]:
            found = f"another in chunk {_name(kind)} at byte {at}"
            raise PictureRefused("damaged", where, "the checksum of its bytes", found, TAKE_AGAIN)
        if header is None:
            header = _png_header(content, kind, where)
        if kind == b"acTL":
            raise PictureRefused("animated", where, "one picture", "an animated PNG", AS_PNG)
        if kind == b"tRNS":
            header = header._replace(alpha=True, clear_grey=_clear_grey(content, at + 8))
        if kind == b"IEND":
            return header
        at = end


def _png_header(content: bytes, kind: bytes, where: str) -> ImageHeader:
    if kind != b"IHDR":
        found = f"{_name(kind)} as its first chunk"
        raise PictureRefused("damaged", where, "IHDR", found, TAKE_AGAIN)
    width, height, _, colours = struct.unpack_from(">IIBB", content, 16)
    return ImageHeader("PNG", width, height, alpha=colours in {4, 6})


def _clear_grey(content: bytes, at: int) -> int | None:
    """The transparent grey value of a grey PNG, which OpenCV ignores."""
    depth, colours = struct.unpack_from(">BB", content, 24)
    if colours != 0:
        return None
    said: int = struct.unpack_from(">H", content, at)[0] & ((1 << depth) - 1)
    return said if depth >= 8 else said * 255 // ((1 << depth) - 1)


def _name(kind: bytes) -> str:
    return kind.decode("ascii", "backslashreplace")


def _webp(content: bytes, where: str) -> ImageHeader:
    length, kind = struct.unpack_from("<I4x4s", content, 4)
    if length + 8 > len(content):
        raise torn(where, "the pixels")
    if kind == b"VP8X":
        flags = content[20]
        if flags & 0x02:
            raise PictureRefused("animated", where, "one picture", "an animated WebP", AS_PNG)
        width = 1 + int.from_bytes(content[24:27], "little")
        height = 1 + int.from_bytes(content[27:30], "little")
        return ImageHeader("WebP", width, height, alpha=bool(flags & 0x10))
    if kind == b"VP8L":
        bits = struct.unpack_from("<I", content, 21)[0]
        return ImageHeader(
            "WebP", 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF), alpha=bool(bits >> 28 & 1)
        )
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", content, 26)
        return ImageHeader("WebP", width & 0x3FFF, height & 0x3FFF)
    raise PictureRefused("format", where, "WebP pixels", f"a chunk {_name(kind)}", AS_PNG)


def _bmp(content: bytes, where: str) -> ImageHeader:
    start, size, width, height, _, bits, packed = struct.unpack_from("<10xIIiiHHI", content)
    if size < 40 or bits not in {1, 4, 8, 24} or packed != 0:
        found = f"{bits} bits a pixel, packed as {packed}"
        raise PictureRefused("format", where, "a plain BMP of at most 24 bits", found, AS_PNG)
    row = (abs(width) * bits + 31) // 32 * 4
    if start + row * abs(height) > len(content):
        raise torn(where, "the pixels")
    return ImageHeader("BMP", width, abs(height))
