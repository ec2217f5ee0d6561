#===- on_gpu.py - networks on a GPU compared with PyTorch -----------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares libraries of networks for NVIDIA GPUs with PyTorch on the same device.

    python -m pruner_tools.export torchvision:resnet50 --dtype f16 --batch 16 \\
        --name resnet50_b16_f16 -o networks          # on any machine
    python benchmarks/Networks/on_gpu.py networks/*.mlir --target=nvidia:h200 \\
        --tools build/bin --json=results.json        # on the machine with the GPU

Each module is compiled by `pruner compile` with random weights as a part of the library,
all of them at the same time, each on one core. The machine with the GPU needs PyTorch,
but neither torch-mlir nor LLVM: --tools may be the folder `bin` of the GPU kit.

All results are compared with PyTorch's in f64 from the same weights and inputs:
`largest_errors` has the largest difference of an element / the largest magnitude of the
result, for the library and for eager PyTorch. Times are the medians of interleaved
samples between events, of CUDA graphs with all tensors on the device: `pruner`; `torch`,
eager PyTorch, with its fused attention in models of transformers; `channels_last`, the
same with images in that format; and, for networks that --compile matches,
`torch.compile`. PyTorch may use TF32 if --tf32 is given.
`seconds` has the times of compilation, of the first run, and of the host for submitting
a run.
"""

import argparse
import concurrent.futures
import copy
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

import torch
from safetensors.torch import save_file

import pruner
from pruner_tools.export import networks
from pruner_tools.results import (against_best, commit_of, geometric_mean, processor,
                                  text_table, timestamp, write_result)
from pruner_tools.turns import interleave

DTYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}
TOLERANCE = {"f32": 1e-4, "f16": 2e-2, "bf16": 1e-1}


class Exported:
    """The files of an exported network, and its module in PyTorch on the CPU."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.name = self.path.stem
        with open(self.path.with_suffix(".args.json")) as file:
            described = json.load(file)
        self.arguments = described["arguments"]
        self.inputs = [each for each in self.arguments if each["kind"] == "input"]
        self.dtype = next(each["dtype"] for each in self.arguments if each["kind"] == "parameter")
        self.provenance = described["provenance"]

    @property
    def spec(self):
        entry = networks.CATALOG.get(self.provenance["model"])
        return entry.spec if entry else self.provenance["model"]

    def is_of_transformers(self):
        return self.spec.startswith("transformers:")

    def build(self, **changes):
        """Return (module, example inputs), in the network's type."""
        shape = self.inputs[0]["shape"]
        spec = self.spec + "".join(f",{key}={value}" for key, value in changes.items())
        options = networks.Options(batch=shape[0], seed=self.provenance["seed"])
        if len(shape) == 2:
            options.sequence = shape[1]
        built = networks.build(spec, options)
        module = built.module.eval().to(DTYPES[self.dtype])
        return module, {key: self._cast(value) for key, value in self._named(built.inputs)}

    def _named(self, inputs):
        if isinstance(inputs, dict):
            return inputs.items()
        return [(given["name"], value) for given, value in zip(self.inputs, inputs)]

    def _cast(self, value):
        return value.to(DTYPES[self.dtype]) if value.is_floating_point() else value


def write_weights(network, directory):
    """Write the weights of the module that `build` returns. Not for several threads:
    random numbers have one state."""
    module, _ = network.build()
    stored = {**dict(module.named_parameters(remove_duplicate=False)),
              **dict(module.named_buffers(remove_duplicate=False))}
    save_file({each["name"]: stored[each["name"]].detach().clone().contiguous()
               for each in network.arguments if each["kind"] != "input"},
              os.path.join(directory, network.name + ".safetensors"))


def compile_library(network, options):
    """Write the library. Return the seconds of `pruner compile`."""
    base = os.path.join(options.directory, network.name)
    begun = time.monotonic()
    done = subprocess.run(
        [os.path.join(options.tools, "pruner"), "compile", str(network.path), "-o",
         base + ".so", f"--target={options.target}", f"--trials={options.trials}",
         f"--names={network.path.with_suffix('.args.json')}", f"--weights={base}.safetensors",
         *options.compile_option],
        capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr[-1000:])
    return time.monotonic() - begun


def graph_of(call):
    """Return a function that replays `call`, and the results of it."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream), torch.no_grad():
        for _ in range(3):
            call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph), torch.no_grad():
        results = call()
    return graph.replay, results


def sample_of(replay, seconds):
    """Return a function that runs a sample and returns the seconds of a run."""
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))

    def events(runs):
        start.record()
        for _ in range(runs):
            replay()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) / 1e3 / runs

    events(1)
    runs = max(1, int(seconds / max(1e-6, events(2))))
    return lambda: events(runs)


def as_list(results):
    if torch.is_tensor(results):
        return [results]
    values = results.values() if hasattr(results, "values") else results
    return [value for value in values if torch.is_tensor(value)]


def largest_error(results, expected):
    """Return the largest difference / the largest magnitude, of all results."""
    worst = 0.0
    for got, want in zip(results, expected):
        difference = (got.double() - want).abs().max() / want.abs().max()
        worst = max(worst, difference.item() if difference == difference else float("inf"))
    return worst


def measure(network, options, compile_seconds):
    module, inputs = network.build()
    module = module.cuda()
    inputs = {key: value.cuda() for key, value in inputs.items()}
    with torch.no_grad():
        wide = copy.deepcopy(module).double()
        expected = as_list(wide(*[v.double() if v.is_floating_point() else v
                                  for v in inputs.values()]))
        del wide
    library = pruner.load(os.path.join(options.directory, network.name + ".so"))
    begun = time.monotonic()
    as_list(library(*inputs.values()))
    torch.cuda.synchronize()
    first = time.monotonic() - begun

    def eager(with_module, with_inputs):
        return lambda: as_list(with_module(*with_inputs.values()))

    calls = {"pruner": lambda: as_list(library(*inputs.values()))}
    if network.is_of_transformers():
        calls["torch"] = eager(network.build(attn="sdpa")[0].cuda(), inputs)
    else:
        calls["torch"] = eager(module, inputs)
    if any(value.dim() == 4 for value in inputs.values()):
        last = {"memory_format": torch.channels_last}
        calls["channels_last"] = eager(
            copy.deepcopy(module).to(**last), {key: v.to(**last) for key, v in inputs.items()})
    if options.compile and re.search(options.compile, network.name):
        calls["torch.compile"] = eager(torch.compile(module, dynamic=False), inputs)
    row = {"name": network.name, "dtype": network.dtype, "largest_errors": {},
           "milliseconds": {}, "failed": {},
           "seconds": {"compile": compile_seconds, "first_run": first}}
    replays = {}
    for name, call in calls.items():
        try:
            replays[name], results = graph_of(call)
            replays[name]()
            torch.cuda.synchronize()
            row["largest_errors"][name] = largest_error(results, expected)
        except Exception as error:
            row["failed"][name] = str(error)[:500]
    begun = time.monotonic()
    with torch.no_grad():
        calls["pruner"]()
    row["seconds"]["submission"] = time.monotonic() - begun
    torch.cuda.synchronize()
    samples = {name: sample_of(replay, options.sample) for name, replay in replays.items()}
    for name, times in interleave(samples, options.turns).items():
        row["milliseconds"][name] = 1e3 * statistics.median(times)
    peers = {name: each for name, each in row["milliseconds"].items() if name != "pruner"}
    best = against_best(row["milliseconds"].get("pruner"), peers)
    if best:
        row["best_peer"], row["ratio"] = best
    row["right"] = row["largest_errors"].get("pruner", float("inf")) <= TOLERANCE[network.dtype]
    return row


def table(rows):
    names = list(dict.fromkeys(name for row in rows for name in row["milliseconds"]))
    cells = [["network", *(f"{name}, ms" for name in names), "ratio", "error", "torch's error"]]
    for row in rows:
        cells.append([row["name"],
                      *(f"{row['milliseconds'][n]:.3f}" if n in row["milliseconds"] else ""
                        for n in names),
                      f"{row['ratio']:.2f}" if "ratio" in row else "",
                      *(f"{row['largest_errors'].get(n, float('nan')):.1e}"
                        for n in ("pruner", "torch"))])
    return "\n".join(text_table(cells))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("modules", nargs="+", help="exported networks (.mlir, .args.json)")
    parser.add_argument("--tools", default=str(ROOT / "build/bin"), help="folder of `pruner`")
    parser.add_argument("--target", required=True)
    parser.add_argument("--trials", type=int, default=0, help="measurements of each network")
    parser.add_argument("--compile-option", action="append", default=[],
                        help="a further option of `pruner compile`")
    parser.add_argument("--directory", default="on-gpu", help="folder of the libraries")
    parser.add_argument("--compile", metavar="REGEX", help="networks for torch.compile; slow")
    parser.add_argument("--tf32", action="store_true", help="allow TF32 in PyTorch")
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--sample", type=float, default=10e-3, help="seconds")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--compile-only", action="store_true", help="measure nothing")
    parser.add_argument("--json")
    options = parser.parse_args()
    os.makedirs(options.directory, exist_ok=True)
    torch.backends.cudnn.benchmark = True
    torch.backends.cuda.matmul.allow_tf32 = options.tf32
    torch.backends.cudnn.allow_tf32 = options.tf32
    every = [Exported(path) for path in options.modules]
    compiled = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for each in every:
            write_weights(each, options.directory)
            compiled.append((each, pool.submit(compile_library, each, options)))
    result = {"networks": [], "failed": {}, "tf32": options.tf32, "target": options.target,
              "trials": options.trials, "processor": processor(), "torch": torch.__version__,
              "commit": commit_of(str(ROOT)), "started": timestamp(), "command": sys.argv}
    if torch.cuda.is_available():
        result["device"] = torch.cuda.get_device_name()
    for network, future in compiled:
        try:
            seconds = future.result()
            if not options.compile_only:
                result["networks"].append(measure(network, options, seconds))
        except Exception as error:
            result["failed"][network.name] = str(error)[:1000]
            print(f"{network.name}: {error}", file=sys.stderr)
        if options.json:
            write_result(options.json, result)
    if result["networks"]:
        print(table(result["networks"]), file=sys.stderr)
    for row in result["networks"]:
        for name, reason in row["failed"].items():
            print(f"{row['name']}: {name}: {reason}", file=sys.stderr)
    ratios = [row["ratio"] for row in result["networks"] if "ratio" in row]
    if ratios:
        print(f"geometric mean of best peer / pruner: {geometric_mean(ratios):.2f}",
              file=sys.stderr)
    return 0 if all(row["right"] for row in result["networks"]) and not result["failed"] else 1


if __name__ == "__main__":
    sys.exit(main())
