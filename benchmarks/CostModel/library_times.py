#===- library_times.py - predictions and times of a library by shape -------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predicts the times of operations of many shapes on GPUs, and compares them with the
times of a library.

    python benchmarks/CostModel/library_times.py linear=library-linear.csv.gz \\
        softmax=library-softmax.csv.gz --shapes 200 --device 'Tesla T4=nvidia:t4' \\
        --device 'NVIDIA H100 80GB HBM3=nvidia:h100' --json result.json

The files are tables of f32 operations with the columns Device, Latency (milliseconds),
Kernel Name (optional) and

    linear, bmm         B, M, N, K: [B, M, N] times [B, N, K]; N is reduced, as the
                        grids of the kernels show
    convolution         B, Input_Channel, Output_Channel, Kernel_Szie (so spelled),
                        Input_Size, Stride, Padding
    softmax, layernorm  B, H: B rows of H

Rows whose kernel computed on tensor cores are left out and counted. The kernel's name and
grid distinguish the algorithms of convolutions. For batched products, which are often
smaller than the library's tiles, they distinguish those that fill the tiles from others.
For every operation, up to --shapes shapes are drawn at random for each device. All
devices draw in the same order, so that they have most shapes in common.

A library's kernel has no schedule of Pruner's. The prediction is therefore for the
schedule that the analytical model drafts for the machine, by that model and, with
weights, by a model of latency. The errors have two causes: the difference between the two
programs, and the model. The figure for a model is the spread over shapes of predicted /
measured: its 90th over its 10th percentile, which is 1 if the error has the same factor
for all shapes. A library's times include a constant part, the time of a call. The
shortest time of a table is an upper bound of it. The spread is therefore also given for
*long* shapes, of at least three times the shortest time of the operation on the device.
`--show RESULT` prints the table of a result as Markdown.

With `--datasets DIRECTORY` no model is judged. The drafted schedules with the library's
times become a dataset for each operation, of all devices, on which latency.py trains and
evaluates models of latency:

    python benchmarks/CostModel/library_times.py linear=library-linear.csv.gz \\
        --shapes 1000 --device 'Tesla T4=nvidia:t4' --datasets work
"""

import argparse
import bisect
import csv
import gzip
import json
import math
import pathlib
import random
import re
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tools" / "gpu-kit")]

from gpukit import operators
from gpukit.tune import join_modules
from pruner_tools.results import (commit_of, json_bytes, print_rows, processor, read,
                                  timestamp, write_whole)
from pruner_tools.tools import ToolError, run_tool

MOST_FLOPS = 2.0 ** 41
LONG = 3
TILE = re.compile(r"(?:gemm_|tilesize)(\d+)x(\d+)")
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}
TAKES = re.compile(r"'main_(\d+)' takes ([0-9.e+-]+) (ns|us|ms|s) .* 0 operations outside ")
TASK = re.compile(r"^  func\.func private @task_(\w+?)(_[0-9a-f]{8})\((.*?)^  }$", re.M | re.S)
SCHEDULE = re.compile(r"pruner\.schedule = (#pruner\.schedule<.*?>), ")
TENSOR_CORES = re.compile(r"tf32|[hs]884|s1688|[hi]16816|hmma|tensorop|wgmma|_bf16", re.I)


def rounded(seconds):
    """To four digits; the tools print three."""
    return float(f"{seconds:.4g}")


def any_algorithm(row):
    return ""


def product_tiles(row):
    """Whether the tiles of the library's kernel, which its name has, are full: outputs
    are 95 % of the tiles' elements or more."""
    tile = TILE.search(row.get("Kernel Name", ""))
    if not tile:
        return ""
    elements = math.prod(int(row[side]) for side in ("Grid x", "Grid y"))
    elements *= math.prod(map(int, tile.groups()))
    return ("full" if int(row["M"]) * int(row["K"]) >= 0.95 * elements else "part") + " tiles"


def convolution_algorithm(row):
    """Winograd's 4x4 outputs of a 3x3 filter are 6 x 6 products in one launch, without
    a name of their own."""
    kernel = row.get("Kernel Name", "")
    if "winograd" in kernel:
        return "Winograd 2x2"
    if "sgemm" in kernel and "convolve" not in kernel and row.get("Grid z") == "36":
        return "Winograd 4x4"
    if "gcgemm" in kernel or "fft" in kernel:
        return "FFT"
    return "direct"


def product(b, m, reduced, n):
    return (operators.batch_matmul(b, m, n, reduced) if b > 1
            else operators.matmul(m, n, reduced))


def convolution(b, c, f, k, size, stride, padding):
    return operators.conv(c, size - k + 1 + 2 * padding, f, k, stride, b, padding=padding)


class Kind:
    """The columns of a shape, the function that writes its MLIR, and the one that names
    the library's algorithm."""

    def __init__(self, columns, write, algorithm=any_algorithm):
        self.columns, self.write, self.algorithm = columns, write, algorithm


KINDS = {
    "linear": Kind(tuple("BMNK"), product),
    "bmm": Kind(tuple("BMNK"), product, product_tiles),
    "convolution": Kind(("B", "Input_Channel", "Output_Channel", "Kernel_Szie",
                         "Input_Size", "Stride", "Padding"), convolution,
                        convolution_algorithm),
    "softmax": Kind(tuple("BH"), operators.softmax),
    "layernorm": Kind(tuple("BH"), operators.layer_norm),
}


class Operation:
    """The times of a device for the shapes of a kind that one algorithm computed."""

    def __init__(self, kind, algorithm):
        self.kind, self.name = kind, ", ".join(filter(None, (kind, algorithm)))
        self.rows = {}

    def add(self, shape, seconds):
        self.rows.setdefault(shape, []).append(seconds)

    def times(self):
        """{shape: seconds}; the median if a shape has several times."""
        return {shape: rounded(statistics.median(times))
                for shape, times in self.rows.items()}


def read_times(files, devices):
    """{device: {name: Operation}} of (kind, file), and how many rows of each device
    were left out."""
    found = {device: {} for device in devices}
    left_out = dict.fromkeys(devices, 0)
    for kind, file in files:
        opened = gzip.open(file, "rt") if str(file).endswith(".gz") else open(file)
        with opened as lines:
            for row in csv.DictReader(lines):
                device = row["Device"]
                if device not in found:
                    continue
                if TENSOR_CORES.search(row.get("Kernel Name", "")):
                    left_out[device] += 1
                    continue
                of = Operation(kind, KINDS[kind].algorithm(row))
                of = found[device].setdefault(of.name, of)
                of.add(tuple(int(row[column]) for column in KINDS[kind].columns),
                       float(row["Latency"]) * 1e-3)
    return found, left_out


def draw(found, name, count, seed):
    """{device: shapes} of an operation: the first shapes that the device has in one
    random order of all. Shapes of more than 2^41 floating-point operations are left
    out."""
    of = {device: operations[name].times() for device, operations in found.items()
          if name in operations}
    write = KINDS[name.split(",")[0]].write
    order = sorted(shape for shape in set().union(*of.values())
                   if write(*shape).flops <= MOST_FLOPS)
    random.Random(seed).shuffle(order)
    return {device: sorted([shape for shape in order if shape in times][:count])
            for device, times in of.items()}


def predict(modules, target, weights, tools):
    """The seconds of each module with a draft of the analytical model; None for modules
    that are too small to be a task."""
    options = f"target={target} weights={weights or 'none'}"
    with tempfile.TemporaryDirectory() as directory:
        joined = pathlib.Path(directory) / "operations.mlir"
        joined.write_text(join_modules(modules))
        done = run_tool([tools / "pruner-opt", joined, "-o", "/dev/null",
                         f"--pruner-draft=lower=false target={target}",
                         f"--pruner-predict-latency={options}"])
    found = {int(number): rounded(float(value) * UNITS[unit])
             for number, value, unit in TAKES.findall(done.stderr)}
    return [found.get(number) for number in range(len(modules))]


def drafted(modules, target, population, tools):
    """The name, the text and the drafted schedule of each module that is one task; None
    for others."""
    with tempfile.TemporaryDirectory() as directory:
        joined = pathlib.Path(directory) / "operations.mlir"
        joined.write_text(join_modules(modules))
        text = run_tool([tools / "pruner-opt", joined, "--mlir-print-local-scope",
                         f"--pruner-draft=lower=false target={target} population={population}"]).stdout
    tasks = {name + key: (name, f"module {{\n  func.func @task_{name}{key}({rest}  }}\n}}\n")
             for name, key, rest in TASK.findall(text)}
    mains = text.split("  func.func @main_")[1:]
    found = [None] * len(modules)
    for main in mains:
        called = re.findall(r"call @task_(\w+)\(", main.split("\n  }\n")[0])
        if len(called) == 1 and called[0] in tasks:
            name, task = tasks[called[0]]
            schedule = SCHEDULE.search(task)
            if schedule:
                without = task.replace(schedule.group(0), "").replace("no_inline, ", "")
                found[int(main.split("(")[0])] = (name, without, schedule.group(1))
    return found


def write_datasets(options, found, devices):
    """A dataset for each operation."""
    names = sorted({name for operations in found.values() for name in operations})
    for name in names:
        lines, count = [], 0
        write = KINDS[name.split(",")[0]].write
        for device, shapes in draw(found, name, options.shapes, options.seed).items():
            machine = run_tool([options.bin / "pruner-machine", "--json", devices[device]]).stdout
            lines.append({"dataset": 1, "machine": json.loads(machine),
                          "toolchain": "a library", "source": name})
            times = found[device][name].times()
            modules = [write(*shape).module() for shape in shapes]
            for number, (shape, task) in enumerate(
                    zip(shapes, drafted(modules, devices[device], options.population,
                                         options.bin))):
                if task:
                    count += 1
                    lines += [{"task": number, "name": task[0], "text": task[1]},
                              {"record": number, "schedule": task[2],
                               "seconds": [times[shape]]}]
        path = pathlib.Path(options.datasets) / (re.sub(r"\W+", "-", name) + ".jsonl.gz")
        text = "".join(json.dumps(line) + "\n" for line in lines)
        write_whole(str(path), gzip.compress(text.encode(), mtime=0))
        print(f"{path}: {count} shapes")


def ranks(values):
    """The ranks of values; equal values get the mean of their ranks."""
    order = sorted(values)
    return [(bisect.bisect_left(order, value) + bisect.bisect_right(order, value) - 1) / 2
            for value in values]


def spread(ratios):
    """Percentiles of predicted / measured, for two shapes or more."""
    if len(ratios) < 2:
        return {"shapes": len(ratios)}
    tenths = statistics.quantiles(ratios, n=10, method="inclusive")
    return {"shapes": len(ratios), "p10": tenths[0], "median": tenths[4], "p90": tenths[8]}


def judge(predicted, measured, shortest):
    pairs = [(p, m) for p, m in zip(predicted, measured) if p is not None]
    if len(pairs) < 2:
        return {"all": {"shapes": len(pairs)}, "long": {"shapes": 0}}
    return {"mape": statistics.mean(abs(p - m) / m for p, m in pairs),
            "rank_correlation": statistics.correlation(*map(ranks, zip(*pairs))),
            "all": spread([p / m for p, m in pairs]),
            "long": spread([p / m for p, m in pairs if m >= LONG * shortest])}


HEADER = ["device", "operation", "model", "shapes", "MAPE", "rank correlation",
          "predicted / measured", "p90 / p10", "long shapes", "predicted / measured",
          "p90 / p10"]


def cells(of):
    found = "p10" in of
    return [str(of["shapes"]), f"{of['median']:.2f}" if found else "-",
            f"{of['p90'] / of['p10']:.2f}" if found else "-"]


def rows_of(document):
    """A row for each operation, device and model."""
    names = dict.fromkeys(name for of in document["devices"].values()
                          for name in of["operations"])
    for name in names:
        for device, of in document["devices"].items():
            for model, verdict in of["operations"].get(name, {"models": {}})["models"].items():
                shapes, *all_shapes = cells(verdict["all"])
                known = "mape" in verdict
                yield [device, name, model, shapes,
                       f"{verdict['mape']:.1%}" if known else "-",
                       f"{verdict['rank_correlation']:.3f}" if known else "-",
                       *all_shapes, *cells(verdict["long"])]


def source(text):
    kind, equals, file = text.partition("=")
    if not equals or kind not in KINDS:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not KIND=FILE with a kind of {', '.join(KINDS)}")
    return kind, pathlib.Path(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("files", nargs="*", type=source, metavar="KIND=TIMES.csv[.gz]")
    add("--show", metavar="RESULT", help="the table of a result, as Markdown")
    add("--device", action="append", default=[], metavar="NAME=TARGET",
        help="a device of the tables, and the target of the predictions; repeatable")
    add("--weights", action="append", default=[], metavar="FILE",
        help="weights of a model of latency, in addition to the analytical model; repeatable")
    add("--shapes", type=int, default=60, help="number for each operation and device")
    add("--seed", type=int, default=0, help="seed of the draw of shapes")
    add("--bin", type=pathlib.Path, default=ROOT / "build" / "bin")
    add("--json", metavar="FILE")
    add("--population", type=int, default=512, help="schedules of a generation of drafts, "
        "in datasets")
    add("--datasets", metavar="DIRECTORY", help="write datasets instead of a result")
    options = parser.parse_args()
    if options.show:
        print_rows(HEADER, list(rows_of(read(options.show))), True, left=3)
        return 0
    if not (options.files and options.device):
        parser.error("expected files and --device, or --show")
    devices = dict(text.rsplit("=", 1) for text in options.device)
    found, left_out = read_times(options.files, devices)
    for device, operations in found.items():
        if not operations:
            parser.error(f"the tables have no times of '{device}'")
    if options.datasets:
        write_datasets(options, found, devices)
        return 0
    document = {"benchmark": "library_times", "commit": commit_of(str(ROOT)),
                "processor": processor(), "time": timestamp(), "seed": options.seed,
                "devices": {device: {"target": target, "tensor_core_rows": left_out[device],
                                     "operations": {}}
                            for device, target in devices.items()}}
    names = sorted({name for operations in found.values() for name in operations},
                   key=lambda name: (list(KINDS).index(name.split(",")[0]), name))
    for name in names:
        write = KINDS[name.split(",")[0]].write
        for device, shapes in draw(found, name, options.shapes, options.seed).items():
            times = found[device][name].times()
            modules = [write(*shape).module() for shape in shapes]
            measured = [times[shape] for shape in shapes]
            shortest = min(times.values())
            models = {}
            for weights in ["", *options.weights]:
                predicted = predict(modules, devices[device], weights, options.bin)
                models[pathlib.Path(weights).stem or "analytical"] = {
                    **judge(predicted, measured, shortest), "predicted": predicted}
            document["devices"][device]["operations"][name] = {
                "in_table": len(times), "shortest": shortest,
                "shapes": ["x".join(map(str, shape)) for shape in shapes],
                "measured": measured, "models": models}
    print_rows(HEADER, list(rows_of(document)), False, left=3)
    if options.json:
        write_whole(options.json, json_bytes(document))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ToolError as error:
        sys.exit(f"error: {error}")
