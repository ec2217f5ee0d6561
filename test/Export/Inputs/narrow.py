"""Networks in bf16 and f16: exported, compiled, and compared with PyTorch.

    narrow.py DIRECTORY
"""
import pathlib
import re
import sys

import torch

import pruner
from pruner.importing import import_model
from pruner_tools.export import export_module

torch.manual_seed(0)
directory = pathlib.Path(sys.argv[1])


class Sums(torch.nn.Module):
    """Sums of integers that f32 adds exactly, and bf16 does not."""

    def forward(self, x):
        return x.sum(-1), x.mean(0)


class Products(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Sequential(
            torch.nn.Conv2d(16, 32, 3, padding=1), torch.nn.ReLU(), torch.nn.Flatten(2),
            torch.nn.Linear(64, 96), torch.nn.GELU(), torch.nn.Linear(96, 64))

    def forward(self, x):
        return self.body(x)


class Functions(torch.nn.Module):
    """Functions of several steps, which PyTorch computes in f32."""

    def forward(self, x):
        y = torch.nn.functional.layer_norm(x, x.shape[-1:])
        y = torch.nn.functional.gelu(y) + torch.nn.functional.silu(y + 0.3)
        return torch.nn.functional.mish(y).log_softmax(-1)


class Attention(torch.nn.Module):
    """The decomposed attention has another layout than the one that is viewed."""

    def forward(self, x):
        y = x.view(2, 5, 3, 4).transpose(1, 2)
        y = torch.nn.functional.scaled_dot_product_attention(y, y, y)
        return y.transpose(1, 2).reshape(2, 5, 12).view(10, 12)


class Composite(torch.nn.Module):
    """Operations whose parts are composite as well."""

    def forward(self, x):
        F = torch.nn.functional
        y = F.adaptive_avg_pool1d(x, 4) + F.max_pool1d(x, 3, 3)
        y = F.pad(y, (1, 2), mode="circular").repeat_interleave(2, 1)
        return F.nll_loss(F.log_softmax(y[0], 1), torch.arange(y.shape[1]) % 7) + torch.hstack([y, y])


class Autocast(torch.nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x):
        with torch.autocast("cpu", torch.bfloat16):
            return self.module(x)


def attribute(text):
    return (re.search(r"pruner\.accuracy = (\[.*?\])", text) or ["", "none"])[1]


for kind in (torch.bfloat16, torch.float16):
    x = torch.randint(0, 9, (8, 999)).to(kind)
    export_module(Sums(), (x,), name="sums", directory=directory)
    text = (directory / "sums.mlir").read_text()
    assert attribute(import_model(Sums(), x).text) == attribute(text)
    got, want = pruner.compile(Sums(), (x,), threads=1), Sums()(x)
    print(kind, attribute(text), [bool((a == b).all()) for a, b in zip(got(x), want)])

for kind in (torch.bfloat16, torch.float16):
    x = torch.randn(64, 33).to(kind)
    got, want = pruner.compile(Functions(), (x,), threads=1)(x), Functions()(x)
    exact = Functions()(x.double())
    error, allowed = ((each.double() - exact).abs().max() for each in (got, want))
    print(kind, "functions", bool(error <= 1.5 * allowed))

x = torch.randn(2, 5, 12).bfloat16()
got, want = pruner.compile(Attention(), (x,), threads=1)(x), Attention()(x)
print("attention", bool((got - want).abs().max() <= 2 ** -7 * want.abs().max()))

x = torch.randn(2, 3, 12).bfloat16()
got, want = pruner.compile(Composite(), (x,), threads=1)(x), Composite()(x)
print("composite", bool((got - want).abs().max() <= 2 ** -6 * want.abs().max()))

for kind in (torch.bfloat16, torch.float16, "autocast"):
    module, x = Products().eval(), torch.randn(4, 16, 8, 8)
    with torch.no_grad():
        exact = module.double()(x.double())
    module = module.float()
    if kind == "autocast":
        module = Autocast(module)
    else:
        module, x = module.to(kind), x.to(kind)
    text = import_model(module, x).text
    # Convolution and products read narrow factors in their bodies.
    tasks = pruner.Module.parse(text).run("pruner-normalize,pruner-extract-tasks")
    narrow = re.findall(r"linalg\.(?:matmul|generic).*? ins\([^)]*x(?:bf16|f16)>, tensor<[^)]*x(?:bf16|f16)>\)"
                        r" outs\([^)]*xf32>\)", str(tasks))
    with torch.no_grad():
        want = module(x).double()
    got = pruner.compile(module, (x,), threads=1)(x).double()
    error, allowed = ((each - exact).abs().max() for each in (got, want))
    print(kind, attribute(text), len(narrow), bool(error <= 2 * allowed))
