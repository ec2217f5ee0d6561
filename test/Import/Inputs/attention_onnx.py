"""Attention and other functions of language models, compared with the reference implementation of ONNX."""
import sys

import ml_dtypes
import numpy
import onnx
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

import pruner

draw = numpy.random.default_rng(0)


def random(*shape, dtype=numpy.float32):
    return draw.standard_normal(shape).astype(dtype)


def model(inputs, opset, results=1, operation="Attention", **attributes):
    """The inputs are those of the operation, None where one is left out."""
    names = [f"x{n}" if each is not None else "" for n, each in enumerate(inputs)]
    outputs = [f"y{n}" for n in range(results)]
    kinds = [helper.make_tensor_value_info(
        name, helper.np_dtype_to_tensor_dtype(each.dtype), each.shape)
        for name, each in zip(names, inputs) if name]
    made = helper.make_model(
        helper.make_graph([helper.make_node(operation, names, outputs, **attributes)], "g",
                          kinds, [helper.make_tensor_value_info(name, TensorProto.UNDEFINED, None)
                                  for name in outputs]),
        opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    inferred = onnx.shape_inference.infer_shapes(made).graph.output
    del made.graph.output[:]
    made.graph.output.extend(inferred)
    return made


def error(*inputs, opset=23, results=1, **attributes):
    """Return the largest difference, in units of the rounding of the type."""
    made = model(inputs, opset, results, **attributes)
    onnx.save(made, "net.onnx")
    given = [each for each in inputs if each is not None]
    named = dict(zip((each.name for each in made.graph.input), given))
    expected = ReferenceEvaluator(made).run(None, named)
    found = pruner.compile("net.onnx", trials=0, progress=None)(*given)
    found = found if isinstance(found, (list, tuple)) else [found]
    assert len(found) == len(expected)
    unit = float(ml_dtypes.finfo(inputs[0].dtype).eps)
    pairs = [(numpy.asarray(a).view(b.dtype).astype(float), b.astype(float))
             for a, b in zip(found, expected)]
    return max(numpy.abs(a - b).max() / unit / numpy.abs(b).max() for a, b in pairs)


def tell(name, *errors):
    print(name, *(each < 16 or each for each in errors))


query, key, value = random(2, 8, 5, 16), random(2, 4, 7, 16), random(2, 4, 7, 12)
flat = random(2, 5, 96), random(2, 7, 24), random(2, 7, 24)
past = random(2, 4, 3, 16), random(2, 4, 3, 12)
rows = draw.random((5, 7)) < 0.5
rows[2] = False
tell("shapes", error(query, key, value), error(*flat, q_num_heads=12, kv_num_heads=3),
     error(query[:, :4], key, value, scale=0.5), error(query[:, :, :1], key, value))
tell("masks", error(query, key, value, is_causal=1), error(query, key, value, rows),
     error(query, key, value, rows, is_causal=1),
     error(query, key, value, random(2, 1, 5, 7)), error(query, key, value, random(8, 5, 7)))
tell("cache", error(query, key, value, None, *past, results=3),
     error(query, key, value, random(5, 10), *past, results=3, is_causal=1),
     error(query, key, value, results=3))
tell("steps", *(error(query, key, value, rows, results=4, softcap=2.0, qk_matmul_output_mode=mode)
                for mode in (1, 3)),
     error(query, key, value, random(5, 7), results=4, qk_matmul_output_mode=2),
     error(query, key, value, *[None] * 3, results=4, opset=24))
tell("later", error(query, key, value, random(5, 4), opset=24),
     error(query, key, value, rows[:, :4], opset=24),
     error(query, key, value, None, None, None, numpy.array([6, 2]), opset=24, is_causal=1),
     error(query, key, value, opset=25, left_window_size=2, right_window_size=1),
     error(query, key, value, None, *past, opset=25, is_causal=1, left_window_size=3))
tell("numbers", error(query, key, value, softcap=0.5, is_causal=1),
     error(query, key, value, softmax_precision=TensorProto.DOUBLE),
     *(error(*(each.astype(kind) for each in (query, key, value)), is_causal=1)
       for kind in (numpy.float16, ml_dtypes.bfloat16)))

rows = random(2, 8, 5, 16)
angles = random(2, 5, 8), random(2, 5, 8)
places = numpy.array([[3, 0, 9, 4, 1], [7, 2, 2, 5, 6]])
tell("rotations", error(rows, *angles, operation="RotaryEmbedding"),
     error(rows, *angles, operation="RotaryEmbedding", interleaved=1),
     error(random(2, 5, 64), random(10, 4), random(10, 4), places, num_heads=4,
           rotary_embedding_dim=8, operation="RotaryEmbedding"),
     error(rows, random(10, 4), random(10, 4), places, rotary_embedding_dim=8, interleaved=1,
           operation="RotaryEmbedding"))
tell("norms", error(rows, random(16), operation="RMSNormalization"),
     error(rows, random(5, 16), operation="RMSNormalization", axis=2, epsilon=0.25),
     error(rows.astype(numpy.float16), random(16, dtype=numpy.float16),
           operation="RMSNormalization"))
begins = numpy.array([2, 7])
tell("caches", error(rows, random(2, 8, 1, 16), numpy.array([0, 4]), opset=24, operation="TensorScatter"),
     error(random(2, 9, 4), random(2, 3, 4), begins, opset=24, axis=1, mode="circular",
           operation="TensorScatter"),
     error(random(2, 9, 4), random(2, 3, 4), opset=24, operation="TensorScatter"))
tell("gates", error(rows, opset=24, operation="Swish"),
     error(rows, opset=24, operation="Swish", alpha=1.75))
tell("moves", *(error(random(1, 3, 4, 6), opset=28, operation="SpaceToDepth", blocksize=2,
                      mode=mode) for mode in ("DCR", "CRD")))

# Many heads that share few keys: kernels read these in place.
shapes = (1, 32, 1, 128), (1, 8, 256, 128), (1, 8, 256, 128)
onnx.save(model([random(*each) for each in shapes], 23), "shared.onnx")

# What is not supported is named.
onnx.save(model(flat, 23, q_num_heads=12, kv_num_heads=5), "heads.onnx")
onnx.save(model((flat[1], *angles), 23, operation="RotaryEmbedding"), "rotation.onnx")
