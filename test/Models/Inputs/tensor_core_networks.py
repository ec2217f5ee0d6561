# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tensor_core_networks.py PRUNER DIRECTORY: compiles small networks whose products use
tensor cores for this CPU and for chips, and compares the results. The capability of the
driver's device is that of the chip."""

import os
import pathlib
import re
import subprocess
import sys

import numpy

# The type of factors and of sums, options, chips, the instruction in PTX, and the largest
# difference from the CPU, relative to the largest result: both round the results of the
# first product to the narrow type, which may go either way.
CASES = {
    "f16": ("f16", "f32", "", ("75", "80", "90", "120"), "f32.f16.f16.f32", 2e-3),
    "f16_sums": ("f16", "f16", "f16-sums", ("75", "80"), "f16.f16.f16.f16", 2e-2),
    "bf16": ("bf16", "f32", "", ("80", "90"), "f32.bf16.bf16.f32", 1e-2),
    "tf32": ("f32", "f32", "tf32-products", ("80", "90"), "f32.tf32.tf32.f32", 2e-3),
    "i8": ("i8", "i32", "", ("75", "80", "120"), "s32.s8.s8.s32", 0),
}


class Text:
    """A function whose arguments are of f32, or of i8 if the factors are."""

    def __init__(self, narrow, wide):
        self.narrow, self.wide, self.count = narrow, wide, 0
        self.outer = "i8" if narrow == "i8" else "f32"
        self.arguments, self.lines = [], []

    def name(self):
        self.count += 1
        return f"%{self.count - 1}"

    def argument(self, *shape, element=None):
        name = f"%a{len(self.arguments)}"
        self.arguments.append((shape, element or self.outer))
        return name, shape, element or self.outer

    def generic(self, maps, kinds, inputs, shape, element, body, init=None):
        if not init:
            init = self.name()
            self.lines.append(f"{init} = tensor.empty() : {tensor(shape, element)}")
        result = self.name()
        types = ", ".join(tensor(each[1], each[2]) for each in inputs)
        names = ", ".join(each[0] for each in inputs)
        scalars = ", ".join(f"%i{n}: {each[2]}" for n, each in enumerate(inputs))
        maps = ", ".join(f"affine_map<{each}>" for each in maps)
        kinds = ", ".join(f'"{"reduction" if each == "r" else "parallel"}"' for each in kinds)
        self.lines.append(
            f"{result} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
            f"ins({names} : {types}) outs({init} : {tensor(shape, element)}) {{\n"
            f"^bb0({scalars}, %o: {element}):\n{body}\n}} -> {tensor(shape, element)}")
        return result, shape, element

    def zeros(self, shape):
        zero, empty, filled = self.name(), self.name(), self.name()
        value = "0" if self.wide == "i32" else "0.0"
        of = tensor(shape, self.wide)
        self.lines += [f"{zero} = arith.constant {value} : {self.wide}",
                       f"{empty} = tensor.empty() : {of}",
                       f"{filled} = linalg.fill ins({zero} : {self.wide}) outs({empty} : {of}) "
                       f"-> {of}"]
        return filled

    def narrowed(self, value):
        """Values of the type of factors."""
        _, shape, element = value
        if element == self.narrow:
            return value
        dims = ", ".join(f"d{n}" for n in range(len(shape)))
        if self.narrow == "i8":
            body = ("%f = arith.sitofp %i0 : i32 to f32\n%k = arith.constant 0.005 : f32\n"
                    "%m = arith.mulf %f, %k : f32\n%r = math.roundeven %m : f32\n"
                    "%l = arith.constant -128.0 : f32\n%h = arith.constant 127.0 : f32\n"
                    "%c = arith.maximumf %r, %l : f32\n%d = arith.minimumf %c, %h : f32\n"
                    "%t = arith.fptosi %d : f32 to i8\nlinalg.yield %t : i8")
        else:
            body = (f"%t = arith.truncf %i0 : {element} to {self.narrow}\n"
                    f"linalg.yield %t : {self.narrow}")
        return self.generic([f"({dims}) -> ({dims})"] * 2, "p" * len(shape), [value], shape,
                            self.narrow, body)

    def products(self, maps, kinds, a, b, shape):
        """Sums of products; `maps` are those of both factors and of the result."""
        a, b = self.narrowed(a), self.narrowed(b)
        narrow, wide = self.narrow, self.wide
        if wide == "i32":
            body = (f"%x = arith.extsi %i0 : {narrow} to i32\n%y = arith.extsi %i1 : {narrow} to "
                    "i32\n%p = arith.muli %x, %y : i32\n%s = arith.addi %o, %p : i32")
        elif narrow != wide:
            body = (f"%x = arith.extf %i0 : {narrow} to {wide}\n"
                    f"%y = arith.extf %i1 : {narrow} to {wide}\n"
                    f"%p = arith.mulf %x, %y : {wide}\n%s = arith.addf %o, %p : {wide}")
        else:
            body = f"%p = arith.mulf %i0, %i1 : {wide}\n%s = arith.addf %o, %p : {wide}"
        return self.generic(maps, kinds, [a, b], shape, wide, body + f"\nlinalg.yield %s : {wide}",
                            self.zeros(shape))

    def rectified(self, value):
        _, shape, element = value
        dims = ", ".join(f"d{n}" for n in range(len(shape)))
        zero, op = ("0", "maxsi") if element == "i32" else ("0.0", "maximumf")
        return self.generic([f"({dims}) -> ({dims})"] * 2, "p" * len(shape), [value], shape,
                            element, f"%z = arith.constant {zero} : {element}\n"
                            f"%t = arith.{op} %i0, %z : {element}\nlinalg.yield %t : {element}")

    def padded(self, value, around):
        name, shape, element = self.narrowed(value)
        zero, result = self.name(), self.name()
        larger = tuple(size + 2 * more for size, more in zip(shape, around))
        value = "0" if element == "i8" else "0.0"
        blocks = ", ".join(f"%b{n}: index" for n in range(len(shape)))
        self.lines += [f"{zero} = arith.constant {value} : {element}",
                       f"{result} = tensor.pad {name} low{list(around)} high{list(around)} {{\n"
                       f"^bb0({blocks}):\ntensor.yield {zero} : {element}\n}} : "
                       f"{tensor(shape, element)} to {tensor(larger, element)}"]
        return result, larger, element

    def finish(self, value):
        arguments = ", ".join(f"%a{n}: {tensor(*each)}" for n, each in enumerate(self.arguments))
        body = "\n".join(self.lines)
        return (f"func.func @main({arguments}) -> {tensor(*value[1:])} {{\n{body}\n"
                f"return {value[0]} : {tensor(*value[1:])}\n}}\n")


def tensor(shape, element):
    return "tensor<" + "".join(f"{size}x" for size in shape) + element + ">"


def layers(text):
    """Two products, the second in batches."""
    x, w, v = text.argument(128, 256), text.argument(256, 128), text.argument(2, 128, 64)
    maps = ["(i, j, k) -> (i, k)", "(i, j, k) -> (k, j)", "(i, j, k) -> (i, j)"]
    y = text.rectified(text.products(maps, "ppr", x, w, (128, 128)))
    maps = ["(b, i, j, k) -> (i, k)", "(b, i, j, k) -> (b, k, j)", "(b, i, j, k) -> (b, i, j)"]
    return text.finish(text.products(maps, "pppr", y, v, (2, 128, 64)))


def image(text):
    """A padded convolution and one of 1x1, with channels last."""
    x, w, v = text.argument(14, 14, 32), text.argument(3, 3, 32, 64), text.argument(64, 32)
    maps = ["(h, w, f, i, j, c) -> (h + i, w + j, c)", "(h, w, f, i, j, c) -> (i, j, c, f)",
            "(h, w, f, i, j, c) -> (h, w, f)"]
    y = text.products(maps, "ppprrr", text.padded(x, (1, 1, 0)), w, (14, 14, 64))
    maps = ["(h, w, f, c) -> (h, w, c)", "(h, w, f, c) -> (c, f)", "(h, w, f, c) -> (h, w, f)"]
    return text.finish(text.products(maps, "pppr", text.rectified(y), v, (14, 14, 32)))


def inputs(text):
    random = numpy.random.default_rng(5)
    for shape, element in text.arguments:
        if element == "i8":
            yield random.integers(-100, 100, shape, numpy.int8)
        else:
            yield (random.standard_normal(shape) / 4).astype(numpy.float32)


def main():
    tool, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    if len(sys.argv) > 3:
        return run(directory, *sys.argv[3:])
    for case, (narrow, wide, accuracy, chips, instruction, _) in CASES.items():
        for make in (layers, image):
            source = directory / f"{case}-{make.__name__}.mlir"
            source.write_text(make(Text(narrow, wide)))
            relaxed = [f"--accuracy={accuracy}"] if accuracy else []
            for target, options in [("cpu", [])] + [(f"nvidia:sm_{chip}", relaxed)
                                                    for chip in chips]:
                library = source.with_suffix("." + target.rpartition("_")[2] + ".so")
                subprocess.run([tool, "compile", source, "--trials=0", f"--target={target}",
                                *options, "-o", library], check=True, stderr=subprocess.PIPE)
                kinds = re.findall(rb"mma\.sync\.aligned\.(m\d+n8k\d+)\.row\.col\.([\w.]+)",
                                   library.read_bytes())
                used = {kind.decode() for _, kind in kinds}
                if target != "cpu" and used != {instruction}:
                    print(library.name, "uses", used)
        for chip in chips:
            environment = {**os.environ, "PTX_DRIVER_CAPABILITY": chip}
            subprocess.run([sys.executable, __file__, tool, directory, case, chip], check=True,
                           env=environment)


def run(directory, case, chip):
    """Compare the libraries for one chip with those for the CPU."""
    import pruner

    narrow, wide, _, _, _, bound = CASES[case]
    for make in (layers, image):
        text = Text(narrow, wide)
        make(text)
        given = list(inputs(text))
        want, found = (numpy.asarray(pruner.load(str(
            directory / f"{case}-{make.__name__}.{target}.so"))(*given)).astype(numpy.float64)
            for target in ("cpu", chip))
        error = abs(found - want).max() / abs(want).max()
        print(case, f"sm_{chip}", make.__name__, "right" if error <= bound else f"differs: {error}",
              flush=True)


main()
