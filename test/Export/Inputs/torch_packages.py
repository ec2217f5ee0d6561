"""An exported program as one library, in a process without PyTorch's backend."""
import subprocess
import sys

import numpy
import torch

from pruner import torch_backend

path, cache = sys.argv[1:]
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.BatchNorm2d(8), torch.nn.ReLU(),
                          torch.nn.Flatten(), torch.nn.Linear(800, 5)).eval()
x = torch.randn(2, 3, 12, 12)
exported = torch.export.export(net, (x,))
for options in ({}, {"trials": 2, "cache": cache}):
    print("path:", torch_backend.aot_compile(exported, path, options=options) == path)
    numpy.save(path + ".npy", x.numpy())
    script = f"""
import sys, numpy, pruner
y = pruner.load({path!r})(numpy.load({path + ".npy"!r}))
assert "torch" not in sys.modules
numpy.save({path + ".y.npy"!r}, y)
"""
    subprocess.run([sys.executable, "-c", script], check=True)
    with torch.no_grad():
        print("right:", numpy.allclose(numpy.load(path + ".y.npy"), net(x), rtol=1e-4, atol=1e-5))
for what, arguments in (("model", {}), ("mode", {"mode": "nonsense"})):
    try:
        torch_backend.aot_compile(net if what == "model" else exported, path, **arguments)
    except (TypeError, ValueError) as error:
        print("refused:", error)
