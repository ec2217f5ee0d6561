"""Quantized networks of PyTorch and ONNX Runtime, and their results.

    quantized.py make KIND DIRECTORY     writes NAME.pt2 or NAME.onnx, and NAME.npz
    quantized.py compare FILE...         compiles the networks and compares

KIND is torch or onnx.
"""

import pathlib
import sys
import warnings

import numpy

warnings.simplefilter("ignore")


def convolutional():
    import torch
    from torch import nn

    class Network(nn.Module):
        def __init__(self):
            super().__init__()
            self.first = nn.Conv2d(3, 16, 3, padding=1)
            self.norm = nn.BatchNorm2d(16)
            self.second = nn.Conv2d(16, 16, 3, padding=1)
            self.depthwise = nn.Conv2d(16, 16, 3, padding=1, groups=16)
            self.third = nn.Conv2d(16, 32, 1, stride=2)
            self.head = nn.Linear(32, 10)

        def forward(self, x):
            x = torch.relu(self.norm(self.first(x)))
            x = torch.relu(self.second(x) + x)
            x = torch.relu(self.third(torch.relu(self.depthwise(x))))
            return self.head(x.mean((2, 3)))

    torch.manual_seed(0)
    network = Network()
    network.norm.running_mean.normal_(0, 0.3)
    network.norm.running_var.uniform_(0.5, 2)
    return network.eval(), (torch.randn(1, 3, 16, 16),)


def layers():
    import torch
    from torch import nn

    torch.manual_seed(0)
    network = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, 48), nn.ReLU(),
                            nn.Linear(48, 32))
    return network.eval(), (torch.randn(8, 64),)


def quantize(network, inputs, quantizer):
    import torch
    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

    prepared = prepare_pt2e(torch.export.export(network, inputs).module(), quantizer)
    for _ in range(3):
        prepared(*[torch.randn_like(each) for each in inputs])
    return convert_pt2e(prepared)


def quantizer(signed, dynamic=False, per_channel=True):
    if signed:
        from torchao.testing.pt2e import _xnnpack_quantizer as module

        result = module.XNNPACKQuantizer()
        return result.set_global(module.get_symmetric_quantization_config(
            is_per_channel=per_channel, is_dynamic=dynamic))
    from torchao.quantization.pt2e.quantizer import x86_inductor_quantizer as module

    result = module.X86InductorQuantizer()
    return result.set_global(module.get_default_x86_inductor_quantization_config(
        is_dynamic=dynamic))


def make_torch(directory):
    import torch

    kinds = {
        "signed": (convolutional, dict(signed=True)),
        "tensor": (convolutional, dict(signed=True, per_channel=False)),
        "unsigned": (convolutional, dict(signed=False)),
        "layers": (layers, dict(signed=False)),
        "dynamic-signed": (layers, dict(signed=True, dynamic=True)),
        "dynamic": (layers, dict(signed=False, dynamic=True)),
    }
    for name, (make, options) in kinds.items():
        network, inputs = make()
        network = quantize(network, inputs, quantizer(**options))
        torch.export.save(torch.export.export(network, inputs), directory / f"{name}.pt2")
        torch.manual_seed(1)
        x = torch.randn_like(inputs[0])
        numpy.savez(directory / f"{name}.npz", x=x.numpy(), y=network(x).detach().numpy())


def onnx_network():
    import onnx
    from onnx import TensorProto, helper, numpy_helper

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


def make_onnx(directory):
    import onnx
    import onnxruntime
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
    onnx.save(onnx_network(), source)
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
    source.unlink()
    options = onnxruntime.SessionOptions()
    # Without the fusions of ONNX Runtime, which round elsewhere.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    for path in directory.glob("*.onnx"):
        session = onnxruntime.InferenceSession(path, options)
        x = example(9)
        (y,) = session.run(None, x)
        numpy.savez(path.with_suffix(".npz"), y=y, **x)


def compare(path):
    """Print how many results are those of the other program, and the largest difference
    in steps of its last quantization or in parts of its largest result."""
    import pruner

    data = numpy.load(path.with_suffix(".npz"))
    result = numpy.asarray(pruner.compile(path)(data["x"]))
    expected = data["y"]
    most = float(numpy.abs(expected).max())
    far = float(numpy.abs(result - expected).max())
    # A different byte somewhere changes few results, by little.
    print(f"{path.stem}: near: {far <= 0.02 * most}, "
          f"most are equal: {(numpy.abs(result - expected) <= 1e-5 * most).mean() > 0.5}, "
          f"not zero: {(numpy.abs(expected) > 0.01 * most).mean() > 0.5}")


if __name__ == "__main__":
    if sys.argv[1] == "make":
        target = pathlib.Path(sys.argv[3])
        make_torch(target) if sys.argv[2] == "torch" else make_onnx(target)
    else:
        for each in sys.argv[2:]:
            compare(pathlib.Path(each))
