"""Exports EfficientNet-Lite0 from its PyTorch checkpoint to ONNX, without PyTorch: export_model.py CHECKPOINT ONNX

The graph is the plain network: float32 1x3x224x224 in (already normalised), the 1280 pooled features out. How
pixels become that input stands in the model's card. Batch normalisation is folded into the convolutions. The same
checkpoint gives the same bytes, since a stored vector's fingerprint covers them.
"""

import collections
import pathlib
import pickle
import sys
from typing import Any, BinaryIO

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

INPUT_SIZE = 224
BATCH_NORM_EPSILON = 1e-3
# The stride of each block's depthwise convolution; kernels and widths are read from the weights.
BLOCK_STRIDES = [1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1]
OPSET = 18
IR_VERSION = 10

LEGACY_MAGIC = 0x1950A86A20F9469CFC6C
STORAGE_TYPES = {"FloatStorage": np.dtype("<f4"), "LongStorage": np.dtype("<i8")}


class LazyTensor:
    """A tensor of the checkpoint whose storage follows later in the file."""

    def __init__(self, storage: tuple[str, np.dtype], offset: int, shape: tuple[int, ...], strides: tuple[int, ...]):
        self.storage_key, self.dtype = storage
        self.offset = offset
        self.shape = shape
        self.strides = strides

    def resolve(self, storages: dict[str, np.ndarray]) -> np.ndarray:
        """Returns a contiguous copy: checkpoints keep tensors in whatever order the training left them."""
        flat = storages[self.storage_key][self.offset :]
        last = sum((size - 1) * stride for size, stride in zip(self.shape, self.strides))
        if last >= flat.size:
            raise ValueError(f"a tensor reaches past the end of storage {self.storage_key}")
        byte_strides = [stride * self.dtype.itemsize for stride in self.strides]
        return np.lib.stride_tricks.as_strided(flat, self.shape, byte_strides).copy()


class CheckpointUnpickler(pickle.Unpickler):
    """Unpickles tensors and nothing else: any other global in the file is refused, so no code of it can run."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("collections", "OrderedDict"):
            return collections.OrderedDict
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return lambda storage, offset, shape, strides, *_: LazyTensor(storage, offset, shape, strides)
        if module == "torch" and name in STORAGE_TYPES:
            return STORAGE_TYPES[name]
        raise pickle.UnpicklingError(f"the checkpoint refers to {module}.{name}, which is not a tensor")

    def persistent_load(self, reference: Any) -> tuple[str, np.dtype]:
        kind, dtype, key = reference[:3]
        if kind != "storage":
            raise pickle.UnpicklingError(f"unknown persistent reference {kind!r}")
        return key, dtype


def read_checkpoint(path: pathlib.Path) -> dict[str, np.ndarray]:
    """Reads PyTorch's format from before 1.6: five pickles, then each storage as a 64-bit count and its elements."""
    with path.open("rb") as file:
        if CheckpointUnpickler(file).load() != LEGACY_MAGIC:
            raise ValueError(f"{path} is not a legacy PyTorch checkpoint")
        CheckpointUnpickler(file).load()  # the protocol's version
        CheckpointUnpickler(file).load()  # the writing machine's type sizes
        tensors: dict[str, LazyTensor] = CheckpointUnpickler(file).load()
        storage_keys: list[str] = CheckpointUnpickler(file).load()
        dtypes = {tensor.storage_key: tensor.dtype for tensor in tensors.values()}
        storages = {key: read_storage(file, dtypes[key]) for key in storage_keys}
    return {name: tensor.resolve(storages) for name, tensor in tensors.items()}


def read_storage(file: BinaryIO, dtype: np.dtype) -> np.ndarray:
    count = int.from_bytes(file.read(8), "little")
    content = file.read(count * dtype.itemsize)
    return np.frombuffer(content, dtype=dtype, count=count)


class GraphBuilder:
    """Appends the network's layers to an ONNX graph, each taking and returning the name of an activation."""

    def __init__(self, weights: dict[str, np.ndarray]):
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.initializers = [
            numpy_helper.from_array(np.float32(0), "relu6.min"),
            numpy_helper.from_array(np.float32(6), "relu6.max"),
        ]

    def convolution(self, source: str, convolution: str, batch_norm: str, stride: int = 1, groups: int = 1) -> str:
        kernel, bias = self.folded(convolution, batch_norm)
        self.initializers.append(numpy_helper.from_array(kernel, f"{convolution}.weight"))
        self.initializers.append(numpy_helper.from_array(bias, f"{convolution}.bias"))
        return self.append(
            "Conv",
            [source, f"{convolution}.weight", f"{convolution}.bias"],
            convolution,
            kernel_shape=kernel.shape[2:],
            strides=[stride, stride],
            group=groups,
            auto_pad="SAME_UPPER",  # TensorFlow's "SAME": the odd pixel of padding goes to the right and bottom
        )

    def relu6(self, source: str) -> str:
        return self.append("Clip", [source, "relu6.min", "relu6.max"], f"{source}.relu6")

    def block(self, source: str, index: int, stride: int) -> str:
        """An inverted residual: widen, filter each channel by itself, narrow, and add the input where shapes agree."""
        prefix = f"_blocks.{index}"
        value = source
        if f"{prefix}._expand_conv.weight" in self.weights:
            value = self.relu6(self.convolution(value, f"{prefix}._expand_conv", f"{prefix}._bn0"))
        channels = self.weights[f"{prefix}._depthwise_conv.weight"].shape[0]
        value = self.convolution(value, f"{prefix}._depthwise_conv", f"{prefix}._bn1", stride, groups=channels)
        value = self.convolution(self.relu6(value), f"{prefix}._project_conv", f"{prefix}._bn2")
        if stride == 1 and self.input_channels(prefix) == self.weights[f"{prefix}._project_conv.weight"].shape[0]:
            value = self.append("Add", [value, source], f"{prefix}.add")
        return value

    def input_channels(self, prefix: str) -> int:
        expand = self.weights.get(f"{prefix}._expand_conv.weight")
        return expand.shape[1] if expand is not None else self.weights[f"{prefix}._depthwise_conv.weight"].shape[0]

    def folded(self, convolution: str, batch_norm: str) -> tuple[np.ndarray, np.ndarray]:
        """Returns the kernel and bias that do convolution and batch normalisation in one, computed in float64."""
        gamma, beta, mean, variance = (
            self.weights[f"{batch_norm}.{part}"].astype(np.float64)
            for part in ("weight", "bias", "running_mean", "running_var")
        )
        scale = gamma / np.sqrt(variance + BATCH_NORM_EPSILON)
        kernel = self.weights[f"{convolution}.weight"].astype(np.float64) * scale[:, None, None, None]
        return kernel.astype(np.float32), (beta - mean * scale).astype(np.float32)

    def append(self, operator: str, inputs: list[str], output: str, **attributes: Any) -> str:
        self.nodes.append(helper.make_node(operator, inputs, [output], name=output, **attributes))
        return output


def build(weights: dict[str, np.ndarray]) -> onnx.ModelProto:
    graph = GraphBuilder(weights)
    value = graph.relu6(graph.convolution("image", "_conv_stem", "_bn0", stride=2))
    for index, stride in enumerate(BLOCK_STRIDES):
        value = graph.block(value, index, stride)
    value = graph.relu6(graph.convolution(value, "_conv_head", "_bn1"))
    value = graph.append("GlobalAveragePool", [value], "pool")
    graph.append("Flatten", [value], "embedding", axis=1)
    features = weights["_conv_head.weight"].shape[0]
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "efficientnet-lite0",
            [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, INPUT_SIZE, INPUT_SIZE])],
            [helper.make_tensor_value_info("embedding", TensorProto.FLOAT, [1, features])],
            graph.initializers,
        ),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
        producer_name="embedd",
    )
    onnx.checker.check_model(model, full_check=True)
    return model


def main(checkpoint: pathlib.Path, destination: pathlib.Path) -> None:
    model = build(read_checkpoint(checkpoint))
    destination.write_bytes(model.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
