"""The two networks of dice and tokens, and how they are written as ONNX.

Both are plain convolutions, so their graph is written node by node: the file depends on no
exporter, and OpenCV reads it with any size of picture.
"""

from pathlib import Path

import torch
from torch import Tensor, nn

from vision.recognise.pieces import CLASSES, CROP_PX, KINDS
from vision.training.graph import Graph

_FOUND = len(KINDS) + 3


class ConvStep(nn.Sequential):  # type: ignore[misc]  # torch is not installed where types are checked
    """A convolution with batch normalisation and ReLU."""

    def __init__(self, ins: int, outs: int, stride: int = 1, dilation: int = 1) -> None:
        super().__init__(
            nn.Conv2d(ins, outs, 3, stride, dilation, dilation, bias=False),
            nn.BatchNorm2d(outs),
            nn.ReLU(inplace=True),
        )


class PieceFinderNet(nn.Module):  # type: ignore[misc]  # torch is not installed where types are checked
    """The finder: for every eighth pixel die, token, right, down and size."""

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(
            ConvStep(3, 16, 2),
            ConvStep(16, 24, 2),
            ConvStep(24, 24),
            ConvStep(24, 48, 2),
            ConvStep(48, 48),
            ConvStep(48, 48),
        )
        self.far = nn.Sequential(
            ConvStep(48, 64, 2), ConvStep(64, 64, dilation=2), ConvStep(64, 64)
        )
        self.back = nn.ConvTranspose2d(64, 48, 2, 2)
        self.last = nn.Sequential(ConvStep(48, 48), nn.Conv2d(48, _FOUND, 1))
        with torch.no_grad():
            self.last[1].bias[: len(KINDS)] = -4.0

    def forward(self, images: Tensor) -> Tensor:
        """Raw values of every map."""
        near = self.near(images)
        said: Tensor = self.last(torch.relu(self.back(self.far(near)) + near))
        return said


class PieceReaderNet(nn.Module):  # type: ignore[misc]  # torch is not installed where types are checked
    """The reader: a score for each class of one piece."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            ConvStep(3, 24), ConvStep(24, 32, 2), ConvStep(32, 48), ConvStep(48, 64, 2),
            ConvStep(64, 64), ConvStep(64, 80, 2), ConvStep(80, 80), ConvStep(80, 48, 2),
        )  # fmt: skip
        self.say = nn.Linear(48 * (CROP_PX // 16) ** 2, len(CLASSES))

    def forward(self, images: Tensor) -> Tensor:
        """Scores, not yet calibrated."""
        said: Tensor = self.say(self.look(images).flatten(1))
        return said


def save_finder(finder: PieceFinderNet, file: Path) -> None:
    """The first network as ONNX, for pictures of any size."""
    graph = Graph()
    near = _steps(graph, finder.near, "images")
    far = _steps(graph, finder.far, near)
    both = graph.add("Add", graph.conv(finder.back, far, "ConvTranspose"), near)
    tip = _steps(graph, finder.last, graph.add("Relu", both))
    graph.save(tip, ([1, 3, "height", "width"], [1, _FOUND, "rows", "columns"]), file)


def save_reader(reader: PieceReaderNet, file: Path) -> None:
    """The second network as ONNX, for any number of crops."""
    graph = Graph()
    flat = graph.add("Flatten", _steps(graph, reader.look, "images"), axis=1)
    tip = graph.add("Gemm", flat, reader.say.weight, reader.say.bias, transB=1)
    graph.save(tip, (["crops", 3, CROP_PX, CROP_PX], ["crops", len(CLASSES)]), file)


def _steps(graph: Graph, modules: nn.Sequential, tip: str) -> str:
    """A chain of steps, each convolution with its normalisation folded in."""
    for module in modules:
        if isinstance(module, ConvStep):
            folded = torch.nn.utils.fuse_conv_bn_eval(module[0], module[1])
            tip = graph.add("Relu", graph.conv(folded, tip))
        else:
            tip = graph.conv(module, tip)
    return tip
