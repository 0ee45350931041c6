"""Only the zones are read, and of those only what changed."""

from collections.abc import Sequence

import numpy as np
import pytest

from tests.support.cameras import CALIBRATION, EMPTY, FELT, card
from vision.felt import layout as layouts
from vision.recognise import regions
from vision.recognise.detections import CardSeen, Detection, Near, moved
from vision.recognise.regions import AGREEING_READS, PixelBox, ZoneReader
from vision.types import Image

TB = layouts.load("TB")
WHOLE = EMPTY.shape[:2]


class Cut:
    """Says that cards lie where they were put, as far as a part of the picture shows them."""

    def __init__(self, *lying: CardSeen) -> None:
        self.lying, self.parts = lying, list[tuple[int, int]]()

    def read(self, image: Image, whole: tuple[int, int], near: Near) -> Sequence[Detection]:
        assert whole == WHOLE
        assert callable(near)
        self.parts.append((image.shape[0], image.shape[1]))
        (box,) = [
            box for box in regions.boxes(TB, FELT, whole) if box.of(EMPTY).shape == image.shape
        ][:1]
        return [moved(each, -box.left, -box.top) for each in self.lying if _inside(each, box)]


def _inside(thing: CardSeen, box: PixelBox) -> bool:
    xs, ys = zip(*thing.quad, strict=True)
    return box.left <= min(xs) and max(xs) <= box.right and box.top <= min(ys)


@pytest.mark.parametrize("code", layouts.codes())
def test_every_zone_lies_in_a_region_with_room_for_what_lies_on_its_edge(code: str) -> None:
    layout = layouts.load(code)

    found = regions.boxes(layout, FELT, WHOLE)

    assert 1 <= len(found) <= len(layout.zones)
    for zone in layout.zones:
        points = FELT.to_picture(zone.polygon)
        inside = [
            ((points >= (box.left, box.top)) & (points <= (box.right, box.low))).all()
            for box in found
        ]
        clipped = (points < 0).any() or (points > (WHOLE[1], WHOLE[0])).any()
        assert any(inside) or clipped


def test_regions_never_hold_more_pixels_than_the_zones_one_by_one() -> None:
    for code in layouts.codes():
        layout = layouts.load(code)
        found = regions.boxes(layout, FELT, WHOLE)
        single = (
            regions.boxes(layouts.Layout("", "", layout.reads, layout.felt, (zone,), layout.pieces,
                                       layout.piece_mm), FELT, WHOLE)
            for zone in layout.zones
        )  # fmt: skip
        assert sum(box.area for box in found) <= sum(box.area for one in single for box in one)


def test_a_card_is_told_where_it_lies_in_the_whole_picture() -> None:
    lying = card("9H", (200, 200))

    (seen,) = ZoneReader(Cut(lying), TB, FELT).read(EMPTY)

    assert np.allclose(seen.quad, lying.quad)


def test_what_lies_beside_every_zone_is_not_told() -> None:
    beside = card("9H", (490, 560))
    assert TB.zone_of((490, 560)) is None

    assert ZoneReader(Cut(beside), TB, FELT).read(EMPTY) == []


def test_a_still_region_is_read_a_few_times_and_then_left_alone() -> None:
    reader = Cut(card("9H", (200, 200)))
    watching = ZoneReader(reader, TB, FELT)

    seen = [watching.read(EMPTY) for _ in range(AGREEING_READS + 10)]

    assert len(reader.parts) == AGREEING_READS * len(regions.boxes(TB, FELT, WHOLE))
    assert all(each == seen[0] for each in seen)


def test_a_card_that_comes_and_goes_is_looked_for_again() -> None:
    class Flickering(Cut):
        def read(self, image: Image, whole: tuple[int, int], near: Near) -> Sequence[Detection]:
            seen = super().read(image, whole, near)
            return seen if len(self.parts) % 3 else ()

    reader = Flickering(card("9H", (200, 200)))
    watching = ZoneReader(reader, TB, FELT)

    seen = [len(watching.read(EMPTY)) for _ in range(30)]

    assert sum(seen[15:]) >= 5  # it did not stay away because one reading missed it


def test_noise_is_no_change_and_an_index_is_one() -> None:
    reader = Cut()
    watching = ZoneReader(reader, TB, FELT)
    chance = np.random.default_rng(7)
    noisy = [
        np.clip(EMPTY + chance.normal(0, 6, EMPTY.shape), 0, 255).astype(np.uint8)
        for _ in range(AGREEING_READS + 3)
    ]
    for frame in noisy:
        watching.read(frame)
    before = len(reader.parts)
    assert before == AGREEING_READS * len(regions.boxes(TB, FELT, WHOLE))
    x, y = (int(at) for at in CALIBRATION.felt.to_picture([(200.0, 200.0)])[0])
    noisy[-1][y : y + 14, x : x + 10] = 255 - noisy[-1][y : y + 14, x : x + 10]

    watching.read(noisy[-1])

    assert len(reader.parts) == before + 1  # its own region alone


@pytest.mark.parametrize(
    ("across", "asked"),
    [
        pytest.param(0.0, True, id="in the zone"),
        pytest.param(30.0, True, id="over its edge"),
        pytest.param(60.0, False, id="beside it"),
    ],
)
def test_a_reader_is_told_what_lies_near_a_zone(across: float, asked: bool) -> None:
    layout = layouts.load("SA-SB")
    right = max(x for x, _ in layout.zones[0].polygon)
    middle = (right - 10 + across, 200.0)
    corners = [
        (middle[0] + x, middle[1] + y) for x, y in ((-25, -25), (25, -25), (25, 25), (-25, 25))
    ]
    a, b, c, d = ((x, y) for x, y in FELT.to_picture(corners).tolist())
    answers = list[bool]()

    class Asking:
        def read(self, image: Image, whole: tuple[int, int], near: Near) -> Sequence[Detection]:
            del image
            (box,) = regions.boxes(layout, FELT, whole)
            left, top = box.left, box.top
            answers.append(near(tuple((x - left, y - top) for x, y in (a, b, c, d))))  # type: ignore[arg-type]  # four points
            return ()

    ZoneReader(Asking(), layout, FELT).read(EMPTY)

    assert answers == [asked]


def test_another_size_of_picture_begins_anew() -> None:
    class Sizes:
        def __init__(self) -> None:
            self.wholes = list[tuple[int, int]]()

        def read(self, image: Image, whole: tuple[int, int], near: Near) -> Sequence[Detection]:
            del image, near
            self.wholes.append(whole)
            return ()

    reader = Sizes()
    watching = ZoneReader(reader, TB, FELT)
    half = np.ascontiguousarray(EMPTY[::2, ::2])

    for frame in (EMPTY, half):
        watching.read(frame)

    assert set(reader.wholes) == {EMPTY.shape[:2], half.shape[:2]}
