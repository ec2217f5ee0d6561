"""Looks for spills in the first drafts for tensor cores.

    tensor_core_spills.py <directory> <type> <chip>...

Drafts products and convolutions of the type for each chip, assembles all kernels with
tensor cores, and prints how many there are and how many bytes of registers they must
spill. By itself `ptxas` may give a thread fewer registers than it needs, so that another
block has room; it does not know that dynamic shared memory leaves none. Kernels that spill
then are assembled with all registers that one block has.

`ptxas` and the tools of the build must be on the PATH.
"""

import re
import sys

from drafts import Drafts, function

# Factors, results, and the accuracy that allows the instruction.
TYPES = {
    "f16": ("f16", "f32", ""),
    "bf16": ("bf16", "f32", ""),
    "tf32": ("f32", "f32", "tf32-products"),
    "i8": ("i8", "i32", ""),
    "f16-sums": ("f16", "f16", "f16-sums"),
}


def product(name, m, n, k, types):
    return function(name, "matmul", f"{m}x{k}", f"{k}x{n}", f"{m}x{n}", *types[:2])


def convolution(name, images, size, channels, filters, window, stride, types):
    read = (size - 1) * stride + window
    return function(name, "conv_2d_nhwc_hwcf", f"{images}x{read}x{read}x{channels}",
                    f"{window}x{window}x{channels}x{filters}",
                    f"{images}x{size}x{size}x{filters}", *types[:2],
                    f"{{strides = dense<{stride}> : tensor<2xi64>}}")


def module(types):
    return "".join([
        product("product_4096", 4096, 4096, 4096, types),
        product("product_333", 333, 777, 500, types),
        convolution("window_56", 32, 56, 64, 64, 3, 1, types),
        convolution("window_28", 32, 28, 128, 128, 3, 1, types),
        convolution("window_28_strided", 32, 28, 128, 128, 3, 2, types),
        convolution("window_14", 32, 14, 256, 256, 3, 1, types),
        convolution("window_112", 16, 112, 32, 64, 3, 1, types),
        convolution("pixel_28_strided", 32, 28, 256, 512, 1, 2, types),
    ])


def spills(report):
    """The bytes that each kernel of a task spills."""
    return {kernel: int(bytes) for kernel, bytes in re.findall(
        r"Compiling entry function '(\w+)_kernel'.*?(\d+) bytes spill stores", report, re.S)}


def check(directory, chip, name):
    types = TYPES[name]
    drafts = Drafts(directory, name, chip, module(types), accuracy=types[2])
    schedules = dict(re.findall(r"func\.func.*?@(\w+)\(.*?#pruner\.schedule<(.*?)>",
                                drafts.drafted.read_text()))
    spilled = {kernel: bytes for kernel, bytes in spills(drafts.assemble()).items()
               if "instruction" in schedules.get(kernel, "")}
    if any(spilled.values()):
        alone = drafts.ptx.with_suffix(".alone.ptx")
        alone.write_text(re.sub(r"^\.maxntid .*", r"\g<0>\n.minnctapersm 1", drafts.ptx.read_text(),
                                flags=re.M))
        least = spills(drafts.assemble(alone))
        for kernel, bytes in spilled.items():
            if bytes:
                print(f"sm_{chip} {name} {kernel}: {bytes} bytes, {least[kernel]} if alone, "
                      f"{schedules[kernel]}")
            spilled[kernel] = min(bytes, least[kernel])
    print(f"sm_{chip} {name}: {len(spilled)} kernels, {sum(spilled.values())} bytes", flush=True)


def main():
    for chip in sys.argv[3:]:
        check(sys.argv[1], chip, sys.argv[2])


main()
