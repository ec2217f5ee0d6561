#===- onnx_transformers.py - functions of language models as others --------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expands functions of ONNX, versions 23 and 24, that torch-mlir does not lower: those of
language models.

Each function appends nodes to `make`, an expander. `inputs` are the names of all inputs,
empty where one is left out.
"""

from .onnx_emitter import Emitter


def normed(emit, value, rank, scale, epsilon, axis=-1, wide=1):
    """Write `value` divided by the root of the mean of its squares along the dimensions from
    `axis`, computed in the type `wide`, in the type of the value, and times `scale`."""
    axes = list(range(axis % rank, rank))
    number = emit("Cast", value, to=wide)
    mean = emit.reduce("ReduceMean", emit("Mul", number, number), axes)
    mean = emit("Add", mean, emit.number(epsilon, mean))
    norm = emit("CastLike", emit("Div", number, emit("Sqrt", mean)), value)
    return emit("Mul", norm, scale, output=emit.output)


def expand_norm(make, node, inputs):
    """The norm is computed in f32 (stash_type). Its result has the type of the input before
    it is scaled."""
    emit = Emitter(make, node)
    normed(emit, inputs[0], len(emit.shape(inputs[0])), inputs[1],
           emit.attributes.get("epsilon", 1e-5), emit.attributes.get("axis", -1),
           emit.attributes.get("stash_type", 1))


def rotated(emit, value, shape, cosines, sines, turned, interleaved):
    """Return the tensor of four dimensions whose last one begins with `turned` numbers that
    are rotated in pairs: neighbors if `interleaved`, else those of both halves."""
    size = shape[3]
    part = emit.sliced(value, 3, 0, turned) if turned < size else value
    if interleaved:
        pairs = emit("Reshape", part, emit.integers([*shape[:3], turned // 2, 2]))
        x, y = (emit("Squeeze", emit.sliced(pairs, 4, n, n + 1), emit.integers([4]))
                for n in (0, 1))
    else:
        x, y = emit.sliced(part, 3, 0, turned // 2), emit.sliced(part, 3, turned // 2, turned)
    turns = (emit("Sub", emit("Mul", cosines, x), emit("Mul", sines, y)),
             emit("Add", emit("Mul", sines, x), emit("Mul", cosines, y)))
    if interleaved:
        turns = [emit("Unsqueeze", each, emit.integers([4])) for each in turns]
        part = emit("Reshape", emit("Concat", *turns, axis=4),
                    emit.integers([*shape[:3], turned]))
    else:
        part = emit("Concat", *turns, axis=3)
    if turned == size:
        return part
    return emit("Concat", part, emit.sliced(value, 3, turned, size), axis=3)


def expand_rotation(make, node, inputs):
    emit, (value, cosines, sines, positions) = Emitter(make, node), inputs[:4]
    shape = heads = emit.shape(value)
    if len(shape) != 4:
        value, heads = emit.split(value, shape, "num_heads")
    if positions:
        cosines, sines = (emit("Gather", each, positions) for each in (cosines, sines))
    # The heads are after the positions in a tensor of three dimensions, else before them.
    place = emit.integers([2 if len(shape) == 3 else 1])
    cosines, sines = (emit("Unsqueeze", each, place) for each in (cosines, sines))
    turned = emit.attributes.get("rotary_embedding_dim") or heads[3]
    result = rotated(emit, value, heads, cosines, sines, turned,
                     emit.attributes.get("interleaved"))
    emit("Reshape", result, emit.integers(shape), output=emit.output)


def scattered(emit, cache, whole, update, part, axis, begins, circular, output):
    """Write the tensor `cache` of the shape `whole` with the tensor `update` of the shape
    `part` from the positions `begins` on along `axis`. These can be broadcast to it."""
    position = emit("Range", *(emit.integers(each) for each in (0, whole[axis], 1)))
    after = len(whole) - axis - 1
    if after:
        position = emit("Unsqueeze", position, emit.integers(list(range(1, after + 1))))
    if begins:
        position = emit("Sub", position, begins)
    if circular:
        position = emit("Mod", position, emit.integers(whole[axis]))
    inside = emit("And", emit("GreaterOrEqual", position, emit.integers(0)),
                  emit("Less", position, emit.integers(part[axis])))
    if part[axis] > 1:
        last = emit.integers(part[axis] - 1)
        index = emit("Min", emit("Max", position, emit.integers(0)), last)
        update = emit("GatherElements", update, emit("Expand", index, emit.integers(whole)),
                      axis=axis)
    return emit("Where", inside, update, cache, output=output)


def expand_scatter(make, node, inputs):
    """Writes the update after the first positions of a cache, for each batch its own."""
    emit, (cache, update, begins) = Emitter(make, node), inputs[:3]
    whole, part = emit.shape(cache), emit.shape(update)
    if begins:
        begins = emit("Reshape", begins, emit.integers([-1] + [1] * (len(whole) - 1)))
    scattered(emit, cache, whole, update, part, emit.attributes.get("axis", -2) % len(whole),
              begins, emit.attributes.get("mode") == b"circular", emit.output)


def expand_swish(make, node, inputs):
    emit, value = Emitter(make, node), inputs[0]
    factor = emit.attributes.get("alpha", 1.0)
    scaled = value if factor == 1 else emit("Mul", value, emit.number(factor, value))
    emit("Mul", value, emit("Sigmoid", scaled), output=emit.output)


EXPANSIONS = {
    "RMSNormalization": expand_norm,
    "RotaryEmbedding": expand_rotation,
    "SimplifiedLayerNormalization": expand_norm,  # ONNX Runtime's, in ONNX's domain.
    "Swish": expand_swish,
    "TensorScatter": expand_scatter,
}
