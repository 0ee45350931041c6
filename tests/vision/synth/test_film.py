"""Films of simulated rounds: the same bytes again, read back as frames, watched into readings."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from schemas import events as e
from schemas.events import Guess
from tests.support.film_days import SECOND, START_US, played, sees
from vision.camera.camera_state import CameraState
from vision.camera.watch import TableWatcher
from vision.felt import calibration
from vision.felt import layout as layouts
from vision.recognise.detections import CardSeen, Detection, DieSeen, TokenSeen, centre
from vision.sources.frames import frames
from vision.synth import days
from vision.synth import film as studio
from vision.synth.film import FilmOptions
from vision.types import Image, Quad

SMALL = FilmOptions(seed=4, size=(320, 180))
HANDS = [("player", 1, "9H"), ("banker", 1, "4D"), ("player", 3, "KS")]
SEEN = [(3.5 + 1.4 * n, sees(*card)) for n, card in enumerate(HANDS)]


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A round of Tiger Baccarat."""
    return played(tmp_path_factory.mktemp("day") / "day.jsonl", "TB", SEEN, closed_s=9)


@pytest.fixture(scope="module")
def filmed(day: Path) -> Path:
    """A film of it."""
    folder = day.parent / "film"
    studio.film(day, "T01", folder, SMALL)
    return folder


class Truthful:
    """A reader that knows what each frame shows."""

    def __init__(self) -> None:
        self.now: list[Detection] = []

    def read(self, image: Image) -> Sequence[Detection]:
        del image
        return self.now


def quad(corners: Sequence[Sequence[float]]) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def watched(folder: Path, game: str) -> list[e.Payload]:
    """What a camera says that reads every frame right."""
    reader = Truthful()
    known = calibration.load(folder / studio.FELT)
    watcher = TableWatcher(layouts.load(game), known, reader, CameraState("T01", "cam"))
    said = []
    for frame, truth in zip(frames(folder), studio.truths(folder), strict=True):
        assert (frame.number, frame.at_us) == (truth["frame"], truth["at_us"])
        reader.now = [
            CardSeen((Guess(card["code"], 0.97),), quad(card["quad"]))
            for card in truth["cards"]
            if card["code"] and card["index"] > 0.8
        ]
        for piece in truth.get("pieces", ()):
            kind = DieSeen if game == "SA-SB" else TokenSeen
            reader.now.append(kind((Guess(piece["shows"], 0.97),), quad(piece["quad"])))
        said += [reading.payload for reading in watcher.step(frame).readings]
    return said


def digests(folder: Path) -> dict[str, str]:
    files = sorted(folder.iterdir())
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def test_the_same_seed_gives_the_same_bytes(day: Path, filmed: Path, tmp_path: Path) -> None:
    studio.film(day, "T01", tmp_path, SMALL)

    assert digests(tmp_path) == digests(filmed)


def test_another_seed_gives_another_film(day: Path) -> None:
    told = days.table_day(day, "T01")

    one, other = (
        studio.Studio(told, FilmOptions(seed, (320, 180))).shot(9, START_US) for seed in (4, 5)
    )

    assert not np.array_equal(one.image, other.image)


def test_cards_lie_where_the_layout_has_them(filmed: Path) -> None:
    layout, felt = layouts.load("TB"), calibration.load(filmed / studio.FELT).felt
    lying = [card for truth in studio.truths(filmed) for card in truth["cards"]
             if not card["moving"]]  # fmt: skip

    assert {(card["zone"], card["slot"], card["code"]) for card in lying} == set(HANDS)
    for card in lying:
        (at,) = felt.to_felt([centre(quad(card["quad"]))]).tolist()
        zone = layout.zone(card["zone"])
        assert zone.holds((at[0], at[1]))
        assert zone.place((at[0], at[1]), sideways=card["slot"] == 3) == card["slot"]


def test_a_camera_that_reads_right_says_what_was_simulated(filmed: Path) -> None:
    said = watched(filmed, "TB")

    told = [at for at in said if isinstance(at, e.CardsObserved)]
    assert [(at.zone, at.slot, at.guesses[0].seen) for at in told] == HANDS
    assert not [at for at in said if isinstance(at, e.CameraDisturbed)]


def test_the_day_is_left_without_its_camera(filmed: Path) -> None:
    rest = list(days.readings(filmed / studio.DAY))

    assert {at.device_kind for at in rest} == {"pit", "console"}


@pytest.mark.parametrize(
    ("game", "payload"),
    [
        ("SA-SB", e.DiceObserved((e.Guess("1-5-2", 0.97),))),
        ("SA-XD", e.TokensObserved((e.Guess("W-R-R-W", 0.97),))),
    ],
)
def test_dice_and_tokens_are_filmed(
    tmp_path: Path, game: str, payload: e.DiceObserved | e.TokensObserved
) -> None:
    path = played(tmp_path / "day.jsonl", game, [(5.0, payload)], closed_s=9)
    studio.film(path, "T01", tmp_path / "film", SMALL)

    said = watched(tmp_path / "film", game)

    (told,) = [at for at in said if isinstance(at, e.DiceObserved | e.TokensObserved)]
    assert told.guesses[0].seen == "-".join(sorted(payload.guesses[0].seen.split("-")))
    assert not [at for at in said if isinstance(at, e.CameraDisturbed)]


def test_a_covered_view_is_in_the_film(tmp_path: Path) -> None:
    path = played(
        tmp_path / "day.jsonl", "TB", [(3.0, e.CameraDisturbed("covered", 0.3))], closed_s=5
    )
    studio.film(path, "T01", tmp_path / "film", SMALL)

    said = watched(tmp_path / "film", "TB")

    assert [at.kind for at in said if isinstance(at, e.CameraDisturbed)] == ["covered"]


def test_one_film_has_the_times_of_its_frames(day: Path, tmp_path: Path) -> None:
    pytest.importorskip("av")
    told = studio.film(day, "T01", tmp_path, FilmOptions(4, (320, 180), video=True))

    found = [frame.at_us for frame in frames(told.source, start_at_us=told.start_us)]

    assert found == [truth["at_us"] for truth in studio.truths(tmp_path)]
    assert told.frames == len(found)
    assert found[0] == START_US - SECOND
