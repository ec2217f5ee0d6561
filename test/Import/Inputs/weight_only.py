"""Weight-only networks of torchao, compared with their results in PyTorch.

    weight_only.py DIRECTORY

Writes the programs of torch.compile to NAME.compiled.mlir.
"""

import pathlib
import shutil
import sys
import warnings

import torch
from torch import nn
from torchao.prototype.quantization.int4 import PrototypeInt4WeightOnlyConfig
from torchao.quantization import (Int8DynamicActivationInt8WeightConfig,
                                  Int8WeightOnlyConfig, IntxWeightOnlyConfig, MappingType,
                                  PerGroup, quantize_)

import pruner
from pruner import torch_backend

warnings.simplefilter("ignore")
torch.set_num_threads(1)


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(128, 192), nn.Linear(192, 80, bias=False)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))


NETWORKS = {
    # Bytes with a scale for each row.
    "int8": (torch.bfloat16, Int8WeightOnlyConfig()),
    # In groups.
    "int8-groups": (torch.float32, Int8WeightOnlyConfig(granularity=PerGroup(32))),
    # Numbers of 4 bits that torchao holds in bytes, with zero points.
    "intx": (torch.float32, IntxWeightOnlyConfig(
        weight_dtype=torch.int4, granularity=PerGroup(32),
        mapping_type=MappingType.ASYMMETRIC)),
    # Two numbers in a byte, in the layout of PyTorch's kernel for this CPU.
    "int4": (torch.bfloat16, PrototypeInt4WeightOnlyConfig(group_size=32)),
    # A product of bytes: activations are quantized in each call.
    "dynamic": (torch.float32, Int8DynamicActivationInt8WeightConfig()),
}


def compare(name, route, result, expected):
    """Print whether the results are equal up to a rounding to their type, or to single
    bytes of dynamic activations."""
    most = expected.abs().max().item()
    far = (result.float() - expected.float()).abs().max().item()
    bound = 2 ** -8 if expected.dtype == torch.bfloat16 or name == "dynamic" else 1e-5
    print(f"{name}, {route}: near: {far <= bound * most}, type: "
          f"{result.dtype == expected.dtype}, not zero: {most > 0.1}", flush=True)


def main(directory):
    for name, (dtype, config) in NETWORKS.items():
        torch.manual_seed(0)
        network, x = Layers().eval().to(dtype), torch.randn(4, 128, dtype=dtype)
        plain = network(x).detach()
        quantize_(network, config)
        torch._dynamo.reset()
        cache = directory / f"{name}.cache"
        with torch.no_grad():
            expected = network(x)
            compare(name, "torch.compile", torch.compile(
                network, backend=torch_backend.compile_graph,
                options={"cache": str(cache), "strict": True})(x), expected)
            exported = torch.export.export(network, (x,))
            compare(name, "torch.export",
                    torch.as_tensor(pruner.compile(exported, threads=1)(x)), expected)
        print(f"{name} is quantized: {not torch.equal(plain, expected)}", flush=True)
        (graph,) = cache.glob("program-*/graph.mlir")
        shutil.copy(graph, directory / f"{name}.compiled.mlir")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
