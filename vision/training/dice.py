"""Trains the two networks for dice and tokens, on one core in about twenty minutes.

    python -m vision.training.dice --dice DICE_LABELS.json --cards LABELS.json

The first file lists labelled photos of dice, the second photos in which there are none; both name
photos beside them. What was learnt goes to vision/recognise/models,
what happened to vision/training/logs.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from vision.recognise.network import MODELS, Network, lock
from vision.recognise.pieces import KINDS, spots
from vision.training import dice_data
from vision.training.dice_batches import Pool, crops, windows
from vision.training.dice_nets import PieceFinderNet, PieceReaderNet, save_finder, save_reader
from vision.training.dice_sure import settled

SEED = 20260301
LOGS = Path(__file__).parent / "logs"
FINDER_STEPS, FINDER_BATCH = 5000, 8
READER_STEPS, READER_BATCH = 5000, 64
REAL = 0.55  # share of real dice among the reader's samples


def main() -> None:
    """Train both networks, write their files, and lock their SHA-256."""
    wish = _wish()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    samples = dice_data.rendered(wish.cache)
    samples += dice_data.photographed(wish.dice, "learn")
    samples += dice_data.without_dice(wish.cards, "learn", 150)
    pool = Pool(samples)
    if wish.only != "reader":
        log = TrainingLog(LOGS / "pieces_found.log", pool)
        finder = teach_finder(pool, log)
        save_finder(finder, MODELS / "pieces_found.onnx")
        lock(MODELS / "pieces_found.onnx")
    if wish.only != "finder":
        log = TrainingLog(LOGS / "pieces_read.log", pool)
        reader = teach_reader(pool, log)
        save_reader(reader, MODELS / "pieces_read.onnx")
        lock(MODELS / "pieces_read.onnx")
    if wish.only is None:
        log(settled(wish.dice))


class TrainingLog:
    """Writes the training log to a file and to the screen; times are processor times."""

    def __init__(self, file: Path, pool: Pool) -> None:
        self._file = file
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"seed {SEED}, torch {torch.__version__}\n", encoding="utf-8")
        counts = [len(group) for group in (pool.photos, pool.empty, pool.dice, pool.tokens)]
        self("photos {}, photos without dice {}, scenes of dice {}, of tokens {}".format(*counts))

    def __call__(self, line: str) -> None:
        """Write one line."""
        told = f"{time.process_time():7.0f} s  {line}\n"
        sys.stdout.write(told)
        sys.stdout.flush()
        with self._file.open("a", encoding="utf-8") as out:
            out.write(told)


def teach_finder(pool: Pool, log: TrainingLog) -> PieceFinderNet:
    """Train the finder of dice and tokens."""
    torch.manual_seed(SEED)
    finder, rng = PieceFinderNet(), np.random.default_rng(SEED)
    finder.to(memory_format=torch.channels_last)

    def loss(_: int) -> Tensor:
        images, maps, counts = (torch.from_numpy(a) for a in windows(rng, pool, FINDER_BATCH))
        return found_loss(
            finder(images.contiguous(memory_format=torch.channels_last)), maps, counts
        )

    _descend(finder, loss, FINDER_STEPS, 3e-3, log)
    finder.eval()
    return finder


def found_loss(said: Tensor, maps: Tensor, counts: Tensor) -> Tensor:
    """The loss of maps: focal loss of the heat, and place and size at the peaks."""
    kinds = len(KINDS)
    hills, heat = maps[:, :kinds], said[:, :kinds]
    share = torch.sigmoid(heat).clamp(1e-5, 1 - 1e-5)
    top = (hills >= 1).float()
    pull = top * (1 - share) ** 2 * torch.log(share)
    push = (1 - hills) ** 4 * share**2 * torch.log(1 - share) * (1 - top)
    middles = top.sum().clamp(min=1)
    marks = -((pull + push) * counts[:, None]).sum() / middles
    near = hills.max(1, keepdim=True).values * counts[:, None]
    near = near * (near > 0.3)
    off = (said[:, kinds:] - maps[:, kinds:]).abs() * near
    return marks + off.sum() / near.sum().clamp(min=1)


def teach_reader(pool: Pool, log: TrainingLog) -> PieceReaderNet:
    """Train the reader on single pieces, and on the finder's mistakes."""
    finder = Network("pieces_found")
    for picture in list(pool.pictures):
        pool.found(picture, [spot.box for spot in spots(finder, picture.image)])
    log(f"{len(pool.false)} places are none, though the finder took them for things")
    torch.manual_seed(SEED + 1)
    reader, rng = PieceReaderNet(), np.random.default_rng(SEED + 1)
    reader.to(memory_format=torch.channels_last)

    def loss(_: int) -> Tensor:
        views, answers = crops(rng, pool, READER_BATCH, REAL)
        said = reader(torch.from_numpy(views).contiguous(memory_format=torch.channels_last))
        return functional.cross_entropy(said, torch.from_numpy(answers))

    _descend(reader, loss, READER_STEPS, 3e-3, log)
    reader.eval()
    return reader


def _descend(
    network: torch.nn.Module,
    loss: Callable[[int], Tensor],
    steps: int,
    rate: float,
    log: TrainingLog,
) -> None:
    """Minimise a loss by AdamW with one cycle of learning rates."""
    network.train()
    optimiser = torch.optim.AdamW(network.parameters(), rate, weight_decay=0.02)
    cycle = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, steps, pct_start=0.15)
    recent = 0.0
    for step in range(steps):
        optimiser.zero_grad()
        value = loss(step)
        value.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        cycle.step()
        recent += float(value.detach())
        if (step + 1) % 100 == 0:
            log(f"{type(network).__name__.lower()} step {step + 1}: loss {recent / 100:.4f}")
            recent = 0.0


def _wish() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dice", type=Path, required=True, help="labels of photos of dice")
    parser.add_argument("--cards", type=Path, required=True, help="labels of photos without dice")
    parser.add_argument("--cache", type=Path, default=Path("var/vision/scenes"))
    parser.add_argument("--only", choices=["finder", "reader"], help="teach one of both anew")
    return parser.parse_args()


if __name__ == "__main__":
    main()
