#===- matmul_heuristics.py - drafts and NVIDIA's matmul heuristics ---------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares drafts of products for tensor cores with nvMatmulHeuristics, which predicts
the times of NVIDIA's libraries without a GPU (PyPI: nvidia-matmul-heuristics).

    python benchmarks/CostModel/matmul_heuristics.py --heuristics work/venv/bin/python \\
        --device A100_SXM_80GB=nvidia:a100-80-sxm --device H100_SXM=nvidia:h100 \\
        --json result.json.gz

A device is a name of nvMatmulHeuristics and a target of Pruner. For each device and type,
the same --shapes products are drafted. `--heuristics` is a Python that has the package.
It runs once for each device, because several devices in one process crash.

There are two comparisons:

* Across shapes: the analytical model's time of its draft and the heuristics' least time
  over all block tiles and splits. The figures are the rank correlation of the two, and
  the 90th over the 10th percentile of their ratio.
* For each draft: three times of the heuristics over their least time. These are the
  times of the draft's block tile with its best split, of a random block tile with its
  best split, and of the draft's block tile with the draft's split.

The heuristics' estimate depends only on the rows and columns of the tile and on the
split, so stages and the tiles of warps are not compared.

`--show RESULT` prints the table of a result as Markdown.
"""

import argparse
import json
import math
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "benchmarks" / "CostModel")]

from library_times import ranks
from pruner_tools.results import commit_of, print_rows, read, timestamp, write_result
from pruner_tools.tools import ToolError, run_tool

TILES = [(m, n) for m in (32, 64, 96, 128, 192, 256) for n in (32, 64, 96, 128, 192, 256)
         if m * n <= 256 * 128]
SPLITS = (1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64)
NEAR = 1.05
MOST_FLOPS = 2.0 ** 40
SCHEDULE = re.compile(r"func\.func private @(task_\w+)\(.*?"
                      r"#pruner\.schedule<(\w+), tiles = (\[\[.*?\]\]),(.*?)>,", re.S)
CALL = re.compile(r"func\.func @product_(\d+)\(.*?call @(task_\w+)\(", re.S)


class Type:
    """The types of factors and results, the heuristics' letters, and the ops that
    extend or round the factors in a body."""

    def __init__(self, factor, result, letters, extension, products="f"):
        self.factor, self.result, self.letters = factor, result, letters
        self.extension, self.products = extension, products

    def extend(self, to, value):
        return self.extension.format(to=to, value=value)


ROUND = ("%t{to} = arith.truncf {value} to_nearest_away : f32 to tf32\n"
         "    %{to} = arith.extf %t{to} : tf32 to f32")
TYPES = {
    "f16": Type("f16", "f32", "HSS", "%{to} = arith.extf {value} : f16 to f32"),
    "bf16": Type("bf16", "f32", "TSS", "%{to} = arith.extf {value} : bf16 to f32"),
    "tf32": Type("f32", "f32", "SFS", ROUND),
    "i8": Type("i8", "i32", "BII", "%{to} = arith.extsi {value} : i8 to i32", "i"),
}


def module_of(shapes, kind):
    """A function for each product of m x k and k x n elements."""
    text = ""
    for number, (m, n, k) in enumerate(shapes):
        a, b = f"tensor<{m}x{k}x{kind.factor}>", f"tensor<{k}x{n}x{kind.factor}>"
        c, zero = f"tensor<{m}x{n}x{kind.result}>", "0.0" if kind.products == "f" else "0"
        text += f"""func.func @product_{number}(%a: {a}, %b: {b}) -> {c} {{
  %z = arith.constant {zero} : {kind.result}
  %e = tensor.empty() : {c}
  %i = linalg.fill ins(%z : {kind.result}) outs(%e : {c}) -> {c}
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
      affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%a, %b : {a}, {b}) outs(%i : {c}) {{
  ^bb0(%x: {kind.factor}, %y: {kind.factor}, %s: {kind.result}):
    {kind.extend("p", "%x")}
    {kind.extend("q", "%y")}
    %m = arith.mul{kind.products} %p, %q : {kind.result}
    %t = arith.add{kind.products} %s, %m : {kind.result}
    linalg.yield %t : {kind.result}
  }} -> {c}
  return %r : {c}
}}
"""
    return text


def draw_shapes(count, seed):
    """Distinct (m, n, k): powers of two, three times these, and other multiples of 8."""
    draw, shapes = random.Random(seed), []

    def extent(least, most):
        power = 2 ** draw.uniform(least, most)
        if draw.random() < 0.3:
            return max(16, round(power / 8) * 8)
        rounded = 2 ** round(draw.uniform(least, most))
        return rounded * 3 // 2 if draw.random() < 0.35 and rounded > 16 else rounded

    while len(shapes) < count:
        shape = extent(5, 13), extent(5, 13), extent(6, 13)
        if 2.0 * shape[0] * shape[1] * shape[2] <= MOST_FLOPS and shape not in shapes:
            shapes.append(shape)
    return shapes


def draft(shapes, kind, target, tools):
    """(seconds, rows, columns, split, whether tensor cores) of the draft of each
    product; None for a product without a draft."""
    with tempfile.TemporaryDirectory() as directory:
        source, drafted, report = (pathlib.Path(directory) / name
                                   for name in ("in.mlir", "drafted.mlir", "psa.json"))
        source.write_text(module_of(shapes, kind))
        run_tool([tools / "pruner-opt", source, "-o", drafted, "--mlir-print-local-scope",
                  f"--pruner-draft=lower=false target={target}"])
        run_tool([tools / "pruner-opt", drafted, "-o", "/dev/null",
                  f"--pruner-tile=target={target}",
                  f"--pruner-psa=target={target} format=json output={report}"])
        text, kernels = drafted.read_text(), json.loads(report.read_text())["kernels"]
    seconds = {kernel["name"].removesuffix("_kernel"): kernel["seconds"] for kernel in kernels}
    schedules = {}
    for task, _, tiles, rest in SCHEDULE.findall(text):
        sizes = []
        for factors in json.loads(tiles)[:2]:
            sizes.append(1)
            for factor in factors:
                sizes[-1] *= factor
        split = re.search(r"split = \[(\d+)\]", rest)
        schedules[task] = (*sizes, int(split.group(1)) if split else 1, "instruction" in rest)
    found = [None] * len(shapes)
    for number, task in CALL.findall(text):
        if task in schedules and task in seconds:
            found[int(number)] = (float(f"{seconds[task]:.4g}"), *schedules[task])
    return found


def estimate(python, device, letters, requests):
    """Seconds of each (m, n, k, [(rows, columns, split), ...]) by the heuristics."""
    done = subprocess.run([python, __file__, "--answer"], text=True, stdout=subprocess.PIPE,
                          input=json.dumps([device, letters, requests]))
    if done.returncode != 0:
        raise ToolError(f"the heuristics failed for {device}: exit code {done.returncode}")
    return json.loads(done.stdout.splitlines()[-1])


def answer():
    """The process that has the package."""
    import ctypes

    import nvMatmulHeuristics as heuristics
    device, letters, requests = json.load(sys.stdin)
    of = heuristics.NvMatmulHeuristicsInterfaceEx(
        backend=heuristics.NvMatmulHeuristicsTarget.GENERIC,
        gpu=heuristics.NvMatmulHeuristicsNvidiaGpu[device])
    layout = heuristics.NvMatmulHeuristicsMatmulLayout.NN_ROW_MAJOR
    results = []
    for m, n, k, tiles in requests:
        problem = of.makeNvMatmulHeuristicsProblem(m, n, k, layout)
        # Stages and the instruction are those of its own first choice.
        config = of.get(problem, 1, precision=letters)[0]["nvmmhKernelConfiguration"]
        times = []
        for rows, columns, split in tiles:
            config.cta[0], config.cta[1], config.splitK = rows, columns, split
            for side, extent in enumerate((rows, columns)):
                config.warp[side] = max(part for part in range(1, 65) if extent % part == 0)
            seconds = of.nvMatmulHeuristicsEstimateRuntime(
                of.handle, letters.encode(), ctypes.c_int(of.target), ctypes.byref(problem),
                ctypes.byref(config), of.hardware_descriptor)
            times.append(float("%.5g" % seconds) if math.isfinite(seconds) else 0.0)
        results.append(times)
    print(json.dumps(results), flush=True)
    return 0


def compare(shapes, drafts, estimates, seed):
    """For each product that was drafted for tensor cores: the times, and three ratios
    to the least time: of the draft's tile with its own split, of that tile with its
    best split, and of a random tile with its best split. 0 stands for a tile without a
    time, for example if no instruction of the device divides its rows; products with
    such a draft are counted."""
    draw, rows, unknown = random.Random(seed), [], 0
    for shape, of, times in zip(shapes, drafts, estimates):
        if not of or not of[4]:
            continue
        if not times[0]:
            unknown += 1
            continue
        each = [min([time for time in times[1 + n * len(SPLITS):1 + (n + 1) * len(SPLITS)]
                     if time], default=None) for n in range(1 + len(TILES))]
        least = min(time for time in times if time)
        known = [time for time in each[1:] if time]
        rows.append({"shape": "x".join(map(str, shape)), "predicted": of[0], "least": least,
                     "tile": f"{of[1]}x{of[2]}", "split": of[3],
                     "both": round(times[0] / least, 3), "draft": round(each[0] / least, 3),
                     "random": round(draw.choice(known) / least, 3)})
    return {"without_time": unknown, "products": rows}


HEADER = ["GPU", "type", "products", "rank correlation", "predicted / least", "p90 / p10",
          "tile within 5 %", "with its split", "random tile", "median over least",
          "with its split", "random tile"]


def rows_of(document, longer):
    for device, of in document["devices"].items():
        for kind, found in of["types"].items():
            rows = [row for row in found["products"] if row["least"] >= longer * 1e-6]
            if len(rows) < 3:
                continue
            ratios = [row["predicted"] / row["least"] for row in rows]
            tenths = statistics.quantiles(ratios, n=10, method="inclusive")
            correlation = statistics.correlation(ranks([row["predicted"] for row in rows]),
                                                 ranks([row["least"] for row in rows]))
            values = [[row[what] for row in rows] for what in ("draft", "both", "random")]
            yield [device, kind, str(len(rows)), f"{correlation:.3f}", f"{tenths[4]:.2f}",
                   f"{tenths[8] / tenths[0]:.2f}",
                   *(f"{sum(value <= NEAR for value in each) / len(each):.0%}"
                     for each in values),
                   *(f"{statistics.median(each):.2f}" for each in values)]


def main():
    if sys.argv[1:] == ["--answer"]:
        return answer()
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--show", metavar="RESULT", help="the table of a result, as Markdown")
    add("--device", action="append", default=[], metavar="NAME=TARGET",
        help="a name of nvMatmulHeuristics, and the target of the drafts; repeatable")
    add("--types", default="f16,bf16,tf32,i8", help=f"of {', '.join(TYPES)}")
    add("--heuristics", metavar="PYTHON", default=sys.executable,
        help="a Python with nvidia-matmul-heuristics")
    add("--shapes", type=int, default=200)
    add("--seed", type=int, default=0, help="seed of the draws of shapes and random tiles")
    add("--bin", type=pathlib.Path, default=ROOT / "build" / "bin")
    add("--json", metavar="FILE")
    add("--longer-than", type=float, default=0, metavar="US",
        help="leave out products whose least time is shorter, in microseconds")
    options = parser.parse_args()
    if options.show:
        print_rows(HEADER, list(rows_of(read(options.show), options.longer_than)), True, left=2)
        return 0
    if not options.device:
        parser.error("expected --device or --show")
    shapes = draw_shapes(options.shapes, options.seed)
    document = {"benchmark": "matmul_heuristics", "commit": commit_of(str(ROOT)),
                "time": timestamp(), "seed": options.seed, "devices": {}}
    for device, target in (text.rsplit("=", 1) for text in options.device):
        types = {}
        for name in options.types.split(","):
            drafts = draft(shapes, TYPES[name], target, options.bin)
            tiles = [(*tile, split) for tile in TILES for split in SPLITS]
            requests = []
            for shape, of in zip(shapes, drafts):
                rows, columns, split = of[1:4] if of else (128, 128, 1)
                requests.append((*shape, [(rows, columns, split),
                                          *((rows, columns, each) for each in SPLITS), *tiles]))
            estimates = estimate(options.heuristics, device, TYPES[name].letters, requests)
            types[name] = compare(shapes, drafts, estimates, options.seed)
        document["devices"][device] = {"target": target, "types": types}
    print_rows(HEADER, list(rows_of(document, options.longer_than)), False, left=2)
    if options.json:
        write_result(options.json, document)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ToolError as error:
        sys.exit(f"error: {error}")
