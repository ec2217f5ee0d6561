"""Compiles the first drafts for GPUs, for the tests of their code."""

import pathlib
import re
import subprocess
import sys


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def function(name, operation, a, b, c, factor="f32", result="f32", attribute=""):
    """A function of one operation of linalg on tensors of the shapes `a` and `b`, whose
    result has the shape `c`."""
    a, b = (f"tensor<{shape}x{factor}>" for shape in (a, b))
    c = f"tensor<{c}x{result}>"
    zero = "0" if result[0] == "i" else "0.0"
    return f"""func.func @{name}(%a: {a}, %b: {b}) -> {c} {{
  %z = arith.constant {zero} : {result}
  %e = tensor.empty() : {c}
  %i = linalg.fill ins(%z : {result}) outs(%e : {c}) -> {c}
  %r = linalg.{operation} {attribute} ins(%a, %b : {a}, {b}) outs(%i : {c}) -> {c}
  return %r : {c}
}}
"""


def loops(code):
    """The opcodes of disassembled code, and those of each of its loops."""
    labels, opcodes, found = {}, [], []
    for line in code.splitlines():
        label = re.match(r"(\.L_\w+):", line.strip())
        if label:
            labels[label.group(1)] = len(opcodes)
        op = re.search(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9]*)(.*?);", line)
        if not op:
            continue
        opcodes.append(op.group(1))
        target = re.search(r"`\((\.L_\w+)\)", op.group(2))
        if op.group(1) == "BRA" and target and target.group(1) in labels:
            found.append(opcodes[labels[target.group(1)]:])
    return opcodes, found


class Drafts:
    """The functions of a module, drafted for a chip: `drafted` has the schedules, `lowered`
    the kernels, and `ptx` their code."""

    def __init__(self, directory, name, chip, module, accuracy=""):
        self.chip = chip
        stem = pathlib.Path(directory) / f"{name}-{chip}"
        source, self.drafted, self.lowered, self.ptx, self.cubin = (
            stem.with_suffix(suffix)
            for suffix in (".mlir", ".draft.mlir", ".low.mlir", ".ptx", ".cubin"))
        source.write_text(module)
        target = f"target=nvidia:sm_{chip}"
        allowed = f" accuracy={accuracy}" if accuracy else ""
        run("pruner-opt", source, "-o", self.drafted,
            f"--pruner-draft=lower=false {target}{allowed}")
        run("pruner-opt", self.drafted, "-o", self.lowered, f"--pruner-tile={target}",
            "--convert-pruner-to-gpu", "--pruner-to-nvvm")
        run("pruner-translate", self.lowered, "--to=ptx", f"--chip=sm_{chip}", "-o", self.ptx)

    def assemble(self, ptx=None):
        """Return the assembler's report about the code, or about another text of it."""
        return run("ptxas", f"-arch=sm_{self.chip}", "-v", ptx or self.ptx, "-o", self.cubin)
