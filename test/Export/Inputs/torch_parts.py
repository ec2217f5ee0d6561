"""Graphs of which PyTorch runs some operations."""
import sys
import warnings

import torch

from pruner import torch_backend
from pruner.torch_backend import programs

cache = sys.argv[1]
torch.manual_seed(0)
torch.set_num_threads(1)


@torch.library.custom_op("parts_test::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return 2 * x


@twice.register_fake
def _(x):
    return torch.empty_like(x)


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = torch.nn.Conv2d(3, 8, 3, padding=1)
        self.norm = torch.nn.BatchNorm2d(8)
        self.linear = torch.nn.Linear(5, 7)

    def features(self, x):
        return torch.relu(self.norm(self.convolution(x)))


class Fourier(Block):  # Complex values between two parts.
    def forward(self, x):
        x = self.features(x)
        return self.linear(torch.fft.rfft(x).abs() + 1).softmax(-1), x.sum(1)


class Custom(Block):  # An operation that only PyTorch knows, twice, with views.
    def forward(self, x):
        x = twice(self.features(x).transpose(1, 2))
        halves = [half.contiguous() + 1 for half in x.chunk(2, dim=-1)]
        x = twice(torch.cat(halves, -1).flatten(1)).tanh()
        return x.reshape(2, -1, 8).mean(1) * 3 - 1


class Fold(Block):  # An operation whose decomposition cannot be lowered.
    def forward(self, x):
        x = self.features(x).reshape(2, 8, 64)[:, :, :49].repeat(1, 4, 1) * 2
        x = torch.nn.functional.fold(x - 1, (8, 8), 2)
        return (x * x + 1).relu().log()


class Sizes(Block):  # The size is an input of the graph, and of its result.
    def forward(self, x):
        x = self.features(x)
        return torch.fft.rfft(x).abs().softmax(-1) + x.shape[2], x.sum(1)


def report(name, module, x, *others, dynamic=None, **options):
    torch._dynamo.reset()
    torch_backend.graphs.clear()
    with torch.no_grad(), warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        expected = module(x)
        fast = torch.compile(module, backend=torch_backend.compile_graph, dynamic=dynamic,
                             options={"cache": cache, **options})
        right = all(torch.allclose(a, b, rtol=1e-4, atol=1e-5) and a.stride() == b.stride()
                    for _ in range(2) for a, b in zip(expected, fast(x)))
        for parameter in module.parameters():
            parameter.data.mul_(1.5)  # Parts detect changed parameters.
        right &= all(torch.allclose(a, b, rtol=1e-4, atol=1e-5)
                     for y in (x, *others) for a, b in zip(module(y), fast(y)))
        said = [each for each in said
                if issubclass(each.category, torch_backend.PrunerWarning)]
    (graph,) = torch_backend.graphs
    print(f"{name}: {right}, {graph.eager}, {graph.runs} runs, reason '{graph.reason}'")
    for each in said:
        print(f"  {str(each.message).partition(': ')[2]} {each.filename == __file__}")
    return graph


x = torch.randn(2, 3, 8, 8)
report("fourier", Fourier().eval(), x)
report("custom", Custom().eval(), x)
report("fold", Fold().eval(), x)
imports = []
imported = programs._imported
programs._imported = lambda *given: imports.append(given) or imported(*given)
report("fold again", Fold().eval(), x)
print("imports:", len(imports))  # Both the parts and the reason are cached.
w, y, z = (torch.randn(2, 3, size, 8) for size in (9, 10, 6))
graph = report("sizes", Sizes().eval(), w, y, z, y, dynamic=True)
print("libraries:", graph.sizes, graph.flops > 0)
graph = report("whole", torch.nn.Sequential(Block().convolution), x)
print("flops:", graph.flops > 0, graph.tuned == graph.flops)


class Little(torch.nn.Module):  # Too few other operations.
    def forward(self, x):
        return torch.fft.rfft(x).abs()


report("little", Little(), x)
try:
    torch._dynamo.reset()
    with torch.no_grad():
        torch.compile(Fourier().eval(), backend=torch_backend.compile_graph,
                      options={"cache": cache, "strict": True})(x)
except Exception as error:
    print("strict:", "complex" in str(error))
