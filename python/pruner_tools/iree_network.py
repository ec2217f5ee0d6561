#===- iree_network.py - networks compiled by IREE -------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs an exported network with IREE's llvm-cpu code and constant weights.

The text is the one that Pruner's libraries are built from. Weights become globals that
are read from the safetensors file when the module is loaded, so IREE may hoist and pack
computations on weights.
"""

import re

import numpy
from iree import compiler, runtime

from .iree_worker import with_flags

TILING = "--iree-dispatch-creation-data-tiling"
# : Converts convolutions to products, which IREE vectorizes and tiles much better.
IM2COL = "--iree-global-opt-use-im2col-for-convs"
SPECIFICATION = "--iree-codegen-tuning-spec-path="
SCOPE = "weights"

FUNCTION = re.compile(r"func\.func @main\((.*?)\) -> [^\n]*\{\n", re.S)
ARGUMENT = re.compile(r"(%\w+): (tensor<[^>]*>)")


def with_weights(text, arguments):
    """Return `text` with the arguments other than inputs read from globals. `arguments`
    are those of the captured program, in the function's order."""
    head = FUNCTION.search(text)
    given = ARGUMENT.findall(head.group(1))
    if len(given) != len(arguments):
        raise ValueError(f"{len(given)} arguments, {len(arguments)} names")
    kept, globals_, loads = [], [], []
    for number, ((value, kind), argument) in enumerate(zip(given, arguments)):
        if argument.kind == "input":
            kept.append(f"{value}: {kind}")
            continue
        globals_.append(f"util.global private @weight{number} = "
                        f"#flow.parameter.named<\"{SCOPE}\"::\"{argument.name}\"> : {kind}\n")
        loads.append(f"{value} = util.global.load immutable @weight{number} : {kind}\n")
    return "".join([text[:head.start()], *globals_, text[head.start():head.start(1)],
                    ", ".join(kept), text[head.end(1):head.end()], *loads,
                    text[head.end():]])


def compiled(text, flags):
    """Compile a module, as text or bytes, with these `flags` and the worker's others.
    Raises compiler.CompilerToolError."""
    return compiler.compile_str(text, extra_args=with_flags(flags))


def declarations(code):
    """Return {function: its types as text} of a compiled module's public functions."""
    module = runtime.VmModule.copy_buffer(runtime.VmInstance(), code)
    found = {name: module.lookup_function(name).reflection.get("iree.abi.declaration")
             for name in module.function_names}
    return {name: declared for name, declared in found.items() if declared}


class Network:
    """A compiled network, on the calling thread or on one thread per CPU. `parameters`
    are files of weights by their scope."""

    def __init__(self, code, parameters, inputs, threads, entry="main"):
        self.instance = runtime.VmInstance()
        self.device = runtime.get_device("local-sync" if threads == 1 else "local-task")
        modules = [runtime.create_hal_module(self.instance, self.device)]
        if parameters:
            providers = []
            for scope, file in parameters.items():
                index = runtime.ParameterIndex()
                index.load(file)
                providers.append(index.create_provider(scope=scope))
            modules.insert(0, runtime.create_io_parameters_module(self.instance, *providers))
        self.module = runtime.VmModule.copy_buffer(self.instance, code)
        self.context = runtime.VmContext(self.instance, [*modules, self.module])
        self.function = self.module.lookup_function(entry)
        self.inputs = runtime.VmVariantList(len(inputs))
        for array in inputs:
            array = numpy.ascontiguousarray(array)
            self.inputs.push_ref(self.device.allocator.allocate_buffer_copy(
                memory_type=runtime.MemoryType.DEVICE_LOCAL,
                allowed_usage=runtime.BufferUsage.DEFAULT, device=self.device,
                buffer=array,
                element_type=runtime.array_interop.map_dtype_to_element_type(array.dtype)))

    def __call__(self):
        """Results stay in IREE's memory; `arrays` reads them."""
        results = runtime.VmVariantList(1)
        self.context.invoke(self.function, self.inputs, results)
        return results

    def arrays(self, results):
        return [runtime.DeviceArray(
            self.device, results.get_as_object(n, runtime.HalBufferView),
            implicit_host_transfer=True).to_host() for n in range(results.size)]
