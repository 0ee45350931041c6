"""Red and white tokens in a bowl, apart and overlapping."""

import numpy as np
import pytest

from vision.seen import TokenSeen, centre
from vision.synth.scenery import ground, spoiled
from vision.synth.tokens import token_scene
from vision.tokens import TokenReader


@pytest.fixture(scope="module")
def reader() -> TokenReader:
    return TokenReader()


def _sides(seen: list[TokenSeen]) -> list[str]:
    return sorted(token.guesses[0].seen for token in seen if token.guesses)


@pytest.mark.parametrize("seed", [1_000_000, 1_000_001, 1_000_002])
def test_four_tokens_are_read(reader: TokenReader, seed: int) -> None:
    scene = token_scene(seed, 400, 400, sides=["R", "W", "W", "R"], radius=24)
    asked = [thing for thing in scene.things if thing.asked]

    seen = reader.read(scene.image)

    assert _sides(seen) == sorted(thing.shows for thing in asked)
    for thing in asked:
        x0, y0, x1, y1 = thing.box
        middles = [centre(token.quad) for token in seen]
        assert any(x0 < x < x1 and y0 < y < y1 for x, y in middles)


@pytest.mark.parametrize("seed", range(3))
def test_an_empty_bowl_holds_no_tokens(reader: TokenReader, seed: int) -> None:
    rng = np.random.default_rng(seed + 50)

    assert reader.read(spoiled(rng, ground(rng, 320, 320))) == []
