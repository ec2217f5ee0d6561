#===- iree_peers.py - IREE -------------------------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""IREE's llvm-cpu code for the program that Pruner's contenders compile.

Data tiling is on. Convolutions become products by im2col, because they are several
times slower otherwise. Weights are arguments, or constants (-packed). The variant -nhwc
has constants, a program with channels-last images, and no im2col.
"""

import re

import numpy
from iree import compiler, runtime

from problem import Peer

FLAGS = ["--iree-hal-target-device=local",
         "--iree-hal-local-target-device-backends=llvm-cpu",
         "--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3",
         "--iree-dispatch-creation-data-tiling"]
IM2COL = ["--iree-global-opt-use-im2col-for-convs"]

ARGUMENT = re.compile(r"(%\w+): (tensor<[^>]*>)")


def with_constants(text, arrays, constant):
    """Return `text` with the arguments for which `constant` holds turned into constants
    of the function, and the arrays of the remaining arguments."""
    head = re.search(r"func\.func @main\((.*)\) -> [^\n]* \{\n", text)
    arguments = ARGUMENT.findall(head.group(1))
    assert len(arguments) == len(arrays)
    kept, given, body, data = [], [], [], []
    for number, ((name, kind), array) in enumerate(zip(arguments, arrays)):
        if not constant[number]:
            kept.append("%s: %s" % (name, kind))
            given.append(array)
            continue
        body.append("  %s = arith.constant dense_resource<w%d> : %s\n"
                    % (name, number, kind))
        # A blob begins with its alignment.
        data.append('w%d: "0x40000000%s"' % (number, array.tobytes().hex()))
    text = "".join([text[:head.start(1)], ", ".join(kept),
                    text[head.end(1):head.end()], *body, text[head.end():]])
    if data:
        text += "{-# dialect_resources: { builtin: { %s } } #-}\n" % (
            ", ".join(data))
    return text, given


class Iree(Peer):
    name, constant_weights, layout = "iree", False, ""

    @classmethod
    def applies(cls, problem):
        return cls.layout in problem.programs and (
            bool(problem.weights) or not cls.constant_weights)

    @classmethod
    def packed(cls, problem):
        return cls.constant_weights

    def flags(self, problem):
        whole = problem.kind in ("conv", "conv_transposed") and (
            problem.get("g") == 1)
        return FLAGS + (IM2COL if whole else [])

    def build(self, problem):
        program = problem.programs[self.layout]
        arrays, constant = problem.inputs, [False] * len(problem.inputs)
        if program.get("input_permutations"):
            arrays = [numpy.ascontiguousarray(v.transpose(p)) for v, p in
                      zip(arrays, program["input_permutations"])]
        if self.constant_weights:
            constant = problem.constant
        self.permutation = program.get("result_permutation")
        text, arrays = with_constants(program["text"], arrays, constant)
        code = compiler.compile_str(text, extra_args=self.flags(problem))
        uri = "local-sync" if problem.threads == 1 else "local-task"
        self.device = runtime.get_device(uri)
        instance = runtime.VmInstance()
        hal = runtime.create_hal_module(instance, self.device)
        # The module's code must outlive the context.
        self.module = runtime.VmModule.copy_buffer(instance, code)
        self.context = runtime.VmContext(instance, [hal, self.module])
        self.main = self.module.lookup_function("main")
        self.arguments = runtime.VmVariantList(len(arrays))
        for array in arrays:
            self.arguments.push_ref(
                self.device.allocator.allocate_buffer_copy(
                    memory_type=runtime.MemoryType.DEVICE_LOCAL,
                    allowed_usage=runtime.BufferUsage.DEFAULT,
                    device=self.device, buffer=array,
                    element_type=runtime.HalElementType.FLOAT_32))

    def detail(self):
        return "O3, data tiling, " + version()

    def run(self):
        self.results = runtime.VmVariantList(1)
        self.context.invoke(self.main, self.arguments, self.results)

    def result(self):
        view = self.results.get_as_object(0, runtime.HalBufferView)
        array = runtime.DeviceArray(
            self.device, view, implicit_host_transfer=True).to_host()
        return array.transpose(self.permutation) if self.permutation else array


class IreePacked(Iree):
    name, constant_weights = "iree-packed", True


class IreeNhwc(IreePacked):
    name, layout = "iree-nhwc", "nhwc"

    def flags(self, problem):
        return FLAGS


PEERS = [Iree, IreePacked, IreeNhwc]


def version():
    from importlib.metadata import PackageNotFoundError, version as installed
    for name in ("iree-base-compiler", "iree-compiler"):
        try:
            return installed(name)
        except PackageNotFoundError:
            pass
    return "?"
