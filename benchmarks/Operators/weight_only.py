#!/usr/bin/env python3
#===- weight_only.py - products with weights of 8 and 4 bits ------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times chains of weight-only products, and a loop that reads as many bytes.

    weight_only.py <directory of the tools> [--types=i8,i4] [--rows=1,4,32]
                   [--groups=32,128] [--shape=4096x4096] [--layers=8] [--trials=0]

Every product has its own weights, so that they are read from memory. The schedule is
that of the guide (panels of 64 columns), or with --trials the best of a tuning run.
Prints one line of JSON for each configuration: milliseconds of a product, and the
rates of the products and of the reading loop in GB/s (medians of rounds).
"""
import argparse
import ctypes
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
import pruner.network  # noqa: E402

LAYER = """
  %we{i} = tensor.expand_shape %w{i} [[0], [1, 2]] output_shape [{n}, {g}, {size}] : tensor<{n}x{k}x{t}> into tensor<{n}x{g}x{size}x{t}>
  %e{i} = tensor.empty() : tensor<{n}x{g}x{size}xf32>
  %d{i} = linalg.generic {{indexing_maps = [#id, #group, #id], iterator_types = ["parallel", "parallel", "parallel"]}}
    ins(%we{i}, %s{i} : tensor<{n}x{g}x{size}x{t}>, tensor<{n}x{g}xf32>) outs(%e{i} : tensor<{n}x{g}x{size}xf32>) {{
  ^bb0(%a: {t}, %b: f32, %o: f32):
    %0 = arith.sitofp %a : {t} to f32
    %1 = arith.mulf %0, %b : f32
    linalg.yield %1 : f32
  }} -> tensor<{n}x{g}x{size}xf32>
  %c{i} = tensor.collapse_shape %d{i} [[0], [1, 2]] : tensor<{n}x{g}x{size}xf32> into tensor<{n}x{k}xf32>
  %re{i} = tensor.empty() : tensor<{m}x{n}xf32>
  %f{i} = linalg.fill ins(%zero : f32) outs(%re{i} : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %y{i} = linalg.matmul indexing_maps = [#x, #w, #y] ins({x}, %c{i} : tensor<{m}x{k}xf32>, tensor<{n}x{k}xf32>) outs(%f{i} : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>"""

READER = """
#include <immintrin.h>
#include <stddef.h>
static volatile int sink;
void read_all(const char *p, size_t bytes) {
  __m256i a = _mm256_setzero_si256(), b = a, c = a, d = a;
  for (size_t k = 0; k + 128 <= bytes; k += 128) {
    _mm_prefetch(p + k + 4096, _MM_HINT_T0);
    _mm_prefetch(p + k + 4160, _MM_HINT_T0);
    a = _mm256_or_si256(a, _mm256_loadu_si256((const void *)(p + k)));
    b = _mm256_or_si256(b, _mm256_loadu_si256((const void *)(p + k + 32)));
    c = _mm256_or_si256(c, _mm256_loadu_si256((const void *)(p + k + 64)));
    d = _mm256_or_si256(d, _mm256_loadu_si256((const void *)(p + k + 96)));
  }
  a = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
  sink = _mm256_extract_epi32(a, 0);
}
"""


def module(rows, dims, group, element):
    """A chain of products; `dims` are the extents between them."""
    arguments = [f"%x: tensor<{rows}x{dims[0]}xf32>"]
    body, x = "", "%x"
    for i, (k, n) in enumerate(zip(dims, dims[1:])):
        arguments += [f"%w{i}: tensor<{n}x{k}x{element}> {{pruner.constant}}",
                      f"%s{i}: tensor<{n}x{k // group}xf32> {{pruner.constant}}"]
        body += LAYER.format(i=i, m=rows, n=n, k=k, g=k // group, size=group, t=element, x=x)
        x = f"%y{i}"
    return f"""#id = affine_map<(n, g, k) -> (n, g, k)>
#group = affine_map<(n, g, k) -> (n, g)>
#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>
func.func @main({', '.join(arguments)}) -> tensor<{rows}x{dims[-1]}xf32> {{
  %zero = arith.constant 0.0 : f32{body}
  return {x} : tensor<{rows}x{dims[-1]}xf32>
}}
"""


def schedule(extents, element):
    """The schedule of a task of these extents: rows, columns, groups, terms, halves."""
    rows = max(r for r in (1, 2, 4, 8) if extents[0] % r == 0)
    columns = 64 if rows <= 4 else 32
    sums = ", ".join(f"[{extent}]" for extent in extents[2:])
    stages = "none, ahead, none, ahead" if element == "i4" else "none, ahead, ahead"
    return (f"#pruner.schedule<cpu_tile, tiles = [[1, {extents[0] // rows}, {rows}], "
            f"[1, 1, {columns}], {sums}], stages = [{stages}], vector = 16, "
            f"unroll = {2 if element == 'i4' else 8}, prefetch = 1>")


def build(tools, directory, text, element, trials):
    def run(tool, *args):
        subprocess.run([tools / tool, *args], check=True)

    source, tuned = directory / "chain.mlir", directory / "tuned.mlir"
    source.write_text(text)
    if trials:
        run("pruner-opt", source, f"--pruner-tune=trials={trials} threads=1",
            "--pruner-hoist-constants", "-o", tuned)
    else:
        tasks = directory / "tasks.mlir"
        run("pruner-opt", source, "--pruner-normalize", "--pruner-extract-tasks", "-o", tasks)

        def schedule_of(match):
            extents = [int(e) for e in match[2].split("x")]
            return match[1] + f"pruner.schedule = {schedule(extents, element)}, pruner.task = {{"

        tasks.write_text(re.sub(r"(func\.func private @task_contract_([0-9x]+)_.*?)pruner\.task = \{",
                                schedule_of, tasks.read_text()))
        run("pruner-opt", tasks, "--pruner-tile", "--convert-pruner-to-cpu",
            "--pruner-hoist-constants", "-o", tuned)
    net, prepare = directory / "net.so", directory / "prepare.so"
    run("pruner-translate", tuned, "--to=library", "--entry=main", "-o", net)
    run("pruner-translate", tuned, "--to=library", "--entry=main_prepare", "-o", prepare)
    return pruner.network.load(net, prepare=prepare)


def expected(x, weights, group, element):
    x = x.astype(numpy.float64)
    for w, s in weights:
        if element == "i4":  # The low half of a byte first.
            low = (w.view(numpy.uint8) << 4).view(numpy.int8) >> 4
            w = numpy.stack([low, w >> 4], -1).reshape(w.shape[0], -1)
        x = x @ (w * numpy.repeat(s, group, 1).astype(numpy.float64)).T
    return x


def measure(net, reader, rows, dims, group, element):
    rng = numpy.random.default_rng(0)
    weights, inputs, total = [], {}, 0
    for i, (k, n) in enumerate(zip(dims, dims[1:])):
        w = rng.integers(-128, 128, (n, k if element == "i8" else k // 2), dtype=numpy.int8)
        s = rng.random((n, k // group), dtype=numpy.float32) + numpy.float32(0.5)
        s /= numpy.float32((70 if element == "i8" else 5) * k**0.5)
        weights.append((w, s))
        inputs.update({f"arg{2 * i + 1}": w, f"arg{2 * i + 2}": s})
        total += w.nbytes + s.nbytes
    net = net.bind(**inputs)
    x = rng.standard_normal((rows, dims[0]), dtype=numpy.float32)
    exact, result = expected(x, weights, group, element), net(x)
    error = float(abs(result - exact).max() / abs(exact).max())
    if not error < 1e-4:
        sys.exit(f"weight_only.py: error: the results differ by {error}")
    other = numpy.ones(total, numpy.int8)
    times, reads = [], []
    begin = time.perf_counter()
    while time.perf_counter() - begin < 2 or len(times) < 7:
        start = time.perf_counter()
        reader.read_all(ctypes.c_void_p(other.ctypes.data), ctypes.c_size_t(total))
        middle = time.perf_counter()
        net(x)
        reads.append(middle - start)
        times.append(time.perf_counter() - middle)
    taken, read = statistics.median(times), statistics.median(reads)
    return {"type": element, "group": group, "rows": rows, "extents": dims[:2],
            "ms": round(taken * 1e3 / (len(dims) - 1), 3),
            "gbps": round(total / taken * 1e-9, 2), "read_gbps": round(total / read * 1e-9, 2),
            "turns": len(times), "error": error}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", type=pathlib.Path)
    parser.add_argument("--types", default="i8,i4")
    parser.add_argument("--rows", default="1,4,32")
    parser.add_argument("--groups", default="32,128")
    parser.add_argument("--shape", default="4096x4096", help="terms x columns")
    parser.add_argument("--layers", type=int, default=8)
    parser.add_argument("--trials", type=int, default=0)
    parser.add_argument("--cc", default="cc")
    args = parser.parse_args()
    k, n = (int(extent) for extent in args.shape.split("x"))
    dims = [k if i % 2 == 0 else n for i in range(args.layers + 1)]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "reader.c").write_text(READER)
        subprocess.run([args.cc, "-O2", "-mavx2", "-shared", "-fPIC", folder / "reader.c", "-o",
                        folder / "reader.so"], check=True)
        reader = ctypes.CDLL(str(folder / "reader.so"))
        for group in map(int, args.groups.split(",")):
            for rows in map(int, args.rows.split(",")):
                for element in args.types.split(","):
                    # A path is loaded once in a process.
                    own = folder / f"{element}-{group}-{rows}"
                    own.mkdir()
                    net = build(args.tools, own, module(rows, dims, group, element), element,
                                args.trials)
                    print(json.dumps(measure(net, reader, rows, dims, group, element)), flush=True)


if __name__ == "__main__":
    main()
