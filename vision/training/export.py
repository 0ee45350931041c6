"""Writes the trained networks as ONNX files that OpenCV runs, and locks their SHA-256.

    python -m vision.training.export [--finder finder.pt] [--reader reader.pt] [--temperature 1.3]

The evening out of each batch is folded into the convolution before it, so that a graph is
convolutions, sums and little else.
"""

import argparse
from pathlib import Path

import torch
from torch import nn

from vision.recognise.network import MODELS, lock
from vision.training.classifier import HIGH, WIDE, IndexReaderNet
from vision.training.detector import IndexFinderNet, ResidualBlock
from vision.training.graph import Graph


def main() -> None:
    """Write one network or both into the models folder."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--finder", type=Path)
    arguments.add_argument("--reader", type=Path)
    arguments.add_argument("--temperature", type=float, default=1.0, help="divides all scores")
    arguments.add_argument("--models", type=Path, default=MODELS)
    given = arguments.parse_args()
    given.models.mkdir(exist_ok=True)
    if given.finder:
        finder = IndexFinderNet().eval()
        finder.load_state_dict(torch.load(given.finder))
        save_finder(finder, given.models / "index_finder.onnx")
        lock(given.models / "index_finder.onnx")
    if given.reader:
        reader = IndexReaderNet().eval()
        reader.load_state_dict(torch.load(given.reader))
        with torch.no_grad():
            reader.said.weight /= given.temperature
            reader.said.bias /= given.temperature
        save_reader(reader, given.models / "index_reader.onnx")
        lock(given.models / "index_reader.onnx")


def save_finder(finder: IndexFinderNet, file: Path) -> None:
    """The finder, for pictures of any size that 32 divides."""
    graph = Graph()
    four = _chain(graph, finder.stem, "images")
    eight = _chain(graph, finder.eighth, four)
    sixteen = _chain(graph, finder.sixteenth, eight)
    wide = graph.conv(finder.from_32, _chain(graph, finder.thirtysecond, sixteen))
    sixteen = graph.add("Add", sixteen, _doubled(graph, wide))
    eight = graph.add("Add", eight, _doubled(graph, _chain(graph, finder.from_16, sixteen)))
    eight = _chain(graph, nn.Sequential(finder.joined_8), eight)
    four = graph.add("Add", four, _doubled(graph, graph.conv(finder.from_8, eight)))
    four = _chain(graph, nn.Sequential(finder.joined_4), four)
    there = graph.add("Sigmoid", graph.conv(finder.there, four))
    tip = graph.add("Concat", there, graph.conv(finder.shape, four), axis=1)
    graph.save(tip, ([1, 3, "height", "width"], [1, 9, "rows", "columns"]), file)


def save_reader(reader: IndexReaderNet, file: Path) -> None:
    """The reader, for any number of crops."""
    graph = Graph()
    flat = graph.add("Flatten", _chain(graph, reader.body, "images"), axis=1)
    tip = graph.add("Gemm", flat, reader.said.weight, reader.said.bias, transB=1)
    graph.save(tip, (["count", 3, HIGH, WIDE], ["count", reader.said.out_features]), file)


def _chain(graph: Graph, modules: nn.Sequential, tip: str) -> str:
    """Add convolutions with their activations, and blocks, in order."""
    for module in modules:
        if isinstance(module, ResidualBlock):
            inner = _chain(graph, nn.Sequential(module.first), tip)
            tip = graph.add(
                "Relu", graph.add("Add", tip, graph.conv(_folded(module.second), inner))
            )
        elif isinstance(module, nn.Sequential):
            tip = graph.add("Relu", graph.conv(_folded(module), tip))
        elif isinstance(module, nn.Conv2d):
            tip = graph.conv(_folded(modules), tip)
        else:
            raise TypeError(f"no way to write {type(module).__name__}")
    return tip


def _folded(step: nn.Sequential) -> nn.Module:
    return torch.nn.utils.fuse_conv_bn_eval(step[0], step[1])


def _doubled(graph: Graph, tip: str) -> str:
    """Twice as wide and high, each value repeated."""
    return graph.add(
        "Resize", tip, "", torch.tensor([1.0, 1.0, 2.0, 2.0]), mode="nearest",
        coordinate_transformation_mode="asymmetric", nearest_mode="floor",
    )  # fmt: skip


if __name__ == "__main__":
    main()
