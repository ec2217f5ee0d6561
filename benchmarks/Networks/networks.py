#===- networks.py - networks compared with other software -----------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tunes networks and compares them with PyTorch, ONNX Runtime, OpenVINO and IREE.

    python benchmarks/Networks/networks.py resnet50 bert_tiny --trials 200 \\
        --directory networks --db networks.db --json result.json

Networks have the names of pruner_tools.export, which exports them. Each is tuned with
constant weights, if the database has fewer trials, and compiled to two libraries: the
network and the preparation of its weights. All contenders get the same weights and
inputs and must agree with PyTorch's result; a peer that does not is left out. They are
called interleaved by one process on one CPU (--threads for more). The speed of a shared
machine changes over time, so batches of the same round are compared, and rounds are short
and many. Requires PyTorch, torch-mlir and the packages of the models. IREE, OpenVINO, and
ONNX Runtime with onnx and onnxscript, are optional.

--bf16 compares networks whose f32 products may be computed in bf16: Pruner tunes with
accuracy=folded-scales,bf16-products,bf16-tensors, PyTorch runs with autocast, and OpenVINO in its default precision.
The others compute in f32.

--int8 compares networks of bytes. PyTorch's PT2E quantizes the network for Pruner and
Inductor, ONNX Runtime and NNCF (for OpenVINO) quantize it themselves; all calibrate on the
same random inputs. What is not quantized is computed in f32. The difference of each from
the network in f32 is reported. Requires torchao, and nncf for OpenVINO. With --onnx,
Pruner also compiles the file that ONNX Runtime quantized.
"""

import argparse
import functools
import os
import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

import pruner
import quantized
from pruner_tools.compare import difference
from pruner_tools.export import ExportError, files, networks, program
from pruner_tools.results import (commit_of, geometric_mean, json_bytes, processor,
                                  text_table, timestamp, write_whole)
from pruner_tools.tools import ToolError, run_tool
from pruner_tools.turns import interleave, quartiles, ratios, time_batch

# The untuned network is slow, and only its order of magnitude matters.
UNTUNED_TURNS = 2
# Those that compute the network that PT2E quantized.
FROM_PT2E = ("pruner", "untuned", "torch", "inductor")
PEERS = ("torch", "inductor", "onnxruntime", "openvino", "iree")


class Contender:
    """A way to compute the network: `run()` computes it, `read` converts its result to
    a list of arrays. It takes part in `turns` rounds, or in all."""

    def __init__(self, name, run, detail="", read=list, turns=None):
        self.name, self.run, self.detail, self.read = name, run, detail, read
        self.turns, self.difference = turns, None
        self.from_quantized = None  # The difference from PyTorch's quantized network.
        self.batches = [] # A number for each round; None if other programs disturbed it.

    def time(self, seconds, threads):
        """Time one batch: as many calls as fill `seconds`."""
        if self.turns is not None and len(self.batches) >= self.turns:
            return
        batch = time_batch(self.run, seconds, threads > 1)
        self.batches.append(batch.seconds if batch.clean else None)

    def clean(self):
        return [seconds for seconds in self.batches if seconds]

    def median(self):
        return statistics.median(self.clean()) if self.clean() else None

    def over(self, other):
        """Return the ratios of this one's times to the other's in the same rounds,
        sorted."""
        return ratios(self.batches, other.batches)


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
    """Return the libraries after tuning, and the last lines of the tuner's output."""
    names = f"{base}.args.json"
    tuned = f"{base}.tuned.mlir"
    log = tools.run(
        "pruner-opt", f"{base}.mlir", f"--pruner-declare-constants=names={names}",
        f"--pruner-tune=target=cpu threads={options.threads} "
        f"trials={options.trials} db={options.db} {options.tune_options}"
        + (" accuracy=folded-scales,bf16-products,bf16-tensors" if options.bf16 else ""),
        "--pruner-hoist-constants", "-o", tuned, log=f"{base}.tune.log")
    library = tools.library(tuned, f"{base}.tuned.so", "--entry=main")
    prepare = None
    if "@main_prepare(" in pathlib.Path(tuned).read_text():
        prepare = tools.library(tuned, f"{base}.prepare.so", "--entry=main_prepare")
    summary = [line for line in log.splitlines()
               if line.startswith(("tasks in total", "the network takes",
                                "FMA peak", "time:"))]
    return pruner.load(library, prepare=prepare), summary


def as_tuple(results):
    return results if isinstance(results, tuple) else (results,)


def library_contender(name, network, weights, inputs, threads, detail, turns=None):
    network.threads = threads
    bound = (network.bind_file(weights) if weights else network).bind(**inputs)
    return Contender(name, lambda: as_tuple(bound()), detail, turns=turns)


def torch_contenders(module, tensors, threads, bf16, detail):
    torch = networks.need("torch")
    import torch._inductor.config as config

    torch.set_num_threads(threads)

    def runner(function):
        def run():
            with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, enabled=bf16):
                return [result.float().numpy() for result in function(*tensors)]
        return run

    yield Contender("torch", runner(module), "eager, " + torch.__version__ + detail,
                    turns=UNTUNED_TURNS if "int8" in detail else None)
    config.freezing = True
    yield Contender("inductor", runner(torch.compile(module, dynamic=False)),
                    "torch.compile, frozen" + detail)


def export_onnx(module, tensors, path):
    import torch

    torch.onnx.export(module, tuple(tensors), path, dynamo=True, verbose=False)


def onnx_file(module, tensors, path, options):
    """Return the ONNX file of the network, with --int8 as ONNX Runtime quantizes it."""
    if not options.reuse or not os.path.exists(path):
        export_onnx(module, tensors, path)
    return quantized.by_onnx(path, tensors) if options.int8 else path


def onnx_contender(path, tensors, threads, int8):
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(path, settings,
                                           providers=["CPUExecutionProvider"])
    feeds = {spec.name: tensor.numpy()
             for spec, tensor in zip(session.get_inputs(), tensors)}
    return Contender("onnxruntime", lambda: session.run(None, feeds),
                     onnxruntime.__version__ + (", int8" if int8 else ""))


def onnx_by_pruner(path, tensors, options):
    """Return the contender that is compiled from the file that ONNX Runtime quantized."""
    settings = {name.replace("-", "_"): value for name, value in (
        each.split("=") for each in options.tune_options.split())}
    network = pruner.compile(path, trials=options.trials, db=options.db,
                             threads=options.threads, progress=None, **settings)
    network.threads = options.threads
    inputs = [tensor.numpy() for tensor in tensors]
    return Contender("pruner-onnx", lambda: as_tuple(network(*inputs)),
                     "ONNX Runtime's int8, by pruner.compile")


def openvino_contender(module, tensors, path, threads, bf16, int8):
    import openvino

    try:
        model = openvino.convert_model(module, example_input=tuple(tensors))
    except Exception:  # Some models cannot be traced.
        if not os.path.exists(path):
            export_onnx(module, tensors, path)
        model = openvino.convert_model(path)
    if int8:
        model = quantized.by_nncf(model, tensors)
    settings = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY"}
    if not bf16:
        settings["INFERENCE_PRECISION_HINT"] = "f32"
    compiled = openvino.Core().compile_model(model, "CPU", settings)
    request = compiled.create_infer_request()
    feeds = [tensor.numpy() for tensor in tensors]

    def run():
        request.infer(feeds, share_inputs=True, share_outputs=True)
        return [request.get_output_tensor(n).data
                for n in range(len(compiled.outputs))]

    precision = compiled.get_property("INFERENCE_PRECISION_HINT")
    return Contender("openvino", run, f"{openvino.__version__}, {precision}"
                     + (", int8" if int8 else ""))


def iree_contender(base, arguments, inputs, threads, reuse):
    from iree.compiler import CompilerToolError, version
    from pruner_tools.iree_network import (IM2COL, SCOPE, TILING, Network, compiled,
                                           with_weights)

    code, detail = pathlib.Path(f"{base}.vmfb"), version.VERSION
    if not reuse or not code.exists():
        text = with_weights(pathlib.Path(f"{base}.mlir").read_text(), arguments)
        try:
            code.write_bytes(compiled(text, (TILING, IM2COL)))
        except CompilerToolError:  # Some depthwise convolutions.
            code.write_bytes(compiled(text, (TILING,)))
            detail += ", without im2col"
    network = Network(code.read_bytes(), {SCOPE: f"{base}.safetensors"}, inputs.values(),
                      threads)
    return Contender("iree", network, detail, network.arrays)


def relative_difference(results, expected):
    """Return the largest difference of any result, relative to the largest expected
    magnitude."""
    worst = 0.0
    for result, wanted in zip(results, expected, strict=True):
        error, scale = difference(wanted.astype("f8"), result.astype("f8"))
        worst = max(worst, error / (scale or 1.0))
    return worst


def measure(name, tools, options):
    """Return the timed contenders of one network, and the tuner's summary."""
    torch = networks.need("torch")
    stem = networks.default_name(name) + ("-int8" if options.int8 else "")
    base = str(pathlib.Path(options.directory) / stem)
    network = networks.build(name, networks.Options())
    module, _, tensors = program.flatten(network)
    module.eval()
    with torch.no_grad():
        expected = [tensor.numpy() for tensor in module(*tensors)]
    given = module
    if options.int8:
        given = quantized.by_pt2e(module, tensors)
        network = networks.Network(given, tuple(tensors))
    captured = program.capture(network)
    files.write(captured, options.directory, stem, {"model": name, "seed": 0}, False)
    inputs = {argument.name: argument.tensor.numpy()
              for argument in captured.arguments if argument.kind == "input"}
    tuned, summary = tuned_network(tools, base, options)
    exported = f"{base}.onnx"
    # Written for the first contender that reads it.
    onnx = functools.cache(lambda: onnx_file(module, tensors, exported, options))
    from_onnx = onnx_by_pruner(onnx(), tensors, options) if options.onnx else None
    plain = pruner.load(tools.library(f"{base}.mlir", f"{base}.plain.so",
                                      f"--names={base}.args.json"))
    os.sched_setaffinity(0, options.cpus)

    has_weights = len(inputs) < len(captured.arguments)
    weights = f"{base}.safetensors" if has_weights else None
    contenders = [
        library_contender("pruner", tuned, weights, inputs, options.threads, "tuned"),
        library_contender("untuned", plain, weights, inputs, options.threads,
                          "plain loops, LLVM -O3", UNTUNED_TURNS),
    ]
    detail = ", autocast" if options.bf16 else ", int8 by PT2E" if options.int8 else ""
    contenders += torch_contenders(given, tensors, options.threads, options.bf16, detail)
    if from_onnx:
        contenders.append(from_onnx)
    for peer, make in (
            ("onnxruntime", lambda: onnx_contender(
                onnx(), tensors, options.threads, options.int8)),
            ("openvino", lambda: openvino_contender(
                module, tensors, exported, options.threads, options.bf16, options.int8)),
            ("iree", lambda: iree_contender(base, captured.arguments, inputs,
                                            options.threads, options.reuse))):
        if peer in options.without:
            continue
        try:
            contenders.append(make())
        except Exception as error:  # A version of the package may not support the network.
            print(f"{name}: no {peer}: {str(error).splitlines()[0]}", file=sys.stderr)

    by_pytorch = [tensor.numpy() for _, tensor in captured.results]
    for contender in list(contenders):
        results = contender.read(contender.run())
        contender.difference = relative_difference(results, expected)
        if not contender.difference <= options.tolerance:
            problem = f"{contender.name} differs from PyTorch by {contender.difference:.2e}"
            if contender.name not in PEERS:
                raise ExportError(problem)
            print(f"{name}: no {problem}", file=sys.stderr)
            contenders.remove(contender)
            continue
        if options.int8 and contender.name in FROM_PT2E:
            contender.from_quantized = relative_difference(results, by_pytorch)
    interleave({each.name: lambda each=each: each.time(options.seconds, options.threads)
                for each in contenders}, options.rounds)
    return contenders, summary


def describe(options):
    return {"benchmark": "networks", "commit": commit_of(str(ROOT)),
            "processor": processor(), "time": timestamp(),
            "threads": options.threads, "trials": options.trials,
            "tune_options": options.tune_options, "rounds": options.rounds,
            "bf16": options.bf16, "int8": options.int8, "onnx": options.onnx,
            "load_average": os.getloadavg(), "networks": {}}


def versus_best(contenders):
    """Return the fastest peer and the quartiles of its time over Pruner's in the same
    round (above 1 Pruner is faster), or None."""
    pruner, *others = contenders
    peers = [c for c in others if c.name in PEERS and c.over(pruner)]
    if not peers:
        return None
    best = min(peers, key=lambda c: statistics.median(c.over(pruner)))
    over = best.over(pruner)
    return {"peer": best.name, "ratio": statistics.median(over), "quartiles": quartiles(over)}


def print_table(document):
    """Print a line for each network: milliseconds, and the ratio to the best peer."""
    names = list(dict.fromkeys(name for each in document["networks"].values()
                               for name in each["contenders"]))
    rows, ratios = [["network", *names, "best peer", "best peer / pruner", "quartiles"]], []
    for network, entry in document["networks"].items():
        times = {name: c["median_s"] for name, c in entry["contenders"].items()}
        rows.append([network] + [f"{times[name] * 1e3:.2f}" if times.get(name) else "-"
                                 for name in names])
        versus = entry["versus_best"]
        if versus:
            ratios.append(versus["ratio"])
            low, high = versus["quartiles"]
            rows[-1] += [versus["peer"], f"{versus['ratio']:.2f}", f"{low:.2f} to {high:.2f}"]
        else:
            rows[-1] += ["-"] * 3
    print(*text_table(rows), sep="\n")
    if document["int8"]:
        print("difference from the network in f32, relative to its largest result")
        print(*text_table([["network", *names], *([network, *(
            f"{entry['contenders'][name]['difference']:.1e}"
            if name in entry["contenders"] else "-" for name in names)]
            for network, entry in document["networks"].items())]), sep="\n")
    if ratios:
        print(f"geometric mean of best peer / pruner: {geometric_mean(ratios):.3f}")
    print("milliseconds of a call, medians of interleaved batches; ratios are those of "
          f"the same round; {document['threads']} thread(s)")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("networks", nargs="+", metavar="NETWORK", help="a name of pruner_tools.export --list")
    add("--bin", default=str(ROOT / "build" / "bin"), metavar="DIR",
        help="where pruner-opt and pruner-translate are (default: %(default)s)")
    add("--directory", default="networks", metavar="DIR", help="directory of all generated files")
    add("--db", default="networks.db", metavar="FILE", help="the tuning database")
    add("--trials", type=int, default=200, help="trials per network (default %(default)s)")
    add("--tune-options", default="", metavar="TEXT",
        help="more options of pruner-tune, such as 'model=none'")
    add("--threads", type=int, default=1)
    add("--rounds", type=int, default=20, help="number of rounds")
    add("--seconds", type=float, default=0.2, help="seconds per batch")
    add("--reuse", action="store_true",
        help="use the ONNX file and IREE's code that an earlier run left in the directory")
    add("--without", nargs="*", default=(), choices=("onnxruntime", "openvino", "iree"),
        help="peers to omit: a crash of one ends the benchmark")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--bf16", action="store_true",
                      help="allow products in bf16 to all that support them")
    kind.add_argument("--int8", action="store_true",
                      help="quantize the network to 8 bits for all")
    add("--onnx", action="store_true",
        help="with --int8: Pruner also compiles the file that ONNX Runtime quantized")
    add("--tolerance", type=float,
        help="largest difference from the network in f32, relative to the largest result "
             "(default: 1e-4, with --bf16 0.1, with --int8 0.5)")
    add("--json", metavar="FILE", help="write the result to this file after every network")
    options = parser.parse_args()
    if options.tolerance is None:
        options.tolerance = 0.5 if options.int8 else 0.1 if options.bf16 else 1e-4
    if options.onnx and not options.int8:
        parser.error("--onnx needs --int8")
    if options.int8:  # IREE has no quantizer.
        options.without = {*options.without, "iree"}
    options.cpus = sorted(os.sched_getaffinity(0))[-options.threads:]
    everything = os.sched_getaffinity(0)
    tools, document, failed = Tools(options.bin), describe(options), 0
    for name in options.networks:
        os.sched_setaffinity(0, everything) # The tuner builds on all CPUs.
        try:
            contenders, summary = measure(name, tools, options)
        except (ExportError, ToolError, pruner.PrunerError, pruner.NetworkError) as error:
            print(f"error: {name}: {error}", file=sys.stderr)
            failed = 1
            continue
        document["networks"][name] = {
            "tuner": summary, "versus_best": versus_best(contenders),
            "contenders": {c.name: {
                "median_s": c.median(), "min_s": min(c.clean(), default=None),
                "batches_s": c.batches, "detail": c.detail,
                "difference": c.difference, "from_quantized": c.from_quantized}
                for c in contenders}}
        if options.json:
            write_whole(options.json, json_bytes(document))
        print(name, *summary, sep="\n  ", file=sys.stderr)
    if document["networks"]:
        print_table(document)
    return failed


if __name__ == "__main__":
    sys.exit(main())
