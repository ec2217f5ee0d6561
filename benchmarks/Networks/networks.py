#===- networks.py - whole networks beside other software -------------------===#
#
# Part of the Pruner project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Tunes networks and times them beside PyTorch and ONNX Runtime.

    python benchmarks/Networks/networks.py resnet50 bert_tiny --trials 200 \\
        --directory networks --db networks.db --json result.json

Networks are named as for pruner_tools.export, which writes them here. Each is tuned
with its weights constant, if the database has fewer trials, and becomes two
libraries: the network and what prepares its weights. All contenders get the
same weights and inputs, must agree with PyTorch's result, and are called in
turns by one process on one CPU (--threads for more). Needs PyTorch, torch-mlir
and what the models come from; ONNX Runtime, onnx and onnxscript are optional.
"""

import argparse
import os
import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

import pruner
from pruner_tools.compare import difference
from pruner_tools.export import ExportError, files, networks, program
from pruner_tools.results import (against_best, commit_of, json_bytes, processor, text_table,
                                  timestamp, write_whole)
from pruner_tools.tools import ToolError, run_tool
from pruner_tools.turns import interleave, time_batches


class Contender:
    """A way to compute the network: `run()` returns its results."""

    def __init__(self, name, run, detail=""):
        self.name, self.run, self.detail = name, run, detail
        self.difference, self.batches, self.dropped = None, [], 0

    def time(self, seconds, threads):
        """One batch: as many calls as fill `seconds`."""
        for batch in time_batches(self.run, 0, seconds, threads > 1):
            if batch.clean:
                self.batches.append(batch.wall / batch.runs)
            else:
                self.dropped += 1

    def median(self):
        return statistics.median(self.batches) if self.batches else None


class Tools:
    """The programs of a build."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)

    def run(self, tool, *arguments, log=None):
        text = run_tool([self.directory / tool, *arguments]).stderr
        if log:
            pathlib.Path(log).write_text(text)
        return text

    def library(self, module, output, *options):
        self.run("pruner-translate", module, "--to=library", "-o", output, *options)
        return str(output)


def tuned_network(tools, base, options):
    """The libraries after tuning, and what the tuner said in its last lines."""
    names = f"{base}.args.json"
    tuned = f"{base}.tuned.mlir"
    log = tools.run(
        "pruner-opt", f"{base}.mlir", f"--pruner-declare-constants=names={names}",
        f"--pruner-tune=target=cpu threads={options.threads} "
        f"trials={options.trials} db={options.db} {options.tune_options}",
        "--pruner-hoist-constants", "-o", tuned, log=f"{base}.tune.log")
    library = tools.library(tuned, f"{base}.tuned.so", "--entry=main")
    prepare = None
    if "@main_prepare(" in pathlib.Path(tuned).read_text():
        prepare = tools.library(tuned, f"{base}.prepare.so", "--entry=main_prepare")
    summary = [line for line in log.splitlines()
               if line.startswith(("tasks in total", "the network takes",
                                "FMA peak", "time:"))]
    return pruner.load(library, prepare=prepare), summary


def library_contender(name, network, weights, inputs, threads, detail=""):
    network.threads = threads
    bound = network.bind_file(weights).bind(**inputs)

    def run():
        results = bound()
        return results if isinstance(results, tuple) else (results,)

    return Contender(name, run, detail)


def torch_contenders(module, tensors, threads):
    torch = networks.need("torch")
    import torch._inductor.config as config

    torch.set_num_threads(threads)
    module.eval()

    def runner(function):
        def run():
            with torch.no_grad():
                return [result.numpy() for result in function(*tensors)]
        return run

    yield Contender("torch", runner(module), "eager, " + torch.__version__)
    config.freezing = True
    yield Contender("inductor", runner(torch.compile(module, dynamic=False)),
                    "torch.compile, frozen")


def onnx_contender(module, tensors, path, threads):
    import onnxruntime
    import torch

    torch.onnx.export(module, tuple(tensors), path, dynamo=True, verbose=False)
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(path, settings,
                                           providers=["CPUExecutionProvider"])
    feeds = {spec.name: tensor.numpy()
             for spec, tensor in zip(session.get_inputs(), tensors)}
    return Contender("onnxruntime", lambda: session.run(None, feeds),
                     onnxruntime.__version__)


def relative_difference(results, expected):
    """The largest of any result, relative to the largest expected magnitude."""
    worst = 0.0
    for result, wanted in zip(results, expected, strict=True):
        error, scale = difference(wanted.astype("f8"), result.astype("f8"))
        worst = max(worst, error / (scale or 1.0))
    return worst


def measure(name, tools, options):
    """The contenders of one network, timed, and the tuner's summary."""
    base = str(pathlib.Path(options.directory) / name)
    network = networks.build(name, networks.Options())
    captured = program.capture(network)
    files.write(captured, options.directory, name, {"model": name, "seed": 0}, False)
    inputs = {argument.name: argument.tensor.numpy()
              for argument in captured.arguments if argument.kind == "input"}
    tuned, summary = tuned_network(tools, base, options)
    plain = pruner.load(tools.library(f"{base}.mlir", f"{base}.plain.so",
                                      f"--names={base}.args.json"))
    os.sched_setaffinity(0, options.cpus)

    weights = f"{base}.safetensors"
    contenders = [
        library_contender("pruner", tuned, weights, inputs, options.threads, "tuned"),
        library_contender("untuned", plain, weights, inputs, options.threads,
                          "plain loops, LLVM -O3"),
    ]
    module, _, tensors = program.flatten(network)
    contenders += torch_contenders(module, tensors, options.threads)
    try:
        contenders.append(onnx_contender(module, tensors, f"{base}.onnx",
                                         options.threads))
    except Exception as error:  # Whatever a version of it does not know.
        print(f"{name}: no ONNX Runtime: {str(error).splitlines()[0]}",
              file=sys.stderr)

    expected = [tensor.numpy() for _, tensor in captured.results]
    for contender in contenders:
        contender.difference = relative_difference(contender.run(), expected)
        if not contender.difference <= options.tolerance:
            raise ExportError(f"{name}: {contender.name} differs from PyTorch by "
                              f"{contender.difference:.2e}")
    interleave({each.name: lambda each=each: each.time(options.seconds, options.threads)
                for each in contenders}, options.rounds)
    return contenders, summary


def describe(options):
    return {"benchmark": "networks", "commit": commit_of(str(ROOT)),
            "processor": processor(), "time": timestamp(),
            "threads": options.threads, "trials": options.trials,
            "tune_options": options.tune_options, "rounds": options.rounds,
            "load_average": os.getloadavg(), "networks": {}}


def print_table(document):
    """A line for each network: milliseconds, and pruner's beside the best."""
    names = list(dict.fromkeys(name for each in document["networks"].values()
                               for name in each["contenders"]))
    rows = [["network", *names, "best peer / pruner"]]
    for network, entry in document["networks"].items():
        times = {name: c["median_s"] for name, c in entry["contenders"].items()}
        versus = against_best(times["pruner"], {
            name: times.get(name) for name in ("torch", "inductor", "onnxruntime")})
        rows.append([network] + [f"{times[name] * 1e3:.2f}" if times.get(name) else "-"
                                 for name in names])
        rows[-1].append(f"{versus[1]:.2f}" if versus else "-")
    print(*text_table(rows), sep="\n")
    print("milliseconds of a call, medians of batches in turns, "
          f"{document['threads']} thread(s)")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("networks", nargs="+", metavar="NETWORK", help="a name of pruner_tools.export --list")
    add("--bin", default=str(ROOT / "build" / "bin"), metavar="DIR",
        help="where pruner-opt and pruner-translate are (default: %(default)s)")
    add("--directory", default="networks", metavar="DIR", help="for all files made")
    add("--db", default="networks.db", metavar="FILE", help="the tuning database")
    add("--trials", type=int, default=200, help="of each network (default %(default)s)")
    add("--tune-options", default="", metavar="TEXT",
        help="more options of pruner-tune, such as 'model=none'")
    add("--threads", type=int, default=1)
    add("--rounds", type=int, default=8, help="turns of every contender")
    add("--seconds", type=float, default=0.3, help="of a batch")
    add("--tolerance", type=float, default=1e-4,
        help="largest difference relative to the largest result")
    add("--json", metavar="FILE", help="write the result here, after every network")
    options = parser.parse_args()
    options.cpus = sorted(os.sched_getaffinity(0))[:options.threads]
    everything = os.sched_getaffinity(0)
    tools, document, failed = Tools(options.bin), describe(options), 0
    for name in options.networks:
        os.sched_setaffinity(0, everything) # The tuner builds on all of them.
        try:
            contenders, summary = measure(name, tools, options)
        except (ExportError, ToolError, pruner.NetworkError) as error:
            print(f"error: {name}: {error}", file=sys.stderr)
            failed = 1
            continue
        document["networks"][name] = {
            "tuner": summary,
            "contenders": {c.name: {
                "median_s": c.median(), "min_s": min(c.batches, default=None),
                "batches_s": c.batches, "dropped": c.dropped, "detail": c.detail,
                "difference": c.difference} for c in contenders}}
        if options.json:
            write_whole(options.json, json_bytes(document))
        print(name, *summary, sep="\n  ", file=sys.stderr)
    if document["networks"]:
        print_table(document)
    return failed


if __name__ == "__main__":
    sys.exit(main())
