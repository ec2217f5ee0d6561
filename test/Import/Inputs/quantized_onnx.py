"""Networks that ONNX Runtime has quantized, and their results.

    quantized_onnx.py make DIRECTORY     writes NAME.onnx and NAME.npz
    quantized_onnx.py weights DIRECTORY  the same for networks of which only weights are
    quantized_onnx.py compare FILE...    compiles the networks and compares
    quantized_onnx.py call NET.so NAME   compares the results of a library
"""

import pathlib
import sys
import warnings

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

import pruner

warnings.simplefilter("ignore")


def images():
    random = numpy.random.default_rng(0)
    weights = []

    def weight(*shape):
        values = random.standard_normal(shape) / numpy.sqrt(numpy.prod(shape[1:]))
        weights.append(numpy_helper.from_array(values.astype(numpy.float32),
                                               f"w{len(weights)}"))
        return weights[-1].name

    nodes = []

    def node(operation, *inputs, **attributes):
        nodes.append(helper.make_node(operation, inputs, [f"v{len(nodes)}"], **attributes))
        return nodes[-1].output[0]

    x = node("Relu", node("Conv", "x", weight(16, 3, 3, 3), weight(16), pads=[1] * 4))
    y = node("Conv", x, weight(16, 16, 3, 3), weight(16), pads=[1] * 4)
    y = node("MaxPool", node("Relu", node("Add", x, y)), kernel_shape=[2, 2],
             strides=[2, 2])
    y = node("Relu", node("Conv", y, weight(32, 16, 1, 1), weight(32)))
    y = node("Flatten", node("GlobalAveragePool", y))
    y = node("Gemm", y, weight(10, 32), weight(10), transB=1)
    graph = helper.make_graph(
        nodes, "graph", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 16, 16])],
        [helper.make_tensor_value_info(y, TensorProto.FLOAT, [1, 10])], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    return model


def sounds():
    """Convolutions over one dimension."""
    random = numpy.random.default_rng(0)
    weights = [numpy_helper.from_array(
        (random.standard_normal(shape) / 5).astype(numpy.float32), name)
        for name, shape in (("w0", (16, 8, 5)), ("w1", (8, 16, 3)))]
    nodes = [helper.make_node("Conv", ["x", "w0"], ["a"], pads=[2, 2], name="first"),
             helper.make_node("Relu", ["a"], ["b"]),
             helper.make_node("Conv", ["b", "w1"], ["y"], strides=[2], name="second")]
    graph = helper.make_graph(
        nodes, "graph", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 8, 20])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 8, 9])], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    return model


def layers(opset):
    """Products with a batch of one, as of a language model. The number of terms of the
    last one is not a multiple of a group."""
    random = numpy.random.default_rng(0)

    def weight(name, *shape):
        values = random.standard_normal(shape) / numpy.sqrt(shape[0])
        return numpy_helper.from_array(values.astype(numpy.float32), name)

    weights = [weight("w0", 128, 96), weight("bias", 96), weight("w1", 96, 80),
               weight("w2", 80, 32)]
    nodes = [helper.make_node("MatMul", ["x", "w0"], ["a"], name="first"),
             helper.make_node("Add", ["a", "bias"], ["b"]),
             helper.make_node("Relu", ["b"], ["c"]),
             helper.make_node("MatMul", ["c", "w1"], ["d"], name="second"),
             helper.make_node("MatMul", ["d", "w2"], ["y"], name="third")]
    graph = helper.make_graph(
        nodes, "graph", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 4, 128])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 4, 32])], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    model.ir_version = 10
    return model


def make_weight_only(directory):
    from onnxruntime.quantization import QuantFormat
    from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer

    kinds = {
        "nibbles": (13, dict(block_size=32)),
        "nibbles-symmetric": (17, dict(block_size=32, is_symmetric=True)),
        "bytes": (11, dict(block_size=16, bits=8)),
        "nibbles-blocked": (21, dict(block_size=16, quant_format=QuantFormat.QDQ)),
        "nibbles-blocked-symmetric": (21, dict(
            block_size=16, quant_format=QuantFormat.QDQ, is_symmetric=True)),
    }
    for name, (opset, options) in kinds.items():
        quantizer = MatMulNBitsQuantizer(layers(opset), **options)
        quantizer.process()
        onnx.save(quantizer.model.model, directory / f"{name}.onnx")
    write_results(directory)
    model = quantizer.model.model
    node = helper.make_node("MatMulNBits", ["x", "b", "scales"], ["y"], domain="com.microsoft",
                            N=8, K=128, block_size=32, bits=2)
    weights = [numpy_helper.from_array(numpy.zeros((8, 4, 8), numpy.uint8), "b"),
               numpy_helper.from_array(numpy.zeros((8, 4), numpy.float32), "scales")]
    model.graph.ClearField("node")
    model.graph.ClearField("initializer")
    model.graph.node.append(node)
    model.graph.initializer.extend(weights)
    onnx.save(model, directory / "two-bits.onnx")


def make(directory):
    from onnxruntime import quantization as q

    def example(seed):
        random = numpy.random.default_rng(seed)
        return {"x": random.standard_normal((1, 3, 16, 16)).astype(numpy.float32)}

    class Reader(q.CalibrationDataReader):
        def __init__(self):
            self.seeds = iter(range(4))

        def get_next(self):
            seed = next(self.seeds, None)
            return None if seed is None else example(seed)

    source = directory / "float.onnx"
    onnx.save(images(), source)
    s8, u8 = q.QuantType.QInt8, q.QuantType.QUInt8
    static = {
        "qdq": dict(quant_format=q.QuantFormat.QDQ, activation_type=u8, weight_type=s8),
        "qdq-channels": dict(quant_format=q.QuantFormat.QDQ, activation_type=s8,
                             weight_type=s8, per_channel=True),
        "qdq-unsigned": dict(quant_format=q.QuantFormat.QDQ, activation_type=u8,
                             weight_type=u8),
        "qdq-unsigned-channels": dict(quant_format=q.QuantFormat.QDQ, activation_type=u8,
                                      weight_type=u8, per_channel=True),
        "operators": dict(quant_format=q.QuantFormat.QOperator, activation_type=s8,
                          weight_type=s8),
        "operators-channels": dict(quant_format=q.QuantFormat.QOperator,
                                   activation_type=u8, weight_type=s8, per_channel=True),
    }
    for name, options in static.items():
        q.quantize_static(source, directory / f"{name}.onnx", Reader(), **options)
    q.quantize_dynamic(source, directory / "integers.onnx", weight_type=s8)
    q.quantize_dynamic(source, directory / "integers-unsigned.onnx", weight_type=u8)
    onnx.save(sounds(), source)
    q.quantize_dynamic(source, directory / "integers-sounds.onnx", weight_type=s8)
    source.unlink()
    write_results(directory)


def write_results(directory):
    """Write inputs and the results of ONNX Runtime for all models in `directory`."""
    options = onnxruntime.SessionOptions()
    # Without the fusions of ONNX Runtime, which round elsewhere.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    for path in directory.glob("*.onnx"):
        session = onnxruntime.InferenceSession(path, options)
        (known,) = session.get_inputs()
        random = numpy.random.default_rng(9)
        x = {"x": random.standard_normal(known.shape).astype(numpy.float32)}
        (y,) = session.run(None, x)
        numpy.savez(path.with_suffix(".npz"), y=y, **x)


def compare(name, network, data):
    """Print whether results are equal up to a rounding of the last layer, except where
    single bytes differ: a number next to a tie changes few results, and these little."""
    result, expected = numpy.asarray(network(data["x"])), data["y"]
    most = float(numpy.abs(expected).max())
    far = float(numpy.abs(result - expected).max())
    print(f"{name}: near: {far <= 0.02 * most}, "
          f"most are equal: {(numpy.abs(result - expected) <= 1e-5 * most).mean() > 0.5}, "
          f"not zero: {(numpy.abs(expected) > 0.01 * most).mean() > 0.5}", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(pathlib.Path(sys.argv[2]))
    elif sys.argv[1] == "weights":
        make_weight_only(pathlib.Path(sys.argv[2]))
    elif sys.argv[1] == "call":
        compare(sys.argv[3], pruner.load(sys.argv[2]), numpy.load(f"{sys.argv[3]}.npz"))
    else:
        for each in map(pathlib.Path, sys.argv[2:]):
            compare(each.stem, pruner.compile(each, threads=1),
                    numpy.load(each.with_suffix(".npz")))
