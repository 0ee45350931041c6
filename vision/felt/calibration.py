"""The calibration file of a camera: where the felt lies, and what its print looks like."""

import base64
import binascii
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from vision.felt.transform import Felt, FeltMark
from vision.felt.view_check import PATCH_PX, FeltPrint

FORMAT_VERSION = 1
MAX_CALIBRATION_BYTES = 1024 * 1024  # bytes


class BadCalibration(ValueError):
    """The file is no calibration; the message says what is wrong."""


class Calibration(NamedTuple):
    """One camera's felt, and its print to recognise it by; None if there is too little."""

    felt: Felt
    signature: FeltPrint | None = None


def save(made: Calibration, path: Path) -> None:
    """Write a calibration atomically: readers see the old file or the whole new one."""
    text = json.dumps(_document(made), indent=1, sort_keys=True)
    beside = path.with_name(path.name + ".new")
    beside.write_text(text + "\n", "utf-8")
    beside.replace(path)


def load(path: Path) -> Calibration:
    """Load a calibration; BadCalibration if the file is none."""
    if path.stat().st_size > MAX_CALIBRATION_BYTES:
        raise BadCalibration(
            f"{path}: a calibration expected; more than {MAX_CALIBRATION_BYTES:,} bytes found"
        )
    try:
        return _calibration(json.loads(path.read_text("utf-8")))
    except UnicodeDecodeError as error:
        raise BadCalibration(f"{path}: a calibration expected, no text found") from error
    except (ValueError, TypeError, KeyError, binascii.Error) as error:
        told = str(error) or type(error).__name__
        raise BadCalibration(f"{path}: a calibration expected; {told}") from error


def _document(made: Calibration) -> dict[str, Any]:
    felt, known = made
    document: dict[str, Any] = {
        "calibration": FORMAT_VERSION,
        "picture": list(felt.size),
        "homography": list(felt.homography),
        "bend": felt.bend,
        "marks": [{"picture": list(at.picture), "felt": list(at.felt)} for at in felt.marks],
        "errors_mm": [round(error, 3) for error in felt.errors_mm],
    }
    if known is not None:
        document["signature"] = {
            "places": known.places.tolist(),
            "patches": base64.b64encode(known.patches.tobytes()).decode(),
        }
    return document


def _calibration(document: dict[str, Any]) -> Calibration:
    if document["calibration"] != FORMAT_VERSION:
        raise ValueError(f"form {FORMAT_VERSION} expected, {document['calibration']!r} found")
    marks = tuple(FeltMark(_pair(at["picture"]), _pair(at["felt"])) for at in document["marks"])
    width, height = (int(side) for side in document["picture"])
    matrix = tuple(float(number) for number in document["homography"])
    square = np.array(matrix)
    if min(width, height) < 1 or len(matrix) != 9 or not np.all(np.isfinite(square)):
        raise ValueError("a picture's size and nine numbers expected")
    if len(marks) < 4 or abs(np.linalg.det(square.reshape(3, 3))) < 1e-12:
        raise ValueError("four marks and a homography that can be turned round expected")
    felt = Felt((width, height), matrix, float(document["bend"]), marks)
    known = document.get("signature")
    return Calibration(felt, _signature(known) if known else None)


def _signature(known: dict[str, Any]) -> FeltPrint:
    places = np.array(known["places"], np.float64).reshape(-1, 2)
    patches = np.frombuffer(base64.b64decode(known["patches"], validate=True), np.uint8)
    return FeltPrint(places, patches.reshape(len(places), PATCH_PX, PATCH_PX))


def _pair(values: Any) -> tuple[float, float]:
    x, y = values
    return float(x), float(y)
