"""Results of torch.compile: strides, views, tensors that are written, and other values."""
import sys
import warnings

import torch
from torch.utils._pytree import tree_leaves

from pruner import torch_backend

warnings.simplefilter("error", torch_backend.PrunerWarning)
torch.manual_seed(0)
torch.set_num_threads(1)


def behind(x):
    """The code after a graph views its transposed result."""
    y = (x + 1).t()
    torch._dynamo.graph_break()
    return y.t().view(-1)


def images(x):
    y = torch.nn.functional.avg_pool2d(x.reshape(1, 2, 3, 4).to(
        memory_format=torch.channels_last), 2)
    return y, y.permute(0, 2, 3, 1)


def views(x):
    y = x + 1
    return y, y.view(-1), y.t(), y[1:], y[:, ::2]


def written(x):
    x.add_(1)
    x[0] = 5
    x.t()[1, 1:3] *= 2
    return x, x.sum()


def same_twice(x):
    y = x * 2
    return y, y, x


FUNCTIONS = {
    "after a graph": behind, "images": images, "views": views, "written": written,
    "twice": same_twice, "others": lambda x: (x + 1, None, 3, {"a": [x.t() * 2]}),
    "inputs": lambda x: (x, x.t(), x[:, ::2], x * 2),
    "transposed": lambda x: ((x * 2).t(), torch.zeros_like(x.t()), x.t().exp()),
    "bytes": lambda x: ((x > 0).t(), x.abs().to(torch.uint8).t()),
    "double": lambda x: x * torch.tensor(0.7, dtype=torch.float64),
}


def memory(tensors):
    """Return the first tensor with the same memory, for each tensor."""
    places = [each.untyped_storage().data_ptr() for each in tensors]
    return [places.index(each) for each in places]


def tensors_of(value):
    return [each for each in tree_leaves(value) if isinstance(each, torch.Tensor)]


with torch.no_grad():
    for name, function in FUNCTIONS.items():
        torch._dynamo.reset()
        torch_backend.graphs.clear()
        x = torch.randn(6, 4)
        y = x.clone()
        expected = function(x)
        found = torch.compile(function, backend=torch_backend.compile_graph,
                              options={"cache": sys.argv[1], "strict": True})(y)
        others = [[each for each in tree_leaves(value) if not isinstance(each, torch.Tensor)]
                  for value in (found, expected)]
        a, b = tensors_of((found, y)), tensors_of((expected, x))
        print(f"{name}:", all(map(torch.allclose, a, b)),
              [each.stride() for each in a] == [each.stride() for each in b],
              memory(a) == memory(b), others[0] == others[1])

    def dynamic(x):
        return (x + 1).t(), (x * 2).sum(0)

    fast = torch.compile(dynamic, backend=torch_backend.compile_graph, dynamic=True,
                         options={"cache": sys.argv[1], "strict": True})
    for size in (3, 5):
        x = torch.randn(size, 4)
        print("dynamic:", all(map(torch.allclose, fast(x), dynamic(x))),
              fast(x)[0].stride() == dynamic(x)[0].stride())
