#===- tune_iree.py - tuning of a network for IREE -------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tunes a network for iree-compile (llvm-cpu, one core), in one command.

    python -m pruner_tools.tune_iree model.mlir -o tuned --trials 100
    python -m pruner_tools.tune_iree model.mlir -o tuned --entry forward --input 1x3x224x224xf32 \\
        --parameters model=model.safetensors --flag=--iree-llvmcpu-target-cpu=znver4
    python -m pruner_tools.tune_iree models/resnet50 -o tuned

The network is any module that iree-compile reads, or the common name of the exporter's
files .mlir, .args.json and .safetensors. Compilations of the whole network are timed
interleaved:

1. with and without data tiling and convolutions as products (IREE's flags);
2. with a specification of lowering configurations, which pruner-tune finds with IREE as
  builder and runner, for the dispatches of the fastest flags that keep products (data
  tiling replaces them by other ops). Each configuration is tried alone in the network;
  those that do not make it faster are dropped.

The directory `tuned` receives flags (the winner's options of iree-compile, one per line,
possibly without a specification), spec.mlir, result.json with all times, tune.log, and
tuning.db: a second run with more trials continues from it. For an exported network it
also receives network.mlir, which has the weights as constants that IREE reads from the
.safetensors file (--parameters=weights=FILE).

--time-limit bounds the trials only. It does not include the compilations of the network,
the default code of each dispatch, the comparison of the best trials, and the test of the
configurations in the network. The last line shows the time of each phase.
"""

import json
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import time
import types

import numpy

from pruner.arguments import ArgumentParser
from pruner.arrays import DTYPES
from pruner.programs import find
from pruner.random_inputs import random_input

try:
    from . import iree_network
except ModuleNotFoundError as missing:
    sys.exit(f"pruner_tools.tune_iree: {missing}: "
             "pip install iree-base-compiler iree-base-runtime")
from . import turns
from .import_iree import applied, module, read_dispatches
from .iree_worker import with_flags
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


class InputError(Exception):
    """The function that is timed, or its inputs, are not known."""


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


# : A type of an argument in IREE's declaration of a function.
DECLARED = re.compile(r"%input\d+: (?:tensor<([^>]*)>|(\S+?))[,)]")


def drawn(shape, element, generator):
    """Return a random array of an element type of MLIR."""
    if element not in DTYPES:
        raise InputError(f"an input has elements of {element}, which are not supported")
    tensor = types.SimpleNamespace(shape=shape, element=element,
                                   dtype=numpy.dtype(DTYPES[element]))
    return random_input(tensor, generator, None)


def input_of(text, generator):
    """Return the array of an --input: @FILE.npy, or a shape with its element type and
    possibly a value of all elements."""
    if text.startswith("@"):
        return numpy.load(text[1:])
    kind, _, value = text.partition("=")
    *shape, element = kind.split("x")
    try:
        array = drawn([int(extent) for extent in shape], element, generator)
        return numpy.full_like(array, float(value)) if value else array
    except ValueError:
        raise InputError(f"--input {text}: expected @FILE.npy or a type such as 1x3x224x224xf32, "
                      "which may end with =VALUE") from None


def declared_inputs(declaration, generator):
    """Return random arrays for the arguments of a function that IREE declares so."""
    arrays = []
    for number, (tensor, other) in enumerate(DECLARED.findall(declaration)):
        *shape, element = tensor.split("x")
        if other or not all(extent.isdigit() for extent in shape):
            raise InputError(f"input {number} is {other or f'tensor<{tensor}>'}; expected a tensor "
                          "of static shape, or an --input for each argument")
        arrays.append(drawn([int(extent) for extent in shape], element, generator))
    return arrays


class Model:
    """A network; its code is written to `directory`. `text` is what IREE compiles in
    `source`, `parameters` are files of weights by their scope. `inputs` and `entry` are
    known after the first compilation."""

    def __init__(self, options, directory):
        self.directory, self.options = directory, options
        self.generator = numpy.random.default_rng(0)
        self.parameters = dict(each.partition("=")[::2] for each in options.parameters)
        self.expected = self.inputs = None
        self.entry = options.entry
        path = options.network
        base = path[:-len(".mlir")] if path.endswith(".mlir") else path
        if os.path.isfile(path) and not os.path.exists(base + ".args.json"):
            self.source = pathlib.Path(path)
            self.text = self.source.read_bytes()
            if options.input:
                self.inputs = [input_of(text, self.generator) for text in options.input]
        else:
            self.read_exported(base)

    def read_exported(self, base):
        described = json.loads(pathlib.Path(base + ".args.json").read_text())
        arguments = [types.SimpleNamespace(**entry) for entry in described["arguments"]]
        self.text = iree_network.with_weights(pathlib.Path(base + ".mlir").read_text(), arguments)
        self.source = self.directory / "network.mlir"
        self.source.write_text(self.text)
        self.parameters = {iree_network.SCOPE: base + ".safetensors"}
        self.inputs = [drawn(each.shape, each.dtype, self.generator) for each in arguments
                       if each.kind == "input"]

    def compile(self, flags):
        try:
            return iree_network.compiled(self.text, flags)
        except iree_network.compiler.CompilerToolError as error:
            found = re.search(r"error: .*", str(error))
            raise Failure(found.group(0) if found else str(error).splitlines()[0]) from None

    def call_of(self, code):
        """Choose the function that is called, and its inputs."""
        functions = iree_network.declarations(code)
        if self.entry is None and len(functions) == 1:
            self.entry, = functions
        if self.entry not in functions:
            raise InputError(f"expected --entry with one of the functions {', '.join(functions)}"
                          + (f" instead of '{self.entry}'" if self.entry else ""))
        if self.inputs is None:
            self.inputs = declared_inputs(functions[self.entry], self.generator)

    def contender(self, flags):
        """Return code that is ready to be called. The first one's results are the
        reference."""
        code = self.compile(flags)
        if self.expected is None:
            self.call_of(code)
        try:
            network = iree_network.Network(code, self.parameters, self.inputs, 1, self.entry)
            results = network.arrays(network())
        except (RuntimeError, ValueError) as error:  # Of IREE: other inputs or parameters.
            raise Failure(str(error).splitlines()[0]) from None
        if self.expected is None:
            self.expected = results
        for got, wanted in zip(results, self.expected):
            scale = max(float(numpy.abs(wanted).max(initial=0)), 1e-30)
            error = float(numpy.abs(got.astype("f8") - wanted).max(initial=0)) / scale
            if not error < TOLERANCE:
                raise Failure(f"a result differs by {error:.3g} of the largest element")
        return network


class Phases:
    """Shows the phases of a run on stderr, and keeps how long each takes."""

    def __init__(self):
        self.seconds, self.begin = {}, time.monotonic()

    def start(self, name, text):
        self.end()
        self.name, self.begin = name, time.monotonic()
        print(text, file=sys.stderr, flush=True)

    def end(self):
        if hasattr(self, "name"):
            spent = time.monotonic() - self.begin
            self.seconds[self.name] = self.seconds.get(self.name, 0) + spent

    def __str__(self):
        return ", ".join(f"{name} {spent:.0f} s" for name, spent in self.seconds.items())


def run_shown(command, log):
    """Run pruner-opt and show its progress. Its stderr goes to the file `log` and, as it
    comes, to stderr; the sums of its report to stdout. Raises ToolError."""
    with open(log, "w") as file, subprocess.Popen(
            [str(word) for word in command], stderr=subprocess.PIPE, text=True,
            errors="replace") as process:
        for line in process.stderr:
            file.write(line)
            stream = (sys.stdout if line.startswith(("tasks in total", "time:"))
                      else sys.stderr)
            print(line, end="", file=stream, flush=True)
    if process.returncode:
        raise ToolError(f"{command[0]} ended with {process.returncode}; see {log}")


class Final:
    """Compilations of a model by name, timed interleaved on one core."""

    def __init__(self, model, options):
        self.model, self.options = model, options
        self.flags, self.networks, self.failed = {}, {}, {}

    def enter(self, name, flags):
        self.flags[name] = tuple(flags)
        print(f"compiling: {name}", file=sys.stderr, flush=True)
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
                         str(source), "--pruner-opt", options.pruner_opt,
                         *(f"--flag={flag}" for flag in flags)])
    limit = f"time-limit={options.time_limit}" if options.time_limit else ""
    run_shown([options.pruner_opt, source, "-o", tuned,
               f"--pruner-tune=builder=\"exec:exec {worker}\" runner=\"exec:exec {worker}\" "
               f"threads=1 caches=warm lower=false model=none only=matmul|matvec|conv "
               f"trials={options.trials} {limit} db={directory / 'tuning.db'} "
               f"{options.tune_options}"], directory / "tune.log")
    run_tool([options.pruner_opt, source, "-o", os.devnull, "--pruner-export-iree-spec="
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


def variants(flags):
    """Return BASES with the user's `flags`, without those that these set themselves."""
    names = {flag.partition("=")[0] for flag in flags}
    return {name: (*flags, *more) for name, more in BASES.items()
            if not names.intersection(more)}


def tune(options):
    directory = pathlib.Path(options.output)
    directory.mkdir(parents=True, exist_ok=True)
    if options.trials:  # Fail here rather than after minutes of measuring.
        options.pruner_opt = find(options.pruner_opt) or options.pruner_opt
        run_tool([options.pruner_opt, "--version"])
    (directory / "spec.mlir").unlink(missing_ok=True)
    model = Model(options, directory)
    final, phases = Final(model, options), Phases()
    phases.start("flags", "flags of IREE:")
    for name, flags in variants(options.flag).items():
        final.enter(name, flags)
    if "plain" not in final.networks:
        raise Failure("IREE cannot compile and run the network")
    times = final.times(list(final.networks))
    report(times, "plain")
    fastest = lambda names: min(names, key=lambda name: statistics.median(times[name]))
    products = [name for name in final.networks if iree_network.TILING not in final.flags[name]]
    base = fastest(products) if products else "plain"
    winner = fastest(final.networks)

    found = None
    if options.trials and products:
        phases.start("trials", f"trials of lowering configurations ({base}):")
        text = specification(model, final.flags[base], options)
        phases.start("configurations", "configurations in the network:")
        found = best_specification(final, base, text, options) if text else None
    phases.start("winner", "the winner:")
    names = list(dict.fromkeys(["plain", base, winner, *([found] if found else [])]))
    times = final.times(names)
    report(times, "plain")
    phases.end()
    winner = "plain"
    for name in sorted(names, key=lambda name: (name == found, len(final.flags[name]))):
        if name != winner and is_faster(times, name, winner):
            winner = name

    result = {"network": os.path.basename(options.network), "winner": winner,
              "flags": with_flags(final.flags[winner]),
              "base of the specification": base, "seconds": times, "failed": final.failed,
              "faster than plain": faster(times, winner, "plain"), "phases": phases.seconds,
              "processor": processor(), "timestamp": timestamp()}
    if found:
        result["specification against its base"] = faster(times, found, base)
        result["matched"] = matched(model, final.flags[found])
    write_whole(str(directory / "result.json"), json_bytes(result))
    write_whole(str(directory / "flags"), ("\n".join(result["flags"]) + "\n").encode())
    print(f"{winner}: {result['faster than plain']:.2f} times as fast as plain; "
          f"iree-compile {model.source} {shlex.join(final.flags[winner])}")
    print(f"phases: {phases}")


def main():
    parser = ArgumentParser(prog="pruner_tools.tune_iree",
                            description=__doc__.splitlines()[0])
    parser.add_argument("network", help="a module for iree-compile, or the common path of the "
                        "exporter's files, without extension")
    parser.add_argument("-o", "--output", required=True, help="directory")
    parser.add_argument("--trials", type=int, default=100,
                        help="trials of lowering configurations (default %(default)s); 0: flags only")
    parser.add_argument("--time-limit", type=int,
                        help="seconds after which no trial starts; comparisons and references "
                        "are not included")
    parser.add_argument("--flag", action="append", default=[],
                        help="an option of iree-compile for all compilations; may be repeated")
    parser.add_argument("--entry", help="the function that is timed, if the module has several")
    parser.add_argument("--input", action="append", default=[], metavar="TYPE|@FILE.npy",
                        help="an argument of this function, such as 1x3x224x224xf32 or "
                        "1x128xi64=7; one for each. Without, they are random")
    parser.add_argument("--parameters", action="append", default=[], metavar="SCOPE=FILE",
                        help="a file of the module's parameters, as for iree-run-module")
    parser.add_argument("--pruner-opt", default="pruner-opt", metavar="PROGRAM",
                        help="(default: of this package's installation, or on the PATH)")
    parser.add_argument("--tune-options", default="", help="more options of pruner-tune")
    parser.add_argument("--entries", type=int, default=16,
                        help="maximum number of configurations tried in the network (default %(default)s)")
    parser.add_argument("--rounds", type=int, default=9, help="number of turns (default %(default)s)")
    parser.add_argument("--seconds", type=float, default=0.2,
                        help="seconds per turn, at least one call (default %(default)s)")
    options = parser.parse_args()
    try:
        tune(options)
    except (OSError, KeyError, ValueError, Failure, InputError, ToolError) as error:
        sys.exit(f"pruner_tools.tune_iree: {error}")
    except KeyboardInterrupt:
        sys.exit("pruner_tools.tune_iree: interrupted; the same command continues with its "
                 "recorded trials")


if __name__ == "__main__":
    main()
