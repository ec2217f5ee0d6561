#===- onnx_attention.py - attention of ONNX as other operations ------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expands the operation Attention of ONNX, versions 23 to 25.

Products of f16 and bf16 are added up in f32. The softmax computes in f32, or in f64 if the
model says so, and its weights are rounded to the type of the values once. A row that is
entirely masked gives zero.
"""

import math

import numpy

from .onnx_transformers import Emitter


class _Attention(Emitter):
    def __init__(self, make, node, inputs):
        super().__init__(make, node)
        self.query, self.key, self.value, self.mask = inputs[:4]
        self.past, self.lengths = inputs[4:6], inputs[6]
        if len(node.output) > 3 and node.output[3]:
            self.refuse(f"its result '{node.output[3]}' (qk_matmul_output) is not supported")
        self.type = make.type_of(self.query)
        self.shapes = [self.shape(each) for each in inputs[:3]]
        wide, usual = make.onnx.TensorProto.DOUBLE, make.onnx.TensorProto.FLOAT
        # The types in which products are added up, and of the softmax.
        self.sums = wide if self.type == wide else usual
        self.precision = (wide if self.attributes.get("softmax_precision") == wide
                          else self.sums)

    def constant(self, value):
        """Return a constant of the softmax's type."""
        kind = self.make.onnx.helper.tensor_dtype_to_np_dtype(self.precision)
        return self.make.constant(numpy.array(value, kind), self.output)

    def product(self, a, b):
        """Return the product of two matrices of the type of the queries."""
        if self.sums != self.type:
            a, b = (self("Cast", each, to=self.sums) for each in (a, b))
        return self("MatMul", a, b)

    def heads(self, value, shape, attribute):
        """Return a tensor [batch, heads, length, size], and its shape."""
        if len(shape) == 4:
            return value, shape
        parts, (batch, length, heads, size) = self.split(value, shape, attribute)
        return (self("Transpose", parts, perm=[0, 2, 1, 3]), [batch, heads, length, size])

    def present(self, value, shape, past, output):
        """Return a tensor after the past one, and its shape."""
        if past:
            value = self("Concat", past, value, output=output, axis=2)
            return value, [*shape[:2], self.shape(past)[2] + shape[2], shape[3]]
        if output:
            self("Identity", value, output=output)
        return value, shape

    def repeated(self, value, shape, heads):
        """Return a tensor with the values of each group for every head."""
        if shape[1] == heads:
            return value
        if heads % shape[1]:
            self.refuse(f"the queries have {heads} heads, expected a multiple of the "
                        f"{shape[1]} heads of the keys")
        group = [shape[0], shape[1], heads // shape[1], *shape[2:]]
        parts = self("Unsqueeze", value, self.integers([2]))
        parts = self("Expand", parts, self.integers(group))
        return self("Reshape", parts, self.integers([shape[0], heads, *shape[2:]]))

    def positions(self, count):
        return self("Range", self.integers(0), self.integers(count), self.integers(1))

    def allowed(self, queries, keys):
        """Return tensors of booleans, each false for keys that a query must not see."""
        left, right = (self.attributes.get(f"{side}_window_size", -1)
                       for side in ("left", "right"))
        if self.attributes.get("is_causal"):
            right = 0 if right < 0 else min(right, 0)
        key = self.positions(keys)
        lengths = self.lengths and self(
            "Unsqueeze", self.lengths, self.integers([1, 2, 3]))
        found = [self("Less", key, lengths)] if lengths else []
        if left < 0 and right < 0:
            return found
        query = self("Unsqueeze", self.positions(queries), self.integers([1]))
        if self.past[0]:
            offset = self.integers(self.shape(self.past[0])[2])
            query = self("Add", query, offset)
        elif lengths:
            offset = self("Sub", lengths, self.integers(queries))
            query = self("Add", query, offset)
        if right >= 0:
            last = self("Add", query, self.integers(right)) if right else query
            found.append(self("LessOrEqual", key, last))
        if left >= 0:
            first = self("Sub", query, self.integers(left))
            found.append(self("GreaterOrEqual", key, first))
        return found

    def masked(self, scores, queries, keys):
        """Return the scores with those of masked keys lowered, and whether there are any."""
        low, allowed = self.constant(-math.inf), self.allowed(queries, keys)
        if self.mask:
            mask, kind = self.mask, self.make.type_of(self.mask)
            shape = self.shape(mask)
            booleans = kind == self.make.onnx.TensorProto.BOOL
            missing = keys - shape[-1] if shape[-1] != 1 or self.make.opset > 23 else 0
            if not booleans:
                mask = self("Cast", mask, to=self.precision)
            if missing:
                outside = [*shape[:-1], missing]
                value = (self.make.constant(numpy.array(False), mask) if booleans else low)
                value = self("Expand", value, self.integers(outside))
                mask = self("Concat", mask, value, axis=-1)
            if booleans:
                allowed.append(mask)
            else:
                scores = self("Add", scores, mask)
        for each in allowed:
            scores = self("Where", each, scores, low)
        return scores, bool(self.mask or allowed)

    def weights(self, scores, masked):
        """Return the softmax of rows, zero for those that are entirely masked."""
        if not masked:
            return self("Softmax", scores, axis=-1)
        axes = self.integers([-1])
        most = self("ReduceMax", scores, axes, keepdims=1)
        powers = self("Exp", self("Sub", scores, most))
        sums = self("ReduceSum", powers, axes, keepdims=1)
        empty = self("Equal", most, self.constant(-math.inf))
        return self("Where", empty, self.constant(0),
                          self("Div", powers, sums))

    def expand(self):
        outputs = [*self.node.output, "", "", ""][:3]
        query, shape = self.heads(self.query, self.shapes[0], "q_num_heads")
        key, value = (
            self.present(*self.heads(each, sizes, "kv_num_heads"), past, output)
            for each, sizes, past, output in zip(
                (self.key, self.value), self.shapes[1:], self.past, outputs[1:]))
        batch, heads, queries, size = shape
        keys, columns = key[1][2], value[1][3]
        key, value = (self.repeated(*each, heads) for each in (key, value))

        scores = self.product(query, self("Transpose", key, perm=[0, 1, 3, 2]))
        if self.precision != self.sums:
            scores = self("Cast", scores, to=self.precision)
        scale = self.attributes.get("scale") or 1 / math.sqrt(size)
        scores = self("Mul", scores, self.constant(scale))
        if cap := self.attributes.get("softcap"):
            scores = self("Tanh", self("Div", scores, self.constant(cap)))
            scores = self("Mul", scores, self.constant(cap))
        scores, masked = self.masked(scores, queries, keys)
        weights = self.weights(scores, masked)
        if self.precision != self.type:
            weights = self("Cast", weights, to=self.type)
        result = self.product(weights, value)
        if self.type != self.sums:
            result = self("Cast", result, to=self.type)
        if len(self.shapes[0]) == 4:
            return self("Identity", result, output=outputs[0])
        result = self("Transpose", result, perm=[0, 2, 1, 3])
        return self("Reshape", result, self.integers([batch, queries, heads * columns]),
                          output=outputs[0])


def expand(make, node, inputs):
    _Attention(make, node, inputs).expand()


EXPANSIONS = {"Attention": expand}
