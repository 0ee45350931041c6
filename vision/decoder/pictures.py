"""Worker side: decode the bytes of a picture into pixels."""

import re

import cv2
import numpy as np

from vision.decoder.errors import PictureRefused
from vision.decoder.image_headers import AS_RGB, TAKE_AGAIN, ImageHeader, image_header
from vision.decoder.stderr import begin_listening, heard
from vision.types import Image

SCALE_DOWN = "scale it down, or look into what made it"

# Warnings of libjpeg that mean wrong pixels. It prints only the first warning of each picture.
DAMAGE = ("Corrupt JPEG data", "Premature end of JPEG file", "Inconsistent progression sequence")
ZERO_FILL = re.compile(r"Corrupt JPEG data: (\d{1,2}) extraneous bytes before marker 0xd9")


def decoded(content: bytes, where: str, memory_mib: int) -> Image:
    """Decode a picture into blue, green and red, rotated upright by its EXIF data."""
    header = image_header(content, where)
    try:
        if header.alpha:
            _check_opaque(content, header, where, memory_mib)
        begin_listening()
        image = _pixels(content, cv2.IMREAD_COLOR | cv2.IMREAD_ANYDEPTH, where, memory_mib)
        _check_sound(heard(), content, where)
    except MemoryError as error:
        raise too_much(where, memory_mib) from error
    if image.dtype == np.uint16:
        image = np.asarray(cv2.convertScaleAbs(image, alpha=1 / 257), np.uint8)
    _check(image, header, where)
    return image


def _pixels(content: bytes, flags: int, where: str, memory_mib: int) -> Image:
    try:
        image = cv2.imdecode(np.frombuffer(content, np.uint8), flags)
    except cv2.error as error:
        if error.code == cv2.Error.StsNoMem:
            raise too_much(where, memory_mib) from error
        image = None
    if image is None:
        found = f"bytes that the decoder does not take, given {memory_mib} MiB"
        raise PictureRefused("damaged", where, "a readable picture", found, TAKE_AGAIN)
    return image  # type: ignore[return-value]  # 16 bits are brought down by the caller


def _check_opaque(content: bytes, header: ImageHeader, where: str, memory_mib: int) -> None:
    """Refuse transparent pixels: the colour below them is arbitrary."""
    image = _pixels(content, cv2.IMREAD_UNCHANGED, where, memory_mib)
    count = 0
    if image.ndim == 3 and image.shape[2] == 4:
        count = int((image[:, :, 3] < np.iinfo(image.dtype).max).sum())
    elif header.clear_grey is not None:
        count = int((image == header.clear_grey).sum())
    if count:
        raise PictureRefused(
            "colours", where, "opaque pixels", f"{count:,} transparent ones", AS_RGB
        )


def _check_sound(said: str, content: bytes, where: str) -> None:
    """Refuse damaged JPEG data: libjpeg only warns, and fills in grey or shifted pixels."""
    found = next((line for line in said.splitlines() if line.startswith(DAMAGE)), None)
    if found is None:
        return
    behind = ZERO_FILL.fullmatch(found)
    if behind and not any(content[: content.rindex(b"\xff\xd9")][-int(behind[1]) :]):
        return  # some cameras pad with a few zero bytes after the last pixel
    raise PictureRefused("damaged", where, "sound pixels", f"'{found}'", TAKE_AGAIN)


def _check(image: Image, header: ImageHeader, where: str) -> None:
    """Compare the decoded size and colours with the header; a rotated picture swaps its sides."""
    height, width = image.shape[:2]
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
        found = f"{image.dtype} in {image.shape[2:]}"
        raise PictureRefused("colours", where, "three colours of 8 bits", found, AS_RGB)
    if {width, height} != {header.width, header.height}:
        expected = f"{header.width} x {header.height} as its header says"
        raise PictureRefused("damaged", where, expected, f"{width} x {height}", TAKE_AGAIN)


def too_much(where: str, memory_mib: int) -> PictureRefused:
    """The refusal of a picture that needs more memory than allowed."""
    expected = f"decoding within {memory_mib} MiB"
    return PictureRefused("memory", where, expected, "a need for more", SCALE_DOWN)
