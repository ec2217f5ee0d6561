#===- torch_compile.py - torch.compile against eager PyTorch --------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs networks through torch.compile(backend="pruner") and compares the results with
eager PyTorch.

    python benchmarks/Networks/torch_compile.py resnet18 swin_t --json=results.json
    python benchmarks/Networks/torch_compile.py --all --json=results.json

Networks have the names of pruner_tools.export, those of torchvision without a prefix;
weights are random. The suffix `.backbone` selects that part of a network. Each network
runs in a process of its own. With --json, results that the file already has are not
measured again. The columns:

  difference   largest difference of all results, relative to the largest magnitude of
               the tensor. If it is large, it is followed by the difference between eager
               PyTorch with and without oneDNN: in detectors with random weights all
               scores are nearly equal, and so is what decides their order
  tuned        share of the FLOP of a run in tasks with a schedule. FLOP are those of
               the libraries; if PyTorch runs some graphs, those of its counter (products
               and convolutions), if these are more. (The counter includes taps of
               dilated windows that only read padding, which libraries omit.)
  graphs       compiled graphs, and all graphs of TorchDynamo
  compiling    seconds from the first call to its result
  pruner, eager   median time of a run, interleaved
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from pruner_tools.results import (commit_of, json_bytes, processor, read, text_table,
                                  timestamp, write_whole)

# Input shapes of torchvision's networks by the prefix of their name, unless it is an
# image of the size that torchvision states. Detectors run as a whole, but the part
# after their backbone depends on data and stays in PyTorch.
SHAPES = {
    "mc3": (1, 3, 8, 112, 112), "r3d": (1, 3, 8, 112, 112), "r2plus1d": (1, 3, 8, 112, 112),
    "s3d": (1, 3, 16, 224, 224), "mvit": (1, 3, 16, 224, 224), "swin3d": (1, 3, 8, 112, 112),
    "vit_h": (1, 3, 224, 224),  # Its best weights are for another size.
    "deeplabv3": (1, 3, 224, 224), "fcn": (1, 3, 224, 224), "lraspp": (1, 3, 224, 224),
}
DETECTORS = ("fasterrcnn", "fcos", "keypointrcnn", "maskrcnn", "retinanet", "ssd")
DETECTED = (1, 3, 320, 320)
TOLERANCE = 1e-3


def shape_of(name):
    """Return the shape of the input, or None for torchvision's size."""
    if name.startswith(DETECTORS):
        return DETECTED
    return next((shape for start, shape in SHAPES.items() if name.startswith(start)), None)


def all_networks():
    """Return every network of torchvision and the detectors' backbones, those with few
    FLOP first."""
    from torchvision import models

    def flops(name):
        weights = getattr(models.get_model_weights(name), "DEFAULT", None)
        return weights.meta.get("_ops", 0) if weights else 0

    names = sorted(models.list_models(), key=flops)
    return [each for name in names for each in
            ((name + ".backbone", name) if name.startswith(DETECTORS) else (name,))]


def network_of(name):
    """Return the module and its inputs."""
    import torch
    from pruner_tools.export import networks

    spec, *parts = name.split(".") if ":" not in name else [name]
    shape = shape_of(name)
    if spec.startswith("raft"):
        shapes = [(None, (1, 3, 128, 128), torch.float32)] * 2
    else:
        shapes = [(None, shape, torch.float32)] if shape else []
    network = networks.build(spec if ":" in spec else f"torchvision:{spec}",
                             networks.Options(shapes=shapes))
    module = network.module
    for part in parts:
        module = getattr(module, part)
    return module.eval(), network.inputs


def difference(expected, found):
    """Return the largest difference between all tensors of two results, relative to the
    magnitudes."""
    import torch
    from torch.utils._pytree import tree_leaves

    largest = 0.0
    expected, found = tree_leaves(expected), tree_leaves(found)
    if len(expected) != len(found):
        return float("inf")
    for a, b in zip(expected, found):
        if not isinstance(a, torch.Tensor):
            continue
        if a.shape != b.shape or a.dtype != b.dtype:
            return float("inf")
        if a.numel() == 0:
            continue
        a, b = a.double(), b.double()
        if not torch.isfinite(a).all():
            raise SystemExit("eager PyTorch's results are not finite")
        distance, magnitude = (a - b).abs().max().item(), a.abs().max().item()
        largest = max(largest, distance / magnitude if magnitude else distance)
    return largest


def measure(name, options):
    """Measure one network, in this process."""
    import torch
    from pruner import torch_backend
    from torch.utils.flop_counter import FlopCounterMode

    torch.set_num_threads(options.threads)
    module, inputs = network_of(name)
    call = ((lambda model: model(**inputs)) if isinstance(inputs, dict)
            else (lambda model: model(*inputs)))
    settings = {"cache": options.cache, "db": options.db, "trials": options.trials,
                "time_limit": options.time_limit}
    compiled = torch.compile(module, backend=torch_backend.compile_graph, dynamic=False,
                             options=settings)
    with torch.no_grad():
        expected = call(module)
        start = time.perf_counter()
        found = call(compiled)
        compiling = time.perf_counter() - start
        found = call(compiled)
        result = {"difference": difference(expected, found), "compiling": compiling}
        if not result["difference"] < TOLERANCE:
            with torch.backends.mkldnn.flags(enabled=False):
                result["own"] = difference(expected, call(module))
        graphs = torch_backend.graphs
        for graph in graphs:
            graph.runs = 0
        call(compiled)
        inside = sum(graph.runs * graph.flops for graph in graphs)
        tuned = sum(graph.runs * graph.tuned for graph in graphs)
        # Under the counter nothing is compiled.
        with FlopCounterMode(display=False) as counter:
            call(module)
        whole = not any(graph.reason for graph in graphs)
        result["flops"] = inside if whole else max(inside, counter.get_total_flops())
        result["tuned"] = tuned / result["flops"] if result["flops"] else 0
        result["graphs"] = len(graphs)
        result["compiled"] = sum(not graph.reason for graph in graphs)
        result["reasons"] = sorted({graph.reason for graph in graphs if graph.reason})
        times = {"pruner": [], "eager": []}
        for _ in range(options.rounds):
            for who, model in (("pruner", compiled), ("eager", module)):
                start = time.perf_counter()
                call(model)
                times[who].append(time.perf_counter() - start)
        for who, seconds in times.items():
            result[who] = statistics.median(seconds)
    return result


def is_wrong(result):
    """Return whether the result is wrong or missing."""
    return "error" in result or not (
        result["difference"] < max(TOLERANCE, 2 * result.get("own", 0)))


def row(name, result):
    if "error" in result:
        return [name, result["error"][:60]] + [""] * 5
    said = f"{result['difference']:.1e}"
    if "own" in result:
        said += f" ({result['own']:.1e})"
    return [name, said, f"{100 * result['tuned']:.1f} %",
            f"{result['compiled']}/{result['graphs']}", f"{result['compiling']:.1f} s",
            f"{1e3 * result['pruner']:.2f} ms", f"{1e3 * result['eager']:.2f} ms"]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*")
    parser.add_argument("--all", action="store_true", help="all networks of torchvision")
    parser.add_argument("--json", help="results; those that are there are kept")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--trials", type=int, default=0)
    parser.add_argument("--time-limit", type=float, default=0)
    parser.add_argument("--db", default="")
    parser.add_argument("--cache", default="", help="cache directory of libraries")
    parser.add_argument("--timeout", type=float, default=1200, help="time limit per network, in seconds")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print("result " + json.dumps(measure(options.networks[0], options)))
        return 0
    names = options.networks + (all_networks() if options.all else [])
    if not names:
        parser.error("expected at least one network")
    known = read(options.json) if options.json and os.path.exists(options.json) else {
        "networks": {}}
    given = [f"--{key}={getattr(options, key.replace('-', '_'))}" for key in
             ("threads", "rounds", "trials", "time-limit", "db", "cache")]
    for name in names:
        if "difference" in known["networks"].get(name, {}):
            continue
        print(f"{name} ...", file=sys.stderr)
        try:
            done = subprocess.run([sys.executable, __file__, "--one", name, *given],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  timeout=options.timeout)
            said = [line for line in done.stdout.splitlines() if line.startswith("result ")]
            result = json.loads(said[-1].partition(" ")[2]) if said else {
                "error": (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1]}
        except subprocess.TimeoutExpired:
            result = {"error": f"more than {options.timeout:g} s"}
        known["networks"][name] = result
        if options.json:
            import torch
            import torchvision

            known["provenance"] = {
                "commit": commit_of(ROOT), "date": timestamp(), "cpu": processor(),
                "threads": options.threads, "trials": options.trials,
                "torch": torch.__version__, "torchvision": torchvision.__version__}
            write_whole(options.json, json_bytes(known))
    results = known["networks"]
    rows = [["network", "difference", "tuned", "graphs", "compiling", "pruner", "eager"]]
    print("\n".join(text_table(rows + [row(name, results[name]) for name in names])))
    return any(is_wrong(results[name]) for name in names)


if __name__ == "__main__":
    sys.exit(main())
