"""Red and white tokens in a bowl, apart and overlapping."""

from collections import Counter

import numpy as np
import pytest

from vision.recognise.tokens import TokenReader
from vision.synth.scenery import ground, spoiled
from vision.synth.tokens import token_scene


@pytest.fixture(scope="module")
def reader() -> TokenReader:
    return TokenReader()


def test_four_tokens_are_read_apart_and_overlapping(reader: TokenReader) -> None:
    there = right = wrong = 0
    for seed in range(1_000_100, 1_000_112):
        scene = token_scene(seed, 400, 400, sides=["R", "W", "W", "R"], radius=24)
        asked = Counter(thing.shows for thing in scene.things if thing.asked)
        told = Counter(token.guesses[0].seen for token in reader.read(scene.image) if token.guesses)
        there += asked.total()
        right += (told & asked).total()
        wrong += (told - asked).total()

    assert there >= 44
    assert right >= 0.85 * there
    assert wrong == 0


@pytest.mark.parametrize("seed", range(3))
def test_an_empty_bowl_holds_no_tokens(reader: TokenReader, seed: int) -> None:
    rng = np.random.default_rng(seed + 50)

    assert reader.read(spoiled(rng, ground(rng, 320, 320))) == []
