"""A layout and a calibration are of one table, or are told apart."""

import numpy as np
import pytest

from tests.vision import felts
from tests.vision.cameras import FELT
from vision import zones
from vision.belonging import odds
from vision.synth import cloth


@pytest.mark.parametrize("game", zones.codes())
def test_every_game_belongs_to_the_felt_it_is_filmed_on(game: str) -> None:
    layout, luck = zones.load(game), np.random.default_rng(1)
    ground = cloth.ground(layout, (640, 360), luck)

    assert odds(layout, cloth.calibrated(ground.picture, ground, luck).felt) is None


@pytest.mark.parametrize("game", ["SA-BJ", "SA-AB", "SA-PD", "SA-SB", "SA-XD", "NN", "TH"])
def test_a_felt_of_another_size_is_told(game: str) -> None:
    assert felts.FELT == (1200, 700)
    assert odds(zones.load(game), FELT) is not None


def test_a_felt_of_the_same_size_is_taken() -> None:
    assert odds(zones.load("SA-BC"), FELT) is None
