"""What both readers share: shares of one, boxes apart, crops of one size."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.recognise.pieces import (
    CLASSES,
    CROP_PX,
    KINDS,
    PIPS,
    STRIDE_PX,
    PieceCandidate,
    PieceReader,
    cut,
    middles,
    softmax,
)
from vision.synth.dice import dice_scene
from vision.types import Quad, Reals


def _piece(**shares: float) -> PieceCandidate:
    each = np.array([shares.get(f"_{name}", 0.0) for name in CLASSES], np.float32)
    return PieceCandidate("die", (0, 0, 10, 10), 1.0, each)


def test_three_guesses_at_most_best_first() -> None:
    guesses = _piece(_2=0.85, _3=0.08, _5=0.05, _6=0.02).guesses(PIPS)

    assert [guess.seen for guess in guesses] == ["2", "3", "5"]
    assert guesses[0].probability == pytest.approx(0.85)


def test_an_uncertain_face_is_unknown() -> None:
    assert _piece(_2=0.45, _3=0.4).guesses(PIPS) == ()


def test_alternatives_worth_nothing_are_left_out() -> None:
    assert len(_piece(_2=0.995, _3=0.005).guesses(PIPS)) == 1


def test_shares_of_other_things_are_not_handed_on() -> None:
    assert _piece(_fish=0.9, _2=0.1).guesses(PIPS) == ()


def test_a_peak_becomes_a_box_of_the_original() -> None:
    said = np.full((len(KINDS) + 3, 10, 10), -9, np.float32)
    said[len(KINDS) :] = 0
    said[0, 4, 6] = 5

    (piece,) = middles(said, 0.5)

    assert piece.kind == "die"
    assert piece.box[0] == pytest.approx(6.5 * STRIDE_PX / 0.5 - 32)
    assert piece.box[3] == pytest.approx(4.5 * STRIDE_PX / 0.5 + 32)


@pytest.mark.parametrize("side", [5, 40, 900])
def test_a_cut_has_one_size_even_beyond_the_picture(side: float) -> None:
    image = np.full((300, 300, 3), 128, np.uint8)

    view = cut(image, (-20, 250, -20 + side, 250 + side), 1.3)

    assert view.shape == (CROP_PX, CROP_PX, 3)
    assert (view == 128).all()


def test_shares_sum_to_one() -> None:
    scores = np.array([[1000, 0, -1000], [1, 1, 1]], np.float32)

    assert softmax(scores).sum(axis=1) == pytest.approx([1, 1])


def test_what_is_not_near_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = list[int]()
    scores = PieceReader.scores

    def counted(
        self: PieceReader, image: NDArray[np.uint8], found: Sequence[PieceCandidate]
    ) -> Reals:
        looked.append(len(found))
        return scores(self, image, found)

    def near(quad: Quad) -> bool:
        return quad[0][0] < 120

    monkeypatch.setattr(PieceReader, "scores", counted)
    picture = dice_scene(0, 240, 240, faces=[*"123456"], symbols=False, side=24).image
    reader = PieceReader()

    everything, some = reader.read(picture, "die"), reader.read(picture, "die", near=near)

    assert 0 < len(some) < len(everything)
    assert looked[1] < looked[0]
    assert [piece.box for piece in some] == [
        piece.box for piece in everything if near(piece.quad())
    ]
