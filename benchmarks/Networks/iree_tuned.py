#===- iree_tuned.py - networks tuned for IREE ------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares networks compiled by IREE with the result of pruner_tools.tune_iree and with
other flags.

    python benchmarks/Networks/iree_tuned.py --models models --tuned tuned \\
        mobilenet_v2 bert_tiny --json result.json

`models` has the exporter's files with --reference (NET.mlir, NET.args.json,
NET.safetensors, NET.reference.safetensors), `tuned` a directory NET of the tuner. A
network is compiled for llvm-cpu at O3: by default, with data tiling, with the tuner's
flags but without a specification, and with the tuner's full result. All are compared
with PyTorch's results, then timed interleaved on one core.
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
from pruner_tools import iree_network, iree_worker
from pruner_tools.import_iree import applied
from pruner_tools.iree_network import SPECIFICATION
from pruner_tools.results import (commit_of, geometric_mean, json_bytes, processor, text_table,
                                  timestamp, write_whole)
from pruner_tools.turns import interleave_batches, ratios

# Sums are added in another order than in PyTorch.
TOLERANCE = 1e-3


class Model:
    def __init__(self, directory, name):
        base = str(pathlib.Path(directory) / name)
        self.name, self.base = name, base
        self.description = json.loads(pathlib.Path(base + ".args.json").read_text())
        self.arguments = [types.SimpleNamespace(**entry)
                          for entry in self.description["arguments"]]
        self.text = iree_network.with_weights(pathlib.Path(base + ".mlir").read_text(),
                                              self.arguments)

    def load(self, code):
        """Return a network that is ready to be called, and its error relative to
        PyTorch."""
        reference = safetensors.read(self.base + ".reference.safetensors")
        inputs = [reference["inputs/" + entry.name] for entry in self.arguments
                  if entry.kind == "input"]
        network = iree_network.Network(
            code, {iree_network.SCOPE: self.base + ".safetensors"}, inputs, 1)
        wanted = [reference["results/" + entry["name"]]
                  for entry in self.description["results"]]
        error = max(float(numpy.abs(got - want).max() / numpy.abs(want).max())
                    for got, want in zip(network.arrays(network()), wanted))
        return network, error


def variants_of(tuned):
    """Return {name: flags}, with only the flags if the tuner chose no specification."""
    chosen = [flag for flag in (tuned / "flags").read_text().split()
              if flag not in iree_worker.FLAGS]
    variants = {"plain": [], "data tiling": [iree_network.TILING],
                "flags": [flag for flag in chosen if not flag.startswith(SPECIFICATION)]}
    specified = [f"{SPECIFICATION}{(tuned / 'spec.mlir').resolve()}"
                 for flag in chosen if flag.startswith(SPECIFICATION)]
    if specified:
        variants["specification"] = [*variants["flags"], *specified]
    return variants


def measure(model, tuned, options):
    """Return medians and errors of all variants, and the number of matched dispatches.
    """
    entries, networks, hits = {}, {}, []
    for name, flags in variants_of(tuned).items():
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as dumped:
            code = iree_network.compiled(
                model.text,
                [*flags, f"--iree-hal-dump-executable-configurations-to={dumped}"])
            hits = applied([dumped])
        network, error = model.load(code)
        if not error < TOLERANCE:
            sys.exit(f"{model.name}, {name}: wrong by {error:.3g} of the largest element")
        networks[name] = network
        entries[name] = {"flags": flags, "compile": time.monotonic() - start, "error": error}
    batches = interleave_batches(networks, options.rounds, options.seconds)
    for name, of in batches.items():
        entries[name]["times"] = [batch.seconds for batch in of]
        entries[name]["median"] = statistics.median(entries[name]["times"])
    last = list(networks)[-1]
    over = {name: ratios(entries[name]["times"], entries[last]["times"])
            for name in networks}
    middle = len(over[last]) // 2
    return {"variants": entries, "tuned": last, "matched": sum(hit for _, hit in hits),
            "dispatches": len(hits),
            "speed-up": {name: statistics.median(of) for name, of in over.items()},
            "quartiles": [over["plain"][middle // 2], over["plain"][-1 - middle // 2]]}


def row(name, result):
    def milliseconds(variant):
        entry = result["variants"].get(variant)
        return f"{entry['median'] * 1e3:.2f} ms" if entry else "-"

    ups = result["speed-up"]
    return [name, *map(milliseconds, ("plain", "data tiling", "flags", "specification")),
            f"{ups['plain']:.2f}", "{:.2f} to {:.2f}".format(*result["quartiles"]),
            f"{ups['data tiling']:.2f}", f"{ups['flags']:.2f}",
            f"{result['matched']} of {result['dispatches']}",
            f"{result['variants'][result['tuned']]['error']:.1e}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("networks", nargs="+")
    parser.add_argument("--models", required=True)
    parser.add_argument("--tuned", required=True)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--seconds", type=float, default=0.2, help="seconds per batch")
    parser.add_argument("--json", help="file for the readings")
    options = parser.parse_args()
    results = {}
    rows = [["", "plain", "data tiling", "tuner's flags", "with specification", "faster",
             "quartiles", "than tiled", "than flags alone", "matched", "error"]]
    everything = os.sched_getaffinity(0)
    for name in options.networks:
        os.sched_setaffinity(0, {max(everything)})
        result = measure(Model(options.models, name), pathlib.Path(options.tuned) / name,
                         options)
        results[name] = result
        rows.append(row(name, result))
        print("\n".join(text_table([rows[0], rows[-1]])), flush=True)
    means = {name: geometric_mean([each["speed-up"][name] for each in results.values()])
             for name in ("plain", "data tiling", "flags")}
    print("\n".join(text_table(rows)))
    print("geometric means of the speedup over " +
          ", ".join(f"{name}: {mean:.2f}" for name, mean in means.items()))
    if options.json:
        write_whole(options.json, json_bytes({
            "networks": results, "rounds": options.rounds, "geometric means": means,
            "iree": importlib.metadata.version("iree-base-compiler"), "processor": processor(),
            "commit": commit_of(ROOT), "timestamp": timestamp(),
            "command": " ".join(["iree_tuned.py", *map(os.path.basename, sys.argv[1:])])}))


if __name__ == "__main__":
    main()
