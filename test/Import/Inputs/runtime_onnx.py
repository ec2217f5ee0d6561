"""Operations of ONNX Runtime for language models, compared with ONNX Runtime."""
import functools

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper

import pruner

draw = numpy.random.default_rng(0)
MICROSOFT = "com.microsoft"


def random(*shape):
    return draw.standard_normal(shape).astype(numpy.float32)


def integers(*values):
    return numpy.array(values, numpy.int32)


def save(nodes, inputs, results):
    """Results are pairs of a name and a shape."""
    kinds = [helper.make_tensor_value_info(
        name, helper.np_dtype_to_tensor_dtype(each.dtype), each.shape)
        for name, each in inputs.items()]
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
               for name, shape in results]
    onnx.save(helper.make_model(
        helper.make_graph(nodes, "g", kinds, outputs), ir_version=9,
        opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid(MICROSOFT, 1)]),
        "net.onnx")


def near(nodes, inputs, results, lengths=None):
    """Return whether all results are those of ONNX Runtime. Of present keys and values, only
    as many count as `lengths` has for each batch."""
    save(nodes, inputs, results)
    expected = onnxruntime.InferenceSession("net.onnx").run(None, inputs)
    found = pruner.compile("net.onnx", trials=0, progress=None)(*inputs.values())
    found = found if isinstance(found, (list, tuple)) else [found]
    errors = []
    for ours, theirs in zip(found, expected):
        ours, theirs = numpy.array(ours), numpy.array(theirs)
        for batch, length in enumerate(lengths if lengths and ours.ndim == 4 else []):
            ours[batch, :, length:] = theirs[batch, :, length:] = 0
        errors.append(numpy.abs(ours - theirs).max() / numpy.abs(theirs).max())
    return max(errors) < 4e-6 or max(errors)


def one(operation, inputs, *shapes, domain=MICROSOFT, names=None, lengths=None,
        **attributes):
    """The inputs are those of the operation, None where one is left out."""
    given = {f"x{n}": each for n, each in enumerate(inputs) if each is not None}
    names = names or [f"y{n}" for n in range(len(shapes))]
    node = helper.make_node(operation, [f"x{n}" if each is not None else ""
                                        for n, each in enumerate(inputs)], names,
                            domain=domain, **attributes)
    return near([node], given, [(name, shape) for name, shape in zip(filter(None, names),
                                                                     shapes)], lengths)


def shared(batch, queries, past, lengths, total, packed=False, buffer=None, rotary=False,
           bias=False, **attributes):
    """Four heads of size 16, two of the keys."""
    present = buffer or past + queries
    cache = (random(batch, 2, past, 16), random(batch, 2, past, 16))
    turns = (random(32, 8), random(32, 8)) if rotary else (None, None)
    parts = ((random(batch, queries, 128), None, None) if packed else
             (random(batch, queries, 64), random(batch, queries, 32),
              random(batch, queries, 32)))
    inputs = [*parts, *cache, integers(*lengths), numpy.array(total, numpy.int32), *turns]
    if bias:
        inputs += [None, random(1, 1, queries, total)]
    return one("GroupQueryAttention", inputs, (batch, queries, 64),
               *[(batch, 2, present, 16)] * 2, num_heads=4, kv_num_heads=2,
               lengths=[each + 1 for each in lengths], do_rotary=int(rotary), **attributes)


print("groups", shared(2, 6, 0, (5, 5), 6), shared(1, 6, 0, (5,), 6, packed=True, rotary=True),
      shared(2, 1, 5, (5, 5), 6), shared(2, 1, 5, (5, 3), 6, rotary=True),
      shared(1, 3, 5, (7,), 8, rotary=True, rotary_interleaved=1),
      shared(2, 1, 8, (5, 3), 6, buffer=8), shared(1, 6, 0, (5,), 6, local_window_size=3),
      shared(1, 1, 9, (9,), 10, local_window_size=4),
      shared(1, 6, 0, (5,), 6, softcap=0.5, scale=0.3), shared(1, 4, 3, (6,), 7, bias=True))

query, key, value = random(2, 6, 64), random(2, 9, 64), random(2, 9, 48)
heads = random(2, 4, 9, 16), random(2, 4, 9, 16)
past = random(2, 4, 3, 16), random(2, 4, 3, 16)
mask = numpy.ones((2, 9), numpy.int32)
mask[0, 5:] = mask[1, 7:] = 0
result = (2, 6, 48)
print("heads", one("MultiHeadAttention", [query, key, value], result, num_heads=4),
      one("MultiHeadAttention", [query, *heads], (2, 6, 64), num_heads=4),
      one("MultiHeadAttention", [query, key, value, random(176)], result, num_heads=4),
      one("MultiHeadAttention", [query, key, value, None, mask], result, num_heads=4),
      one("MultiHeadAttention", [query, key, value, None, None, random(2, 4, 6, 9)], result,
          num_heads=4),
      one("MultiHeadAttention", [query, query[::-1].copy(), query, None, None, None, *past],
          (2, 6, 64), (2, 4, 9, 16), (2, 4, 9, 16), num_heads=4),
      one("MultiHeadAttention", [query, query, query], (2, 6, 64), num_heads=4,
          unidirectional=1))

rows, turns = random(2, 5, 64), (random(32, 8), random(32, 8))
places = numpy.array([[3, 0, 9, 4, 1], [7, 2, 2, 5, 6]])
first = numpy.array([7])
print("rotations", one("RotaryEmbedding", [rows, places, *turns], rows.shape),
      one("RotaryEmbedding", [rows, first, *turns], rows.shape, interleaved=1),
      one("RotaryEmbedding", [random(2, 4, 5, 16), places, *turns], (2, 4, 5, 16)),
      one("RotaryEmbedding", [rows, places, random(32, 4), random(32, 4)], rows.shape,
          num_heads=4, rotary_embedding_dim=8))

scale, shift, other = random(64), random(64), random(2, 5, 64)
print("norms", one("SimplifiedLayerNormalization", [rows, scale], rows.shape, domain="",
                   axis=-1, epsilon=1e-6, stash_type=1),
      one("SkipSimplifiedLayerNormalization", [rows, other, scale], rows.shape, rows.shape,
          names=["y0", "", "", "y3"], epsilon=1e-6),
      one("SkipSimplifiedLayerNormalization", [rows, other, scale, shift], rows.shape),
      one("SkipLayerNormalization", [rows, other, scale, shift, random(64)], rows.shape,
          rows.shape, names=["y0", "", "", "y3"]),
      one("SkipLayerNormalization", [rows, other, scale], rows.shape))

# Shapes of later operations are known after earlier ones are expanded.
inputs = {"x": random(1, 3, 64), "w": random(64, 128), "o": random(64, 64), "s": scale,
          "k": random(1, 2, 4, 16), "v": random(1, 2, 4, 16), "n": integers(6),
          "t": numpy.array(7, numpy.int32)}
nodes, value, results = [], "x", []
for layer in range(2):
    nodes += [
        helper.make_node("SkipSimplifiedLayerNormalization", [value, "x", "s"],
                         [f"a{layer}", "", "", f"r{layer}"], domain=MICROSOFT),
        helper.make_node("MatMul", [f"a{layer}", "w"], [f"q{layer}"]),
        helper.make_node("GroupQueryAttention", [f"q{layer}", "", "", "k", "v", "n", "t"],
                         [f"y{layer}", f"k{layer}", f"v{layer}"], domain=MICROSOFT,
                         num_heads=4, kv_num_heads=2),
        helper.make_node("MatMul", [f"y{layer}", "o"], [f"z{layer}"]),
        helper.make_node("Add", [f"z{layer}", f"r{layer}"], [f"h{layer}"])]
    value = f"h{layer}"
    results += [(f"{name}{layer}", (1, 2, 7, 16)) for name in "kv"]
print("layers", near(nodes, inputs, [("h1", (1, 3, 64)), *results]))


def packed(others, *shapes, weights=(0.2 * random(64, 192), random(192)), **attributes):
    """Weights of queries, keys and values side by side, four heads of size 16."""
    return one("Attention", [query, *weights, *others], *(shapes or [(2, 6, 64)]), num_heads=4,
               **attributes)


print("packed", packed([]), packed([mask[:, 3:]]), packed([integers(4, 6)]),
      packed([integers(4, 6, 1, 0)]), packed([], unidirectional=1), packed([], scale=0.5),
      packed([None, random(2, 2, 4, 3, 16)], (2, 6, 64), (2, 2, 4, 9, 16)),
      packed([None, None, random(2, 4, 6, 6)]), packed([], weights=[random(64, 192)]),
      packed([], (2, 6, 32), weights=[0.2 * random(64, 160), random(160)],
             qkv_hidden_sizes=[64, 64, 32]),
      packed([numpy.tril(numpy.ones((2, 6, 6), numpy.int32))]))

print("gelu", one("BiasGelu", [rows, scale], rows.shape), one("Gelu", [rows], rows.shape),
      one("FastGelu", [rows, scale], rows.shape), one("FastGelu", [rows], rows.shape),
      one("QuickGelu", [rows], rows.shape), one("QuickGelu", [rows], rows.shape, alpha=1.0))

a, b, product = random(2, 3, 5, 8), random(2, 3, 8, 4), (2, 3, 5, 4)
c, d, e = random(5, 2, 3, 8), random(8, 2, 3, 5), random(8, 2, 3, 4)
print("products", one("FusedMatMul", [a, b], product, alpha=0.5),
      one("FusedMatMul", [a.swapaxes(2, 3).copy(), b], product, transA=1),
      one("FusedMatMul", [a, b.swapaxes(2, 3).copy()], product, transB=1, alpha=2.0),
      one("FusedMatMul", [c, b], product, transBatchA=1),
      one("FusedMatMul", [a, e], product, transBatchB=1),
      one("FusedMatMul", [d, b], product, transBatchA=1, transA=1),
      one("FusedGemm", [random(5, 6), random(6, 7), random(7)], (5, 7), activation="Relu"),
      one("FusedGemm", [random(6, 5), random(7, 6), random(5, 7)], (5, 7), activation="Tanh",
          transA=1, transB=1, alpha=0.5, beta=2.0))

image, filters, bias, other = random(1, 8, 9, 9), random(4, 8, 3, 3), random(4), random(
    1, 4, 7, 7)
convolved = functools.partial(one, "FusedConv", kernel_shape=[3, 3])
print("convolutions", convolved([image, filters, bias], other.shape, activation="Relu"),
      convolved([image, filters, bias, other], other.shape, activation="Relu"),
      convolved([image, filters], other.shape, activation="LeakyRelu",
                activation_params=[0.1]),
      convolved([image, filters, bias], other.shape, activation="Clip",
                activation_params=[-1.0, 2.0]),
      convolved([image, filters, bias], (1, 4, 5, 5), activation="HardSigmoid",
                activation_params=[0.3, 0.4], strides=[2, 2], pads=[1, 1, 1, 1]))

words, segments = integers([3, 1, 2], [9, 4, 0]), integers([0, 0, 1], [1, 0, 0])
tables, norm = (random(10, 16), random(8, 16), random(2, 16)), (random(16), random(16))
embedded = functools.partial(one, "EmbedLayerNormalization")
print("embeddings", embedded([words, segments, *tables, *norm], (2, 3, 16), (2, 3, 16),
                             names=["y0", "", "y2"], epsilon=1e-6),
      embedded([words, None, *tables[:2], None, *norm], (2, 3, 16), names=["y0", ""]),
      embedded([words, segments, *tables, *norm, integers([1, 1, 0], [1, 1, 1])], (2, 3, 16),
               names=["y0", ""]),
      embedded([words, segments, *tables, *norm, None, integers([2, 1, 0], [5, 6, 7])],
               (2, 3, 16), names=["y0", ""]))

# The number of tokens of each sequence masks the keys.
nodes = [helper.make_node("EmbedLayerNormalization",
                          ["w", "", "t", "p", "", "s", "b", "m"], ["e", "n"],
                          domain=MICROSOFT),
         helper.make_node("Attention", ["e", "a", "c", "n"], ["y"], domain=MICROSOFT,
                          num_heads=2)]
print("tokens", near(nodes, {"w": words, "t": tables[0], "p": tables[1], "s": norm[0],
                             "b": norm[1], "m": integers([1, 1, 0], [1, 1, 1]),
                             "a": random(16, 48), "c": random(48)}, [("y", (2, 3, 16))]))

# What is not supported is named.
save([helper.make_node("GroupQueryAttention", ["q", "", "", "k", "v", "n", "t"],
                       ["y", "p", "r"], domain=MICROSOFT, num_heads=4, kv_num_heads=2,
                       smooth_softmax=1)],
     {"q": random(1, 3, 128), **{name: inputs[name] for name in "kvnt"}},
     [("y", (1, 3, 64)), ("p", (1, 2, 7, 16)), ("r", (1, 2, 7, 16))])

# So is an operation whose name means another one.
node = helper.make_node("Conv", ["x", "w"], ["y"], domain="com.microsoft.nchwc")
model = helper.make_model(helper.make_graph(
    [node], "g", [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
                  for name, shape in (("x", (1, 8, 9, 9)), ("w", (8, 8, 3, 3)))],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, 8, 7, 7))]), ir_version=9,
    opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft.nchwc", 1)])
onnx.save(model, "blocked.onnx")
