"""Only the zones are read, and of those only what changed."""

from collections.abc import Sequence
from functools import partial
from typing import cast

import numpy as np
import pytest

from tests.support.cameras import EMPTY, FELT, card
from tests.support.frame_tables import guesses
from vision.felt import layout as layouts
from vision.recognise import regions
from vision.recognise.detections import CardSeen, Detection, Near, centre, moved
from vision.recognise.regions import AGREEING_READS, DOUBTFUL_EVERY, PixelBox, ZoneReader
from vision.types import Image

TB = layouts.load("TB")
WHOLE = EMPTY.shape[:2]
TILE_PX = max(WHOLE) / regions.TILES_PER_LONG_SIDE


class Cut:
    """Says that cards lie where they were put, as far as a part of the picture shows them."""

    def __init__(self, *lying: CardSeen) -> None:
        self.lying, self.parts = lying, list[PixelBox]()

    def read(self, image: Image, whole: tuple[int, int], near: Near) -> Sequence[Detection]:
        assert whole == WHOLE
        box = _box(near)
        assert box.of(EMPTY).shape == image.shape
        self.parts.append(box)
        return [moved(each, -box.left, -box.top) for each in self.lying if _inside(each, box)]


def _box(near: Near) -> PixelBox:
    """The part of the picture: the question that comes with it knows where it lies."""
    return cast("PixelBox", cast("partial[bool]", near).args[0])


def _inside(thing: CardSeen, box: PixelBox) -> bool:
    xs, ys = zip(*thing.quad, strict=True)
    across = box.left <= min(xs) and max(xs) <= box.right
    return across and box.top <= min(ys) and max(ys) <= box.low


def _changed(image: Image, thing: CardSeen, share: float = 0.0) -> Image:
    """The picture with something as large as an index at a place along a card's diagonal."""
    (x, y), (left, top) = centre(thing.quad), thing.quad[0]
    across, down = round(x + (left - x) * share), round(y + (top - y) * share)
    changed = image.copy()
    changed[down : down + 14, across : across + 10] = (
        255 - image[down : down + 14, across : across + 10]
    )
    return changed


def _settled(reader: Cut, image: Image = EMPTY) -> ZoneReader:
    """A reader that has read a still picture often enough."""
    watching = ZoneReader(reader, TB, FELT)
    for _ in range(AGREEING_READS):
        watching.read(image)
    reader.parts.clear()
    return watching


def _area(parts: Sequence[PixelBox]) -> int:
    return sum((box.right - box.left) * (box.low - box.top) for box in parts)


@pytest.mark.parametrize("code", layouts.codes())
def test_every_point_of_a_zone_lies_in_one_tile(code: str) -> None:
    layout = layouts.load(code)
    found = regions.tiles(layout, FELT, WHOLE)

    for zone in layout.zones:
        left, top, right, low = _box_of(zone.polygon)
        points = [
            (x, y)
            for x in np.linspace(left + 1, right - 1, 9)
            for y in np.linspace(top + 1, low - 1, 9)
        ]
        for x, y in FELT.to_picture(points).tolist():
            if 0 <= x < WHOLE[1] and 0 <= y < WHOLE[0]:
                assert sum(tile.box.holds((x, y)) for tile in found) == 1


def _box_of(polygon: Sequence[tuple[float, float]]) -> tuple[float, float, float, float]:
    xs, ys = zip(*polygon, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def test_a_card_with_its_middle_in_a_tile_lies_within_reach_of_it() -> None:
    for tile in regions.tiles(TB, FELT, WHOLE):
        for x, y in tile.box.corners:
            across, down = FELT.to_felt([(x, y)])[0].tolist()
            for angle in (0.0, 45.0, 90.0):
                quad = np.clip(card("9H", (across, down), angle).quad, 0, (WHOLE[1], WHOLE[0]))
                assert (quad >= np.array(tile.reach[:2]) - 1).all()
                assert (quad <= np.array(tile.reach[2:]) + 1).all()


def test_a_part_shows_the_reach_of_each_of_its_tiles_and_no_tile_is_read_twice() -> None:
    found = regions.tiles(layouts.load("SA-AB"), FELT, WHOLE)
    some = found[::7]

    parts = list(regions.parts(some, (WHOLE[0], WHOLE[1])))

    assert sorted(tile.box for _, together in parts for tile in together) == sorted(
        tile.box for tile in some
    )
    for box, together in parts:
        for tile in together:
            assert box.joined(tile.reach) == box


def test_a_part_begins_and_ends_on_the_networks_grid() -> None:
    for box, _ in regions.parts(regions.tiles(TB, FELT, WHOLE)[3:5], (WHOLE[0], WHOLE[1])):
        for edge, end in zip(box, (WHOLE[1], WHOLE[0]) * 2, strict=True):
            assert edge == end or abs(edge / TILE_PX - round(edge / TILE_PX)) * TILE_PX <= 0.5


def test_a_card_is_told_where_it_lies_in_the_whole_picture() -> None:
    lying = card("9H", (200, 200))

    (seen,) = ZoneReader(Cut(lying), TB, FELT).read(EMPTY)

    assert np.allclose(seen.quad, lying.quad)


def test_what_lies_beside_every_zone_is_not_told() -> None:
    beside = card("9H", (490, 560))
    assert TB.zone_of((490, 560)) is None

    assert ZoneReader(Cut(beside), TB, FELT).read(EMPTY) == []


def test_a_still_picture_is_read_a_few_times_and_then_left_alone() -> None:
    reader = Cut(card("9H", (200, 200)))
    watching = ZoneReader(reader, TB, FELT)

    seen = [watching.read(EMPTY) for _ in range(AGREEING_READS)]
    so_far = len(reader.parts)
    seen += [watching.read(EMPTY) for _ in range(10)]

    assert so_far > 0
    assert len(reader.parts) == so_far
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


@pytest.mark.parametrize(
    "lying",
    [
        pytest.param(card("", (200, 200)), id="unread"),
        pytest.param(card("9H", (200, 200))._replace(guesses=guesses("9H", 0.85)), id="doubtful"),
    ],
)
def test_a_card_that_can_hardly_be_read_is_read_again_from_time_to_time(lying: CardSeen) -> None:
    reader = Cut(lying)
    watching = _settled(reader)

    for _ in range(4 * DOUBTFUL_EVERY):
        watching.read(EMPTY)

    assert len(reader.parts) == 4
    assert _area(reader.parts) < 4 * WHOLE[0] * WHOLE[1] / 2  # its own tile and what it reaches


def test_noise_is_no_change_and_an_index_is_one() -> None:
    lying = card("9H", (200, 200))
    reader = Cut(lying)
    chance = np.random.default_rng(7)
    noisy = [
        np.clip(EMPTY + chance.normal(0, 6, EMPTY.shape), 0, 255).astype(np.uint8)
        for _ in range(AGREEING_READS + 3)
    ]
    watching = _settled(reader, noisy[0])

    for frame in noisy:
        watching.read(frame)
    before = len(reader.parts)
    watching.read(_changed(noisy[-1], lying))

    assert before == 0
    assert len(reader.parts) == 1
    assert _area(reader.parts) < WHOLE[0] * WHOLE[1] / 2  # what it reaches, and no more


def test_a_change_of_the_light_alone_is_no_change() -> None:
    reader = Cut()
    bright = np.clip(EMPTY.astype(np.int64) + 90, 0, 235).astype(np.uint8)
    watching = _settled(reader, bright)

    for gain in (0.95, 1.05, 0.98):
        watching.read(np.clip(bright * gain, 0, 255).astype(np.uint8))

    assert reader.parts == []


def test_after_a_hand_or_a_bad_frame_one_more_reading_that_agrees_suffices() -> None:
    lying = card("9H", (200, 200))
    reader = Cut(lying)
    watching = _settled(reader)

    for frame in (_changed(EMPTY, lying), EMPTY, EMPTY, EMPTY):
        watching.read(frame)

    assert len(reader.parts) == 2


def test_another_card_in_the_place_of_one_is_read_as_often_as_any() -> None:
    lying = card("9H", (200, 200))
    reader = Cut(lying)
    watching = _settled(reader)

    watching.read(_changed(EMPTY, lying))
    reader.lying = (card("8H", (200, 200)),)
    seen = [watching.read(EMPTY) for _ in range(3 * AGREEING_READS)]

    assert len(reader.parts) == 1 + AGREEING_READS
    assert [card.guesses[0].seen for (card,) in seen] == ["8H"] * len(seen)


def test_a_card_is_read_again_when_only_its_corner_changed() -> None:
    """Its middle may lie in a tile that did not change."""
    for across in range(180, 260, 7):
        lying = card("9H", (float(across), 200))
        reader = Cut(lying)
        watching = _settled(reader)
        reader.lying = (card("8H", (float(across), 200)),)

        (seen,) = watching.read(_changed(EMPTY, lying, 0.9))

        assert seen.guesses[0].seen == "8H"


def test_a_card_on_the_edge_of_a_tile_is_told_once_wherever_its_middle_falls() -> None:
    edge = round(TILE_PX * round(card("9H", (200, 200)).quad[0][0] / TILE_PX))
    lying = card("9H", (200, 200))
    lying = cast("CardSeen", moved(lying, edge - centre(lying.quad)[0] - 2, 0))
    beyond = cast("CardSeen", moved(lying, 4, 0))
    for first, then in ((lying, beyond), (beyond, lying)):
        for share in (-3.0, -1.0, 0.0, 1.0, 3.0):
            reader = Cut(first)
            watching = _settled(reader)
            reader.lying = (then,)

            assert len(watching.read(_changed(EMPTY, lying, share))) == 1


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
            del image, whole
            left, top, _, _ = _box(near)
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
