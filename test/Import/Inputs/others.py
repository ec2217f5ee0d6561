#===- others.py - networks in other formats compared with PyTorch ----------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes an ONNX file, and compares libraries with the results of PyTorch.

    others.py make FILE.onnx
    others.py onnx LIBRARY
    others.py stablehlo LIBRARY
"""
import sys

import torch


class Network(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = torch.nn.Conv2d(3, 16, 3, padding=1)
        self.linear = torch.nn.Linear(16, 10)

    def forward(self, x):
        return self.linear(torch.relu(self.convolution(x)).mean((2, 3)))


def compare(library, want, *inputs):
    import pruner
    got = pruner.load(library)(*(x.numpy() for x in inputs))
    got = got if isinstance(got, tuple) else (got,)
    worst = max(float((torch.from_numpy(g.copy()) - w).abs().max()) for g, w in zip(got, want))
    print("close:", worst < 1e-5, "of", max(float(w.abs().max()) for w in want) > 0.05)


torch.manual_seed(0)
command, path = sys.argv[1:]
with torch.no_grad():
    if command == "stablehlo":
        x, w, b = torch.randn(24, 64), torch.randn(64, 32) / 8, torch.randn(32)
        image, window = torch.randn(1, 9, 9, 8), torch.randn(3, 3, 8, 16) / 8
        layer = torch.nn.functional.conv2d(image.permute(0, 3, 1, 2), window.permute(3, 2, 0, 1))
        compare(path, (torch.softmax(x @ w + b, 1), layer.permute(0, 2, 3, 1)),
                x, w, b, image, window)
    else:
        network, x = Network().eval(), torch.randn(1, 3, 16, 16)
        if command == "make":
            torch.onnx.export(network, (x,), path, dynamo=True, verbose=False)
        else:
            compare(path, (network(x),), x)
