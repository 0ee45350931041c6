"""Rendered dice and tokens: the same seed draws the same, and truth lies where the picture says."""

import cv2
import numpy as np
import pytest

from vision.synth import solid, symbols
from vision.synth.dice import dice_scene
from vision.synth.tokens import token_scene


def test_the_same_seed_draws_the_same_picture() -> None:
    once, twice = dice_scene(7, 160, 160), dice_scene(7, 160, 160)

    assert once.things == twice.things
    assert np.array_equal(once.image, twice.image)
    assert not np.array_equal(once.image, dice_scene(8, 160, 160).image)


def test_wanted_faces_are_shown_inside_the_picture() -> None:
    scene = dice_scene(3, 320, 240, faces=["1", "6", "4"], symbols=False, side=30)

    assert [thing.shows for thing in scene.things] == ["1", "6", "4"]
    assert scene.image.shape == (240, 320, 3)
    for thing in scene.things:
        x0, y0, x1, _ = thing.box
        assert 25 < x1 - x0 < 70
        assert -20 < x0 < 320
        assert -20 < y0 < 240


def test_a_die_without_a_face_leans() -> None:
    (thing,) = dice_scene(4, 160, 160, faces=[""], symbols=False, side=40).things

    assert not thing.flat


@pytest.mark.parametrize("face", solid.FACES)
def test_pips_are_counted_on_the_upper_face(face: str) -> None:
    rng = np.random.default_rng(1)
    die = solid.make(rng)._replace(
        body=np.full(3, 250, np.float32), pips=np.zeros(3, np.float32), marbled=0, shine=0,
        red_low=False, design="disc", pip_size=0.17, offset=0.5, one_size=1, dimple=0,
    )  # fmt: skip
    above = solid.DiePose(face, np.eye(3, dtype=np.float32), np.array([0, 0, -1], np.float32), 60)

    patch = solid.render(rng, die, above, solid.lamps(rng))

    middle = slice(len(patch.cover) // 2 - 23, len(patch.cover) // 2 + 23)
    dark = (patch.image[middle, middle].mean(2) < 90).astype(np.uint8)
    assert cv2.connectedComponents(dark)[0] - 1 == int(face)


def test_symbols_differ_from_each_other() -> None:
    inks = [symbols.ink(name, np.random.default_rng(0)) > 127 for name in symbols.SYMBOLS]

    for number, one in enumerate(inks):
        assert 0.05 < one.mean() < 0.7
        for other in inks[number + 1 :]:
            assert (one ^ other).mean() > 0.08


def test_tokens_show_the_sides_that_are_wanted() -> None:
    scene = token_scene(5, 240, 240, sides=["R", "W", "W", "R"], radius=20)

    assert [thing.shows for thing in scene.things] == ["R", "W", "W", "R"]
    assert all(thing.kind == "token" for thing in scene.things)


def test_what_is_covered_is_told() -> None:
    covered = [t.visible for seed in range(6) for t in token_scene(seed, 240, 240).things]

    assert min(covered) < 0.9
    assert max(covered) <= 1
