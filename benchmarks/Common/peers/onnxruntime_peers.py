#===- onnxruntime_peers.py - ONNX Runtime ----------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX Runtime's CPU provider, with weights as inputs and as initializers."""

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from problem import Peer, aligned


def nodes(problem, names):
    """Return the operator's nodes, from `names` to "result", and the constants that
    they need in addition to the operands."""
    p = problem
    kind = p.kind
    node = helper.make_node
    suffix = "Integer" if p.integers else ""
    if kind in ("mm", "bmm"):
        return [node("MatMul" + suffix, names, ["result"])], []
    if kind == "mm_bias_gelu":
        return [node("MatMul", names[:2], ["product"]),
                node("Add", ["product", names[2]], ["biased"]),
                node("Gelu", ["biased"], ["result"])], []
    if kind == "conv":
        k = p.get("k")
        attributes = dict(kernel_shape=[k, k], strides=[p.get("s")] * 2,
                          pads=[p.get("p", 0)] * 4, group=p.get("g"))
        if not p.get("relu", 0):
            return [node("Conv" + suffix, names, ["result"], **attributes)], []
        return [node("Conv", names, ["sums"], **attributes),
                node("Relu", ["sums"], ["result"])], []
    if kind == "conv_transposed":
        k = p.get("k")
        return [node("ConvTranspose", names, ["result"], kernel_shape=[k, k],
                     strides=[p.get("s")] * 2, pads=[p.get("p", 0)] * 4)], []
    if kind == "softmax":
        return [node("Softmax", names, ["result"], axis=-1)], []
    if kind == "layernorm":
        return [node("LayerNormalization", names, ["result"], axis=-1,
                     epsilon=1e-5)], []
    if kind == "gelu":
        return [node("Gelu", names, ["result"])], []
    if kind == "relu":
        return [node("Relu", names, ["result"])], []
    if kind == "sum":
        axes = numpy.array([p.get("axis", 0)], numpy.int64)
        return ([node("ReduceSum", names + ["axes"], ["result"], keepdims=0)],
                [numpy_helper.from_array(axes, "axes")])
    if kind == "transpose":
        return [node("Transpose", names, ["result"], perm=[1, 0])], []
    if kind == "maxpool":
        k = p.get("k")
        return [node("MaxPool", names, ["result"], kernel_shape=[k, k],
                     strides=[p.get("s")] * 2, pads=[p.get("p", 0)] * 4)], []
    if kind == "avgpool":
        return [node("GlobalAveragePool", names, ["result"])], []
    raise ValueError("no ONNX nodes for " + kind)


class OnnxRuntime(Peer):
    name, types = "onnxruntime", ("f32", "f16", "u8s8", "s8s8")
    constant_weights = False

    @staticmethod
    def applies(problem):
        # ConvInteger takes unsigned bytes only.
        return problem.kind != "conv" or problem.types != "s8s8"

    def model(self, problem):
        names = ["operand%d" % i for i in range(len(problem.inputs))]
        made, constants = nodes(problem, names)
        inputs = []
        for name, value, constant in zip(names, problem.inputs,
                                         problem.constant):
            if constant and self.constant_weights:
                constants.append(numpy_helper.from_array(value, name))
            else:
                inputs.append((name, value))
        info = helper.make_tensor_value_info
        graph = helper.make_graph(
            made, "operator",
            [info(n, helper.np_dtype_to_tensor_dtype(v.dtype), v.shape)
             for n, v in inputs],
            [info("result", helper.np_dtype_to_tensor_dtype(self.out.dtype),
                  problem.shape)], constants)
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", 20)])
        # Older runtimes reject the default version of newer onnx releases.
        model.ir_version = min(model.ir_version, 10)
        onnx.checker.check_model(model)
        return model.SerializeToString(), inputs

    def build(self, problem):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = problem.threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self.out = aligned(problem.shape, numpy.int32 if problem.integers
                           else problem.inputs[0].dtype)
        text, self.inputs = self.model(problem)
        self.session = onnxruntime.InferenceSession(
            text, options, providers=["CPUExecutionProvider"])
        self.binding = self.session.io_binding()
        # Buffers that are bound by address are kept alive by self.
        for name, value in self.inputs:
            self.binding.bind_input(name, "cpu", 0, value.dtype.type, value.shape,
                                    value.ctypes.data)
        self.binding.bind_output("result", "cpu", 0, self.out.dtype.type,
                                 self.out.shape, self.out.ctypes.data)

    def detail(self):
        text = onnxruntime.__version__
        return text + ", constant weights" if self.constant_weights else text

    def run(self):
        self.session.run_with_iobinding(self.binding)

    def result(self):
        return self.out


class OnnxRuntimePacked(OnnxRuntime):
    name, constant_weights = "onnxruntime-packed", True

    @staticmethod
    def applies(problem):
        return bool(problem.weights) and OnnxRuntime.applies(problem)

    @staticmethod
    def packed(problem):
        return True


PEERS = [OnnxRuntime, OnnxRuntimePacked]


def version():
    return onnxruntime.__version__
