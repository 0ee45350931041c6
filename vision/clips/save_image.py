"""Pictures that are written: in the form their name asks for, and never half of one."""

import errno
import os
from pathlib import Path

import cv2

from vision.types import Image

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")


class BadName(ValueError):
    """A name that says no form a picture can be written in."""


def write(path: Path, image: Image) -> None:
    """Write a picture; whoever looks sees the one before or the whole new one."""
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
