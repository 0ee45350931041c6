"""A layout and a calibration are of one table, or are told apart."""

import numpy as np
import pytest

from tests.support import felts
from tests.support.cameras import FELT
from vision.felt import layout as layouts
from vision.felt.fits_layout import mismatch
from vision.synth import cloth


@pytest.mark.parametrize("game", layouts.codes())
def test_every_game_belongs_to_the_felt_it_is_filmed_on(game: str) -> None:
    layout, luck = layouts.load(game), np.random.default_rng(1)
    ground = cloth.ground(layout, (640, 360), luck)

    assert mismatch(layout, cloth.calibrated(ground.picture, ground, luck).felt) is None


@pytest.mark.parametrize("game", ["SA-BJ", "SA-AB", "SA-PD", "SA-SB", "SA-XD", "NN", "TH"])
def test_a_felt_of_another_size_is_told(game: str) -> None:
    assert felts.FELT == (1200, 700)
    assert mismatch(layouts.load(game), FELT) is not None


def test_a_felt_of_the_same_size_is_taken() -> None:
    assert mismatch(layouts.load("SA-BC"), FELT) is None
