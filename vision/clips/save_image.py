"""Writes a picture in the format of its file name, atomically."""

import errno
import os
from pathlib import Path

import cv2

from vision.types import Image

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")


class BadName(ValueError):
    """The file name has no suffix of a format that can be written."""


def write(path: Path, image: Image) -> None:
    """Write a picture; readers see the old file or the whole new one."""
    form = path.suffix.lower()
    if form not in SUFFIXES:
        raise BadName(f"{path}: a name that ends in .png, .jpg or .webp expected")
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path.parent))
    fine, coded = cv2.imencode(form, image)
    assert fine
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(coded.tobytes())
    beside.replace(path)
