#===- torch_compile.py - torch.compile against eager PyTorch --------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs networks through torch.compile(backend="pruner") and compares results and times
with eager PyTorch and Inductor with freezing.

    python benchmarks/Networks/torch_compile.py resnet18 swin_t --json=results.json
    python benchmarks/Networks/torch_compile.py --all --batches=1,8 --threads=1,2 \\
        --json=results.json

Networks have the names of pruner_tools.export, those of torchvision without a prefix;
weights are random. The suffix `.backbone` selects that part of a network. Each
combination of network, batch and threads runs in a process of its own with a time limit.
With --json, results that the file already has are not measured again, so an interrupted
run can be resumed; each result states its commit. --results-only measures no times and
does not run Inductor. The columns:

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
  pruner, eager, inductor   median time of a run, interleaved; the JSON has quartiles
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


def network_of(name, batch):
    """Return the module and its inputs: those of the exporter, and random ones for the
    rest of the batch."""
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

    def batched(tensor):
        more = [torch.rand_like(tensor) if tensor.is_floating_point() else tensor
                for _ in range(batch - 1)]
        return torch.cat([tensor, *more])

    if isinstance(network.inputs, dict):
        return module.eval(), {k: batched(v) for k, v in network.inputs.items()}
    return module.eval(), tuple(map(batched, network.inputs))


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


def measure(name, batch, threads, options):
    """Measure one network, in this process."""
    import torch
    from pruner import torch_backend
    from torch.utils.flop_counter import FlopCounterMode

    torch.set_num_threads(threads)
    module, inputs = network_of(name, batch)
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
        result = {"network": name, "batch": batch, "threads": threads,
                  "difference": difference(expected, found), "compiling": compiling}
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
        if not options.results_only:
            models = {"pruner": compiled, "eager": module}
            with_inductor(module, call, models, result)
            result.update(times(models, call, options.rounds))
    return result


def with_inductor(module, call, models, result):
    """Add Inductor to the models, or the reason why it cannot run to the result."""
    import torch

    torch._inductor.config.freezing = True
    compiled = torch.compile(module, dynamic=False)
    try:
        start = time.perf_counter()
        call(compiled)
        result["inductor_compiling"] = time.perf_counter() - start
        call(compiled)
        models["inductor"] = compiled
    except Exception as error:
        result["inductor_error"] = (str(error).splitlines() or [type(error).__name__])[0][:200]


def times(models, call, rounds):
    """Return the median time of each model, and the quartiles, of interleaved runs."""
    seconds = {name: [] for name in models}
    for _ in range(rounds):
        for name, model in models.items():
            start = time.perf_counter()
            call(model)
            seconds[name].append(time.perf_counter() - start)
    found = {name: statistics.median(each) for name, each in seconds.items()}
    found["quartiles"] = {name: [sorted(each)[len(each) // 4], sorted(each)[-1 - len(each) // 4]]
                          for name, each in seconds.items()}
    return found


def is_wrong(result):
    """Return whether the result is wrong or missing."""
    return "error" in result or not (
        result["difference"] < max(TOLERANCE, 2 * result.get("own", 0)))


def milliseconds(result, who):
    return f"{1e3 * result[who]:.2f} ms" if who in result else "-"


def row(name, result):
    if "error" in result:
        return [name, result["error"][:60]] + [""] * 6
    said = f"{result['difference']:.1e}"
    if "own" in result:
        said += f" ({result['own']:.1e})"
    return [name, said, f"{100 * result['tuned']:.1f} %",
            f"{result['compiled']}/{result['graphs']}", f"{result['compiling']:.1f} s",
            *(milliseconds(result, who) for who in ("pruner", "eager", "inductor"))]


def numbers(text):
    return [int(each) for each in text.split(",")]


def in_process(name, batch, threads, options):
    """Measure one network in a process of its own and return the result."""
    given = [f"--{key}={getattr(options, key.replace('-', '_'))}" for key in
             ("rounds", "trials", "time-limit", "db", "cache")]
    given += ["--results-only"] if options.results_only else []
    # Inductor's pool of compilers would outlive the process.
    environment = {**os.environ, "TORCHINDUCTOR_COMPILE_THREADS": "1"}
    try:
        done = subprocess.run(
            [sys.executable, __file__, "--one", name, f"--batches={batch}",
             f"--threads={threads}", *given], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, timeout=options.timeout, env=environment)
    except subprocess.TimeoutExpired:
        return {"error": f"more than {options.timeout:g} s"}
    said = [line for line in done.stdout.splitlines() if line.startswith("result ")]
    return json.loads(said[-1].partition(" ")[2]) if said else {
        "error": (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1]}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*")
    parser.add_argument("--all", action="store_true", help="all networks of torchvision")
    parser.add_argument("--json", help="file of the results; results that it has are kept")
    parser.add_argument("--batches", type=numbers, default=[1], help="such as 1,8")
    parser.add_argument("--threads", type=numbers, default=[1], help="such as 1,2")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--trials", type=int, default=0)
    parser.add_argument("--time-limit", type=float, default=0)
    parser.add_argument("--db", default="")
    parser.add_argument("--cache", default="", help="cache directory of libraries")
    parser.add_argument("--results-only", action="store_true",
                        help="compare results with eager PyTorch, and measure no times")
    parser.add_argument("--timeout", type=float, default=1200,
                        help="time limit of a process, in seconds")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print("result " + json.dumps(measure(options.networks[0], options.batches[0],
                                             options.threads[0], options)))
        return 0
    names = options.networks + (all_networks() if options.all else [])
    if not names:
        parser.error("expected at least one network")
    known = read(options.json) if options.json and os.path.exists(options.json) else {
        "networks": {}}
    wanted = {}
    for threads in options.threads:
        for batch in options.batches:
            for name in names:
                plain = batch == threads == 1
                wanted[name if plain else f"{name},batch={batch},threads={threads}"] = (
                    name, batch, threads)
    for key, what in wanted.items():
        entry = known["networks"].get(key, {})
        if "difference" in entry and (options.results_only or "pruner" in entry):
            continue
        print(f"{key} ...", file=sys.stderr)
        known["networks"][key] = {**in_process(*what, options), "commit": commit_of(ROOT),
                                  "date": timestamp()}
        if options.json:
            import torch
            import torchvision

            known["provenance"] = {
                "cpu": processor(), "trials": options.trials,
                "torch": torch.__version__, "torchvision": torchvision.__version__}
            write_whole(options.json, json_bytes(known))
    results = known["networks"]
    rows = [["network", "difference", "tuned", "graphs", "compiling", "pruner", "eager",
             "inductor"]]
    print("\n".join(text_table(rows + [row(key, results[key]) for key in wanted])))
    return any(is_wrong(results[key]) for key in wanted)


if __name__ == "__main__":
    sys.exit(main())
