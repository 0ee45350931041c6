"""A picture is written whole, in the form its name asks for."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.clips.save_image import BadName, write

IMAGE = np.full((8, 9, 3), 90, np.uint8)


@pytest.mark.parametrize("name", ["seen.png", "seen.JPG", "seen.webp"])
def test_it_can_be_read_back(tmp_path: Path, name: str) -> None:
    write(tmp_path / name, IMAGE)

    found = cv2.imread(str(tmp_path / name))
    assert found is not None
    assert found.shape == IMAGE.shape
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["seen", "seen.txt", ".png"])
def test_another_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadName, match="ends in"):
        write(tmp_path / name, IMAGE)
