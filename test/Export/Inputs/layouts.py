"""Views of the memory of a tensor, by torch.compile and by the exporter, compared with
eager PyTorch."""
import sys
import warnings

import numpy
import torch

import pruner
from pruner import torch_backend

torch.manual_seed(0)
torch.set_num_threads(1)

x, images = torch.randn(4, 6), torch.randn(2, 3, 4, 5)
FUNCTIONS = {
    "same": (lambda x: x.as_strided((4, 6), (6, 1)) * 2, x),
    "in the order of memory": (lambda x: (x + 1).t().as_strided((24,), (1,)) * 2, x),
    "permuted": (lambda x: (x + 1).permute(3, 0, 2, 1).as_strided((2, 12, 5), (60, 5, 1)) * 2,
                 images),
    "an input that is not contiguous": (lambda x: x.as_strided((3, 8), (8, 1)) * 2, x.t()),
    "overlapping": (lambda x: x.exp().as_strided((5, 3), (2, 1), 3) * 2, x),
    # PyTorch restrides the result.
    "pooled": (lambda x: torch.nn.functional.adaptive_avg_pool2d(x.permute(0, 3, 1, 2), 1) * 2,
               images),
    # Elements between those of the tensor, before and after them.
    "a column": (lambda x: (x * 1.5)[:, 1].as_strided((2,), (3,)) * 2, x),
    "before": (lambda x: (x * 1.5)[1:].as_strided((2, 2), (3, 1), 0) * 2, x),
    "after": (lambda x: (x * 1.5)[:2].as_strided((24,), (1,)) * 2, x),
}


class Function(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.forward = function


def exported(function, value):
    result = pruner.compile(Function(function), (value,), trials=0, progress=None)(value.numpy())
    return torch.from_numpy(numpy.array(result))


for name, (function, value) in FUNCTIONS.items():
    torch._dynamo.reset()
    torch_backend.graphs.clear()
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = function(value)
        found = torch.compile(function, backend=torch_backend.compile_graph,
                              options={"cache": sys.argv[1]})(value)
        close = [torch.allclose(found, expected)]
        if value.is_contiguous():
            close.append(torch.allclose(exported(function, value), expected))
    print(f"{name}:", *close, torch_backend.graphs[0].reason or "compiled")
