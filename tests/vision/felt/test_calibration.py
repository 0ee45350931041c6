"""A calibration is kept in a small file and comes back as it was."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support import felts
from vision.felt import calibration, view_check
from vision.felt.calibration import BadCalibration, Calibration
from vision.felt.view_check import ViewCheck

FELT = felts.calibrated()
MADE = Calibration(FELT, view_check.felt_print(felts.picture(felts.cloth()), FELT))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A calibration on disk."""
    calibration.save(MADE, tmp_path / "felt.json")
    return tmp_path / "felt.json"


def test_it_comes_back_as_it_was(path: Path) -> None:
    found = calibration.load(path)

    assert found.felt == FELT
    assert found.signature is not None
    assert MADE.signature is not None
    assert np.array_equal(found.signature.patches, MADE.signature.patches)
    assert ViewCheck(found.felt, found.signature).look(felts.picture(felts.cloth()), 0).kind == (
        "clear"
    )


def test_it_is_small_and_the_same_twice(path: Path, tmp_path: Path) -> None:
    calibration.save(MADE, tmp_path / "again.json")

    assert path.read_bytes() == (tmp_path / "again.json").read_bytes()
    assert path.stat().st_size < 150_000


def test_a_felt_too_plain_to_know_again_can_be_kept(tmp_path: Path) -> None:
    calibration.save(Calibration(FELT), tmp_path / "felt.json")

    assert calibration.load(tmp_path / "felt.json") == Calibration(FELT)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        pytest.param({"calibration": 2}, "form 1 expected", id="a later form"),
        pytest.param({"homography": [1, 2]}, "nine numbers", id="too few numbers"),
        pytest.param({"homography": [0] * 9}, "turned round", id="nothing can be told by it"),
        pytest.param({"homography": [float("nan")] * 9}, "nine numbers", id="no numbers"),
        pytest.param({"marks": []}, "four marks", id="no marks"),
        pytest.param({"picture": [0, 0]}, "size", id="no picture"),
        pytest.param(
            {"signature": {"places": [[1, 1]], "patches": "AAAA"}}, "reshape", id="cut short"
        ),
        pytest.param(
            {"signature": {"places": [[1, 1]], "patches": "?"}}, "expected", id="not base64"
        ),
    ],
)
def test_what_is_no_calibration_is_refused(path: Path, change: dict[str, Any], told: str) -> None:
    document = json.loads(path.read_text("utf-8")) | change
    path.write_text(json.dumps(document), "utf-8")

    with pytest.raises(BadCalibration, match=told):
        calibration.load(path)


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", "{"])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "felt.json"
    path.write_text(text, "utf-8")

    with pytest.raises(BadCalibration, match=r"felt\.json: a calibration expected"):
        calibration.load(path)
