#===- onnx_transformers.py - functions of language models as others --------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expands functions of ONNX, versions 23 and 24, that torch-mlir does not lower: those of
language models.

Each function appends nodes to `make`, an expander. `inputs` are the names of all inputs,
empty where one is left out.
"""

import numpy

from .lowering import ModelError


class Emitter:
    """Appends nodes for `node`. Results without a name get one."""

    def __init__(self, make, node):
        self.make, self.node, self.output = make, node, node.output[0]
        self.attributes = {each.name: make.onnx.helper.get_attribute_value(each)
                           for each in node.attribute}

    def __call__(self, operation, *operands, output=None, **attributes):
        return self.make.add(operation, operands, output or self.make.name(self.output),
                             **attributes)

    def integers(self, values):
        return self.make.constant(numpy.array(values, numpy.int64), self.output)

    def number(self, value, like):
        return self("CastLike", self.make.constant(numpy.array(value), self.output), like)

    def refuse(self, reason):
        raise ModelError(f"the operation {self.node.op_type} "
                         f"'{self.node.name or self.output}': {reason}")

    def shape(self, name):
        shape = self.make.shape_of(name)
        if shape is None:
            self.refuse(f"the shape of '{name}' is not known")
        return shape

    def split(self, value, shape, attribute):
        """Return a tensor [batch, length, heads, size] and its shape. `attribute` is the
        number of heads."""
        count = self.attributes.get(attribute)
        if len(shape) != 3 or not count or shape[2] % count:
            self.refuse(f"'{value}' has the shape {'x'.join(map(str, shape))}, expected four "
                        f"dimensions, or three and a divisor of the last one as {attribute}")
        parts = [shape[0], shape[1], count, shape[2] // count]
        return self("Reshape", value, self.integers(parts)), parts


def expand_norm(make, node, inputs):
    """The norm is computed in f32 (stash_type). Its result has the type of the input before
    it is scaled."""
    emit, (value, scale) = Emitter(make, node), inputs[:2]
    rank = len(emit.shape(value))
    axes = emit.integers(list(range(emit.attributes.get("axis", -1) % rank, rank)))
    wide = emit("Cast", value, to=emit.attributes.get("stash_type", 1))
    mean = emit("ReduceMean", emit("Mul", wide, wide), axes, keepdims=1)
    epsilon = emit.number(emit.attributes.get("epsilon", 1e-5), mean)
    norm = emit("Div", wide, emit("Sqrt", emit("Add", mean, epsilon)))
    emit("Mul", emit("CastLike", norm, value), scale, output=emit.output)


def expand_rotation(make, node, inputs):
    """Rotates pairs of numbers of each head: those of both halves, or neighbors."""
    emit, (value, cosines, sines, positions) = Emitter(make, node), inputs[:4]
    shape = emit.shape(value)
    heads = shape
    if len(shape) != 4:
        value, heads = emit.split(value, shape, "num_heads")
    size = heads[-1]
    turned = emit.attributes.get("rotary_embedding_dim") or size
    if positions:
        cosines, sines = (emit("Gather", each, positions) for each in (cosines, sines))
    # The heads are after the positions in a tensor of three dimensions, else before them.
    place = emit.integers([2 if len(shape) == 3 else 1])
    cosines, sines = (emit("Unsqueeze", each, place) for each in (cosines, sines))

    def part(source, axis, begin, end):
        limits = [emit.integers([each]) for each in (begin, end, axis)]
        return emit("Slice", source, *limits)

    rotated = part(value, 3, 0, turned) if turned < size else value
    if emit.attributes.get("interleaved"):
        pairs = emit("Reshape", rotated, emit.integers([*heads[:3], turned // 2, 2]))
        x, y = (emit("Squeeze", part(pairs, 4, n, n + 1), emit.integers([4]))
                for n in (0, 1))
    else:
        x, y = part(rotated, 3, 0, turned // 2), part(rotated, 3, turned // 2, turned)
    turns = (emit("Sub", emit("Mul", cosines, x), emit("Mul", sines, y)),
             emit("Add", emit("Mul", sines, x), emit("Mul", cosines, y)))
    if emit.attributes.get("interleaved"):
        turns = [emit("Unsqueeze", each, emit.integers([4])) for each in turns]
        rotated = emit("Reshape", emit("Concat", *turns, axis=4),
                       emit.integers([*heads[:3], turned]))
    else:
        rotated = emit("Concat", *turns, axis=3)
    if turned < size:
        rotated = emit("Concat", rotated, part(value, 3, turned, size), axis=3)
    emit("Reshape", rotated, emit.integers(shape), output=emit.output)


def expand_scatter(make, node, inputs):
    """Writes the update after the first positions of a cache, for each batch its own."""
    emit, (cache, update, begins) = Emitter(make, node), inputs[:3]
    whole, part = emit.shape(cache), emit.shape(update)
    axis = emit.attributes.get("axis", -2) % len(whole)
    position = emit("Range", *(emit.integers(each) for each in (0, whole[axis], 1)))
    after = len(whole) - axis - 1
    if after:
        position = emit("Unsqueeze", position, emit.integers(list(range(1, after + 1))))
    if begins:
        begins = emit("Reshape", begins, emit.integers([-1] + [1] * (len(whole) - 1)))
        position = emit("Sub", position, begins)
    if emit.attributes.get("mode", b"linear") == b"circular":
        position = emit("Mod", position, emit.integers(whole[axis]))
    inside = emit("And", emit("GreaterOrEqual", position, emit.integers(0)),
                  emit("Less", position, emit.integers(part[axis])))
    if part[axis] > 1:
        last = emit.integers(part[axis] - 1)
        index = emit("Min", emit("Max", position, emit.integers(0)), last)
        update = emit("GatherElements", update, emit("Expand", index, emit.integers(whole)),
                      axis=axis)
    emit("Where", inside, update, cache, output=emit.output)


def expand_swish(make, node, inputs):
    emit, value = Emitter(make, node), inputs[0]
    factor = emit.attributes.get("alpha", 1.0)
    scaled = value if factor == 1 else emit("Mul", value, emit.number(factor, value))
    emit("Mul", value, emit("Sigmoid", scaled), output=emit.output)


EXPANSIONS = {
    "RMSNormalization": expand_norm,
    "RotaryEmbedding": expand_rotation,
    "Swish": expand_swish,
    "TensorScatter": expand_scatter,
}
