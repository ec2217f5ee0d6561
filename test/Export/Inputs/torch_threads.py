"""Threads of networks in a process with PyTorch: those of its OpenMP runtime, if both use
the same number, so that the two do not compete for the cores."""
import os
import sys

import torch

import pruner
from pruner import torch_backend

cache = sys.argv[1]
torch.manual_seed(0)
torch.set_num_threads(2)
net = torch.nn.Sequential(torch.nn.Conv2d(16, 32, 3), torch.nn.ReLU(),
                          torch.nn.Conv2d(32, 16, 3)).eval()
x = torch.randn(1, 16, 30, 30)


def compiled(**options):
    torch._dynamo.reset()
    return torch.compile(net, backend=torch_backend.compile_graph,
                         options={"cache": cache, **options})


def report(what, run):
    """Print how many threads a run has left that were not there before."""
    before = len(os.listdir("/proc/self/task"))
    right = torch.allclose(run(x), expected, rtol=1e-4, atol=1e-5)
    print(f"{what}: {right}, {len(os.listdir('/proc/self/task')) - before} threads")


with torch.no_grad():
    expected = net(x)
    compiled(threads=1)(x)  # Now all threads of PyTorch and its compiler run.
    report("torch.compile, as many as PyTorch", compiled())
    loaded = pruner.compile(net, (x,), trials=0, threads=2, progress=None)
    report("loaded, as many", loaded)
    loaded.threads = 3
    report("loaded, more", loaded)
    loaded.threads = 2
    report("as many again", loaded)
    torch.set_num_threads(1)
    report("torch.compile, more", compiled(threads=2))
