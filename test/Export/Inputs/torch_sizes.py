"""torch.compile by Pruner for calls of several sizes, compared with eager PyTorch."""
import sys
import warnings

import torch
from torch.utils._pytree import tree_leaves

from pruner import torch_backend

cache = sys.argv[1]
warnings.simplefilter("error", torch_backend.PrunerWarning)
torch.manual_seed(0)
torch.set_num_threads(1)


def check(what, model, make, calls, dynamic=None, mark=False, **options):
    """Print the number of runs and of libraries of each graph, and wrong calls."""
    torch._dynamo.reset()
    torch_backend.graphs.clear()
    fast = torch.compile(model, backend=torch_backend.compile_graph, dynamic=dynamic,
                         options={"cache": cache, "strict": True, **options})
    wrong = []
    with torch.no_grad():
        for size in calls:
            x = make(size)
            if mark:
                torch._dynamo.mark_dynamic(x, 0)
            found, expected = fast(x), model(x)
            for a, b in zip(tree_leaves(found), tree_leaves(expected)):
                if not (torch.allclose(a, b, rtol=1e-4, atol=1e-5)
                        if isinstance(a, torch.Tensor) else a == b):
                    wrong.append(size)
    print(f"{what}: {[(graph.runs, graph.sizes) for graph in torch_backend.graphs]} "
          f"wrong: {wrong}")
    return fast


class Net(torch.nn.Module):
    """The size decides results in several ways. One result is a number."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 8, 3, padding=1)
        self.norm = torch.nn.BatchNorm2d(8)
        self.head = torch.nn.Linear(8, 5)

    def forward(self, x):
        y = torch.relu(self.norm(self.conv(x)))
        z = torch.nn.functional.interpolate(y, scale_factor=2)
        return (self.head(z.mean((2, 3))), y.flatten(1).sum(1) / x.shape[0], x.shape[0] * 2,
                x[:, 1], torch.arange(x.shape[2]) + x.shape[3])


linear = torch.nn.Sequential(torch.nn.Linear(6, 16), torch.nn.ReLU(),
                             torch.nn.Linear(16, 4)).eval()
net = Net().eval()
rows = lambda size: torch.randn(size, 6)
check("default", linear, rows, [8, 16, 8, 32, 1])
check("dynamic", linear, rows, [8, 16, 8, 32, 1], dynamic=True)
check("static", linear, rows, [8, 16, 8, 32], dynamic=False)
check("marked", linear, rows, [8, 16, 8], mark=True)
check("images", net, lambda size: torch.randn(2, 3, size, size + 2), [12, 14, 12, 17])
# Two libraries in memory: 8 is compiled by the static graph, 16 and 32 by the dynamic one.
# 5 and 6 run in eager PyTorch at first, and replace 16 and 32 when they come back.
check("few", linear, rows, [8, 16, 32, 5, 6, 32, 5, 6, 6, 16], sizes=2)
# A number that changes becomes an input of the graph.
factor = 2
check("number", lambda x: x * factor, rows, [4, 4])
torch._dynamo.reset()
torch_backend.graphs.clear()
scaled = torch.compile(lambda x, by: x * by + by, backend=torch_backend.compile_graph,
                       options={"cache": cache, "strict": True})
with torch.no_grad():
    x = torch.ones(3)
    print("numbers:", [scaled(x, by).tolist()[0] for by in (2, 3, 4, 2)],
          [(graph.runs, graph.sizes) for graph in torch_backend.graphs])
    print("floats:", [scaled(x, by).tolist()[0] for by in (0.5, 1.5, 2.5)])

# Weights that are written to reach the libraries of all sizes.
fast = check("weights", linear, rows, [8, 16])
linear[0].weight.data.mul_(3)
with torch.no_grad():
    print("written:", all(torch.allclose(fast(x), linear(x), rtol=1e-4, atol=1e-5)
                          for x in map(rows, (8, 16, 24))))


# A graph that can be compiled for some sizes only.
def fails(x):
    return x[:x.shape[0] - 4].reshape(-1, 2) * 2


warnings.simplefilter("always")
with warnings.catch_warnings(record=True) as caught, torch.no_grad():
    warnings.simplefilter("always")
    torch._dynamo.reset()
    torch_backend.graphs.clear()
    fast = torch.compile(fails, backend=torch_backend.compile_graph, dynamic=True,
                         options={"cache": cache})
    good = [torch.equal(fast(x), fails(x)) for x in map(rows, (8, 10, 4, 4, 8))]
said = [w for w in caught if issubclass(w.category, torch_backend.PrunerWarning)]
print("fails for a size:", good, torch_backend.graphs[0].runs > 0,
      {w.filename == __file__ for w in said})
