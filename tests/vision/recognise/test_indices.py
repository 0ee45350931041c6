"""Corner indices: how often each place is read."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.tables import cases
from vision.recognise.indices import IndexReader
from vision.recognise.network import Network


@pytest.mark.parametrize(
    ("heat", "crops"),
    cases("""
        0.95 | 2 | the finder is sure of an index, so it may stand upside down
        0.60 | 2 | just as sure as a reading needs to be reported as unread
        0.59 | 1 | colder, no reading would be kept
        0.25 | 1 | the coldest place that is read at all
    """),
)
def test_only_a_warm_place_without_an_index_is_read_upside_down_too(
    heat: str, crops: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, read = IndexReader(), list[int]()
    run = Network.run

    def counted(self: Network, blob: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        read.append(len(blob))
        return run(self, blob)

    monkeypatch.setattr(Network, "run", counted)
    empty = np.full((200, 200, 3), 90, np.uint8)

    chances = reader.said(empty, _place(float(heat)))

    assert chances.sum() < 0.5
    assert sum(read) == int(crops)


def _place(heat: float) -> NDArray[np.float32]:
    """One place in the middle of a picture: heat, centre, up, right, arrow."""
    return np.array([[heat, 100, 100, 0, -12, 8, 0, 20, 30]], np.float32)
