#===- onnx_fused.py - what ONNX Runtime's optimizer fuses, as others -------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expands the operations that ONNX Runtime's optimizer writes for a few others: products
and convolutions with an activation, GELU with a bias, embeddings with their norm.

Each function appends nodes to `make`, an expander. `inputs` are the names of all inputs,
empty where one is left out.
"""

import math

import numpy

from .onnx_emitter import Emitter


class _Fused(Emitter):
    def plain(self, operation, inputs):
        """Write the operation of the first three inputs without the activation."""
        kept = {name: value for name, value in self.attributes.items()
                if not name.startswith("activation")}
        return self(operation, *(inputs[:3] if inputs[2] else inputs[:2]), **kept)

    def gelu(self, value, output):
        inner = self("Erf", self("Mul", value, self.number(math.sqrt(0.5), value)))
        factor = self("Add", inner, self.number(1.0, value))
        return self("Mul", self("Mul", value, self.number(0.5, value)), factor, output=output)

    def with_bias(self, value, bias):
        return self("Add", value, bias) if bias else value

    def activated(self, value, output):
        """Write the activation that the operation names."""
        kind = self.attributes.get("activation", b"").decode()
        numbers = list(self.attributes.get("activation_params", []))
        number = [self.make.constant(numpy.array(each, numpy.float32), self.output)
                  for each in numbers]
        if kind in ("Relu", "Sigmoid", "Tanh"):
            return self(kind, value, output=output)
        if kind == "LeakyRelu":
            return self(kind, value, output=output, alpha=numbers[0] if numbers else 0.01)
        if kind == "HardSigmoid":
            alpha, beta = numbers or (0.2, 0.5)
            return self(kind, value, output=output, alpha=alpha, beta=beta)
        if kind == "Clip" and len(number) == 2:
            low = self("Where", self("Less", value, number[0]), number[0], value)
            return self("Where", self("Greater", low, number[1]), number[1], low,
                        output=output)
        return self.refuse(f"the activation '{kind}' is not supported")


def expand_gelu(make, node, inputs):
    """BiasGelu, and Gelu of Microsoft's domain."""
    emit = _Fused(make, node)
    emit.gelu(emit.with_bias(*inputs[:2]), emit.output)


def expand_fast_gelu(make, node, inputs):
    """The approximation by a hyperbolic tangent."""
    emit = _Fused(make, node)
    emit.tanh_gelu(emit.with_bias(*inputs[:2]))


def expand_quick_gelu(make, node, inputs):
    emit, value = _Fused(make, node), inputs[0]
    slope = emit.number(emit.attributes.get("alpha", 1.702), value)
    emit("Mul", value, emit("Sigmoid", emit("Mul", value, slope)), output=emit.output)


def expand_product(make, node, inputs):
    """FusedMatMul: a scaled product of matrices of which each may be transposed, also with
    the first batch dimension moved next to the last one."""
    emit = _Fused(make, node)
    operands = list(inputs[:2])
    for n, side in enumerate("AB"):
        order = list(range(len(emit.shape(operands[n]))))
        if emit.attributes.get(f"transBatch{side}"):
            order = [*order[1:-1], order[0], order[-1]]
        if emit.attributes.get(f"trans{side}") and len(order) > 1:
            order[-2:] = order[:-3:-1]
        if order != sorted(order):
            operands[n] = emit("Transpose", operands[n], perm=order)
    scale = emit.attributes.get("alpha", 1.0)
    product = emit("MatMul", *operands, output=emit.output if scale == 1 else None)
    if scale != 1:
        emit("Mul", product, emit.number(scale, product), output=emit.output)


def expand_convolution(make, node, inputs):
    """FusedConv: a convolution, a sum, and an activation."""
    emit = _Fused(make, node)
    value = emit.plain("Conv", inputs)
    emit.activated(emit.with_bias(value, inputs[3]), emit.output)


def expand_gemm(make, node, inputs):
    """FusedGemm: a product with a bias, and an activation."""
    emit = _Fused(make, node)
    emit.activated(emit.plain("Gemm", inputs), emit.output)


def expand_embedding(make, node, inputs):
    """EmbedLayerNormalization: the norm of the sum of the embeddings of words, positions and
    segments. The second result has the number of tokens of each sequence, and the third the
    sum."""
    emit = _Fused(make, node)
    words, segments, of_word, of_place, of_segment, scale, shift, mask, places = inputs[:9]
    outputs = [*node.output, "", ""]
    (batch, length) = emit.shape(words)
    total = emit("Gather", of_word, words)
    if places:
        placed = emit("Gather", of_place, places)
    else:
        placed = emit.sliced(of_place, 0, 0, length)
    total = emit("Add", total, placed, output=None if segments else outputs[2])
    if segments:
        total = emit("Add", total, emit("Gather", of_segment, segments), output=outputs[2])
    emit("LayerNormalization", total, scale, shift, output=emit.output, axis=-1,
         epsilon=emit.attributes.get("epsilon", 1e-12))
    if not outputs[1]:
        return
    if mask:
        counts = emit("ReduceSum", mask, emit.integers([1]), keepdims=0)
        emit("Cast", counts, output=outputs[1], to=make.onnx.TensorProto.INT32)
    else:
        zeros = make.constant(numpy.zeros(batch, numpy.int32), outputs[1])
        emit("Identity", zeros, output=outputs[1])


# By operation of Microsoft's domain.
EXPANSIONS = {
    "BiasGelu": expand_gelu,
    "EmbedLayerNormalization": expand_embedding,
    "FastGelu": expand_fast_gelu,
    "FusedConv": expand_convolution,
    "FusedGemm": expand_gemm,
    "FusedMatMul": expand_product,
    "Gelu": expand_gelu,
    "QuickGelu": expand_quick_gelu,
}
