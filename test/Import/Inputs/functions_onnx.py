"""Functions of ONNX, compared with ONNX Runtime: NaN, infinities, zeros and accuracy."""
import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

import pruner

values = numpy.random.default_rng(0).standard_normal((5, 12)).astype(numpy.float32) * 2
special = values.copy()
special[0, :2], special[1, 3], special[2, 5], special[3, 1] = ((0, -0.0), numpy.nan,
                                                               numpy.inf, -numpy.inf)
backwards = special[::-1].copy()


def random(*shape):
    return numpy.random.default_rng(2).standard_normal(shape).astype(numpy.float32)


def model(operation, inputs, constants, opset, results, attributes):
    names = [f"x{n}" for n in range(len(inputs))]
    numbers = [numpy_helper.from_array(
        numpy.asarray(each, None if isinstance(each, numpy.ndarray) else numpy.float32), f"c{n}")
        for n, each in enumerate(constants)]
    outputs = [f"y{n}" for n in range(results)]
    node = helper.make_node(operation, names + [each.name for each in numbers], outputs,
                            **attributes)
    kinds = [helper.make_tensor_value_info(
        name, helper.np_dtype_to_tensor_dtype(each.dtype), each.shape)
        for name, each in zip(names, inputs)]
    made = helper.make_model(
        helper.make_graph([node], "g", kinds, [helper.make_tensor_value_info(
            name, TensorProto.UNDEFINED, None) for name in outputs], numbers),
        opset_imports=[helper.make_opsetid("", opset)], ir_version=9)
    inferred = onnx.shape_inference.infer_shapes(made).graph.output
    del made.graph.output[:]
    made.graph.output.extend(inferred)
    return made


def right(operation, *inputs, constants=(), opset=20, result=0, **attributes):
    """Return whether the last of `result` + 1 results is that of ONNX Runtime."""
    onnx.save(model(operation, inputs, constants, opset, result + 1, attributes), "net.onnx")
    named = {f"x{n}": each for n, each in enumerate(inputs)}
    expected = onnxruntime.InferenceSession("net.onnx").run(None, named)[result]
    found = pruner.compile("net.onnx", trials=0, progress=None)(*inputs)
    found = numpy.asarray(found[result] if isinstance(found, (list, tuple)) else found)
    if expected.dtype.kind != "f":
        return numpy.array_equal(found.view(expected.dtype), expected)
    finite = numpy.isfinite(expected)
    return (numpy.array_equal(found[~finite], expected[~finite], equal_nan=True)
            and numpy.abs(found - expected)[finite].max()
            <= 2e-6 * numpy.abs(expected[finite]).max())


for opset in (13, 20):
    print("opset", opset, right("Clip", special, constants=(-0.5, 0.7), opset=opset),
          right("Max", special, backwards, opset=opset),
          right("Min", special, backwards, values, opset=opset),
          right("Reciprocal", special, opset=opset), right("Softsign", values, opset=opset),
          right("Elu", values, opset=opset), right("Relu", special, opset=opset),
          right("Div", values, special, opset=opset))
print("Gelu", right("Gelu", values), right("Gelu", values, approximate="tanh"))

# Old versions are updated.
images = values.reshape(1, 3, 4, 5)
print("old", right("Clip", special, opset=6, min=-0.5, max=0.7),
      right("Clip", special, opset=9, min=-0.5), right("Floor", special, opset=9),
      right("Erf", values, opset=9), right("GreaterOrEqual", special, backwards, opset=12),
      right("BatchNormalization", images, constants=(numpy.float32([1, 2, 3]),) * 4, opset=9,
            epsilon=0.1), right("Softmax", images, opset=9, axis=1))
# Bounds that are left out are finite.
print("bounds", right("Clip", special, constants=(-0.5,)), right("Sign", special))
# Whole numbers, and remainders of large quotients.
whole = numpy.random.default_rng(1).integers(-2**40, 2**40, (5, 12))
small = (whole % 9 + 1).astype(numpy.uint8)
octets = (whole % 256).astype(numpy.uint8)
print("whole", right("Neg", whole), right("Mod", octets, small),
      right("Mod", values * 1e6, backwards.clip(0.5, 2), fmod=1),
      right("Pow", whole % 99, constants=(numpy.array(2),)))
print("pools", right("MaxPool", octets.reshape(1, 3, 4, 5), kernel_shape=[2, 2]),
      right("MaxPool", images, result=1, kernel_shape=[2, 2]))
print("sums", *(right("CumSum", values, constants=(numpy.array(axis),), exclusive=exclusive,
                      reverse=exclusive) for axis, exclusive in ((1, 0), (0, 1))))
deep = values.repeat(2).reshape(1, 12, 2, 5)
print("moved", *(right("DepthToSpace", deep, blocksize=2, mode=mode, opset=opset)
                 for mode in ("DCR", "CRD") for opset in (11, 13)))
scales = numpy.float32([1, 1, 2, 2])
print("resized", *(right("Upsample", images, constants=(scales,), opset=9, mode=mode)
                   for mode in ("nearest", "linear")),
      right("Resize", images, constants=(scales,), opset=10, mode="linear"))
scale, per_row = numpy.float32(0.05), numpy.float32([1, 2, 3, 4, 5])
print("quantized", right("QuantizeLinear", numpy.abs(values), constants=(scale,), opset=13),
      right("DequantizeLinear", whole.astype(numpy.int32), constants=(scale,), opset=10),
      right("DequantizeLinear", whole.astype(numpy.int32), constants=(per_row,), opset=13,
            axis=0))
print("crops", *(right("Pad", images, constants=(numpy.array(pads),), opset=opset)
                 for opset in (13, 18)
                 for pads in ([0, 0, 1, 0, 0, 0, -1, 0], [0, -2, 0, 3, 0, 2, -1, -2])),
      right("Pad", images, constants=(numpy.array([-1, 2, 1, -2]), numpy.float32(3),
                                      numpy.array([3, -3])), opset=18))
print("product", right("MatMul", images, numpy.float32([1, 2, 3, 4, 5])))

# Scales and zero points of channels that are inputs, or are left out.
points = numpy.array([84, 24, 196, 3, 250], numpy.uint8)
print("channels", right("DequantizeLinear", octets, per_row, points, opset=13, axis=0),
      right("DequantizeLinear", octets, constants=(per_row, points), opset=13, axis=-2),
      right("DequantizeLinear", octets.view(numpy.int8), per_row, opset=13, axis=0),
      right("DequantizeLinear", octets, constants=(per_row,), opset=13, axis=0),
      right("DequantizeLinear", octets, constants=(numpy.float32([0.5]),), opset=13))
empty = values.copy()
empty[2] = 0
infinite = backwards.copy()
infinite[::2] = numpy.inf
print("limits", right("LpNormalization", empty, opset=18, axis=1),
      right("LpNormalization", empty, opset=18, axis=1, p=1),
      right("Mod", values, infinite, fmod=1),
      *(right("BitShift", small, small * 2, direction=each) for each in ("LEFT", "RIGHT")))
# Samples in the image, at its edges and far outside of it, by 1x2 and 3x3 pixels as well.
places = random(2, 3, 7, 2) * 1.5
places[0, 0, :3, 0] = (-1, 1, 40)
places[0, 1, :3, 1] = (1, -1, -30)
wide, flat = random(2, 3, 5, 6), random(2, 3, 1, 2)
for mode in ("bilinear", "nearest", "bicubic"):
    print("samples", mode, *(
        right("GridSample", image, places, opset=16, mode=mode, padding_mode=padding,
              align_corners=corners)
        for padding in ("zeros", "border", "reflection") for corners in (0, 1)
        for image in (wide, flat)))
deep_places = random(1, 2, 3, 4, 3)
print("samples in three dimensions", *(
    right("GridSample", random(1, 2, 3, 4, 5), deep_places, opset=20, mode=mode,
          padding_mode=padding)
    for mode in ("linear", "nearest") for padding in ("zeros", "border", "reflection")))
# NaN and infinite places are outside. ONNX Runtime reads a pixel there.
places[:] = (numpy.nan, -numpy.inf)
onnx.save(model("GridSample", (wide, places), (), 16, 1, {"align_corners": 1}), "net.onnx")
print("samples of nothing", abs(pruner.compile("net.onnx", trials=0, progress=None)(
    wide, places)).max())


def refused(operation, *inputs, **others):
    try:
        pruner.compile(model(operation, inputs, others.pop("constants", ()), 18, 1, others),
                       trials=0, progress=None)
    except pruner.ModelError as error:
        print(error)


# What torch-mlir computes in another way is named.
refused("LSTM", random(3, 1, 4), random(1, 8, 4), random(1, 8, 2), random(1, 16),
        numpy.int32([3]), random(1, 1, 2), random(1, 1, 2), random(1, 6), hidden_size=2)
refused("GridSample", random(1, 2, 3, 4, 5), deep_places, mode="cubic")
refused("Resize", random(1, 1, 2, 4), constants=(
    numpy.float32([]), numpy.float32([1, 1, 0.6, 0.6])), mode="linear",
    coordinate_transformation_mode="align_corners")
refused("SoftmaxCrossEntropyLoss", random(3, 5), numpy.array([0, 4, 2]), random(5))
