#===- __init__.py - PyTorch models as linalg programs ----------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports PyTorch models as linalg on tensors, with weights as arguments.

    python -m pruner_tools.export resnet50 -o models

or, for a module in memory,

    from pruner_tools.export import export_module
    export_module(module, (example,), name="mine", directory="models")

Importing this package does not import its requirements (torch, torch-mlir). The
functions do, and raise `ExportError` if one is missing.
"""


class ExportError(Exception):
    """A model cannot be exported. The message says why and what to do. `operation` is the
    operation of torch-mlir that cannot be lowered (torch.aten.fft_rfft), if it is known."""

    def __init__(self, reason, operation=None):
        super().__init__(reason)
        self.operation = operation


def export_module(module, inputs, name, directory, results=None, reference=False,
                  dynamic=()):
    """Write NAME.mlir, NAME.args.json and NAME.safetensors into `directory`.

    `inputs` are the example inputs: a tuple of tensors, or a dictionary of tensors by
    keyword. `results` names the results to keep (all, if None). With `reference`,
    NAME.reference.safetensors holds the inputs and what PyTorch computes for them.
    `dynamic` are dynamic dimensions, in the syntax of --dynamic (n=x:0:1..64). Returns
    the list of the files written.
    """
    from . import dimensions, files, networks, program

    network = networks.Network(module, inputs, results)
    captured = program.capture(network, dimensions.parse_all(dynamic))
    return files.write(captured, directory, name, {}, reference)
