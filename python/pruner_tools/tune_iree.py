#===- tune_iree.py - tuning of a network for IREE -------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tunes a network for iree-compile (llvm-cpu, one core), in one command.

    python -m pruner_tools.tune_iree models/resnet50 -o tuned --trials 100

`models/resnet50` is the common name of the exporter's files .mlir, .args.json and
.safetensors. Compilations of the whole network are timed interleaved:

1. with and without data tiling and convolutions as products (IREE's flags);
2. with a specification of lowering configurations, which pruner-tune finds with IREE as
  builder and runner, for the dispatches of the fastest flags that keep products (data
  tiling replaces them by other ops). Each configuration is tried alone in the network;
  those that do not make it faster are dropped.

The directory `tuned` receives network.mlir (the network with its weights as constants,
which IREE reads from the .safetensors file: --parameters=weights=FILE), flags (the
winner's options of iree-compile, one per line, possibly without a specification),
spec.mlir, result.json with all times, and tuning.db: a second run with more trials
continues from it.
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import statistics
import sys
import types

import numpy

from pruner.network import DTYPES
from pruner.random_inputs import random_input

from . import iree_network, turns
from .import_iree import applied, module, read_dispatches
from .results import json_bytes, processor, text_table, timestamp, write_whole
from .tools import ToolError, run_tool

BASES = {"plain": (), "data tiling": (iree_network.TILING,),
         "im2col": (iree_network.IM2COL,),
         "data tiling, im2col": (iree_network.TILING, iree_network.IM2COL)}
# Sums are added in another order than by IREE's plain code.
TOLERANCE = 1e-3

# : An entry of the specification's list of matchers, with its name.
ENTRY = re.compile(r"^ *@match_(\w+) -> @\w+,?\n", re.M)


class Failure(Exception):
    """A compilation fails, or its code computes different results."""


def entries(specification):
    """Return the names of a specification's matchers, in order."""
    return ENTRY.findall(specification)


def with_entries(specification, kept):
    """Return the specification with only these matchers; None if none are kept."""
    lines = [line for line in ENTRY.finditer(specification) if line.group(1) in kept]
    if not lines:
        return None
    every = list(ENTRY.finditer(specification))
    listed = "\n".join(line.group(0).rstrip(",\n") + "," for line in lines).rstrip(",")
    return (specification[:every[0].start()] + listed + "\n" +
            specification[every[-1].end():])


def inputs_of(arguments, generator):
    """Return random arrays for the arguments that are not weights."""
    tensors = [types.SimpleNamespace(shape=entry.shape, element=entry.dtype,
                                     dtype=numpy.dtype(DTYPES[entry.dtype]))
               for entry in arguments if entry.kind == "input"]
    return [random_input(tensor, generator, None) for tensor in tensors]


class Model:
    """A network of the exporter; its code is written to `directory`."""

    def __init__(self, base, directory):
        self.base, self.directory = base, directory
        described = json.loads(pathlib.Path(base + ".args.json").read_text())
        self.arguments = [types.SimpleNamespace(**entry)
                          for entry in described["arguments"]]
        self.text = iree_network.with_weights(pathlib.Path(base + ".mlir").read_text(),
                                              self.arguments)
        (directory / "network.mlir").write_text(self.text)
        self.inputs = inputs_of(self.arguments, numpy.random.default_rng(0))
        self.expected = None

    def compile(self, flags):
        try:
            return iree_network.compiled(self.text, flags)
        except iree_network.compiler.CompilerToolError as error:
            raise Failure(str(error).splitlines()[0]) from None

    def contender(self, flags):
        """Return code that is ready to be called. The first one's results are the
        reference."""
        network = iree_network.Network(self.compile(flags), self.base + ".safetensors",
                                       self.inputs, 1)
        results = network.arrays(network())
        if self.expected is None:
            self.expected = results
        for got, wanted in zip(results, self.expected):
            scale = max(float(numpy.abs(wanted).max(initial=0)), 1e-30)
            error = float(numpy.abs(got.astype("f8") - wanted).max(initial=0)) / scale
            if not error < TOLERANCE:
                raise Failure(f"a result differs by {error:.3g} of the largest element")
        return network


class Final:
    """Compilations of a model by name, timed interleaved on one core."""

    def __init__(self, model, options):
        self.model, self.options = model, options
        self.flags, self.networks, self.failed = {}, {}, {}

    def enter(self, name, flags):
        self.flags[name] = tuple(flags)
        try:
            self.networks[name] = self.model.contender(flags)
        except Failure as failure:
            self.failed[name] = str(failure)
            print(f"{name}: {failure}", file=sys.stderr)

    def times(self, names):
        """Return seconds per call by name, a number for each turn. All use the same
        core, which is then free for compiling again."""
        everything = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {max(everything)})
        batches = turns.interleave_batches({name: self.networks[name] for name in names},
                                           self.options.rounds, self.options.seconds)
        os.sched_setaffinity(0, everything)
        return {name: [batch.seconds for batch in of] for name, of in batches.items()}


def ratios(times, name, than):
    """Return the speedups over another compilation in the same turns, sorted."""
    return turns.ratios(times[than], times[name])


def faster(times, name, than):
    return statistics.median(ratios(times, name, than))


def is_faster(times, name, than):
    """Return whether it is faster in three of four turns. Flags without a clear gain
    are not kept."""
    of = ratios(times, name, than)
    return of[len(of) // 4] > 1


def report(times, reference):
    rows = [["compilation", "median", f"of {reference}"]]
    for name in sorted(times, key=lambda each: statistics.median(times[each])):
        rows.append([name, f"{statistics.median(times[name]) * 1e3:.2f} ms",
                     f"{faster(times, name, reference):.3f}"])
    print(*text_table(rows), "", sep="\n", flush=True)


def specification(model, flags, options):
    """Return the specification that pruner-tune finds for the dispatches that IREE
    creates with these flags, or None if there are no relevant ones."""
    directory = model.directory
    dumped = directory / "dispatches"
    model.compile([*flags, f"--iree-hal-dump-executable-configurations-to={dumped}"])
    functions = read_dispatches([dumped])
    if not functions:
        return None
    source, tuned, output = (directory / name for name in
                             ("dispatches.mlir", "tuned.mlir", "all.spec.mlir"))
    source.write_text(module(functions.values()))
    worker = shlex.join([sys.executable, "-m", "pruner_tools.iree_worker", "--dispatches",
                         str(source), *(f"--flag={flag}" for flag in flags)])
    limit = f"time-limit={options.time_limit}" if options.time_limit else ""
    log = run_tool(
        ["pruner-opt", source, "-o", tuned,
         f"--pruner-tune=builder=\"exec:exec {worker}\" runner=\"exec:exec {worker}\" "
         f"threads=1 caches=warm lower=false model=none only=matmul|matvec|conv "
         f"trials={options.trials} {limit} db={directory / 'tuning.db'} "
         f"{options.tune_options}"]).stderr
    (directory / "tune.log").write_text(log)
    print(*(line for line in log.splitlines() if line.startswith(("tasks in total", "time:"))),
          sep="\n", flush=True)
    run_tool(["pruner-opt", source, "-o", os.devnull, "--pruner-export-iree-spec="
              f"schedules={tuned} output={output}"])
    return output.read_text()


def spec_flags(flags, path):
    return (*flags, f"{iree_network.SPECIFICATION}{path}")


def best_specification(final, base, text, options):
    """Return the name of the compilation with those parts of `text` that make the
    network faster than `base` does alone; None if there are none. Writes spec.mlir."""
    directory = final.model.directory
    names = entries(text)[:options.entries]
    singles = {}
    for name in names:
        path = directory / f"{name}.spec.mlir"
        path.write_text(with_entries(text, {name}))
        final.enter(name, spec_flags(final.flags[base], path))
        if name in final.networks:
            singles[name] = path
    if not singles:
        return None
    times = final.times([base, *singles])
    report(times, base)
    kept = {name for name in singles if is_faster(times, name, base)}
    for name, path in singles.items():
        path.unlink()
        del final.networks[name]  # Each one holds its own weights.
    whole = with_entries(text, kept)
    if whole is None:
        return None
    path = directory / "spec.mlir"
    path.write_text(whole)
    final.enter("specification", spec_flags(final.flags[base], path))
    return "specification" if "specification" in final.networks else None


def matched(model, flags):
    """Return the number of dispatches with a reduction that a specification matches,
    and the number of all."""
    dumped = model.directory / "applied"
    model.compile([*flags, f"--iree-hal-dump-executable-configurations-to={dumped}"])
    hits = applied([dumped])
    return sum(hit for _, hit in hits), len(hits)


def tune(options):
    directory = pathlib.Path(options.output)
    directory.mkdir(parents=True, exist_ok=True)
    if options.trials:
        run_tool(["pruner-opt", "--version"])  # Fail here rather than after minutes of measuring.
    (directory / "spec.mlir").unlink(missing_ok=True)
    model = Model(options.network, directory)
    final = Final(model, options)
    for name, flags in BASES.items():
        final.enter(name, flags)
    if "plain" not in final.networks:
        raise Failure("IREE cannot compile the network")
    times = final.times(list(final.networks))
    report(times, "plain")
    fastest = lambda names: min(names, key=lambda name: statistics.median(times[name]))
    tiled = [name for name in final.networks if iree_network.TILING in final.flags[name]]
    base = fastest(set(final.networks) - set(tiled))
    winner = fastest(final.networks)

    text = specification(model, final.flags[base], options) if options.trials else None
    found = best_specification(final, base, text, options) if text else None
    names = list(dict.fromkeys(["plain", base, winner, *([found] if found else [])]))
    times = final.times(names)
    report(times, "plain")
    winner = "plain"
    for name in sorted(names, key=lambda name: (name == found, len(final.flags[name]))):
        if name != winner and is_faster(times, name, winner):
            winner = name

    result = {"network": os.path.basename(options.network), "winner": winner,
              "flags": [*iree_network.FLAGS, *final.flags[winner]],
              "base of the specification": base, "seconds": times, "failed": final.failed,
              "faster than plain": faster(times, winner, "plain"),
              "processor": processor(), "timestamp": timestamp()}
    if found:
        result["specification against its base"] = faster(times, found, base)
        result["matched"] = matched(model, final.flags[found])
    write_whole(str(directory / "result.json"), json_bytes(result))
    write_whole(str(directory / "flags"), ("\n".join(result["flags"]) + "\n").encode())
    print(f"{winner}: {result['faster than plain']:.2f} times as fast as plain; "
          f"iree-compile {directory / 'network.mlir'} {shlex.join(final.flags[winner])}")


def main():
    parser = argparse.ArgumentParser(prog="pruner_tools.tune_iree",
                                     description=__doc__.splitlines()[0])
    parser.add_argument("network", help="common path of the exporter's files, without extension")
    parser.add_argument("-o", "--output", required=True, help="directory")
    parser.add_argument("--trials", type=int, default=100,
                        help="trials of lowering configurations (default %(default)s); 0: flags only")
    parser.add_argument("--time-limit", type=int, help="time limit of these trials, in seconds")
    parser.add_argument("--tune-options", default="", help="more options of pruner-tune")
    parser.add_argument("--entries", type=int, default=16,
                        help="maximum number of configurations tried in the network (default %(default)s)")
    parser.add_argument("--rounds", type=int, default=9, help="number of turns (default %(default)s)")
    parser.add_argument("--seconds", type=float, default=0.2,
                        help="seconds per turn, at least one call (default %(default)s)")
    options = parser.parse_args()
    try:
        tune(options)
    except (OSError, KeyError, ValueError, Failure, ToolError) as error:
        sys.exit(f"pruner_tools.tune_iree: {error}")


if __name__ == "__main__":
    main()
