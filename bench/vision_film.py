"""How well a camera reads simulated rounds: card by card in single frames, and after voting.

python bench/vision_film.py [--game TB] [--rounds N] [--seed N] [--size 1920x1080] [--fps N]
                            [--deck FOLDER | --styles N] [--out FILE]

Rounds are simulated, filmed in memory and watched by the networks; nothing of the truth is used but
to count. `--styles` draws so many decks that nobody has printed, each with a share of the rounds.
"""

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from replay.simulate import DayRequest as DayWish
from replay.simulate import plan, simulate
from schemas import events as e
from vision.camera import make_reader
from vision.camera.camera_state import CameraState
from vision.camera.watch import TableWatcher
from vision.felt import layout as layouts
from vision.recognise.detections import Detection, centre
from vision.sources.types import Frame
from vision.synth import days, decks
from vision.synth import film as studio
from vision.synth.days import FilmedRound
from vision.synth.film import Studio
from vision.types import Point

SURE = 0.90  # from here on a reading counts, as in replay
CONFIDENT = 0.99
SHOWS = 0.8  # of an index, from which on a card can be asked for


@dataclass
class Tally:
    """What was there and what was said of it."""

    frames: int = 0
    seconds: float = 0.0
    single: Counter[str] = field(default_factory=Counter)  # right, wrong, unknown, missed, extra
    voted: Counter[str] = field(default_factory=Counter)  # right, wrong, unknown, astray
    confident_wrong: int = 0
    mixed: Counter[tuple[str, str]] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)


def main() -> None:
    """Film, watch, count and say."""
    wish = _wish()
    cv2.setNumThreads(1)
    tally = Tally()
    styles = max(1, wish.styles)
    with tempfile.TemporaryDirectory() as folder:
        for n in range(styles):
            count = wish.rounds // styles + (n < wish.rounds % styles)
            if count:
                _one(Path(folder) / str(n), wish, n, count, tally)
    _say(tally, wish)


def _one(folder: Path, wish: argparse.Namespace, n: int, rounds: int, tally: Tally) -> None:
    seed = wish.seed + n
    seats = plan.table_setups(f"T01:{wish.game}")
    day = simulate(
        DayWish(str(seed), seats, rounds, plan.day("2026-03-01"), plan.fault_counts([], "none")),
        folder,
        "jsonl",
        lambda: None,
    ).path
    told = days.table_day(day, "T01")
    made = Studio(told, studio.FilmOptions(seed, wish.size, wish.fps, deck=wish.deck))
    if wish.styles:
        made.deck = decks.drawn(decks.some_style(np.random.default_rng(10_000 + seed)), f"d{seed}")
    layout = layouts.load(told.game)
    reader = _Kept(layout.reads, layout.faces)
    watcher = TableWatcher(layout, made.calibration(), reader, CameraState("T01", "camera-T01"))
    said: list[e.Reading] = []
    for number, at_us in enumerate(made.times):
        shot = made.shot(number, at_us)
        _, coded = cv2.imencode(".jpg", shot.image, [cv2.IMWRITE_JPEG_QUALITY, 90])
        image = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
        begun = time.process_time()
        said += watcher.step(Frame(number, at_us, 40, image, "", None)).readings
        tally.seconds += time.process_time() - begun
        tally.frames += 1
        _count_frame(shot.truth, reader.seen, tally)
    for play in told.plays:
        _count_round(play, said, tally)


class _Kept:
    """A reader that keeps what it saw last."""

    def __init__(self, reads: str, faces: Sequence[str]) -> None:
        self._reader = make_reader.reader(reads, faces)
        self.seen: Sequence[Detection] = ()

    def read(self, image: Any) -> Sequence[Detection]:
        self.seen = self._reader.read(image)
        return self.seen


def _count_frame(truth: dict[str, Any], seen: Sequence[Detection], tally: Tally) -> None:
    """Things that lie still and can be seen, each with the nearest thing that was read there."""
    left, known = list(seen), set[str]()
    for name, outline, asked in _things(truth):
        known.add(name)
        middle = centre(tuple(map(tuple, outline)))  # type: ignore[arg-type]  # four of them
        size = float(np.hypot(*np.subtract(outline[0], outline[2])))
        near = [each for each in left if _far(centre(each.quad), middle) < size / 3]
        if not near:
            tally.single["missed"] += asked
            continue
        best = min(near, key=lambda each: _far(centre(each.quad), middle))
        left.remove(best)
        if not asked:
            continue
        guess = best.guesses[0] if best.guesses else None
        if guess is None or guess.probability < SURE:
            tally.single["unknown"] += 1
        elif guess.seen == name:
            tally.single["right"] += 1
        else:
            tally.single["wrong"] += 1
            tally.confident_wrong += guess.probability >= CONFIDENT
            tally.mixed[name, guess.seen] += 1
    for each in left:  # one corner of a card told apart from the other, or nothing at all
        if each.guesses and each.guesses[0].probability >= SURE:
            tally.single["doubled" if each.guesses[0].seen in known else "extra"] += 1


def _things(truth: dict[str, Any]) -> Iterator[tuple[str, Any, bool]]:
    for card in truth["cards"]:
        if card["code"]:
            yield card["code"], card["quad"], card["index"] > SHOWS and not card["moving"]
    for piece in truth.get("pieces", ()):
        yield piece["shows"], piece["quad"], bool(piece["shows"])


def _count_round(play: FilmedRound, said: Sequence[e.Reading], tally: Tally) -> None:
    """Each card of a round with what the camera said of its place last."""
    own = [at for at in said if play.opened_us <= at.occurred_at < play.closed_us]
    places: dict[tuple[str, int], e.Guess] = {}
    throws = []
    for at in own:
        match at.payload:
            case e.CardsObserved(zone=zone, slot=slot, guesses=guesses) if guesses:
                places[zone, slot] = guesses[0]
            case e.DiceObserved(guesses=guesses) | e.TokensObserved(guesses=guesses) if guesses:
                throws.append(guesses[0])
    for card in play.laid:
        if card.code:
            found = places.pop((card.zone, card.slot), None)
            _vote(f"{play.round_id} {card.zone} {card.slot}", card.code, found, tally)
    for throw in play.thrown:
        shows = "-".join(sorted(throw.shows))
        _vote(f"{play.round_id} throw", shows, throws.pop(0) if throws else None, tally)
    for (zone, slot), guess in places.items():
        tally.voted["astray"] += 1
        tally.notes.append(f"{play.round_id} {zone} {slot}: {guess.seen} where nothing lay")


def _vote(where: str, name: str, found: e.Guess | None, tally: Tally) -> None:
    if found is None or found.probability < SURE:
        tally.voted["unknown"] += 1
        what = "nothing" if found is None else f"{found.seen} {found.probability:.2f}"
        tally.notes.append(f"{where}: {name} lay there, {what} was told")
    elif found.seen == name:
        tally.voted["right"] += 1
    else:
        tally.voted["wrong"] += 1
        tally.notes.append(f"{where}: {name} lay there, {found.seen} was told")


def _far(one: Point, other: Point) -> float:
    return float(np.hypot(one[0] - other[0], one[1] - other[1]))


def _say(tally: Tally, wish: argparse.Namespace) -> None:
    each = sum(tally.single[kind] for kind in ("right", "wrong", "unknown", "missed"))
    whole = sum(tally.voted[kind] for kind in ("right", "wrong", "unknown"))
    document = {
        "game": wish.game,
        "rounds": wish.rounds,
        "size": "x".join(map(str, wish.size)),
        "frames": tally.frames,
        "ms_per_frame": round(1000 * tally.seconds / max(1, tally.frames), 1),
        "single_frame": {"asked": each, **tally.single},
        "single_confident_wrong": tally.confident_wrong,
        "after_voting": {"asked": whole, **tally.voted},
        "mixed_up": [f"{a} as {b}: {n}" for (a, b), n in tally.mixed.most_common(12)],
        "notes": tally.notes[:40],
    }
    text = json.dumps(document, indent=2)
    print(text)
    if wish.out:
        wish.out.write_text(text + "\n", "utf-8")


def _wish() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--game", default="TB")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--fps", type=float, default=5.0)
    parser.add_argument("--deck", type=Path)
    parser.add_argument("--styles", type=int, default=0)
    parser.add_argument("--out", type=Path)
    wish = parser.parse_args()
    wide, high = wish.size.split("x")
    wish.size = (int(wide), int(high))
    return wish


if __name__ == "__main__":
    main()
