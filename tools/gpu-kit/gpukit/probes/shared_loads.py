"""Passes of loads from shared memory, by width and by the addresses of the lanes."""

from . import model, ptx
from .probe import Constant, Probe

WIDTHS = (4, 8, 16)
# Loads in the loop by width, 512 bytes apart, which changes no bank. With more of the
# wide ones, registers of a block of 1,024 threads do not suffice.
LOADS = {4: 32, 8: 16, 16: 8}
POOL = 32 * 512 + ptx.WARP * 128


def patterns(width):
    """Return {name: offsets of the lanes}. `distinct_8_turns`: lanes 0, 8, 16 and 24 read
    the same; `distinct_8_runs`: lanes 0 to 3 do. A warp that computes a tile of 4 x 8
    threads reads its operands so. `stride_4`: a row of 4 units for each lane."""
    found = {}
    for distinct in (1, 2, 4, 8, 16, 32):
        found["distinct_%d_turns" % distinct] = [lane % distinct * width
                                                 for lane in range(ptx.WARP)]
        if 1 < distinct < ptx.WARP:
            found["distinct_%d_runs" % distinct] = [
                lane * distinct // ptx.WARP * width for lane in range(ptx.WARP)]
    stride = 2
    while stride * width <= 128:
        found["stride_%d" % stride] = [lane * stride * width for lane in range(ptx.WARP)]
        stride *= 2
    return found


def kernel(number, width):
    """Loads whose offsets are a table in `data`. They are volatile, so that each stays
    in the loop, and half an instruction each uses them."""
    words = width // 4
    setup = ptx.integer_seeds(4) + ptx.lane_offset("%r500") + [
        "mov.u32 %r501, pool;", "add.u32 %r500, %r500, %r501;",
        # Memory that is defined, and not all equal.
        "mul.lo.u32 %r502, %thread, 4;", "add.u32 %r502, %r502, %r501;"] + [
        "st.shared.u32 [%%r502+%d], %%r%d;" % (4096 * n, n % 4)
        for n in range(POOL // 4096)]
    body = []
    for n in range(LOADS[width]):
        body.append("ld.volatile.shared.%s %s, [%%r500+%d];" % (
            ptx.suffix(width), ptx.vector(width, 100 + n * words), 512 * n))
        if n % 2:
            body.append(ptx.xor3("%%r%d" % (n // 2 % 4), "%%r%d" % (100 + (n - 1) * words),
                                 "%%r%d" % (100 + n * words)))
    return ptx.timed(number, 1024, body, setup, ["%r0", "%r1", "%r2", "%r3"],
                     LOADS[width], {mnemonic("LDS", width): LOADS[width]}, POOL)


def mnemonic(base, width):
    """Return a pattern for the machine instruction (LDS.U.128 on Turing)."""
    return base + {4: "(?!\\.(U\\.)?(64|128))", 8: "(\\.U)?\\.64", 16: "(\\.U)?\\.128"}[width]


class SharedLoads(Probe):
    name = "shared_loads"
    measures = "cycles of an SM for LDS.32, .64 and .128 by the distinct addresses of a warp"

    def kernels(self, number):
        return {"load_%d" % (8 * width): kernel(number, width) for width in WIDTHS}

    def run(self, lab):
        kernels = self.kernels(lab.number)
        for width in reversed(WIDTHS):
            loaded = lab.load(kernels["load_%d" % (8 * width)])
            for name, offsets in patterns(width).items():
                lab.rate("load_%d/%s" % (8 * width, name), loaded, data=lab.table(offsets))

    def constants(self):
        found = [Constant("bytes per cycle of shared memory", "bytes",
                          lambda r: 512 / r["load_128/distinct_32_turns"],
                          lambda m: m["sm"]["sharedBytesPerCycle"],
                          field="sm.sharedBytesPerCycle", step=32),
                 Constant("lanes of a warp that load/store units serve per cycle", "lanes",
                          lambda r: ptx.WARP / r["load_32/distinct_32_turns"],
                          lambda m: m["sm"]["loadStoreLanes"], field="sm.loadStoreLanes",
                          step=16)]
        for width in reversed(WIDTHS):
            for name, offsets in patterns(width).items():
                key = "load_%d/%s" % (8 * width, name)
                found.append(Constant("passes of LDS.%d, %s" % (8 * width, name), "cycles",
                                      lambda r, key=key: r[key],
                                      lambda m, o=offsets, w=width: model.shared_passes(
                                          o, w, m)))
        return found
