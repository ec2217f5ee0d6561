# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""one_task.py DATABASE DIRECTORY: lists the modules of the directory, as pruner-bench-operators
writes them, of which the tuner's passes do not make exactly one task that contains all
operations. Weights are constant, as in the benchmark."""

import pathlib
import re
import subprocess
import sys

database, directory = sys.argv[1], pathlib.Path(sys.argv[2])
modules = sorted(directory.glob("*.mlir"))
for module in modules:
    arguments = len(set(re.findall(r"%a\d+: ", module.read_text())))
    constant = []
    if arguments > 1 and not module.name.startswith("bmm"):
        constant = [f"--pruner-declare-constants=arguments=1-{arguments - 1}"]
    listed = subprocess.run(
        ["pruner-opt", module, *constant, f"--pruner-apply-best=threads=1 db={database}",
         "--pruner-list-tasks", "-o", "/dev/null"],
        check=True, capture_output=True, text=True).stderr
    if not (re.search(r"^1 distinct tasks, 1 calls", listed, re.M)
            and re.search(r"^in tasks: 100\.00% of \S+ GFLOP, 100\.00% of", listed, re.M)):
        outside = re.findall(r"^outside tasks: (.*)$", listed, re.M)
        print(f"{module.name}: {'; '.join(outside)}")
print(f"{len(modules)} modules")
