"""Checks the machine code of the first drafts for tensor cores.

    tensor_core_loops.py <directory> <chip>...

For each chip and type the product of two matrices of 2048 x 2048 elements is
drafted, compiled and assembled. Then

  * nothing is spilled;
  * the hot loop, the innermost one with tensor instructions, has as many of these as the
    tile of a warp has products, times the steps of the sum that are unrolled, and loads
    their fragments as often as the model counts;
  * it also has copies, addresses and control, but no arithmetic on floats except
    the rounding to tf32 (two instructions for each register of a fragment), and the
    transposition of bytes. Pairs of f16 sums stay in the registers of the instruction;
  * the PTX machine counts no bank conflict of a fragment's load.

`ptxas` and the tools of the build must be on the PATH. Loops are checked if `nvdisasm`
is also on the PATH.
"""

import collections
import json
import pathlib
import re
import shutil
import sys

from drafts import Drafts, loops, run

M = N = K = 2048


class Type:
    """Factors and sums, the chip that has the instruction, its terms and its registers of
    32 bits of both fragments, what the body does, and instructions that it may add."""

    def __init__(self, factor, result, chip, sums, body, more=()):
        self.factor, self.result, self.chip, self.sums = factor, result, chip, sums
        self.body, self.more = body, set(more)


def extended(op, source, to, kind="f"):
    return [f"%p = arith.{op} %x : {source} to {to}", f"%q = arith.{op} %y : {source} to {to}",
            f"%m = arith.mul{kind} %p, %q : {to}", f"%t = arith.add{kind} %s, %m : {to}"]


ROUNDED = [*(f"%{r} = arith.truncf %{x} to_nearest_away : f32 to tf32" for r, x in ("ux", "vy")),
           "%p = arith.extf %u : tf32 to f32", "%q = arith.extf %v : tf32 to f32",
           "%m = arith.mulf %p, %q : f32", "%t = arith.addf %s, %m : f32"]
CONTRACTED = ["%m = arith.mulf %x, %y fastmath<contract> : f16",
              "%t = arith.addf %s, %m fastmath<contract> : f16"]
TYPES = {
    "f16": Type("f16", "f32", 75, 16, extended("extf", "f16", "f32")),
    "bf16": Type("bf16", "f32", 80, 16, extended("extf", "bf16", "f32")),
    "tf32": Type("f32", "f32", 80, 8, ROUNDED, ["FSETP"]),
    "i8": Type("i8", "i32", 75, 32, extended("extsi", "i8", "i32", "i"), ["PRMT"]),
    "f16-sums": Type("f16", "f16", 75, 16, CONTRACTED),
}
# What addresses, copies, conditions and the counter of a loop consist of.
COMMON = {"IMAD", "IADD", "IADD3", "VIADD", "LOP3", "LEA", "SHF", "MOV", "SEL", "ISETP", "PLOP3",
          "CS2R", "S2R", "R2UR", "IABS", "IMNMX", "VIMNMX",
          "LDS", "STS", "LDG", "LDGSTS", "LDGDEPBAR", "DEPBAR", "BAR", "BRA", "BSSY", "BSYNC",
          "WARPSYNC", "CALL", "NOP", "UIADD3", "ULOP3", "UISETP", "USEL", "UMOV", "UIMAD",
          "ULEA", "USHF", "UPLOP3", "UVIADD", "USGXT", "S2UR", "LDC", "LDCU", "ULDC", "R2P",
          "VOTEU"}


def module(of):
    a, b, c = (f"tensor<{x}x{y}x{t}>" for x, y, t in
               ((M, K, of.factor), (K, N, of.factor), (M, N, of.result)))
    zero = "0" if of.result[0] == "i" else "0.0"
    body = "\n    ".join(of.body)
    return f"""func.func @product(%a: {a}, %b: {b}) -> {c} {{
  %z = arith.constant {zero} : {of.result}
  %e = tensor.empty() : {c}
  %i = linalg.fill ins(%z : {of.result}) outs(%e : {c}) -> {c}
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
      affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%a, %b : {a}, {b}) outs(%i : {c}) {{
  ^bb0(%x: {of.factor}, %y: {of.factor}, %s: {of.result}):
    {body}
    linalg.yield %t : {of.result}
  }} -> {c}
  return %r : {c}
}}
"""


def hot_loop(code):
    """How often the smallest loop with a tensor instruction has each opcode."""
    bodies = [body for body in loops(code)[1] if any("MMA" in opcode for opcode in body)]
    return collections.Counter(min(bodies, key=len))


def check(directory, chip, name, of):
    number = int(re.match(r"\d+", chip).group())
    drafts = Drafts(directory, name, chip, module(of))
    counts = drafts.ptx.with_suffix(".json")
    report = drafts.assemble()
    errors = []

    def expect(holds, what):
        if not holds:
            errors.append(what)

    expect("0 bytes spill stores, 0 bytes spill loads" in report, "spills")
    text = drafts.drafted.read_text()
    schedule = re.search(r"tiles = (\[\[.*?\]\]).*instruction = (\w+)", text)
    if not schedule:
        return [f"{name} sm_{chip}: no tensor cores in {text}"]
    (_, _, rows, _), (_, _, columns, _), (_, step) = json.loads(schedule.group(1))
    sums = 8 if number == 75 else of.sums
    products = rows // 2 * columns
    if number == 75 and name == "i8":  # Two instructions of 8 rows.
        sums, products = 16, 2 * products
    # Lanes load the elements of the right factor themselves if they are f32.
    elements = 2 * columns if name == "tf32" else 0
    loads = rows // 2 + (0 if elements else (columns + 1) // 2)
    # Without the disassembler, only what the assembler and the machine say is checked.
    loop = (hot_loop(run("nvdisasm", "-c", drafts.cubin)) if shutil.which("nvdisasm")
            else collections.Counter({"MMA": products, "LDSM": loads, "LDS": elements}))
    tensor = sum(count for opcode, count in loop.items() if "MMA" in opcode)
    steps = tensor // products
    expect(tensor == products * steps and step // sums % steps == 0,
           f"{tensor} tensor instructions, a step of the tile has {products}")
    expect(loop["LDSM"] == loads * steps, f"{loop['LDSM']} loads, expected {loads * steps}")
    expect(loop["LDS"] >= elements * steps,
           f"{loop['LDS']} loads of elements, expected {elements * steps} or more")
    others = {opcode: count for opcode, count in loop.items()
              if "MMA" not in opcode and opcode != "LDSM"}
    unexpected = set(others) - COMMON - of.more
    expect(not unexpected, f"{sorted(unexpected)} in the loop")
    if name == "tf32":
        # 4 registers of 16 rows, 2 of 8 columns.
        fragments = (4 * (rows // 2) + 2 * columns) * steps
        expect(loop["FSETP"] <= fragments, f"{loop['FSETP']} roundings of {fragments} registers")
    lowered = drafts.lowered.read_text()
    block = re.search(r"pruner\.block = array<i64: (\d+), (\d+), (\d+)>", lowered).groups()
    shared = re.search(r"pruner\.dynamic_shared_bytes = (\d+)", lowered)
    entry = re.search(r"\.entry (\w+)\(", drafts.ptx.read_text()).group(1)
    types = [f"{t}x{x * y}" for x, y, t in ((M, K, of.factor), (K, N, of.factor),
                                           (M, N, of.result))]
    run("pruner-emulate", f"--ptx={drafts.ptx}", f"--kernel={entry}",
        f"--arguments={','.join(types)}", "--grid=1", f"--block={','.join(block)}",
        "--fill=zeros", "--poison=2",
        f"--counts={counts}", *([f"--dynamic-shared-bytes={shared.group(1)}"] if shared else []))
    memory = json.loads(counts.read_text())["dynamic"]["shared_loads"]
    expect(memory["wavefronts"] == memory["ideal_wavefronts"],
           f"{memory['wavefronts']} wavefronts, ideal {memory['ideal_wavefronts']}")
    registers = re.search(r"Used (\d+) registers", report).group(1)
    print(f"sm_{chip} {name}: {tensor} tensor instructions of {sum(loop.values())}, "
          f"{loop['LDSM']} loads, {registers} registers", flush=True)
    return [f"sm_{chip} {name}: {error}" for error in errors]


def main():
    directory, errors = pathlib.Path(sys.argv[1]), []
    for chip in sys.argv[2:]:
        for name, of in TYPES.items():
            if of.chip <= int(re.match(r"\d+", chip).group()):
                errors += check(directory, chip, name, of)
    print("\n".join(errors) or "good")
    return bool(errors)


sys.exit(main())
