"""Calls the functions of networks with random sizes, through the functions for some of
them and through the one for all, and compares the results."""

import re
import subprocess
import sys

import numpy
import pruner

path, directory, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
random = numpy.random.default_rng(seed)


def library(name, module, tag):
    text, out = f"{directory}/{name}.{tag}.mlir", f"{directory}/{name}.{tag}.so"
    with open(text, "w", encoding="utf-8") as file:
        file.write(module)
    subprocess.run(["pruner-translate", text, "--to=library", "-o", out, f"--entry={name}",
                    "--opt-level=1"], check=True)
    return pruner.load(out)


def draw(tensor, size):
    shape = tensor.shape_for(size)
    if tensor.dtype.kind == "f":
        return random.standard_normal(shape).astype(tensor.dtype)
    return random.integers(0, 5, shape).astype(tensor.dtype)


def check(name, sizes, options=""):
    done = subprocess.run(
        ["pruner-opt", path, f"--pruner-specialize-shapes=entry={name} sizes={sizes}"]
        + options.split(), check=True, capture_output=True, text=True)
    planned = done.stdout
    plan = re.search(r"#pruner.plan<(\w+)(, independent)?, .*?>", planned)
    none = planned.replace(
        plan.group(0), f"#pruner.plan<{plan.group(1)}, sizes = [], functions = [], "
        "from = [], to = [], use = []>")
    net, plain = library(name, planned, "plan"), library(name, none, "any")
    most = net.sizes["max"]
    assert plain.sizes["functions"] == [] and net.sizes["functions"]
    called = random.permutation(most)[:12] + 1
    difference = 0
    for size in map(int, [*called, most, most + 1, 2 * most + 3]):
        arrays = [draw(tensor, size) for tensor in net.inputs]
        results, expected = net(*arrays), plain(*arrays)
        if not isinstance(results, tuple):
            results, expected = (results,), (expected,)
        for got, wanted in zip(results, expected):
            assert got.shape == wanted.shape and numpy.isfinite(wanted).all()
            if got.dtype.kind == "f":
                scale = numpy.abs(wanted).max() + 1e-30
                difference = max(difference, float(numpy.abs(got - wanted).max() / scale))
            else:
                assert (got == wanted).all(), (name, size)
    assert difference < 1e-5, (name, difference)
    print(f"{name}: {'in pieces' if plan.group(2) else 'padded'}, "
          f"{len(net.sizes['functions'])} functions")
    return net


for each in sys.argv[4:]:
    checked = check(*each.split(":"))

# Invalid calls.
for arrays in ([numpy.zeros((2, 4), numpy.float32)] * 2,
               [numpy.zeros((2, 3), numpy.float32), numpy.zeros((3, 3), numpy.float32)],
               [numpy.zeros((0, 3), numpy.float32)] * 2):
    try:
        checked(*arrays)
        print("accepted")
    except pruner.NetworkError as error:
        print("refused:", error)
