#===- lowering.py - torch-mlir modules as linalg text ---------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lowers modules of torch-mlir to linalg on tensors, as text for Pruner's tools.

Requires torch-mlir, and PyTorch only where the caller does. The text is for LLVM 22,
which cannot read the bytecode of torch-mlir's newer version.
"""

import importlib
import pathlib
import re
import signal
import subprocess

from .native import PrunerError

# The dialects that the tools can parse, and that linalg on tensors needs.
DIALECTS = {"builtin", "func", "linalg", "tensor", "arith", "math", "cf", "complex",
            "affine", "scf"}

TO_BACKEND = ("func.func(torch-match-quantized-custom-ops)",
              "torchdynamo-export-to-torch-backend-pipeline{extra-library=}")
TO_LINALG = "torch-backend-to-linalg-on-tensors-backend-pipeline"


class ModelError(PrunerError):
    """A model cannot be imported. The message says why and what to do. `operation` is the
    operation of torch-mlir that cannot be lowered (torch.aten.fft_rfft), if it is known."""

    def __init__(self, reason, operation=None):
        super().__init__(reason)
        self.operation = operation


# By package: what to install, if it differs from the name of the package.
_DISTRIBUTIONS = {"torch_mlir": "torch-mlir"}


def need(package):
    """Import `package`, or raise an error that says how to install it."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        name = _DISTRIBUTIONS.get(package, package)
        raise ModelError(f"the package '{name}' cannot be imported ({error}); "
                         f"install it: pip install {name}") from error


def brief(error):
    """Return the first lines of a long error message of another package."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = " ".join(lines[:3])
    if len(text) > 400:
        text = text[:400] + " ..."
    return f"{type(error).__name__}: {text}"


def run_passes(module, *pipelines):
    """Run pipelines of torch-mlir. Raise `ModelError` with the first diagnostic."""
    from torch_mlir.passmanager import PassManager

    said = []

    def collect(diagnostic):
        said.append(str(diagnostic))
        return True

    context = module.context
    # Without it, a pass that reports an error and succeeds ends the process.
    context.emit_error_diagnostics = True
    handler = context.attach_diagnostic_handler(collect)
    try:
        with context:
            PassManager.parse(f"builtin.module({','.join(pipelines)})").run(module.operation)
    except Exception as error:
        reason = said[0] if said else brief(error)
        raise ModelError(f"torch-mlir cannot lower the model: {reason.splitlines()[0][:400]}"
                         ) from error
    finally:
        handler.detach()


def lower_apart(text):
    """Lower the text of a module of torch-mlir, as its FX importer makes it, to text of
    linalg on tensors. Raise `ModelError`. The passes run in a process of their own,
    because some of them crash for operations that they do not support."""
    from torch_mlir import fx

    tool = pathlib.Path(fx.__file__).parent / "_mlir_libs" / "torch-mlir-opt"
    passes = f"--pass-pipeline=builtin.module({','.join((*TO_BACKEND, TO_LINALG))})"
    try:
        done = subprocess.run([tool, passes], input=text.encode(), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
    except OSError as error:
        raise ModelError(f"torch-mlir cannot be run: {error}") from None
    if done.returncode == 0:
        lowered = done.stdout.decode()
        # The names at the beginnings of lines, because LLVM 22 cannot parse other dialects.
        # After the operations are the elements of constants, which have names as well.
        operations = lowered.partition("\n{-#")[0]
        _reject({name for name in re.findall(r"^\s*(?:%\S+ = )?\"?([a-z_]\w*\.[\w.]+)",
                                             operations, re.MULTILINE)
                 if name.partition(".")[0] not in DIALECTS})
        return lowered
    lines = [line for line in done.stderr.decode(errors="replace").splitlines()
             if "error:" in line]
    reason = lines[0].partition("error: ")[2] if lines else "no reason given"
    operation = _operation_in(reason)
    reason = (f"{operation} is not supported" if operation and "illegal" in reason
              else reason[:200])
    if done.returncode < 0:
        reason += f" ({signal.Signals(-done.returncode).name})"
    raise ModelError(f"torch-mlir cannot lower the graph: {reason}", operation)


def _operation_in(diagnostic):
    """Return the operation that a diagnostic of torch-mlir is about, or None. An operation
    that the dialect does not have is `torch.operator` with a name."""
    found = (re.search(r'torch\.operator.*\bname = "(torch\.[\w.]+)"', diagnostic)
             or re.search(r"'(torch\.(?!operator')[\w.]+)'", diagnostic))
    return found and found.group(1)


def lower(module):
    """Lower a module in torch-mlir's backend form to linalg on tensors, in place. Raise
    `ModelError` if operations of other dialects remain."""
    run_passes(module, TO_LINALG)
    foreign = set()
    _foreign_ops(module.operation, foreign)
    _reject(foreign)
    return module


def _reject(foreign):
    """Raise `ModelError` if there are names of ops of other dialects."""
    if foreign:
        raise ModelError("torch-mlir produced ops that are not linalg on tensors: "
                         + ", ".join(sorted(foreign)))


def _foreign_ops(operation, found):
    """Add to `found` the names of ops of dialects that the tools cannot parse."""
    name = operation.name
    if name.partition(".")[0] not in DIALECTS:
        found.add(name)
    for region in operation.regions:
        for block in region:
            for inner in block:
                _foreign_ops(inner.operation, found)


def function(module):
    """Return the public function of a lowered module."""
    from torch_mlir import ir

    (found,) = [op for op in module.body if op.operation.name == "func.func"
                and ("sym_visibility" not in op.operation.attributes
                     or ir.StringAttr(op.operation.attributes["sym_visibility"]).value
                     != "private")]
    return found


def set_names(module, inputs, outputs, constants=()):
    """Give the arguments and results of the function their names in the model. Those in
    `constants` are declared constant."""
    from torch_mlir import ir

    module.context.allow_unregistered_dialects = True
    with module.context:
        def attribute(name, constant):
            entries = {"pruner.name": ir.StringAttr.get(name)}
            if constant:
                entries["pruner.constant"] = ir.UnitAttr.get()
            return ir.DictAttr.get(entries)

        attributes = function(module).operation.attributes
        attributes["arg_attrs"] = ir.ArrayAttr.get(
            [attribute(name, name in constants) for name in inputs])
        attributes["res_attrs"] = ir.ArrayAttr.get(
            [attribute(name, False) for name in outputs])


def _constant(array, kind, name):
    """Return an attribute with the elements of a NumPy array. Large ones refer to the
    memory of the array and print as hexadecimal digits."""
    from torch_mlir import ir

    if array.size <= 64 or kind.element_type == ir.IntegerType.get_signless(1):
        return ir.DenseElementsAttr.get(array, type=kind.element_type, shape=kind.shape)
    return ir.DenseResourceElementsAttr.get_from_buffer(array, name, kind)


def inline_constants(module, arrays):
    """Replace arguments of the function by constants. `arrays` are contiguous NumPy
    arrays by position."""
    from torch_mlir import ir

    operation = function(module)
    block = operation.regions[0].blocks[0]
    kept = [n for n in range(len(block.arguments)) if n not in arrays]
    with module.context, ir.Location.unknown():
        for position, array in arrays.items():
            argument = block.arguments[position]
            kind = ir.RankedTensorType(argument.type)
            made = ir.Operation.create(
                "arith.constant", results=[kind],
                attributes={"value": _constant(array, kind, f"weight{position}")},
                ip=ir.InsertionPoint.at_block_begin(block))
            argument.replace_all_uses_with(made.result)
        for position in sorted(arrays, reverse=True):
            block.erase_argument(position)
        old = ir.FunctionType(ir.TypeAttr(operation.attributes["function_type"]).value)
        operation.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(
            [old.inputs[n] for n in kept], old.results))


def text(module):
    return module.operation.get_asm()
