#===- onnx_runtime.py - operations of ONNX Runtime as others ---------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expands the operations of language models in Microsoft's domain: those that ONNX Runtime's
optimizer and model builder write.

Keys and values of the past are before the new ones, or in a buffer that is as long as the
present one. Then the new ones follow the past ones of each batch.
"""

from . import onnx_transformers
from .onnx_attention import AttentionEmitter
from .onnx_emitter import Emitter

# What is added to scores of masked keys if the operation does not say it.
_MASKED = -10000.0


def _sizes_of_heads(emit, value, shape, heads):
    """Return a tensor of [batch, heads, length, size], and its shape."""
    if len(shape) == 4:
        return value, shape
    parts = [shape[0], shape[1], heads, shape[2] // heads]
    return emit.before(emit("Reshape", value, emit.integers(parts)), parts)


def _rotated(emit, value, shape, places, cosines, sines, interleaved):
    """Return the rotated pairs of numbers of [batch, heads, length, size]. `places` has the
    positions, [batch, length]."""
    turned = 2 * emit.shape(cosines)[1]
    cosines, sines = (emit("Unsqueeze", emit("Gather", each, places), emit.integers([1]))
                      for each in (cosines, sines))
    return onnx_transformers.rotated(emit, value, shape, cosines, sines, turned, interleaved)


class _Shared(AttentionEmitter):
    """GroupQueryAttention: causal, with lengths of the past for each batch."""

    def __init__(self, make, node, inputs):
        super().__init__(make, node, inputs[0])
        self.inputs = inputs
        for name in ("smooth_softmax", "qk_output", "k_quant_type", "v_quant_type"):
            if self.attributes.get(name) not in (None, 0, b"NONE"):
                self.refuse(f"the attribute {name} is not supported")
        if any(inputs[11:]):
            self.refuse(f"its input '{next(filter(None, inputs[11:]))}' is not supported")
        self.heads, self.groups = (self.attributes[name]
                                   for name in ("num_heads", "kv_num_heads"))

    def parts(self):
        """Return queries, keys and values as pairs of [batch, heads, length, size] and its
        shape."""
        query, key, value = self.inputs[:3]
        shape = self.shape(query)
        if key:
            return [_sizes_of_heads(self, each, self.shape(each), heads) for each, heads in (
                (query, self.heads), (key, self.groups), (value, self.groups))]
        # All are in one tensor.
        count = self.heads + 2 * self.groups
        whole, sizes = _sizes_of_heads(self, query, shape, count)
        found, begin = [], 0
        for heads in (self.heads, self.groups, self.groups):
            part = self.sliced(whole, 1, begin, begin + heads)
            found.append((part, [sizes[0], heads, *sizes[2:]]))
            begin += heads
        return found

    def present_from(self, value, shape, past, begins, output):
        """Return all keys or values, and their shape. `begins` has the lengths of the past,
        [batch, 1, 1, 1]."""
        before = self.shape(past)[2] if past else 0
        known = output and self.make.shape_of(output)
        length = known[2] if known else before + shape[2]
        if not before:
            if output:
                self("Identity", value, output=output)
            return value, shape
        if length > before:
            rest = [*shape[:2], length - before, shape[3]]
            zeros = self("Expand", self.number(0.0, value), self.integers(rest))
            past = self("Concat", past, zeros, axis=2)
        whole = [*shape[:2], length, shape[3]]
        result = onnx_transformers.scattered(self, past, whole, value, shape, 2, begins,
                                             circular=False, output=output)
        return result, whole

    def expand(self):
        outputs = [*self.node.output, "", "", ""][1:3]
        (query, shape), *others = self.parts()
        batch, heads, queries, size = shape
        past, lengths = self.inputs[3:5], self.inputs[5]
        begins = self.integers([0])
        if past[0] and self.shape(past[0])[2]:
            lengths = self("Cast", lengths, to=self.make.onnx.TensorProto.INT64)
            begins = self("Sub", self("Reshape", lengths, self.integers([batch, 1, 1, 1])),
                          self.integers(queries - 1))
        # The positions of the queries, [batch or 1, 1, queries, 1].
        places = self("Add", self.places(queries), begins)
        if self.attributes.get("do_rotary"):
            given = self.inputs[9]
            flat = self("Reshape", given or self("Expand", places, self.integers(
                [batch, 1, queries, 1])), self.integers([batch, queries]))
            query, others[0] = (
                _rotated(self, each, sizes, flat, *self.inputs[7:9],
                         self.attributes.get("rotary_interleaved"))
                for each, sizes in ((query, shape), others[0]))
            others[0] = others[0], others[1][1]
        key, value = (self.present_from(*each, before, begins, output)
                      for each, before, output in zip(others, past, outputs))
        keys, columns = key[1][2], value[1][3]
        key, value = (self.repeated(*each, heads) for each in (key, value))
        scores = self.capped(self.scores(query, key, size))
        if self.inputs[10]:
            scores = self("Add", scores, self("Cast", self.inputs[10], to=self.precision))
        position = self.positions(keys)
        allowed = [self("LessOrEqual", position, places)]
        window = self.attributes.get("local_window_size", -1)
        if window > 0:
            allowed.append(self("Greater", position,
                                self("Sub", places, self.integers(window))))
        weights = self.weights(self.hidden(scores, allowed), True)
        self.finish(weights, value, [batch, queries, heads * columns])


class _Separate(AttentionEmitter):
    """MultiHeadAttention: queries, keys and values of the same number of heads. `mask` hides
    keys, `added` is added to scores."""

    def __init__(self, make, node, inputs):
        super().__init__(make, node, inputs[0])
        self.inputs, self.count = inputs, self.attributes["num_heads"]
        self.mask, self.added = inputs[4:6]
        self.check()

    def check(self):
        inputs = self.inputs
        if not inputs[1] or len(self.shape(inputs[0])) != 3 or any(inputs[8:]) or (
                len(self.node.output) > 3 and self.node.output[3]):
            self.refuse("expected queries of three dimensions, keys and values, and only the "
                        "results output, present_key and present_value")

    def parts(self):
        """Return queries, keys and values and their shapes, with the parts of a common bias
        added to those of three dimensions."""
        found, bias, begin = [], self.inputs[3], 0
        for each in self.inputs[:3]:
            shape = self.shape(each)
            if bias and len(shape) == 3:
                each = self("Add", each, self.sliced(bias, 0, begin, begin + shape[2]))
                begin += shape[2]
            found.append((each, shape))
        return found

    def joined(self, keys, values):
        """Return the past and the new keys and values, and their shapes."""
        outputs = [*self.node.output, "", "", ""][1:3]
        return [self.present(*each, past, output) for each, past, output in zip(
            (keys, values), self.inputs[6:8], outputs)]

    def hide(self, scores, batch, keys):
        """Return the scores of which those of keys that are padding are lowered."""
        mask, shape = self.mask, self.shape(self.mask)
        value = self.attributes.get("mask_filter_value", _MASKED)
        if len(shape) == 1:  # The ends of all rows, and perhaps their beginnings.
            mask = self("Cast", mask, to=self.make.onnx.TensorProto.INT64)
            ends = self("Reshape", self.sliced(mask, 0, 0, batch),
                        self.integers([batch, 1, 1, 1]))
            kept = self("Less", self.positions(keys), ends)
            if shape[0] == 2 * batch:
                begins = self("Reshape", self.sliced(mask, 0, batch, 2 * batch),
                              self.integers([batch, 1, 1, 1]))
                kept = self("And", kept, self("GreaterOrEqual", self.positions(keys), begins))
            elif shape[0] != batch:
                self.refuse(f"its mask has {shape[0]} elements, expected one or two for each "
                            f"of the {batch} sequences")
        elif len(shape) > 3:
            self.refuse("its mask has more than three dimensions")
        else:
            kept = self("Cast", mask, to=self.make.onnx.TensorProto.BOOL)
            kept = self("Reshape", kept, self.integers(
                [shape[0], 1, shape[1] if len(shape) == 3 else 1, shape[-1]]))
        return self("Add", scores, self("Where", kept, self.constant(0),
                                        self.constant(value)))

    def expand(self):
        (query, shape), *others = (_sizes_of_heads(self, *each, self.count)
                                   for each in self.parts())
        (key, (_, _, keys, _)), (value, (_, _, _, columns)) = self.joined(*others)
        batch, heads, queries, size = shape
        scores = self.scores(query, key, size)
        if self.mask:
            scores = self.hide(scores, batch, keys)
        if self.added:
            scores = self("Add", scores, self("Cast", self.added, to=self.precision))
        causal = self.attributes.get("unidirectional")
        if causal:
            place = self("Add", self.places(queries), self.integers(keys - queries))
            scores = self.hidden(scores, [self("LessOrEqual", self.positions(keys), place)])
        self.finish(self.weights(scores, bool(causal)), value,
                    [batch, queries, heads * columns])


class _Packed(_Separate):
    """Attention: multiplies the input by the weights of queries, keys and values, which are
    side by side. Keys and values of the past are in one tensor."""

    def __init__(self, make, node, inputs):
        super().__init__(make, node, inputs)
        self.mask, self.added = inputs[3], inputs[5]

    def check(self):
        for name in ("do_rotary", "past_present_share_buffer"):
            if self.attributes.get(name):
                self.refuse(f"the attribute {name} is not supported")
        if any(self.inputs[6:]):
            self.refuse(f"its input '{next(filter(None, self.inputs[6:]))}' is not supported")

    def parts(self):
        value, weights, bias = self.inputs[:3]
        (batch, length, _), (_, columns) = self.shape(value), self.shape(weights)
        widths = self.attributes.get("qkv_hidden_sizes") or [columns // 3] * 3
        product = self.product(value, weights)
        if self.sums != self.type:
            product = self("Cast", product, to=self.type)
        if bias:
            product = self("Add", product, bias)
        found, begin = [], 0
        for width in widths:
            found.append((self.sliced(product, 2, begin, begin + width),
                          [batch, length, width]))
            begin += width
        return found

    def joined(self, keys, values):
        past, output = self.inputs[4], [*self.node.output, ""][1]
        found = []
        for n, (value, shape) in enumerate((keys, values)):
            if past:
                before = self("Squeeze", self.sliced(past, 0, n, n + 1), self.integers([0]))
                value = self("Concat", before, value, axis=2)
                shape = [*shape[:2], self.shape(past)[3] + shape[2], shape[3]]
            found.append((value, shape))
        if output:
            self("Concat", *(self("Unsqueeze", each, self.integers([0])) for each, _ in found),
                 output=output, axis=0)
        return found


def expand_shared(make, node, inputs):
    _Shared(make, node, inputs).expand()


def expand_separate(make, node, inputs):
    _Separate(make, node, inputs).expand()


def expand_packed(make, node, inputs):
    _Packed(make, node, inputs).expand()


def expand_rotation(make, node, inputs):
    """Positions are those of all queries, or that of the first one."""
    emit, (value, places, cosines, sines) = AttentionEmitter(make, node, inputs[0]), inputs[:4]
    if emit.attributes.get("scale", 1.0) != 1 or emit.attributes.get("is_packed_batching"):
        emit.refuse("the attributes scale and is_packed_batching are not supported")
    shape = emit.shape(value)
    turned = 2 * emit.shape(cosines)[1]
    whole = turned if not emit.attributes.get("rotary_embedding_dim") else None
    heads = emit.attributes.get("num_heads") or (
        shape[2] // whole if whole and len(shape) == 3 else 0)
    if not heads and len(shape) == 3:
        emit.refuse("the number of heads is not known")
    value, sizes = _sizes_of_heads(emit, value, shape, heads)
    batch, _, queries, _ = sizes
    if emit.shape(places) == [1]:
        places = emit("Unsqueeze", emit("Add", emit.positions(queries), places),
                      emit.integers([0]))
        places = emit("Expand", places, emit.integers([batch, queries]))
    result = _rotated(emit, value, sizes, places, cosines, sines,
                      emit.attributes.get("interleaved"))
    if len(shape) == 4:
        emit("Identity", result, output=emit.output)
        return
    result = emit("Transpose", result, perm=[0, 2, 1, 3])
    emit("Reshape", result, emit.integers(shape), output=emit.output)


def expand_skip(make, node, inputs):
    """The norm of a sum, which is the fourth result."""
    emit = Emitter(make, node)
    value, skip, scale = inputs[:3]
    simple = node.op_type == "SkipSimplifiedLayerNormalization"
    bias = inputs[3] if simple else inputs[4]
    output = node.output[3] if len(node.output) > 3 else ""
    if any(node.output[1:3]):
        emit.refuse("the results mean and inv_std_var are not supported")
    total = emit("Add", value, skip, output=None if bias else output)
    if bias:
        total = emit("Add", total, bias, output=output)
    epsilon = emit.attributes.get("epsilon", 1e-5 if simple else 1e-12)
    if simple:
        onnx_transformers.normed(emit, total, len(emit.shape(value)), scale, epsilon)
        return
    others = [inputs[3]] if inputs[3] else []
    make.nodes.append(make.onnx.helper.make_node(
        "LayerNormalization", [total, scale, *others], [emit.output], axis=-1,
        epsilon=epsilon))


# By operation of Microsoft's domain.
EXPANSIONS = {
    "Attention": expand_packed,
    "GroupQueryAttention": expand_shared,
    "MultiHeadAttention": expand_separate,
    "RotaryEmbedding": expand_rotation,
    "SkipLayerNormalization": expand_skip,
    "SkipSimplifiedLayerNormalization": expand_skip,
}
