"""Threes with a flat top."""

from dataclasses import replace

import numpy as np
import pytest

from vision.synth import decks, spreads, threes

SEEDS = range(12)


@pytest.mark.parametrize("seed", SEEDS)
def test_its_top_is_a_bar_and_it_has_no_stem_as_a_five_has(seed: int) -> None:
    ink = threes.drawn(threes.some_flat_three(np.random.default_rng(seed))) > 127
    high, wide = ink.shape

    bar = ink[: round(high * 0.05)].any(axis=0)
    left = ink[round(high * 0.3) : round(high * 0.34), : round(wide * 0.15)]

    assert bar.mean() > 0.75  # a round top has ink in its middle alone
    assert not left.any()  # where a five has its stem


def test_a_font_draws_no_such_three() -> None:
    plain = decks.Style()
    flat = replace(plain, three=threes.FlatThree())
    before, after = decks.drawn(plain), decks.drawn(flat)

    changed = {code for code, face in before.faces.items() if (face != after.faces[code]).any()}

    assert changed == {"3S", "3H", "3C", "3D"}


def test_the_cards_of_a_scene_may_be_of_some_ranks_alone() -> None:
    deck = decks.drawn(decks.Style())
    ranks = set()
    for seed in range(6):
        _, truth = spreads.some_scene(np.random.default_rng(seed), [deck], 96, ranks="335")
        ranks |= {card.code[0] for card in truth if card.code}

    assert ranks == {"3", "5"}
