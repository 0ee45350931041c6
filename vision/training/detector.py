"""Trains the finder of corner indices: one small network over the whole picture.

    python -m vision.training.detector SCENES… --out index_finder.pt --steps 3500

At every fourth pixel it says whether the middle of an index is there, and if so where exactly,
which way is up and right in it, and where the middle of its card lies.
"""

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

STRIDE = 4
SIDE = 256  # of a training crop
SHOWS = 0.80  # an index counts from this share on; below HIDDEN it does not
HIDDEN = 0.35
LEAST, MOST = 4.5, 60.0  # half its height in pixels
UNIT, FAR = 16.0, 64.0  # units of the network's output


class ResidualBlock(nn.Module):  # type: ignore[misc]  # torch is not installed here
    """Two convolutions with a shortcut round them."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = _conv(width, width)
        self.second = nn.Sequential(
            nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width)
        )

    def forward(self, x: Tensor) -> Tensor:
        """Add the convolutions' output to the input."""
        return functional.relu(x + self.second(self.first(x)))


class IndexFinderNet(nn.Module):  # type: ignore[misc]  # torch is not installed here
    """Nine numbers every fourth pixel: heat, offset, up, right, arrow to the card's middle."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_conv(3, 12, 2), _conv(12, 24, 2))
        self.eighth = nn.Sequential(_conv(24, 36, 2), ResidualBlock(36), ResidualBlock(36))
        self.sixteenth = nn.Sequential(_conv(36, 64, 2), ResidualBlock(64), ResidualBlock(64))
        self.thirtysecond = nn.Sequential(_conv(64, 80, 2), ResidualBlock(80))
        self.from_32 = nn.Conv2d(80, 64, 1)
        self.from_16 = nn.Sequential(_conv(64, 36, kernel=1))
        self.joined_8 = _conv(36, 36)
        self.from_8 = nn.Conv2d(36, 24, 1)
        self.joined_4 = _conv(24, 32)
        self.there = nn.Conv2d(32, 1, 1)
        self.shape = nn.Conv2d(32, 8, 1)
        nn.init.constant_(self.there.bias, -4.0)  # an index is rare

    def forward(self, x: Tensor) -> Tensor:
        """Pixels from 0 to 1 in; nine planes out."""
        four = self.stem(x)
        eight = self.eighth(four)
        sixteen = self.sixteenth(eight)
        wide = self.from_32(self.thirtysecond(sixteen))
        sixteen = sixteen + functional.interpolate(wide, scale_factor=2.0, mode="nearest")
        eight = self.joined_8(
            eight + functional.interpolate(self.from_16(sixteen), scale_factor=2.0, mode="nearest")
        )
        four = self.joined_4(
            four + functional.interpolate(self.from_8(eight), scale_factor=2.0, mode="nearest")
        )
        return torch.cat([torch.sigmoid(self.there(four)), self.shape(four)], 1)


def _conv(inward: int, outward: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inward, outward, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outward),
        nn.ReLU(inplace=True),
    )


class TrainingScenes:
    """Training scenes on disk; crops are random parts, scaled and turned by right angles."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.pictures = [np.load(folder / "pictures.npy", mmap_mode="r") for folder in folders]
        self.truths = []
        for folder in folders:
            lines = (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()
            self.truths.append(
                [
                    np.array([row[1:] for row in json.loads(line)], np.float32).reshape(-1, 9)
                    for line in lines
                ]
            )

    def batch(self, chance: Generator, size: int) -> tuple[Tensor, Tensor]:
        """A batch of crops, with target planes and weights."""
        pairs = [self._crop(chance) for _ in range(size)]
        pictures = np.stack([picture for picture, _ in pairs]).transpose(0, 3, 1, 2)
        answers = np.stack([answer for _, answer in pairs])
        return torch.from_numpy(pictures.astype(np.float32) / 255), torch.from_numpy(answers)

    def _crop(self, chance: Generator) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        shares = np.array([len(truth) for truth in self.truths], np.float64)
        which = int(chance.choice(len(self.truths), p=shares / shares.sum()))
        number = int(chance.integers(len(self.truths[which])))
        picture, truth = self.pictures[which][number], self.truths[which][number]
        scale = float(np.exp(chance.uniform(np.log(0.5), np.log(1.3))))
        turn = int(chance.integers(4)) * 90 + float(chance.normal(0, 6))
        aim = np.array(picture.shape[1::-1]) / 2 + chance.uniform(-1, 1, 2) * 130
        if len(truth) and chance.random() < 0.7:
            aim = truth[int(chance.integers(len(truth))), :2] + chance.uniform(-60, 60, 2)
        onto = np.asarray(
            cv2.getRotationMatrix2D((float(aim[0]), float(aim[1])), turn, scale), np.float64
        )
        onto[:, 2] += SIDE / 2 - aim
        shrink = cv2.INTER_AREA if scale < 0.7 else cv2.INTER_LINEAR
        crop = cv2.warpAffine(
            picture, onto, (SIDE, SIDE), flags=shrink, borderMode=cv2.BORDER_REFLECT_101
        )
        gain, lift = chance.uniform(0.8, 1.2), chance.uniform(-15, 15)
        crop = cv2.convertScaleAbs(crop, alpha=gain, beta=lift)
        return np.asarray(crop, np.uint8), answer(truth, onto)


def answer(truth: NDArray[np.float32], onto: NDArray[np.float64]) -> NDArray[np.float32]:
    """The targets: heat, eight numbers, and the weights of both."""
    cells = SIDE // STRIDE
    planes = np.zeros((11, cells, cells), np.float32)
    planes[9] = 1
    turn = onto[:, :2]
    for row in truth[truth[:, 8] >= HIDDEN]:
        middle = turn @ row[:2] + onto[:, 2]
        at = middle / STRIDE - 0.5
        up, right, way = turn @ row[2:4], turn @ row[4:6], turn @ row[6:8]
        half = float(np.hypot(*up))
        reach = int(max(3, half / STRIDE)) + 1
        left, top = np.maximum(at.astype(int) - reach, 0)
        rows, columns = (
            slice(top, max(0, int(at[1]) + reach + 1)),
            slice(left, max(0, int(at[0]) + reach + 1)),
        )
        part = planes[:, rows, columns]
        if not part.size:
            continue
        y, x = np.mgrid[top : top + part.shape[1], left : left + part.shape[2]].astype(np.float32)
        far = np.hypot(x - at[0], y - at[1])
        if row[8] < SHOWS or not LEAST <= half <= MOST:
            part[9][far <= max(1.5, half / STRIDE)] = 0
            continue
        spread = max(0.7, half / STRIDE * 0.22)
        part[0] = np.maximum(part[0], np.exp(-(far**2) / (2 * spread**2)))
        weight = np.exp(-far)
        closer = (far <= max(1.1, spread)) & (part[10] < weight)
        for plane, value in zip(part[1:3], (at[0] - x, at[1] - y), strict=True):
            plane[closer] = value[closer]
        for plane, value in zip(
            part[3:9], (*(up / UNIT), *(right / UNIT), *(way / FAR)), strict=True
        ):
            plane[closer] = value
        part[10][closer] = weight[closer]
    return planes


def loss(said: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
    """Focal loss of the heat; distance of the shape, by the size of the index."""
    heat, want, weight = said[:, 0].clamp(1e-4, 1 - 1e-4), wanted[:, 0], wanted[:, 9]
    peak = (want > 0.8).float() * want
    hit = peak * (1 - heat) ** 2 * heat.log()
    miss = (1 - want) ** 4 * heat**2 * (1 - heat).log() * (want <= 0.8).float()
    count = peak.sum().clamp(min=1)
    found = -((hit + miss) * weight).sum() / count
    mark = wanted[:, 10:11]
    size = torch.hypot(wanted[:, 3:4], wanted[:, 4:5]).clamp(min=0.25)
    off = (said[:, 1:3] - wanted[:, 1:3]).abs()
    shape = (said[:, 3:7] - wanted[:, 3:7]).abs() / size
    known = (wanted[:, 7:9].abs().sum(1, keepdim=True) > 0).float()  # zero: the arrow is unknown
    way = (said[:, 7:9] - wanted[:, 7:9]).abs() / size * known
    fits = (
        (off.mean(1) * 0.6 + shape.mean(1) * 2 + way.mean(1) * 3) * mark[:, 0]
    ).sum() / mark.sum().clamp(min=1)
    return found, fits


def main() -> None:
    """Train, and print the loss every hundred steps."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("scenes", type=Path, nargs="+")
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("--start", type=Path)
    arguments.add_argument("--steps", type=int, default=3500)
    arguments.add_argument("--batch", type=int, default=16)
    arguments.add_argument("--rate", type=float, default=4e-3)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--threads", type=int, default=2)
    given = arguments.parse_args()
    torch.manual_seed(given.seed)
    torch.set_num_threads(given.threads)
    cv2.setNumThreads(1)
    chance = np.random.default_rng(given.seed)
    scenes = TrainingScenes(given.scenes)
    network = IndexFinderNet().to(memory_format=torch.channels_last)
    if given.start:
        network.load_state_dict(torch.load(given.start))
    steer = torch.optim.AdamW(network.parameters(), given.rate, weight_decay=1e-4)
    plan = torch.optim.lr_scheduler.OneCycleLR(steer, given.rate, given.steps, pct_start=0.1)
    started, sums = time.monotonic(), np.zeros(2)
    for step in range(1, given.steps + 1):
        pictures, wanted = scenes.batch(chance, given.batch)
        said = network(pictures.to(memory_format=torch.channels_last))
        found, fits = loss(said, wanted)
        steer.zero_grad()
        (found + fits).backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        steer.step()
        plan.step()
        sums += found.item(), fits.item()
        if step % 100 == 0:
            spent = time.monotonic() - started
            print(
                f"step {step} heat {sums[0] / 100:.4f} shape {sums[1] / 100:.4f} {spent:.0f} s",
                flush=True,
            )
            sums[:] = 0
            torch.save(network.state_dict(), given.out)
    torch.save(network.state_dict(), given.out)


if __name__ == "__main__":
    main()
