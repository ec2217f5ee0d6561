#===- dynamic.py - one library for all sizes ------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles networks with a dynamic dimension, checks calls of random sizes against
PyTorch, and compares some sizes with a library for that size only.

    python benchmarks/Networks/dynamic.py bert_tiny --dynamic 's=*:1:1..128' \\
        --directory dynamic --checks 200 --sizes 12 --rounds 10 --json result.json

The analytical model chooses the sizes (pruner-choose-sizes) and the schedules
(pruner-draft) of both, so nothing is measured before the comparison. With --trials both
are tuned, with this many trials per function. Existing libraries in the directory are
reused. One process calls both interleaved.
"""

import argparse
import pathlib
import random
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

import numpy
import pruner
from pruner_tools.compare import difference
from pruner_tools.export import ExportError, dimensions, files, networks, program
from pruner_tools.results import (commit_of, json_bytes, processor, text_table, timestamp,
                                  write_whole)
from pruner_tools.tools import ToolError, run_tool
from pruner_tools.turns import interleave_batches, quartiles, ratios


def export(args, base):
    """Return the module of PyTorch and the names of its inputs. Export files if there
    are none."""
    options = networks.Options(args.batch, args.sequence, None, 0, [])
    network = networks.build(args.network, options, None)
    dynamic = dimensions.parse_all(args.dynamic)
    if not base.with_suffix(".mlir").exists():
        captured = program.capture(network, dynamic)
        files.write(captured, str(base.parent), base.name, {}, False)
    return network, dynamic[0]


def schedules(args, base, functions):
    if args.trials:
        return (f"--pruner-tune=target=cpu threads=1 trials={args.trials * functions} "
                f"db={base.with_suffix('.db')} {args.tune_options}")
    return "--pruner-draft=threads=1"


def library(args, source, output, functions=1):
    """Return a library of `source`. The output of the tools is stored next to it, and
    its records in a separate database."""
    if not output.exists():
        module, said = output.with_suffix(".made.mlir"), output.with_suffix(".log")
        done = run_tool([args.tools / "pruner-opt", source, "--pruner-specialize-shapes",
                         schedules(args, output, functions), "-o", module])
        said.write_text(done.stderr)
        run_tool([args.tools / "pruner-translate", module, "--to=library", "-o", output,
                  f"--names={args.directory / args.network}.args.json"])
    return pruner.load(output)


def own_library(args, base, size):
    """Return a library for one size only."""
    text = base.with_suffix(".mlir").read_text()
    source = base.with_name(f"{base.name}.{size}.source.mlir")
    source.write_text(re.sub(r"#pruner.range<(\w+), [^>]*>", rf"#pruner.range<\1, [{size}]>",
                             text))
    return library(args, source, base.with_name(f"{base.name}.{size}.so"))


def draw(network, net, size, seed):
    """Return inputs of a size by name, similar to the example inputs."""
    generator = numpy.random.default_rng(seed)
    examples = network.inputs
    if not isinstance(examples, dict):
        examples = dict(zip([t.name for t in net.inputs if t.kind == "input"], examples))
    drawn = {}
    for tensor in net.inputs:
        if tensor.kind != "input":
            continue
        shape, example = tensor.shape_for(size), examples[tensor.name]
        if tensor.dtype.kind == "f":
            drawn[tensor.name] = generator.standard_normal(shape).astype(tensor.dtype)
        else:
            drawn[tensor.name] = generator.integers(
                0, int(example.max()) + 1, shape).astype(tensor.dtype)
        if tensor.name == "attention_mask":
            drawn[tensor.name][:, 0] = 1 # A row that is masked completely has no result.
    return drawn


def check(args, network, net, bound, dynamic):
    """Return the largest difference from PyTorch's results over calls of random sizes.
    """
    torch = networks.need("torch")
    flat, _, _ = program.flatten(network)
    chooser, worst = random.Random(0), 0
    for n in range(args.checks):
        size = chooser.randint(dynamic.least, dynamic.greatest)
        inputs = draw(network, net, size, n)
        with torch.no_grad():
            expected = flat(*(torch.from_numpy(array) for array in inputs.values()))
        results = bound(**inputs)
        results = results if isinstance(results, tuple) else (results,)
        for got, wanted in zip(results, expected):
            wanted = wanted.numpy()
            if got.shape != wanted.shape:
                raise ToolError(f"size {size}: a result has shape {got.shape}, PyTorch's "
                                f"{wanted.shape}")
            error, largest = difference(wanted, got)
            worst = max(worst, error / (largest or 1))
    return worst


def time_size(args, network, nets, size):
    """Return seconds per call of `size` for each of the bound networks, batch by batch.
    """
    first = next(iter(nets.values()))
    inputs = draw(network, first, size, size)
    batches = interleave_batches(
        {name: lambda net=net: net(**inputs) for name, net in nets.items()},
        args.rounds, args.seconds)
    return {name: [batch.seconds for batch in of] for name, of in batches.items()}


def measure(args, network, bound, base, weights, dynamic):
    chooser = random.Random(1)
    sizes = sorted(chooser.sample(range(dynamic.least, dynamic.greatest + 1), args.sizes))
    rows = []
    owns = {size: own_library(args, base, size).bind_file(weights) for size in sizes}
    if not args.rounds:
        return rows
    for size in sizes:
        times = time_size(args, network, {"one": bound, "own": owns[size]}, size)
        over = ratios(times["own"], times["one"])
        rows.append({"size": size, "one": statistics.median(times["one"]),
                     "own": statistics.median(times["own"]),
                     "ratio": statistics.median(over), "quartiles": quartiles(over)})
    return rows


def report(result):
    rows = [["size", "one library", "own library", "own / one", "quartiles"]]
    for row in result["sizes"]:
        rows.append([str(row["size"]), f"{row['one'] * 1e3:.3g} ms",
                     f"{row['own'] * 1e3:.3g} ms", f"{row['ratio']:.2f}",
                     "{:.2f} to {:.2f}".format(*row["quartiles"])])
    print("\n".join(text_table(rows)))


def run(args):
    args.directory.mkdir(parents=True, exist_ok=True)
    base = args.directory / args.network
    network, dynamic = export(args, base)
    weights = str(base.with_suffix(".safetensors"))
    chosen = base.with_suffix(".sizes.mlir")
    run_tool([args.tools / "pruner-opt", base.with_suffix(".mlir"),
              f"--pruner-choose-sizes=threads=1 waste={args.waste}", "-o", chosen])
    sizes = re.search(r"sizes = array<i64: ([^>]*)>", chosen.read_text()).group(1)
    net = library(args, chosen, base.with_suffix(".so"), len(sizes.split(",")))
    net.threads = 1
    bound = net.bind_file(weights)
    made = [function["size"] for function in net.sizes["functions"]]
    print(f"{args.network}: {dynamic.name} by functions for {', '.join(map(str, made))}"
          f"{', in pieces' if net.sizes['independent'] else ''}, "
          f"{base.with_suffix('.so').stat().st_size / 1e6:.1f} MB")
    result = {"network": args.network, "dynamic": args.dynamic, "waste": args.waste,
              "functions": made, "independent": net.sizes["independent"],
              "bytes": base.with_suffix(".so").stat().st_size, "trials": args.trials,
              "tune_options": args.tune_options, "checks": args.checks,
              "commit": commit_of(ROOT), "cpu": processor(), "time": timestamp()}
    if args.checks:
        result["difference"] = check(args, network, net, bound, dynamic)
        print(f"{args.checks} calls of random sizes: differ from PyTorch by "
              f"{result['difference']:.1e} of the largest result at most")
    result["sizes"] = measure(args, network, bound, base, weights, dynamic)
    if result["sizes"]:
        report(result)
    if args.json:
        write_whole(args.json, json_bytes(result))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    add = parser.add_argument
    add("network", help="as for pruner_tools.export, of its list")
    add("--dynamic", action="append", required=True, help="as for pruner_tools.export")
    add("--batch", type=int, default=1)
    add("--sequence", type=int, default=32)
    add("--directory", type=pathlib.Path, default=pathlib.Path("dynamic"))
    add("--tools", type=pathlib.Path, default=ROOT / "build" / "bin")
    add("--waste", type=float, default=0.1, help="as in pruner-choose-sizes")
    add("--trials", type=int, default=0,
        help="trials per function; by default schedules are drafted")
    add("--tune-options", default="", help="more options of pruner-tune")
    add("--checks", type=int, default=200, help="calls of random sizes compared with PyTorch")
    add("--sizes", type=int, default=12, help="sizes to time")
    add("--rounds", type=int, default=10, help="number of rounds; 0 only builds the libraries")
    add("--seconds", type=float, default=0.1, help="seconds per batch")
    add("--json", help="file of the result")
    args = parser.parse_args()
    networks.need("torch").set_num_threads(1)
    try:
        run(args)
    except (ExportError, ToolError, pruner.NetworkError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
