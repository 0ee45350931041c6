"""Turns refused pictures, films and layouts into messages of the command line."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from audit.cli.errors import Code, Stopped

if TYPE_CHECKING:
    from vision.decoder.errors import MediaRefused
    from vision.felt.calibration import Calibration
    from vision.felt.layout import Layout
    from vision.types import Image, Point

CODES = {
    "missing": Code.NOT_FOUND,
    "not_found": Code.NOT_FOUND,
    "unreachable": Code.UNREACHABLE,
    "occupied": Code.UNREACHABLE,
}


@contextmanager
def refusals() -> Iterator[None]:
    """Turn a refused picture or film into a message with next step and exit code."""
    from vision.decoder.errors import MediaRefused

    try:
        yield
    except MediaRefused as error:
        raise stopped_by(error) from error


def stopped_by(error: "MediaRefused") -> Stopped:
    """The command line's error for one refusal."""
    what = f"{error.where}: {error.expected} expected, {error.found} found"
    return Stopped(what, error.next_step, CODES.get(error.reason, Code.USAGE))


def layout_of(word: str, boxes: int | None = None) -> "Layout":
    """Load a layout by game code, or from a file."""
    from vision.felt import layout as layouts

    is_file = word.endswith(".toml") or os.sep in word
    name = Path(word) if is_file else word
    layout = layouts.load(name)
    if boxes is None:
        return layout
    try:
        return layouts.load(name, boxes)
    except layouts.BadLayout as error:
        what = f"--boxes {boxes}: a number that fits on the felt expected; {error}"
        step = f"leave out --boxes, or give another number: roundproof vision layouts {word}"
        raise Stopped(what, step, Code.USAGE) from error


def must_belong(layout: "Layout", known: "Calibration", felt: Path) -> None:
    """Refuse a calibration of another felt than the layout's."""
    from vision.felt.fits_layout import mismatch

    found = mismatch(layout, known.felt)
    if found is not None:
        size = f"{layout.felt[0]:g} by {layout.felt[1]:g} mm"
        what = f"{felt}: the felt of {layout.game}, {size}, expected, {found} found"
        step = "name the layout of this camera's table, or calibrate the camera on that felt"
        raise Stopped(what, step, Code.USAGE)


def must_fit(path: Path, image: "Image", known: "Calibration") -> None:
    """Refuse a picture of another shape than the calibrated one: its points would be misplaced."""
    from vision.decoder.errors import PictureRefused
    from vision.felt.view_check import fits

    if not fits(image, known.felt):
        width, height = known.felt.size
        expected = f"a picture of {width} x {height} or of that shape"
        step = "name a picture of the calibrated camera, or leave out --felt"
        found = f"{image.shape[1]} x {image.shape[0]}"
        raise PictureRefused("shape", str(path), expected, found, step)


def outlines(layout: "Layout", known: "Calibration", width: int) -> dict[str, list["Point"]]:
    """The outline of each zone in a picture of this width in pixels."""
    scale = width / known.felt.size[0]
    return {
        zone.name: [(x * scale, y * scale) for x, y in known.felt.to_picture(zone.polygon).tolist()]
        for zone in layout.zones
    }
