"""Rates of matrix instructions that a warp executes, and of the loads that feed them."""

from . import model, ptx
from .probe import Constant, Probe

THREADS, CHAINS, COUNT = 512, 8, 32
# Name: (shape and types in PTX, registers of A and B, depth, machine instruction).
KINDS = {
    "f16": ("m16n8k16.row.col.f32.f16.f16.f32", 4, 2, 16, "HMMA"),
    "f16_sums_f16": ("m16n8k16.row.col.f16.f16.f16.f16", 4, 2, 16, "HMMA"),
    "bf16": ("m16n8k16.row.col.f32.bf16.bf16.f32", 4, 2, 16, "HMMA"),
    "tf32": ("m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2, 8, "HMMA"),
    "s8": ("m16n8k32.row.col.s32.s8.s8.s32", 4, 2, 32, "IMMA"),
}
WARPS = (4, 8, 16)
CHAIN = "_chain"
LOADS = 16


def _group(prefix, first, count):
    return "{%s}" % ", ".join("%s%d" % (prefix, first + n) for n in range(count))


def kernel(number, kind, chains=CHAINS):
    """Products in chains: each has the accumulators of the product `chains` before it."""
    shape, a, b, _, mnemonic = KINDS[kind]
    sums = 2 if ".row.col.f16" in shape else 4
    prefix = "%f" if shape.endswith("f32") else "%r"
    setup = []
    # Operands of two halves in [1, 2).
    for n in range(a + b):
        setup += ["and.b32 %%r%d, %%thread, 0x3ff;" % (200 + n),
                  "xor.b32 %%r%d, %%r%d, %d;" % (200 + n, 200 + n, 0x3C003C00 + 37 * n)]
    for n in range(chains * sums):
        setup.append("mov.f32 %%f%d, 0f00000000;" % n if prefix == "%f" else
                     "mov.u32 %%r%d, 0;" % n)
    body = []
    for n in range(COUNT):
        to = _group(prefix, n % chains * sums, sums)
        body.append("mma.sync.aligned.%s %s, %s, %s, %s;" % (
            shape, to, _group("%r", 200, a), _group("%r", 200 + a, b), to))
    return ptx.timed(number, THREADS, body, setup,
                     ["%s%d" % (prefix, n) for n in range(chains * sums)], COUNT,
                     {mnemonic: COUNT})


def load(number, transposed):
    """ldmatrix of four matrices from rows of 16 bytes, without bank conflicts."""
    half = LOADS * 512
    setup = ptx.integer_seeds(2) + [
        "mov.u32 %r500, pool;", "shl.b32 %r501, %lane, 4;", "add.u32 %r500, %r500, %r501;",
        "mov.u32 %r502, 0;", "shl.b32 %r503, %thread, 2;", "mov.u32 %r504, pool;",
        "add.u32 %r503, %r503, %r504;"] + [
        "st.shared.u32 [%%r503+%d], %%r0;" % (4 * THREADS * n)
        for n in range(2 * half // (4 * THREADS))]
    body = ["add.u32 %r505, %r500, %r502;"]
    for n in range(LOADS):
        body.append("ldmatrix.sync.aligned.m8n8.x4%s.shared.b16 %s, [%%r505+%d];" % (
            ".trans" if transposed else "", _group("%r", 100 + 4 * n, 4), 512 * n))
    for n in range(LOADS):
        body += [ptx.xor3("%r0", "%%r%d" % (100 + 4 * n), "%%r%d" % (101 + 4 * n)),
                 ptx.xor3("%r1", "%%r%d" % (102 + 4 * n), "%%r%d" % (103 + 4 * n))]
    # The halves of the pool alternate, so that no load is invariant.
    body.append("xor.b32 %%r502, %%r502, %d;" % half)
    return ptx.timed(number, THREADS, body, setup, ["%r0", "%r1"], LOADS, {"LDSM": LOADS},
                     2 * half)


class MatrixUnits(Probe):
    name = "matrix_units"
    measures = "cycles of mma.sync by type and warps, in a chain, and of ldmatrix"
    oldest = 80

    def kernels(self, number):
        if number < self.oldest:
            return {}
        found = {kind: kernel(number, kind) for kind in KINDS}
        found.update((kind + CHAIN, kernel(number, kind, 1)) for kind in KINDS)
        found["ldmatrix"], found["ldmatrix_trans"] = load(number, False), load(number, True)
        return found

    def run(self, lab):
        for key, each in self.kernels(lab.number).items():
            loaded = lab.load(each)
            if key.endswith(CHAIN):
                lab.latency(key, loaded)
                continue
            for warps in WARPS:
                lab.rate("%s/%d_warps" % (key, warps), loaded, block=warps * ptx.WARP)
            if key in KINDS:
                lab.latency(key + "/one_warp", loaded)

    def constants(self):
        found = [Constant(
            "operations of mma.sync per cycle of an SM, " + kind, "per cycle",
            lambda r, kind=kind, depth=depth: 2 * 16 * 8 * depth / min(
                r["%s/%d_warps" % (kind, warps)] for warps in WARPS))
            for kind, (_, _, _, depth, _) in KINDS.items()]
        found += [Constant("latency of mma.sync, one warp, " + kind, "cycles",
                           lambda r, kind=kind: r[kind + CHAIN],
                           model.value("kProductLatency"))
                  for kind in KINDS]
        found.append(Constant("passes of ldmatrix.x4", "cycles",
                              lambda r: r["ldmatrix/16_warps"], 4))
        return found
