"""Quantized networks of PyTorch, and one in bf16, compared with their results in PyTorch.

    quantized.py DIRECTORY

For each network, by torch.compile and by torch.export: whether the results are those of
PyTorch's quantized network. Writes the programs of torch.compile to NAME.compiled.mlir,
and one of torch.export to signed.mlir.
"""

import pathlib
import shutil
import sys
import warnings

import torch
from torch import nn
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e
from torchao.quantization.pt2e.quantizer import x86_inductor_quantizer as x86
from torchao.testing.pt2e import _xnnpack_quantizer as xnnpack

import pruner
from pruner import importing, torch_backend

warnings.simplefilter("ignore")
torch.set_num_threads(1)


class Images(nn.Module):
    """Convolutions with a residual, a depthwise one, a pointwise one, and a product."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 16, 3, padding=1)
        self.norm = nn.BatchNorm2d(16)
        self.second = nn.Conv2d(16, 16, 3, padding=1)
        self.depthwise = nn.Conv2d(16, 16, 3, padding=1, groups=16)
        self.third = nn.Conv2d(16, 32, 1, stride=2)
        self.head = nn.Linear(32, 10)
        self.norm.running_mean.normal_(0, 0.3)
        self.norm.running_var.uniform_(0.5, 2)

    def forward(self, x):
        x = torch.relu(self.norm(self.first(x)))
        x = torch.relu(self.second(x) + x)
        x = torch.relu(self.third(torch.relu(self.depthwise(x))))
        return self.head(x.mean((2, 3)))


class Layers(nn.Module):
    """Products, the first with a gate."""

    def __init__(self):
        super().__init__()
        self.gate, self.first = nn.Linear(64, 96), nn.Linear(64, 96)
        self.second = nn.Linear(96, 32)

    def forward(self, x):
        return self.second(torch.sigmoid(self.gate(x)) * self.first(x))


def quantizer(signed, **options):
    if signed:
        return xnnpack.XNNPACKQuantizer().set_global(
            xnnpack.get_symmetric_quantization_config(**options))
    return x86.X86InductorQuantizer().set_global(
        x86.get_default_x86_inductor_quantization_config(**options))


def quantize(network, x, quantizer):
    prepared = prepare_pt2e(torch.export.export(network, (x,)).module(), quantizer)
    for _ in range(3):
        prepared(torch.randn_like(x))
    return convert_pt2e(prepared)


NETWORKS = {
    # Signed bytes with scales of channels and of tensors.
    "signed": (Images, (1, 3, 16, 16), dict(signed=True, is_per_channel=True)),
    "tensor": (Layers, (8, 64), dict(signed=True, is_per_channel=False)),
    # Activations are unsigned bytes.
    "unsigned": (Images, (1, 3, 16, 16), dict(signed=False)),
    # Scales and zero points of activations are computed in each call.
    "dynamic": (Layers, (8, 64), dict(signed=False, is_dynamic=True)),
}


def compare(name, route, result, expected):
    """Print whether results are equal up to a rounding of the last layer, except where
    single bytes differ: a number next to a tie changes few results, and these little."""
    most = expected.abs().max()
    difference = (result - expected).abs()
    near = bool(difference.max() <= 0.02 * most)
    equal = bool((difference <= 1e-5 * most).float().mean() > 0.5)
    full = bool((expected.abs() > 0.01 * most).float().mean() > 0.5)
    print(f"{name}, {route}: near: {near}, most are equal: {equal}, not zero: {full}",
          flush=True)


def compare_narrow(name, result, expected):
    """Print whether results in bf16 differ by at most a rounding of the largest one."""
    difference = (result.float() - expected.float()).abs().max()
    print(f"{name}, torch.compile: near:",
          bool(difference <= 2 ** -7 * expected.float().abs().max()), flush=True)


def compiled(network, directory):
    """Return the network compiled by torch.compile, with its cache in `directory`."""
    torch._dynamo.reset()
    return torch.compile(network, backend=torch_backend.compile_graph,
                         options={"cache": str(directory), "strict": True})


def keep_program(cache, path):
    (graph,) = cache.glob("program-*/graph.mlir")
    shutil.copy(graph, path)


def write_zero_point(network):
    """Change the zero points of channels, which were zero."""
    for name, tensor in network.named_buffers():
        if "zero_point" in name and tensor.numel() > 1:
            tensor += 5
            return


def main(directory):
    for name, (make, shape, options) in NETWORKS.items():
        torch.manual_seed(0)
        network = quantize(make().eval(), torch.randn(shape), quantizer(**options))
        x = torch.randn(shape)
        expected = network(x).detach()
        cache = directory / f"{name}.cache"
        with torch.no_grad():
            function = compiled(network, cache)
            compare(name, "torch.compile", function(x), expected)
            keep_program(cache, directory / f"{name}.compiled.mlir")
            if name == "tensor":
                compare(name, "module", pruner.compile(network, x, threads=1)(x), expected)
            exported = torch.export.export(network, (x,))
            compare(name, "torch.export", pruner.compile(exported, threads=1)(x), expected)
            if name == "signed":
                text = importing.import_model(exported).text
                (directory / f"{name}.mlir").write_text(text)
                write_zero_point(network)
                changed = network(x)
                compare(name, "written", function(x), changed)
                print("another result:", not torch.equal(changed, expected), flush=True)
    # Activations of bytes, products of bf16.
    torch.manual_seed(0)
    x = torch.randn(8, 64).to(torch.bfloat16)
    network = quantize(Layers().eval().to(torch.bfloat16), x, quantizer(signed=False))
    with torch.no_grad():
        compare_narrow("unsigned bf16", compiled(network, directory / "narrow.cache")(x),
                       network(x))
    network, x = Layers().eval().to(torch.bfloat16), torch.randn(64, 64).to(torch.bfloat16)
    with torch.no_grad():
        function = compiled(network, directory / "bf16.cache")
        compare_narrow("bf16", function(x), network(x))
    keep_program(directory / "bf16.cache", directory / "bf16.compiled.mlir")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
