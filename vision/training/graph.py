"""Builds an ONNX graph of operators that OpenCV runs; same weights, same bytes."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

OPSET = 17
TensorShape = list[int | str]


class Graph:
    """An ONNX graph while it is built; each method returns the name of its output."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def conv(self, conv: nn.Module, tip: str, kind: str = "Conv") -> str:
        """Add a convolution, or a transposed one."""
        pads = list(conv.padding) * 2
        return self.add(
            kind, tip, conv.weight, conv.bias,
            kernel_shape=list(conv.kernel_size), strides=list(conv.stride),
            dilations=list(conv.dilation), pads=pads,
        )  # fmt: skip

    def add(self, kind: str, *inputs: str | Tensor, **attributes: object) -> str:
        """Add a node; tensors among its inputs become weights."""
        names = [given if isinstance(given, str) else self._weight(given) for given in inputs]
        made = f"{kind.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, names, [made], name=made, **attributes))
        return made

    def save(self, tip: str, shapes: tuple[TensorShape, TensorShape], file: Path) -> None:
        """Write the graph; its last node is the output."""
        self.nodes[-1].output[0] = "said"
        assert self.nodes[-1].name == tip
        graph = helper.make_graph(
            self.nodes,
            file.stem,
            [helper.make_tensor_value_info("images", TensorProto.FLOAT, shapes[0])],
            [helper.make_tensor_value_info("said", TensorProto.FLOAT, shapes[1])],
            self.weights,
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
        model.ir_version, model.producer_name = 8, "roundproof"
        onnx.checker.check_model(model)
        file.write_bytes(model.SerializeToString(deterministic=True))

    def _weight(self, tensor: Tensor) -> str:
        name = f"w{len(self.weights)}"
        values = np.ascontiguousarray(tensor.detach().numpy(), np.float32)
        self.weights.append(numpy_helper.from_array(values, name))
        return name
