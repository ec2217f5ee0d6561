"""Compiles the first drafts for tensor cores, for the tests of their code."""

import pathlib
import subprocess
import sys


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


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
