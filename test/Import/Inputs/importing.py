#===- importing.py - models for pruner.importing ---------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes NAME.onnx, NAME.pt2 and dynamic.onnx, and compares libraries with PyTorch.

    importing.py make NAME
    importing.py call LIBRARY [WEIGHTS]
"""
import sys

import torch


class Network(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = torch.nn.Conv2d(3, 16, 3, padding=1)
        self.norm = torch.nn.BatchNorm2d(16)
        self.linear = torch.nn.Linear(16 * 8 * 8, 10)

    def forward(self, image, scale):
        y = torch.relu(self.norm(self.convolution(image))) * scale
        return {"logits": self.linear(y.flatten(1)), "mean": y.mean((2, 3))}


torch.manual_seed(0)
network, inputs = Network().eval(), (torch.rand(2, 3, 8, 8), torch.rand(1))
if sys.argv[1] == "make":
    names = {"input_names": ["image", "scale"], "output_names": ["logits", "mean"]}
    torch.export.save(torch.export.export(network, inputs), sys.argv[2] + ".pt2")
    torch.onnx.export(network, inputs, sys.argv[2] + ".onnx", dynamo=True, **names)
    torch.onnx.export(network, inputs, "dynamic.onnx", dynamo=False, **names,
                      dynamic_axes={"image": {0: "n"}})
else:
    import pruner

    net = pruner.load(sys.argv[2])
    if len(sys.argv) > 3:
        net = net.bind_file(sys.argv[3])
    got = net(image=inputs[0].numpy(), scale=inputs[1].numpy())
    with torch.no_grad():
        want = network(*inputs)
    close = all(torch.allclose(torch.from_numpy(g), w, atol=1e-5)
                for g, w in zip(got, want.values()))
    print([t.name for t in net.free_inputs], [t.name for t in net.outputs], "close:", close)
