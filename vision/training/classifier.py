"""Trains the reader of corner indices: a rectified crop in, rank and suit out, or "no index".

    python -m vision.training.classifier SCENES… --out index_reader.pt --steps 6000 [--start FILE]

The crop is what the finder said, put upright; so that the reader bears with a finder that is a
little off, every training crop is off a little too. Crops of pips, backs, hands and print, and
indices upside down, are "no index".

It may go on from its own file (.pt) or from the network that is in use (.onnx). There the evening
out of each batch was folded into the convolutions; it stays as it is, and the rest is trained.
"""

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional

from schemas.cards import RANKS, SUITS
from vision.training.detector import ResidualBlock, _conv

WIDE, HIGH = 32, 48
REACH = 1.4  # how far the crop goes beyond the index
NOTHING = len(RANKS)  # the rank that means "no index"


class IndexReaderNet(nn.Module):  # type: ignore[misc]  # torch is not installed here
    """Eighteen scores a crop: thirteen ranks, "no index", four suits."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 24),
            _conv(24, 32, 2),
            ResidualBlock(32),
            _conv(32, 64, 2),
            ResidualBlock(64),
            _conv(64, 112, 2),
        )
        self.drop = nn.Dropout(0.3)
        self.said = nn.Linear(112 * (HIGH // 8) * (WIDE // 8), len(RANKS) + 1 + len(SUITS))

    def forward(self, x: Tensor) -> Tensor:
        """Pixels from 0 to 1 in; scores out."""
        return self.said(self.drop(self.body(x).flatten(1)))


IndexRow = tuple[str, NDArray[np.float64], float]


class Crops:
    """Cuts crops of indices from scenes, with their labels."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.scenes: list[tuple[NDArray[np.uint8], list[list[IndexRow]]]] = []
        for folder in folders:
            lines = (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()
            truth = [
                [(row[0], np.array(row[1:7]), row[9]) for row in json.loads(line)] for line in lines
            ]
            self.scenes.append((np.load(folder / "pictures.npy", mmap_mode="r"), truth))
        self.shares = np.array([len(truth) for _, truth in self.scenes], np.float64)
        self.shares /= self.shares.sum()

    def batch(self, chance: Generator, size: int) -> tuple[Tensor, Tensor, Tensor]:
        """Crops, ranks, suits."""
        found: list[tuple[NDArray[np.uint8], int, int]] = []
        while len(found) < size:
            pictures, truths = self.scenes[int(chance.choice(len(self.scenes), p=self.shares))]
            number = int(chance.integers(len(truths)))
            found.extend(self._some(chance, pictures[number], truths[number]))
        crops, ranks, suits = zip(*found[:size], strict=True)
        pixels = np.stack(crops).transpose(0, 3, 1, 2).astype(np.float32) / 255
        return torch.from_numpy(pixels), torch.tensor(ranks), torch.tensor(suits)

    def _some(
        self, chance: Generator, picture: NDArray[np.uint8], truth: list[IndexRow]
    ) -> list[tuple[NDArray[np.uint8], int, int]]:
        found = []
        shown = [row for row in truth if row[2] >= 0.75 and np.hypot(*row[1][2:4]) >= 4.5]
        for n in chance.permutation(len(shown))[:6]:
            code, place, _ = shown[n]
            if not code:  # a mistake of the finder
                found.append((_worn(chance, cut(picture, place)), NOTHING, 0))
                continue
            rank, suit = RANKS.index(code[0]), SUITS.index(code[1])
            if chance.random() < 0.06:
                found.append((cut(picture, place * (1, 1, -1, -1, -1, -1)), NOTHING, 0))
            elif chance.random() < 0.06:
                away = place.copy()
                away[:2] += chance.choice([-1, 1]) * place[2:4] * chance.uniform(0.9, 1.6)
                found.append((_worn(chance, cut(picture, away)), NOTHING, 0))
            else:
                found.append((_worn(chance, cut(picture, _shaken(chance, place))), rank, suit))
        if chance.random() < 0.5:
            found.append(
                (_worn(chance, cut(picture, self._nowhere(chance, picture, truth))), NOTHING, 0)
            )
        return found

    def _nowhere(
        self, chance: Generator, picture: NDArray[np.uint8], truth: list[IndexRow]
    ) -> NDArray[np.float64]:
        """A place without an index, on a card if there is one, where mistakes are likely."""
        for _ in range(20):
            half = chance.uniform(6, 50)
            turn = chance.uniform(0, 2 * np.pi)
            up = np.array([np.sin(turn), -np.cos(turn)]) * half
            middle = chance.uniform(0, picture.shape[0], 2)
            if truth and chance.random() < 0.7:
                middle = truth[int(chance.integers(len(truth)))][1][:2] + chance.normal(0, 60, 2)
            place = np.array([*middle, *up, -up[1] * 0.45, up[0] * 0.45])
            if all(
                np.hypot(*(row[1][:2] - middle)) > max(half, np.hypot(*row[1][2:4])) * 1.1
                for row in truth
            ):
                return place
        return np.array([-99.0, -99.0, 0, -9, 4, 0])


def cut(picture: NDArray[np.uint8], place: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Cut out the index at a place (middle, up, right), upright."""
    middle, up, right = place[:2], place[2:4] * REACH, place[4:6] * REACH
    source = np.stack([middle + up - right, middle + up + right, middle - up - right]).astype(
        np.float32
    )
    target = np.array([[0, 0], [WIDE, 0], [0, HIGH]], np.float32)
    onto = cv2.getAffineTransform(source, target)
    return np.asarray(
        cv2.warpAffine(
            picture, onto, (WIDE, HIGH), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        ),
        np.uint8,
    )


def _shaken(chance: Generator, place: NDArray[np.float64]) -> NDArray[np.float64]:
    """Disturb a place as a finder would: a little off, turned, too large or too small."""
    up, right = place[2:4], place[4:6]
    turn = chance.normal(0, 0.09)
    cos, sin = np.cos(turn), np.sin(turn)
    spin = np.array([[cos, -sin], [sin, cos]])
    middle = place[:2] + up * chance.normal(0, 0.1) + right * chance.normal(0, 0.16)
    up, right = (
        spin @ up * np.exp(chance.normal(0, 0.1)),
        spin @ right * np.exp(chance.normal(0, 0.14)),
    )
    up = up + right * chance.normal(0, 0.08)
    return np.concatenate([middle, up, right])


def _worn(chance: Generator, crop: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Make a crop coarser, darker or tinted."""
    if chance.random() < 0.3:
        factor = chance.uniform(0.35, 0.9)
        small = cv2.resize(crop, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        crop = np.asarray(cv2.resize(small, (WIDE, HIGH)), np.uint8)
    gain = chance.uniform(0.6, 1.25) * (1 + chance.normal(0, 0.04, 3))
    return np.asarray(np.clip(crop * gain + chance.uniform(-20, 20), 0, 255), np.uint8)


def loss(scores: Tensor, ranks: Tensor, suits: Tensor) -> Tensor:
    """Cross entropy of rank, and of suit if there is an index."""
    rank = functional.cross_entropy(scores[:, : NOTHING + 1], ranks, label_smoothing=0.02)
    real = ranks != NOTHING
    if not real.any():
        return rank
    return rank + functional.cross_entropy(
        scores[real, NOTHING + 1 :], suits[real], label_smoothing=0.02
    )


def begun(file: Path | None) -> IndexReaderNet:
    """A new network, or one that continues from a file."""
    network = IndexReaderNet()
    if file is None:
        return network
    if file.suffix != ".onnx":
        network.load_state_dict(torch.load(file))
        return network
    weights = [
        torch.from_numpy(numpy_helper.to_array(tensor).copy())
        for tensor in onnx.load(file).graph.initializer
    ]
    convs = [module for module in network.modules() if isinstance(module, nn.Conv2d)]
    evens = [module for module in network.modules() if isinstance(module, nn.BatchNorm2d)]
    with torch.no_grad():
        for n, (conv, even) in enumerate(zip(convs, evens, strict=True)):
            conv.weight.copy_(weights[2 * n])
            even.bias.copy_(weights[2 * n + 1])
            even.running_var.fill_(1 - even.eps)  # so that the layer only adds
            even.eval()
        network.said.weight.copy_(weights[-2])
        network.said.bias.copy_(weights[-1])
    return network


def main() -> None:
    """Train, and print the accuracy on new crops every two hundred steps."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("scenes", type=Path, nargs="+")
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("--start", type=Path)
    arguments.add_argument("--steps", type=int, default=6000)
    arguments.add_argument("--batch", type=int, default=64)
    arguments.add_argument("--rate", type=float, default=3e-3)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--threads", type=int, default=2)
    given = arguments.parse_args()
    torch.manual_seed(given.seed)
    torch.set_num_threads(given.threads)
    cv2.setNumThreads(1)
    chance = np.random.default_rng(given.seed)
    crops = Crops(given.scenes)
    network = begun(given.start)
    steer = torch.optim.AdamW(network.parameters(), given.rate, weight_decay=1e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(steer, given.rate, given.steps, pct_start=0.1)
    started, sums = time.monotonic(), np.zeros(3)
    for step in range(1, given.steps + 1):
        pictures, ranks, suits = crops.batch(chance, given.batch)
        scores = network(pictures)
        error = loss(scores, ranks, suits)
        steer.zero_grad()
        error.backward()
        steer.step()
        plan.step()
        real = ranks != NOTHING
        right = scores[:, : NOTHING + 1].argmax(1) == ranks
        suited = scores[real, NOTHING + 1 :].argmax(1) == suits[real]
        sums += error.item(), right.float().mean().item(), suited.float().mean().item()
        if step % 200 == 0:
            told = f"loss {sums[0] / 200:.4f} rank {sums[1] / 200:.4f} suit {sums[2] / 200:.4f}"
            print(f"step {step} {told} {time.monotonic() - started:.0f} s", flush=True)
            sums[:] = 0
            torch.save(network.state_dict(), given.out)
    torch.save(network.state_dict(), given.out)


if __name__ == "__main__":
    main()
