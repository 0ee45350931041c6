"""A small network from this folder's models, run by OpenCV alone.

Its file is read only when its SHA-256 is the one written in `models.lock`: weights that somebody
changed would see other cards, and nobody would know.
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
    """A network's file is missing, is not locked, or has other bytes than its lock says."""


class Network:
    """One network, ready to run; how many threads it may use is the caller's to set."""

    def __init__(self, name: str, models: Path = MODELS) -> None:
        buffer = np.frombuffer(checked(name, models), np.uint8)
        self._net = cv2.dnn.readNetFromONNX(buffer)
        self._outputs: Sequence[str] = self._net.getUnconnectedOutLayersNames()

    def run(self, blob: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """What it says to one batch (number, channels, height, width), output by output."""
        self._net.setInput(blob)
        return [np.asarray(out, np.float32) for out in self._net.forward(self._outputs)]


def checked(name: str, models: Path = MODELS) -> bytes:
    """The bytes of a network's file, which are those its lock promises."""
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
    """File name to SHA-256, as the lock has them."""
    if not (models / LOCK).exists():
        return {}
    lines = (models / LOCK).read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def lock(file: Path) -> None:
    """Write a network's new SHA-256 into the lock beside it."""
    names = locked(file.parent) | {file.name: hashlib.sha256(file.read_bytes()).hexdigest()}
    lines = "".join(f"{names[name]}  {name}\n" for name in sorted(names))
    (file.parent / LOCK).write_text(lines, encoding="utf-8")
