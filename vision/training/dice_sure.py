"""Calibrates the reader of dice and tokens: its probabilities match its accuracy.

    python -m vision.training.dice_sure --dice DICE_LABELS.json

Photos and scenes that nothing was learnt from are read with both networks; one number divides all
scores so that the probabilities fit best. It is written into the network's last weights.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from vision.recognise.network import MODELS, lock
from vision.recognise.pieces import CLASSES, LEANING, PieceReader, softmax
from vision.synth.dice import dice_scene
from vision.synth.scenery import ScenePiece
from vision.synth.tokens import token_scene
from vision.training import dice_data
from vision.types import Image

SCENES = range(500_000, 500_080)
LEAST = 1.0  # never make the network surer: other cameras differ more than these photos


def main() -> None:
    """Calibrate the network in the models folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--dice", type=Path, required=True, help="labels of photos of dice")
    sys.stdout.write(settled(parser.parse_args().dice) + "\n")


def settled(labels: Path, models: Path = MODELS) -> str:
    """Divide the network's scores, lock the file, and print the divisor."""
    reader = PieceReader(models)
    real = [(s.image(), s.things) for s in dice_data.photographed(labels, "sure")]
    measured = [_scores(reader, group) for group in (iter(real), _scenes())]
    heats = [float(heat) for heat in np.geomspace(0.4, 4, 81)]
    fits = [[_loss(*one, heat) for heat in heats] for one in measured]
    best = heats[int(np.argmin(np.sum(fits, axis=0)))]
    heat = max(LEAST, best)
    file = models / "pieces_read.onnx"
    _divide(file, heat)
    lock(file)
    alone = [heats[int(np.argmin(fit))] for fit in fits]
    return (
        f"scores divided by {heat:.2f} (best {best:.2f}; {alone[0]:.2f} for {len(measured[0][1])} "
        f"things in photos, {alone[1]:.2f} for {len(measured[1][1])} in scenes)"
    )


def _scenes() -> Iterator[tuple[Image, tuple[ScenePiece, ...]]]:
    for seed in SCENES:
        for scene in (dice_scene(seed, 400, 400), token_scene(seed, 400, 400)):
            yield scene.image, scene.things


def _scores(
    reader: PieceReader, pictures: Iterator[tuple[Image, tuple[ScenePiece, ...]]]
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """The scores of each piece found, and its true class."""
    scores, answers = [], []
    for image, things in pictures:
        spots = reader.spots(image)
        said = reader.scores(image, spots) if spots else np.zeros((0, 4, len(CLASSES)))
        for thing in things:
            x, y = (thing.box[0] + thing.box[2]) / 2, (thing.box[1] + thing.box[3]) / 2
            for spot, each in zip(spots, said, strict=True):
                x0, y0, x1, y1 = spot.box
                near = max(abs(x0 + x1 - 2 * x), abs(y0 + y1 - 2 * y)) < (x1 - x0) / 2
                if near and spot.kind == thing.kind and thing.asked:
                    scores.append(each)
                    answers.append(CLASSES.index(thing.shows or LEANING))
    return np.array(scores, np.float32), np.array(answers, np.int64)


def _loss(scores: NDArray[np.float32], answers: NDArray[np.int64], heat: float) -> float:
    shares = softmax(scores / np.float32(heat)).mean(axis=1)
    return float(-np.log(np.maximum(shares[np.arange(len(answers)), answers], 1e-9)).mean())


def _divide(file: Path, heat: float) -> None:
    model = onnx.load(file)
    last = set(model.graph.node[-1].input)
    for weight in model.graph.initializer:
        if weight.name in last:
            values = numpy_helper.to_array(weight) / np.float32(heat)
            weight.CopyFrom(numpy_helper.from_array(values, weight.name))
    file.write_bytes(model.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
