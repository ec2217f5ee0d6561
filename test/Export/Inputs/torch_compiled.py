"""Several functions as one graph, for the tests of functions by torch.compile."""
import sys

import torch

from pruner import torch_backend


def compiled(functions, value):
    """Return the results of all functions, and those of eager PyTorch. The first argument
    of the program is the directory of the cache."""
    torch._dynamo.reset()
    torch_backend.graphs.clear()

    def run(value):
        return [function(value) for function in functions.values()]

    fast = torch.compile(run, backend=torch_backend.compile_graph,
                         options={"cache": sys.argv[1], "strict": True})
    return fast(value), run(value)
