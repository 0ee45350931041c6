"""Which witnesses of a card place or of dice differ from the device."""

import pytest

from replay.witnesses import differing, faces_differ
from tests.support.tables import cases


@pytest.mark.parametrize(
    ("position", "shoe", "camera", "dealer", "witnesses"),
    cases("""
        1 | 9S | 9S 0.99 |    |                | they agree
        1 | 9S | 8S 0.90 |    | camera         | a camera that is sure
        1 | 9S | 8S 0.89 |    |                | one that is not
        1 | 9S |         | 8S | dealer         | the dealer's console
        1 | 9S | 8S 0.95 | 8S | camera, dealer | both
        1 |    | 8S 0.95 | 9S | dealer         | the camera is the device
        1 |    | 8S 0.50 | 9S |                | a guess is none
        0 |    | 8S 0.95 |    | shoe           | a card that the shoe never gave
        0 |    | 8S 0.50 |    |                | perhaps no card at all
        1 |    | 8S 0.95 |    |                | a card that the shoe could not read
    """),
)
def test_a_witness_differs_from_the_device(
    position: str, shoe: str, camera: str, dealer: str, witnesses: str
) -> None:
    card, _, probability = camera.partition(" ")

    found = differing(
        int(position), shoe or None, card or None, float(probability or 0), dealer or None
    )

    assert ", ".join(found) == witnesses


@pytest.mark.parametrize(
    ("device", "camera", "differ"),
    cases("""
        1-2-3 | 3-2-1 0.99 | False | the same dice in another order
        1-2-3 | 1-2-4 0.90 | True  | other dice
        1-2-3 | 1-2-4 0.89 | False | a camera that is not sure
              | 1-2-4 0.99 | False | nothing to compare with
    """),
)
def test_faces_differ_whatever_their_order(device: str, camera: str, differ: str) -> None:
    faces, _, probability = camera.partition(" ")

    assert str(faces_differ(device or None, faces, float(probability))) == differ
