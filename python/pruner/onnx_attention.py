#===- onnx_attention.py - attention of ONNX as other operations ------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expands the operation Attention of ONNX, versions 23 to 25.

Products of f16 and bf16 are added up in f32. The softmax computes in f32, or in f64 if the
model says so, and its weights are rounded to the type of the values once. A row that is
entirely masked gives zero.
"""

import math

import numpy

from .onnx_emitter import Emitter


class AttentionEmitter(Emitter):
    """The parts that all operations for attention have in common. `type` is the type of
    the queries, `sums` that in which products are added up, and `precision` that of the
    softmax."""

    def __init__(self, make, node, query):
        super().__init__(make, node)
        wide, usual = make.onnx.TensorProto.DOUBLE, make.onnx.TensorProto.FLOAT
        self.type = make.type_of(query)
        self.sums = self.precision = wide if self.type == wide else usual

    def constant(self, value):
        """Return a constant of the softmax's type."""
        kind = self.make.onnx.helper.tensor_dtype_to_np_dtype(self.precision)
        return self.make.constant(numpy.array(value, kind), self.output)

    def before(self, value, shape):
        """Return a tensor of [batch, length, heads, size] with the heads before the length,
        and its shape."""
        batch, length, heads, size = shape
        return self("Transpose", value, perm=[0, 2, 1, 3]), [batch, heads, length, size]

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
        """Return the positions of the keys, along the last dimension."""
        return self("Range", self.integers(0), self.integers(count), self.integers(1))

    def places(self, count):
        """Return the positions of the queries, along the dimension before it."""
        return self("Unsqueeze", self.positions(count), self.integers([1]))

    def present(self, value, shape, past, output):
        """Return a tensor after the past one, and its shape."""
        if past:
            value = self("Concat", past, value, output=output, axis=2)
            return value, [*shape[:2], self.shape(past)[2] + shape[2], shape[3]]
        if output:
            self("Identity", value, output=output)
        return value, shape

    def product(self, a, b):
        """Return the product of two matrices of the type of the queries."""
        if self.sums != self.type:
            a, b = (self("Cast", each, to=self.sums) for each in (a, b))
        return self("MatMul", a, b)

    def scores(self, query, key, size):
        """Return the scores of heads of the given size, of the softmax's type."""
        scale = self.attributes.get("scale") or 1 / math.sqrt(size)
        scores = self.product(query, self("Transpose", key, perm=[0, 1, 3, 2]))
        if self.precision != self.sums:
            scores = self("Cast", scores, to=self.precision)
        return self("Mul", scores, self.constant(scale))

    def capped(self, scores):
        """Return the scores, limited if the operation says so."""
        cap = self.attributes.get("softcap")
        if not cap:
            return scores
        scores = self("Tanh", self("Div", scores, self.constant(cap)))
        return self("Mul", scores, self.constant(cap))

    def hidden(self, scores, allowed):
        """Return the scores with those lowered for which one of `allowed` is false."""
        for each in allowed:
            scores = self("Where", each, scores, self.constant(-math.inf))
        return scores

    def weights(self, scores, masked):
        """Return the softmax of rows, zero for those that are entirely masked, in the type
        of the queries."""
        if masked:
            most = self.reduce("ReduceMax", scores, [-1])
            powers = self("Exp", self("Sub", scores, most))
            weights = self("Div", powers, self.reduce("ReduceSum", powers, [-1]))
            empty = self("Equal", most, self.constant(-math.inf))
            weights = self("Where", empty, self.constant(0), weights)
        else:
            weights = self("Softmax", scores, axis=-1)
        return weights if self.precision == self.type else self("Cast", weights, to=self.type)

    def finish(self, weights, value, joined):
        """Write the product with the values to the first result, as a tensor of the shape
        `joined` with the heads after the length if it is not None."""
        result = self.product(weights, value)
        if self.type != self.sums:
            result = self("Cast", result, to=self.type)
        if not joined:
            return self("Identity", result, output=self.output)
        result = self("Transpose", result, perm=[0, 2, 1, 3])
        return self("Reshape", result, self.integers(joined), output=self.output)


class _Attention(AttentionEmitter):
    def __init__(self, make, node, inputs):
        super().__init__(make, node, inputs[0])
        if self.attributes.get("softmax_precision") == make.onnx.TensorProto.DOUBLE:
            self.precision = make.onnx.TensorProto.DOUBLE
        self.query, self.key, self.value, self.mask = inputs[:4]
        self.past, self.lengths = inputs[4:6], inputs[6]
        self.shapes = [self.shape(each) for each in inputs[:3]]

    def heads(self, value, shape, attribute):
        """Return a tensor [batch, heads, length, size], and its shape."""
        if len(shape) == 4:
            return value, shape
        return self.before(*self.split(value, shape, attribute))

    def allowed(self, queries, keys):
        """Return tensors of booleans, each false for keys that a query must not see."""
        left, right = (self.attributes.get(f"{side}_window_size", -1)
                       for side in ("left", "right"))
        if self.attributes.get("is_causal"):
            right = 0
        key = self.positions(keys)
        lengths = self.lengths and self("Unsqueeze", self.lengths, self.integers([1, 2, 3]))
        found = [self("Less", key, lengths)] if lengths else []
        if left < 0 and right < 0:
            return found
        query = self.places(queries)
        if self.past[0]:
            query = self("Add", query, self.integers(self.shape(self.past[0])[2]))
        elif lengths:
            query = self("Add", query, self("Sub", lengths, self.integers(queries)))
        if right >= 0:
            last = self("Add", query, self.integers(right)) if right else query
            found.append(self("LessOrEqual", key, last))
        if left >= 0:
            first = self("Sub", query, self.integers(left))
            found.append(self("GreaterOrEqual", key, first))
        return found

    def masked(self, scores, queries, keys):
        """Return the scores with those of masked keys lowered, and whether there are any."""
        allowed = self.allowed(queries, keys)
        if self.mask:
            mask, shape = self.mask, self.shape(self.mask)
            booleans = self.make.type_of(mask) == self.make.onnx.TensorProto.BOOL
            missing = keys - shape[-1] if shape[-1] != 1 or self.make.opset > 23 else 0
            if not booleans:
                mask = self("Cast", mask, to=self.precision)
            if missing:
                value = (self.make.constant(numpy.array(False), mask) if booleans
                         else self.constant(-math.inf))
                value = self("Expand", value, self.integers([*shape[:-1], missing]))
                mask = self("Concat", mask, value, axis=-1)
            if booleans:
                allowed.append(mask)
            else:
                scores = self("Add", scores, mask)
        return self.hidden(scores, allowed), bool(self.mask or allowed)

    def expand(self):
        *outputs, steps = [*self.node.output, "", "", ""][1:4]
        query, shape = self.heads(self.query, self.shapes[0], "q_num_heads")
        key, value = (
            self.present(*self.heads(each, sizes, "kv_num_heads"), past, output)
            for each, sizes, past, output in zip(
                (self.key, self.value), self.shapes[1:], self.past, outputs))
        batch, heads, queries, size = shape
        keys, columns = key[1][2], value[1][3]
        key, value = (self.repeated(*each, heads) for each in (key, value))
        # What qk_matmul_output_mode chooses.
        known = [self.scores(query, key, size)]
        known.append(self.capped(known[0]))
        scores, masked = self.masked(known[1], queries, keys)
        known += [scores, self.weights(scores, masked)]
        if steps:
            self("Cast", known[self.attributes.get("qk_matmul_output_mode", 0)],
                 output=steps, to=self.type)
        self.finish(known[3], value, [batch, queries, heads * columns]
                    if len(self.shapes[0]) == 3 else None)


def expand(make, node, inputs):
    _Attention(make, node, inputs).expand()


EXPANSIONS = {"Attention": expand}
