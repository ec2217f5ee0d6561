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


def tensors(arrays, problem):
    """Return tensors that share the memory of arrays."""
    if problem.types == "bf16":
        return [torch.from_numpy(v.view("int16")).view(torch.bfloat16) for v in arrays]
    return [torch.from_numpy(v) for v in arrays]


def array(tensor):
    """Return the values of a tensor of any type."""
    return tensor.contiguous().to(torch.float64).numpy()


def channels_last(tensor):
    if tensor.dim() != 4:
        return tensor
    return tensor.contiguous(memory_format=torch.channels_last)


class Eager(Peer):
    name, types, nhwc = "torch", ("f32", "bf16", "f16"), False

    def build(self, problem):
        torch.set_num_threads(problem.threads)
        self.operands = tensors(problem.inputs, problem)
        if self.nhwc:
            self.operands = [channels_last(v) for v in self.operands]
        self.function = function(problem.kind, problem.get)

    def detail(self):
        return "eager, " + torch.__version__

    def run(self):
        self.out = self.function(*self.operands)

    def result(self):
        return array(self.out)


class EagerNhwc(Eager):
    name, nhwc = "torch-nhwc", True

    @staticmethod
    def applies(problem):
        return problem.image


class Inductor(Peer):
    """torch.compile of a module that holds the weights, frozen."""

    name, types = "inductor", ("f32", "bf16", "f16")
    nhwc, dynamic_rows = False, False

    @staticmethod
    def packed(problem):
        return bool(problem.weights)

    def build(self, problem):
        import torch._inductor.config as config
        torch.set_num_threads(problem.threads)
        torch._dynamo.reset()
        config.freezing = config.max_autotune = True
        inputs = tensors(problem.activations, problem)
        weights = tensors(problem.weights, problem)
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
            def __init__(self):
                super().__init__()
                self.weights = torch.nn.ParameterList(
                    torch.nn.Parameter(w, requires_grad=False) for w in weights)

            def forward(self, *operands):
                return compute(*operands, *self.weights)

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
        return array(self.out)


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

    name, types = "onednn-packed", ("f32", "bf16", "f16")

    @staticmethod
    def applies(problem):
        return problem.kind in ("mm", "mm_bias_gelu")

    @staticmethod
    def packed(problem):
        return True

    def build(self, problem):
        torch.set_num_threads(problem.threads)
        x, w, *rest = tensors(problem.inputs, problem)
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
        return array(self.out)


class OneDnnInteger(Peer):
    """oneDNN's products of bytes with a weight that was reordered once, as PyTorch's
    quantized networks call them. The result is the sum, converted to f32: torch does
    not return integers."""

    name, types, nhwc = "onednn-int8-packed", ("u8s8", "s8s8"), False

    @staticmethod
    def applies(problem):
        return problem.kind in ("mm", "conv")

    @staticmethod
    def packed(problem):
        return True

    def build(self, problem):
        torch.set_num_threads(problem.threads)
        x, w = tensors(problem.inputs, problem)
        ones = torch.ones(w.shape[1 if problem.kind == "mm" else 0])
        zeros = torch.zeros(ones.shape, dtype=torch.int32)
        ops = torch.ops.onednn
        if problem.kind == "mm":
            packed = ops.qlinear_prepack(w.t().contiguous().t(), list(x.shape))
            self.call = lambda: ops.qlinear_pointwise(
                x, 1.0, 0, packed, ones, zeros, None, 1.0, 0, torch.float32,
                "none", [], "")
            return
        stride, pad = [problem.get("s")] * 2, [problem.get("p", 0)] * 2
        packed = ops.qconv_prepack(w, ones, 1.0, 0, stride, pad, [1, 1], 1,
                                   list(x.shape))
        x = channels_last(x) if self.nhwc else x
        self.call = lambda: ops.qconv_pointwise(
            x, 1.0, 0, packed, ones, zeros, None, stride, pad, [1, 1], 1, 1.0, 0,
            torch.float32, "none", [], "")

    def detail(self):
        return "results in f32"

    def run(self):
        self.out = self.call()

    def result(self):
        # Sums above 2^24 are rounded to f32.
        values = array(self.out)
        near = abs(values - self.problem.expected) <= abs(values) * 2 ** -24
        values[near] = self.problem.expected[near]
        return values


class OneDnnIntegerNhwc(OneDnnInteger):
    name, nhwc = "onednn-int8-packed-nhwc", True

    @staticmethod
    def applies(problem):
        return problem.kind == "conv"


PEERS = [Eager, EagerNhwc, OneDnnPacked, OneDnnInteger, OneDnnIntegerNhwc,
         Inductor, InductorDynamic, InductorNhwc]


def version():
    return "%s, %s kernels" % (torch.__version__,
                               torch.backends.cpu.get_cpu_capability())
