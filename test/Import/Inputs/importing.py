#===- importing.py - models for pruner.importing ---------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes NAME.onnx, NAME.pt2 and dynamic.onnx, and compares libraries with PyTorch.

    importing.py make NAME
    importing.py call LIBRARY [WEIGHTS]
    importing.py compile NAME
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
    sys.exit()

import pruner

with torch.no_grad():
    want = list(network(*inputs).values())


def report(net, got):
    close = all(torch.allclose(torch.as_tensor(g), w, atol=1e-5) for g, w in zip(got, want))
    return f"{[t.name for t in net.free_inputs]} {[t.name for t in net.outputs]} close: {close}"


if sys.argv[1] == "call":
    net = pruner.load(sys.argv[2])
    if len(sys.argv) > 3:
        net = net.bind_file(sys.argv[3])
    print(report(net, net(image=inputs[0].numpy(), scale=inputs[1].numpy())))
else:
    import onnx

    name = sys.argv[2]
    models = {"module": network, "exported": torch.export.export(network, inputs),
              "pt2": name + ".pt2", "onnx": name + ".onnx", "proto": onnx.load(name + ".onnx"),
              "dynamic": "dynamic.onnx"}
    network.norm.train()
    for kind, model in models.items():
        examples = inputs if kind in ("module", "dynamic") else None
        net = pruner.compile(model, examples, threads=1)
        tensors = net(*inputs)
        same = all(isinstance(t, torch.Tensor) and (t.numpy() == a).all() for t, a in
                   zip(tensors, net(*(each.numpy() for each in inputs))))
        print(f"{kind}: {report(net, tensors)}, tensors: {same}")
    print("still in training:", network.norm.training, flush=True)
    for call in (lambda: pruner.compile(network), lambda: net(inputs[0].to("meta"), inputs[1])):
        try:
            call()
        except (pruner.PrunerError, pruner.NetworkError) as error:
            print("refused:", error)
