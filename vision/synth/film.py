"""Films the rounds of a simulated day: what the camera over a table sees, frame by frame.

The readings of the simulated camera say what lay there. The folder holds the frames with
`frames.jsonl`, or one film; `truth.jsonl` with what each frame shows; `felt.json`, the calibration;
and the day without that camera's readings. The same seed gives the same bytes.
"""

import json
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from schemas import codec
from vision.felt import calibration
from vision.felt import layout as layouts
from vision.synth import cloth, days, decks, light, props, spreads
from vision.synth.days import FilmedTable, NoFilm, PiecesThrown
from vision.synth.decks import Deck, Style
from vision.synth.props import DrawnPiece, PieceSet
from vision.synth.reels import film_reel, folder_reel
from vision.synth.scene import CardLay, CardScene
from vision.synth.spots import chance, middle_of, reach_of, throw_spots
from vision.synth.tableau import Tableau, Timeline, times
from vision.types import Image

TRUTH, FELT, DAY = "truth.jsonl", "felt.json", "readings_without_camera.jsonl"
SIZE = (1920, 1080)
FPS = 5.0
BAD_FRAME_SHARE = 0.04  # frames that are out of focus, shaken or badly encoded
NOISE_SHIFTS = 64  # start positions of the noise in a frame, in each direction
# Casino style: an index that can be read from above.
JUMBO = Style(
    weight=600,
    width=330,
    rank_height=0.155,
    squeeze=0.78,
    suit_size=0.62,
    margin=(0.028, 0.035),
    pip=0.11,
)


@dataclass(frozen=True, slots=True)
class FilmOptions:
    """The options of a film."""

    seed: int = 1
    size: tuple[int, int] = SIZE
    fps: float = FPS
    video: bool = False
    deck: Path | None = None  # a folder of 52 pictures; None draws a deck


class FinishedFilm(NamedTuple):
    """A finished film."""

    game: str
    camera: str
    rounds: int
    frames: int
    start_us: int
    source: Path  # for `vision watch`
    beside: int  # cards in zones that the layout does not have


class DrawnFrame(NamedTuple):
    """One frame and what it shows."""

    image: Image
    truth: dict[str, Any]


def film(
    day: Path,
    table_id: str,
    out: Path,
    options: FilmOptions,
    *,
    rounds: Container[int] | None = None,
    begin: Callable[[int], Callable[[], None]] = lambda _: lambda: None,
) -> FinishedFilm:
    """Film one table; `begin` gets the number of frames and returns a progress callback."""
    table = days.table_day(day, table_id, rounds)
    studio = Studio(table, options)
    out.mkdir(parents=True, exist_ok=True)
    calibration.save(studio.calibration(), out / FELT)
    advance = begin(len(studio.times))
    reel = film_reel(out, options.fps) if options.video else folder_reel(out)
    with reel as strip, (out / TRUTH).open("w", encoding="utf-8") as truth:
        for number, at_us in enumerate(studio.times):
            shot = studio.shot(number, at_us)
            strip.add(at_us, shot.image)
            truth.write(json.dumps(shot.truth, separators=(",", ":")) + "\n")
            advance()
    with (out / DAY).open("w", encoding="utf-8") as rest:
        rest.writelines(codec.dump_line(at) + "\n" for at in days.without_camera(day, table_id))
    return FinishedFilm(
        table.game,
        table.camera,
        len(table.plays),
        len(studio.times),
        studio.times[0],
        strip.source,
        studio.beside,
    )


class Studio:
    """A table, its cards and its camera; draws any frame on its own."""

    def __init__(self, table: FilmedTable, options: FilmOptions) -> None:
        self._seed, layout = options.seed, layouts.load(table.game)
        self._layout = layout
        self._ground = cloth.ground(layout, options.size, chance(options.seed, "cloth"))
        self._stage = Timeline(layout, table.plays, self._ground.around, options.seed)
        self.times = times(table.plays, options.fps)
        self.deck = _deck(options.deck) if layout.reads == "cards" else None
        luck = chance(options.seed, "props")
        self._hand, self._lid = props.hand(luck), props.lid(luck)
        self._chips = [spreads.chip(luck) for _ in range(5)]
        self._pieces = PieceSet(layout.reads, layout.piece_mm, layout.faces, luck)
        self._lamp = _lamp(chance(options.seed, "lamp"), options.size)
        self._grain = _grain(chance(options.seed, "grain"), options.size)
        self._lying: dict[PiecesThrown, list[DrawnPiece]] = {}

    @property
    def beside(self) -> int:
        """The number of cards in zones that the layout does not have."""
        return self._stage.beside

    def cards_at(self, at_us: int) -> int:
        """The number of cards that lie or move at a moment."""
        return len(self._stage.at(at_us).cards)

    def calibration(self) -> calibration.Calibration:
        """The camera's calibration, from a picture of the empty table."""
        empty = Tableau(lid=None if self._layout.reads == "cards" else 0.0)
        luck = chance(self._seed, "calibration")
        return cloth.calibrated(self._taken(self._laid(empty).picture, luck), self._ground, luck)

    def shot(self, number: int, at_us: int) -> DrawnFrame:
        """One frame."""
        tableau = self._stage.at(at_us)
        scene = self._laid(tableau)
        picture = _spoilt(scene.picture, tableau.spoilt)
        image = self._taken(picture, chance(self._seed, "frame", at_us))
        return DrawnFrame(image, {"frame": number, "at_us": at_us} | self._truth(tableau, scene))

    def _laid(self, tableau: Tableau) -> CardScene:
        """The table without the effects of the camera."""
        scene = CardScene(self._ground.picture.copy(), self._ground.camera)
        for n, at in enumerate(tableau.chips):
            for level in range(1 + n % 4):
                chip = self._chips[(n + level) % len(self._chips)]
                props.put_flat(scene, chip, (at[0] + level, at[1] - 2 * level), 40)
        for card in tableau.cards:
            if self.deck is not None:
                scene.lay(CardLay(self.deck, card.code, *card.spot), 0.3)
        if tableau.throw is not None:
            for piece in self._thrown(tableau.throw):
                props.put_piece(scene, piece)
            if not tableau.throw.read:
                props.put_hand(scene, self._hand, self._before_the_middle)
        if tableau.lid is not None and tableau.lid < 1:
            zone = self._layout.zones[0]
            (x, y), wide = middle_of(zone), self._ground.around.right - self._ground.around.left
            props.put_flat(scene, self._lid, (x + tableau.lid * wide, y), 2 * reach_of(zone))
        for tip in tableau.hands:
            props.put_hand(scene, self._hand, tip)
        return scene

    @property
    def _before_the_middle(self) -> tuple[float, float]:
        x, y = middle_of(self._layout.zones[0])
        return x, y + reach_of(self._layout.zones[0]) * 0.6

    def _thrown(self, throw: PiecesThrown) -> list[DrawnPiece]:
        if throw not in self._lying:
            luck, zone = chance(self._seed, "throw", throw.at_us), self._layout.zones[0]
            count, size = len(throw.shows), self._layout.piece_mm
            spots = throw_spots(zone, count, size, throw.overlap, luck)
            ground = self._ground
            lying = self._pieces.lie(ground.camera, ground.scale, throw, spots, luck)
            self._lying = {throw: lying}
        return self._lying[throw]

    def _taken(self, picture: Image, luck: np.random.Generator) -> Image:
        """Add the flickering light of the room and the effects of the camera."""
        flicker = float(1 + luck.normal(0, 0.012))
        lit = cv2.multiply(picture, self._lamp, scale=flicker, dtype=cv2.CV_8U)
        sensor = luck if luck.random() < BAD_FRAME_SHARE else chance(self._seed, "sensor")
        seen = light.filmed(sensor, np.asarray(lit, np.uint8), gentle=True)
        high, wide = seen.shape[:2]
        top, left = luck.integers(0, NOISE_SHIFTS, 2).tolist()
        grain = self._grain[top : top + high, left : left + wide]
        return np.asarray(cv2.add(seen, cv2.merge([grain] * 3), dtype=cv2.CV_8U), np.uint8)

    def _truth(self, tableau: Tableau, scene: CardScene) -> dict[str, Any]:
        cards = [
            {
                "zone": card.zone,
                "slot": card.slot,
                "code": card.code,
                "moving": card.moving,
                "at_mm": [round(card.spot.x, 1), round(card.spot.y, 1)],
                "quad": _rounded(seen.quad),
                "visible": round(seen.visible, 3),
                "index": round(max((at.visible for at in seen.indices), default=0.0), 3),
            }
            for card, seen in zip(tableau.cards, scene.truth(), strict=True)
        ]
        found: dict[str, Any] = {"cards": cards, "spoilt": tableau.spoilt}
        if tableau.lid is not None:
            is_open = tableau.throw is not None and tableau.lid >= 1
            pieces = self._thrown(tableau.throw) if is_open and tableau.throw else []
            found["pieces"] = [{"shows": at.shows, "quad": _rounded(at.quad)} for at in pieces]
        return found


def truths(folder: Path) -> Iterator[dict[str, Any]]:
    """What each frame of a film shows."""
    with (folder / TRUTH).open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


@cache
def _deck(folder: Path | None) -> Deck:
    if folder is None:
        return decks.drawn(JUMBO, "house")
    try:
        return decks.load(folder)
    except FileNotFoundError as error:
        raise NoFilm(str(error)) from error


def _lamp(luck: np.random.Generator, size: tuple[int, int]) -> NDArray[np.float32]:
    """The light of the room: a little uneven, a little warm."""
    y, x = np.mgrid[-1:1:32j, -1:1:32j].astype(np.float32)
    slope = luck.uniform(-0.12, 0.12, 2)
    field = np.asarray(cv2.resize(1 + slope[0] * x + slope[1] * y, size), np.float32)
    warmth = luck.uniform(0.92, 1.0) * np.array([luck.uniform(0.92, 1.0), 1.0, 1.02])
    return np.asarray(field[..., None] * warmth, np.float32)


def _grain(luck: np.random.Generator, size: tuple[int, int]) -> NDArray[np.int16]:
    """Sensor noise; every frame uses another part of it."""
    wide, high = size[0] + NOISE_SHIFTS, size[1] + NOISE_SHIFTS
    strength = luck.uniform(0.8, 2.5)
    noise = luck.standard_normal((high, wide), np.float32) * np.float32(strength)
    return np.asarray(noise, np.int16)


def _spoilt(picture: Image, kind: str) -> Image:
    """The view of a camera that was covered or moved."""
    if not kind:
        return picture
    high, wide = picture.shape[:2]
    if kind == "moved":
        shift = np.array([[1, 0, 0.04 * wide], [0, 1, 0.03 * wide]], np.float64)
        return np.asarray(cv2.warpAffine(picture, shift, (wide, high)), np.uint8)
    picture[:, : round(0.8 * wide)] = (34, 36, 40)
    return picture


def _rounded(quad: tuple[tuple[float, float], ...]) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in quad]
