#===- without_pruner.py - exported schedules in upstream tools ------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times a network compiled by upstream tools only, with and without the library that
pruner-export-transform made of its schedules.

    python benchmarks/Networks/without_pruner.py net.mlir library.mlir \\
        --args net.args.json --weights net.safetensors \\
        --reference net.reference.safetensors

Both are first compared with the reference (PyTorch's results for its inputs), then
timed interleaved on one core.
"""

import argparse
import ctypes
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from pruner import safetensors
from pruner_tools.results import (commit_of, json_bytes, processor, text_table, timestamp,
                                  write_whole)

LLVM = os.path.abspath(os.environ.get("LLVM_BIN") or "/usr/lib/llvm-22/bin")
# Sums are added in another order than in PyTorch.
TOLERANCE = 1e-3


def tool(name):
    return shutil.which(name, path=LLVM) or sys.exit(f"{LLVM} has no {name}")


def compiled(source, library, directory, name):
    """Return the shared object, and the seconds of upstream's passes and clang."""
    passes = " ".join((ROOT / "examples/upstream-pipeline.txt").read_text().split())
    if library:
        passes = (f"transform-preload-library{{transform-library-paths={library}}},"
                  f"transform-interpreter,{passes}")
    lowered, code, shared = (str(directory / (name + end)) for end in (".mlir", ".ll", ".so"))
    start = time.monotonic()
    subprocess.run([tool("mlir-opt"), source, f"--pass-pipeline=builtin.module({passes})",
                    "-o", lowered], check=True)
    subprocess.run([tool("mlir-translate"), "--mlir-to-llvmir", lowered, "-o", code], check=True)
    middle = time.monotonic()
    lib = os.path.join(os.path.dirname(LLVM), "lib")
    subprocess.run([tool("clang"), "-O3", "-march=native", "-ffp-contract=fast", "-shared",
                    "-fPIC", "-Wno-override-module", code, "-o", shared, "-lm", f"-L{lib}",
                    "-lmlir_c_runner_utils", f"-Wl,-rpath,{lib}"], check=True)
    return shared, middle - start, time.monotonic() - middle


class Network:
    """A network whose function takes a pointer for each argument and each result."""

    def __init__(self, shared, description, weights, reference):
        self.function = getattr(ctypes.CDLL(shared), description["function"])
        self.function.restype = None
        self.arrays = [numpy.ascontiguousarray(
            reference["inputs/" + entry["name"]] if entry["kind"] == "input"
            else weights[entry["name"]]) for entry in description["arguments"]]
        self.wanted = [reference["results/" + entry["name"]]
                       for entry in description["results"]]
        self.results = [numpy.empty_like(array) for array in self.wanted]
        self.pointers = [ctypes.c_void_p(array.ctypes.data)
                         for array in self.arrays + self.results]

    def __call__(self):
        start = time.perf_counter()
        self.function(*self.pointers)
        return time.perf_counter() - start

    def error(self):
        """Return the largest difference, relative to the largest element."""
        return max(float(numpy.abs(result - wanted).max() / numpy.abs(wanted).max())
                   for result, wanted in zip(self.results, self.wanted))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("network")
    parser.add_argument("library")
    parser.add_argument("--args", required=True, help="names and kinds of the arguments")
    parser.add_argument("--weights", required=True)
    parser.add_argument("--reference", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", help="file for the medians")
    options = parser.parse_args()
    description = json.loads(pathlib.Path(options.args).read_text())
    weights = safetensors.read(options.weights)
    reference = safetensors.read(options.reference)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

    variants, times, rows = {}, {}, [["", "median", "passes", "clang", "error"]]
    with tempfile.TemporaryDirectory() as scratch:
        for name, library in (("untuned", None), ("tuned", options.library)):
            shared, passes, clang = compiled(options.network, library, pathlib.Path(scratch), name)
            network = Network(shared, description, weights, reference)
            network()
            error = network.error()
            if not error < TOLERANCE:
                sys.exit(f"{name}: wrong by {error:.3g} of the largest element")
            variants[name] = {"passes": passes, "clang": clang, "error": error}
            times[name] = (network, [])
        for _ in range(options.rounds):
            for network, taken in times.values():
                taken.append(network())
    for name, entry in variants.items():
        entry["median"] = statistics.median(times[name][1])
        rows.append([name, f"{entry['median'] * 1e3:.2f} ms", f"{entry['passes']:.1f} s",
                     f"{entry['clang']:.1f} s", f"{entry['error']:.1e}"])
    ratio = variants["untuned"]["median"] / variants["tuned"]["median"]
    print("\n".join(text_table(rows)))
    print(f"{pathlib.Path(options.network).stem}: {ratio:.2f} times as fast")
    if options.json:
        write_whole(options.json, json_bytes({
            "network": pathlib.Path(options.network).stem, "rounds": options.rounds,
            "speed-up": ratio, "variants": variants, "processor": processor(),
            "commit": commit_of(ROOT), "timestamp": timestamp(),
            "command": " ".join(["without_pruner.py", *map(os.path.basename, sys.argv[1:])])}))


if __name__ == "__main__":
    main()
