"""Runs a small network from the folder `models` with OpenCV.

A model file must have the SHA-256 in `models.lock`: changed weights would read other cards, and
nobody would notice.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

MODELS = Path(__file__).parent / "models"
LOCK = "models.lock"


class ModelCorrupt(Exception):
    """A model file is missing, is not in the lock, or has another SHA-256."""


class Network:
    """One network, ready to run; the caller sets the number of threads."""

    def __init__(self, name: str, models: Path = MODELS) -> None:
        buffer = np.frombuffer(checked(name, models), np.uint8)
        # OpenCV's newer engine needs half as much time again for the finder.
        self._net = cv2.dnn.readNetFromONNX(buffer, cv2.dnn.ENGINE_CLASSIC)
        self._outputs: Sequence[str] = self._net.getUnconnectedOutLayersNames()

    def run(self, blob: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """Run one batch (number, channels, height, width); return every output."""
        self._net.setInput(blob)
        return [np.asarray(out, np.float32) for out in self._net.forward(self._outputs)]


def checked(name: str, models: Path = MODELS) -> bytes:
    """The bytes of a model file, after checking their SHA-256."""
    file = f"{name}.onnx"
    expected = locked(models).get(file)
    if expected is None:
        raise ModelCorrupt(f"{models / LOCK}: a line for {file} expected, none found")
    try:
        found = (models / file).read_bytes()
    except FileNotFoundError:
        raise ModelCorrupt(f"{models / file}: expected, not found") from None
    digest = hashlib.sha256(found).hexdigest()
    if digest != expected:
        raise ModelCorrupt(f"{models / file}: {expected[:12]}… expected, {digest[:12]}… found")
    return found


def locked(models: Path = MODELS) -> dict[str, str]:
    """File name to SHA-256, from the lock."""
    if not (models / LOCK).exists():
        return {}
    lines = (models / LOCK).read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def lock(file: Path) -> None:
    """Write the SHA-256 of a new model file into the lock beside it."""
    names = locked(file.parent) | {file.name: hashlib.sha256(file.read_bytes()).hexdigest()}
    lines = "".join(f"{names[name]}  {name}\n" for name in sorted(names))
    (file.parent / LOCK).write_text(lines, encoding="utf-8")
