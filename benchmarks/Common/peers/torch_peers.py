#===- torch_peers.py - PyTorch, Inductor and its oneDNN --------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch: eager, compiled by Inductor, and oneDNN with packed weights.

Variants ending in -nhwc hold images channels-last, a layout that the peer may choose.
"""

import torch
import torch.nn.functional as F

from problem import Peer
from pruner_tools.torch_operations import function

torch.set_grad_enabled(False)


def channels_last(tensor):
    if tensor.dim() != 4:
        return tensor
    return tensor.contiguous(memory_format=torch.channels_last)


class Eager(Peer):
    name, nhwc = "torch", False

    def build(self, problem):
        torch.set_num_threads(problem.threads)
        self.operands = [torch.from_numpy(v) for v in problem.inputs]
        if self.nhwc:
            self.operands = [channels_last(v) for v in self.operands]
        self.function = function(problem.kind, problem.get)

    def detail(self):
        return "eager, " + torch.__version__

    def run(self):
        self.out = self.function(*self.operands)

    def result(self):
        return self.out.contiguous().numpy()


class EagerNhwc(Eager):
    name, nhwc = "torch-nhwc", True

    @staticmethod
    def applies(problem):
        return problem.image


class Inductor(Peer):
    """torch.compile of a module that holds the weights, frozen."""

    name, nhwc, dynamic_rows = "inductor", False, False

    @staticmethod
    def packed(problem):
        return bool(problem.weights)

    def build(self, problem):
        import torch._inductor.config as config
        torch.set_num_threads(problem.threads)
        torch._dynamo.reset()
        config.freezing = config.max_autotune = True
        inputs = [torch.from_numpy(v) for v in problem.activations]
        weights = [torch.from_numpy(v) for v in problem.weights]
        compute = function(problem.kind, problem.get)
        if problem.kind in ("mm", "mm_bias_gelu"):
            # The form of networks, which Inductor packs: a linear layer, whose weight
            # is N x K.
            weights[0] = weights[0].t().contiguous()
            compute = (F.linear if problem.kind == "mm" else
                       lambda x, w, b: F.gelu(F.linear(x, w, b)))
        if self.nhwc:
            inputs = [channels_last(v) for v in inputs]
            weights = [channels_last(v) for v in weights]

        class Module(torch.nn.Module):
            def __init__(module):
                super().__init__()
                module.weights = torch.nn.ParameterList(
                    torch.nn.Parameter(w, requires_grad=False) for w in weights)

            def forward(module, *operands):
                return compute(*operands, *module.weights)

        dynamic = None if self.dynamic_rows else False
        self.compiled = torch.compile(Module().eval(), dynamic=dynamic)
        if self.dynamic_rows:
            torch._dynamo.mark_dynamic(inputs[0], 0)
        self.inputs = inputs
        self.run()

    def detail(self):
        return "torch.compile, frozen, " + torch.__version__

    def run(self):
        self.out = self.compiled(*self.inputs)

    def result(self):
        return self.out.contiguous().numpy()


class InductorNhwc(Inductor):
    name, nhwc = "inductor-nhwc", True

    @staticmethod
    def applies(problem):
        return problem.image


class InductorDynamic(Inductor):
    """With a static number of rows Inductor packs for MKL, with a dynamic one for
    oneDNN, which is faster on some CPUs."""

    name, dynamic_rows = "inductor-dynamic", True

    @staticmethod
    def applies(problem):
        return (problem.kind in ("mm", "mm_bias_gelu")
                and problem.get("m") > 1)


class OneDnnPacked(Peer):
    """oneDNN's inner product with a weight that was reordered once. torch supports it,
    but chooses MKL for f32 by default."""

    name = "onednn-packed"

    @staticmethod
    def applies(problem):
        return problem.kind in ("mm", "mm_bias_gelu")

    @staticmethod
    def packed(problem):
        return True

    def build(self, problem):
        torch.set_num_threads(problem.threads)
        x, w, *rest = [torch.from_numpy(v) for v in problem.inputs]
        packed = torch.ops.mkldnn._reorder_linear_weight(
            w.t().contiguous(), problem.get("m"))
        bias = rest[0] if rest else None
        after = "gelu" if problem.kind == "mm_bias_gelu" else "none"
        algorithm = "none" if rest else ""
        linear = torch.ops.mkldnn._linear_pointwise
        self.call = lambda: linear(x, packed, bias, after, [], algorithm)

    def detail(self):
        return "inner product, weight reordered ahead of time"

    def run(self):
        self.out = self.call()

    def result(self):
        return self.out.numpy()


PEERS = [Eager, EagerNhwc, OneDnnPacked, Inductor, InductorDynamic,
         InductorNhwc]


def version():
    return "%s, %s kernels" % (torch.__version__,
                               torch.backends.cpu.get_cpu_capability())
