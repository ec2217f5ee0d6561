#===- library_times.py - predictions beside a library's times by shape -----===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predicts what products of many shapes take on GPUs, and compares that with what a
library took there.

    python benchmarks/CostModel/library_times.py library-linear.csv.gz --shapes 60 \\
        --device 'Tesla T4=nvidia:t4' --device 'NVIDIA H100 80GB HBM3=nvidia:h100' \\
        --weights cdmpp.safetensors --json result.json

The files are tables with the columns Device, B, M, N, K and Latency (milliseconds of a
product of f32, [B, M, K] times [B, K, N]). The shapes are drawn by lot among those that
all devices have, up to 2^40 multiply-adds. A library's kernel has no schedule of ours:
what is predicted is the schedule that the analytical model drafts for the machine, by
that model and, with weights, by a model of latency. So absolute errors are those of
both programs and the model together; the rank correlation over shapes says how far
times follow. `--show RESULT` prints the table of a result as Markdown.
"""

import argparse
import bisect
import csv
import gzip
import math
import pathlib
import random
import re
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from pruner_tools.results import (commit_of, json_bytes, print_rows, processor, read,
                                  timestamp, write_whole)
from pruner_tools.tools import ToolError, run_tool

MOST_WORK = 2 ** 40
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}
TAKES = re.compile(r"'product_(\d+)' takes ([0-9.e+-]+) (ns|us|ms|s) ")


def read_times(files, devices):
    """{device: {(B, M, N, K): seconds}}, medians where a shape stands there twice."""
    found = {device: {} for device in devices}
    for file in files:
        opened = gzip.open(file, "rt") if str(file).endswith(".gz") else open(file)
        with opened as lines:
            for row in csv.DictReader(lines):
                if row["Device"] in found:
                    shape = tuple(int(row[axis]) for axis in "BMNK")
                    found[row["Device"]].setdefault(shape, []).append(
                        float(row["Latency"]) * 1e-3)
    return {device: {shape: statistics.median(times) for shape, times in of.items()}
            for device, of in found.items()}


def product(number, shape):
    b, m, n, k = shape
    batch, op = (f"{b}x", "batch_matmul") if b > 1 else ("", "matmul")
    types = [f"tensor<{batch}{rows}x{columns}xf32>"
             for rows, columns in ((m, k), (k, n), (m, n))]
    return (f"func.func @product_{number}(%a: {types[0]}, %b: {types[1]}) -> {types[2]} {{\n"
            f"  %zero = arith.constant 0.0 : f32\n"
            f"  %e = tensor.empty() : {types[2]}\n"
            f"  %i = linalg.fill ins(%zero : f32) outs(%e : {types[2]}) -> {types[2]}\n"
            f"  %c = linalg.{op} ins(%a, %b : {types[0]}, {types[1]})"
            f" outs(%i : {types[2]}) -> {types[2]}\n"
            f"  return %c : {types[2]}\n}}\n")


def predict(module, target, weights, tools):
    """Seconds of each product by number, under a draft of the analytical model."""
    options = f"target={target}" + (f" weights={weights}" if weights else "")
    done = run_tool([tools / "pruner-opt", module, "-o", "/dev/null",
                     f"--pruner-draft=lower=false target={target}",
                     f"--pruner-predict-latency={options}"])
    return {int(number): float(value) * UNITS[unit]
            for number, value, unit in TAKES.findall(done.stderr)}


def ranks(values):
    """Of equal values each gets the mean of their ranks."""
    order = sorted(values)
    return [(bisect.bisect_left(order, value) + bisect.bisect_right(order, value) - 1) / 2
            for value in values]


def judge(predicted, measured):
    errors = [abs(p - m) / m for p, m in zip(predicted, measured)]
    return {"mape": statistics.mean(errors), "median_error": statistics.median(errors),
            "ratio": math.exp(statistics.mean(math.log(p / m)
                                              for p, m in zip(predicted, measured))),
            "rank_correlation": statistics.correlation(ranks(predicted), ranks(measured))}


HEADER = ["device", "model", "shapes", "MAPE", "median", "predicted / measured",
          "rank correlation"]


def rows_of(document):
    """A row for each device and model."""
    for device, found in document["devices"].items():
        for name, verdict in found.items():
            if name in ("target", "measured"):
                continue
            known = sum(seconds is not None for seconds in verdict["predicted"])
            yield [device, name, str(known), f"{verdict['mape']:.1%}",
                   f"{verdict['median_error']:.1%}", f"{verdict['ratio']:.2f}",
                   f"{verdict['rank_correlation']:.3f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("files", nargs="*", type=pathlib.Path, metavar="TIMES.csv[.gz]")
    add("--show", metavar="RESULT", help="the table of a result, as Markdown")
    add("--device", action="append", default=[], metavar="NAME=TARGET",
        help="a device as the table has it, and the target that is predicted; repeatable")
    add("--weights", action="append", default=[], metavar="FILE",
        help="of a model of latency, beside the analytical one; repeatable")
    add("--shapes", type=int, default=60)
    add("--seed", type=int, default=0, help="of the draw of shapes")
    add("--bin", type=pathlib.Path, default=ROOT / "build" / "bin")
    add("--json", metavar="FILE")
    options = parser.parse_args()
    if options.show:
        print_rows(HEADER, list(rows_of(read(options.show))), True, left=2)
        return 0
    if not (options.files and options.device):
        parser.error("files and --device are needed, or --show")
    devices = dict(text.rsplit("=", 1) for text in options.device)
    times = read_times(options.files, devices)
    shapes = sorted(shape for shape in set.intersection(*map(set, times.values()))
                    if math.prod(shape) <= MOST_WORK)
    if not shapes:
        parser.error("there is no shape that all devices have")
    random.Random(options.seed).shuffle(shapes)
    shapes = sorted(shapes[:options.shapes])
    document = {"benchmark": "library_times", "commit": commit_of(str(ROOT)),
                "processor": processor(), "time": timestamp(), "shapes": shapes,
                "devices": {}}
    with tempfile.TemporaryDirectory() as directory:
        module = pathlib.Path(directory) / "products.mlir"
        module.write_text("".join(map(product, range(len(shapes)), shapes)))
        for device, target in devices.items():
            document["devices"][device] = {"target": target, "measured":
                                           [times[device][shape] for shape in shapes]}
            for weights in ["", *options.weights]:
                name = pathlib.Path(weights).stem if weights else "analytical"
                seconds = predict(module, target, weights, options.bin)
                known = sorted(seconds)
                verdict = judge([seconds[n] for n in known],
                                [times[device][shapes[n]] for n in known])
                document["devices"][device][name] = {
                    "predicted": [seconds.get(n) for n in range(len(shapes))], **verdict}
    print_rows(HEADER, list(rows_of(document)), False, left=1)
    if options.json:
        write_whole(options.json, json_bytes(document))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ToolError as error:
        sys.exit(f"error: {error}")
