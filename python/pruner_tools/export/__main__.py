#===- __main__.py - python -m pruner_tools.export ---------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line of the exporter."""

import argparse
import re
import sys
import traceback

from . import ExportError, dimensions, networks

DTYPES = {"f32": "float32", "f16": "float16", "bf16": "bfloat16"}
INPUT_DTYPES = {
    **DTYPES,
    "f64": "float64",
    "i64": "int64",
    "i32": "int32",
    "i8": "int8",
    "i1": "bool",
}


def parse_input(text):
    """Parse '[NAME=]1x128xi64' into (name or None, sizes, element type)."""
    name, equals, shape = text.rpartition("=")
    *sizes, dtype = shape.split("x")
    if dtype not in INPUT_DTYPES or any(not re.fullmatch("[1-9][0-9]*", s) for s in sizes):
        raise ExportError(
            f"--input {text}: expected [NAME=]SIZESxTYPE, such as ids=1x128xi64; "
            f"types are {', '.join(INPUT_DTYPES)}"
        )
    return name if equals else None, [int(size) for size in sizes], dtype


def parser():
    result = argparse.ArgumentParser(
        prog="python -m pruner_tools.export",
        description="Export PyTorch models as linalg on tensors, with the weights "
        "as arguments: NAME.mlir, NAME.args.json, NAME.safetensors.",
    )
    add = result.add_argument
    add("models", nargs="*", metavar="MODEL",
        help="a name of --list, torchvision:NAME[,key=value...], "
        "transformers:NAME[,key=value...], or FILE.py:FUNCTION, whose result is "
        "(module, example inputs)")
    add("--list", action="store_true", help="print the networks with short names")
    add("-o", "--output", default=".", metavar="DIR", help="directory of the files")
    add("--name", help="name of the files, for a single model")
    add("--reference", action="store_true",
        help="write NAME.reference.safetensors: the example inputs, and what "
        "PyTorch computes for them")
    add("--results", metavar="A,B", help="keep only these results of the model")
    add("--batch", type=int, default=1, help="number of images or sequences (default 1)")
    add("--sequence", type=int, default=128, help="tokens per sequence (default 128)")
    add("--size", type=int, help="side length of images (default: the model's own)")
    add("--input", action="append", default=[], metavar="[NAME=]SHAPE",
        help="an example input, such as 1x3x224x224xf32 or ids=1x128xi64, in "
        "place of the default inputs; repeat for each input")
    add("--dynamic", action="append", default=[], metavar="NAME=INPUT:DIM:SIZES",
        help="a dynamic dimension of an input (*: of all inputs), "
        "such as n=x:0:1..64 or s=*:1:16,32,64; repeat for each dimension")
    add("--dtype", choices=DTYPES, default="f32", help="element type of weights and activations")
    add("--weights", metavar="FILE",
        help="a state dictionary (.safetensors, or a file of torch.save) in "
        "place of random weights")
    add("--seed", type=int, default=0, help="seed of weights and inputs (default 0)")
    add("--traceback", action="store_true", help="show the traceback of an error")
    return result


def convert(network, dtype):
    """Convert a module and its floating-point inputs to the torch type `dtype`."""

    def to(tensor):
        return tensor.to(dtype) if tensor.is_floating_point() else tensor

    network.module.to(dtype)
    if isinstance(network.inputs, dict):
        network.inputs = {key: to(value) for key, value in network.inputs.items()}
    else:
        network.inputs = tuple(to(value) for value in network.inputs)


def load_weights(module, path):
    """Load a state dictionary. Its names and those of the module must be the same."""
    torch = networks.need("torch")
    from pruner import safetensors
    from pruner.arrays import to_torch
    from pruner.lowering import brief

    try:
        if path.endswith(".safetensors"):
            state = {name: to_torch(array.copy(), element.lower())
                     for name, (element, array) in safetensors.read_typed(path).items()}
        else:
            state = torch.load(path, map_location="cpu", weights_only=True)
        module.load_state_dict(state)
    except (OSError, RuntimeError, ValueError) as error:
        raise ExportError(f"--weights {path}: {brief(error)}") from error


def export(model, name, options, args):
    """Export one model. Prints the written files to stderr."""
    from . import files, program

    torch = networks.need("torch")
    results = args.results.split(",") if args.results else None
    network = networks.build(model, options, results)
    if args.weights:
        load_weights(network.module, args.weights)
    if args.dtype != "f32":
        convert(network, getattr(torch, DTYPES[args.dtype]))
    captured = program.capture(network, args.dynamic)
    provenance = {"model": model, "seed": args.seed}
    written = files.write(captured, args.output, name, provenance, args.reference)
    weights = sum(
        argument.tensor.numel()
        for argument in captured.arguments
        if argument.kind != "input"
    )
    print(
        f"{name}: {len(captured.arguments)} arguments, {weights} weights, "
        f"{len(captured.results)} results -> {' '.join(written)}",
        file=sys.stderr,
    )


def list_networks():
    for name, entry in networks.CATALOG.items():
        print(f"{name:20}{entry.about}")


def main():
    command_line = parser()
    args = command_line.parse_args()
    if args.list:
        list_networks()
        return 0
    if not args.models:
        command_line.error("expected a model or --list")
    if args.name and len(args.models) > 1:
        command_line.error("--name requires a single model")
    if min(args.batch, args.sequence, args.size or 1) < 1:
        command_line.error("--batch, --sequence and --size must be positive")
    failed, dynamic = 0, args.dynamic
    for model in args.models:
        try:
            shapes = [parse_input(text) for text in args.input]
            args.dynamic = dimensions.parse_all(dynamic)
            torch = networks.need("torch")
            shapes = [
                (name, sizes, getattr(torch, INPUT_DTYPES[dtype]))
                for name, sizes, dtype in shapes
            ]
            options = networks.Options(
                args.batch, args.sequence, args.size, args.seed, shapes
            )
            export(model, args.name or networks.default_name(model), options, args)
        except ExportError as error:
            if args.traceback:
                traceback.print_exc()
            print(f"error: {model}: {error}", file=sys.stderr)
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
