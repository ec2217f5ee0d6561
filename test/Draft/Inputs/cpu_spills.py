"""Looks for spills in the innermost loops of the first drafts for CPUs.

    cpu_spills.py <directory> <machine file> <cpu> <prefer-vector-width>

Drafts products and convolutions, compiles them, and prints for each kernel the accesses of
the stack per multiply-add, in percent, in the loop with the most multiply-adds. The tools
of the build must be on the PATH.
"""

import json
import pathlib
import re
import sys

from drafts import function, run


def product(m, n, k):
    return function(f"product_{m}x{n}x{k}", "matmul", f"{m}x{k}", f"{k}x{n}", f"{m}x{n}")


def convolution(filters, height, width, channels, window, stride=1, first=True):
    rows, columns = ((size - 1) * stride + window for size in (height, width))
    name = f"conv_{'chw' if first else 'hwc'}_{filters}x{height}x{width}x{channels}x{window}x{stride}"
    strides = f"{{strides = dense<{stride}> : tensor<2xi64>}}"
    if first:
        return function(name, "conv_2d_nchw_fchw", f"1x{channels}x{rows}x{columns}",
                        f"{filters}x{channels}x{window}x{window}",
                        f"1x{filters}x{height}x{width}", attribute=strides)
    return function(name, "conv_2d_nhwc_hwcf", f"1x{rows}x{columns}x{channels}",
                    f"{window}x{window}x{channels}x{filters}",
                    f"1x{height}x{width}x{filters}", attribute=strides)


def module():
    parts = [product(*shape) for shape in (
        (512, 512, 512), (256, 768, 768), (196, 256, 1024), (49, 512, 2048), (3136, 64, 64),
        (7, 333, 500), (128, 100, 77))]
    for first in (True, False):
        parts += [convolution(*shape, first=first) for shape in (
            (96, 16, 16, 242, 3), (64, 56, 56, 64, 3), (128, 28, 28, 128, 3),
            (256, 14, 14, 256, 3), (512, 7, 7, 512, 3), (64, 112, 112, 3, 7, 2),
            (80, 16, 16, 128, 3), (32, 32, 32, 64, 3), (48, 17, 17, 33, 5),
            (128, 28, 28, 128, 3, 2))]
    return "".join(parts)


def main(directory, machine, cpu, width):
    stem = pathlib.Path(directory) / f"spills-{cpu}"
    source, lowered, code, facts = (
        stem.with_suffix(suffix) for suffix in (".mlir", ".low.mlir", ".llvm.mlir", ".json"))
    source.write_text(module())
    target = f"target=file:{machine}"
    run("pruner-opt", source, "-o", lowered, f"--pruner-draft=lower=false threads=1 {target}",
        f"--pruner-tile={target}", "--convert-pruner-to-cpu")
    for name in re.findall(r"func.func private @(\w+)_kernel\(", lowered.read_text()):
        run("pruner-opt", lowered, "-o", code, f"--pruner-network-to-llvm=entry={name}")
        run("pruner-translate", code, "--to=facts", f"--mcpu={cpu}",
            f"--prefer-vector-width={width}", "-o", facts)
        kernel = next(each for each in json.loads(facts.read_text())["functions"]
                      if each["name"] == name + "_kernel")
        loop = kernel["hot_loop"]
        fmas = loop["fma_xmm"] + loop["fma_ymm"] + loop["fma_zmm"]
        print(f"{name}: {100 * loop['stack_accesses'] // fmas}")


if __name__ == "__main__":
    main(*sys.argv[1:])
