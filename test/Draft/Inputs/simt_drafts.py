"""Checks the machine code of the first drafts in f32 that run on the ordinary lanes.

    simt_drafts.py <directory> <chip>...

For each chip, products and convolutions are drafted, compiled and assembled. Then

  * no kernel spills, except those of SPILLS;
  * from sm_80 on, some drafts copy asynchronously, and the assembler keeps these copies
    (LDGSTS);
  * the hot loop, the one with the largest share of multiply-adds, has at least the share
    that its task states.

`ptxas` and the tools of the build must be on the PATH. Loops are checked if `nvdisasm`
is also on the PATH.
"""

import pathlib
import re
import shutil
import sys

from drafts import Drafts, function, loops, run

COPIES = 80  # The first generation with asynchronous copies.
# Function, and the least share of multiply-adds in percent.
TASKS = {
    "large": (function("large", "matmul", "2048x768", "768x3072", "2048x3072"), 77),
    "small": (function("small", "matmul", "1024x1024", "1024x1024", "1024x1024"), 65),
    "last": (function("last", "conv_2d_nhwc_hwcf", "32x58x58x64", "3x3x64x64",
                      "32x56x56x64"), 80),
    "first": (function("first", "conv_2d_nchw_fchw", "32x64x58x58", "64x64x3x3",
                       "32x64x56x56"), 84),
    "deep": (function("deep", "conv_2d_nhwc_hwcf", "16x30x30x128", "3x3x128x128",
                      "16x28x28x128"), 75),
    "wide": (function("wide", "conv_2d_nchw_fchw", "8x3x118x118", "64x3x7x7",
                      "8x64x112x112"), 88),
}
# Drafts that spill, and the most bytes that they may spill: the estimate of registers has a
# deviation of about 30.
SPILLS = {("90a", "deep"): 164, ("120a", "wide"): 68}


def check(directory, chip, name):
    module, least = TASKS[name]
    drafts = Drafts(directory, name, chip, module)
    report, errors = drafts.assemble(), []
    registers, spilled = (max(map(int, re.findall(pattern, report))) for pattern in
                          (r"Used (\d+) registers", r"(\d+) bytes spill stores"))
    if spilled > SPILLS.get((chip, name), 0):
        errors.append(f"{spilled} bytes are spilled")
    copies = len(re.findall(r"cp\.async\.c[ag]\.", drafts.ptx.read_text()))
    share = "unknown"
    if shutil.which("nvdisasm"):
        opcodes, found = loops(run("nvdisasm", "-c", drafts.cubin))
        if opcodes.count("LDGSTS") < copies:
            errors.append(f"{opcodes.count('LDGSTS')} asynchronous copies, expected {copies}")
        share = max(100 * body.count("FFMA") / len(body) for body in found)
        if share < least:
            errors.append(f"{share:.1f} % multiply-adds, expected {least}")
        share = f"{share:.1f} %"
    print(f"sm_{chip} {name}: {registers} registers, {spilled} bytes, {share} multiply-adds",
          flush=True)
    return copies, [f"sm_{chip} {name}: {error}" for error in errors]


def main():
    directory, errors = pathlib.Path(sys.argv[1]), []
    for chip in sys.argv[2:]:
        copies = 0
        for name in TASKS:
            more, found = check(directory, chip, name)
            copies += more
            errors += found
        if (copies > 0) != (int(re.match(r"\d+", chip).group()) >= COPIES):
            errors.append(f"sm_{chip}: {copies} asynchronous copies")
    print("\n".join(errors) or "good")
    return bool(errors)


sys.exit(main())
