#===- compare.py - comparison of two builds -------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs builds of one network on the same random inputs and compares their results.

    python -m pruner_tools.compare model.mlir tuned.mlir
    python -m pruner_tools.compare tuned.mlir --names model.args.json \\
        --tensors model.safetensors --expected model.reference.safetensors

Each argument is a module (built with pruner-translate) or a library (*.so). The first
one is the reference, unless a file has the expected results (as results/NAME, and
inputs as inputs/NAME; pruner_tools.export --reference writes it). For every result of
the others it prints the largest absolute difference, and that difference relative to
the largest magnitude of the reference. Exits with 1 if one exceeds the tolerance or is
not finite.

Inputs are random (`pruner.random_inputs`), unless `--range` or `--tensors` specify
others.
"""

import argparse
import math
import os
import sys
import tempfile
import time

import numpy

from pruner import NetworkError, load
from pruner.arguments import ArgumentParser
from pruner.random_inputs import parse_ranges, random_inputs
from pruner.safetensors import read

from .tools import ToolError, run_tool


def build(path, directory, options):
    """Return the library of a module, which is built in `directory` unless it is a
    library already."""
    if path.endswith(".so"):
        return path
    output = os.path.join(directory, f"{len(os.listdir(directory))}.so")
    command = [options.translate, "--to=library", path, "-o", output]
    if options.names:
        command.append(f"--names={options.names}")
    start = time.monotonic()
    run_tool(command)
    print(f"{path}: built in {time.monotonic() - start:.1f} s")
    return output


def as_reals(array, tensor):
    """Return the numbers of a result as f64."""
    if tensor.element == "bf16":
        bits = array.astype(numpy.uint32) << 16
        array = bits.view(numpy.float32)
    return array.astype(numpy.float64)


def difference(reference, other):
    """Return (largest absolute difference, largest magnitude of the reference). The
    difference is infinite if only one of both has a number at some position."""
    finite = numpy.isfinite(reference)
    same = numpy.where(finite, other, 0) if finite.all() else None
    if same is None:
        equal = (reference == other) | (numpy.isnan(reference) & numpy.isnan(other))
        if not (finite | equal).all():
            return math.inf, 0.0
    error = numpy.abs(numpy.where(finite, reference - other, 0))
    largest = numpy.abs(numpy.where(finite, reference, 0)).max(initial=0.0)
    worst = error.max(initial=0.0)
    return (math.inf if numpy.isnan(worst) else float(worst)), float(largest)


def timed(network, arrays, repeats):
    """Return the median time of `repeats` calls, in seconds."""
    bound = network.bind(**{t.name: a for t, a in zip(network.inputs, arrays)})
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        bound()
        times.append(time.perf_counter() - start)
    return sorted(times)[repeats // 2]


def read_expected(path, network):
    """Return the expected results of a network from a file, in order."""
    tensors = read(path)
    results = []
    for tensor in network.outputs:
        array = tensors.get("results/" + tensor.name)
        if array is None or array.shape != tensor.shape or array.dtype != tensor.dtype:
            raise NetworkError(f"{path} has no 'results/{tensor.name}' of the dtype "
                               "and shape of the network's")
        results.append(array)
    return results


def compare(networks, arrays, tolerance, expected=None, repeats=0, out=sys.stdout):
    """Print one line per result and network. Return whether all agree with `expected`,
    or with the first network if it is None."""
    def run(network):
        results = network(*arrays)
        return results if isinstance(results, tuple) else (results,)

    reference, *others = networks
    signature = [(t.element, t.shape) for t in reference.inputs + reference.outputs]
    if expected is None:
        expected = run(reference)
    else:
        others = networks
    agree = True
    for network in others:
        if signature != [(t.element, t.shape)
                         for t in network.inputs + network.outputs]:
            raise NetworkError(f"{network.path} has other inputs or results than "
                               f"{reference.path}")
        for tensor, a, b in zip(reference.outputs, expected, run(network)):
            a, b = as_reals(a, tensor), as_reals(b, tensor)
            error, largest = difference(a, b)
            relative = error / largest if largest else math.inf if error else 0.0
            constant = a.size > 1 and bool((a == a.flat[0]).all())
            good = relative <= tolerance and bool(numpy.isfinite(a).any())
            agree &= good
            print(f"{tensor}: max abs {error:.3e}, relative {relative:.3e} "
                  f"(largest {largest:.4g})"
                  + (", all elements equal" if constant else "")
                  + ("" if good else "  DIFFERENT"), file=out)
    if repeats:
        first = None
        for network in networks:
            seconds = timed(network, arrays, repeats)
            first = first or seconds
            print(f"{network.path}: {seconds * 1e3:.3f} ms, "
                  f"{first / seconds:.2f} times the first", file=out)
    return agree


def main(arguments=None):
    parser = ArgumentParser(
        prog="python -m pruner_tools.compare", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="+", metavar="network",
                        help="modules or libraries, the reference first")
    parser.add_argument("--expected", metavar="FILE",
                        help="a safetensors file with results/NAME and inputs/NAME "
                        "that is the reference instead")
    parser.add_argument("--tolerance", type=float, default=1e-4, metavar="R",
                        help="largest difference relative to the largest "
                        "magnitude (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--range", action="append", default=[], dest="ranges",
                        metavar="INPUT=LOW:HIGH",
                        help="draw an input (name or position) from LOW to HIGH, "
                        "HIGH exclusive")
    parser.add_argument("--tensors", metavar="FILE",
                        help="a safetensors file with inputs by name")
    parser.add_argument("--names", metavar="FILE",
                        help="passed to pruner-translate")
    parser.add_argument("--repeats", type=int, default=0, metavar="N",
                        help="also time N calls of each (median)")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--translate", metavar="PROGRAM",
                        default="pruner-translate")
    options = parser.parse_args(arguments)
    if len(options.networks) == 1 and not options.expected:
        parser.error("expected a second network or --expected")
    try:
        given = {}
        for path in filter(None, (options.tensors, options.expected)):
            for name, array in read(path).items():
                given[name.removeprefix("inputs/")] = array
        with tempfile.TemporaryDirectory() as directory:
            networks = [load(build(path, directory, options))
                        for path in options.networks]
            for network in networks:
                network.threads = options.threads
            tensors = networks[0].inputs
            arrays = random_inputs(tensors, options.seed,
                                   parse_ranges(options.ranges))
            arrays = [given.get(t.name, arrays[t.name]) for t in tensors]
            expected = None
            if options.expected:
                expected = read_expected(options.expected, networks[0])
            agree = compare(networks, arrays, options.tolerance, expected,
                            options.repeats)
    except (NetworkError, OSError, ToolError, ValueError) as error:
        sys.exit(f"error: {error}")
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
