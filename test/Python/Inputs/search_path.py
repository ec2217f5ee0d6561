"""Creates a directory in which every module and program that might be searched for
prints that it was found: search_path.py <directory>."""
import pathlib
import subprocess
import sys

directory = pathlib.Path(sys.argv[1])
# For `-m`, Python itself imports these modules before any other, and finds them in the
# current directory if they exist there.
own = subprocess.run(
    [sys.executable, "-c", "import runpy, pkgutil, sys; print(*sys.modules)"], check=True,
    capture_output=True, text=True).stdout.split()
known = {*getattr(sys, "stdlib_module_names", ()), "argparse", "json", "hashlib", "ctypes",
         "subprocess", "numpy", "gpukit", "matplotlib"}
for name in known - {each.partition(".")[0] for each in own} - {"__future__"}:
    (directory / f"{name}.py").write_text("import os\nprint('found here:', __file__, flush=True)\n"
                                          "os._exit(3)\n")
for name in ("pruner-opt", "pruner-translate", "pruner", "pruner-worker", "pruner-machine",
             "git", "iree-compile", "ptxas", "compute-sanitizer", "bin/pruner-opt"):
    path = directory / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\necho found here: {name} >&2\nexit 3\n")
    path.chmod(0o755)
