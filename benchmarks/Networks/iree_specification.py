#===- iree_specification.py - a tuning specification in IREE ---------------===#
#
# Part of the Pruner project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Times networks compiled by IREE with and without a tuning specification.

    python benchmarks/Networks/iree_specification.py --models models --specs specs \\
        mobilenet_v2 bert_tiny --json result.json

`models` has what the exporter writes (NET.mlir, NET.args.json, NET.safetensors,
NET.reference.safetensors), `specs` NET.spec.mlir of pruner-export-iree-spec. A
network is compiled for llvm-cpu at O3: as it is, with the specification, and with
data tiling, which takes products away from lowering configurations. All are held to
PyTorch's results, then run in turns on one core.

    python benchmarks/Networks/iree_specification.py --models models --dump dispatches NET

writes what pruner_tools.import_iree reads instead, and times nothing.
"""

import argparse
import importlib.metadata
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time
import types

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from pruner import safetensors
from pruner_tools import iree_network
from pruner_tools.import_iree import applied
from pruner_tools.results import (commit_of, geometric_mean, json_bytes, processor, text_table,
                                  timestamp, write_whole)

PLAIN = iree_network.FLAGS
TILING = iree_network.TILING
# Sums are added in another order than PyTorch's.
TOLERANCE = 1e-3


class Model:
    def __init__(self, directory, name):
        base = str(pathlib.Path(directory) / name)
        self.name, self.weights = name, base + ".safetensors"
        self.description = json.loads(pathlib.Path(base + ".args.json").read_text())
        self.arguments = [types.SimpleNamespace(**entry)
                          for entry in self.description["arguments"]]
        self.text = iree_network.with_weights(pathlib.Path(base + ".mlir").read_text(),
                                              self.arguments)
        self.base = base

    def compile(self, flags):
        return iree_network.compiler.compile_str(self.text, extra_args=flags)

    def load(self, code):
        reference = safetensors.read(self.base + ".reference.safetensors")
        inputs = [reference["inputs/" + entry.name] for entry in self.arguments
                  if entry.kind == "input"]
        network = iree_network.Network(code, self.weights, inputs, 1)
        wanted = [reference["results/" + entry["name"]]
                  for entry in self.description["results"]]
        error = max(float(numpy.abs(got - want).max() / numpy.abs(want).max())
                    for got, want in zip(network.arrays(network()), wanted))
        return network, error


def measure(model, specification, rounds):
    """Medians and errors of all variants, and how many dispatches were matched."""
    with tempfile.TemporaryDirectory() as dumped:
        flags = {"plain": PLAIN, "data tiling": [*PLAIN, TILING], "specification": [
            *PLAIN, f"--iree-codegen-tuning-spec-path={specification}",
            f"--iree-hal-dump-executable-configurations-to={dumped}"]}
        variants, networks = {}, {}
        for name, options in flags.items():
            start = time.monotonic()
            code = model.compile(options)
            network, error = model.load(code)
            if not error < TOLERANCE:
                sys.exit(f"{model.name}, {name}: wrong by {error:.3g} of the largest element")
            networks[name] = network
            variants[name] = {"compile": time.monotonic() - start, "error": error, "times": []}
        hits = applied([dumped])
    for number in range(rounds):
        order = list(networks)
        for name in order[number % len(order):] + order[:number % len(order)]:
            networks[name]()
            start = time.perf_counter()
            networks[name]()
            variants[name]["times"].append(time.perf_counter() - start)
    for entry in variants.values():
        entry["median"] = statistics.median(entry["times"])
    ratios = sorted(a / b for a, b in zip(variants["plain"]["times"],
                                          variants["specification"]["times"]))
    return {"variants": variants, "matched": sum(hit for _, hit in hits),
            "dispatches": len(hits), "speed-up": statistics.median(ratios),
            "quartiles": [ratios[len(ratios) // 4], ratios[3 * len(ratios) // 4]]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("networks", nargs="+")
    parser.add_argument("--models", required=True)
    parser.add_argument("--specs")
    parser.add_argument("--dump", help="directory for dumped dispatches")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", help="file for the readings")
    options = parser.parse_args()
    if bool(options.dump) == bool(options.specs):
        parser.error("either --specs or --dump")
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    if options.dump:
        for name in options.networks:
            into = pathlib.Path(options.dump) / name
            Model(options.models, name).compile(
                [*PLAIN, f"--iree-hal-dump-executable-configurations-to={into}"])
            print(into)
        return
    results = {}
    rows = [["", "IREE", "specification", "faster", "quartiles", "data tiling", "matched",
             "error"]]
    for name in options.networks:
        path = pathlib.Path(options.specs) / f"{name}.spec.mlir"
        result = measure(Model(options.models, name), path.resolve(), options.rounds)
        results[name] = result
        variants = result["variants"]
        rows.append([name, *(f"{variants[each]['median'] * 1e3:.2f} ms"
                             for each in ("plain", "specification")),
                     f"{result['speed-up']:.2f}",
                     "{:.2f} to {:.2f}".format(*result["quartiles"]),
                     f"{variants['data tiling']['median'] * 1e3:.2f} ms",
                     f"{result['matched']} of {result['dispatches']}",
                     f"{variants['specification']['error']:.1e}"])
        print("\n".join(text_table([rows[0], rows[-1]])), flush=True)
    mean = geometric_mean([each["speed-up"] for each in results.values()])
    print("\n".join(text_table(rows)))
    print(f"geometric mean: {mean:.2f}")
    if options.json:
        write_whole(options.json, json_bytes({
            "networks": results, "rounds": options.rounds, "geometric mean": mean,
            "iree": importlib.metadata.version("iree-base-compiler"), "processor": processor(),
            "commit": commit_of(ROOT), "timestamp": timestamp(),
            "command": " ".join(["iree_specification.py",
                                 *map(os.path.basename, sys.argv[1:])])}))


if __name__ == "__main__":
    main()
