"""Functions of ONNX, compared with ONNX Runtime: NaN, infinities, zeros and accuracy."""
import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper

import pruner

values = numpy.random.default_rng(0).standard_normal((5, 12)).astype(numpy.float32) * 2
special = values.copy()
special[0, :2], special[1, 3], special[2, 5], special[3, 1] = ((0, -0.0), numpy.nan,
                                                               numpy.inf, -numpy.inf)
backwards = special[::-1].copy()


def model(operation, inputs, constants, opset, attributes):
    names = [f"x{n}" for n in range(len(inputs))]
    numbers = [helper.make_tensor(f"c{n}", TensorProto.FLOAT, [], [constant])
               for n, constant in enumerate(constants)]
    node = helper.make_node(operation, names + [each.name for each in numbers], ["y"],
                            **attributes)
    kinds = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [5, 12]) for name in names]
    result = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    return helper.make_model(helper.make_graph([node], "g", kinds, [result], numbers),
                             opset_imports=[helper.make_opsetid("", opset)], ir_version=9)


def right(operation, *inputs, constants=(), opset=20, **attributes):
    onnx.save(model(operation, inputs, constants, opset, attributes), "net.onnx")
    named = {f"x{n}": each for n, each in enumerate(inputs)}
    expected = onnxruntime.InferenceSession("net.onnx").run(None, named)[0]
    found = numpy.asarray(pruner.compile("net.onnx", trials=0, progress=None)(*inputs))
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
