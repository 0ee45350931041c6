"""A network runs only with the weights its lock promises."""

from pathlib import Path

import numpy as np
import pytest

from vision.recognise.network import LOCK, MODELS, ModelCorrupt, Network, lock, locked
from vision.recognise.pieces import CROP_PX


@pytest.fixture
def models(tmp_path: Path) -> Path:
    for name in ("pieces_read.onnx", LOCK):
        (tmp_path / name).write_bytes((MODELS / name).read_bytes())
    return tmp_path


def test_a_locked_network_runs(models: Path) -> None:
    crops = np.zeros((2, 3, CROP_PX, CROP_PX), np.float32)

    (said,) = Network("pieces_read", models).run(crops)

    assert said.shape[0] == 2


def test_changed_weights_are_refused(models: Path) -> None:
    weights = bytearray((models / "pieces_read.onnx").read_bytes())
    weights[len(weights) // 2] ^= 1
    (models / "pieces_read.onnx").write_bytes(weights)

    with pytest.raises(ModelCorrupt, match=r"pieces_read.onnx: \w+… expected, \w+… found"):
        Network("pieces_read", models)


def test_a_network_without_its_line_is_refused(models: Path) -> None:
    (models / LOCK).write_text("", encoding="utf-8")

    with pytest.raises(ModelCorrupt, match=r"a line for pieces_read.onnx expected, none found"):
        Network("pieces_read", models)


def test_a_missing_file_is_refused(models: Path) -> None:
    (models / "pieces_read.onnx").unlink()

    with pytest.raises(ModelCorrupt, match="not found"):
        Network("pieces_read", models)


def test_locking_keeps_the_lines_of_others(models: Path) -> None:
    before = locked(models)
    (models / "new.onnx").write_bytes(b"weights")

    lock(models / "new.onnx")

    assert locked(models).keys() == before.keys() | {"new.onnx"}
    assert all(locked(models)[name] == digest for name, digest in before.items())


def test_every_network_of_the_house_is_locked() -> None:
    files = {file.name for file in MODELS.glob("*.onnx")}

    assert files == set(locked())
